//go:build !race

package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNginx serves a store as FILTER.md has it: the bodies, with and without a name, as
// files that no browser shows, and nothing else.
func TestNginx(t *testing.T) {
	t.Parallel()
	nginx := installed(t, "nginx")
	s := newSite(t)
	const body = "<script>alert(1)</script>"
	digest := "ab/cd/" + "abcd" + strings.Repeat("0", 60)
	s.mkdir(t, "store/ab/cd")
	s.write(t, "store/"+digest, 0o644, body)
	s.write(t, "store/.extbody-key", 0o644, "secret") // no mode keeps it from the server
	addr := silentAddr(t)
	server := strings.NewReplacer("listen 443 ssl;", "listen "+addr+";", "/srv/mail-parts/", s.path("store")+"/").
		Replace(recipe(t, "/etc/nginx/conf.d/mail-parts.conf"))
	s.write(t, "nginx.conf", 0o644, "daemon off;\nmaster_process off;\npid "+s.path("pid")+";\nerror_log "+s.path("log")+";\nevents { }\nhttp {\naccess_log off;\n"+
		"client_body_temp_path "+s.path("body")+";\nproxy_temp_path "+s.path("proxy")+";\nfastcgi_temp_path "+s.path("fastcgi")+";\n"+
		"uwsgi_temp_path "+s.path("uwsgi")+";\nscgi_temp_path "+s.path("scgi")+";\n"+server+"}\n")
	s.showLog(t, "log")
	s.start(t, nginx, "-p", s.dir, "-e", s.path("log"), "-c", s.path("nginx.conf"))
	await(t, "nginx", func() bool {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/mail/" + digest, http.StatusOK},
		{"/mail/" + digest + "/report.html", http.StatusOK},
		{"/mail/" + digest + "/.htaccess", http.StatusOK},
		{"/mail/.extbody-key", http.StatusNotFound},
		{"/mail/%2eextbody-key", http.StatusNotFound},
		{"/mail//.extbody-key", http.StatusNotFound},
		{"/mail/ab/../.extbody-key", http.StatusNotFound},
		{"/mail/", http.StatusForbidden},
		{"/mail/ab/cd/", http.StatusForbidden},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Errorf("%s: got error %v, want none", tt.path, err)
			continue
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != tt.want {
			t.Errorf("%s: got status %d, %v, want %d", tt.path, res.StatusCode, err, tt.want)
		}
		if tt.want != http.StatusOK {
			continue
		}
		if string(got) != body {
			t.Errorf("%s: got %q, want %q", tt.path, got, body)
		}
		for field, want := range map[string]string{"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"} {
			if v := res.Header.Get(field); v != want {
				t.Errorf("%s: got %s %q, want %q", tt.path, field, v, want)
			}
		}
	}
}

// TestSweep removes what is old from a store, as FILTER.md has it, and leaves its key.
func TestSweep(t *testing.T) {
	doc, err := os.ReadFile("FILTER.md")
	if err != nil {
		t.Fatal(err)
	}
	_, command, ok := strings.Cut(string(doc), "```sh\nfind /srv/mail-parts ")
	if !ok {
		t.Fatal("FILTER.md does not say how old bodies are removed")
	}
	command, _, _ = strings.Cut(command, "\n```")
	dir := t.TempDir()
	old := time.Now().AddDate(0, 0, -99)
	for name, at := range map[string]time.Time{".extbody-key": old, "ab/cd/old": old, "ab/cd/new": time.Now()} {
		path := filepath.Join(dir, name)
		writeFile(t, path, "x")
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	(&site{dir: dir}).run(t, "sh", "-c", "find . "+command)
	got := tree(t, dir)
	for name, want := range map[string]bool{".extbody-key": true, "ab/cd/old": false, "ab/cd/new": true} {
		if _, there := got[name]; there != want {
			t.Errorf("%s: there is %v, want %v", name, there, want)
		}
	}
}
