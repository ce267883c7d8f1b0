package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
)

// OP-54. Each body that is put in, judged, archived or kept in a cache came over a connection of its own.
// A get without a cache keeps connections.
func TestConnections(t *testing.T) {
	t.Parallel()
	const n = 8
	for _, tt := range []struct {
		name, args string
		kept       bool
	}{
		{"Get", "get --jobs 1 -o DIR/saved", true},
		{"Cached", "get --jobs 1 -o DIR/saved --cache DIR/cache", false},
		{"Inline", "inline -o DIR/out", false},
		{"Archive", "archive sync --resolve all --to DIR/archive", false},
		{"Check", "check", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			asked := 0
			conns := make(map[string]bool)
			base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked++
				conns[r.RemoteAddr] = true
				mu.Unlock()
				text(w, r.URL.Path)
			})
			message := "Content-Type: multipart/mixed; boundary=b\n\n"
			for i := range n {
				message += fmt.Sprintf("--b\nContent-Type: message/external-body; access-type=url; url=\"%s/%d\"\n\n"+
					"Content-Type: text/plain\nContent-ID: <%d@x>\n\n\n", base, i, i)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "mail.eml")
			writeText(t, path, message+"--b--\n")
			args := fields(tt.args, "DIR", filepath.ToSlash(dir))
			status, out, errs := invoke(t.Context(), "", append(append(args, path), flags...)...)
			kept := len(conns) < n
			if asked != n || kept != tt.kept {
				t.Errorf("got %d requests on %d connections, want %d, connections kept: %v\n%d\n%s\n%s",
					asked, len(conns), n, tt.kept, status, out, errs)
			}
		})
	}
}
