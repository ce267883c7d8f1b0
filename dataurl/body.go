package dataurl

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// chunk is the number of octets of text that are decoded at a time. The output of one
// step is then still in the processor's cache for the next.
const chunk = 8 << 10

// minRoom is the length of the shortest buffer that body.next decodes into.
const minRoom = 16

// A body decodes the body of a URL, step by step. It does the work of the URL parser
// and then of the data: URL processor: it drops tabs and line breaks, ends at the
// fragment, decodes escapes, and decodes base64.
type body struct {
	text   string
	base64 bool
	pos    int    // how much of text is decoded
	done   bool   // all of it is, or there is a fault
	fault  *Error // nil if there is none so far

	// The fields of base64.
	group  [4]byte // characters of a group that is not complete
	held   int     // how many
	broken bool    // the text before pos was not base64 and nothing else

	// The fields of other bodies.
	stops [len(stops)]int // where the next of each of stops is, at most limit
	limit int             // how far was looked
}

// stops are the characters that percent-decoding alone cannot decode.
const stops = "\t\n\r#"

// appendTo decodes all that is left and appends it to dst.
func (b *body) appendTo(dst []byte) []byte {
	for !b.done {
		if room := dst[len(dst):cap(dst)]; len(room) >= minRoom {
			dst = dst[:len(dst)+b.next(room)]
			continue
		}
		// There may be nothing left to make room for.
		few, n := b.few()
		dst = append(dst, few[:n]...)
	}
	return dst
}

// next decodes some of the text into dst, which has a length of minRoom at
// least, and returns the number of octets. It writes to any part of dst.
func (b *body) next(dst []byte) int {
	if !b.base64 {
		return b.nextText(dst)
	}
	if !b.broken && b.held == 0 {
		if n := b.nextClean(dst); n > 0 {
			return n
		}
	}
	return b.nextBase64(dst)
}

// few is next for up to three octets.
func (b *body) few() (octets [3]byte, n int) {
	if !b.base64 {
		n = b.nextText(octets[:])
		return octets, n
	}
	var group [4]byte
	n, b.pos, _ = b.characters(group[:])
	if n == len(group) {
		b.held = 0
		octets, _ = base64x.DecodeGroup(group)
		return octets, len(octets)
	}
	b.group, b.held = group, n
	n = b.finish(octets[:])
	return octets, n
}

// nextText is next for a body that is not base64.
func (b *body) nextText(dst []byte) (n int) {
	for n < len(dst) && !b.done {
		end := b.segment()
		nd, ns := percent.Decode(dst[n:], b.text[b.pos:end])
		n, b.pos = n+nd, b.pos+ns
		switch {
		case n == len(dst):
		case b.pos == len(b.text) || b.text[b.pos] == '#':
			b.done = true
		case isBreak(b.text[b.pos]):
			b.pos++
		case b.text[b.pos] == '%':
			// The rest of the escape, if it is one, is beyond end.
			dst[n], b.pos = b.escape(b.pos)
			n++
		}
	}
	return n
}

// segment returns where the next of the stops is, or a place before it up to which
// decoding is worth it.
func (b *body) segment() int {
	beyond := b.pos >= b.limit
	if beyond {
		b.limit = min(b.pos+chunk, len(b.text))
	}
	end := b.limit
	for i := range len(stops) {
		if beyond || b.stops[i] < b.pos {
			b.stops[i] = b.limit
			if k := strings.IndexByte(b.text[b.pos:b.limit], stops[i]); k >= 0 {
				b.stops[i] = b.pos + k
			}
		}
		end = min(end, b.stops[i])
	}
	return end
}

// escape decodes the escape at pos. It returns the octet, which is
// "%" if that is literal, and where the text goes on.
func (b *body) escape(pos int) (v byte, next int) {
	next = pos + 1
	for range 2 {
		for next < len(b.text) && isBreak(b.text[next]) {
			next++
		}
		if next == len(b.text) {
			return '%', pos + 1
		}
		digit, ok := percent.Unhex(b.text[next])
		if !ok {
			return '%', pos + 1
		}
		v = v<<4 | digit
		next++
	}
	return v, next
}

// nextClean is next for base64 without white space and escapes. It returns 0 if
// it finds none.
func (b *body) nextClean(dst []byte) int {
	rest, last := b.text[b.pos:], ""
	if len(rest) > chunk {
		rest = rest[:chunk]
	} else if n := len(rest) - 4; n >= 0 && rest[n+3] == '=' {
		rest, last = rest[:n], rest[n:]
	}
	groups := min(len(rest)/4, len(dst)/3)
	n, ok := base64x.DecodeString(dst, rest[:4*groups])
	if !ok {
		b.broken = true
		return 0
	}
	b.pos += 4 * groups
	if last != "" && 4*groups == len(rest) && len(dst)-n >= 2 {
		n += b.nextPadded(dst[n:], last)
	}
	return n
}

// nextPadded decodes the last group, if it is one with padding. It returns 0 if
// it is not.
func (b *body) nextPadded(dst []byte, group string) int {
	n := 3
	if group[2] == '=' {
		n = 2
	}
	copy(b.group[:], group)
	tail, ok := base64x.AppendTail(dst[:0], b.group[:n])
	if !ok {
		return 0
	}
	b.pos, b.done = len(b.text), true
	return len(tail)
}

// nextBase64 is next for base64. It copies the characters to dst and decodes them in
// place.
func (b *body) nextBase64(dst []byte) int {
	dst = dst[:min(len(dst), chunk)&^3]
	held := b.held
	n, pos, end := b.fill(dst)
	octets, ok := b.decodeGroups(dst, n)
	if !ok {
		n, pos, end = b.characters(dst)
		octets, _ = b.decodeGroups(dst, n)
	}
	b.broken = held+pos-b.pos > n
	b.pos = pos
	if end {
		octets += b.finish(dst[octets:])
	}
	return octets
}

// decodeGroups decodes the first n octets of buf in place. It keeps an incomplete last
// group. If not all n are of the alphabet, it returns false and changes nothing.
func (b *body) decodeGroups(buf []byte, n int) (octets int, ok bool) {
	var group [4]byte
	whole := n &^ 3
	held := copy(group[:], buf[whole:n])
	octets, ok = base64x.Decode(buf, buf[:whole])
	if !ok {
		return 0, false
	}
	for _, c := range group[:held] {
		if !base64x.IsAlphabet(c) {
			return 0, false
		}
	}
	b.group, b.held = group, held
	return octets, true
}

// fill puts into buf the group that was kept and the text after it without white
// space. It returns the number of characters, where the
// text goes on, and whether it ends there.
func (b *body) fill(buf []byte) (n, pos int, end bool) {
	n, pos = copy(buf, b.group[:b.held]), b.pos
	for n < len(buf) {
		k := base64x.Run(buf[n:], b.text[pos:])
		n, pos = n+k, pos+k
		if n == len(buf) {
			break
		}
		if pos == len(b.text) || b.text[pos] == '#' {
			return n, pos, true
		}
		var c byte
		c, pos = b.character(pos)
		if !isSpace(c) {
			buf[n] = c
			n++
		}
	}
	return n, pos, false
}

// characters is fill that stops, as at an end, before the first character that
// is not of the alphabet.
func (b *body) characters(buf []byte) (n, pos int, end bool) {
	n, pos, end = b.fill(buf)
	for i, c := range buf[:n] {
		if !base64x.IsAlphabet(c) {
			n, pos, _ = b.fill(buf[:i])
			return n, pos, true
		}
	}
	return n, pos, end
}

// character returns the character at pos, escaped or not, and where the text
// goes on.
func (b *body) character(pos int) (c byte, next int) {
	if c = b.text[pos]; c == '%' {
		return b.escape(pos)
	}
	return c, pos + 1
}

// finish decodes an incomplete group into dst, which has room,
// and checks that nothing but the right padding follows (Infra,
// forgiving-base64 decode, steps 2 to 4).
func (b *body) finish(dst []byte) int {
	b.done = true
	pads, pos := 0, b.pos
	for pos < len(b.text) && b.text[pos] != '#' {
		c, next := b.character(pos)
		switch {
		case isSpace(c):
		case c == '=' && b.held >= 2 && b.held+pads < 4:
			pads++
		default:
			b.fault = &Error{BadBase64, pos}
			return 0
		}
		pos = next
	}
	tail, ok := base64x.AppendTail(dst[:0], b.group[:b.held])
	if !ok || pads > 0 && b.held+pads < 4 {
		b.fault = &Error{BadBase64, pos}
		return 0
	}
	return len(tail)
}

// isSpace reports whether c is ASCII whitespace, which forgiving-base64 decode
// removes.
func isSpace(c byte) bool { return c == ' ' || c == '\f' || isBreak(c) }
