package record_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/wording"
)

func refOf(t *testing.T, params, phantom string) *externalbody.Reference {
	t.Helper()
	ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; "+params+"\r\n\r\n"), []byte(phantom+"\r\nContent-ID: <a@b>\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// TestTable wants lines that fit, with the name first, and nothing of a stranger that moves
// the cursor.
func TestTable(t *testing.T) {
	url := func(u string) string { return "access-type=url; url=\"" + u + "\"" }
	for _, tt := range []struct{ params, phantom, want string }{
		{url("https://cloud.example/slides.pdf") + "; size=587", "Content-Type: application/pdf", "slides.pdf  587 octets  PDF  cloud.example  id"},
		{url("https://cloud.example/slides.pdf") + "; expiration=\"Sat, 01 Jan 2000 00:00:00 +0000\"", "Content-Type: application/pdf",
			"slides.pdf  -  PDF  cloud.example  id  until 2000-01-01"},
		{url("data:image/png,x"), "Content-Type: image/png", "(no name)  -  PNG  in the message  id"},
		{url("ftp://a.example:2100/x.dat"), "Content-Type: application/octet-stream", "x.dat  -  -  a.example:2100  id"},
		{url("file:///home/ann/b.jpg"), "Content-Type: image/jpeg", "b.jpg  -  JPG  /home/ann/b.jpg  id"},
		{"access-type=mail-server; server=\"s@a.example\"", "Content-Type: text/x-python", "(no name)  -  python  mail to a.example  id"},
		{"access-type=x-mutt-deleted; expiration=\"Tue, 17 Nov 2020 11:03:37 -0800\"; length=86", "Content-Type: video/x-matroska",
			"(no name)  -  video  deleted  id  deleted 2020-11-17"},
		{"access-type=x-shelf; where=\"third from the left, below the one with the books of the neighbour\"", "Content-Type: audio/x",
			"(no name)  -  x  x-shelf where=\"third from the left, below the one with t...  id"},
		{url("https://" + strings.Repeat("login.bank.example.", 10) + "evil.example/x"), "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"" +
			strings.Repeat("Bericht ", 20) + ".pdf\"", "Bericht Bericht Be... Bericht .pdf  -  PDF  ...gin.bank.example.evil.example  id"},
		{url("https://a.example/x"), "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''a%1B%5B2J%E2%80%AE.pdf", "a[2J.pdf  -  PDF  a.example  id"},
	} {
		line := record.NewLine(refOf(t, tt.params, tt.phantom))
		line.ID = "id"
		got := record.Table([]*record.Line{line}, 80)[0]
		if want := tt.want; strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") || wording.Columns(got) > 80 {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Columns are aligned, and give way in turn.
func TestTableWidths(t *testing.T) {
	list := []*record.Line{
		{Name: "年次報告書 of the year.pdf", Size: "1.2 MB", Kind: "PDF", Place: "www.files.of.cloud.example", ID: "link-abcde", Notes: []string{"until 2030-01-01", "x", "y"}},
		{Name: "a", Size: "-", Kind: "-", Place: "b.example", ID: "1.2"},
	}
	for width, want := range map[int][]string{
		120: {"年次報告書 of the year.pdf  1.2 MB  PDF  www.files.of.cloud.example  link-abcde  until 2030-01-01  x  y", "a                           -       -    b.example                   1.2"},
		80:  {"年次報告書 of the year.pdf  1.2 MB  PDF  www.files.of.cloud.example  link-abcde", "a                           -       -    b.example                   1.2"},
		72:  {"年次報告...year.pdf  1.2 MB  PDF  www.files.of.cloud.example  link-abcde", ""},
		20:  {"年次報...ear.pdf  1.2 MB  PDF  ...cloud.example  link-abcde", ""},
	} {
		got := record.Table(list, width)
		if got[0] != want[0] || want[1] != "" && got[1] != want[1] {
			t.Errorf("%d columns: got\n%s\nwant\n%s", width, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	short := []*record.Line{{Name: "a", Size: "-", Kind: "-", Place: "..."}, {Name: strings.Repeat("b", 40), Size: "-", Kind: "-", Place: "..."}}
	want := []string{" 3  a                          -  -  ...", "12  bbbbbbbbbbbbbbb...bbbbbbb  -  -  ..."}
	if got := record.Numbered(short, []int{3, 12}, 40); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Long names have the columns that nothing else needs, and files of a series can be
// distinguished.
func TestTableLongNames(t *testing.T) {
	const long = "Quarterly report of the northern and southern regions, final version 1.pdf"
	note := []string{"until 2030-01-01"}
	for _, tt := range []struct {
		width int
		notes []string
		want  string
	}{
		{120, nil, long + "  1.2 MB  PDF  files.example"},
		{80, nil, "Quarterly report of the northe...final version 1.pdf  1.2 MB  PDF  files.example"},
		{80, note, "Quarterly report o...version 1.pdf  1.2 MB  PDF  files.example  until 2030-01-01"},
		{60, note, "Quarterly report ...ersion 1.pdf  1.2 MB  PDF  files.example"},
	} {
		list := []*record.Line{{Name: long, Size: "1.2 MB", Kind: "PDF", Place: "files.example", Notes: tt.notes}}
		if got := record.Table(list, tt.width)[0]; got != tt.want || wording.Columns(got) > tt.width {
			t.Errorf("%d columns: got %q, want %q", tt.width, got, tt.want)
		}
	}
}

// Short IDs of a message differ, and one that is whole stays.
func TestShortIDs(t *testing.T) {
	var refs []*externalbody.Reference
	for _, id := range []string{"1.2", "link-abcdefghij", "link-abcdexghij", "link-zzzzzzzzzz-1.2"} {
		refs = append(refs, &externalbody.Reference{ID: id})
	}
	short := record.ShortIDs(refs)
	var got []string
	for _, ref := range refs {
		got = append(got, short[ref])
	}
	if want := []string{"1.2", "link-abcdef", "link-abcdex", "link-zzzzzz"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if short := record.ShortIDs(refs[1:2])[refs[1]]; short != "link-abcde" || !record.IsShort(short) || record.IsShort("link-abcd") || record.IsShort("1.2.3.4.5.6.7") {
		t.Errorf("got %q, want one that is short", short)
	}
}
