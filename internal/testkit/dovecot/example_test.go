package dovecot_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// A test starts a server with one message, and connects to it.
func Example() {
	_ = func(t *testing.T) {
		server := dovecot.Start(t, func(maildir string) {
			message := filepath.Join(maildir, "new", "1.example")
			if err := os.WriteFile(message, []byte("Subject: hello\r\n\r\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		})
		conn, err := net.Dial("tcp", server.Addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
}
