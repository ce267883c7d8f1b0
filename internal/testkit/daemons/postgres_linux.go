package daemons

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// A Postgres is a PostgreSQL server on loopback, with an empty database.
type Postgres struct {
	URL     string
	Address string // host and port

	dir, bin string
	cmd      *exec.Cmd
}

// StartPostgres runs PostgreSQL until the end of the test. Root runs it as the user postgres,
// since it refuses root.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	versions := PostgresVersions(t)
	return StartPostgresOf(t, versions[len(versions)-1])
}

// PostgresVersions returns the folders with the programs of the versions there are, the installed ones last.
// EXTBODY_POSTGRES lists folders of others, as PATH does. The test is skipped without any.
func PostgresVersions(t testing.TB) (folders []string) {
	t.Helper()
	folders = filepath.SplitList(os.Getenv("EXTBODY_POSTGRES"))
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // of Debian
	for _, program := range found {
		folders = append(folders, filepath.Dir(program))
	}
	if len(folders) == 0 {
		t.Skip("PostgreSQL is not installed, and EXTBODY_POSTGRES names no folder")
	}
	return folders
}

// StartPostgresOf is StartPostgres with the programs in a folder.
func StartPostgresOf(t testing.TB, folder string) *Postgres {
	t.Helper()
	s := newPostgres(t, folder)
	s.run(t, "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-N")
	s.Start(t)
	return s
}

// Standby runs a standby of s until the end of the test. From then on s commits only the
// transactions that the standby has.
func (s *Postgres) Standby(t testing.TB) *Postgres {
	t.Helper()
	b := newPostgres(t, s.bin)
	b.run(t, "pg_basebackup", "-D", "data", "-R", "-c", "fast", "-N", "-d", s.URL)
	b.Start(t)
	s.run(t, "psql", "-q", "-c", "ALTER SYSTEM SET synchronous_standby_names = '*'", "-c", "SELECT pg_reload_conf()", s.URL)
	return b
}

// Promote makes a standby the primary. The old one must have been killed.
func (s *Postgres) Promote(t testing.TB) {
	t.Helper()
	s.run(t, "pg_ctl", "promote", "-D", "data")
}

// newPostgres returns a server without data.
func newPostgres(t testing.TB, folder string) *Postgres {
	t.Helper()
	// Its user may not enter the folders of the test.
	dir, err := os.MkdirTemp("/tmp", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Postgres{dir: dir, bin: folder, Address: ownHost(testkit.FreeAddr(t))}
	s.URL = "postgres://postgres@" + s.Address + "/postgres?sslmode=disable"
	if a := s.account(t); a != nil {
		if err := os.Chown(dir, int(a.Uid), int(a.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(s.Kill)
	return s
}

// ownHost returns an address at a host of loopback that nothing else uses. The server takes its
// port seconds after it was chosen, and tests run side by side.
func ownHost(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return fmt.Sprintf("127.%d.%d.%d:%s", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254), port)
}

// run runs a program of PostgreSQL, which must succeed.
func (s *Postgres) run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := s.command(t, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// account returns the account of the server, nil for the account of the test.
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
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account(t), Pdeathsig: syscall.SIGKILL}
	return cmd
}

// Start starts the server again after Kill.
func (s *Postgres) Start(t testing.TB) {
	t.Helper()
	var output bytes.Buffer
	host, port, _ := net.SplitHostPort(s.Address)
	s.cmd = s.command(t, "postgres", "-D", "data", "-h", host, "-p", port, "-k", "", "-c", "shared_buffers=16MB")
	s.cmd.Stderr = &output
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The server writes its state into a file, whose first line is its number. Packages without pg_isready have that
	// too.
	pid := strconv.Itoa(s.cmd.Process.Pid)
	for range 300 {
		state, _ := os.ReadFile(filepath.Join(s.dir, "data", "postmaster.pid"))
		if lines := strings.Fields(string(state)); len(lines) > 0 && lines[0] == pid && lines[len(lines)-1] == "ready" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Kill()
	t.Fatalf("PostgreSQL does not answer: %s", output.String())
}

// Kill kills the server.
func (s *Postgres) Kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// Restart ends the server as pg_ctl does, which ends its sessions, and starts it again.
func (s *Postgres) Restart(t testing.TB) {
	t.Helper()
	s.cmd.Process.Signal(syscall.SIGINT)
	s.cmd.Wait()
	s.Start(t)
}

// Signal sends a signal to the processes of the server.
func (s *Postgres) Signal(sig syscall.Signal) {
	pid := strconv.Itoa(s.cmd.Process.Pid)
	children, _ := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	for _, field := range append(strings.Fields(string(children)), pid) {
		if n, err := strconv.Atoi(field); err == nil {
			syscall.Kill(n, sig)
		}
	}
}
