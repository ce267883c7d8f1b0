// Package dovecot runs dovecot's IMAP server on loopback, as an independent server
// for tests. It needs Debian's package dovecot-imapd, version 2.3 or 2.4. If that is
// not installed, the test is skipped.
package dovecot

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// The login of each Server. All users have this password and the same mailbox.
const (
	User     = "ann"
	Password = "secret"
)

// A Server is a running dovecot. It ends with its test.
type Server struct {
	Addr     string         // host and port, with STARTTLS
	TLSAddr  string         // host and port, with implicit TLS
	Roots    *x509.CertPool // for its certificate, which is for 127.0.0.1
	RootFile string         // the name of a file with the same in PEM
}

// The uid that owns the mail if the test runs as root. Dovecot does not serve root.
const nobody = 65534

// Start starts a server. It calls fill with the folder of the INBOX, an empty Maildir.
// If fill is nil, the INBOX stays empty.
func Start(t testing.TB, fill func(maildir string)) *Server {
	t.Helper()
	return StartWith(t, "", fill)
}

// StartWith is Start with more lines of configuration. In these, DIR is the folder of
// the server and DIR/home the home of each user. The lines must suit the installed
// version: the syntax of 2.3 and of 2.4 differs.
func StartWith(t testing.TB, more string, fill func(maildir string)) *Server {
	t.Helper()
	program, err := exec.LookPath("dovecot")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/dovecot")
		if err != nil {
			t.Skip("dovecot is not installed")
		}
	}
	// Other users cannot enter the parent of t.TempDir.
	dir, err := os.MkdirTemp("", "dovecot")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if strings.Contains(dir, " ") {
		t.Skip("the folder for temporary files has a blank in its name, which a setting of dovecot splits")
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	maildir := filepath.Join(dir, "home", "Maildir")
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(maildir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if fill != nil {
		fill(maildir)
	}
	s := &Server{Addr: testkit.FreeAddr(t), TLSAddr: testkit.FreeAddr(t), RootFile: filepath.Join(dir, "cert.pem")}
	s.certify(t, dir)
	conf := filepath.Join(dir, "dovecot.conf")
	if err := os.WriteFile(conf, []byte(s.config(t, program, dir)+strings.ReplaceAll(more, "DIR", dir)), 0o644); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		chown(t, filepath.Join(dir, "home"))
	}
	cmd := exec.Command(program, "-F", "-c", conf)
	out := new(strings.Builder)
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		t.Skipf("dovecot cannot be started: %v", err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		<-ended
	})
	if err := s.await(ended); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Skipf("dovecot cannot be used: %v\n%s%s", err, out, log)
	}
	return s
}

func chown(t testing.TB, root string) {
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		t.Skip(err)
	}
}

// await waits until the server answers. The server gives no other sign that it is
// ready.
func (s *Server) await(ended <-chan struct{}) error {
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := greeted(s.Addr, deadline)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ended:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func greeted(addr string, deadline time.Time) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(deadline)
	_, err = bufio.NewReader(conn).ReadString('\n')
	return err
}

func (s *Server) certify(t testing.TB, dir string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "127.0.0.1"}, // mbsync looks at this name
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	s.Roots = x509.NewCertPool()
	s.Roots.AppendCertsFromPEM(certPEM)
	for name, data := range map[string][]byte{
		"cert.pem": certPEM,
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(s.RootFile, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The common part of the configurations of both versions.
const common = `base_dir = DIR/run
state_dir = DIR/state
log_path = DIR/log
protocols = imap
listen = 127.0.0.1
ssl = yes
first_valid_uid = 1
mail_max_userip_connections = 100
service imap-login {
  chroot =
  inet_listener imap {
    port = PORT
  }
  inet_listener imaps {
    port = TLSPORT
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
auth_failure_delay = 0
namespace inbox {
  inbox = yes
}
`

const version23 = `ssl_cert = <DIR/cert.pem
ssl_key = <DIR/key.pem
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
passdb {
  driver = static
  args = password=PASSWORD
}
userdb {
  driver = static
  args = uid=UID gid=GID home=DIR/home
}
`

const version24 = `ssl_server_cert_file = DIR/cert.pem
ssl_server_key_file = DIR/key.pem
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ~/Maildir
passdb static {
  password = PASSWORD
}
userdb static {
  fields {
    uid = UID
    gid = GID
    home = DIR/home
  }
}
`

// config returns the configuration in the syntax of the installed version.
func (s *Server) config(t testing.TB, program, dir string) string {
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Skipf("dovecot cannot be used: %v", err)
	}
	text := common + version23
	if major, minor := version(string(out)); major > 2 || major == 2 && minor >= 4 {
		// These lines must be first.
		text = "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0\n" + common + version24
	}
	uid := os.Getuid()
	gid := os.Getgid()
	if uid == 0 {
		uid = nobody
		gid = nobody
	} else if me, err := user.Current(); err == nil {
		// A master that is not root runs everything as the same user.
		text += fmt.Sprintf("default_internal_user = %s\ndefault_login_user = %s\n", me.Username, me.Username)
	}
	_, port, _ := net.SplitHostPort(s.Addr)
	_, tlsPort, _ := net.SplitHostPort(s.TLSAddr)
	return strings.NewReplacer("DIR", dir, "TLSPORT", tlsPort, "PORT", port,
		"UID", strconv.Itoa(uid), "GID", strconv.Itoa(gid), "PASSWORD", Password).Replace(text)
}

// version parses the start of the output of --version.
func version(out string) (major, minor int) {
	a, rest, _ := strings.Cut(strings.TrimSpace(out), ".")
	b, _, _ := strings.Cut(rest, ".")
	major, _ = strconv.Atoi(a)
	minor, _ = strconv.Atoi(b)
	return major, minor
}
