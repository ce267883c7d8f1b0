package codec

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

// maxValue bounds the octets of standard input that are read as a value.
const maxValue = 256 << 20

// octets returns the octets of the argument, or of standard input.
func octets(cmd *cobra.Command, args []string) (string, error) {
	if len(args) > 0 && args[0] != "-" {
		return args[0], nil
	}
	b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxValue+1))
	if err == nil && len(b) > maxValue {
		err = fmt.Errorf("standard input has more than %s", show.Octets(maxValue))
	}
	return string(b), err
}

// line returns the octets without one line end at the end of standard input.
func line(cmd *cobra.Command, args []string) (string, error) {
	text, err := octets(cmd, args)
	if len(args) == 0 || args[0] == "-" {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text, err
}
