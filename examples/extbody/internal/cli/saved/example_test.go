package saved_test

import (
	"fmt"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/saved"
	"github.com/go-extbody/extbody/externalbody"
)

func ExampleNames() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	names, err := saved.NewNames(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	ref := &externalbody.Reference{ID: "1.2", Name: "../../passwd.png"}
	for range 2 {
		fmt.Println(names.Next(3, ref) + saved.Extension(&externalbody.Report{Reference: ref}))
	}
	// Output:
	// 3-1.2.png
	// 3-1.2-2.png
}
