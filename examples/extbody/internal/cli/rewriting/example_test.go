package rewriting_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

func ExampleRun() {
	var flags rewriting.Flags
	f := pflag.NewFlagSet("normalize", pflag.ContinueOnError)
	flags.Add(f)
	flags.AddTimeout(f)
	flags.Reading.Flags(f)
	if err := f.Parse(nil); err != nil {
		fmt.Println(err)
		return
	}
	run := &rewriting.Run{In: strings.NewReader("Subject: as it was\n\ntext\n"), Out: os.Stdout, Err: os.Stderr, Flags: &flags}
	run.Rewrite = func(ctx context.Context, dst io.Writer, msg *externalbody.Message) (*rewrite.Report, error) {
		return rewrite.Normalize(ctx, dst, msg, nil)
	}
	run.Records = run.Normalized
	if err := run.Do(context.Background(), nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Subject: as it was
	//
	// text
}
