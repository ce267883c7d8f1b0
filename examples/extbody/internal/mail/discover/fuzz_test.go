package discover_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/discover"
)

// A generator writes messages that are made of what matters to a Filter, in
// spellings that senders use and others.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

// blank returns what may stand between two tokens.
func (g generator) blank() string {
	if g.IntN(4) > 0 {
		return ""
	}
	return g.one(" ", "\t", " (x)", "\n ", "\r\n\t", " (a (b) \\) )", "\r", "\x0b", "\u00a0", "\n", " \x00")
}

// spelled returns a word in some case.
func (g generator) spelled(word string) string {
	switch g.IntN(4) {
	case 0:
		return strings.ToUpper(word)
	case 1:
		b := []byte(word)
		for i := range b {
			if 'a' <= b[i] && b[i] <= 'z' && g.IntN(2) == 0 {
				b[i] -= 'a' - 'A'
			}
		}
		return string(b)
	}
	return word
}

func (g generator) contentType() string {
	major, sub := "multipart", g.one("mixed", "digest", "x", "external-body")
	switch g.IntN(4) {
	case 0:
		major, sub = "message", g.one("external-body", "external-body", "rfc822", "global", "external-\n body")
	case 1:
		major, sub = g.one("text", "message", "mess-age", "multi"), g.one("plain", "external=2Dbody", "rfc822", "external-body-x")
	}
	t := g.spelled(major) + g.blank() + "/" + g.blank() + g.spelled(sub)
	if g.IntN(8) == 0 {
		t = `"` + t + `"`
	}
	return g.spelled("content-type") + g.one("", "", " ", "\t ") + ":" + g.blank() + t + g.blank() + "; boundary=" + g.one("a", "b", `"a"`) + g.blank() + "; access-type=" + g.one("url", "x")
}

func (g generator) encoding() string {
	return g.spelled("content-transfer-encoding") + g.one("", " ") + ":" + g.blank() +
		g.spelled(g.one("base64", "quoted-printable", "base64", "7bit", "binary", `"base64"`, "(c) base64", "", "x-y"))
}

// header returns a header with its end, which is not always an empty line.
func (g generator) header() string {
	var b strings.Builder
	end := g.one("\n", "\n", "\n", "\r\n", "\r\r\n")
	for range g.IntN(5) {
		field := g.one(g.contentType(), g.contentType(), g.contentType(), g.encoding(), "X: y")
		if g.IntN(30) == 0 {
			field = g.one("no field", "--a", "From x", strings.Repeat("Y: "+strings.Repeat("z", 500)+"\n", 1+g.IntN(12))+"Z: z")
		}
		b.WriteString(field + end)
	}
	return b.String() + g.one(end, end, end, "")
}

func (g generator) message(depth int) string {
	var b strings.Builder
	b.WriteString(g.header())
	for range g.IntN(4) {
		if depth == 0 {
			break
		}
		b.WriteString(g.one("\n--a\n", "\n--b\n", "\r\n--a\r\n", "--a--\n", "text\n", "\n----\n", strings.Repeat("QUJD\n", g.IntN(300))))
		inner := g.message(depth - 1)
		switch g.IntN(8) {
		case 0:
			inner = base64.StdEncoding.EncodeToString([]byte(inner))
		case 1:
			inner = strings.NewReplacer("=", "=3D", "-b", g.one("=2Db", "-b", "-=\nb"), "\n\n", "\n\n").Replace(inner)
		}
		b.WriteString(inner)
	}
	return b.String()
}

func generate(seed uint64) string {
	g := generator{rand.New(rand.NewPCG(seed, 3))}
	text := g.message(3)
	if seed%3 == 0 {
		text = crlf(text)
	}
	return text
}

// TestGenerated compares with opening every message.
func TestGenerated(t *testing.T) {
	n, told, judged := 20_000, 0, 0
	if testing.Short() {
		n = 2000
	}
	var f discover.Filter
	for seed := range uint64(n) {
		text := generate(seed)
		tells, possible := tells(t, text), possible(&f, text, 0)
		if tells && !possible {
			t.Fatalf("seed %d: got not possible, want possible: %q", seed, text)
		}
		if tells {
			told++
		}
		if !possible {
			judged++
		}
		if seed%50 == 0 {
			check(t, text)
		}
	}
	if told < n/20 || judged < n/20 {
		t.Errorf("of %d messages: got %d that tell something and %d that are ruled out, want at least %d each", n, told, judged, n/20)
	}
}

func FuzzFilter(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(generate(seed))
	}
	f.Add("Content-Type: multipart/digest; boundary=a\n\n--a\n\nContent-Type: MESSAGE / EXTERNAL-BODY\n\n--a--\n")
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}
