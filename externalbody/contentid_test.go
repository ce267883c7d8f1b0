package externalbody_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestContentIDsAreReadOnce resolves references to each other's neighbours: the
// message and its headers are read once for all of them, and not at all after the
// context has ended.
func TestContentIDsAreReadOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n")
	const parts = 100
	for i := range parts {
		fmt.Fprintf(&b, "--b\nContent-Type: image/png\nContent-ID: <%d@h>\n\n%d\n", i, i)
		fmt.Fprintf(&b, "--b\nContent-Type: message/external-body; access-type=URL; URL=\"cid:%d@h\"\n\nContent-Type: image/png\n\n", i)
	}
	b.WriteString("--b--\n")
	src := &countingReader{ReaderAt: strings.NewReader(b.String())}
	m, err := externalbody.Open(src, int64(b.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &externalbody.Resolver{}

	src.n = 0
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for ref := range m.References() {
		if _, err := r.Resolve(ended, ref); fetch.KindOf(err) != fetch.Canceled {
			t.Fatalf("got %v, want Kind %v", err, fetch.Canceled)
		}
	}
	if src.n != 0 {
		t.Errorf("got %d octets read after the context had ended, want 0", src.n)
	}

	i := 0
	for ref := range m.References() {
		body, err := r.Resolve(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(body)
		if want := fmt.Sprint(i); string(data) != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", ref.ID, data, err, want)
		}
		body.Close()
		i++
	}
	if i != parts {
		t.Errorf("got %d references, want %d", i, parts)
	}
	if most := 3 * int64(b.Len()); src.n > most {
		t.Errorf("got %d octets read, want at most %d", src.n, most)
	}
}
