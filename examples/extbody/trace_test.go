package main

import (
	"net/http"
	"strings"
	"testing"
)

// What is said on the wire is shown, for failures too, without secrets.
func TestGetTrace(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/to?token=secret", http.StatusFound)
		case "/to":
			w.Header().Set("X-Other", "see http://h.example/?t=secret")
			text(w, "body")
		default:
			http.NotFound(w, r)
		}
	})
	mail := box(base+"/moved?key=secret", base+"/lost?key=secret")
	for _, c := range []struct {
		name   string
		args   []string
		want   []string
		secret bool
	}{
		{"Text", []string{"--trace"}, []string{"> GET /moved?key=xxxxx HTTP/1.1\n", "< HTTP/1.1 302 Found\n", "< Location: /to?token=xxxxx\n", "> GET /to?token=xxxxx HTTP/1.1\n", "< HTTP/1.1 200 OK\n", "< HTTP/1.1 404 Not Found\n", "* dial 127.0.0.1:"}, false},
		{"JSON", []string{"--trace", "--json"}, []string{`"exchanges":[{"started":`, `GET /moved?key=xxxxx HTTP/1.1\r\n`, `HTTP/1.1 404 Not Found\r\n`}, false},
		{"Exact", []string{"--trace", "--exact-urls"}, []string{"> GET /moved?key=secret HTTP/1.1\n"}, true},
		{"Without", []string{"--json"}, []string{`"ended":`}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := invoke(t.Context(), mail, append(append([]string{"get", "-o", t.TempDir()}, flags...), c.args...)...)
			if status != 3 {
				t.Errorf("got status %d, want 3", status)
			}
			for _, w := range c.want {
				if !strings.Contains(out+errs, w) {
					t.Errorf("got %s%s, want %q in it", out, errs, w)
				}
			}
			if strings.Contains(out+errs, "secret") != c.secret || strings.Contains(out+errs, `"body"`) {
				t.Errorf("got %s%s, want it with secrets: %t", out, errs, c.secret)
			}
			if c.name == "Without" && strings.Contains(out, "exchanges") {
				t.Errorf("without --trace: got exchanges, want none: %s", out)
			}
		})
	}
}
