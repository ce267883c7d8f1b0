package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// A reading is how messages are read: the flags of all commands that read some.
type reading struct {
	strict   bool
	dialects dialects
}

func (r *reading) flags(f *pflag.FlagSet) {
	f.BoolVar(&r.strict, "strict", false, "forgive nothing that violates the standards")
	r.dialects = dialects{"all", dialect.All()}
	f.Var(&r.dialects, "dialects", "read these forms of references besides the standard one: all, none, or some of "+strings.Join(dialect.Names(), ", "))
}

func (r *reading) options() *externalbody.OpenOptions {
	return &externalbody.OpenOptions{Strict: r.strict, Dialects: r.dialects.list}
}

// smallMessage is how large a message is read at once, as an index takes
// several reads.
const smallMessage = 32 << 10

// open indexes a message. With an error there may be an index of what is before
// the place where it is.
func (r *reading) open(m *mailbox.Message) (*externalbody.Message, error) {
	section := m.Reader()
	var src io.ReaderAt = section
	if section.Size() <= smallMessage {
		text := make([]byte, section.Size())
		if _, err := io.ReadFull(section, text); err != nil {
			return nil, err
		}
		src = bytes.NewReader(text)
	}
	msg, err := externalbody.Open(src, section.Size(), r.options())
	if err != nil {
		return nil, err
	}
	if err = msg.Incomplete(); err != nil {
		err = &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return msg, err
}

// A dialects is the flag for the forms of references that are read besides the
// standard one: "all", "none", or names.
type dialects struct {
	text string
	list []externalbody.Dialect
}

func (d *dialects) Set(s string) (err error) {
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

func (d *dialects) String() string { return d.text }
func (d *dialects) Type() string   { return "all|none|NAME,..." }
