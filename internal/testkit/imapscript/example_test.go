package imapscript_test

import (
	"net"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

// A test starts a server that refuses every login, and connects to it.
func Example() {
	_ = func(t *testing.T) {
		server := &imapscript.Server{Answers: map[string]string{"LOGIN": "TAG NO who are you?\n"}}
		server.Start(t)
		conn, err := net.Dial("tcp", server.Addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
}
