package externalbody

import (
	"context"
	"sync"

	"github.com/go-extbody/extbody/internal/mimescan"
)

// An identity is a Content-ID in the scope of its message.
type identity struct {
	root *mimescan.Part // what scope returns
	id   string         // with angle brackets
}

// bearers are the parts of one message that have the same Content-ID.
type bearers struct {
	parts []*mimescan.Part // in message order, not empty

	// formats is true if all parts are children of one multipart/alternative.
	formats bool
}

func (b *bearers) add(p *mimescan.Part) {
	first := p
	if len(b.parts) > 0 {
		first = b.parts[0]
	}
	b.formats = (len(b.parts) == 0 || b.formats) &&
		p.Parent != nil && p.Parent == first.Parent && p.Parent.Type == "multipart/alternative"
	b.parts = append(b.parts, p)
}

// partIDs has the parts of a source by their Content-ID. Each header is read
// once, when the first is asked for. The zero partIDs is ready to use, by several
// goroutines at once.
type partIDs struct {
	mu sync.Mutex
	by map[identity]*bearers // nil until it is complete
}

// find returns the parts in the message that root is which have a Content-ID and
// are no references themselves; nil if there is none.
func (s *source) find(ctx context.Context, root *mimescan.Part, id string) (*bearers, error) {
	s.ids.mu.Lock()
	defer s.ids.mu.Unlock()
	if s.ids.by == nil {
		by, err := s.readIDs(ctx)
		if err != nil {
			return nil, err
		}
		s.ids.by = by
	}
	return s.ids.by[identity{root, id}], nil
}

// readIDs reads the Content-ID of every part that is no reference.
func (s *source) readIDs(ctx context.Context) (map[identity]*bearers, error) {
	by := make(map[identity]*bearers)
	roots := make(scopes)
	for _, p := range s.parts {
		root := roots.of(p)
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
		f, ok := mimescan.Lookup(header, "Content-ID", 0)
		if !ok {
			continue
		}
		k := identity{root, parseContentID(unfold(f.Value))}
		if k.id == "" {
			continue
		}
		if by[k] == nil {
			by[k] = &bearers{}
		}
		by[k].add(p)
	}
	return by, nil
}

// refIDs has the first Reference of each source with a Content-ID. The zero refIDs
// is ready to use, by several goroutines at once.
type refIDs struct {
	once sync.Once
	by   map[refIdentity]*Reference
}

type refIdentity struct {
	source *source
	identity
}

// reference returns the first Reference in the message that root is, of a source,
// that has a Content-ID; nil if there is none.
func (m *Message) reference(s *source, root *mimescan.Part, id string) *Reference {
	m.ids.once.Do(func() {
		m.ids.by = make(map[refIdentity]*Reference)
		roots := make(scopes)
		for _, ref := range m.refs {
			k := refIdentity{ref.source, identity{roots.of(ref.part), ref.ContentID}}
			if k.id != "" && m.ids.by[k] == nil {
				m.ids.by[k] = ref
			}
		}
	})
	return m.ids.by[refIdentity{s, identity{root, id}}]
}

// scopes remembers what scope returned for the multiparts that it saw, so that the
// scope of each part of a message is found in time that does not depend on the
// depth.
type scopes map[*mimescan.Part]*mimescan.Part

// of returns the part that the message of p consists of.
func (c scopes) of(p *mimescan.Part) *mimescan.Part {
	var passed []*mimescan.Part
	for inMultipart(p) {
		p = p.Parent
		if root, ok := c[p]; ok {
			p = root
			break
		}
		passed = append(passed, p)
	}
	for _, q := range passed {
		c[q] = p
	}
	return p
}
