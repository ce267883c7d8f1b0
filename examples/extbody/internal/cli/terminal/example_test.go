package terminal_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/fetch/throttle"
)

func ExampleProgress() {
	s := &terminal.Progress{Hosts: func() []throttle.Host {
		return []throttle.Host{{Name: "files.example:443", Waiting: 7, InFlight: 2}}
	}}
	s.Found.Add(20)
	s.Received.Add(1 << 20)
	s.Set(11, 10, 1)
	fmt.Println(s)
	// Output: 11 of 20 references found so far, 10 ok, 1 failed, 1,048,576 octets; waiting for files.example:443 (9)
}
