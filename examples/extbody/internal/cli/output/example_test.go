package output_test

import (
	"context"
	"fmt"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
)

func ExampleOpen() {
	o, err := output.Open("-", os.Stdout)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer o.Close()
	fmt.Fprintln(o, "Subject: whole")
	if err := o.Commit(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: Subject: whole
}
