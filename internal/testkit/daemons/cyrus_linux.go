package daemons

import (
	"bufio"
	"bytes"
	"fmt"
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

// A Cyrus is Cyrus IMAP with JMAP. It takes any password of any user.
type Cyrus struct {
	HTTP, IMAP string // addresses
}

// StartCyrus runs Cyrus IMAP until the end of the test, with an empty INBOX of the user ann. EXTBODY_CYRUS is the
// folder in which the Debian packages cyrus-common, cyrus-imapd and cyrus-caldav were unpacked.
func StartCyrus(t testing.TB) *Cyrus {
	t.Helper()
	program := os.Getenv("EXTBODY_CYRUS")
	if program == "" {
		t.Skip("EXTBODY_CYRUS is not set")
	}
	// The parents of t.TempDir cannot be entered by the user of Cyrus.
	dir, err := os.MkdirTemp("", "cyrus")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &Cyrus{HTTP: testkit.FreeAddr(t), IMAP: testkit.FreeAddr(t)}
	c.configure(t, program, dir)

	var output bytes.Buffer
	cmd := exec.Command(filepath.Join(program, "usr/lib/cyrus/bin/master"), "-D", "-C", filepath.Join(dir, "imapd.conf"),
		"-M", filepath.Join(dir, "cyrus.conf"), "-p", filepath.Join(dir, "master.pid"))
	cmd.Stdout = &output
	cmd.Stderr = &output
	libraries := []string{filepath.Join(program, "usr/lib/cyrus")}
	for _, pattern := range []string{"usr/lib/*-linux-gnu", "lib/*-linux-gnu"} {
		found, _ := filepath.Glob(filepath.Join(program, pattern))
		libraries = append(libraries, found...)
	}
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	for range 300 {
		if conn, err := net.Dial("tcp", c.IMAP); err == nil {
			conn.Close()
			c.Do(t) // which makes the INBOX
			return c
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("Cyrus does not answer: %s", output.Bytes())
	return nil
}

// configure writes the configuration into dir, and gives dir to the user of Cyrus, which root must not be.
func (c *Cyrus) configure(t testing.TB, program, dir string) {
	t.Helper()
	me, err := user.Current()
	if err == nil && me.Uid == "0" {
		me, err = user.Lookup("nobody")
	}
	if err != nil {
		t.Skip(err)
	}
	settings := fmt.Sprintf(`configdirectory: %[1]s/lib
defaultpartition: default
partition-default: %[1]s/spool
sievedir: %[1]s/sieve
mboxname_lockpath: %[1]s/lock
proc_path: %[1]s/proc
lmtpsocket: %[1]s/socket/lmtp
idlesocket: %[1]s/socket/idle
notifysocket: %[1]s/socket/notify
cyrus_user: %[2]s
sasl_pwcheck_method: alwaystrue
sasl_mech_list: PLAIN
allowplaintext: yes
httpmodules: jmap
conversations: 1
conversations_db: twoskip
unixhierarchysep: yes
altnamespace: yes
autocreate_quota: 0
autocreate_post: yes
`, dir, me.Username)
	services := "START {\n}\nEVENTS {\n}\nSERVICES {\n"
	for name, listen := range map[string]string{"http": c.HTTP, "imap": c.IMAP} {
		services += fmt.Sprintf(
			"%s cmd=\"%s/usr/lib/cyrus/bin/%sd -C %s/imapd.conf\" listen=\"%s\" prefork=0\n", name, program, name, dir, listen,
		)
	}
	for name, text := range map[string]string{"imapd.conf": settings, "cyrus.conf": services + "}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	uid, _ := strconv.Atoi(me.Uid)
	gid, _ := strconv.Atoi(me.Gid)
	for _, name := range []string{"", "lib", "spool", "sieve", "lock", "proc", "socket"} {
		path := filepath.Join(dir, name)
		os.Mkdir(path, 0o755)
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
}

// Do sends commands of IMAP as the user ann. Each must succeed.
func (c *Cyrus) Do(t testing.TB, commands ...string) {
	t.Helper()
	conn, err := net.Dial("tcp", c.IMAP)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	in := bufio.NewReader(conn)
	for _, command := range append([]string{"LOGIN ann x"}, commands...) {
		fmt.Fprintf(conn, "a %s\r\n", command)
		var line string
		var err error
		for err == nil && !strings.HasPrefix(line, "a ") {
			line, err = in.ReadString('\n')
		}
		if err != nil || !strings.HasPrefix(line, "a OK") {
			t.Fatalf("%.60s: got %q, %v", command, line, err)
		}
	}
}

// Append returns the command that adds a message to a mailbox.
func Append(mailbox, text string) string {
	return fmt.Sprintf("APPEND %q {%d+}\r\n%s", mailbox, len(text), text)
}
