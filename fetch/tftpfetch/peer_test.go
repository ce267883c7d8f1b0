package tftpfetch

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// peer is a real server, named by two variables: EXTBODY_TFTPD is its URL, such
// as tftp://127.0.0.1:6969/, and EXTBODY_TFTPD_ROOT the folder that it serves
// under this URL, in which the tests put files.
type peer struct{ url, root string }

func newPeer(t *testing.T) *peer {
	p := &peer{url: os.Getenv("EXTBODY_TFTPD"), root: os.Getenv("EXTBODY_TFTPD_ROOT")}
	if p.url == "" || p.root == "" {
		t.Skip("EXTBODY_TFTPD and EXTBODY_TFTPD_ROOT name no server")
	}
	return p
}

// put makes a file that the server may give to anybody.
func (p *peer) put(t *testing.T, data []byte) *url.URL {
	t.Helper()
	f, err := os.CreateTemp(p.root, "extbody-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(f.Name()) })
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Chmod(0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return p.parse(t, filepath.Base(f.Name()))
}

func (p *peer) parse(t *testing.T, name string) *url.URL {
	t.Helper()
	u, err := url.Parse(strings.TrimSuffix(p.url, "/") + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPeer(t *testing.T) {
	p := newPeer(t)
	t.Run("Lengths", func(t *testing.T) {
		for _, n := range []int{1, 511, 512, 513, 1428, 2 * 1428, 5000} {
			for _, block := range []int{512, 1428, 8192} {
				want := random(n)
				f := New(&Options{Guard: loopback(), BlockSize: block})
				got, resp, err := get(t.Context(), f, &fetch.Request{URL: p.put(t, want)})
				if err != nil || got != string(want) || resp.Size != int64(n) && resp.Size != -1 {
					t.Errorf("%d octets in blocks of %d: got %d, %v, want all, nil, and their number as size or none", n, block, len(got), err)
				}
			}
		}
	})
	t.Run("BlockNumberWraps", func(t *testing.T) {
		want := random(66_000 * 512)
		f := New(&Options{Guard: loopback(), BlockSize: 512})
		got, _, err := get(t.Context(), f, &fetch.Request{URL: p.put(t, want)})
		if err != nil || got != string(want) {
			t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(want))
		}
	})
	t.Run("Netascii", func(t *testing.T) {
		// Longer than a block, with line ends at all offsets, and a CR.
		local := strings.Repeat("line\nline\r.\n\n", 300)
		u := p.put(t, []byte(local))
		for media, want := range map[string]string{
			"text/plain": strings.ReplaceAll(local, "\n", "\r\n"),
			"image/png":  local,
		} {
			req := &fetch.Request{URL: u, TransferType: "netascii", MediaType: media}
			got, _, err := get(t.Context(), New(&Options{Guard: loopback()}), req)
			if err != nil || got != want {
				t.Errorf("%s: %d octets of %d, %v", media, len(got), len(want), err)
			}
		}
	})
	t.Run("Missing", func(t *testing.T) {
		_, _, err := get(t.Context(), New(&Options{Guard: loopback()}), &fetch.Request{URL: p.parse(t, "extbody-missing")})
		if fetch.KindOf(err) != fetch.NotFound {
			t.Errorf("error %v, want %v", err, fetch.NotFound)
		}
	})
}
