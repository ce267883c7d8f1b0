package source

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// A Reading is the flags of all commands that read messages.
type Reading struct {
	Strict   bool
	Dialects Dialects
	Hosts    ShareHosts
}

// Flags adds the flags.
func (r *Reading) Flags(f *pflag.FlagSet) {
	f.BoolVar(&r.Strict, "strict", false, "do not forgive violations of the standards")
	r.Dialects = Dialects{"all", dialect.All()}
	f.Var(&r.Dialects, "dialects", "also read these forms of references: all, none, or some of "+strings.Join(dialect.Names(), ", "))
	r.Hosts.Flag(f)
}

// Options returns the options with which messages are opened.
func (r *Reading) Options() *externalbody.OpenOptions {
	return &externalbody.OpenOptions{Strict: r.Strict, Dialects: r.Hosts.in(r.Dialects.list)}
}

// smallMessage is the size up to which a message is read at once, since an index takes
// several reads.
const smallMessage = 32 << 10

// Open indexes a message. With an error there may be an index, of the message before
// the place of the error.
func (r *Reading) Open(m *mailbox.Message) (*externalbody.Message, error) {
	section := m.Reader()
	var src io.ReaderAt = section
	if section.Size() <= smallMessage {
		text := make([]byte, section.Size())
		if _, err := io.ReadFull(section, text); err != nil {
			return nil, err
		}
		src = bytes.NewReader(text)
	}
	msg, err := externalbody.Open(src, section.Size(), r.Options())
	if err != nil {
		return nil, err
	}
	if err = msg.Incomplete(); err != nil {
		err = &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return msg, err
}

// Dialects is the flag for the forms of references that are read in addition to the
// standard one: "all", "none", or names.
type Dialects struct {
	text string
	list []externalbody.Dialect
}

// Set implements pflag.Value.
func (d *Dialects) Set(s string) (err error) {
	var list []externalbody.Dialect
	switch s {
	case "all":
		list = dialect.All()
	case "none":
	default:
		if list, err = dialect.Named(strings.Split(s, ",")...); err != nil {
			return err
		}
	}
	d.text, d.list = s, list
	return nil
}

// ShareHosts is the flags for hosts whose links are share links. It maps each host to
// the programs that it runs, or to the shapes of its links.
type ShareHosts map[string]string

// Flag adds the flags.
func (h *ShareHosts) Flag(f *pflag.FlagSet) {
	f.Var(h, "share-host", "read links at HOST as share links of KIND, one of "+strings.Join(sharelink.Kinds(), ", ")+" (repeatable)")
	f.Func("share-hosts", "read links as share links by the rows of `FILE`: host, path with {token} and {name}, file or folder, URL or -, with tabs between (repeatable)", h.read)
}

// Set implements pflag.Value.
func (h *ShareHosts) Set(s string) error {
	kind, host, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want KIND=HOST")
	}
	return h.add(map[string]string{host: strings.ToLower(kind)})
}

// read reads a file of rows.
func (h *ShareHosts) read(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	more, err := sharelink.ReadHosts(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return h.add(more)
}

func (h *ShareHosts) add(more map[string]string) error {
	hosts := make(ShareHosts)
	maps.Copy(hosts, *h)
	for host, value := range more {
		hosts[host] = sharelink.Join(hosts[host], value)
	}
	if _, err := dialect.With(&dialect.Options{Hosts: hosts}); err != nil {
		return err
	}
	*h = hosts
	return nil
}

func (h *ShareHosts) String() string {
	var all []string
	for host, kind := range *h {
		all = append(all, strings.NewReplacer("\n", ";", "\t", " ").Replace(kind)+"="+host)
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// Type implements pflag.Value.
func (h *ShareHosts) Type() string { return "KIND=HOST" }

// in returns list, with the hosts given to the forms that depend on them.
func (h ShareHosts) in(list []externalbody.Dialect) []externalbody.Dialect {
	if len(h) == 0 {
		return list
	}
	all, err := dialect.With(&dialect.Options{Hosts: h})
	if err != nil {
		return list // Set has checked each of them
	}
	return slices.DeleteFunc(all, func(d externalbody.Dialect) bool {
		return !slices.ContainsFunc(list, func(o externalbody.Dialect) bool { return o.Name == d.Name })
	})
}

// None reports whether only the standard form is read.
func (d *Dialects) None() bool { return len(d.list) == 0 }

func (d *Dialects) String() string { return d.text }

// Type implements pflag.Value.
func (d *Dialects) Type() string { return "all|none|NAME,..." }
