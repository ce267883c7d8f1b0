package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

func Example() {
	ours, theirs := net.Pipe()
	go func() {
		io.WriteString(theirs, "* PREAUTH ready\r\n")
		in := bufio.NewReader(theirs)
		for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
			tag, _, _ := strings.Cut(line, " ")
			io.WriteString(theirs, "* CAPABILITY IMAP4rev1 UNSELECT\r\n"+tag+" NO [NONEXISTENT] who knows\r\n")
		}
	}()
	c := wire.New(ours, wire.Options{})
	defer c.LogOut()
	preauth, err := c.Greeting()
	fmt.Println(preauth, err)
	err = c.Command(wire.ErrForbidden, nil, "EXAMINE "+c.Mailbox("Entwürfe"))
	fmt.Println(err)
	// Output:
	// true <nil>
	// the server does not have it: the server said NO [NONEXISTENT]
}
