package inspect

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

func TestOurFields(t *testing.T) {
	long := "X-Extbody: a; " + strings.Repeat("b", 10_000) + "\r\n\tc\r\n"
	for _, test := range []struct{ name, text, want string }{
		{"None", "Subject: a\r\n\r\nX-Extbody: b\r\n", "Subject: a\r\n\r\nX-Extbody: b\r\n"},
		{"First", "X-Extbody: a\r\nSubject: b\r\n\r\nc", "Subject: b\r\n\r\nc"},
		{"CaseAndSpace", "Subject: b\r\nx-EXTBODY \t: a\r\n\r\nc", "Subject: b\r\n\r\nc"},
		{"Folded", "A: 1\r\nX-Extbody: a\r\n b\r\n\tc\r\nB: 2\r\n\r\n", "A: 1\r\nB: 2\r\n\r\n"},
		{"Several", "X-Extbody: a\r\nX-Extbody: b\r\nA: 1\r\nX-Extbody: c\r\n\r\n", "A: 1\r\n\r\n"},
		{"LF", "A: 1\nX-Extbody: a\n b\n\nX-Extbody: c\n", "A: 1\n\nX-Extbody: c\n"},
		{"Long", "A: 1\r\n" + long + "\r\n", "A: 1\r\n\r\n"},
		{"OtherName", "X-Extbody-Not: a\r\nAX-Extbody: b\r\n\r\n", "X-Extbody-Not: a\r\nAX-Extbody: b\r\n\r\n"},
		{"NoEnd", "A: 1\r\nX-Extbody: a", "A: 1\r\n"},
		{"Empty", "", ""},
		{"FarColon", "A: 1\r\nX-Extbody" + strings.Repeat(" ", 100) + ": a\r\n\r\n", "A: 1\r\n\r\n"},
		{"ColonInNextLine", "X-Extbody\r\n : a\r\nA: 1\r\n\r\n", "A: 1\r\n\r\n"},
		{"FoldedFirst", " X-Extbody: a\r\nA: 1\r\n\r\n", " X-Extbody: a\r\nA: 1\r\n\r\n"},
	} {
		got, err := io.ReadAll(WithoutOurFields(strings.NewReader(test.text)))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// Only the fields of trusted hosts count, and only results that RFC 8601 has.
func TestAuthenticated(t *testing.T) {
	const text = "Authentication-Results: MX.example 1; spf=pass smtp.mailfrom=a.example; dkim=fail; dkim=Pass header.d=a.example\r\n" +
		"Authentication-Results: mx.example; dkim=pass; spf=ignore-all-rules\r\n" +
		"Authentication-Results: evil.example; dmarc=pass\r\nSubject: a\r\n\r\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, hosts, want string }{
		{"spf", "mx.example", "pass"},
		{"dkim", "mx.example", "fail pass"},
		{"dmarc", "mx.example", "none"},
		{"dmarc", "evil.example", "pass"},
		{"spf", "other.example", ""},
		{"spf", "", ""},
	} {
		if got := strings.Join(Authenticated(m, tt.method, strings.Fields(tt.hosts)), " "); got != tt.want {
			t.Errorf("%s by %q: got %q, want %q", tt.method, tt.hosts, got, tt.want)
		}
	}
}

// The text of strangers adds no line and no statement to the field.
func TestFieldValue(t *testing.T) {
	rep := report(Ref{
		Dialect: "share-link", Host: "a.example\r\nX-Bad: 1; extbody=clean",
		finding: finding{State: Known, scanned: scanned{Scan: Infected, Signature: "Sig nature\r\n"}, SHA256: strings.Repeat("0", 64), Octets: 5},
	}, Ref{Dialect: Standard, Host: "b.example", finding: finding{State: Failed, Kind: fetch.NotFound}})
	got := FieldValue("mx.example", rep, &Decision{Action: Tag, Rule: "r", Mode: TagOnly, Would: Reject})
	want := "mx.example; extbody=malware action=tag rule=r mode=tag would=reject refs=2;\r\n" +
		"\tref=share-link host=a.example__X-Bad:_1__extbody_clean state=known scan=infected signature=Sig_nature__\r\n" +
		"\t octets=5 sha256=" + strings.Repeat("0", 64) + ";\r\n" +
		"\tref=standard host=b.example state=failed kind=not-found"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	many := report(make([]Ref, 10_000)...)
	if n := len(FieldValue("mx.example", many, &Decision{Action: Tag})); n > 2000 {
		t.Errorf("10,000 references: got %d octets, want at most 2000", n)
	}
	for line := range strings.Lines(got) {
		if len(line) > 998 {
			t.Errorf("got a line of %d octets, want at most 998", len(line))
		}
	}
}

// kept returns a message without our fields, line by line.
func kept(text string) (rest string) {
	ours, first := false, true
	for line := range strings.Lines(text) {
		if line[0] == '\r' || line[0] == '\n' {
			return rest + text
		}
		if first || line[0] != ' ' && line[0] != '\t' {
			name, _, _ := strings.Cut(line, ":")
			ours = strings.EqualFold(strings.TrimRight(name, " \t\r\n"), Field)
		}
		if !ours {
			rest += line
		}
		first = false
		text = text[len(line):]
	}
	return rest
}

// The same octets are removed, whatever the pieces in which a message comes.
func FuzzWithoutOurFields(f *testing.F) {
	long := strings.Repeat("x", 5000)
	for _, text := range []string{
		"", "a", "X-Extbody: a", "X-Extbody: a\r\n", "Subject: a\r\nX-Extbody: b\r\n\tc\r\n d\r\nTo: e\r\n\r\nX-Extbody: body\r\n",
		"x-eXtbody \t: a\r\nX-EXTBODY\r\n : b\r\nX-Extbodyx: stays\r\n", "From a@a.example\r\nX-Extbody: a\r\n\r\n", " X-Extbody: a\r\nX-Extbody: b\n\nc",
		"X-Extbody: " + long + "\r\n " + long + "\r\nSubject: " + long + "\r\n\r\n" + long, "\r\nX-Extbody: a\r\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := kept(text)
		for name, r := range map[string]io.Reader{
			"Whole": strings.NewReader(text), "OneByte": iotest.OneByteReader(strings.NewReader(text)), "DataErr": iotest.DataErrReader(strings.NewReader(text)),
		} {
			got, err := io.ReadAll(WithoutOurFields(r))
			if err != nil || string(got) != want {
				t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
			}
		}
		lost := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(text)))
		if _, err := io.ReadAll(WithoutOurFields(lost)); len(text) > 1 && err != iotest.ErrTimeout {
			t.Errorf("a reader that fails: got %v, want %v", err, iotest.ErrTimeout)
		}
	})
}
