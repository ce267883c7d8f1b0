package imapfetch

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

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

// dovecot starts dovecot's IMAP server for each connection, logged in, with one
// message in its mailbox. It returns the address.
func dovecot(t *testing.T, message string) string {
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
	command := func(stdin io.Reader, stdout io.Writer) *exec.Cmd {
		cmd := exec.Command(program, "-c", conf, "exec", "imap")
		cmd.Env = []string{"USER=ann", "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		// Through pipes: dovecot refuses to be started on a socket.
		cmd.Dir, cmd.Stdin, cmd.Stdout = dir, stdin, stdout
		cmd.WaitDelay = time.Second
		return cmd
	}
	literal := strings.ReplaceAll(message, "\n", "\r\n")
	store := fmt.Sprintf("a1 APPEND INBOX {%d+}\r\n%s\r\na2 LOGOUT\r\n", len(literal), literal)
	if err := command(strings.NewReader(store), io.Discard).Run(); err != nil {
		t.Skipf("dovecot cannot be used: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			command(conn, conn).Run() // it ends with the connection
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}

func TestDovecot(t *testing.T) {
	const message = "From: a@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/plain\n\nhello\n" +
		"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\naGVs\nbG8=\n" +
		"--b\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n=3Cp>\n--b--\n"
	f := &fake{addr: dovecot(t, message)}
	for _, tt := range []struct {
		name, path, want, mediaType string
		kind                        fetch.Kind
	}{
		{"Whole", ";UID=1", strings.ReplaceAll(message, "\n", "\r\n"), "message/rfc822", 0},
		{"Text", ";UID=1/;SECTION=1", "hello", "text/plain", 0},
		{"Base64", ";UID=1/;SECTION=2", "hello", "image/png", 0},
		{"Partial", ";UID=1/;SECTION=2/;PARTIAL=1.2", "GV", "", 0},
		{"PartialToTheEnd", ";UID=1/;SECTION=1/;PARTIAL=3", "lo", "", 0},
		{"PartialBehindTheEnd", ";UID=1/;SECTION=1/;PARTIAL=30.5", "", "", 0},
		{"PartOfMessage", ";UID=1/;SECTION=3.1", "<p>", "text/html", 0},
		{"HeaderOfMessage", ";UID=1/;SECTION=3.HEADER.FIELDS%20(Subject)", "Subject: inner\r\n\r\n", "", 0},
		{"MIME", ";UID=1/;SECTION=1.MIME", "Content-Type: text/plain\r\n\r\n", "", 0},
		{"NoMessage", ";UID=2", "", "", fetch.NotFound},
		{"NoPart", ";UID=1/;SECTION=9", "", "", fetch.NotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, resp, err := get(t, nil, f.request(t, "imap://HOST/INBOX/"+tt.path))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, %v", got, err)
			}
			if err == nil && (got != tt.want || resp.MediaType != tt.mediaType) {
				t.Errorf("got %q, %s", got, resp.MediaType)
			}
		})
	}
	t.Run("NoMailbox", func(t *testing.T) {
		if _, _, err := get(t, nil, f.request(t, "imap://HOST/a%26%E2%98%83/;UID=1")); fetch.KindOf(err) != fetch.NotFound {
			t.Error(err)
		}
	})
}
