package inspect

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
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

// zipped returns a zip file with members.
func zipped(names ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, n := range names {
		w, _ := z.Create(n)
		io.WriteString(w, "x")
	}
	z.Close()
	return b.String()
}

// A rule against programs sees each name that a program may use for a body.
func TestEveryName(t *testing.T) {
	for _, test := range []struct {
		name, disposition, typeName, path string
		said                              string
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
		{name: "EncodedURL", path: "/a%2Eexe", want: true},
		{name: "TwiceEncodedURL", path: "/a%252Eexe"},
		{name: "QueryOfURL", path: "/a?/b.exe"},
		{name: "JoinedLetters", disposition: "a.e\u2060xe", want: true},
		{name: "Streams", disposition: "a.pdf::$DATA"},
		{name: "SpaceAtEnd", disposition: "a.exe . ", want: true},
		{name: "ScriptType", said: "text/javascript", want: true},
		{name: "ScriptTypeOfServer", path: "/a", server: named{mediaType: "text/javascript"}, want: true},
		{name: "InZip", disposition: "a.zip", server: named{body: zipped("b.txt", "dir/a.exe")}, want: true},
		{name: "InZipAfterOctets", disposition: "a.zip", server: named{body: "before" + zipped("a.exe")}, want: true},
		{name: "InZipBeforeEnds", disposition: "a.zip", server: named{body: zipped("a.exe") + "PK\x05\x06" + strings.Repeat("\x00", 18) + "PK\x05\x06"}, want: true},
		{name: "InFirstOfTwoZips", disposition: "a.zip", server: named{body: zipped("a.exe") + zipped("b.txt")}, want: true},
		{name: "NotInZip", disposition: "a.zip", server: named{body: zipped("b.txt")}},
		{name: "CutZip", disposition: "a.zip", server: named{body: zipped("a.exe")[:60]}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.said == "" {
				test.said = "application/octet-stream"
			}
			text := "Content-Type: message/external-body; access-type=url; url=\"https://a.example" + test.path + "\"\r\n\r\nContent-Type: " + test.said
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
	program := "MZ" + strings.Repeat("\x00", 100)
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

// Of the names in a zip file a bounded number is kept, whatever its directory says.
func TestMembersBounded(t *testing.T) {
	var names []string
	for i := range 3 * maxExtensions {
		names = append(names, fmt.Sprintf("a.e%d", i))
	}
	file := zipped(names...)
	if got := memberExtensions(strings.NewReader(file), int64(len(file))); len(got) != maxExtensions {
		t.Errorf("got %d extensions, want %d", len(got), maxExtensions)
	}
	for i := range len(file) {
		if i > 50 && i < len(file)-50 && i%997 != 0 {
			continue
		}
		damaged := []byte(file)
		damaged[i] ^= 0xff
		memberExtensions(bytes.NewReader(damaged), int64(len(damaged))) // no panic
	}
}
