package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// served returns a folder that servers which are not ours can read, with some files.
func served(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "archive-peers")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// nginx serves a folder and returns the URL.
func nginx(t *testing.T, dir string) string {
	return "http://" + daemons.Nginx(t, func(addr string) string {
		return fmt.Sprintf(`
	default_type application/octet-stream;
	gzip on;
	gzip_types application/octet-stream;
	gzip_min_length 1;
	server {
		listen %s;
		root %s;
		location = /moved { return 302 /one; }
		location = /deleted { return 410; }
	}`, addr, dir)
	})
}

// TestPeers captures bodies from nginx and vsftpd, each with its exchanges.
func TestPeers(t *testing.T) {
	files := map[string]string{"one": strings.Repeat("%one\n", 1000), "two": "%two\n"}
	root := served(t, files)
	for _, tt := range []struct {
		name     string
		base     func(t *testing.T) string
		captured map[string]string // the body of each path
		excepted []string
	}{
		{"Nginx", func(t *testing.T) string { return nginx(t, root) }, map[string]string{"/one": "one", "/two": "two", "/moved": "one"}, []string{"/deleted", "/missing"}},
		{"Vsftpd", func(t *testing.T) string { return "ftp://" + daemons.Vsftpd(t, root, "") }, map[string]string{"/one;type=i": "one", "/two;type=i": "two"}, []string{"/missing;type=i"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := tt.base(t)
			box, dir := maildir(t), home(t)
			n := 0
			add := func(path string) {
				deliver(t, box, fmt.Sprintf("%d:2,", n), letter(fmt.Sprint(n), base+path))
				n++
			}
			for path := range tt.captured {
				add(path)
			}
			for _, path := range tt.excepted {
				add(path)
			}
			o := options(box)
			o.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{AllowPlaintext: true})
			run(t, dir, o)
			v := clean(t, dir)
			if int(v.Captured) != len(tt.captured) || int(v.Excepted) != len(tt.excepted) {
				t.Errorf("got %+v, want %d captured, %d excepted:\n%s", v, len(tt.captured), len(tt.excepted), slurp(t, dir, "ledger"))
			}
			for _, told := range attempts(t, dir) {
				if told.Address == "" || told.Exchanges == nil {
					t.Errorf("%s: got %+v, want an address and exchanges", told.URL, told)
				}
				if name, ok := tt.captured[strings.TrimPrefix(told.URL, base)]; ok && told.SHA256 != sumOf(files[name]) {
					t.Errorf("%s: got the digest %s, want that of %s", told.URL, told.SHA256, name)
				}
			}
			if res := run(t, dir, o); res.Captures+res.Messages != 0 {
				t.Errorf("again: got %+v, want nothing", res.Counts)
			}
		})
	}
}
