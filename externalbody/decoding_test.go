package externalbody_test

import (
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// TestDecoding has parts that mail programs decode to different octets. Each reading is searched, and the part is
// reported (OP-52).
func TestDecoding(t *testing.T) {
	const (
		link   = "https://we.tl/t-AbCdEfGhIj"
		coding = "Content-Type: text/html\nContent-Transfer-Encoding: "
	)
	in64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	anchor := "<a href=\"" + link + "\">x</a>"
	page := in64(anchor)
	quoted := strings.ReplaceAll(anchor, "=", "=3D")
	long := in64(strings.Repeat("<p>text</p>", 40<<10) + "xx")
	for _, tt := range []struct {
		name, text string
		told       string
		some       bool // not all readings have the link
	}{
		{"Plain", mixed(coding + "base64\n\n" + page), "", false},
		{"Comment", mixed(coding + "(c) base64 text\n\n" + page), "", false},
		{"Junk", mixed(coding + "base64\nx\n\n" + page), "1 text/html decoding", true},
		{"JunkQuoted", mixed(coding + "quoted-printable\nx=\n\n" + quoted), "1 text/html decoding", false},
		{"JunkIdentity", mixed("Content-Type: text/html\nx\n\n" + anchor), "", false},
		{"Letters", mixed(coding + "base64x\n\n" + page), "1 text/html decoding", true},
		{"NUL", mixed(coding + "base64\x00\n\n" + page), "1 text/html decoding", true},
		{"NoBreakSpace", mixed(coding + "base64\u00a0\n\n" + page), "1 text/html decoding", true},
		{"EncodedWord", mixed(coding + "=?UTF-8?B?YmFzZTY0?=\n\n" + page), "1 text/html decoding", true},
		{"CommentWithin", mixed(coding + "bas(x)e64\n\n" + page), "1 text/html decoding", true},
		{"Comma", mixed(coding + ",base64\n\n" + page), "1 text/html decoding", true},
		{"Underscore", mixed(coding + "QUOTED_PRINTABLE\n\n" + quoted), "1 text/html decoding", true},
		{"Private", mixed(coding + "x-quoted-printable\n\n" + quoted), "1 text/html decoding", true},
		{"Quoted", mixed(coding + "quoted-printable\n\n" + quoted + " 1+1=?"), "", false},
		{"QuotedLong", mixed(coding + "quoted-printable\n\n" + quoted + strings.Repeat("<p>1 + 1 = x</p>\n", 20<<10)), "", false},
		{"QuotedLink", mixed(coding + "quoted-printable\n\n" + quoted + "https://a.example/?q=x"), "1 text/html decoding", false},
		{"QuotedLinkLong", mixed(coding + "quoted-printable\n\n" + quoted + "https://a.example/?q=x" + strings.Repeat("<p>text</p>\n", 30<<10)), "1 text/html decoding", false},
		{"QuotedScheme", mixed(coding + "quoted-printable\n\n" + quoted + "ht=tps://a.example/"), "1 text/html decoding", false},
		{"QuotedDigit", mixed(coding + "quoted-printable\n\n" + quoted + "htt=0=70s://a.example/"), "1 text/html decoding", false},
		{"Pieces", mixed(coding + "base64\n\n" + in64("ab") + "\n" + page), "1 text/html decoding", false},
		{"PiecesOfLink", mixed(coding + "base64\n\n" + in64(anchor[:20]) + in64(anchor[20:])), "1 text/html decoding", false},
		{"PiecesLong", mixed(coding + "base64\n\n" + long + "\n" + page), "1 text/html decoding", false},
		{"PiecesLongPlain", mixed("Content-Transfer-Encoding: base64\n\n" + long + "\n" + in64(link)), "1 text/plain decoding", false},
		{"NoPadding", mixed(coding + "base64\n\n" + strings.TrimRight(in64(anchor+"x"), "=")), "1 text/html decoding", false},
		{"SpareBits", mixed(coding + "base64\n\n" + page + "YR=="), "1 text/html decoding", false},
		{"Dashes", mixed(coding + "base64\n\n" + page[:8] + "-" + page[8:]), "1 text/html decoding", false},
		{"Message", mixed("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + in64("Subject: a\n") + in64("Content-Type: text/html\n\n"+anchor)), "1 message/rfc822 decoding", false},
		{"Pictures", mixed("Content-Type: text/html\n\n"+anchor, "Content-Type: image/png\nContent-Transfer-Encoding: base64x\nx\n\nabc=de"), "", false},
		{"BlankBefore", mixed(" Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n" + page), "1 text/html decoding", true},
		{"NoColon", mixed(coding[:len(coding)-2] + " base64\n\n" + page), "1 text/html decoding", true},
		{"TwoColons", mixed(coding + ": base64\n\n" + page), "1 text/html decoding", true},
		{"BrokenBeforeColon", mixed(coding[:len(coding)-2] + "\n : base64\n\n" + page), "1 text/html decoding", true},
		{"LineBefore", mixed("\n" + coding + "base64\n\n" + page), "1 text/plain ambiguous", true},
		{"TypeOfLetters", "Content-Type: multipar(x)t/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\nHi\n--b\n" + coding + "base64\n\n" + page + "\n--b--\n", "1 text/plain ambiguous", true},
		{"CommentInMessage", "Content-Type: mess(x)age/rfc822\n\n" + coding + "base64\n\n" + page, "1 text/plain ambiguous", true},
		{"CommentInSubtype", mixed("Content-Type: message/rf(a(b)c)c822\n\n" + coding + "base64\n\n" + page), "1 message/rf ambiguous", true},
		{"CommentBeforeSlash", mixed("Content-Type: message(x)/rfc822\n\n" + coding + "base64\n\n" + page), "", false},
		{"PGP", mixed("\n" + link + "\n-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJ\n-----END PGP MESSAGE-----\n"), "1 text/plain encrypted", false},
		{"PGPPage", mixed("Content-Type: text/html\n\n" + anchor + "<pre wrap>-----BEGIN PGP MESSAGE-----<br>\n<br>hQEMA5vJ</pre>"), "1 text/html encrypted", false},
		{"PGPPageLine", mixed("Content-Type: text/html\n\n" + anchor + "<pre>\n-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJ</pre>"), "1 text/html encrypted", false},
		{"PGPPageLong", mixed("Content-Type: text/html\n\n" + anchor + "<p>-----BEGIN PGP MESSAGE-----</p>" + strings.Repeat("<p>hQEMA5vJ</p>\n", 30<<10)), "1 text/html encrypted", false},
		{"PGPPageText", mixed("Content-Type: text/html\n\n" + anchor + "<p>The line -----BEGIN PGP MESSAGE----- starts it.</p>"), "", false},
		{"PGPFile", mixed("\n"+link, "Content-Type: application/octet-stream; name=a.asc\n\n-----BEGIN PGP MESSAGE-----\n"), "2 application/octet-stream encrypted", false},
		{"PGPExchange", mixed("\n"+link, "Content-Type: application/pgp-encrypted\n\nVersion: 1\n", "Content-Type: application/octet-stream; name=encrypted.asc\nContent-Transfer-Encoding: base64\n\n"+in64("\r\n-----BEGIN PGP MESSAGE-----\n")), "3 application/octet-stream encrypted", false},
		{"PGPType", mixed("\n"+link, "Content-Type: application/pgp; format=text\n\n-----BEGIN PGP MESSAGE-----\n"), "2 application/pgp encrypted", false},
		{"PGPQuoted", mixed("\n" + link + "\n> -----BEGIN PGP MESSAGE-----\n"), "", false},
		{"PGPSigned", mixed("\n-----BEGIN PGP SIGNED MESSAGE-----\n\n- " + link + "\n-----BEGIN PGP SIGNATURE-----\n\nabc=\n"), "", false},
		{"PGPSignedBroken", mixed("Content-Type: application/pgp\n\n-----BEGIN PGP SIGNED MESSAGE-----\n\n<" + link[:15] + "\n- " + link[15:] + ">\n"), "", false},
		{"UUEncodeInText", mixed("\nHi\nbegin 644 a.html\nM/&AT;6P^/&)O9'D^/'`^/&$@:')E9CTB:'1T<',Z+R]W92YT;\"]T+4%B0V1%\n,9D=H26HB/G@\\+V$^\n`\nend\n"), "", false},
		{"UUEncodeInLongText", mixed("\n" + strings.Repeat("begin Hi begin\n", 30<<10) + "begin 644 a.html\nM/&AT;6P^/&)O9'D^/'`^/&$@:')E9CTB:'1T<',Z+R]W92YT;\"]T+4%B0V1%\n,9D=H26HB/G@\\+V$^\n`\nend\n"), "", false},
		{"TypeOfText", "Content-Type: text/plain; boundary=b\n\n" + link, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := openMessage(t, tt.text, &externalbody.OpenOptions{Dialects: dialect.All()})
			var told []string
			for u := range m.Unread() {
				told = append(told, fmt.Sprint(u.Section, " ", u.MediaType, " ", u.Reason))
			}
			if got := strings.Join(told, ", "); got != tt.told {
				t.Errorf("got %q, want %q", got, tt.told)
			}
			refs := slices.Collect(m.References())
			if len(refs) != 1 {
				t.Fatalf("got %d references, want 1", len(refs))
			}
			some := slices.ContainsFunc(refs[0].Diags, func(d externalbody.Diag) bool {
				return d.Code == externalbody.DiagAmbiguous || d.Code == externalbody.DiagDecoding
			})
			if url, _ := refs[0].Param("url"); url != link || some != tt.some {
				t.Errorf("got %s, %v, want %s, seen by some readings alone: %t", url, refs[0].Diags, link, tt.some)
			}
		})
	}
}

// TestFilesByName has parts whose type only their name shows. Their texts are read, and have no places that a
// rewriting could change.
func TestFilesByName(t *testing.T) {
	const link = "https://we.tl/t-AbCdEfGhIj"
	anchor := "<a href=\"" + link + "\">x</a>"
	calendar := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTACH;FMTTYPE=application/pdf:https://a.example/x.pdf\nEND:VEVENT\nEND:VCALENDAR\n"
	for _, tt := range []struct {
		name, part string
		want       int
	}{
		{"HTML", "Content-Type: application/octet-stream; name=a.HTML\n\n" + anchor, 1},
		{"Disposition", "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.shtml\n\n" + anchor, 1},
		{"NoType", "Content-Disposition: attachment; filename=a.htm\n\n" + anchor, 1},
		{"UnknownType", "Content-Type: x-multipart/mixed\nContent-Disposition: attachment; filename=a.html\n\n" + anchor, 1},
		{"OtherName", "Content-Type: application/octet-stream; name=a.htm.bin\n\n" + anchor, 0},
		{"OtherType", "Content-Type: application/zip; name=a.html\n\n" + anchor, 0},
		{"Calendar", "Content-Type: application/octet-stream; name=a.ics\n\n" + calendar, 1},
		{"Message", "Content-Type: application/octet-stream; name=a.eml\n\nContent-Type: text/html\n\n" + anchor, 1},
		{"MessageType", "Content-Type: message/x-rfc822; name=a.eml\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("Content-Type: text/html\n\n"+anchor)), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := openMessage(t, mixed(tt.part), &externalbody.OpenOptions{Dialects: dialect.All()})
			refs := slices.Collect(m.References())
			if len(refs) != tt.want {
				t.Fatalf("got %d references, want %d", len(refs), tt.want)
			}
			for _, ref := range refs {
				if o := ref.Origins[0]; !o.Unplaced && !ref.Hidden() {
					t.Errorf("got a place, %+v, want none", o)
				}
			}
			if refs := slices.Collect(openMessage(t, mixed(tt.part), nil).References()); len(refs) > 0 {
				t.Errorf("without Dialects: got %d references, want none", len(refs))
			}
		})
	}
}

// TestEvasions holds: of the messages of a public collection, each whose link two other readers show is found or
// reported, and none that was found or reported before is missed.
func TestEvasions(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the messages")
	}
	dir := filepath.Join(shared, "corpus", "evasion")
	f, err := os.Open(filepath.Join(dir, "READERS.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.Comma = '\t'
	rows, err := table.ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("got %d rows, %v, want a table", len(rows), err)
	}
	count := make(map[string]int)
	for _, row := range rows[1:] {
		text, err := os.ReadFile(filepath.Join(dir, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		m := openMessage(t, string(text), &externalbody.OpenOptions{Dialects: dialect.All()})
		got := "SILENT"
		for range m.Unread() {
			got = "TOLD"
		}
		for ref := range m.References() {
			if url, _ := ref.Param("url"); strings.HasPrefix(url, "https://we.tl/t-AbCdEfGh12") {
				got = "FOUND"
			}
		}
		count[got]++
		two := strings.Contains(row[3], ",")
		lost := row[1] == "FOUND" && got != "FOUND" || row[1] == "TOLD" && got == "SILENT"
		if lost || two && got == "SILENT" {
			t.Errorf("%s: got %s, want it found or told: it was %s, and %s show it", row[0], got, row[1], row[3])
		}
	}
	t.Logf("%d found, %d told, %d silent", count["FOUND"], count["TOLD"], count["SILENT"])
}

// TestPhantomNames has names in the phantom header that readers read differently. They have the Diags that they would have
// in the header of the part.
func TestPhantomNames(t *testing.T) {
	for _, tt := range []struct{ name, fields, want, file string }{
		{"One", "Content-Disposition: attachment; filename=a.pdf\n", "", "a.pdf"},
		{"Pair", "Content-Disposition: attachment; filename=a.pdf; filename*=UTF-8''%C3%A9.pdf\n", "", "é.pdf"},
		{"Twice", "Content-Disposition: attachment; filename=a.pdf; filename=a.pdf\n", "", "a.pdf"},
		{"Two", "Content-Disposition: attachment; filename=a.pdf; filename=b.exe\n", "duplicate filename, conflict filename", "a.pdf"},
		{"Gap", "Content-Disposition: attachment; filename*0=\"file.\"; filename*2=exe\n", "section-gap filename", "file."},
		{"TwoFields", "Content-Disposition: attachment; filename=a.pdf\nContent-Disposition: attachment; filename=b.exe\n", "repeated-field content-disposition", "a.pdf"},
		{"TypeOfTwo", "Content-Type: a/b; name=a.pdf; name=b.exe\n", "duplicate name, conflict name", "a.pdf"},
		{"OtherParameter", "Content-Disposition: attachment; x=a; x=b; filename=a.pdf\n", "", "a.pdf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := mixed("Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\n\nContent-ID: <a@b>\n" + tt.fields + "\n")
			refs := slices.Collect(openMessage(t, text, nil).References())
			if len(refs) != 1 {
				t.Fatalf("got %d references, want 1", len(refs))
			}
			var got []string
			for _, d := range refs[0].Diags {
				got = append(got, string(d.Code)+" "+d.Param)
			}
			if strings.Join(got, ", ") != tt.want || refs[0].Name != tt.file {
				t.Errorf("got %q, %q, want %q, %q", refs[0].Name, got, tt.file, tt.want)
			}
		})
	}
}
