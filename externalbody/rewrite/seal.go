package rewrite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/internal/loads"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// SealOptions are the options of Seal. nil means the zero value.
type SealOptions struct {
	// At is where the message is on its way; the default is Delivery.
	At Place

	// Nested also changes the messages within the message.
	Nested bool

	// TempDir is where the message is kept until it is written. "" is the system's folder for temporary
	// files.
	TempDir string
}

// maxSealed bounds how often a message is cut and read again.
const maxSealed = 10

var (
	errNotSealed = errors.New("it still loads something after all cuts")
	errOpaque    = errors.New("is XHTML, which may be shown, and what that loads is not known")
	errNotCut    = errors.New("the place of a thing that is loaded is not known")
)

// Seal writes the message to dst without all that a program asks for when it shows it:
//
//   - Attributes are emptied.
//   - URLs in style sheets become about:blank. If the place of a URL in a style sheet or a script is not known, the
//     whole content of that element is removed.
//   - Frames, scripts, attributes that are scripts, refreshes and hints are always removed.
//   - A URL that no base element makes whole is removed too, unless a part of the message has it as its
//     Content-Location.
//
// The result is read again by the reader of [Loads], and written only if it loads nothing.
//
// A style sheet that is a part of the message is read as one in the text is. If it loads something, or if its
// charset is in doubt, the link to it is removed. So is each link to a drawing that is a part, unless the drawing
// is shown as a picture.
//
// The loads depend on the program: links stay, and a browser may look up their hosts.
//
// All other octets of the decoded texts stay as they are, and outside of base64 and quoted-printable all
// other octets of the message. A Content-MD5 of a text that is changed is removed. The Report, which is never nil, has
// an Item for each such part, and Cut.
//
// An error is a [fetch.Error]. Nothing is written then, unless dst failed. Its Kind is Local if the source, dst or
// TempDir failed, and Canceled if ctx ended. Any other error means that the message cannot be sealed:
//
//   - a part that must not be changed (see the package comment) loads something,
//   - a part cannot be looked into, such as an encrypted one, or XHTML that is not an attachment, or
//   - the places in a text are not known, as in UTF-16.
func Seal(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *SealOptions) (*Report, error) {
	s := &sealer{report: &Report{}, src: m.Reader()}
	if opts != nil {
		s.opts = *opts
	}
	err := s.seal(ctx)
	if err == nil {
		err = splice(ctx, dst, s.src, s.src.Size(), nil)
	}
	for _, held := range s.held {
		held.Close()
	}
	return s.report, err
}

// A sealer is one call of Seal.
type sealer struct {
	opts   SealOptions
	report *Report
	src    *io.SectionReader // the message, with the cuts so far
	held   []*spool.Spool
}

// seal cuts until the message loads nothing.
func (s *sealer) seal(ctx context.Context) error {
	for range maxSealed {
		if err := canceled(ctx); err != nil {
			return err
		}
		found := make(map[string][]loads.Load) // by section
		var order []string
		m, err := loads.Read(s.src, s.src.Size(), func(l *loads.Load) {
			if len(found[l.Section]) == 0 {
				order = append(order, l.Section)
			}
			found[l.Section] = append(found[l.Section], *l)
		})
		if err != nil {
			return local(err)
		}
		for u := range m.Unread() {
			return leave(fetch.Unsupported, fmt.Errorf("part %s could not be looked into: %s", u.Section, u.Reason))
		}
		l := newLayout(m)
		if section, found, err := loads.Opaque(l.r, l.index); found || err != nil {
			return cmp.Or(local(err), leave(fetch.Unsupported, fmt.Errorf("part %s %w", section, errOpaque)))
		}
		if s.report.Signatures == nil && s.report.AuthResults == nil {
			if err := s.report.authentication(l.r, l.index.Root()); err != nil {
				return err
			}
		}
		locations, err := locationsIn(&l)
		if err != nil {
			return err
		}
		g := newGuard(m, l.r, s.opts.At, s.opts.Nested)
		var edits []edit
		for _, section := range order {
			all := slices.DeleteFunc(found[section], func(l loads.Load) bool {
				return l.Relative && locations[l.URL] && !l.Kind.Active()
			})
			if len(all) == 0 {
				continue
			}
			made, err := s.cut(&l, g, section, all)
			if err != nil {
				return err
			}
			edits = append(edits, made...)
		}
		if len(edits) == 0 {
			return nil
		}
		next := &spool.Spool{Memory: spoolMemory, Dir: s.opts.TempDir}
		s.held = append(s.held, next)
		if err := splice(ctx, next, l.r, l.index.Size, edits); err != nil {
			return err
		}
		s.src = next.Section()
	}
	return leave(fetch.Malformed, errNotSealed)
}

// locationsIn returns the relative URLs that lead to a part of the message, by its Content-Location (RFC 2557
// section 8): the field, and the name after its last slash.
func locationsIn(l *layout) (map[string]bool, error) {
	locations := make(map[string]bool)
	for _, p := range l.index.Parts {
		f, err := lookup(l.r, p, "Content-Location")
		if err != nil {
			return nil, err
		}
		if f.Name != "" {
			location := strings.TrimSpace(f.Text())
			locations[location] = true
			locations[location[strings.LastIndexByte(location, '/')+1:]] = true
		}
	}
	return locations, nil
}

// cut returns the edits after which a part loads none of the things.
func (s *sealer) cut(l *layout, g *guard, section string, all []loads.Load) ([]edit, error) {
	p := l.sections[section]
	if p == nil {
		return nil, leave(fetch.Unsupported, errHidden)
	}
	if reason, err := g.refuseEntity(p); reason != nil || err != nil {
		return nil, cmp.Or(err, reason)
	}
	body := io.NewSectionReader(l.r, p.Body.Start, p.Body.Len())
	text, err := io.ReadAll(io.LimitReader(message.Decode(body, p.Encoding), maxRecoded+1))
	switch {
	case err != nil:
		return nil, leave(fetch.Malformed, err)
	case len(text) > maxRecoded:
		return nil, leave(fetch.TooLarge, errRecode)
	}
	var asked []loads.Cut
	for i := range all {
		asked = append(asked, all[i].Cut)
		s.report.Cut = append(s.report.Cut, newLoad(&all[i]))
	}
	edits, ok := loads.Edits(string(text), asked)
	if !ok {
		return nil, leave(fetch.Unsupported, errNotCut)
	}
	var cuts []cut
	for _, e := range edits {
		cuts = append(cuts, cut{e.Start, e.End, e.Text})
	}
	if !slices.ContainsFunc(s.report.Items, func(i Item) bool { return i.Section == section }) {
		s.report.Items = append(s.report.Items, Item{Section: section, Action: Replaced})
	}
	return l.cut(p, cuts)
}
