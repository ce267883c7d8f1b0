package imapbody

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A partial is a message that is put together from sections. It has delimiter lines of
// its own. A single octet stands for the missing rest of a body.
type partial struct {
	text  []byte
	known []message.Span // the octets of the message in it, in order, with others between them
	nodes []laid
	cut   *node // the last one that is in the start of the message; nil if that was not put

	opening bool // Open reads, after the parts were found
	missed  bool // it read something else than known octets
	sealed  bool // nothing else can be read
}

// add puts n, and the nodes below it, at the end.
func (r *partial) add(n *node, find func(Section) []byte) error {
	section := n.place.header()
	header := find(section)
	if header == nil {
		return errMissing(section)
	}
	var body []byte
	if n.size > 0 {
		section := n.place.body(n.size)
		body = find(section)
		if body == nil {
			return errMissing(section)
		}
		if octets(body) < min(n.size, n.told) {
			return &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errShort}
		}
	}
	at := laid{complete: int64(len(body)) < n.size}
	if r.put(header); !ends(header) {
		if len(header) == 0 || len(body) > 0 || !at.complete {
			return &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errors.New("the server sent a header that does not end")}
		}
		// A delimiter line ended the header.
		if header[len(header)-1] != '\n' {
			r.put([]byte("\r\n"))
		}
		r.put([]byte("\r\n"))
	}
	at.body = r.size()
	i := len(r.nodes)
	r.nodes = append(r.nodes, at)
	switch {
	case len(n.children) == 0:
		if r.put(body); !at.complete {
			r.text = append(r.text, '?')
		}
	case n.children[0].place.multipart:
		if err := r.addParts(n.children, scan(header).Root().Boundary, find); err != nil {
			return err
		}
	default:
		if err := r.add(n.children[0], find); err != nil {
			return err
		}
	}
	r.nodes[i].end = r.size()
	return nil
}

// addParts puts the last parts of a multipart, and the end of the multipart, whose header
// names boundary.
func (r *partial) addParts(parts []*node, boundary string, find func(Section) []byte) error {
	if boundary == "" {
		return &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errStructure}
	}
	for _, n := range parts {
		r.text = append(append(append(r.text, "--"...), boundary...), "\r\n"...)
		if err := r.add(n, find); err != nil {
			return err
		}
		r.text = append(r.text, "\r\n"...)
	}
	r.text = append(append(append(r.text, "--"...), boundary...), "--\r\n"...)
	return nil
}

// begin puts the start of the message, which ends in the body of cut, and the nodes
// after that.
func (r *partial) begin(text []byte, cut *node, nodes []*node, find func(Section) []byte) error {
	r.text = append(slices.Clip(text), '?')
	r.known = []message.Span{{End: int64(len(text))}}
	r.nodes = r.nodes[:cut.index+1]
	r.cut = cut
	if cut.index == len(nodes)-1 {
		return nil // nothing is after it, and the multiparts around it need no end
	}
	index := scan(text)
	if len(index.Parts) != cut.index+1 {
		return &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errStructure}
	}
	for n := cut; n.parent != nil; n = n.parent {
		if !n.place.multipart {
			continue
		}
		r.text = append(r.text, "\r\n"...)
		after := slices.Index(n.parent.children, n) + 1
		if err := r.addParts(n.parent.children[after:], index.Parts[n.parent.index].Boundary, find); err != nil {
			return err
		}
	}
	return nil
}

// size returns how many octets were put.
func (r *partial) size() int64 { return int64(len(r.text)) }

// put puts octets of the message at the end.
func (r *partial) put(b []byte) {
	start := r.size()
	r.text = append(r.text, b...)
	end := r.size()
	if last := len(r.known) - 1; last >= 0 && r.known[last].End == start {
		r.known[last].End = end
		return
	}
	r.known = append(r.known, message.Span{Start: start, End: end})
}

// knows reports whether a whole span is of the message.
func (r *partial) knows(s message.Span) bool {
	if s.Len() == 0 {
		return true
	}
	i, _ := slices.BinarySearchFunc(r.known, s.Start, func(k message.Span, start int64) int {
		return cmp.Compare(k.End-1, start)
	})
	return i < len(r.known) && r.known[i].Start <= s.Start && s.End <= r.known[i].End
}

// ReadAt implements [io.ReaderAt].
func (r *partial) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= r.size() {
		return 0, io.EOF
	}
	n := copy(p, r.text[off:])
	if (r.opening || r.sealed) && !r.knows(message.Span{Start: off, End: off + int64(n)}) {
		if r.opening {
			r.missed = true
			return 0, &fetch.Error{Op: "read", Kind: fetch.Local, Err: errOmitted}
		}
		return 0, &fetch.Error{Op: "read", Kind: fetch.Unsupported, Err: externalbody.ErrWholeMessage}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// check returns an error if the parts that were found are not the ones that were put
// together, or if more of a part was read than is known.
func (r *partial) check(index *message.Index, nodes []*node, want needs) error {
	if len(index.Parts) != len(nodes) {
		return errStructure
	}
	if r.cut != nil {
		// These are where they are in the message.
		for i, p := range index.Parts[:r.cut.index] {
			r.nodes[i] = laid{p.Body.Start, p.Body.End, true}
		}
		p := index.Parts[r.cut.index]
		if p.Blank.Len() == 0 || p.Body.Start > r.known[0].End {
			return errCut
		}
		r.nodes[r.cut.index] = laid{body: p.Body.Start, end: r.known[0].End + 1}
	}
	for i, n := range nodes {
		p := index.Parts[i]
		at := r.nodes[i]
		switch {
		case n.parent != nil && p.Parent != index.Parts[n.parent.index], n.parent == nil && p.Parent != nil,
			p.Body.Start != at.body, p.Body.End != at.end && len(n.children) == 0:
			return errStructure
		case !at.complete && want.complete(p, r),
			want.prefix(p) && !r.knows(p.Body.First(maxPrefix)):
			return errCut
		}
	}
	return nil
}

// laid is where a node was put.
type laid struct {
	body, end int64
	complete  bool // all of the body is known
}

// ends reports whether a header ends with an empty line.
func ends(header []byte) bool {
	rest, ok := bytes.CutSuffix(header, []byte("\n"))
	rest = bytes.TrimRight(rest, "\r")
	return ok && (len(rest) == 0 || rest[len(rest)-1] == '\n')
}

// octets returns how many octets b has as servers count them, with line ends of two.
func octets(b []byte) int64 {
	bare := bytes.Count(b, []byte("\n")) - bytes.Count(b, []byte("\r\n"))
	return int64(len(b) + bare)
}

// scan returns the index of text, a start of a message. Reading octets that are at hand
// does not fail.
func scan(text []byte) *message.Index {
	index, _ := message.Scan(bytes.NewReader(text), int64(len(text)), message.Limits{})
	return index
}

var (
	errOmitted   = errors.New("a part that was not fetched is looked at")
	errStructure = errors.New("the message has another structure than the server says")
	errCut       = errors.New("a part has more octets than the server says")
	errShort     = errors.New("the server sent fewer octets than it says")
	errPieces    = errors.New("the server sent a range in pieces")
)

func errMissing(s Section) error {
	return &fetch.Error{Op: "read", Kind: fetch.Protocol, Err: fmt.Errorf("the server did not send BODY[%s]", s.name())}
}
