package codec

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/mailtext"
)

// unwrapCommand returns the command url unwrap.
func unwrapCommand() *cobra.Command {
	var mail bool
	cmd := &cobra.Command{
		Use:   "unwrap [URL...]",
		Short: "Write the URLs inside those of mail gateways; no network",
		Long: `Write for each URL the one that mail gateways and mail programs have wrapped, or the
URL itself if nothing is wrapped in it. Nothing is contacted: the wrapped URL is in the text of
the wrapper, or it cannot be had and the wrapper stays.

Without a URL, standard input is copied to standard output with every such URL in it replaced.
With --mail it is one message: the texts that mail programs show are edited, in their transfer
encodings, and all other octets stay. Signed and encrypted parts, attachments and messages within
the message are left as they are. If that fails, the status is 75 and nothing was written.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if mail && len(args) > 0 {
				return exit.Mistake(fmt.Errorf("--mail reads a message from standard input, and no URL"))
			}
			for _, text := range args {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), unwrap.URL(text).URL); err != nil {
					return err
				}
			}
			if len(args) > 0 {
				return nil
			}
			text, err := octets(cmd, nil)
			if err != nil {
				return err
			}
			var out []byte
			if mail {
				out, err = unwrapMail(cmd, text)
				if err != nil {
					return exit.With(exit.Again, err)
				}
			} else {
				out = edited([]byte(text), edits("text/plain", []byte(text)))
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
	cmd.Flags().BoolVar(&mail, "mail", false, "standard input is a message, whose signatures and structure stay")
	return cmd
}

// unwrapMail returns a message with the URLs in its texts unwrapped.
func unwrapMail(cmd *cobra.Command, text string) ([]byte, error) {
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = rewrite.EditTexts(cmd.Context(), &out, m, &rewrite.EditOptions{Edit: edits})
	return out.Bytes(), err
}

// endOfURL matches character references that stand for an octet that ends a URL, and all after them.
var endOfURL = lazyregexp.New(`(?s)[.,:;!?]*&(?:lt|gt|quot|nbsp|#34|#60|#62|#160)(?:;.*|$)|&(?:apos|#39);?$`)

// edits returns the edits that replace the wrapped URLs in a text by those inside. The markup of a
// text/html is read as text.
func edits(mediaType string, text []byte) (list []rewrite.TextEdit) {
	rich := mediaType == "text/html"
	mailtext.PlainNear(&mailtext.Source{Octets: text}, nil, func(t *mailtext.Token) {
		url := t.Text
		start := t.Start
		end := t.End
		switch {
		case t.Kind == mailtext.LinkToken:
			end--
			for start++; start < end && text[start] == '<'; start++ {
			}
			if bytes.EqualFold(text[start:min(end, start+4)], []byte("url:")) {
				start += 4
			}
		case t.Kind != mailtext.URLToken:
			return
		case t.Wrapped && !rich:
			url = t.Longer
			end = t.LongerEnd
		default:
			url = endOfURL().ReplaceAllString(url, "")
			end = start + int64(len(url))
		}
		if to, ok := unwrapped(url, rich); ok && int64(len(to)) <= end-start {
			list = append(list, rewrite.TextEdit{Start: start, End: end, Text: to})
		}
	})
	slices.SortFunc(list, func(a, b rewrite.TextEdit) int { return cmp.Compare(a.Start, b.Start) })
	last := int64(0)
	return slices.DeleteFunc(list, func(e rewrite.TextEdit) bool {
		overlaps := e.Start < last
		last = max(last, e.End)
		return overlaps
	})
}

// unwrapped returns the URL inside a URL as it stands in a text, in ASCII. rich is true for HTML, where
// character references are undone and written again. They are in any text that has one for "&".
func unwrapped(text string, rich bool) (string, bool) {
	rich = rich || strings.Contains(text, "&amp;")
	url := text
	if rich {
		url = html.UnescapeString(text)
	}
	inner := unwrap.URL(url).URL
	if inner == url {
		return "", false
	}
	inner = string(percent.AppendEncode(nil, inner, &notASCII))
	if rich {
		inner = html.EscapeString(inner)
	}
	return inner, true
}

// notASCII has the octets of characters outside ASCII.
var notASCII = percent.NewSet(func(c byte) bool { return c >= 0x80 })

func edited(text []byte, list []rewrite.TextEdit) []byte {
	var out []byte
	at := int64(0)
	for _, e := range list {
		out = append(append(out, text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, text[at:]...)
}
