package get_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
)

func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	const mail = "MIME-Version: 1.0\n" +
		"Content-Type: message/external-body; access-type=url; url=\"data:,body\"\n\n" +
		"Content-Type: text/plain\n\n"
	var flags get.Flags
	f := pflag.NewFlagSet("get", pflag.ContinueOnError)
	flags.Add(f)
	if err := f.Parse([]string{"--names", "index", "-o", dir}); err != nil {
		fmt.Println(err)
		return
	}
	var out, errs strings.Builder
	run := &get.Run{In: strings.NewReader(mail), Out: &out, Err: &errs, Flags: &flags}
	if err := run.Do(context.Background(), nil); err != nil {
		fmt.Println(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "0-1.txt"))
	fmt.Println(string(text), err)
	fmt.Print(&errs)
	// Output:
	// body <nil>
	// extbody: 1 reference in 1 message: 1 saved (4 octets)
}
