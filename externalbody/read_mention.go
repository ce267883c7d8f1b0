package externalbody

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

// maxMentions bounds the URLs in all text/plain parts that are compared with what was
// found.
const maxMentions = 100_000

// readMentions finds the places in text/plain parts that name what was found elsewhere
// in the message. These are in the twin of a block in HTML, where a link has no mark
// that tells it from others.
func (rd *reader) readMentions() error {
	if len(rd.found.links) == 0 || rd.texts == nil {
		return nil
	}
	hosts := rd.found.linkHosts()
	left := maxMentions
	for _, part := range rd.texts.plainParts {
		body := rd.openText(part)
		if body.err != nil {
			return body.err
		}
		if !body.long && !hosts.mayNameOne(body.small) {
			continue
		}
		header, err := part.s.header(part.p)
		if err != nil {
			return err
		}
		e := newEntity(part.s, part.p, header)
		section := part.p.Section()
		mention := func(url string, start, end int64, quoted bool) bool {
			if left--; left < 0 {
				return false
			}
			ref := NewMention(url)
			known := rd.found.links[rd.found.destination(part.p, ref.destination(section))]
			if known == nil || !known.known {
				return false
			}
			ref.Origins[0].Start, ref.Origins[0].End = start, end
			ref.Quoted = quoted
			rd.add(&rd.opts.Dialects[known.places[0].dialect], e, ref, section)
			return true
		}
		if err := body.walkURLs(rd, e, hosts.mayNameOne, func(t *Token) {
			if t.Kind == EndToken {
				return
			}
			if t.Wrapped && rd.found.isElsewhere(part.p, destinationOf(t.Text, section)) && !rd.found.isElsewhere(part.p, destinationOf(t.Longer, section)) {
				rd.found.drop(part.p, destinationOf(t.Longer, section), t.Start)
				mention(t.Text, t.Start, t.End, t.Quoted)
				return
			}
			if t.Wrapped && mention(t.Longer, t.Start, t.LongerEnd, t.Quoted) || mention(t.Text, t.Start, t.End, t.Quoted) {
				return
			}
			if t.Longer != "" && !t.Wrapped {
				mention(t.Longer, t.Start, t.LongerEnd, t.Quoted)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// destinationOf returns where url leads; see Reference.destination.
func destinationOf(url, section string) string { return NewMention(url).destination(section) }

// isElsewhere reports whether a part other than p names something that leads there.
func (f *findings) isElsewhere(p *message.Part, where string) bool {
	found := f.links[f.destination(p, where)]
	return found != nil && slices.ContainsFunc(found.places, func(l place) bool { return l.part != f.parts[p] })
}

// drop drops the place in p that begins at start and leads there.
func (f *findings) drop(p *message.Part, where string, start int64) {
	found := f.links[f.destination(p, where)]
	if found == nil {
		return
	}
	found.places = slices.DeleteFunc(found.places, func(l place) bool { return l.part == f.parts[p] && l.origin.Start == start })
	if len(found.places) == 0 && found.known {
		found.known = false
		f.known--
	}
}

// linkHosts has the hosts that links of a message lead to, without "www.".
type linkHosts struct {
	names map[string]bool
	any   bool // any other host as well
}

// linkHosts returns the hosts of what Dialects found.
func (f *findings) linkHosts() *linkHosts {
	h := &linkHosts{names: make(map[string]bool)}
	for _, found := range f.links {
		v, _ := found.places[0].ref.Param("url")
		text, err := urlaccess.Decode(v)
		if scheme, ok := urlaccess.Scheme(text); err == nil && (!ok || scheme != "http" && scheme != "https") {
			continue
		}
		u, ok := weburl.Parse(text)
		if err != nil || !ok {
			h.any = true
			return h
		}
		h.names[strings.TrimPrefix(u.Host, "www.")] = true
	}
	return h
}

// mayNameOne reports whether text has a URL at one of the hosts, or one that wraps
// others. It also reports true if text has something that may be such a URL: one whose
// host has other octets than letters, digits and hyphens, or ends with its line.
func (h *linkHosts) mayNameOne(text []byte) bool {
	if h.any {
		return true
	}
	for {
		n := bytes.Index(text, []byte("://"))
		if n < 0 {
			return false
		}
		text = text[n+len("://"):]
		end := 0
		for end < len(text) && inHost[text[end]] {
			end++
		}
		if end == len(text) || !endsHost[text[end]] || h.mayBeOne(text[:end], text[end:]) {
			return true
		}
		text = text[end:]
	}
}

// mayBeOne is mayNameOne for a host and what follows it.
func (h *linkHosts) mayBeOne(host, rest []byte) bool {
	if len(host) > maxHostName || bytes.Contains(host, []byte("--")) {
		return true // it stands for letters outside of ASCII
	}
	var buf [maxHostName]byte
	for i, c := range host {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	name := bytes.TrimSuffix(buf[:len(host)], []byte("."))
	if h.names[string(bytes.TrimPrefix(name, []byte("www.")))] {
		return true
	}
	if rest[0] == ':' {
		return true // the path is behind the port
	}
	return unwrap.MayWrap(string(name), string(rest[:min(len(rest), unwrap.MaxPath)]))
}

// maxHostName bounds the host names that are compared.
const maxHostName = 256

// inHost has the octets of a host name. endsHost has those that end it where no line is
// broken.
var (
	inHost   = octetTable("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
	endsHost = octetTable("/?#:>\"")
)

func octetTable(octets string) (t [256]bool) {
	for _, c := range []byte(octets) {
		t[c] = true
	}
	return t
}
