package externalbody_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
)

// dataResolver resolves data: URLs alone.
func dataResolver() *externalbody.Resolver {
	mux := &fetch.Mux{}
	mux.Handle("data", datafetch.New(nil))
	return &externalbody.Resolver{Fetcher: mux}
}

// inWords breaks a text into words as RFC 2017 section 3.1 has it.
func inWords(s string) string {
	var b strings.Builder
	for len(s) > 40 {
		b.WriteString(s[:40] + "\n\t")
		s = s[40:]
	}
	return b.String() + s
}

// inSections breaks a value into sections of RFC 2231.
func inSections(s string) string {
	var b strings.Builder
	for i := 0; s != ""; i++ {
		n := min(len(s), 60)
		fmt.Fprintf(&b, ";\n URL*%d=\"%s\"", i, s[:n])
		s = s[n:]
	}
	return strings.TrimPrefix(b.String(), ";\n ")
}

// inEscapes percent-encodes a value of RFC 2231.
func inEscapes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return "URL*=utf-8''" + b.String()
}

// TestLongDataURL has data: URLs of lengths around those from which on they are not
// held, in all forms that a parameter has.
func TestLongDataURL(t *testing.T) {
	r := dataResolver()
	for _, size := range []int{100, 45 << 10, 49 << 10, 60 << 10, 200 << 10, 300 << 10, 1 << 20} {
		data := bytes.Repeat([]byte("0123456789abcdef\xff\x00"), size/18+1)[:size]
		u := "data:application/x-y;base64," + base64.StdEncoding.EncodeToString(data)
		for _, c := range []struct{ name, params string }{
			{"Quoted", `URL="` + u + `"`},
			{"Words", `URL="` + inWords(u) + `"`},
			{"Unquoted", "URL=" + u},
			{"Sections", inSections(u)},
			{"Escapes", inEscapes(u)},
			{"StrayQuote", `name="a"b"; URL="` + u + `"; x=y"`},
			{"Comments", "(a \\) b) URL (c\n (d)) = \"" + inWords(u) + "\" (\"e)"},
		} {
			name := fmt.Sprintf("%s of %d", c.name, size)
			text := "Content-Type: message/external-body; access-type=URL; " + c.params + "; size=" + fmt.Sprint(size) +
				"\nContent-Description: after\n\nContent-Type: application/x-y\nContent-ID: <a@h>\nContent-MD5: " + md5sum(string(data)) + "\n\n"
			m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
			if err != nil || m.Incomplete() != nil {
				t.Fatalf("%s: got %v, incomplete %v, want neither", name, err, m.Incomplete())
			}
			for ref := range m.References() {
				p := r.Plan(ref)
				if p.Kind != 0 || !strings.HasPrefix(p.URL, "data:application/x-y;base64,(") || ref.Size != int64(size) {
					t.Errorf("%s: got Plan %v of %s, size %d, want one of no Kind that quotes the beginning, size %d", name, p.Kind, p.URL, ref.Size, size)
				}
				held := !strings.Contains(diags(ref), "long-url")
				if param, _ := ref.Param("url"); held != (len(param) >= len(u)) || !held && param != "data:application/x-y;base64" {
					t.Errorf("%s: got a URL of %d octets, diags %q, want %d, or the beginning and long-url", name, len(param), diags(ref), len(u))
				}
				if len(u) > 64<<10 && held || len(text) < 64<<10 && !held {
					t.Errorf("%s: got held %t of %d octets, want a URL over 64 KiB left in place and a short one held", name, held, len(u))
				}
				got, _, err := readBody(t, r, ref)
				if err != nil || got != string(data) {
					t.Errorf("%s: got %d octets, %v, want %d and no error", name, len(got), err, size)
				}
			}
		}
	}
}

// longURLMessage returns a message with a long data: URL after which more follows
// in its parameter.
func longURLMessage(params, more string) string {
	return "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; access-type=URL; " +
		params + "\n\nContent-Type: application/x-y\nContent-ID: <a@h>\n\n" + more + "--b--\n"
}

// TestLongDataURLFaults has the faults, and when they are refused.
func TestLongDataURLFaults(t *testing.T) {
	long := strings.Repeat(strings.Repeat("QUJD", 10)+"\n ", 10_000)
	for _, c := range []struct {
		name, params string
		plan         fetch.Kind // of the Plan
		read         fetch.Kind // of the Body
	}{
		{"Valid", `URL="data:application/x-y;base64,` + long + `"`, 0, 0},
		{"BadBase64", `URL="data:application/x-y;base64,` + long + `*"`, 0, fetch.Malformed},
		{"Padding", `URL="data:application/x-y;base64,` + long + `Q"`, 0, fetch.Malformed},
		{"Control", `URL="data:application/x-y;base64,` + long + "\x01" + `"`, 0, fetch.Malformed},
		{"OtherType", `URL="data:text/html;base64,` + long + `"`, 0, fetch.TypeMismatch},
		{"NoComma", `URL="data:` + long + `"`, fetch.Malformed, fetch.Malformed},
		{"NotData", `URL="http://a.example/` + long + `"`, fetch.Malformed, fetch.Malformed},
		{"Twice", `URL="data:application/x-y;base64,` + long + `"; url="data:,x"`, fetch.Malformed, fetch.Malformed},
		{"AlsoExtended", `URL="data:application/x-y;base64,` + long + `"; url*=''data%3A%2Cx`, fetch.Malformed, fetch.Malformed},
		{"Unterminated", `URL="data:application/x-y;base64,` + long, fetch.Malformed, fetch.Malformed},
		{"LongName", `name="` + long + `"; URL="data:application/x-y;base64,QUJD"`, fetch.Malformed, fetch.Malformed},
	} {
		text := longURLMessage(c.params, "")
		refs := openText(t, text, nil)
		if len(refs) != 1 {
			t.Fatalf("%s: got %d references, want 1", c.name, len(refs))
		}
		r := dataResolver()
		if p := r.Plan(refs[0]); p.Kind != c.plan {
			t.Errorf("%s: got Plan %v %s, want %v", c.name, p.Kind, p.Reason, c.plan)
		}
		_, _, err := readBody(t, r, refs[0])
		if fetch.KindOf(err) != c.read {
			t.Errorf("%s: got %v, want Kind %v", c.name, err, c.read)
		}
		if err != nil && c.name != "NotData" && strings.Contains(err.Error(), "QUJDQUJD") {
			t.Errorf("%s: got error %v, want it without the data", c.name, err)
		}
	}
}

// TestLongDataURLIsNoURL: no reader of Params or of the URL of the Request takes
// the text that is held for the data, and it is not written as such.
func TestLongDataURLIsNoURL(t *testing.T) {
	long := strings.Repeat("a\n ", 50_000)
	ref := openText(t, longURLMessage(`URL="data:application/x-y,`+long+`"`, ""), &externalbody.OpenOptions{Strict: true})[0]
	req, err := ref.Request()
	must(t, err)
	if req.Text != "" || req.Open == nil || strings.Contains(req.URL.String(), ",") {
		t.Errorf("got text %.20q, URL %q, want neither with data", req.Text, req.URL)
	}
	req.Open = nil
	if _, err := fetch.Do(t.Context(), datafetch.New(nil), req); !errors.Is(err, fetch.Malformed) {
		t.Errorf("got %v for the URL alone, want Kind %v", err, fetch.Malformed)
	}
	if u, err := ref.Locate(); err != nil || u.String() != "data:application/x-y,(150021 octets)" {
		t.Errorf("got %v, %v, want the length in the place of the data", u, err)
	}
	if _, err := ref.ContentType(); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("got %v, want Kind %v", err, fetch.TooLarge)
	}
	for i := range ref.Params {
		if ref.Params[i].Name == "url" {
			ref.Params[i].Value = "data:application/x-y,b"
		}
	}
	if text, err := ref.ContentType(); err != nil || !strings.Contains(text, "data:application/x-y,b") {
		t.Errorf("got %q, %v, want the URL that was put in the place", text, err)
	}
	if req, err := ref.Request(); err != nil || req.Open != nil || req.Text != "data:application/x-y,b" {
		t.Errorf("got %+v, %v, want the URL that was put in the place", req, err)
	}
}

// Two long URLs with the same start are not the same body.
func TestLongDataURLPlanID(t *testing.T) {
	id := func(end string) string {
		text := longURLMessage(`URL="data:application/x-y,`+strings.Repeat("a", 100_000)+end+`"`, "")
		return dataResolver().Plan(openText(t, text, nil)[0]).ID
	}
	if a, b := id("a"), id("b"); a == b || a != id("a") {
		t.Errorf("got %s and %s, want different ones", a, b)
	}
}

// TestVastDataURL reads a data: URL of 20 MB in memory that does not depend on its
// length.
func TestVastDataURL(t *testing.T) {
	const lines = 280_000
	line := strings.Repeat("QUJD", 18) + "\n "
	v := vast{
		"Content-Type: message/external-body; access-type=URL; URL=\"data:application/x-y;base64,",
		line, lines * int64(len(line)),
		"\"\n\nContent-Type: application/x-y\nContent-ID: <a@h>\n\n",
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := externalbody.Open(v, v.Size(), nil)
	must(t, err)
	r := dataResolver()
	for ref := range m.References() {
		if p := r.Plan(ref); p.Kind != 0 {
			t.Errorf("got Plan %v, want none", p.Reason)
		}
		body, err := r.Resolve(t.Context(), ref)
		must(t, err)
		n, err := io.Copy(io.Discard, body)
		if want := int64(lines * 18 * 3); n != want || err != nil {
			t.Errorf("got %d octets, %v, want %d", n, err, want)
		}
		body.Close()
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(4<<20); got > most {
		t.Errorf("got %d octets allocated, want at most %d", got, most)
	}
}
