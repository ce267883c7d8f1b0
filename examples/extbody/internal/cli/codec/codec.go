// Package codec has the commands url and data, which encode and decode single values.
package codec

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/urlaccess"
)

// URL returns the command url.
func URL() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "url",
		Short: "Encode and decode the URL parameter of RFC 2017, and unwrap URLs",
	}
	cmd.AddCommand(
		command("encode", "Write a URL as the value of a URL parameter",
			`Write a URL as the value of a URL parameter: words of at most 40 characters.
The header may be folded between any two of them. The quotes around the value
are not written.`, line, func(s string) (string, error) { return urlaccess.Encode(s) + "\n", nil }),
		command("decode", "Write the URL that the value of a URL parameter stands for",
			`Write the URL that the value of a URL parameter stands for. The value is the text
between the quotes, and may be folded.`, line, func(s string) (string, error) {
				text, err := urlaccess.Decode(s)
				return text + "\n", err
			}),
		unwrapCommand(),
	)
	return cmd
}

// command returns a command that reads a value and writes it as code returns it, which is nothing
// with an error.
func command(
	name, short, long string, read func(*cobra.Command, []string) (string, error), code func(string) (string, error),
) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [VALUE]",
		Short: short,
		Long:  long,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := read(cmd, args)
			if err == nil {
				text, err = code(text)
			}
			if err == nil {
				_, err = io.WriteString(cmd.OutOrStdout(), text)
			}
			return err
		},
	}
}

// Data returns the command data.
func Data() *cobra.Command {
	var mediaType string
	encode := command("encode", "Write octets as a data: URL",
		`Write the octets of VALUE, or those of standard input without any change, as a
data: URL. base64 or percent-encoding is used, whichever is shorter.`, octets, func(s string) (string, error) {
			return dataurl.Encode(mediaType, []byte(s)) + "\n", nil
		})
	encode.Flags().StringVarP(&mediaType, "type", "t", "", `media type; without one "text/plain;charset=US-ASCII" is understood`)
	var strict, typeOnly bool
	decode := command("decode", "Write the octets that a data: URL holds",
		`Write the octets that a data: URL holds, exactly. URLs are read as browsers do;
--strict refuses what RFC 2397 does not allow.`, line, func(s string) (string, error) {
			parse := dataurl.Parse
			if strict {
				parse = dataurl.ParseStrict
			}
			u, err := parse(s)
			if err != nil {
				return "", err
			}
			if typeOnly {
				return show.Line(u.MediaType) + "\n", nil
			}
			data, err := io.ReadAll(u.NewReader())
			return string(data), err
		})
	decode.Flags().BoolVar(&strict, "strict", false, "read by RFC 2397 alone")
	decode.Flags().BoolVarP(&typeOnly, "type", "t", false, "write the media type instead of the octets")
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Encode and decode data: URLs",
	}
	cmd.AddCommand(encode, decode)
	return cmd
}
