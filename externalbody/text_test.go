package externalbody_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
)

// linkDialect finds the links of texts to link.example.
func linkDialect(calls *int) externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "test",
		Hints: []string{"link.example"},
		Text: func(e *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
			*calls++
			return func(t *externalbody.Token) {
				url, ok := t.Attr("href")
				if t.Kind == externalbody.LinkToken {
					url, ok = t.Text, true
				}
				if ok && strings.Contains(strings.ToLower(url), "//link.example/") {
					r := externalbody.NewReference(url)
					r.Quoted = t.Quoted
					found(r, t)
				}
			}
		},
	}
}

// openLinks opens a message with a linkDialect. It returns the number of References, and how
// often the Dialect was called.
func openLinks(t *testing.T, text string, opts externalbody.OpenOptions) (m *externalbody.Message, refs, calls int) {
	t.Helper()
	opts.Dialects = []externalbody.Dialect{linkDialect(&calls)}
	m = openMessage(t, text, &opts)
	return m, len(slices.Collect(m.References())), calls
}

func TestNothingIsDecodedWithoutDialects(t *testing.T) {
	text := "Content-Type: text/html\r\n\r\n" + strings.Repeat("<a href='https://link.example/'>x</a>\r\n", 50_000)
	calls := 0
	silent := externalbody.Dialect{Name: "silent", Fields: []string{"X-None"}, Read: func(*externalbody.Entity) []*externalbody.Reference { return nil }}
	for _, tt := range []struct {
		name     string
		dialects []externalbody.Dialect
		read     bool
	}{
		{"None", nil, false},
		{"OfHeadersOnly", []externalbody.Dialect{silent}, false},
		{"OfTexts", []externalbody.Dialect{linkDialect(&calls)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &testkit.CountingReader{ReaderAt: strings.NewReader(text)}
			if _, err := externalbody.Open(r, int64(len(text)), &externalbody.OpenOptions{Dialects: tt.dialects}); err != nil {
				t.Fatal(err)
			}
			if read := r.Octets >= int64(len(text)); read != tt.read {
				t.Errorf("got %d octets of %d read, want all %t", r.Octets, len(text), tt.read)
			}
		})
	}
}

// TestOctetsAreReadOnce reads a small message with texts, and its reader after Open.
func TestOctetsAreReadOnce(t *testing.T) {
	text := "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
	for _, encoding := range []string{"7bit", "base64", "quoted-printable", "x-uuencode"} {
		body := "<a href='https://link.example/a'>x</a>\r\n"
		switch encoding {
		case "base64":
			body = base64.StdEncoding.EncodeToString([]byte(body)) + "\r\n"
		case "x-uuencode":
			body = uuencoded(body)
		}
		text += "--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n" + body
	}
	text += "--b--\r\n"
	calls := 0
	r := &testkit.CountingReader{ReaderAt: strings.NewReader(text)}
	m, err := externalbody.Open(r, int64(len(text)), &externalbody.OpenOptions{Dialects: []externalbody.Dialect{linkDialect(&calls)}})
	if err != nil {
		t.Fatal(err)
	}
	for ref := range m.References() {
		if len(ref.Origins) != 4 {
			t.Errorf("got the places %v, want 4", ref.Origins)
		}
	}
	if calls != 4 || r.Octets != int64(len(text)) {
		t.Errorf("got %d texts and %d octets read, want 4 and %d", calls, r.Octets, len(text))
	}
	if again, err := io.ReadAll(m.Reader()); string(again) != text || err != nil {
		t.Errorf("got %d octets after Open, %v, want %d and no error", len(again), err, len(text))
	}
}

func TestTextParts(t *testing.T) {
	const link = `<a href="https://link.example/a">`
	tests := []struct {
		name, header, body string
		calls, refs        int
	}{
		{"HTML", "Content-Type: text/html", link, 1, 1},
		{"HTMLUpper", "Content-Type: TEXT/HTML", strings.ToUpper(link), 1, 1},
		{"HTMLWithoutHint", "Content-Type: text/html", `<a href="https://other.example/a">`, 0, 0},
		{"CharacterReference", "Content-Type: text/html", `<a href="https://link&period;example/a">`, 1, 1},
		{"NumericReference", "Content-Type: text/html", `<a href="https://link&#x2E;example/a">`, 1, 1},
		{"LetterReference", "Content-Type: text/html", `<a href="https://lin&#107;.example/a">`, 1, 1},
		{"OtherReferences", "Content-Type: text/html", `<a href="https://other.example/?a&amp;b&#39;">&nbsp;&#8217;`, 0, 0},
		{"HintBrokenByLine", "Content-Type: text/html", "<a href=\"https://li\nnk.example/a\">", 1, 0},
		{"HintInText", "Content-Type: text/html", "link.example", 1, 0},
		{"Plain", "Content-Type: text/plain", "<https://link.example/a>", 1, 1},
		{"NoContentType", "Subject: x", "<https://link.example/a>", 1, 1},
		{"PlainBroken", "Content-Type: text/plain", "> <https://li\r\n> nk.example/a>", 1, 1},
		{"PlainReference", "Content-Type: text/plain", "<https://link&period;example/a>", 1, 0},
		{"QuotedPrintable", "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable", `<a href=3D"https://li=` + "\r\n" + `nk.example/a"> =XY <p>=`, 1, 1},
		{"Base64", "Content-Type: text/html\r\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte(link)), 1, 1},
		{"Base64Damaged", "Content-Type: text/html\r\nContent-Transfer-Encoding: base64", "!" + base64.StdEncoding.EncodeToString([]byte(link)) + "=A", 1, 1},
		{"UUEncode", "Content-Type: text/html\r\nContent-Transfer-Encoding: x-uuencode", "begin 644 a\r\nA/&$@:')E9CTB:'1T<',Z+R]L:6YK+F5X86UP;&4O82(^\r\n`\r\nend\r\n", 1, 1},
		{"UUEncodeMultipart", "Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: X-UUE", "begin 644 a\r\nM+2UB\"D-O;G1E;G0M5'EP93H@=&5X=\"]H=&UL\"@H\\82!H<F5F/2)H='1P<SHO\r\n8+VQI;FLN97AA;7!L92]A(CX*+2UB+2T*\r\n`\r\nend\r\n", 1, 1},
		{"UUEncodeMessage", "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: uuencode", "begin 644 a\r\nM0V]N=&5N=\"U4>7!E.B!T97AT+VAT;6P*\"CQA(&AR968](FAT='!S.B\\O;&EN\r\n.:RYE>&%M<&QE+V$B/@H`\r\n`\r\nend\r\n", 1, 1},
		{"OtherEncoding", "Content-Type: text/html\r\nContent-Transfer-Encoding: x-none", link, 1, 1},
		{"EscapeInHint", "Content-Type: text/html; charset=ISO-2022-JP", strings.Replace(link, "nk.", "nk\x1b(B.", 1), 1, 1},
		{"OtherText", "Content-Type: text/css", link, 0, 0},
		{"OtherType", "Content-Type: application/xhtml+xml", link, 0, 0},
		{"Empty", "Content-Type: text/html", "", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.header + "\r\n\r\n" + tt.body
			_, refs, calls := openLinks(t, text, externalbody.OpenOptions{})
			if calls != tt.calls || refs != tt.refs {
				t.Errorf("%d calls, %d references; want %d, %d", calls, refs, tt.calls, tt.refs)
			}
		})
	}
}

// TestLongText puts links at many places of texts that are too long to be held, of
// which the span and the twin have to be found as in short ones.
func TestLongText(t *testing.T) {
	for _, subtype := range []string{"html", "plain"} {
		for _, encoding := range []string{"8bit", "quoted-printable", "base64"} {
			var body strings.Builder
			var spans []int
			for i := range 40 {
				body.WriteString(strings.Repeat("some text and more of it\n", 1000+i))
				spans = append(spans, body.Len())
				if subtype == "html" {
					fmt.Fprintf(&body, `<a href="https://link.example/%d">`, i)
				} else {
					fmt.Fprintf(&body, `<https://link.example/%d>`, i)
				}
			}
			encoded := body.String()
			switch encoding {
			case "quoted-printable":
				encoded = strings.ReplaceAll(strings.ReplaceAll(encoded, "=", "=3D"), "x", "=\nx")
			case "base64":
				encoded = base64.StdEncoding.EncodeToString([]byte(encoded))
			}
			text := "Content-Type: text/" + subtype + "\nContent-Transfer-Encoding: " + encoding + "\n\n" + encoded
			calls := 0
			m := openMessage(t, text, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{linkDialect(&calls)}})
			i := 0
			for ref := range m.References() {
				if len(ref.Origins) != 1 || ref.Origins[0].Start != int64(spans[i]) {
					t.Errorf("%s in %s: reference %d at %v, want %d", subtype, encoding, i, ref.Origins, spans[i])
				}
				i++
			}
			if i != 40 || calls != 1 {
				t.Errorf("%s in %s: got %d references, %d calls, want 40, 1", subtype, encoding, i, calls)
			}
		}
	}
}

// A brokenReader returns an error after an offset.
type brokenReader struct {
	io.ReaderAt
	from int64
}

var errBroken = errors.New("broken")

func (b *brokenReader) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.from {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, off)
}

func TestTextReadError(t *testing.T) {
	for _, size := range []int{1000, 1 << 20} {
		for _, header := range []string{"text/html", "text/plain", "text/html\nContent-Transfer-Encoding: base64", "text/html\nContent-Transfer-Encoding: quoted-printable"} {
			text := "Content-Type: " + header + "\n\n" + strings.Repeat("A", size)
			r := &brokenReader{strings.NewReader(text), int64(len(text)) - 10}
			calls := 0
			_, err := externalbody.Open(r, int64(len(text)), &externalbody.OpenOptions{Dialects: []externalbody.Dialect{linkDialect(&calls)}})
			if !errors.Is(err, errBroken) {
				t.Errorf("%s of %d octets: got %v, want %v", header, size, err, errBroken)
			}
		}
	}
}

// TestMentions finds the twin of a link that no Dialect reads in text/plain.
func TestMentions(t *testing.T) {
	d := externalbody.Dialect{Name: "html-only", Hints: []string{"class=file"}, Text: func(e *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		return func(t *externalbody.Token) {
			if href, ok := t.Attr("href"); ok {
				r := externalbody.NewReference(href)
				found(r, t)
			}
		}
	}}
	plain := "see https://h.example/a, <https://h.example/a> and\r\n> https://h.example/b <https://h.example/a\r\nx>\r\n"
	text := "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n" + plain + "\r\n--b\r\nContent-Type: text/html\r\n\r\n<a class=file href=https://h.example/a>\r\n--b--\r\n"
	m := openMessage(t, text, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}})
	var got []string
	for ref := range m.References() {
		for _, o := range ref.Origins {
			got = append(got, fmt.Sprintf("%s[%d,%d]", o.Section, o.Start, o.End))
		}
	}
	if s := strings.Join(got, " "); s != "1[4,23] 1[25,46] 2[0,39]" {
		t.Error(s)
	}
}

// Text beyond MaxReferences is not read: a long text with many links costs no more
// than its first ones, and its Dialects hear of its end.
func TestMaxReferencesEndsText(t *testing.T) {
	var b strings.Builder
	b.WriteString("Content-Type: text/html\r\n\r\n")
	const links, most = 100_000, 10
	for i := range links {
		fmt.Fprintf(&b, "<a href=\"https://link.example/%d\">a</a>\r\n", i)
	}
	calls, tokens, ended := 0, 0, false
	d := linkDialect(&calls)
	read := d.Text
	d.Text = func(e *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		give := read(e, found)
		return func(tok *externalbody.Token) {
			tokens++
			ended = tok.Kind == externalbody.EndToken
			give(tok)
		}
	}
	m := openMessage(t, b.String(), &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}, MaxReferences: most})
	if n := len(slices.Collect(m.References())); n != most || m.Incomplete() == nil || !ended || tokens > links/10 {
		t.Errorf("got %d References, incomplete %v, %d tokens, an end %v, want %d, an error, few of %d, true", n, m.Incomplete(), tokens, ended, most, links)
	}
}

// uuencoded returns a file in uuencode.
func uuencoded(text string) string {
	var b strings.Builder
	b.WriteString("begin 644 a\n")
	for line := range slices.Chunk([]byte(text), 45) {
		b.WriteByte(byte(' ' + len(line)))
		for group := range slices.Chunk(append(slices.Clone(line), 0, 0)[:(len(line)+2)/3*3], 3) {
			for _, v := range []byte{group[0] >> 2, group[0]<<4 | group[1]>>4, group[1]<<2 | group[2]>>6, group[2]} {
				b.WriteByte(' ' + v&63)
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + " \nend\n"
}

// TestLongUUEncode reads a text in uuencode that is too long to be held.
func TestLongUUEncode(t *testing.T) {
	for _, subtype := range []string{"html", "plain"} {
		body := uuencoded(strings.Repeat("some text and more of it\n", 20_000) + "<https://link.example/1> <a href=\"https://link.example/2\">\n")
		text := "Content-Type: text/" + subtype + "\nContent-Transfer-Encoding: x-uuencode\n\n" + body
		m, refs, _ := openLinks(t, text, externalbody.OpenOptions{})
		for p := range m.Unread() {
			t.Errorf("%s: got %+v unread, want all of it read", subtype, p)
		}
		if refs != 1 {
			t.Errorf("%s: got %d references, want 1", subtype, refs)
		}
	}
}

// TestMaxDecodedBytes reads long texts with a limit on the octets that are decoded.
func TestMaxDecodedBytes(t *testing.T) {
	for _, subtype := range []string{"html", "plain"} {
		body := "<https://link.example/1> <a href=\"https://link.example/2\">\n" + strings.Repeat("some text and more of it\n", 20_000)
		text := "Content-Type: text/" + subtype + "\n\n" + body
		for _, tt := range []struct {
			limit int64
			whole bool
		}{{int64(len(body)), true}, {int64(len(body)) - 1, false}, {1 << 10, false}, {1, false}} {
			m, refs, _ := openLinks(t, text, externalbody.OpenOptions{MaxDecodedBytes: tt.limit})
			if whole := m.Incomplete() == nil; whole != tt.whole || tt.limit > 1 && refs != 1 {
				t.Errorf("%s, limit %d of %d: got %d references, incomplete %v, want 1, whole %t", subtype, tt.limit, len(body), refs, m.Incomplete(), tt.whole)
			}
		}
	}
}

// TestDialectNames has Dialects that would be taken for the standard form, or for another.
func TestDialectNames(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names []string
		kind  fetch.Kind
	}{
		{"None", nil, 0},
		{"Own", []string{"own", "other"}, 0},
		{"Empty", []string{"own", ""}, fetch.Malformed},
		{"Same", []string{"own", "other", "own"}, fetch.Malformed},
		{"UpperCase", []string{"Own"}, fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opts := new(externalbody.OpenOptions)
			for _, name := range tt.names {
				opts.Dialects = append(opts.Dialects, externalbody.Dialect{Name: name})
			}
			if _, err := externalbody.Open(strings.NewReader("\n"), 1, opts); fetch.KindOf(err) != tt.kind {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
		})
	}
}

// TestPlaceOfToken has a Dialect that passes tokens, of its own and of others, and the place
// that the Reference gets.
func TestPlaceOfToken(t *testing.T) {
	type finder = func(*externalbody.Reference, ...*externalbody.Token)
	var kept externalbody.Token // of another message
	for _, tt := range []struct {
		name, header, body string
		find               func(e *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token))
		want               string // "-" for Unplaced
	}{
		{"None", "", "a file b", func(_ *externalbody.Entity, _ *externalbody.Token, found func(...*externalbody.Token)) { found() }, "-"},
		{"Nil", "", "a file b", func(_ *externalbody.Entity, _ *externalbody.Token, found func(...*externalbody.Token)) { found(nil) }, "-"},
		{"Whole", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) { found(tok) }, "a file b"},
		{"Literal", "", "a file b", func(_ *externalbody.Entity, _ *externalbody.Token, found func(...*externalbody.Token)) {
			found(&externalbody.Token{Start: 2, End: 6})
		}, "-"},
		{"Changed", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			tok.Start, tok.End = -5, 1<<40
			found(tok)
		}, "a file b"},
		{"OtherMessage", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			found(&kept)
		}, "-"},
		{"Cut", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			found(tok.Cut(2, 6))
		}, "file"},
		{"CutOfCut", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			found(tok.Cut(2, 6).Cut(1, 3))
		}, "il"},
		{"CutOfChanged", "", "a file b", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			tok.Text = strings.Repeat("x", 100)
			found(tok.Cut(0, 50))
		}, "a file b"},
		{"CutOfReferences", "Content-Type: text/html\n", "&lt;&lt; file", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			i := strings.Index(tok.Text, "file")
			found(tok.Cut(i, i+4))
		}, "&lt;&lt; file"},
		// The letters are longer in UTF-8 and the reference is shorter, by as many octets.
		{"CutOfSameLength", "Content-Type: text/html; charset=iso-8859-1\n", "\xe9\xe9\xe9\xe9 file &amp;", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			i := strings.Index(tok.Text, "file")
			found(tok.Cut(i, i+4))
		}, "\xe9\xe9\xe9\xe9 file &amp;"},
		{"Value", "Content-Type: text/html\n", "<p title='a file'>", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			if v, ok := tok.Value("title", 2, 6); ok {
				found(v)
			}
		}, "file"},
		{"ValueOfCopy", "Content-Type: text/html\n", "<b title='a file'><p title='other file'>", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			if v, ok := kept.Value("title", 2, 6); ok {
				found(v)
			}
			kept = *tok
		}, ""},
		{"Content", "Content-Type: text/html\n", "<style>a file b</STYLE>", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			if tok.Kind == externalbody.ContentToken {
				found(tok.Cut(2, 6))
			}
		}, "file"},
		{"ContentOfSameLength", "Content-Type: text/html; charset=iso-8859-1\n", "<style>\xe9 file</style>", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			if tok.Kind == externalbody.ContentToken {
				found(tok.Cut(3, 7))
			}
		}, "\xe9 file"},
		{"Joined", "", "https://h.example/a-file-with-a-long-name-that-is-broken-over\n-lines.pdf\n", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			if tok.Kind == externalbody.URLToken {
				found(tok.Joined())
			}
		}, "https://h.example/a-file-with-a-long-name-that-is-broken-over\n-lines.pdf"},
		{"UTF16", "Content-Type: text/plain; charset=utf-16be\n", "\x00f\x00i\x00l\x00e", func(_ *externalbody.Entity, tok *externalbody.Token, found func(...*externalbody.Token)) {
			found(tok)
		}, "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.header + "\n" + tt.body
			d := externalbody.Dialect{Name: "own", Hints: []string{"file"}, Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
				return func(tok *externalbody.Token) {
					if tok.Kind == externalbody.EndToken {
						return
					}
					tt.find(e, tok, func(tokens ...*externalbody.Token) {
						ref := externalbody.NewReference("https://h.example/x")
						ref.Origins = []externalbody.Origin{{Start: -5, End: 1 << 40, Picture: true}, {Start: 1, End: 2}}
						found(ref, tokens...)
					})
					kept = *tok
				}
			}}
			m := openMessage(t, text, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}})
			got := ""
			for ref := range m.References() {
				o := ref.Origins[0]
				if got = tt.body[o.Start:o.End]; o.Unplaced {
					got = "-"
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestFoundTooLate has a Dialect that finds something after the end of its text.
func TestFoundTooLate(t *testing.T) {
	late := func() {}
	var kept externalbody.Token
	d := externalbody.Dialect{Name: "own", Hints: []string{"file"}, Text: func(e *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		late()
		late = func() { found(externalbody.NewReference("https://h.example/x"), &kept) }
		return func(tok *externalbody.Token) {
			if tok.Kind == externalbody.TextToken {
				kept = *tok
			}
		}
	}}
	text := "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nfile\n--b\n\nfile\n--b--\n"
	m := openMessage(t, text, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}})
	late()
	if refs := slices.Collect(m.References()); len(refs) > 0 {
		t.Errorf("got %v, want nothing", refs)
	}
}

// TestPlaceOfRead has a Dialect that gives places of fields and in a body.
func TestPlaceOfRead(t *testing.T) {
	for _, tt := range []struct {
		name, mediaType string
		origin, want    externalbody.Origin
	}{
		{"Field", "text/plain", externalbody.Origin{Field: "x-file"}, externalbody.Origin{Field: "x-file"}},
		{"OtherField", "text/plain", externalbody.Origin{Field: "X-Other"}, externalbody.Origin{Unplaced: true}},
		{"Body", "text/plain", externalbody.Origin{Start: 2, End: 6}, externalbody.Origin{Start: 2, End: 6}},
		{"Before", "text/plain", externalbody.Origin{Start: -5, End: 6}, externalbody.Origin{Unplaced: true}},
		{"After", "text/plain", externalbody.Origin{Start: 2, End: 1 << 40}, externalbody.Origin{Unplaced: true}},
		{"Backwards", "text/plain", externalbody.Origin{Start: 6, End: 2}, externalbody.Origin{Unplaced: true}},
		{"Empty", "text/plain", externalbody.Origin{Start: 2, End: 2}, externalbody.Origin{Unplaced: true}},
		{"WholeText", "text/plain", externalbody.Origin{}, externalbody.Origin{Unplaced: true}},
		{"WholeMultipart", "multipart/mixed; boundary=b", externalbody.Origin{}, externalbody.Origin{Unplaced: true}},
		{"WholeFile", "application/x-link", externalbody.Origin{}, externalbody.Origin{}},
		{"Picture", "application/x-link", externalbody.Origin{Start: 2, End: 6, Picture: true}, externalbody.Origin{Start: 2, End: 6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := externalbody.Dialect{Name: "own", Fields: []string{"X-File"}, Read: func(e *externalbody.Entity) []*externalbody.Reference {
				e.Body(7)
				ref := externalbody.NewReference("https://h.example/x")
				ref.Origins[0] = tt.origin
				return []*externalbody.Reference{nil, ref}
			}}
			m := openMessage(t, "X-File: x\nContent-Type: "+tt.mediaType+"\n\na file b", &externalbody.OpenOptions{Dialects: []externalbody.Dialect{d}})
			refs := slices.Collect(m.References())
			if len(refs) != 1 || len(refs[0].Origins) != 1 || refs[0].Origins[0] != tt.want {
				t.Fatalf("got %v, want one at %+v", refs, tt.want)
			}
		})
	}
}

// TestTextNil has a Dialect that wants nothing of a text, beside one that does.
func TestTextNil(t *testing.T) {
	nothing := externalbody.Dialect{Name: "nothing", Hints: []string{"https"}}
	nothing.Text = func(*externalbody.Entity, func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		return nil
	}
	for _, mediaType := range []string{"text/plain", "text/html"} {
		in := "Content-Type: " + mediaType + "\r\n\r\n<a href=\"https://link.example/\">x</a>\r\n"
		var calls int
		opts := &externalbody.OpenOptions{Dialects: []externalbody.Dialect{nothing, linkDialect(&calls)}}
		if _, err := externalbody.Open(strings.NewReader(in), int64(len(in)), opts); err != nil || calls != 1 {
			t.Errorf("%s: got %v, %d calls of the other one, want 1", mediaType, err, calls)
		}
	}
}
