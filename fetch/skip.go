package fetch

import (
	"bytes"
	"hash/maphash"
)

// maxTail bounds the octets at the end of the body so far that are compared with the ones that come again.
const maxTail = 32 << 10

// A given is about the octets of a body that were given out, as far as they may come again: from the start
// of the body, or the last ones of them. The key of the hash is random, so that no server can aim at it.
type given struct {
	hash maphash.Hash // of all
	tail []byte       // at least the last maxTail of them
}

// add takes the next octets.
func (g *given) add(p []byte) {
	g.hash.Write(p)
	p = p[max(len(p)-maxTail, 0):]
	if len(g.tail)+len(p) > 2*maxTail {
		g.tail = append(g.tail[:0], g.tail[len(g.tail)-min(len(g.tail), maxTail):]...)
	}
	g.tail = append(g.tail, p...)
}

// A skip passes over octets that come again, and compares them.
type skip struct {
	given *given
	left  int64
	whole bool         // they begin at the start of the body
	hash  maphash.Hash // of those that came, if whole
}

// newSkip returns a skip of the last n of the size octets in g. It reports whether they can be compared.
func newSkip(g *given, n, size int64) (skip, bool) {
	s := skip{given: g, left: n, whole: n == size}
	s.hash.SetSeed(g.hash.Seed())
	return s, s.whole || n <= int64(min(len(g.tail), maxTail))
}

// pass takes octets that came, and returns how many of them come again. It reports whether these are the
// ones that were given out.
func (s *skip) pass(p []byte) (n int, same bool) {
	n = int(min(s.left, int64(len(p))))
	if s.whole {
		s.hash.Write(p[:n])
		s.left -= int64(n)
		return n, s.left > 0 || s.hash.Sum64() == s.given.hash.Sum64()
	}
	rest := s.given.tail[int64(len(s.given.tail))-s.left:]
	s.left -= int64(n)
	return n, bytes.Equal(rest[:n], p[:n])
}
