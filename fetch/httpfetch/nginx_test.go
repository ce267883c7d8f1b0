package httpfetch_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// TestNginx fetches from a server that is not ours.
func TestNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		if nginx, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			t.Skip("nginx is not installed")
		}
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil { // its workers may have another user
		t.Fatal(err)
	}
	large := make([]byte, 20<<20+3)
	rand.Read(large)
	text := bytes.Repeat([]byte("some text to compress\n"), 1000)
	for name, body := range map[string][]byte{"large.bin": large, "text.txt": text, "empty.txt": nil, "auth": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base := startNginx(t, nginx, dir)
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
			resp, err := fetch.Do(t.Context(), f, req)
			var got []byte
			if err == nil {
				got, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error %v, want %v", err, tt.kind)
			}
			if err == nil && (!bytes.Equal(got, tt.want) || resp.MediaType != tt.served) {
				t.Errorf("got %d octets of %q, want %d of %q", len(got), resp.MediaType, len(tt.want), tt.served)
			}
		})
	}
}

// startNginx serves dir on loopback and returns the URL of the server.
func startNginx(t *testing.T, nginx, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	broken := breakingServer(t)
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, `
daemon off;
master_process off;
pid %[1]s/pid;
error_log %[1]s/error.log;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	default_type application/octet-stream;
	types { text/plain txt; }
	gzip on;
	gzip_types text/plain;
	server {
		listen %[2]s;
		root %[1]s;
		location = /moved { return 302 /text.txt; }
		location /chunked/ { alias %[1]s/; }
		location = /gone { return 410; }
		location = /private { auth_basic x; auth_basic_user_file %[1]s/auth; }
		location = /forbidden { deny all; }
		location = /busy { return 503; }
		location = /elsewhere { return 302 http://169.254.169.254/; }
		location = /loop { return 302 /loop; }
		location = /empty { return 204; }
		location = /cut { proxy_pass http://%[3]s; }
	}
}
`, dir, addr, broken), 0o644); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command(nginx, "-c", config, "-p", dir)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 200 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return "http://" + addr
		}
		time.Sleep(10 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(dir, "error.log"))
	t.Fatalf("got no answer of nginx, want one: %s%s", said.Bytes(), log)
	return ""
}

// breakingServer promises 100 octets and gives 50.
func breakingServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			io.ReadFull(c, make([]byte, 16))
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n%050d", 0)
			c.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, c)
			c.Close()
		}
	}()
	return l.Addr().String()
}
