// Package codec has the commands url and data, which encode and decode single values.
package codec

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/urlaccess"
)

// URL returns the command url.
func URL() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "url",
		Short: "Encode and decode the URL parameter of RFC 2017",
	}
	cmd.AddCommand(
		urlCommand("encode", "Write a URL as the value of a URL parameter", `Write a URL as the value of a URL parameter: words of at most 40 characters.
The header may be folded between any two of them. The quotes around the value
are not written.`, func(s string) (string, error) { return urlaccess.Encode(s), nil }),
		urlCommand("decode", "Write the URL that the value of a URL parameter stands for", `Write the URL that the value of a URL parameter stands for. The value is the text
between the quotes, and may be folded.`, urlaccess.Decode),
	)
	return cmd
}

func urlCommand(name, short, long string, code func(string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [VALUE]",
		Short: short,
		Long:  long,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			value, err := line(cmd, args)
			if err != nil {
				return err
			}
			text, err := code(value)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
}

// Data returns the command data.
func Data() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Encode and decode data: URLs",
	}
	cmd.AddCommand(dataEncode(), dataDecode())
	return cmd
}

func dataEncode() *cobra.Command {
	var mediaType string
	cmd := &cobra.Command{
		Use:   "encode [VALUE]",
		Short: "Write octets as a data: URL",
		Long: `Write the octets of VALUE, or those of standard input without any change, as a
data: URL. base64 or percent-encoding is used, whichever is shorter.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := octets(cmd, args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), dataurl.Encode(mediaType, data))
			return err
		},
	}
	cmd.Flags().StringVarP(&mediaType, "type", "t", "", `media type; without one "text/plain;charset=US-ASCII" is understood`)
	return cmd
}

func dataDecode() *cobra.Command {
	var strict, typeOnly bool
	cmd := &cobra.Command{
		Use:   "decode [VALUE]",
		Short: "Write the octets that a data: URL holds",
		Long: `Write the octets that a data: URL holds, exactly. URLs are read as browsers do;
--strict refuses what RFC 2397 does not allow.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			value, err := line(cmd, args)
			if err != nil {
				return err
			}
			parse := dataurl.Parse
			if strict {
				parse = dataurl.ParseStrict
			}
			u, err := parse(value)
			if err != nil {
				return err
			}
			if typeOnly {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), show.Line(u.MediaType))
				return err
			}
			// Nothing is written before all of it has been read.
			data, err := io.ReadAll(u.NewReader())
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(data)
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&strict, "strict", false, "read by RFC 2397 alone")
	f.BoolVarP(&typeOnly, "type", "t", false, "write the media type instead of the octets")
	return cmd
}

// maxValue bounds the octets of standard input that are read as a value.
const maxValue = 256 << 20

// octets returns the octets of the argument, or of standard input.
func octets(cmd *cobra.Command, args []string) ([]byte, error) {
	if len(args) > 0 && args[0] != "-" {
		return []byte(args[0]), nil
	}
	b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxValue+1))
	if err == nil && len(b) > maxValue {
		err = fmt.Errorf("standard input has more than %s", show.Octets(maxValue))
	}
	return b, err
}

// line returns the octets without one line end at the end of standard input.
func line(cmd *cobra.Command, args []string) (string, error) {
	b, err := octets(cmd, args)
	text := string(b)
	if len(args) == 0 || args[0] == "-" {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text, err
}
