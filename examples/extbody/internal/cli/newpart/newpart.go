// Package newpart has the command new, which writes a message/external-body part.
package newpart

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
	"github.com/go-extbody/extbody/urlaccess"
)

type flags struct {
	access, mediaType, name      string
	params                       map[string]*string
	expiration, permission       string
	contentID, domain, md5, desc string
	sha256                       []byte
	request                      string
	size                         int64
}

// newParams are the parameters that have a flag of their name, and its help.
var newParams = [][2]string{
	{"url", "the URL, for access type url"},
	{"site", "the host, for ftp, anon-ftp, tftp and local-file"},
	{"directory", "the directory, for ftp, anon-ftp and tftp"},
	{"mode", "ascii, image, netascii, octet, ...; the default for data that is not text keeps it whole"},
	{"server", "the mail address to ask, for mail-server"},
	{"subject", "the subject to ask with, for mail-server"},
}

// Command returns the command.
func Command() *cobra.Command {
	n := flags{params: make(map[string]*string)}
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Write a message/external-body part",
		Long: `Write a message/external-body part, ready to paste into a message. Values that such a
part must not have are refused.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return n.write(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
	f := cmd.Flags()
	f.StringVar(&n.access, "access", "url", "the access type")
	for _, p := range newParams {
		n.params[p[0]] = f.String(p[0], "", p[1])
	}
	f.StringVar(&n.request, "request", "", "the text to send, for mail-server; @`FILE` reads it from a file, @- from standard input")
	f.StringVar(&n.name, "name", "", "the name of the file; for ftp, anon-ftp, tftp and local-file its name on the server")
	f.StringVarP(&n.mediaType, "type", "t", "text/plain", "the media type of the body")
	f.Int64Var(&n.size, "size", -1, "the size of the body in octets")
	f.StringVar(&n.expiration, "expiration", "", "when the body expires, as a date of mail or RFC 3339")
	f.StringVar(&n.permission, "permission", "", "read or read-write")
	f.StringVar(&n.contentID, "content-id", "", "the Content-ID (default: a new one)")
	f.StringVar(&n.domain, "domain", "", "the domain of a new Content-ID (default: the name of this host)")
	f.StringVar(&n.md5, "md5", "", "the Content-MD5 of the body")
	f.BytesHexVar(&n.sha256, "sha256", nil, "the SHA-256 of the body, in hexadecimal")
	f.StringVar(&n.desc, "description", "", "the Content-Description of the body")
	return cmd
}

// isMode reports whether a mode of a transfer is one of RFC 2046 sections 5.2.3.2 and 5.2.3.3: of ftp, or of
// tftp.
func isMode(mode string) bool {
	mode = strings.ToLower(mode)
	if bits, ok := strings.CutPrefix(mode, "local"); ok {
		n, err := strconv.ParseUint(bits, 10, 8)
		return err == nil && n > 0
	}
	return slices.Contains([]string{"", "ascii", "ebcdic", "image", "netascii", "octet", "mail"}, mode)
}

// write writes the part. in is standard input.
func (n *flags) write(in io.Reader, out io.Writer) error {
	ref := &externalbody.Reference{
		AccessType: strings.ToLower(n.access),
		MediaType:  n.mediaType,
		ContentID:  n.contentID,
		Size:       n.size,
		Permission: n.permission,
	}
	if mode := *n.params["mode"]; !isMode(mode) {
		return exit.Mistake(fmt.Errorf("--mode %q: want ascii, ebcdic, image or local8 of ftp, or netascii, octet or mail of tftp", mode))
	}
	if n.size == 0 { // which is written only if there is a size already
		ref.Params = append(ref.Params, externalbody.Field{Name: "size", Value: "0"})
	}
	for _, p := range newParams {
		v := *n.params[p[0]]
		if p[0] == "url" {
			var err error
			v, err = urlaccess.Escape(v)
			if err != nil {
				return exit.Mistake(fmt.Errorf("--url: %w", err))
			}
		}
		if v != "" {
			ref.Params = append(ref.Params, externalbody.Field{Name: p[0], Value: v})
		}
	}
	if n.name != "" {
		ref.Params = append(ref.Params, externalbody.Field{Name: "name", Value: n.name})
	}
	ref.Name = n.fileName()
	if ref.ContentID == "" {
		domain := n.domain
		if domain == "" {
			domain, _ = os.Hostname()
		}
		if domain == "" {
			return exit.Mistake(errors.New("this host has no name: want --domain or --content-id"))
		}
		ref.ContentID = externalbody.NewContentID(domain)
	}
	if n.expiration != "" {
		t, err := flagvalue.ParseDate(n.expiration)
		if err != nil {
			return exit.Mistake(fmt.Errorf("--expiration %q: %w", n.expiration, err))
		}
		ref.Expiration = t
	}
	if !utf8.ValidString(n.desc) || strings.ContainsFunc(n.desc, unicode.IsControl) {
		return exit.Mistake(errors.New("--description: want a text in UTF-8 without line ends"))
	}
	description := encodedWords(n.desc)
	for _, f := range []externalbody.Field{{Name: "Content-Description", Value: description}, {Name: "Content-MD5", Value: n.md5}} {
		if f.Value != "" {
			ref.Header = append(ref.Header, f)
		}
	}
	if len(n.sha256) > 0 {
		if len(n.sha256) != sha256.Size {
			return exit.Mistake(fmt.Errorf("--sha256: %s, want %d", wording.Count(len(n.sha256), "octet"), sha256.Size))
		}
		ref.Digests = []fetch.Digest{{Algorithm: "sha-256", Sum: n.sha256}}
	}
	if n.request != "" {
		if ref.AccessType != "mail-server" {
			return exit.Mistake(errors.New("--request: only a mail-server is sent text"))
		}
		text, err := requestText(in, n.request)
		if err != nil {
			return err
		}
		ref.SetPhantomBody(text)
	}
	_, err := ref.WriteTo(out)
	if e, ok := errors.AsType[*fetch.Error](err); ok && (e.Kind == fetch.Malformed || e.Kind == fetch.Unsupported) {
		return exit.Mistake(e.Err)
	}
	return err
}

// maxWord is how many octets of a text an encoded-word has. It then fits in a line behind the name of the field.
const maxWord = 30

// encodedWords returns a text in encoded-words (RFC 2047 section 2), with a blank between them, unless all of it is ASCII
// and does not look like one.
func encodedWords(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) && !strings.Contains(text, "=?") {
		return text
	}
	var words []string
	for text != "" {
		n := min(len(text), maxWord)
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n--
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(text[:n]))+"?=")
		text = text[n:]
	}
	return strings.Join(words, " ")
}

// maxRequest bounds the text to send to a mail server.
const maxRequest = 64 << 10

// requestText returns the text that --request stands for.
func requestText(in io.Reader, value string) ([]byte, error) {
	name, isFile := strings.CutPrefix(value, "@")
	if !isFile {
		return []byte(value), nil
	}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--request: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	if err == nil && len(text) > maxRequest {
		err = fmt.Errorf("more than %d octets", maxRequest)
	}
	if err != nil {
		return nil, fmt.Errorf("--request: %w", err)
	}
	return text, nil
}

// fileName returns the name that readers show: the last component of --name, or of
// the path of the URL if that has an extension, or "".
func (n *flags) fileName() string {
	if n.name != "" {
		return externalbody.FileName(n.name)
	}
	u, err := url.Parse(*n.params["url"])
	if err != nil || u.Host == "" || path.Ext(u.Path) == "" {
		return ""
	}
	return externalbody.FileName(path.Base(u.Path))
}
