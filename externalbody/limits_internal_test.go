package externalbody

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// TestMaxDigests: so many digests of a Reference are compared.
func TestMaxDigests(t *testing.T) {
	for _, n := range []int{maxDigests, maxDigests + 1} {
		var members []string
		for i := range n {
			sum := sha256.Sum256([]byte{byte(i)})
			members = append(members, "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":")
		}
		ref := &Reference{Header: Header{{"Repr-Digest", strings.Join(members, ", ")}}}
		if got := len(ref.PromisedDigests()); got != maxDigests {
			t.Errorf("%d members: got %d digests, want %d", n, got, maxDigests)
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
		if joined := len(bodies) == n; joined != (n <= maxNamesakes) {
			t.Errorf("%d bodies and a second reference to the last: got %d, want it joined only up to %d", n, len(bodies), maxNamesakes)
		}
	}
}
