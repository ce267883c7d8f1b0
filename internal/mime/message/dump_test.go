package message

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// smallestWindow is the smallest window that the scanner works with.
const smallestWindow = maxDelimiter + lookBehind

// scanWith is Scan with a window of that size.
func scanWith(t testing.TB, r io.ReaderAt, size int64, limits Limits, window int) *Index {
	t.Helper()
	s := newScanner(r, Span{0, size}, &budget{limits: limits.withDefaults()}, window)
	defer s.release()
	x, err := s.scan()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// mustScan scans text, checks the rules for every index, and that the index does
// not depend on how the text falls into the window.
func mustScan(t testing.TB, text string, limits Limits) *Index {
	t.Helper()
	x, err := Scan(strings.NewReader(text), int64(len(text)), limits)
	if err != nil {
		t.Fatal(err)
	}
	check(t, x, text)
	for _, window := range []int{smallestWindow, smallestWindow + 7} {
		small := scanWith(t, strings.NewReader(text), int64(len(text)), limits, window)
		if got, want := spans(small), spans(x); got != want {
			t.Errorf("with a window of %d octets:\n%s\nwith a large one:\n%s", window, got, want)
		}
	}
	return x
}

// check fails if the pieces of x are not text, if a span is not within the body of
// the parent, or if two parts have the same section.
func check(t testing.TB, x *Index, text string) {
	t.Helper()
	if x.Size != int64(len(text)) {
		t.Errorf("size %d, want %d", x.Size, len(text))
	}
	end := int64(0)
	var joined strings.Builder
	for _, p := range x.pieces() {
		if p.span.Start != end {
			t.Fatalf("%s of %q: got %v, want octets that begin at %d", p.kind, p.part.Section(), p.span, end)
		}
		end = p.span.End
		joined.WriteString(text[p.span.Start:end])
	}
	if joined.String() != text {
		t.Errorf("pieces join to %q, want %q", joined.String(), text)
	}
	sections := map[string]bool{}
	for _, p := range x.Parts {
		section := p.Section()
		if sections[section] {
			t.Errorf("got two parts %q, want one", section)
		}
		sections[section] = true
		checkPart(t, p)
		if p == x.Root() {
			continue
		}
		outer := p.Parent.Body
		if e := p.Entity(); e.Start < outer.Start || e.End > outer.End {
			t.Errorf("part %q: got %v, want it within %v", section, e, outer)
		}
		if p.Depth != p.Parent.Depth+1 {
			t.Errorf("part %q has depth %d below %d, want %d", section, p.Depth, p.Parent.Depth, p.Parent.Depth+1)
		}
	}
}

func checkPart(t testing.TB, p *Part) {
	t.Helper()
	section := p.Section()
	if p.Header.Start > p.Header.End || p.Header.End != p.Blank.Start || p.Blank.End != p.Body.Start || p.Body.Start > p.Body.End {
		t.Errorf("part %q: got header %v, blank %v, body %v; want one after the other", section, p.Header, p.Blank, p.Body)
	}
	if p.Delimiter.Len() > 0 && p.Delimiter.End != p.Header.Start {
		t.Errorf("part %q: got the delimiter %v, want its end at %d", section, p.Delimiter, p.Header.Start)
	}
	if c := p.ContentType; c.Len() > 0 && (c.Start < p.Header.Start || c.End > p.Header.End) {
		t.Errorf("part %q: got Content-Type %v, want it within the header %v", section, c, p.Header)
	}
	if p.kind == kindMultipart && (p.Preamble.Start != p.Body.Start || p.Close.End != p.Epilogue.Start || p.Epilogue.End != p.Body.End) {
		t.Errorf("part %q: got preamble %v, close %v, epilogue %v; want them at the ends of the body %v", section, p.Preamble, p.Close, p.Epilogue, p.Body)
	}
}

// spans is an index as text, for comparing.
func spans(x *Index) string {
	var b strings.Builder
	for _, p := range x.Parts {
		fmt.Fprintln(&b, p.Section(), p.Type, p.Encoding, p.Encoded, p.Diag, p.Depth,
			p.Delimiter, p.Header, p.Blank, p.Body, p.ContentType, p.Preamble, p.Close, p.Epilogue)
	}
	fmt.Fprintln(&b, x.Limit)
	return b.String()
}

// tree is an index as a table of tests has it: a line a part, with section, type,
// encoding, faults, and the texts that are not empty.
func tree(x *Index, text string) string {
	var b strings.Builder
	for _, p := range x.Parts {
		fmt.Fprintf(&b, "%s%q %s", strings.Repeat("  ", p.Depth), p.Section(), p.Type)
		if p.Encoding != Identity {
			fmt.Fprintf(&b, " %v", p.Encoding)
		}
		if p.Encoded {
			b.WriteString(" encoded")
		}
		if p.Diag != 0 {
			fmt.Fprintf(&b, " (%v)", p.Diag)
		}
		switch p.kind {
		case kindMultipart:
			if p.Preamble.Len() > 0 {
				fmt.Fprintf(&b, " pre %q", text[p.Preamble.Start:p.Preamble.End])
			}
			if p.Epilogue.Len() > 0 {
				fmt.Fprintf(&b, " epi %q", text[p.Epilogue.Start:p.Epilogue.End])
			}
		case kindLeaf, kindUnseen:
			fmt.Fprintf(&b, " %q", text[p.Body.Start:p.Body.End])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lines joins the lines of an expected tree.
func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

// A repeated is a source of head, then unit count times, then tail, that is not in
// memory.
type repeated struct {
	head, unit string
	count      int64
	tail       string
}

func (p repeated) size() int64 {
	return int64(len(p.head)) + int64(len(p.unit))*p.count + int64(len(p.tail))
}

func (p repeated) ReadAt(b []byte, off int64) (int, error) {
	body := int64(len(p.head)) + int64(len(p.unit))*p.count
	n := 0
	for n < len(b) && off < p.size() {
		var chunk string
		switch {
		case off < int64(len(p.head)):
			chunk = p.head[off:]
		case off < body:
			chunk = p.unit[(off-int64(len(p.head)))%int64(len(p.unit)):]
		default:
			chunk = p.tail[off-body:]
		}
		c := copy(b[n:], chunk)
		n, off = n+c, off+int64(c)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// crlf returns text with every LF made a CRLF.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// eofReader returns io.EOF together with the last octets, as io.ReaderAt allows.
type eofReader struct{ b []byte }

func (r eofReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := bytes.NewReader(r.b).ReadAt(b, off)
	if off+int64(n) == int64(len(r.b)) {
		err = io.EOF
	}
	return n, err
}

// A piece is a span of a message that is not empty.
type piece struct {
	kind string // the field of Part
	part *Part  // a delimiter line belongs to the part that it starts, a closing one to the multipart
	span Span
}

// pieces returns the pieces of the message in order. Each starts at the end of the one
// before; the first starts at 0, and the last ends at Size.
func (x *Index) pieces() (list []piece) {
	var walk func(p *Part)
	walk = func(p *Part) {
		add := func(kind string, s Span) {
			if s.Len() > 0 {
				list = append(list, piece{kind, p, s})
			}
		}
		add("delimiter", p.Delimiter)
		add("header", p.Header)
		add("blank", p.Blank)
		switch p.kind {
		case kindMultipart:
			add("preamble", p.Preamble)
		case kindLeaf, kindUnseen:
			add("body", p.Body)
		}
		for c := range p.Children() {
			walk(c)
		}
		add("close", p.Close)
		add("epilogue", p.Epilogue)
	}
	walk(x.Root())
	return list
}
