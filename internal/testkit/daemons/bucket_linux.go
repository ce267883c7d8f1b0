package daemons

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// A Bucket is a bucket of versitygw, a server with the protocol of S3 on a folder.
type Bucket struct {
	URL string // for --objects; the credentials are in the environment

	program, dir, address string
	cmd                   *exec.Cmd
}

// login sets the credentials of all servers here in the environment of this process, where they stay:
// t.Setenv is not for tests that run in parallel.
var login = sync.OnceFunc(func() {
	os.Setenv("AWS_ACCESS_KEY_ID", "key")
	os.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
})

// StartBucket runs versitygw until the end of the test. EXTBODY_VERSITYGW is the path of the
// program.
func StartBucket(t testing.TB) *Bucket {
	t.Helper()
	program := os.Getenv("EXTBODY_VERSITYGW")
	if program == "" {
		t.Skip("EXTBODY_VERSITYGW is not set")
	}
	b := &Bucket{program: program, dir: t.TempDir(), address: testkit.FreeAddr(t)}
	b.URL = "s3://" + b.address + "/bodies/prefix?insecure=1&region=us-east-1"
	if err := os.Mkdir(filepath.Join(b.dir, "bodies"), 0o700); err != nil {
		t.Fatal(err)
	}
	login()
	b.Start(t)
	t.Cleanup(b.Kill)
	return b
}

// Start starts the server again after Kill.
func (b *Bucket) Start(t testing.TB) {
	t.Helper()
	b.cmd = exec.Command(b.program, "--port", b.address, "--access", "key", "--secret", "secret", "posix", b.dir)
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if c, err := net.Dial("tcp", b.address); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("versitygw does not answer")
}

// Kill kills the server.
func (b *Bucket) Kill() {
	b.cmd.Process.Kill()
	b.cmd.Wait()
}
