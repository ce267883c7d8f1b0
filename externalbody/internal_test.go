package externalbody

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/internal/mailtext"
)

// TestMaxDigests: so many digests of a Reference are compared.
func TestMaxDigests(t *testing.T) {
	for _, n := range []int{maxDigests, maxDigests + 1} {
		var members []string
		for i := range n {
			sum := sha256.Sum256([]byte{byte(i)})
			members = append(members, "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":")
		}
		ref := &Reference{Header: Fields{{"Repr-Digest", strings.Join(members, ", ")}}}
		if got := len(ref.PromisedDigests()); got != maxDigests {
			t.Errorf("%d members: got %d digests, want %d", n, got, maxDigests)
		}
	}
}

// TestMaxBase: a URL that others are relative to has at most so many octets.
func TestMaxBase(t *testing.T) {
	for _, n := range []int{maxBase, maxBase + 1} {
		url := "https://h.example/"
		url += strings.Repeat("a", n-len(url))
		if got := contentLocation("Content-Location:" + url + "\n\n"); (got == url) != (n <= maxBase) {
			t.Errorf("%d octets: got %d, want the URL only up to %d", n, len(got), maxBase)
		}
	}
}

// TestMaxNesting: a Reference and so many more, one after the other, are followed.
func TestMaxNesting(t *testing.T) {
	c := new(chain)
	for i := range maxNesting + 2 {
		if err := c.follow(&Plan{ID: fmt.Sprint(i)}); (err == nil) != (i <= maxNesting) {
			t.Errorf("%d: got %v, want an error only after %d", i, err, maxNesting)
		}
	}
}

// TestMaxCIDURLs: so many cid: URLs of a message are kept, and so much of each.
func TestMaxCIDURLs(t *testing.T) {
	for _, n := range []int{maxCIDURLs, maxCIDURLs + 1} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "cid:%d ", i)
		}
		urls, err := readCIDURLs(strings.NewReader(b.String()))
		if err != nil || len(urls) != maxCIDURLs {
			t.Errorf("%d URLs: got %d, %v, want %d", n, len(urls), err, maxCIDURLs)
		}
	}
	long := strings.Repeat("x", maxCIDOctets)
	urls, err := readCIDURLs(strings.NewReader("cid:" + long + "y"))
	if err != nil || len(urls) != 1 || urls[0] != long || !urls.has(long+"z") || urls.has(long[1:]+"z") {
		t.Errorf("got %d URLs, %v, want one of %d octets", len(urls), err, maxCIDOctets)
	}
}

// TestMaxNamesakes: a Reference is compared with so many bodies of its Content-ID.
func TestMaxNamesakes(t *testing.T) {
	for _, n := range []int{maxNamesakes, maxNamesakes + 1} {
		part := "--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://h.example/%s\"; size=%d\n\nContent-Type: image/png\nContent-ID: <x@y>\n\n"
		text := "Content-Type: multipart/alternative; boundary=b\n\n"
		for i := range n {
			text += fmt.Sprintf(part, "a", i+1)
		}
		text += fmt.Sprintf(part, "b", n) + "--b--\n"
		m, err := Open(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		bodies := m.bodies()
		if refs := slices.Concat(bodies...); len(refs) != n+1 {
			t.Errorf("%d bodies: got %d references, want %d", n, len(refs), n+1)
		}
		if joined := len(bodies) == n; joined != (n <= maxNamesakes) {
			t.Errorf("%d bodies and a second reference to the last: got %d, want it joined only up to %d", n, len(bodies), maxNamesakes)
		}
	}
}

// A cid: URL is found wherever in the message it is, also across the pieces in
// which that is read.
func TestReadCIDURLs(t *testing.T) {
	for _, pad := range []int{0, 1, 60<<10 + 1, 64<<10 - 260, 64<<10 - 259, 64<<10 - 8, 64<<10 - 4, 64<<10 - 3, 64 << 10, 200 << 10} {
		text := strings.Repeat("c", pad) + "<cid:a@b>"
		for _, tail := range []string{"", "\"cid:" + strings.Repeat("x", 300) + "y", strings.Repeat(" ", 300)} {
			urls, err := readCIDURLs(strings.NewReader(text + tail))
			if err != nil || !urls.has("a@b") || urls.has("b") {
				t.Errorf("%d octets before, %d after: got %d URLs, %v, want a@b", pad, len(tail), len(urls), err)
			}
			if long := strings.Repeat("x", 300); urls.has(long) != strings.Contains(tail, long) {
				t.Errorf("%d octets before: got the long one %t, want %t", pad, urls.has(long), strings.Contains(tail, long))
			}
		}
	}
	urls, err := readCIDURLs(iotest.OneByteReader(strings.NewReader("cid:b cid:a cid:a\ncid:cid:c \"cid:\"")))
	if want := (cidURLs{"", "a", "b", "cid:c"}); !slices.Equal(urls, want) || err != nil {
		t.Errorf("got %q, %v, want %q", urls, err, want)
	}
	if _, err := readCIDURLs(iotest.ErrReader(iotest.ErrTimeout)); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
}

// TestAnalyzedOnce: the URL of a Reference is analyzed where it is read. Plan, the name and
// the text for logs use that, unless the parameter has been replaced.
func TestAnalyzedOnce(t *testing.T) {
	ref, err := ReadRaw([]byte("Content-Type: message/external-body; access-type=url; url=\"https://h.example/a.png?key=1\"\r\n\r\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ref.analyzed.shown, "https://h.example/a.png?key=xxxxx"; got != want || ref.Name != "a.png" {
		t.Errorf("got %q, %q, want %q, a.png", got, ref.Name, want)
	}
	ref.analyzed.shown, ref.analyzed.name = "https://known.example/", "known"
	if p := new(Resolver).Plan(ref); p.URL != "https://known.example/" || ref.urlName() != "known" || !strings.HasSuffix(ref.String(), " https://known.example/") {
		t.Errorf("got %q, %q, %q, want the analysis from the reader", p.URL, ref.urlName(), ref)
	}
	long := *ref
	long.Params = Fields{{"url", "data:," + strings.Repeat("x", 100<<10)}}
	if got, want := long.String(), "url data:,(102400 octets)"; got != want {
		t.Errorf("got %.80q, want %q", got, want)
	}
	ref.Params[1].Value = "https://other.example/b.png"
	if p := new(Resolver).Plan(ref); p.URL != "https://other.example/b.png" || ref.urlName() != "b.png" {
		t.Errorf("got %q, %q, want the other URL", p.URL, ref.urlName())
	}
}

func TestMayNameOne(t *testing.T) {
	h := &linkHosts{names: map[string]bool{"files.example": true}}
	tests := []struct {
		text string
		want bool
	}{
		{"", false},
		{"files.example", false},
		{"see https://files.example/x", true},
		{"see http://www.FILES.example:8080/x", true},
		{"https://other.example/x and https://files.example./x", true},
		{"https://other.example/x https://xfiles.example/y https://files.example.net/", false},
		{"https://other.example/https://files.example/x", true},
		{"https://other.example?u", false},
		{"https://x.safelinks.protection.outlook.com/?url=x", true},
		{"https://www.google.com/url?q=x", true},
		{"https://u@other.example/", true},
		{"https://fil\nes.example/", true},
		{"https://fil \nes.example/", true},
		{"https://fil", true},
		{"https://[::1]/", false},
		{"https://xn--bcher-kva.example/", false},
		{"https://f\u00efles.example/", false},
		{"://", true},
	}
	for _, tt := range tests {
		if got := h.mayNameOne([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: got %t, want %t", tt.text, got, tt.want)
		}
	}
	if h.any = true; !h.mayNameOne(nil) {
		t.Error("a text without URLs: got false where any host may be meant, want true")
	}
}

// The kinds of tokens are the kinds of the package that reads texts.
func TestTokenKinds(t *testing.T) {
	for kind, want := range map[TokenKind]mailtext.TokenKind{
		StartTagToken: mailtext.StartTagToken, EndTagToken: mailtext.EndTagToken, TextToken: mailtext.TextToken,
		LinkToken: mailtext.LinkToken, URLToken: mailtext.URLToken, EndToken: mailtext.EndToken,
	} {
		if mailtext.TokenKind(kind) != want {
			t.Errorf("got %d, want %d", kind, want)
		}
	}
}

var lineEnd = regexp.MustCompile(`\r\n|\r|\n`)

func FuzzCRLF(f *testing.F) {
	for _, s := range []string{"", "\r", "\n", "\r\n", "a\rb\nc\r\nd", "\r\r\n\n", "\n\r\n\r"} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, chunk int) {
		want := lineEnd.ReplaceAll(text, []byte("\r\n"))
		h := md5.New()
		c := &crlfText{hashes: []hash.Hash{h}}
		chunk = max(1, chunk%8)
		for rest := text; len(rest) > 0; {
			n := min(chunk, len(rest))
			c.Write(rest[:n])
			rest = rest[n:]
		}
		c.finish()
		sum := md5.Sum(want)
		if c.n != int64(len(want)) || !bytes.Equal(h.Sum(nil), sum[:]) {
			t.Errorf("%q in chunks of %d: %d octets, want %d", text, chunk, c.n, len(want))
		}
	})
}
