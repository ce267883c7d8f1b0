package mcp

import (
	"cmp"
	"context"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
)

const (
	errNoPath   refusal = "want the path of a message, a mailbox or a folder"
	errOutside  refusal = "the path is not below a folder that --root names"
	errServer   refusal = "no --server names this server and user, or this account"
	errNoServer refusal = "want a server, such as imaps://user@host/ or jmap://user@host/: a mailbox in it bounds nothing"
)

// A place is a file or folder in a root, or a place on a server, that an agent named by its
// path.
type place struct {
	root     *os.Root      // nil on a server
	path     string        // below the name of the root
	relative bool          // the agent named it by a path that is relative to the root
	at       source.Remote // on a server; nil in a root
}

// name returns the path of a message in the form in which the agent named the place.
func (p *place) name(m *source.Found) string {
	// A login finds a user that the agent did not name.
	switch at := m.At.(type) {
	case *imapurl.URL:
		u := *at
		u.User = p.at.(*imapurl.URL).User
		return u.String()
	case *jmapurl.URL:
		u := *at
		u.User = p.at.(*jmapurl.URL).User
		return u.String()
	}
	name := m.Path
	if p.relative {
		if rel, err := filepath.Rel(p.root.Name(), name); err == nil {
			name = rel
		}
	}
	return show.Fence(name, len(name))
}

// place returns the place that a path names. It does not look at anything outside of the
// roots.
func (s *server) place(path string) (*place, error) {
	if source.IsRemote(path) {
		return s.remote(path)
	}
	if path == "-" || path == "" {
		return nil, errNoPath
	}
	if p := s.below(path); p != nil && p.exists() {
		return p, nil
	}
	// The names of files are shown escaped.
	if raw, ok := unescaped(path); ok {
		if p := s.below(raw); p != nil && p.exists() {
			return p, nil
		}
	}
	if p := s.below(path); p != nil {
		return p, nil // the error is the one of opening it
	}
	return nil, errOutside
}

// remote returns the place of a path on a server that --server names.
func (s *server) remote(path string) (*place, error) {
	at, err := parseRemote(path)
	if err != nil {
		return nil, refusal(err.Error()) // it has no text of the path
	}
	for _, may := range s.accounts {
		if sameServer(may, at) {
			return &place{at: at}, nil
		}
	}
	return nil, errServer
}

// parseRemote returns the place on a server that a path names. Its error does not contain the path.
func parseRemote(path string) (source.Remote, error) {
	if jmapurl.Is(path) {
		return jmapurl.Parse(path)
	}
	return imapurl.Parse(path)
}

// openServer returns the server that --server names.
func openServer(text string) (source.Remote, error) {
	if !source.IsRemote(text) {
		return nil, errNoServer
	}
	at, err := parseRemote(text)
	if err != nil {
		return nil, err
	}
	narrow := false
	switch u := at.(type) {
	case *imapurl.URL:
		narrow = u.Mailbox != ""
	case *jmapurl.URL:
		narrow = u.Mailbox != nil || u.ID != ""
	}
	if narrow {
		return nil, errNoServer
	}
	return at, nil
}

// sameServer reports whether a place is on the server of a --server, and of its user there. A JMAP server
// has other accounts that the user can see: each needs a --server that names it.
func sameServer(may, at source.Remote) bool {
	switch may := may.(type) {
	case *imapurl.URL:
		at, ok := at.(*imapurl.URL)
		return ok && at.Implicit == may.Implicit && at.User == may.User && at.Address() == may.Address()
	case *jmapurl.URL:
		at, ok := at.(*jmapurl.URL)
		server := ok && at.Plain == may.Plain && at.Address() == may.Address()
		return server && at.User == may.User && at.Account == may.Account
	}
	return false
}

// below returns the place that a path has in one of the roots, nil if it has none. A relative
// path is one of the first root.
func (s *server) below(path string) *place {
	if !filepath.IsAbs(path) {
		if len(s.roots) == 0 || !filepath.IsLocal(path) {
			return nil
		}
		r := s.roots[0].Root
		return &place{root: r, path: filepath.Join(r.Name(), path), relative: true}
	}
	for _, r := range s.roots {
		for _, name := range []string{r.Name(), r.real} {
			if rel, err := filepath.Rel(name, path); err == nil && filepath.IsLocal(rel) {
				return &place{root: r.Root, path: filepath.Join(r.Name(), rel)}
			}
		}
	}
	return nil
}

func (p *place) exists() bool {
	rel, err := filepath.Rel(p.root.Name(), p.path)
	if err != nil {
		return false
	}
	_, err = p.root.Lstat(rel)
	return err == nil
}

// unescaped undoes the escapes of [show.Fence]. It reports whether there are any.
func unescaped(path string) (string, bool) {
	if !strings.Contains(path, `\`) {
		return "", false
	}
	var b []byte
	for len(path) > 0 {
		c, wide, rest, err := strconv.UnquoteChar(path, 0)
		switch {
		case err != nil || path[0] != '\\':
			b = append(b, path[0])
			path = path[1:]
			continue
		case wide:
			b = utf8.AppendRune(b, c)
		default:
			b = append(b, byte(c))
		}
		path = rest
	}
	return string(b), true
}

// messages yields the messages of a place, or the one with a UID if that is not 0, and the
// references in them. The receiver closes each. A message that cannot be read comes with its
// error.
func (s *server) messages(ctx context.Context, p *place, uid uint32) iter.Seq2[*source.Found, error] {
	return func(yield func(*source.Found, error) bool) {
		src := &source.Files{Root: p.root}
		defer src.Close()
		at := record.Path{Name: p.path, UID: uid}
		if p.at != nil {
			at.Name = p.at.String()
		}
		servers := &source.Servers{
			Flags: &s.imap, Err: s.errw, Reading: s.policy.Reading, Guard: s.policy.Guard(), Resolve: true,
		}
		for m, err := range source.Messages(ctx, []record.Path{at}, src, servers) {
			if ctx.Err() != nil {
				m.Close()
				return
			}
			if err == nil {
				err = m.Read(&s.policy.Reading)
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// numberOf returns the number of a message in its file, or nil for one on a server, which its
// URL names.
func numberOf(m *source.Found) *int {
	if m.At != nil {
		return nil
	}
	return &m.Index
}

// A named is the message that an agent named.
type named struct {
	*source.Found
	path string // as answers have it
	key  string // the same for the same message alone: its digest, or its place on a server
	id   record.Identity
}

// identify finds out the digest of a message.
func identify(p *place, m *source.Found) (*named, error) {
	id, _, err := m.Identify()
	n := &named{Found: m, path: p.name(m), id: id, key: id.Digest}
	if n.key == "" {
		n.key = m.Title()
	}
	return n, err
}

const (
	errManyFiles    refusal = "the path has messages in several files: give the path and the index of one, from list"
	errManyMessages refusal = "the path has several messages: give an index, from list"
	errNoMessage    refusal = "the path has no message of this index"
	errNoUID        refusal = "give the URL of one message of the mailbox, from list"
)

// uid returns the UID that an index is in a mailbox of an IMAP server, or 0 if the place is one message
// there or in an account. It returns an error if no message on the server is named.
func (p *place) uid(index *int) (uint32, error) {
	switch at := p.at.(type) {
	case *jmapurl.URL:
		if at.ID == "" {
			return 0, errNoUID
		}
	case *imapurl.URL:
		if at.UID != 0 {
			return 0, nil
		}
		named := at.Mailbox != "" && index != nil
		if !named || *index <= 0 || int64(*index) > int64(^uint32(0)) {
			return 0, errNoUID
		}
		return uint32(*index), nil
	}
	return 0, nil
}

// find returns the message of a path, and its number in its file if that has several. The
// caller closes it.
func (s *server) find(ctx context.Context, path string, index *int) (*named, error) {
	p, err := s.place(path)
	if err != nil {
		return nil, err
	}
	uid, err := p.uid(index)
	if err != nil {
		return nil, err
	}
	var found *source.Found
	var failure, other error
	file := ""
	files := 0
	count := 0
	for m, err := range s.messages(ctx, p, uid) {
		if files == 0 || m.Path != file {
			file = m.Path
			files++
		}
		if p.at == nil && index != nil && m.Index != *index {
			other = cmp.Or(other, err)
			m.Close()
		} else if count++; count == 1 {
			found = m
			failure = err
		} else {
			m.Close()
		}
		chosen := count == 1 && index != nil && m.Path == p.path
		if files > 1 || count > 1 || chosen {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		failure = context.Cause(ctx)
	case files > 1:
		failure = errManyFiles
	case count > 1:
		failure = errManyMessages
	case count == 0:
		failure = cmp.Or(other, error(errNoMessage))
	}
	if failure != nil {
		if found != nil {
			found.Close()
		}
		return nil, failure
	}
	n, err := identify(p, found)
	if err != nil {
		found.Close()
	}
	return n, err
}
