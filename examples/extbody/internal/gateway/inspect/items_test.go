package inspect

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A rule that lets one reference pass lets no other one pass.
func TestAllowRule(t *testing.T) {
	good := Ref{Dialect: Standard, Host: "x.example", extensions: []string{"pdf"}, finding: finding{State: Known, scanned: scanned{Scan: ScanClean}}}
	evil := Ref{Dialect: Standard, Host: "evil.example", extensions: []string{"exe"}, finding: finding{State: Known, scanned: scanned{Scan: Infected}}}
	late := Ref{Dialect: Standard, Host: "late.example", finding: finding{State: StillToCome}}
	const allow = "[[rule]]\nname = \"trusted\"\nhost = \"x.example\"\naction = \"none\"\n"
	const rules = allow + "[[rule]]\nname = \"malware\"\nverdict = \"malware\"\naction = \"reject\"\n" +
		"[[rule]]\nname = \"pending\"\nverdict = \"pending\"\naction = \"defer\"\n"
	for _, test := range []struct {
		name, rules string
		refs        []Ref
		want        Action
		rule        string
	}{
		{"Trusted", rules, []Ref{good}, None, "trusted"},
		{"TrustedFirst", rules, []Ref{good, evil}, Reject, "malware"},
		{"TrustedLast", rules, []Ref{evil, good}, Reject, "malware"},
		{"TrustedAndPending", rules, []Ref{good, late}, Defer, "pending"},
		{"TrustedAndUnknown", allow, []Ref{good, {Dialect: Standard, Host: "y.example"}}, Tag, ""},
		{"AllNames", "[[rule]]\nname = \"a\"\nextension = \"pdf\"\naction = \"none\"\n", []Ref{{extensions: []string{"pdf", "exe"}}}, Tag, ""},
		{"AnyName", "[[rule]]\nname = \"a\"\nextension = \"exe\"\naction = \"reject\"\n", []Ref{{extensions: []string{"pdf", "exe"}}}, Reject, "a"},
		{"Member", "[[rule]]\nname = \"a\"\nextension = \"exe\"\naction = \"reject\"\n", []Ref{{finding: finding{members: []string{"exe"}}}}, Reject, "a"},
	} {
		p, err := ParsePolicy([]byte(test.rules))
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Decide(report(test.refs...), new(Envelope), "", func() bool { return true }); d.Action != test.want || d.Rule != test.rule {
			t.Errorf("%s: got %+v, want %s by %q", test.name, d, test.want, test.rule)
		}
	}
}

// A part that could not be looked into is not clean, and a rule can name the reason.
func TestUnread(t *testing.T) {
	const part = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n%s\r\n\r\nx\r\n--b--\r\n"
	for _, test := range []struct {
		name, header, reason string
		verdict              Verdict
		symbol               string
	}{
		{"Text", "Content-Type: text/plain", "", Clean, ""},
		{"Encrypted", "Content-Type: multipart/encrypted; boundary=c", "encrypted", Encrypted, SymbolEncrypted},
		{"Partial", "Content-Type: message/partial; id=1; number=1", "partial-message", Unavailable, SymbolUnavailable},
		{"Encoding", "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-private", "unknown-encoding", Unavailable, SymbolUnavailable},
		{"Charset", "Content-Type: text/plain; charset=x-private\r\n\r\n\xe9", "unknown-charset", Unavailable, SymbolUnavailable},
		{"LongCharset", "Content-Type: text/plain; charset=ibm037\r\n\r\n" + strings.Repeat("@", 300<<10) + "\xe9", "unknown-charset", Unavailable, SymbolUnavailable},
		{"Ambiguous", "JUNK line\r\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\r\n\r\nContent-ID: <a@b>", "ambiguous", Unavailable, SymbolUnavailable},
		{"CutShort", "Content-Type: text/plain\r\nX: " + strings.Repeat("x", 2<<20), "cut-short", Unavailable, "EXTBODY_FAIL EXTBODY_UNAVAILABLE"},
	} {
		text := fmt.Sprintf(part, test.header)
		in := newInspector(t, new(web), nil, PoolOptions{})
		rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
		var reasons []string
		for _, u := range rep.Unread {
			reasons = append(reasons, u.Reason)
		}
		if strings.Join(reasons, " ") != test.reason || rep.Verdict != test.verdict || strings.Join(rep.Symbols, " ") != test.symbol {
			t.Errorf("%s: got %v, %s, %v, want %s, %s, %s", test.name, rep.Unread, rep.Verdict, rep.Symbols, test.reason, test.verdict, test.symbol)
		}
		p, err := ParsePolicy([]byte("[[rule]]\nname = \"r\"\nunread = [\"encrypted\", \"partial-message\", \"unknown-encoding\", \"unknown-charset\", \"ambiguous\", \"cut-short\"]\naction = \"quarantine\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		want := None
		if test.reason != "" {
			want = Quarantine
		}
		if d := p.Decide(rep, new(Envelope), "", nil); d.Action != want {
			t.Errorf("%s: got %s, want %s", test.name, d.Action, want)
		}
	}
}

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
	zipped := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, n := range names {
			w, _ := z.Create(n)
			io.WriteString(w, "x")
		}
		z.Close()
		return b.String()
	}
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
		{name: "UpperCase", disposition: "a.EXE", want: true},
		{name: "Reversed", disposition: "a\u202efdp.exe", want: true},
		{name: "AfterNUL", disposition: "a.exe\x00.pdf", want: true},
		{name: "TwoExtensions", disposition: "a.pdf.exe", want: true},
		{name: "ManySpaces", disposition: "a.pdf" + strings.Repeat(" ", 300) + ".exe", want: true},
		{name: "InFolder", disposition: "b.pdf\\a.exe", want: true},
		{name: "FolderAtEnd", disposition: "a.exe/", want: true},
		{name: "EncodedWord", disposition: "=?utf-8?Q?a=2Eexe?=", want: true},
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
				text += "\r\nContent-Disposition: attachment; filename*=utf-8''" + strings.NewReplacer(" ", "%20", ":", "%3A", "$", "%24").Replace(escaped(test.disposition))
			}
			text += "\r\n\r\n"
			in := newInspector(t, new(web), nil, PoolOptions{})
			mux := new(fetch.Mux)
			if test.server.mediaType == "" {
				test.server.mediaType = test.said
			}
			if test.server.body == "" {
				test.server.body = "x"
			}
			mux.Handle("https", test.server)
			in.Resolver = &externalbody.Resolver{Fetcher: mux, SameType: externalbody.CommonTypes}
			rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
			if len(rep.Refs) != 1 || rep.Refs[0].State != Known {
				t.Fatalf("got %+v, want one reference that is known", rep.Refs)
			}
			p := rules(t, "name='programs'; extension=['exe', 'js']; action='reject'")
			if d := p.Decide(rep, new(Envelope), "", nil); (d.Action == Reject) != test.want {
				t.Errorf("got %s for %q and %q, want a match %t", d.Action, rep.Refs[0].extensions, rep.Refs[0].finding.extensions, test.want)
			}
		})
	}
}

// A body that browsers do not get is suspicious, and one that they alone get is looked at.
func TestBrowser(t *testing.T) {
	answer := func(body string, count *int) fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if err := req.Contact(ctx, req.URL); err != nil {
				return nil, err
			}
			*count++
			switch body {
			case "404":
				return nil, &fetch.Error{Op: "fetch", Kind: fetch.NotFound}
			case "503":
				return nil, &fetch.Error{Op: "fetch", Kind: fetch.Unavailable}
			}
			return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
		})
	}
	for _, test := range []struct {
		name, url, program, browser string
		fetches                     int64
		verdict                     Verdict
		scan                        Scan
		asked, again                int
	}{
		{"Same", "https://a.example/f", "hello", "hello", 0, Clean, ScanClean, 1, 1},
		{"Other", "https://a.example/f", "hello", "other", 0, Suspicious, ScanClean, 1, 1},
		{"MalwareForBrowsers", "https://a.example/f", "hello", "EVIL", 0, Malware, Infected, 1, 1},
		{"MalwareForPrograms", "https://a.example/f", "EVIL", "hello", 0, Malware, Infected, 1, 1},
		{"NothingForPrograms", "https://a.example/f", "404", "EVIL", 0, Malware, Infected, 1, 1},
		{"NothingForBrowsers", "https://a.example/f", "hello", "404", 0, Suspicious, ScanClean, 1, 1},
		{"NothingForBoth", "https://a.example/f", "404", "404", 0, Unavailable, Unscanned, 1, 1},
		{"BusyForBrowsers", "https://a.example/f", "hello", "503", 0, Clean, ScanClean, 1, 1},
		{"Down", "https://a.example/f", "503", "hello", 0, Unavailable, Unscanned, 1, 0},
		{"NoBudget", "https://a.example/f", "hello", "hello", 1, Pending, Unscanned, 1, 0},
		{"Counted", "https://we.tl/t-AbCdEfGhIj", "hello", "hello", 0, Clean, ScanClean, 1, 0},
		{"InMessage", "data:text/plain,hello", "hello", "hello", 0, Clean, ScanClean, 1, 0},
	} {
		in := newInspector(t, new(web), new(scanning), PoolOptions{})
		in.Once, in.Fetches = true, test.fetches
		var asked, again int
		resolver := func(body string, count *int) *externalbody.Resolver {
			mux := new(fetch.Mux)
			for _, scheme := range []string{"https", "data"} {
				mux.Handle(scheme, answer(body, count))
			}
			return &externalbody.Resolver{Fetcher: mux}
		}
		in.Resolver, in.Browser = resolver(test.program, &asked), resolver(test.browser, &again)
		text := "Content-Type: message/external-body; access-type=url; url=\"" + test.url + "\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
		rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
		if len(rep.Refs) != 1 || rep.Verdict != test.verdict || rep.Refs[0].Scan != test.scan || asked != test.asked || again != test.again {
			t.Errorf("%s: got %s, %d and %d fetches, %+v, want %s, scan %q, %d and %d", test.name, rep.Verdict, asked, again, rep.Refs, test.verdict, test.scan, test.asked, test.again)
		}
	}
}

// escaped returns s with percent-encoding for what is not ASCII.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 0x80 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Of the names in a zip file a bounded number is kept, whatever its directory says.
func TestMembersBounded(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 3 * maxExtensions {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("a.e%d", i)})
		io.WriteString(w, "x")
	}
	z.Close()
	if got := memberExtensions(bytes.NewReader(b.Bytes()), int64(b.Len())); len(got) != maxExtensions {
		t.Errorf("got %d extensions, want %d", len(got), maxExtensions)
	}
	for i := range b.Len() {
		damaged := slices.Clone(b.Bytes())
		damaged[i] ^= 0xff
		if i > 50 && i < b.Len()-50 && i%997 != 0 {
			continue
		}
		memberExtensions(bytes.NewReader(damaged), int64(len(damaged))) // no panic
	}
}

// A body whose type has a fixed beginning has that beginning.
func TestDisguises(t *testing.T) {
	const compound = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	iso := strings.Repeat("\x00", 2000)
	for _, test := range []struct {
		name, head, file string
		want             bool
	}{
		{"MSI", compound, "invoice.pdf", true},
		{"RAR", "Rar!\x1a\x07\x01\x00", "invoice.pdf", true},
		{"7z", "7z\xbc\xaf\x27\x1c", "invoice.pdf", true},
		{"ISO", iso, "invoice.pdf", true},
		{"CHM", "ITSF\x03\x00", "invoice.pdf", true},
		{"VHD", "conectix\x00", "invoice.pdf", true},
		{"OneNote", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "invoice.pdf", true},
		{"CHMForText", "ITSF\x03\x00", "readme.txt", true},
		{"ScriptForDOC", "var x = new ActiveXObject('a')", "letter.doc", true},
		{"ScriptForXLS", "powershell -enc x", "table.xls", true},
		{"PageForPDF", "<html><script>", "invoice.pdf", true},
		{"IMG", "\xeb\x3c\x90MSDOS5.0", "invoice.pdf", true},
		{"VHDX", "vhdxfile", "invoice.pdf", true},
		{"CAB", "MSCF\x00\x00", "invoice.pdf", true},
		{"JAR", "PK\x03\x04", "invoice.pdf", true},
		{"LNK", "L\x00\x00\x00\x01\x14\x02\x00", "invoice.pdf", true},
		{"ELF", "\x7fELF\x02\x01", "invoice.pdf", true},
		{"MachO", "\xcf\xfa\xed\xfe", "invoice.pdf", true},
		{"Script", "#!/bin/sh\n", "invoice.pdf", true},
		{"HTA", "<script language=VBScript>", "letter.docx", true},
		{"PageForPicture", "<svg xmlns='http://www.w3.org/2000/svg' onload=''>", "photo.jpg", true},
		{"PageForSheet", "<html><body>", "table.xlsx", true},
		{"RTFForPDF", "{\\rtf1", "invoice.pdf", true},
		{"GzipForPDF", "\x1f\x8b\x08", "invoice.pdf", true},
		{"ACE", "\x00\x00\x00\x00\x00\x00\x00**ACE**", "invoice.pdf", true},
		{"MSIForZip", compound, "files.zip", true},
		{"MSIForPicture", compound, "photo.png", true},
		{"ZipForPicture", "PK\x03\x04", "photo.jpg", true},
		{"RARForWord", "Rar!\x1a\x07\x01\x00", "letter.docx", true},
		{"DOC", compound, "letter.doc", false},
		{"RTFForDOC", "{\\rtf1", "letter.doc", false},
		{"DOCXForDOC", "PK\x03\x04", "letter.doc", false},
		{"EncryptedDOCX", compound, "letter.docx", false},
		{"PDFAfterOctets", "\r\n\r\n%PDF-1.4", "invoice.pdf", false},
		{"VSD", compound, "plan.vsd", false},
		{"Publisher", compound, "flyer.pub", false},
		{"HEIC", "\x00\x00\x00\x18ftypheic", "photo.heic", false},
		{"PNGForJPEG", "\x89PNG\r\n\x1a\n", "photo.jpg", false},
	} {
		if got := contradicts([]byte(test.head), "", test.file); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}
