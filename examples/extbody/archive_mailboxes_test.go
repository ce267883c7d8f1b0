package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// TestArchiveMailboxes holds: all mailboxes of all namespaces are read, for a master user
// who reads the mail of another one too, and each message is accounted for once.
// EXTBODY_TEST_MESSAGES is how many there are.
func TestArchiveMailboxes(t *testing.T) {
	n := 90
	fmt.Sscan(os.Getenv("EXTBODY_TEST_MESSAGES"), &n)
	if out, err := exec.Command("dovecot", "--version").Output(); err != nil || !strings.HasPrefix(string(out), "2.3.") {
		t.Skip("the configuration is that of dovecot 2.3")
	}
	boxes := []string{"Maildir", "Maildir/.Sent", "Maildir/.Sent.2025", "Maildir/.Entw&APw-rfe", "Old", "Old/.Post"}
	server := dovecot.StartWith(t, `
auth_master_user_separator = *
passdb {
  driver = static
  args = password=`+dovecot.Password+`
  master = yes
}
namespace old {
  prefix = Old.
  separator = .
  location = maildir:~/Old
}
namespace inbox {
  separator = .
}
`, func(maildir string) {
		home := filepath.Dir(maildir)
		for i, box := range boxes {
			for _, sub := range []string{"cur", "new", "tmp"} {
				if err := os.MkdirAll(filepath.Join(home, box, sub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for k := i; k < n; k += len(boxes) {
				text := fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", k)
				if k%10 == 0 {
					text = linked(fmt.Sprint(k), fmt.Sprintf("https://files.example/%d", k))
				}
				if err := os.WriteFile(filepath.Join(home, box, "cur", fmt.Sprintf("%d:2,", k)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	dir := filepath.Join(t.TempDir(), "archive")
	sync := func(user string, more ...string) string {
		t.Helper()
		cmd := exec.Command("extbody", append([]string{"archive", "sync", "--to", dir, "--all", "--password-command", "echo " + dovecot.Password, "imaps://" + user + "@" + server.TLSAddr + "/"}, more...)...)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: got %v, %s; want 0", user, err, out)
		}
		return string(out)
	}
	out := sync(dovecot.User)
	if got := strings.Count(out, " seen + 0 excepted; "); got < len(boxes) || !strings.Contains(out, fmt.Sprintf("%d new messages, %d references", n, (n+9)/10)) {
		t.Errorf("got %s, want %d mailboxes or more, %d new messages", out, len(boxes), n)
	}
	// The same mail, as another one sees it: sightings and nothing else.
	if out := sync("ann%2Aroot"); !strings.Contains(out, "\n0 new messages, 0 references") || strings.Count(out, " seen + 0 excepted; ") < len(boxes) {
		t.Errorf("a master user: got %s, want nothing new", out)
	}
	if status, out := archived(t, "verify", dir); status != 0 || !strings.Contains(out, fmt.Sprintf("references of %d messages", n)) {
		t.Errorf("verify: got %d, %s; want %d messages", status, out, n)
	}
}
