package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Encode and decode data: URLs",
		Args:  noCommand,
		RunE:  needCommand,
	}
	cmd.AddCommand(a.dataEncodeCommand(), a.dataDecodeCommand())
	return cmd
}

func (a *app) dataEncodeCommand() *cobra.Command {
	var mediaType string
	cmd := &cobra.Command{
		Use:   "encode [VALUE]",
		Short: "Write octets as a data: URL",
		Long: `Write octets as a data: URL: those of VALUE, or those of standard input, which
are taken exactly. Of base64 and percent-encoding the shorter one is used.`,
		Args: cobra.MaximumNArgs(1),
		RunE: running(func(_ *cobra.Command, args []string) error {
			data, err := a.octets(args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.out, dataurl.Encode(mediaType, data))
			return err
		}),
	}
	cmd.Flags().StringVarP(&mediaType, "type", "t", "", `media type; without one "text/plain;charset=US-ASCII" is understood`)
	return cmd
}

func (a *app) dataDecodeCommand() *cobra.Command {
	var strict, typeOnly bool
	cmd := &cobra.Command{
		Use:   "decode [VALUE]",
		Short: "Write the octets that a data: URL holds",
		Long: `Write the octets that a data: URL holds, exactly. URLs are read as browsers do;
--strict refuses what RFC 2397 does not allow.`,
		Args: cobra.MaximumNArgs(1),
		RunE: running(func(_ *cobra.Command, args []string) error {
			value, err := a.value(args)
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
				_, err = fmt.Fprintln(a.out, show.Line(u.MediaType))
				return err
			}
			// All of it is read before any of it is written.
			data, err := io.ReadAll(u.NewReader())
			if err != nil {
				return err
			}
			_, err = a.out.Write(data)
			return err
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&strict, "strict", false, "read by RFC 2397 alone")
	f.BoolVarP(&typeOnly, "type", "t", false, "write the media type instead of the octets")
	return cmd
}

// octets returns those of the argument, or those of standard input.
func (a *app) octets(args []string) ([]byte, error) {
	if len(args) > 0 && args[0] != "-" {
		return []byte(args[0]), nil
	}
	b, err := io.ReadAll(io.LimitReader(a.in, maxValue+1))
	if err == nil && len(b) > maxValue {
		err = fmt.Errorf("standard input has more than %s", show.Octets(maxValue))
	}
	return b, err
}
