package about_test

import (
	"bytes"
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/about"
)

func ExampleLicenses() {
	var out bytes.Buffer
	cmd := about.Licenses()
	cmd.SetOut(&out)
	cmd.SetArgs([]string{})
	fmt.Println(cmd.Execute(), bytes.Contains(out.Bytes(), []byte("github.com/spf13/cobra")))
	// Output: <nil> true
}
