package sharelink

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A page is a URL that rules are tried at.
type page struct {
	u        weburl.URL
	segments []string
	text     string // the normal form of u, or "" until it was needed
	link     string // text without its fragment
}

func (p *page) normal() string {
	if p.text == "" {
		p.text = p.u.String()
		p.link, _, _ = strings.Cut(p.text, "#")
	}
	return p.text
}

// found has the facts with which a form was evaluated.
type found struct {
	env  verbs.Env
	form *form
}

// read returns the Link that a URL is if it has the shape of r, and puts the findings into f. Otherwise it
// returns nil. shaped is true without a Link if only the ID is not one of r. The host of the
// URL is one of r.
func (r *rule) read(p *page, f *found) (l *Link, shaped bool) {
	if len(r.hosts) > 0 && p.u.Port != r.port {
		return nil, false
	}
	for _, pattern := range r.paths {
		var s shape
		if !s.match(pattern, p.segments) {
			continue
		}
		if r.param != "" {
			s.id, _ = p.u.Param(r.param)
			if s.id == "" {
				continue
			}
		}
		if r.mark != "" && !strings.Contains(strings.ToLower(p.normal()), r.mark) {
			continue // escapes hide it
		}
		p.normal()
		for i := range r.cases {
			f.form = &r.cases[i]
			f.env = verbs.Env{}
			s.put(&f.env, p)
			l, is := f.read(r.provider, pattern)
			if l != nil {
				return l, true
			}
			shaped = shaped || is
		}
	}
	return nil, shaped
}

// read is read for a form.
func (f *found) read(provider, pattern string) (l *Link, shaped bool) {
	c := f.form
	e := &f.env
	e.Defs = c.take
	for _, a := range c.when {
		if !e.Holds(a) {
			return nil, false
		}
	}
	for _, a := range c.unless {
		if e.Holds(a) {
			return nil, false
		}
	}
	id, ok := e.Get(verbs.ID)
	if c.ownID && !ok {
		return nil, false
	}
	kind := c.kind
	if kind == "" {
		i := slices.IndexFunc(c.kinds, func(k kindIf) bool { return e.Holds(k.when) })
		if i < 0 {
			return nil, false
		}
		kind = c.kinds[i].kind
	}
	if !c.isID(id) {
		return nil, true
	}
	if c.partial {
		id = ""
	}
	l = &Link{
		Provider: provider, Kind: kind, Shape: pattern, ID: id, Size: -1, Once: c.once, Cookies: c.cookies,
		EndToEnd: c.endToEnd, Rendition: c.rendition,
	}
	l.Name, _ = e.Get(verbs.Name)
	if c.more != nil {
		f.addFacts(l)
	}
	if l.Kind != Folder {
		f.addDirect(l)
	}
	return l, true
}

// addDirect adds the URL that gives the octets, or why there is none.
func (f *found) addDirect(l *Link) {
	c := f.form
	e := &f.env
	l.Direct, _ = e.Value(c.direct)
	if l.Direct != "" {
		return
	}
	switch {
	case c.ask != nil:
		l.Ask, _ = e.Value(c.ask)
	case c.find != nil && c.direct == nil:
		l.Ask = e.Written
	}
	if l.Ask == "" {
		l.Needs = c.needs
	}
}

// addFacts adds the facts that few forms have.
func (f *found) addFacts(l *Link) {
	e := &f.env
	m := f.form.more
	l.Cut = m.whole != nil && !e.Holds(m.whole)
	l.MediaType = m.mediaType
	l.FallbackType = m.fallbackType
	l.Fallback, _ = e.Value(m.fallback)
	if size, fault := e.Value(m.size); fault == verbs.OK {
		if n, err := strconv.ParseInt(size, 10, 64); err == nil && n > 0 {
			l.Size = n
		}
	}
	expires, _ := e.Value(m.expires)
	l.expire(expires, time.Second)
	expires, _ = e.Value(m.expireMS)
	l.expire(expires, time.Millisecond)
}

// expire sets the Expiration to a number of units since 1970. A text that is not such a number
// sets nothing.
func (l *Link) expire(text string, unit time.Duration) {
	per := int64(time.Second / unit)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && 0 < n && n < maxEpoch*per {
		l.Expiration = time.Unix(n/per, n%per*int64(unit)).UTC()
	}
}

// maxEpoch is the end of the year 9999, in seconds since 1970. Larger numbers are not
// taken for a date.
const maxEpoch = 253402300799

// isID reports whether an ID is one of the form. "" means that the URL has no such piece.
func (c *form) isID(id string) bool {
	if id == "" {
		return true
	}
	if text, _ := weburl.Decode(id); text != "" {
		id = text
	}
	if c.token != nil {
		if _, ok := c.token.Match(id); !ok {
			return false
		}
	}
	if c.random {
		return !slices.Contains(pageNames, strings.ToLower(id))
	}
	if c.token != nil && c.min == 0 {
		return true
	}
	return len(id) >= c.min && !isWord(id)
}

// isWord reports whether an ID, up to its first period, may be the name of a page: words of
// ASCII letters with hyphens between, or 12 and more letters with few capitals. Small letters
// alone are not a word if there are 15 or more, or if five consonants are in a row.
func isWord(id string) bool {
	id, _, _ = strings.Cut(id, ".")
	small := 0
	capitals := 0
	alone := true
	followed := true
	consonants := 0
	most := 0
	for i, c := range []byte(id) {
		if strings.IndexByte("bcdfghjklmnpqrstvwxz", c) < 0 {
			consonants = -1
		}
		consonants++
		most = max(most, consonants)
		switch {
		case isSmall(c):
			small++
		case 'A' <= c && c <= 'Z':
			capitals++
			alone = alone && (i == 0 || isHyphen(id[i-1]))
			followed = followed && i+1 < len(id) && isSmall(id[i+1])
		case !isHyphen(c):
			return false
		}
	}
	switch {
	case small == len(id) && (small >= 15 || most >= 5):
		return false
	case len(id) >= 12 && 4*capitals <= len(id)+2:
		return small > 0 && followed
	}
	return alone
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

func isHyphen(c byte) bool { return strings.IndexByte("-_~!", c) >= 0 }

// A shape has the pieces of a path that a pattern found, as written.
type shape struct {
	id, owner, typ, name string
	rest                 []string // for "*"
}

// put gives the pieces to an Env.
func (s *shape) put(e *verbs.Env, p *page) {
	e.At = p.u
	e.Written = p.text
	e.Rest = s.rest
	e.SetLink(p.link, p.segments)
	if s.id != "" {
		e.Put(verbs.ID, s.id)
	}
	if s.owner != "" {
		e.Put(verbs.Owner, s.owner)
	}
	if s.typ != "" {
		e.Put(verbs.Type, s.typ)
	}
	if s.name != "" {
		e.PutEscaped(verbs.Name, s.name)
	}
}

// match matches a pattern against the segments of a path. Segments are compared
// octet for octet; one that ends with ".aspx" is compared in any case of letters.
// These segments of a pattern are special:
//
//	{id} {owner} {type}  a token, which is kept
//	{name}               one segment, which is kept
//	{}                   one segment
//	*                    any number of segments, at the end, which are kept
//
// See [verbs.IsToken] for tokens.
func (s *shape) match(pattern string, segments []string) bool {
	if pattern == "/" || pattern == "" {
		return len(segments) == 0
	}
	for want := range strings.SplitSeq(pattern[1:], "/") {
		if want == "*" {
			s.rest = segments
			return true
		}
		if len(segments) == 0 {
			return false
		}
		got := segments[0]
		segments = segments[1:]
		switch want {
		case "{id}":
			s.id = got
		case "{owner}":
			s.owner = got
		case "{type}":
			s.typ = got
		case "{name}":
			s.name = got
			continue
		case "{}":
			continue
		default:
			if got != want && !(strings.HasSuffix(want, ".aspx") && strings.EqualFold(got, want)) {
				return false
			}
			continue
		}
		if !verbs.IsToken(got) {
			return false
		}
	}
	return len(segments) == 0
}
