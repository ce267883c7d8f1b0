package flagvalue_test

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
)

func Example() {
	var size flagvalue.Size
	fmt.Println(size.Set("1.5GiB"), &size, int64(size))
	form := flagvalue.OneOf("first", "all")
	fmt.Println(form.Set("some"), &form)
	// Output:
	// <nil> 1536MiB 1610612736
	// want first or all first
}
