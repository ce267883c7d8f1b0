package httpfetch_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestNginx fetches from a server that is not ours.
func TestNginx(t *testing.T) {
	dir := t.TempDir()
	large := make([]byte, 20<<20+3)
	rand.Read(large)
	text := bytes.Repeat([]byte("some text to compress\n"), 1000)
	for name, body := range map[string][]byte{"large.bin": large, "text.txt": text, "empty.txt": nil, "auth": nil} {
		noError(t, os.WriteFile(filepath.Join(dir, name), body, 0o644))
	}
	base := startNginx(t, dir)
	f := newFetcher(t, httpfetch.Options{}, base)

	for _, tt := range []struct {
		path      string
		mediaType string // announced
		kind      fetch.Kind
		want      []byte
		served    string
	}{
		{"/large.bin", "application/octet-stream", 0, large, "application/octet-stream"},
		{"/text.txt", "text/plain", 0, text, "text/plain"},
		{"/empty.txt", "text/plain", 0, nil, "text/plain"},
		{"/moved", "text/plain", 0, text, "text/plain"},
		{"/chunked/text.txt", "text/plain", 0, text, "text/plain"},
		{"/missing", "", fetch.NotFound, nil, ""},
		{"/gone", "", fetch.Gone, nil, ""},
		{"/private", "", fetch.Credentials, nil, ""},
		{"/forbidden", "", fetch.Forbidden, nil, ""},
		{"/cut", "", fetch.Truncated, nil, ""},
		{"/busy", "", fetch.Unavailable, nil, ""},
		{"/elsewhere", "", fetch.Blocked, nil, ""},
		{"/loop", "", fetch.Protocol, nil, ""},
		{"/empty", "", fetch.Protocol, nil, ""},
	} {
		t.Run(tt.path[1:], func(t *testing.T) {
			req := request(t, base+tt.path)
			req.MediaType = tt.mediaType
			resp, got, err := get(t, f, req)
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error %v, want %v", err, tt.kind)
			}
			if err == nil && (got != string(tt.want) || resp.MediaType != tt.served) {
				t.Errorf("got %d octets of %q, want %d of %q", len(got), resp.MediaType, len(tt.want), tt.served)
			}
		})
	}
}

// startNginx serves dir on loopback and returns the URL of the server.
func startNginx(t *testing.T, dir string) string {
	t.Helper()
	// This server promises 100 octets and gives 50.
	broken := serveText(t, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n%050d", 0))
	return "http://" + daemons.Nginx(t, func(addr string) string {
		return fmt.Sprintf(`
	default_type application/octet-stream;
	types { text/plain txt; }
	gzip on;
	gzip_types text/plain;
	server {
		listen %[2]s;
		root "%[1]s";
		location = /moved { return 302 /text.txt; }
		location /chunked/ { alias "%[1]s/"; }
		location = /gone { return 410; }
		location = /private { auth_basic x; auth_basic_user_file "%[1]s/auth"; }
		location = /forbidden { deny all; }
		location = /busy { return 503; }
		location = /elsewhere { return 302 http://169.254.169.254/; }
		location = /loop { return 302 /loop; }
		location = /empty { return 204; }
		location = /cut { proxy_pass %[3]s; }
	}
`, dir, addr, broken.url)
	})
}
