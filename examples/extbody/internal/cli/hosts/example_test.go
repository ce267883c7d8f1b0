package hosts_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/hosts"
)

func ExampleCommand() {
	cmd := hosts.Command()
	cmd.SetArgs([]string{"https://a.example/b"})
	fmt.Println(cmd.Execute())
	// Output:
	// https://a.example/b: no reference: the host is not known (--share-host or --share-hosts names one)
	// <nil>
}
