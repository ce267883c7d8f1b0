package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A named is a web whose server calls its file name, and redirects to final.
type named struct{ name, final, body, mediaType string }

func (n named) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	u := *req.URL
	if n.final != "" {
		u.Path = n.final
	}
	h := map[string][]string{}
	if n.name != "" {
		h["Content-Disposition"] = []string{"attachment; filename=\"" + n.name + "\""}
	}
	return &fetch.Response{URL: &u, MediaType: n.mediaType, Header: h, Size: int64(len(n.body)), Body: io.NopCloser(strings.NewReader(n.body))}, nil
}

// A rule against programs sees each name that a program may use for a body.
func TestEveryName(t *testing.T) {
	program := program
	for _, test := range []struct {
		name, disposition, typeName, path string
		said, outer                       string
		server                            named
		want                              bool
	}{
		{name: "Harmless", disposition: "a.pdf", path: "/a.pdf", server: named{name: "a.pdf"}},
		{name: "OfServer", disposition: "a.pdf", path: "/a.pdf", server: named{name: "a.exe"}, want: true},
		{name: "OfURL", typeName: "a.pdf", path: "/a.exe", want: true},
		{name: "OfFinalURL", disposition: "a.pdf", path: "/a", server: named{final: "/b/a.exe"}, want: true},
		{name: "OfType", disposition: "a.pdf", typeName: "a.exe", want: true},
		{name: "OfDisposition", disposition: "a.exe", typeName: "a.pdf", want: true},
		{name: "Stream", disposition: "a.exe:$DATA", want: true},
		{name: "FullWidthDot", disposition: "a\uff0eexe", want: true},
		{name: "OneDotLeader", disposition: "a\u2024exe", want: true},
		{name: "IdeographicDot", disposition: "a\u3002exe", want: true},
		{name: "FullWidthLetters", disposition: "a.\uff45\uff58\uff45", want: true},
		{name: "UpperCase", disposition: "a.EXE.", want: true},
		{name: "IdeographicDot", disposition: "a\u3002exe", want: true},
		{name: "ZeroWidth", disposition: "a.exe\u200b", want: true},
		{name: "Reversed", disposition: "a\u202efdp.exe", want: true},
		{name: "AfterNUL", disposition: "a.exe\x00.pdf", want: true},
		{name: "TwoExtensions", disposition: "a.pdf.exe", want: true},
		{name: "ManySpaces", disposition: "a.pdf" + strings.Repeat(" ", 300) + ".exe", want: true},
		{name: "InFolder", disposition: "b.pdf\\a.exe", want: true},
		{name: "FolderAtEnd", disposition: "a.exe/", want: true},
		{name: "EncodedWord", disposition: "=?utf-8?Q?a=2Eexe?=", want: true},
		{name: "EncodedWordUTF16", disposition: "=?utf-16?B?YQAuAGUAeABlAA==?=", want: true},
		{name: "EncodedWordBesideName", disposition: "a.pdf", typeName: "=?utf-8?Q?a=2Eexe?=", want: true},
		{name: "EncodedWordOfReference", disposition: "a.pdf", path: "/a.pdf\"; name=\"=?utf-8?Q?a=2Eexe?=", want: true},
		{name: "SecondName", disposition: "a.pdf", typeName: "a.pdf\"; name=\"a.exe", want: true},
		{name: "SecondNameOfServer", disposition: "a.pdf", server: named{name: "a.pdf\"; filename=\"a.exe"}, want: true},
		{name: "ParenthesesInNameOfServer", disposition: "a.pdf", server: named{name: "\"; filename=a(1).exe; x=\""}, want: true}, // RFC 6266
		{name: "EncodedURL", path: "/a%2Eexe", want: true},
		{name: "TwiceEncodedURL", path: "/a%252Eexe"},
		{name: "QueryOfURL", path: "/a?/b.exe"},
		{name: "JoinedLetters", disposition: "a.e\u2060xe", want: true},
		{name: "Streams", disposition: "a.pdf::$DATA"},
		{name: "SpaceAtEnd", disposition: "a.exe . ", want: true},
		{name: "ScriptType", said: "text/javascript", want: true},
		{name: "ScriptTypeOfServer", path: "/a", server: named{mediaType: "text/javascript"}, want: true},
		{name: "OfOuterPart", disposition: "a.pdf", outer: "\r\nContent-Disposition: attachment; filename=a.exe", want: true},
		{name: "TypeDosExec", said: "application/x-dosexec", want: true},
		{name: "TypeDownload", said: "application/x-msdownload", want: true},
		{name: "TypeDownloadNamed", said: "application/x-msdownload", disposition: "a.pdf", want: true},
		{name: "TypeOfServerNamed", disposition: "a.pdf", server: named{mediaType: "application/x-msdownload"}, want: true},
		{name: "Octets", disposition: "report", server: named{body: program}, want: true},
		{name: "OctetsNamedBin", disposition: "report.bin", server: named{body: program}, want: true},
		{name: "OctetsNamedPDF", disposition: "report.pdf", server: named{body: program}, want: true},
		{name: "OctetsOfPDF", disposition: "report.pdf", server: named{body: "%PDF-1.7"}},
		{name: "InZip", disposition: "a.zip", server: named{body: testkit.Zip("b.txt", "dir/a.exe")}, want: true},
		{name: "InZipAfterOctets", disposition: "a.zip", server: named{body: "before" + testkit.Zip("a.exe")}, want: true},
		{name: "InZipBeforeEnds", disposition: "a.zip", server: named{body: testkit.Zip("a.exe") + "PK\x05\x06" + strings.Repeat("\x00", 18) + "PK\x05\x06"}, want: true},
		{name: "InFirstOfTwoZips", disposition: "a.zip", server: named{body: testkit.Zip("a.exe") + testkit.Zip("b.txt")}, want: true},
		{name: "NotInZip", disposition: "a.zip", server: named{body: testkit.Zip("b.txt")}},
		{name: "CutZip", disposition: "a.zip", server: named{body: testkit.Zip("a.exe")[:60]}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.said == "" {
				test.said = "application/octet-stream"
			}
			text := "Content-Type: message/external-body; access-type=url; url=\"https://a.example" + test.path + "\"" + test.outer + "\r\n\r\nContent-Type: " + test.said
			if test.typeName != "" {
				text += "; name=\"" + test.typeName + "\""
			}
			if test.disposition != "" {
				text += "\r\nContent-Disposition: attachment; filename*=utf-8''" + strings.ReplaceAll(url.QueryEscape(test.disposition), "+", "%20")
			}
			text += "\r\n\r\n"
			in := newInspector(t, new(web), nil, PoolOptions{})
			if test.server.mediaType == "" {
				test.server.mediaType = test.said
			}
			if test.server.body == "" {
				test.server.body = "x"
			}
			in.Resolver = answering(test.server.Fetch)
			rep := in.Inspect(t.Context(), messageOf(text))
			if len(rep.Refs) != 1 || rep.Refs[0].State != Known {
				t.Fatalf("got %+v, want one reference that is known", rep.Refs)
			}
			p := rules(t, "name='programs'; extension=['exe', 'js']; action='reject'")
			if d := p.Decide(rep, new(Envelope), "", nil); (d.Action == Reject) != test.want {
				t.Errorf("got %s for %q and %q, want a match %t", d.Action, rep.Refs[0].extensions, rep.Refs[0].finding.extensions, test.want)
			}
			// The decision about a single body is the one about the message with it alone.
			for _, p := range []*Policy{
				p, new(Policy),
				rules(t, "name='none'; extension='pdf'; action='none'", "name='rest'; action='hold'"),
				rules(t, "name='type'; type='application/*'; max_size=10; verdict='clean'; action='none'"),
			} {
				if d, _, err := decideBody(t, p, in.Resolver, text); err != nil || !reflect.DeepEqual(d, p.Decide(rep, new(Envelope), "", nil)) {
					t.Errorf("the body alone: got %+v, %v, want %+v", d, err, p.Decide(rep, new(Envelope), "", nil))
				}
			}
		})
	}
}

// decideBody returns the Decision about the only body of a message.
func decideBody(t *testing.T, p *Policy, r *externalbody.Resolver, text string) (Decision, bool, error) {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for ref := range m.References() {
		s, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return p.DecideBody(&Single{m, ref, r.Plan(ref)}, s.Report, io.NewSectionReader(s, 0, s.Size()))
	}
	t.Fatal("got no reference, want one")
	return Decision{}, false, nil
}

// A body of another kind than the announced one differs, and one whose name is only another
// does not.
func TestDiffers(t *testing.T) {
	for _, tt := range []struct {
		name, announced, said string
		server                named
		want                  bool
	}{
		{"Same", "a.pdf", "application/pdf", named{body: "%PDF-1.7", name: "a.pdf"}, false},
		{"OtherName", "a.pdf", "application/pdf", named{body: "%PDF-1.7", name: "b.PDF"}, false},
		{"OtherExtension", "a.jpg", "image/jpeg", named{body: "\xff\xd8\xff", name: "a.jpeg"}, false},
		{"NoName", "a.pdf", "application/pdf", named{body: "%PDF-1.7"}, false},
		{"PageOfServer", "a.pdf", "application/pdf", named{body: "%PDF-1.7", final: "/get.php"}, false},
		{"NotAnnounced", "", "application/octet-stream", named{body: "%PDF-1.7", name: "a.pdf"}, false},
		{"NameOfServer", "a.pdf", "application/octet-stream", named{body: "x", name: "evil.exe"}, true},
		{"ScriptOfServer", "a.pdf", "application/octet-stream", named{body: "x", name: "evil.js"}, true},
		{"ProgramAtURL", "a.pdf", "application/octet-stream", named{body: "x", final: "/evil.exe"}, true},
		{"Octets", "a.pdf", "application/pdf", named{body: program, name: "a.pdf"}, true},
		{"ProgramUnannounced", "", "application/octet-stream", named{body: program}, true},
		{"ProgramAnnounced", "a.exe", "application/octet-stream", named{body: program, name: "a.exe"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: " + tt.said
			if tt.announced != "" {
				text += "\r\nContent-Disposition: attachment; filename=\"" + tt.announced + "\""
			}
			if tt.server.mediaType == "" {
				tt.server.mediaType = tt.said
			}
			if _, differs, err := decideBody(t, new(Policy), answering(tt.server.Fetch), text+"\r\n\r\n"); differs != tt.want || err != nil {
				t.Errorf("got %t, %v, want %t", differs, err, tt.want)
			}
		})
	}
}

// Of the names in a zip file a bounded number is kept, and the rest is reported as unread.
// Padding its directory hides no name.
func TestMembersBounded(t *testing.T) {
	look := func(file string) *finding {
		return &disguise{said: "application/zip", server: named{body: file}}.inspected(t).Refs[0].finding
	}
	var names []string
	for i := range maxMembers + 1 {
		names = append(names, fmt.Sprintf("a.e%d", i))
	}
	if f := look(testkit.Zip(names[:maxMembers]...)); len(f.members) != maxMembers || f.Within != "" {
		t.Errorf("got %d extensions, unread %q, want %d", len(f.members), f.Within, maxMembers)
	}
	if f := look(testkit.Zip(names...)); len(f.members) != maxMembers || f.Within != filekind.CutShort {
		t.Errorf("got %d extensions, unread %q, want %d and %s", len(f.members), f.Within, maxMembers, filekind.CutShort)
	}
	padded := slices.Repeat([]string{strings.Repeat("x", 60000) + ".txt"}, 20)
	if f := look(testkit.Zip(append(padded, "evil.exe")...)); !slices.Contains(f.members, "exe") || f.Within != "" {
		t.Errorf("a padded directory: got %q, unread %q, want exe", f.members, f.Within)
	}
}

// A package of the Windows Installer is one whatever its name is.
func TestInstaller(t *testing.T) {
	file := make([]byte, 2048)
	copy(file, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	file[30], file[48] = 9, 1 // the directory is in the sector 1, at octet 1024
	class := "\x84\x10\x0c\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
	for name, want := range map[string][2]bool{"a.docx": {true, true}, "a.msi": {true, false}, "a": {true, false}} {
		for i, class := range []string{class, strings.Repeat("\x00", 16)} {
			copy(file[1024+80:], class)
			rep := disguise{typeName: name, server: named{body: string(file)}}.inspected(t)
			d := rules(t, "name='x'; extension='msi'; action='reject'").Decide(rep, new(Envelope), "", nil)
			if match := d.Action == Reject; match != (want[0] && i == 0 || name == "a.msi") || rep.Refs[0].Mismatch != (want[1] && i == 0) {
				t.Errorf("%s, class %x: got %s and a mismatch %t", name, class, d.Action, rep.Refs[0].Mismatch)
			}
		}
	}
	for n := range file {
		filekind.Compare(file[:min(n, filekind.SniffBytes)], bytes.NewReader(file[:n]), int64(n), "", "") // no panic
	}
}

// A condition on the type goes by the announced, the served and the sniffed type.
func TestTypes(t *testing.T) {
	const pdf, any = "application/pdf", "application/octet-stream"
	for _, test := range []struct {
		said, served, body string
		strict, mild       bool // whether type = "application/pdf" matches
	}{
		{pdf, pdf, "%PDF-1.7", true, true},
		{pdf, any, "%PDF-1.7", true, true},
		{any, pdf, "%PDF-1.7", true, true},
		{any, any, "%PDF-1.7", true, true},
		{any, any, "hello", false, false},
		{pdf, "text/html", "%PDF-1.7", true, false},
		{"text/html", any, "%PDF-1.7", true, false},
		{pdf, any, program, true, false},
	} {
		text := "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: " + test.said + "\r\n\r\n"
		in := newInspector(t, new(web), nil, PoolOptions{})
		r := answering(named{body: test.body, mediaType: test.served}.Fetch)
		r.Judge = func(context.Context, *externalbody.Objection) error { return nil }
		in.Resolver = r
		rep := in.Inspect(t.Context(), messageOf(text))
		for action, want := range map[Action]bool{Reject: test.strict, Inline: test.mild} {
			d := rules(t, "name='x'; type='application/pdf'; action='"+string(action)+"'").Decide(rep, new(Envelope), "", nil)
			if (d.Action == action) != want {
				t.Errorf("said %s, served %s, %.8q: %s: got %s of %+v, want a match %t", test.said, test.served, test.body, action, d.Action, rep.Refs[0], want)
			}
		}
	}
}

// The name in a share link is shown where its shape has one. A token is not, whatever it is called.
func TestShownName(t *testing.T) {
	in := &Inspector{Reading: &externalbody.OpenOptions{Dialects: dialect.All()}}
	for link, want := range map[string]string{
		"https://www.dropbox.com/s/abcdefghijklmno/Report.pdf?dl=0": "Report.pdf",
		"https://we.tl/t-AbCdEfGhIj":                                "",
	} {
		rep := in.Inspect(t.Context(), messageOf("Content-Type: text/plain\r\n\r\n"+link+"\r\n"))
		if len(rep.Refs) != 1 || rep.Refs[0].Name != want {
			t.Errorf("%s: got %+v, want one reference with the name %q", link, rep.Refs, want)
		}
	}
	token := "abcdefghijklmno.pdf"
	rep := in.Inspect(t.Context(), messageOf("Content-Type: message/external-body; access-type=url; url=\"https://we.tl/t-"+token+"\"\r\n\r\nContent-Type: application/pdf\r\n"+
		"Content-Disposition: attachment; filename="+token+"\r\n\r\n"))
	if name := rep.Refs[0].Name; name != "" {
		t.Errorf("got the name %s, want none: it is the token of the link", name)
	}
}
