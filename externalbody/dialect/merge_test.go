package dialect_test

import (
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/mime/message"
)

const (
	fileURL  = "https://cloud.example/s/AbCdEf"
	fileItem = `<li class="cloudAttachmentItem" data-content-location="` + fileURL + `"><a class="cloudfile-name" href="` + fileURL + `">plan.odt</a></li>`
)

// fourPlaces is one file as Thunderbird sends it: in the text, in its HTML, and in the field
// and the content of the part that stands for it.
const fourPlaces = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=o

--o
Content-Type: multipart/alternative; boundary=i

--i
Content-Type: text/plain

I linked plan.odt:
<` + fileURL + `>
--i
Content-Type: text/html

<p>Files:<ul>` + fileItem + `</ul>
--i--
--o
Content-Type: text/html; charset=utf-8
Content-Disposition: attachment; filename="plan.odt.html"
X-Mozilla-Cloud-Part: cloudFile; url=` + fileURL + `

<a href="` + fileURL + `">plan.odt</a>
--o--
`

// TestMerge has files that several places refer to.
func TestMerge(t *testing.T) {
	const share = "https://www.dropbox.com/scl/fi/abc1231a2B3c4D5/b.pdf?rlkey=k"
	html := func(text string) string { return "Content-Type: text/html\n\n" + text }
	runGolden(t, []golden{
		{"FourPlaces", fourPlaces, []string{"filelink | url | " + fileURL + " | name=plan.odt | at=1.1[19,51] | at=1.2[13,181] | at=2:X-Mozilla-Cloud-Part"}},
		// A file to which the standard form refers is not listed again.
		{"StandardForm",
			"Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/html\n\n" + fileItem +
				"\n--o\nContent-Type: message/external-body; access-type=URL; URL=\"" + fileURL + "\"\n\nContent-Type: text/plain\nContent-ID: <a@b>\n\n--o--\n",
			[]string{" | url | " + fileURL + " | type=text/plain | cid=<a@b> | at=2 | at=1[0,168]"}},
		// A multipart without a subtype is not a message of its own.
		{"MultipartWithoutSubtype",
			"Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart; boundary=i\n\n--i\nContent-Type: text/html\n\n" + fileItem +
				"\n--i--\n--o\nContent-Type: message/external-body; access-type=URL; URL=\"" + fileURL + "\"\n\nContent-Type: text/plain\nContent-ID: <a@b>\n\n--o--\n",
			[]string{" | url | " + fileURL + " | type=text/plain | cid=<a@b> | at=2 | at=1.1[0,168]"}},
		{"OnePlace", html(fileItem), []string{"filelink | url | " + fileURL + " | name=plan.odt | at=1[0,168]"}},
		{"TailsOfAShareLink",
			html(`<a href="` + share + `&amp;dl=0">b.pdf</a> <a href="` + share + `&amp;dl=1">b.pdf</a>`),
			[]string{"share-link | url | " + share + "&dl=0 | name=b.pdf | provider=dropbox | at=1[0,89] | at=1[90,179]"}},
		{
			"OneQuoted", // is not quoted
			html(`<a href="` + share + `">b.pdf</a><blockquote><a href="` + share + `">b.pdf</a></blockquote>`),
			[]string{"share-link | url | " + share + " | name=b.pdf | provider=dropbox | at=1[0,80] | at=1[92,172]"},
		},
		{"AllQuoted",
			html(`<blockquote><a href="` + share + `">b.pdf</a></blockquote>`),
			[]string{"share-link | url | " + share + " | name=b.pdf | provider=dropbox | quoted=yes | at=1[12,92]"}},
		{
			"Contradiction", // the header wins
			"Document-Reference: https%3a%2f%2fcloud.example%2fs%2fAbCdEf; FileName=other.pdf; ContentType=application%2fpdf\n" + html(fileItem),
			[]string{"document-reference | url | " + fileURL + " | name=other.pdf | type=application/pdf | at=:Document-Reference | at=1[0,168] | diag=contradiction name"},
		},
		{
			"CaseOfTheHost", // means nothing, like the default port
			"Document-Reference: HTTPS%3a%2f%2fCLOUD.example%3a443%2fs%2fAbCdEf; FileName=plan.odt\n" + html(fileItem),
			[]string{"document-reference | url | HTTPS://CLOUD.example:443/s/AbCdEf | name=plan.odt | at=:Document-Reference | at=1[0,168]"},
		},
		{
			"CaseOfThePath", // is another file
			"Document-Reference: https%3a%2f%2fcloud.example%2fs%2fABCDEF; FileName=plan.odt\n" + html(fileItem),
			[]string{
				"document-reference | url | https://cloud.example/s/ABCDEF | name=plan.odt | at=:Document-Reference",
				"filelink | url | " + fileURL + " | name=plan.odt | at=1[0,168]",
			},
		},
	})
}

// TestOrder checks that references are in message order, standard ones among the others.
func TestOrder(t *testing.T) {
	refs := open(t, `Document-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!A1a2B3c4D5; FileName=a
Document-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!B1a2B3c4D5; FileName=b
Content-Type: multipart/mixed; boundary=o

--o
Content-Type: message/external-body; access-type=URL; URL="http://c.example/"

Content-ID: <a@b>

--o
Content-Type: text/html

<a href="https://1drv.ms/u/s!D1a2B3c4D5">d</a><a href="https://1drv.ms/u/s!A1a2B3c4D5">a</a>
--o--
`)
	var got []string
	for _, r := range refs {
		u, _ := r.Param("url")
		got = append(got, u)
	}
	want := []string{"https://1drv.ms/u/s!A1a2B3c4D5", "https://1drv.ms/u/s!B1a2B3c4D5", "http://c.example/", "https://1drv.ms/u/s!D1a2B3c4D5"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestIDs checks that an ID depends only on where a Reference leads.
func TestIDs(t *testing.T) {
	one := open(t, fourPlaces)
	other := open(t, "Content-Type: text/html\n\n<b>x</b>"+fileItem)
	if len(one) != 1 || len(other) != 1 || one[0].ID != other[0].ID || len(one[0].ID) != len("link-")+16 {
		t.Errorf("got %v and %v, want one reference each, of one ID of 16 digits", one, other)
	}
	few, err := dialect.Named("share-link", "document-reference")
	if err != nil {
		t.Fatal(err)
	}
	text := "Document-Reference: https%3a%2f%2f1drv.ms%2fu%2fs!A\nContent-Type: text/html\n\n<a href=\"https://1drv.ms/u/s!B1a2B3c4D5\">b</a>"
	all := openWith(t, text, dialect.All())
	reverse := dialect.All()
	slices.Reverse(reverse)
	for _, ds := range [][]externalbody.Dialect{few, reverse} {
		refs := openWith(t, text, ds)
		if len(refs) != 2 || len(all) != 2 || refs[0].ID != all[0].ID || refs[1].ID != all[1].ID {
			t.Errorf("got %v, want the IDs of %v", refs, all)
		}
	}
}

// TestLimit has more references and more places than are allowed.
func TestLimit(t *testing.T) {
	chips := func(n int, url func(i int) string) string {
		var b strings.Builder
		b.WriteString("Content-Type: text/html\n\n")
		for i := range n {
			fmt.Fprintf(&b, `<li class="cloudAttachmentItem" data-content-location="%s">x</li>`, url(i))
		}
		return b.String()
	}
	many := func(i int) string { return fmt.Sprintf("https://c.example/%d", i) }
	same := func(int) string { return "https://c.example/a" }
	for _, c := range []struct {
		name         string
		text         string
		max          int
		refs, places int
		reached      bool
	}{
		{"Within", chips(5, many), 5, 5, 5, false},
		{"Beyond", chips(6, many), 5, 5, 5, true},
		{"Places", chips(21, same), 5, 1, 20, true},
		{"TenThousand", chips(10_000, many), 0, 10_000, 10_000, false},
		{"TenThousandPlaces", chips(10_000, same), 0, 1, 10_000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(c.text), int64(len(c.text)), &externalbody.OpenOptions{
				Dialects: dialect.All(), MaxReferences: c.max,
			})
			if err != nil {
				t.Fatal(err)
			}
			refs, places := 0, 0
			for r := range m.References() {
				refs++
				places += len(r.Origins)
			}
			limit, reached := errors.AsType[*message.LimitError](m.Incomplete())
			if refs != c.refs || places != c.places || reached != c.reached || reached && limit.Limit != "MaxReferences" {
				t.Errorf("got %d references, %d places, %v, want %d, %d, limit reached %t", refs, places, m.Incomplete(), c.refs, c.places, c.reached)
			}
		})
	}
}

// TestFormLimits has forms at and above the limits of their readers.
func TestFormLimits(t *testing.T) {
	const maxProvider, maxPairs, maxTables, maxItem = 40, 32, 64, 4
	rep := strings.Repeat
	provider := func(n int) string {
		return "Document-Reference: https%3a%2f%2fh.example%2f1; ProviderType=" + rep("p", n) + "\n\n"
	}
	pairs := func(n int) string {
		return "X-Mozilla-Cloud-Part: cloudFile" + rep(";data=1", n-1) + ";url=https://h.example/1\n\n"
	}
	tables := func(n int) string {
		return "Content-Type: text/html\n\n" + rep("<table><tr><td>", n) + `<div id="OwaReferenceAttachmentFileName1"><a href="https://h.example/1">a</a></div>` + rep("</table>", n)
	}
	item := func(n int) string {
		return "\nI've linked:\n\n* a.pdf (42 bytes)\n" + rep("hosted\n", n-2) + "on F: https://h.example/1\n"
	}
	for _, tt := range []struct{ name, text, want string }{
		{"Provider", provider(maxProvider), " | provider=" + rep("p", maxProvider)},
		{"ProviderMore", provider(maxProvider + 1), "/1 | at=:"},
		{"Pairs", pairs(maxPairs), "https://h.example/1"},
		{"PairsMore", pairs(maxPairs + 1), ""},
		{"Tables", tables(maxTables), fmt.Sprintf("[%d,", len("<table><tr><td>")*(maxTables-1))},
		{"TablesMore", tables(maxTables + 1), fmt.Sprintf("[%d,", len("<table><tr><td>")*(maxTables+1))},
		{"Item", item(maxItem), "name=a.pdf"},
		{"ItemMore", item(maxItem + 1), ""},
	} {
		got := ""
		for _, r := range open(t, tt.text) {
			got += describe(r)
		}
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

// TestHintsAreLong: a Hint below eight octets without a rare octet makes the search for all
// of them slower by half.
func TestHintsAreLong(t *testing.T) {
	for _, d := range dialect.All() {
		for _, h := range d.Hints {
			if len(h) < 8 && !strings.ContainsAny(h[min(len(h), 2):], ".)") {
				t.Errorf("%s: got the hint %q, want at least eight octets", d.Name, h)
			}
		}
	}
}

// TestNamed selects Dialects by name.
func TestNamed(t *testing.T) {
	ds, err := dialect.Named("share-link", "filelink")
	if err != nil || len(ds) != 2 || ds[0].Name != "filelink" {
		t.Errorf("got %v, %v, want filelink, share-link, nil", ds, err)
	}
	if ds, err := dialect.Named("all", dialect.RemoteImages); err != nil || len(ds) != len(dialect.All())+1 {
		t.Errorf("all, remote-images: got %d, %v, want all and one more", len(ds), err)
	}
	if ds, err := dialect.Named(); err != nil || len(ds) != 0 {
		t.Errorf("no name: got %d, %v, want none", len(ds), err)
	}
	if _, err := dialect.Named("filelink", "fax"); err == nil {
		t.Error("an unknown name is no error")
	}
	names := dialect.Names()
	slices.Sort(names)
	if len(slices.Compact(names)) != len(dialect.All())+1 {
		t.Error("a name is given twice")
	}
}

// Links to one file are one reference, whatever else is in them. Links that differ in a
// part that may select another file, or that the host may ask for, are two: a sender cannot
// hide a link after one that looks alike and leads nowhere.
func TestLinksAlike(t *testing.T) {
	const mailDrop = "https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2F"
	for _, tt := range []struct {
		name, a, b string
		want       int
	}{
		{"DriveTails", "https://drive.google.com/file/d/1AbCdEfGhIjKl1a2B3c4D5e6F7g8/view?usp=drive_web", "https://drive.google.com/file/u/1/d/1AbCdEfGhIjKl1a2B3c4D5e6F7g8/edit", 1},
		{"DriveKeys", "https://drive.google.com/file/d/1AbCdEfGhIjKl1a2B3c4D5e6F7g8/view?resourcekey=0-a", "https://drive.google.com/file/d/1AbCdEfGhIjKl1a2B3c4D5e6F7g8/view?resourcekey=0-b", 2},
		{"DropboxTails", "https://www.dropbox.com/scl/fi/AbCd1a2B3c4D5e6/a.pdf?rlkey=k&st=1&dl=0", "https://dropbox.com/scl/fi/AbCd1a2B3c4D5e6/a.pdf?dl=1&rlkey=k", 1},
		{"DropboxKeys", "https://www.dropbox.com/scl/fi/AbCd1a2B3c4D5e6/a.pdf?rlkey=k&dl=0", "https://www.dropbox.com/scl/fi/AbCd1a2B3c4D5e6/a.pdf?rlkey=j&dl=0", 2},
		{"SharePointTails", "https://a.sharepoint.com/:b:/g/personal/joe/EYCB1a2B3c4D?e=x", "https://a.sharepoint.com/:b:/g/personal/joe/EYCB1a2B3c4D?e=4%3Ax&at=9", 1},
		{"SharePointOwners", "https://a.sharepoint.com/:b:/g/personal/joe/EYCB1a2B3c4D", "https://a.sharepoint.com/:b:/g/personal/ann/EYCB1a2B3c4D", 2},
		{"FilesOfOneBin", "https://filebin.net/abcdefgh12345678/a.pdf", "https://filebin.net/abcdefgh12345678/b.pdf", 2},
		{"MailDropOfOneNumber", mailDrop + "AAAA%2Fx%3Fr%3D37EC-1&f=a.pdf", mailDrop + "BBBB%2Fx%3Fr%3D37EC-1&f=a.pdf", 2},
		{"MailDropOfTwoTimes", mailDrop + "AAAA%2Fx%3Fe%3D1763787120&f=a.pdf", mailDrop + "AAAA%2Fx%3Fe%3D1763787121&f=a.pdf", 2},
		{"QQCodes", "https://wx.mail.qq.com/ftn/download?func=3&key=c7cc1a2B3c4D5e6F&code=1", "https://wx.mail.qq.com/ftn/download?func=3&key=c7cc1a2B3c4D5e6F&code=2", 2},
		{"MegaKeys", "https://mega.nz/file/abc12345#k1", "https://mega.nz/file/abc12345#k2", 2},
		{"DocsExports", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=docx", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/export?format=txt", 2},
		{"Docs", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/edit?usp=sharing", "https://docs.google.com/document/d/1EuX1a2B3c4D5e6F7g8H9i0J1k2L/edit#heading=h.1", 1},
		{"ParametersTwice", "https://app.hubspot.com/documents/1/view/21234567?accessId=a&accessId=b", "https://app.hubspot.com/documents/1/view/21234567?accessId=b&accessId=a", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := textCase{html: `<a href="` + html.EscapeString(tt.a) + `">a</a> <a href="` + html.EscapeString(tt.b) + `">b</a>`}
			if refs := openWith(t, c.message("8bit"), dialect.All()); len(refs) != tt.want {
				t.Errorf("got %d references, want %d", len(refs), tt.want)
			}
		})
	}
}

// TestHeaders checks the forms of header fields. Each archive in testdata has messages,
// NAME.eml, and after each of them NAME.refs, which has a line for each reference that is
// wanted. There, a line that starts with "#" is a comment.
func TestHeaders(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d archives, %v, want some", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runGolden(t, readGolden(t, path))
		})
	}
}

func readGolden(t *testing.T, path string) []golden {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse([]byte(strings.ReplaceAll(string(b), "\r\n", "\n"))).Files
	var cases []golden
	for len(files) > 0 {
		name, ok := strings.CutSuffix(files[0].Name, ".eml")
		if !ok || len(files) < 2 || files[1].Name != name+".refs" {
			t.Fatalf("%s: got %s, want NAME.eml and after it NAME.refs", path, files[0].Name)
		}
		c := golden{name: name, text: string(files[0].Data)}
		for line := range strings.Lines(string(files[1].Data)) {
			if !strings.HasPrefix(line, "#") {
				c.want = append(c.want, strings.TrimSuffix(line, "\n"))
			}
		}
		cases, files = append(cases, c), files[2:]
	}
	return cases
}
