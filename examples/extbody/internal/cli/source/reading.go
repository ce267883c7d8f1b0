package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// A Reading is the flags of all commands that read messages.
type Reading struct {
	Strict bool
	Hosts  ShareHosts

	names []string // of dialects
	forms []externalbody.Dialect

	every *Reading      // the Reading of list, if this one reads the standard form alone; nil before it is needed
	last  openedMessage // the last message that every has read
}

// An openedMessage is a message and its index.
type openedMessage struct {
	message *mailbox.Message
	opened  *externalbody.Message
	err     error
}

// Flags adds the flags.
func (r *Reading) Flags(f *pflag.FlagSet) {
	f.BoolVar(&r.Strict, "strict", false, "do not forgive violations of the standards")
	f.Func(
		"dialects", "also read these forms of references: `all|none|NAME,...` of "+strings.Join(dialect.Names(), ", ")+
			"; all leaves out "+dialect.RemoteImages,
		r.SetDialects,
	)
	flagvalue.Default(f, "dialects", "all")
	r.Hosts.Flags(f, func(hosts ShareHosts) error { return r.use(r.names, hosts) })
}

// SetDialects chooses the forms of references that are read in addition to the standard
// one: "none", or names of package dialect with commas between.
func (r *Reading) SetDialects(text string) error {
	if text == "none" {
		return r.use([]string{}, r.Hosts)
	}
	return r.use(strings.Split(text, ","), r.Hosts)
}

func (r *Reading) use(names []string, hosts ShareHosts) error {
	forms, err := dialect.With(&dialect.Options{Names: names, Hosts: hosts})
	if err == nil {
		r.names = names
		r.forms = forms
		r.every = nil
		r.last = openedMessage{}
	}
	return err
}

// Standard reports whether only the standard form is read.
func (r *Reading) Standard() bool { return len(r.names) == 0 }

// Shows reports whether the pictures that messages show are read.
func (r *Reading) Shows() bool { return slices.Contains(r.names, dialect.RemoteImages) }

// Options returns the options with which messages are opened.
func (r *Reading) Options() *externalbody.OpenOptions {
	return &externalbody.OpenOptions{Strict: r.Strict, Dialects: r.forms}
}

// smallMessage is the size up to which a message is read at once, since an index takes
// several reads.
const smallMessage = 32 << 10

// Open indexes a message. With an error there may be an index, of the message before
// the place of the error.
func (r *Reading) Open(m *mailbox.Message) (*externalbody.Message, error) { return r.open(m.Reader()) }

// OpenListed is Open as list reads a message: with all dialects if r reads the standard form alone. The last
// message is read once.
func (r *Reading) OpenListed(m *mailbox.Message) (*externalbody.Message, error) {
	if !r.Standard() {
		return r.Open(m)
	}
	if r.last.message == m {
		return r.last.opened, r.last.err
	}
	if r.every == nil {
		every := &Reading{Strict: r.Strict, Hosts: r.Hosts}
		if err := every.SetDialects("all"); err != nil {
			return nil, err
		}
		r.every = every
	}
	opened, err := r.every.Open(m)
	r.last = openedMessage{m, opened, err}
	return opened, err
}

func (r *Reading) open(section *io.SectionReader) (*externalbody.Message, error) {
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
	err = msg.Incomplete()
	if err != nil {
		err = &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return msg, err
}

// OpenJoined reads the other reading of a message after which a line is in doubt. It returns
// the references that only that reading has, each with the Diag ambiguous.
func (r *Reading) OpenJoined(m *mailbox.Message) ([]*externalbody.Reference, error) {
	only, err := archive.OnlyJoined(m, r.open)
	for _, ref := range only {
		ref.Diags = append(ref.Diags, externalbody.Diag{Code: externalbody.DiagAmbiguous})
	}
	return only, err
}

// ShareHosts are hosts whose links are share links. The value is the programs that the
// host runs, or the shapes of its links.
type ShareHosts map[string]string

// Flags adds the flags. check is called before a host is added, with all of them.
func (h *ShareHosts) Flags(f *pflag.FlagSet, check func(ShareHosts) error) {
	add := func(more map[string]string) error {
		hosts := make(ShareHosts)
		maps.Copy(hosts, *h)
		for host, value := range more {
			hosts[host] = sharelink.Join(hosts[host], value)
		}
		if err := check(hosts); err != nil {
			return err
		}
		*h = hosts
		return nil
	}
	f.Func("share-host", "read links at HOST as share links, by `KIND=HOST`, of the kind "+
		strings.Join(sharelink.Kinds(), ", ")+" (repeatable)", func(s string) error {
		kind, host, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("want KIND=HOST")
		}
		return add(map[string]string{host: strings.ToLower(kind)})
	})
	f.Func("share-hosts", "read links as share links by the rows of `FILE`: "+
		"host, path with {token} and {name}, file or folder, URL or -, with tabs between (repeatable)", func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		more, err := sharelink.ReadHosts(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return add(more)
	})
}

// Files finds the messages that paths of files stand for. A message can be read until
// it is closed, and one of standard input until the Files are closed.
type Files struct {
	In io.Reader // standard input

	// Root, if it is not nil, is where all paths are below. Everything is opened through it,
	// and there are neither standard input, nor a pipe, nor zip archives; see [mailbox.Walker].
	Root *os.Root

	// NoMail counts the files and folders that hold no mail by their names, in the paths that were read.
	NoMail int

	spools []func()
}

// path yields the messages of a path in their order; "-" is standard input. The
// receiver closes each message.
func (s *Files) path(ctx context.Context, path string) iter.Seq2[*mailbox.Message, error] {
	if s.Root != nil {
		return s.walk(path, &mailbox.Walker{Root: s.Root})
	}
	if path == "-" {
		return s.stream(ctx, path, s.In)
	}
	info, err := os.Stat(path)
	if archive, _, ok := mailbox.CutZip(path); ok {
		return inZip(archive, path)
	}
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return s.walk(path, &mailbox.Walker{Zips: true})
	}
	// An example is a pipe that the shell made for <(...).
	return func(yield func(*mailbox.Message, error) bool) {
		f, err := Open(ctx, path)
		if err != nil {
			yield(&mailbox.Message{Path: path}, err)
			return
		}
		defer f.Close()
		s.stream(ctx, path, f)(yield)
	}
}

// Open opens a file. If ctx ends while it waits for the writer of a pipe, its error is returned.
func Open(ctx context.Context, path string) (f *os.File, err error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := os.Open(path)
		done <- opened{file, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// walk yields the messages that a Walker finds.
func (s *Files) walk(path string, w *mailbox.Walker) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		w.Walk(path)(yield)
		s.NoMail += w.NoMail
	}
}

// inZip yields the messages of one file in a zip archive, by the path that they have.
func inZip(archive, path string) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		found := false
		for m, err := range (&mailbox.Walker{Zips: true}).Walk(archive) {
			if m.Path != path {
				m.Close()
				continue
			}
			found = true
			if !yield(m, err) {
				return
			}
		}
		if !found {
			yield(&mailbox.Message{Path: path}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist})
		}
	}
}

// stream yields the messages that r gives, which may be compressed.
func (s *Files) stream(ctx context.Context, path string, r io.Reader) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		text, release, err := Hold(ctx, r)
		if err != nil {
			yield(&mailbox.Message{Path: path}, fmt.Errorf("read it into memory or a temporary file: %w", err))
			return
		}
		s.spools = append(s.spools, release)
		whole, n, err := mailbox.Inflate(context.Background(), text, text.Size())
		if err != nil {
			yield(&mailbox.Message{Path: path}, err)
			return
		}
		if whole != nil {
			s.spools = append(s.spools, whole.Discard)
			text = io.NewSectionReader(whole, 0, n)
		}
		mailbox.Read(path, text, text.Size())(yield)
	}
}

// Close frees spooled data.
func (s *Files) Close() {
	for _, release := range s.spools {
		release()
	}
}

// Hold returns everything that r gives, until release is called. A regular file is read
// in place, from its current offset on. With an error there is nothing to release. If
// ctx ends, its error is returned, though r may still be waited for in the background.
func Hold(ctx context.Context, r io.Reader) (text *io.SectionReader, release func(), err error) {
	if f, ok := r.(*os.File); ok {
		if text := rest(f); text != nil {
			return text, func() {}, nil
		}
	}
	s := new(spool.Spool)
	err = exit.OrInterrupted(ctx, func() error {
		_, err := io.Copy(s, r)
		return err
	})
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s.Section(), func() { s.Close() }, nil
}

// rest returns the rest of a regular file, or nil if f is something else.
func rest(f *os.File) *io.SectionReader {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	off, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	return io.NewSectionReader(f, off, max(0, info.Size()-off))
}
