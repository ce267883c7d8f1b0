package externalbody

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// An identity is a Content-ID in the scope of its message.
type identity struct {
	root *message.Part // its scope
	id   string        // with angle brackets
}

// partIDs has the parts of a source by their Content-ID, in message order.
type partIDs map[identity][]*message.Part

// find returns the parts with a Content-ID in the message at root, or nil. Parts that
// are references themselves do not count. The headers of the source are read at the
// first call.
func (s *source) find(ctx context.Context, root *message.Part, id string) ([]*message.Part, error) {
	ids, err := s.ids.get(func() (partIDs, error) { return s.readIDs(ctx) })
	if err != nil {
		return nil, err
	}
	return ids[identity{root, id}], nil
}

// readIDs reads the Content-ID of every part that is not a reference.
func (s *source) readIDs(ctx context.Context) (partIDs, error) {
	by := make(partIDs)
	for _, p := range s.parts {
		if p.Type == externalBody {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		header, err := s.header(p)
		if err != nil {
			return nil, err
		}
		f, ok := message.Lookup(header, "Content-ID", 0)
		if !ok {
			continue
		}
		if k := (identity{p.Message(), message.ContentID(f.Value)}); k.id != "" {
			by[k] = append(by[k], p)
		}
	}
	return by, nil
}

// reference returns the first Reference with a Content-ID in the message at root in a
// source, or nil.
func (m *Message) reference(s *source, root *message.Part, id string) *Reference {
	for _, ref := range m.refs {
		if ref.ContentID == id && ref.source == s && ref.part.Message() == root {
			return ref
		}
	}
	return nil
}

const (
	// maxCIDOctets bounds how much of a cid: URL is kept and compared.
	maxCIDOctets = 256

	// maxCIDURLs bounds how many are kept of a message.
	maxCIDURLs = 100_000
)

// cidURLs are the texts after "cid:" in the octets of a message, sorted.
type cidURLs []string

// has reports whether one of the texts begins with id.
func (c cidURLs) has(id string) bool {
	id = id[:min(len(id), maxCIDOctets)]
	i, _ := slices.BinarySearch(c, id)
	return i < len(c) && strings.HasPrefix(c[i], id)
}

// cidURLs returns the cid: URLs in the message, which it reads only once.
func (m *Message) cidURLs() (cidURLs, error) {
	return m.cids.get(func() (cidURLs, error) {
		return readCIDURLs(m.Reader())
	})
}

// readCIDURLs reads src to its end.
func readCIDURLs(src io.Reader) (cidURLs, error) {
	const prefix = "cid:"
	var found cidURLs
	br := bufio.NewReader(src)
	for len(found) < maxCIDURLs {
		b, err := br.Peek(len(prefix) + maxCIDOctets)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("the message: %w", err)
		}
		if len(b) == 0 {
			break
		}
		skip := len(b)
		if i := bytes.Index(b, []byte(prefix)); i == 0 {
			text := cidText(b[len(prefix):])
			found = append(found, string(text))
			skip = len(prefix) + len(text)
		} else if i > 0 {
			skip = i
		} else if err == nil {
			skip -= len(prefix) - 1
		}
		br.Discard(skip)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// cidText returns the text of a cid: URL that b begins with, up to maxCIDOctets.
func cidText(b []byte) []byte {
	b = b[:min(len(b), maxCIDOctets)]
	for i, c := range b {
		if c <= ' ' || c == '"' || c == '<' || c == '>' {
			return b[:i]
		}
	}
	return b
}
