package imapscript_test

import (
	"io"
	"net"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

func TestServer(t *testing.T) {
	s := &imapscript.Server{Caps: "X", Answers: map[string]string{"LOGIN": "TAG NO no\n", "LOGIN ann": "+ \n", "abc": "TAG OK inCLOSE"}}
	s.Start(t)
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "a CAPABILITY\r\nb LOGIN joe\r\nc LOGIN ann\r\nabc\r\n")
	got, err := io.ReadAll(conn)
	want := "* OK ready\r\n* CAPABILITY IMAP4rev1 X\r\na OK done\r\nb NO no\r\n+ \r\nc OK in"
	if string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q, nil", got, err, want)
	}
	if got, want := s.Commands(), "CAPABILITY\nLOGIN joe\nLOGIN ann\nabc"; got != want {
		t.Errorf("got commands %q, want %q", got, want)
	}
}
