package archive_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// served returns a folder that servers which are not ours can read, with some files.
func served(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "archive-peers")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, sub := range []string{"", "files", "empty"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "files", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// nginx serves a folder and returns the URL.
func nginx(t *testing.T, dir string) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			t.Skip("nginx is not installed")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	config := filepath.Join(dir, "nginx.conf")
	put(t, config, fmt.Sprintf(`daemon off;
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
	gzip on;
	gzip_types application/octet-stream;
	gzip_min_length 1;
	server {
		listen %[2]s;
		root %[1]s/files;
		location = /moved { return 302 /one; }
		location = /deleted { return 410; }
	}
}
`, dir, addr))
	cmd := exec.Command(program, "-c", config, "-p", dir)
	if err := cmd.Start(); err != nil {
		t.Skip(err)
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
		time.Sleep(20 * time.Millisecond)
	}
	t.Skip("nginx does not answer")
	return ""
}

// vsftpd serves a folder to anybody, one process a connection, and returns the address.
func vsftpd(t *testing.T, dir string) string {
	t.Helper()
	program, err := exec.LookPath("vsftpd")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/vsftpd"); err != nil {
			t.Skip("vsftpd is not installed")
		}
	}
	if os.Getuid() != 0 {
		t.Skip("vsftpd wants to be root")
	}
	config := filepath.Join(dir, "vsftpd.conf")
	put(t, config, fmt.Sprintf("listen=NO\nanonymous_enable=YES\nanon_root=%s/files\nnopriv_user=nobody\nsecure_chroot_dir=%[1]s/empty\nno_anon_password=NO\nseccomp_sandbox=NO\n", dir))
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
			f, err := c.(*net.TCPConn).File()
			c.Close()
			if err != nil {
				continue
			}
			cmd := exec.Command(program, config)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = f, f, io.Discard
			if cmd.Start() == nil {
				go cmd.Wait()
			}
			f.Close()
		}
	}()
	return l.Addr().String()
}

// TestPeers captures bodies from nginx and vsftpd, each with what was said.
func TestPeers(t *testing.T) {
	files := map[string]string{"one": strings.Repeat("%one\n", 1000), "two": "%two\n"}
	root := served(t, files)
	for _, tt := range []struct {
		name     string
		base     func(t *testing.T) string
		captured map[string]string // what a path gives
		excepted []string
	}{
		{"Nginx", func(t *testing.T) string { return nginx(t, root) }, map[string]string{"/one": "one", "/two": "two", "/moved": "one"}, []string{"/deleted", "/missing"}},
		{"Vsftpd", func(t *testing.T) string { return "ftp://" + vsftpd(t, root) }, map[string]string{"/one;type=i": "one", "/two;type=i": "two"}, []string{"/missing;type=i"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := tt.base(t)
			box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
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
			o.Resolver.Fetcher = resolverPlain().Fetcher
			run(t, dir, o)
			v := clean(t, dir)
			if int(v.Captured) != len(tt.captured) || int(v.Excepted) != len(tt.excepted) {
				t.Errorf("got %+v, want %d captured, %d excepted:\n%s", v, len(tt.captured), len(tt.excepted), slurp(t, dir, "ledger"))
			}
			_, _, err := ledger.Read(filepath.Join(dir, "ledger"), ledger.Place{}, ledger.Head{}, nil, func(l *ledger.Line) error {
				if l.Kind != "capture" && l.Kind != "exception" {
					return nil
				}
				var told struct {
					URL       string
					SHA256    string
					Address   string
					Status    int
					Exchanges *struct{}
				}
				if err := l.Body(&told); err != nil {
					return err
				}
				if told.Address == "" || told.Exchanges == nil {
					t.Errorf("%s: got %+v, want an address and exchanges", told.URL, told)
				}
				if name, ok := tt.captured[strings.TrimPrefix(told.URL, base)]; ok && told.SHA256 != fmt.Sprintf("%x", sha256Of(files[name])) {
					t.Errorf("%s: got the digest %s, want that of %s", told.URL, told.SHA256, name)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if res := run(t, dir, o); res.Captures+res.Messages != 0 {
				t.Errorf("again: got %+v, want nothing", res.Counts)
			}
		})
	}
}
