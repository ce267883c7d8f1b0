package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/jmapserver"
)

// TestJMAPScripts runs the scripts in testdata/jmap, which document the behaviour of the
// program with accounts of JMAP servers.
func TestJMAPScripts(t *testing.T) {
	secure, plain := jmapserver.NewTLS(t), jmapserver.New(t)
	texts, err := os.ReadFile("internal/cli/source/testdata/mailbox")
	must(t, err)
	for _, s := range []*jmapserver.Server{secure, plain} {
		s.Boxes = append(s.Boxes, jmapserver.Box{ID: "a", Name: "Archive"}, jmapserver.Box{ID: "y", Name: "2024", Parent: "a"})
		for i, text := range bytes.Split(texts, []byte("\n==\n")) {
			m := jmapserver.Mail{ID: fmt.Sprintf("M%d", i+1), Text: string(text), Received: time.Unix(int64(i), 0), Mailboxes: []string{"inbox"}}
			if i == 3 {
				m.Mailboxes = []string{"y"}
			}
			s.Put(m)
		}
	}
	roots := filepath.Join(t.TempDir(), "roots.pem")
	must(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	runScripts(t, "testdata/jmap", map[string]string{"JMAP": plain.Host(), "JMAPS": secure.Host(), "SSL_CERT_FILE": roots})
}
