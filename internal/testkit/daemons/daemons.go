// Package daemons runs nginx and vsftpd on loopback, so that tests have servers that are
// not ours. Where one is not installed the test is skipped.
package daemons

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// Program returns the path of an installed program, which may be in /usr/sbin. If there
// is none it skips the test.
func Program(t testing.TB, name string) string {
	t.Helper()
	for _, candidate := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// Nginx runs nginx until the end of the test and returns its host and port. Function http
// gets these and returns the inside of the block http. Nginx may read and write whatever
// the test may.
func Nginx(t testing.TB, http func(addr string) string) string {
	t.Helper()
	program := Program(t, "nginx")
	addr := testkit.FreeAddr(t)
	run := ""
	if os.Geteuid() == 0 {
		run = "user root;"
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "nginx.conf")
	err := os.WriteFile(config, fmt.Appendf(nil, `daemon off;
master_process off;
%[2]s
pid "%[1]s/pid";
error_log "%[1]s/error.log";
events { worker_connections 512; }
http {
	access_log off;
	client_body_temp_path "%[1]s/body";
	proxy_temp_path "%[1]s/proxy";
	fastcgi_temp_path "%[1]s/fastcgi";
	uwsgi_temp_path "%[1]s/uwsgi";
	scgi_temp_path "%[1]s/scgi";
	%[3]s
}
`, dir, run, http(addr)), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	cmd := exec.Command(program, "-c", config, "-p", dir, "-e", filepath.Join(dir, "error.log"))
	cmd.Stdout = &output
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	t.Cleanup(end)
	for range 500 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return addr
		}
		time.Sleep(10 * time.Millisecond)
	}
	end()
	log, _ := os.ReadFile(filepath.Join(dir, "error.log"))
	t.Fatalf("got no answer of nginx, want one: %s%s", output.Bytes(), log)
	return ""
}

// Vsftpd serves root to anonymous users and returns the host and port. Other users may
// read root with the passwords of this machine. The lines of more are added to the
// configuration. The test is skipped unless it is run by root and there is a user ftp,
// who must be able to read root.
func Vsftpd(t testing.TB, root, more string) string {
	t.Helper()
	program := Program(t, "vsftpd")
	if os.Getuid() != 0 {
		t.Skip("vsftpd needs to be started by root")
	}
	if _, err := user.Lookup("ftp"); err != nil {
		t.Skipf("vsftpd needs the user ftp: %v", err)
	}
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "vsftpd.conf")
	err := os.WriteFile(config, fmt.Appendf(nil, "listen=NO\nanonymous_enable=YES\nanon_root=%[1]s\nnopriv_user=nobody\n"+
		"local_enable=YES\nlocal_root=%[1]s\npam_service_name=vsftpd\n"+
		"secure_chroot_dir=%[2]s\nallow_writeable_chroot=YES\nno_anon_password=NO\nseccomp_sandbox=NO\n%[3]s", root, empty, more), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return inetd(t, program, config)
}

// inetd runs a program for each connection and returns the address.
func inetd(t testing.TB, program string, args ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			file, err := conn.(*net.TCPConn).File()
			conn.Close()
			if err != nil {
				return
			}
			cmd := exec.CommandContext(ctx, program, args...)
			cmd.Stdin = file
			cmd.Stdout = file
			err = cmd.Start()
			file.Close()
			if err != nil {
				return
			}
			group.Go(func() { cmd.Wait() })
		}
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		group.Wait()
	})
	return l.Addr().String()
}
