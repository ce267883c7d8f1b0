package dataurl

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A decoder decodes the body of a URL, piece by piece. It does the work of the URL
// parser and then of the data: URL processor: it drops tabs, line breaks and the
// blanks at the end, ends at the fragment, decodes escapes, and decodes base64.
type decoder struct {
	base64 bool
	check  *checker // nil unless strict
	fault  error

	offset  int     // the number of octets of the text so far, without the fragment
	ended   bool    // the fragment has started
	blank   []byte  // spaces and controls, which the text may end with
	escape  [3]byte // an escape that is not complete
	escaped int     // octets of escape
	start   int     // the offset of escape

	// The fields of base64.
	group   [4]byte // characters of a group that is not complete
	held    int     // characters of group
	pads    int
	broken  bool // the text has more than base64
	ragged  bool // the text has more than base64 and line breaks
	careful bool // the text has more than base64, white space and escapes
}

// decodeShort appends the body of u to dst if it is short and nothing but base64. To make a decoder takes longer than
// to decode such a body.
func decodeShort(dst []byte, u *URL) (out []byte, ok bool) {
	const short = 256
	text := u.Encoded
	if !u.Base64 || len(text) > short {
		return nil, false
	}
	if len(text)%4 == 0 {
		for range 2 {
			text = strings.TrimSuffix(text, "=")
		}
	}
	whole := len(text) &^ 3
	room := dst[len(dst):cap(dst)]
	if len(room) < u.decodedLen() {
		return nil, false
	}
	n, ok := base64x.DecodeString(room, text[:whole])
	if !ok {
		return nil, false
	}
	return base64x.AppendTail(dst[:len(dst)+n], text[whole:])
}

// decode appends the octets that the next piece of the text encodes to dst. It may use
// all the capacity of dst.
func (d *decoder) decode(dst []byte, text string) []byte {
	for text != "" && d.fault == nil && !d.ended {
		n := 0
		if d.escaped == 0 && len(d.blank) == 0 && d.check == nil {
			dst, n = d.run(dst, text[:min(len(text), chunk)])
		}
		if n == 0 {
			dst = d.next(dst, text[0])
			n = 1
		}
		if !d.ended {
			d.offset += n
		}
		text = text[n:]
	}
	return dst
}

// run decodes as much of the start of text as it can into the room of dst, and
// returns the length of that start.
func (d *decoder) run(dst []byte, text string) (out []byte, n int) {
	room := dst[len(dst):cap(dst)]
	if d.base64 {
		end := len(text)
		for end > 0 && (text[end-1] == '=' || isSpace(text[end-1])) {
			end--
		}
		nd, ns := d.runBase64(room, text[:end])
		return dst[:len(dst)+nd], ns
	}
	end := runLen(text)
	nd, ns := percent.Decode(room, text[:end])
	return dst[:len(dst)+nd], ns
}

// runLen returns the length of the start of text without a fragment, controls, and spaces at its end.
func runLen(text string) int {
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	n := percent.Printable(text)
	for n > 0 && text[n-1] == ' ' {
		n--
	}
	return n
}

// runBase64 is run for base64. It copies the characters to dst and decodes them in
// place, unless the text so far was base64 alone.
func (d *decoder) runBase64(dst []byte, text string) (nd, ns int) {
	dst = dst[:len(dst)&^3]
	if d.careful || len(dst) == 0 {
		return 0, 0
	}
	if groups := min(len(text)/4, len(dst)/3); d.held == 0 && groups > 0 && !d.broken {
		if nd, ok := base64x.DecodeString(dst, text[:4*groups]); ok {
			return nd, 4 * groups
		}
		d.broken = true
	}
	n := copy(dst, d.group[:d.held])
	if !d.ragged {
		k, used := base64x.LinesString(dst[n:], text)
		n += k
		ns = used
	}
	for d.ragged {
		k := base64x.Run(dst[n:], text[ns:])
		n += k
		ns += k
		if n == len(dst) || ns == len(text) {
			break
		}
		c := text[ns]
		k = 1
		if v, ok := percent.Octet(text[ns:]); ok {
			c = v
			k = 3
		}
		if base64x.IsAlphabet(c) {
			dst[n] = c
			n++
		} else if !isSpace(c) {
			break
		}
		ns += k
	}
	var group [4]byte
	whole := n &^ 3
	held := copy(group[:], dst[whole:n])
	nd, ok := base64x.Decode(dst, dst[:whole])
	for _, c := range group[:held] {
		ok = ok && base64x.IsAlphabet(c)
	}
	if !ok {
		d.careful = d.ragged
		d.ragged = true
		return 0, 0
	}
	d.group = group
	d.held = held
	return nd, ns
}

// next decodes the next octet of the text.
func (d *decoder) next(dst []byte, c byte) []byte {
	if d.check != nil && c != '#' {
		d.fault = d.check.add(c)
		if d.fault != nil {
			return dst
		}
	}
	switch {
	case isBreak(c):
		return dst
	case c <= ' ':
		d.blank = append(d.blank, c)
		return dst
	}
	for i, b := range d.blank {
		dst = d.put(dst, b, d.offset-len(d.blank)+i)
	}
	d.blank = d.blank[:0]
	d.ended = c == '#'
	if d.ended {
		return dst
	}
	return d.put(dst, c, d.offset)
}

// put decodes one character of the text, which is at an offset.
func (d *decoder) put(dst []byte, c byte, at int) []byte {
	if d.escaped == 0 {
		if c != '%' {
			return d.octet(dst, c, at)
		}
		d.start = at
	} else if _, ok := percent.Unhex(c); !ok {
		return d.put(d.literal(dst), c, at)
	}
	d.escape[d.escaped] = c
	if d.escaped++; d.escaped < len(d.escape) {
		return dst
	}
	d.escaped = 0
	v, _ := percent.Octet(string(d.escape[:]))
	return d.octet(dst, v, d.start)
}

// literal appends the characters of an escape that is not complete.
func (d *decoder) literal(dst []byte) []byte {
	n := d.escaped
	d.escaped = 0
	for i := range n {
		dst = d.octet(dst, d.escape[i], d.start+i)
	}
	return dst
}

// octet decodes one octet of the percent-decoded body (Infra, forgiving-base64
// decode).
func (d *decoder) octet(dst []byte, c byte, at int) []byte {
	switch {
	case !d.base64:
		return append(dst, c)
	case isSpace(c) || d.fault != nil:
	case c == '=' && d.held >= 2 && d.held+d.pads < 4:
		d.pads++
		d.careful = true
	case d.pads == 0 && base64x.IsAlphabet(c):
		d.group[d.held] = c
		if d.held++; d.held == len(d.group) {
			d.held = 0
			octets, _ := base64x.DecodeGroup(d.group)
			return append(dst, octets[:]...)
		}
	default:
		d.fault = &Error{badBase64, at}
	}
	return dst
}

// finish decodes the held characters at the end of the text.
func (d *decoder) finish(dst []byte) []byte {
	if d.check != nil && d.fault == nil {
		d.fault = d.check.end()
	}
	dst = d.literal(dst)
	if !d.base64 || d.fault != nil {
		return dst
	}
	out, ok := base64x.AppendTail(dst, d.group[:d.held])
	if !ok || d.pads > 0 && d.held+d.pads < 4 {
		d.fault = &Error{badBase64, d.offset}
		return dst
	}
	return out
}

// isSpace reports whether c is ASCII whitespace, which forgiving-base64 decode
// removes.
func isSpace(c byte) bool { return c == ' ' || c == '\f' || isBreak(c) }
