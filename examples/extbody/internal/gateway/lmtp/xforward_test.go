package lmtp

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
)

// What Postfix says by XFORWARD is read, and what is no such thing is refused.
func TestParseXforward(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want Origin
		ok   bool
	}{
		{"ADDR=192.0.2.1 IDENT=4fXyZ", Origin{"192.0.2.1", "4fXyZ"}, true},
		{"addr=IPv6:2001:db8::1", Origin{"2001:db8::1", ""}, true},
		{"ADDR=[UNAVAILABLE] IDENT=[tempunavail]", Origin{}, true},
		{"IDENT=a+2Bb+3Dc", Origin{"", "a+b=c"}, true},
		{"", Origin{}, false}, {"ADDR", Origin{}, false}, {"ADDR=", Origin{}, false}, {"HELO=a", Origin{}, false},
		{"IDENT=a+0Ab", Origin{}, false}, {"IDENT=a+2", Origin{}, false}, {"IDENT=+zz", Origin{}, false}, {"IDENT=\xff", Origin{}, false},
		{"IDENT=" + strings.Repeat("x", 256), Origin{}, false},
	} {
		var got Origin
		if err := parseXforward(&got, test.arg); got != test.want && err == nil || (err == nil) != test.ok {
			t.Errorf("%q: got %+v, %v, want %+v, %v", test.arg, got, err, test.want, test.ok)
		}
	}
}

// It holds for one transaction, and comes before it.
func TestXforward(t *testing.T) {
	got := make(chan Origin, 1)
	address := start(t, &Server{Name: "mx.example", Deliver: func(_ context.Context, tr *Transaction, data io.Reader) []Reply {
		io.Copy(io.Discard, data)
		got <- tr.Origin
		return []Reply{replyOK}
	}})
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	do := func(command, code string) {
		t.Helper()
		if command != "" {
			io.WriteString(conn, command+"\r\n")
		}
		for {
			line, err := r.ReadString('\n')
			if err != nil || !strings.HasPrefix(line, code) {
				t.Fatalf("%s: got %q, %v, want %s", command, line, err, code)
			}
			if line[3] == ' ' {
				return
			}
		}
	}
	send := func(want Origin) {
		t.Helper()
		do("MAIL FROM:<>", "250")
		do("XFORWARD ADDR=192.0.2.9", "503")
		do("RCPT TO:<a@a.example>", "250")
		do("DATA", "354")
		do(".", "250")
		if o := <-got; o != want {
			t.Errorf("got %+v, want %+v", o, want)
		}
	}
	do("", "220")
	do("XFORWARD ADDR=192.0.2.1", "503")
	do("LHLO a", "250")
	do("XFORWARD ADDR=192.0.2.1", "250")
	do("XFORWARD IDENT=4fXy", "250")
	do("XFORWARD ADDR=192.0.2.2 HELO=a", "501")
	send(Origin{"192.0.2.1", "4fXy"})
	send(Origin{})
	do("XFORWARD ADDR=192.0.2.1", "250")
	do("RSET", "250")
	send(Origin{})
}
