package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// A login is sent to the hosts that the user named and to no other, in whatever way it
// is given.
func TestGetLogins(t *testing.T) {
	var asked atomic.Value
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("Authorization")
		if given == "" {
			w.Header().Set("WWW-Authenticate", `Basic realm="files"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked.Store(given)
		text(w, "secret")
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(base, "http://"), ":")
	dir := t.TempDir()
	file := func(name, s string) string {
		writeText(t, filepath.Join(dir, name), s)
		return filepath.Join(dir, name)
	}
	const answer = `printf '{"user":"me","password":"pw"}'`
	basic := "Basic bWU6cHc=" // me:pw
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"None", nil, 3, ""},
		{"Netrc", []string{"--netrc", file("netrc", "machine 127.0.0.1 login me password pw")}, 0, basic},
		{"NetrcOther", []string{"--netrc", file("other", "machine h.example login me password pw")}, 3, ""},
		{"NetrcDefault", []string{"--netrc", file("default", "default login me password pw")}, 3, ""},
		{"Command", []string{"--credentials-command", answer, "--login-host", "127.0.0.1"}, 0, basic},
		{"CommandPort", []string{"--credentials-command", answer, "--login-host", "127.0.0.1:" + port}, 0, basic},
		{"CommandOtherPort", []string{"--credentials-command", answer, "--login-host", "127.0.0.1:1"}, 3, ""},
		{"CommandOtherHost", []string{"--credentials-command", "touch " + dir + "/ran; " + answer, "--login-host", "h.example"}, 3, ""},
		{"CommandQuestion", []string{"--credentials-command", `grep -q '"scheme":"http","host":"127.0.0.1","port":` + port + `,"realm":"files","methods":\["basic"\]' && ` + answer, "--login-host", "127.0.0.1"}, 0, basic},
		{"CommandNothing", []string{"--credentials-command", "true", "--login-host", "127.0.0.1"}, 3, ""},
		{"CommandFails", []string{"--credentials-command", "exit 7", "--login-host", "127.0.0.1"}, 3, ""},
		{"CommandLies", []string{"--credentials-command", `echo '{"pass":"pw"}'`, "--login-host", "127.0.0.1"}, 3, ""},
		{"CommandAlone", []string{"--credentials-command", answer}, 2, ""},
		{"HostAlone", []string{"--login-host", "127.0.0.1"}, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked.Store("")
			args := append(append([]string{"get", "--json", "--allow-plaintext", "-o", t.TempDir()}, flags...), c.args...)
			status, out, errs := invoke(t.Context(), box(base+"/a"), args...)
			if got := asked.Load(); got != c.want || status != c.status {
				t.Errorf("got status %d and %q, want %d and %q: %s%s", status, got, c.status, c.want, out, errs)
			}
			if strings.Contains(out+errs, "pw") {
				t.Errorf("got %s%s, want no password in it", out, errs)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("got a question about a host that was not named, want none")
	}
}
