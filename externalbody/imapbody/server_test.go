package imapbody_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// memory returns a client of go-imap's server, logged in.
func memory(t testing.TB) *imapclient.Client {
	t.Helper()
	mem := imapmemserver.New()
	user := imapmemserver.NewUser("ann", "secret")
	if err := user.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	mem.AddUser(user)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), nil, nil
		},
		InsecureAuth: true,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	client := imapclient.New(conn, nil)
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	if err := client.Login("ann", "secret").Wait(); err != nil {
		t.Fatal(err)
	}
	return client
}

const dovecotConf = `protocols = imap
ssl = no
log_path = DIR/log
mail_home = DIR/home
mail_location = maildir:~/Mail
mail_uid = UID
mail_gid = UID
first_valid_uid = 1
namespace inbox {
  inbox = yes
}
`

// dovecot returns a client of dovecot's IMAP server, which is run as a child
// and needs no login.
func dovecot(t *testing.T) *imapclient.Client {
	t.Helper()
	program, err := exec.LookPath("doveadm")
	if err != nil {
		t.Skip("dovecot is not installed")
	}
	// The folder of t.TempDir is below one that only we may enter.
	dir, err := os.MkdirTemp("", "dovecot")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	uid := os.Getuid()
	if uid == 0 {
		uid = 65534 // dovecot serves no mail of root
		if err := os.Chown(dir, uid, uid); err != nil {
			t.Skip(err)
		}
	}
	conf := filepath.Join(dir, "dovecot.conf")
	text := strings.NewReplacer("DIR", dir, "UID", strconv.Itoa(uid)).Replace(dovecotConf)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "-c", conf, "exec", "imap")
	cmd.Env = []string{"USER=ann", "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.WaitDelay = time.Second // for the copying into a process that has ended
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, theirs, theirs
	if err := cmd.Start(); err != nil {
		cancel()
		t.Skipf("dovecot cannot be started: %v", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cmd.Wait()
		theirs.Close()
	}()
	client := imapclient.New(ours, nil)
	t.Cleanup(func() {
		client.Close()
		cancel()
		<-ended
	})
	if err := client.WaitGreeting(); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Skipf("dovecot cannot be used: %v\n%s", err, log)
	}
	return client
}

// store appends a message with CRLF to INBOX and returns its UID.
func store(t *testing.T, client *imapclient.Client, text string) imap.UID {
	t.Helper()
	cmd := client.Append("INBOX", int64(len(text)), nil)
	if _, err := cmd.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return data.UID
}
