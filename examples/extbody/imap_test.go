package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// workMessage is in a mailbox besides INBOX.
const workMessage = `From: Ann <ann@a.example>
MIME-Version: 1.0
Content-Type: message/external-body; access-type=url; url="data:,work"

Content-Type: text/plain
Content-ID: <work@a.example>

`

// TestIMAPScripts runs the scripts in testdata/imap, which document the behaviour
// of the program with mailboxes of IMAP servers.
func TestIMAPScripts(t *testing.T) {
	server := dovecot.Start(t, func(maildir string) {
		archive, err := os.ReadFile("internal/cli/source/testdata/mailbox")
		must(t, err)
		for i, message := range bytes.Split(archive, []byte("\n==\n")) {
			name := filepath.Join(maildir, "new", fmt.Sprintf("%d.example", i+1))
			must(t, os.WriteFile(name, message, 0o644))
		}
		for _, name := range []string{".Entw&APw-rfe &- more", ".Work.2024"} {
			must(t, os.MkdirAll(filepath.Join(maildir, name, "cur"), 0o755))
		}
		must(t, os.WriteFile(filepath.Join(maildir, ".Work.2024", "cur", "9.example:2,"), []byte(workMessage), 0o644))
		must(t, os.Mkdir(filepath.Join(maildir, ".Closed"), 0))
	})
	_, port, _ := strings.Cut(server.Addr, ":")
	runScripts(t, "testdata/imap", map[string]string{
		"IMAP": server.Addr, "IMAPPORT": port, "IMAPS": server.TLSAddr, "SSL_CERT_FILE": server.RootFile,
	})
}
