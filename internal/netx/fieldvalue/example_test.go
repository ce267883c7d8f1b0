package fieldvalue_test

import (
	"fmt"

	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

func ExampleMembers() {
	for member := range fieldvalue.Members(`no-cache="a, b" , max-age=60,,`) {
		fmt.Println(member)
	}
	// Output:
	// no-cache="a, b"
	// max-age=60
}
