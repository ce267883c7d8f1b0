package daemons

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A Postgres is a PostgreSQL server on loopback, with an empty database.
type Postgres struct {
	URL string

	dir, bin, port string
	cmd            *exec.Cmd
}

// StartPostgres runs PostgreSQL until the end of the test. Root runs it as the user postgres,
// since it refuses root.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // Debian's place
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed")
	}
	// Its user may not enter the folders of the test.
	dir, err := os.MkdirTemp("/tmp", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := &Postgres{dir: dir, bin: filepath.Dir(found[len(found)-1])}
	_, s.port, _ = net.SplitHostPort(l.Addr().String())
	s.URL = "postgres://postgres@127.0.0.1:" + s.port + "/postgres?sslmode=disable"
	if a := s.account(t); a != nil {
		if err := os.Chown(dir, int(a.Uid), int(a.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := s.command(t, "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-N").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	s.Start(t)
	t.Cleanup(s.Kill)
	return s
}

// account returns the account of the server, nil for that of the test.
func (s *Postgres) account(t testing.TB) *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("PostgreSQL has no account")
	}
	uid, err := strconv.ParseUint(who.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(who.Gid, 10, 32)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (s *Postgres) command(t testing.TB, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "HOME="+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account(t), Pdeathsig: syscall.SIGKILL}
	return cmd
}

// Start starts the server again after Kill.
func (s *Postgres) Start(t testing.TB) {
	t.Helper()
	var output bytes.Buffer
	s.cmd = s.command(t, "postgres", "-D", "data", "-h", "127.0.0.1", "-p", s.port, "-k", "", "-c", "shared_buffers=16MB")
	s.cmd.Stderr = &output
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if s.command(t, "pg_isready", "-h", "127.0.0.1", "-p", s.port).Run() == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Kill()
	t.Fatalf("PostgreSQL does not answer: %s", output.String())
}

// Kill kills the server.
func (s *Postgres) Kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}
