// Package bounded bounds by count the JSON and XML that strangers write. A value of two octets, such as each in
// [0,0,0], takes a hundred once it is decoded, so that a bound on octets alone does not bound memory.
//
// A count is the one of the octets as they stream: text over the bound is refused before it is decoded.
package bounded

import (
	"encoding/json"
	"errors"
	"io"
)

// ErrMany is the error of a text with more values, or of a tag with more words, than are read.
var ErrMany = errors.New("it has more values than are read")

// JSON decodes a text as [json.Unmarshal] does. The error is [ErrMany], and nothing is decoded, if the text has more
// than most values.
func JSON(text []byte, v any, most int) error {
	if !(&values{most: most}).take(text) {
		return ErrMany
	}
	return json.Unmarshal(text, v)
}

// Values returns a reader of a JSON text in r, which ends with [ErrMany] where the text has more than most values.
func Values(r io.Reader, most int) io.Reader {
	return &reader{r: r, take: (&values{most: most}).take}
}

// Tags returns a reader of an XML text in r, which ends with [ErrMany] where a tag has more than most words. An
// attribute has at least one.
func Tags(r io.Reader, most int) io.Reader {
	return &reader{r: r, take: (&words{most: most}).take}
}

// A reader ends where take reports false.
type reader struct {
	r    io.Reader
	take func([]byte) bool
	over bool
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	if r.over {
		return 0, ErrMany
	}
	n, err := r.r.Read(p)
	if !r.take(p[:n]) {
		r.over = true
		return 0, ErrMany
	}
	return n, err
}

// values counts the values of a JSON text (RFC 8259): all but the first one of a list or an object follow a comma,
// and each list and each object begins with a bracket of its own.
type values struct {
	most, n int
	quoted  bool
	escaped bool
}

// take counts those in the next octets, and reports whether there are no more than the bound.
func (v *values) take(p []byte) bool {
	for _, c := range p {
		switch {
		case v.escaped:
			v.escaped = false
		case c == '"':
			v.quoted = !v.quoted
		case v.quoted:
			v.escaped = c == '\\'
		case c == ',' || c == '[' || c == '{':
			v.n++
		}
	}
	return v.n < v.most
}

// words counts the words of one XML tag: its name, the names of its attributes, and values without quotes. A "<"
// within quotes is an error of XML, so that each one may start a tag.
type words struct {
	most, n int
	tag     bool
	word    bool
	quote   byte // 0 outside of quotes
}

// take counts those in the next octets, and reports whether no tag has more than the bound.
func (w *words) take(p []byte) bool {
	for _, c := range p {
		switch {
		case c == '<':
			*w = words{most: w.most, tag: true}
		case !w.tag:
		case w.quote != 0:
			if c == w.quote {
				w.quote = 0
			}
		case c == '"' || c == '\'':
			w.quote = c
			w.word = false
		case c == '>':
			w.tag = false
		case c <= ' ' || c == '=' || c == '/':
			w.word = false
		case !w.word:
			w.word = true
			w.n++
		}
		if w.n > w.most {
			return false
		}
	}
	return true
}
