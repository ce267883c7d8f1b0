package externalbody

import (
	"strings"
)

// A Header is a block of header fields in order. The zero value has no fields.
type Header []Field

// A Field is a header field.
type Field struct {
	Name  string // as written
	Value string // with line ends removed, and without white space at its ends
}

// Get returns the value of the first field of that name, or "". Names are compared
// without regard to case.
func (h Header) Get(name string) string {
	v, _ := h.lookup(name)
	return v
}

func (h Header) lookup(name string) (string, bool) {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

// count returns how many fields of that name there are.
func (h Header) count(name string) int {
	n := 0
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			n++
		}
	}
	return n
}
