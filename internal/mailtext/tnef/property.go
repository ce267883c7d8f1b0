package tnef

import (
	"encoding/binary"
	"iter"
)

// A cursor reads little-endian numbers and octets from the start of a slice.
type cursor struct{ rest []byte }

// next returns the next n octets. If there are fewer, it reports false and does not
// move.
func (c *cursor) next(n int) ([]byte, bool) {
	if n < 0 || n > len(c.rest) {
		return nil, false
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b, true
}

// upTo returns the next n octets. If there are fewer, it returns these, and whole is
// false.
func (c *cursor) upTo(n uint32) (b []byte, whole bool) {
	if uint64(n) > uint64(len(c.rest)) {
		b = c.rest
		c.rest = nil
		return b, false
	}
	b, _ = c.next(int(n))
	return b, true
}

func (c *cursor) skip(n int) bool {
	_, ok := c.next(n)
	return ok
}

func (c *cursor) uint32() (uint32, bool) {
	b, ok := c.next(4)
	if !ok {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b), true
}

// The types of properties that are texts (MS-OXCDATA section 2.11.1).
const (
	typeString8 = 0x001E
	typeUnicode = 0x001F
	multiple    = 0x1000 // added for several values
)

// sizes are the octets of a value of each type, or 0 if its length comes before it.
var sizes = map[uint16]int{
	0x0002: 4, 0x0003: 4, 0x0004: 4, 0x000A: 4, 0x000B: 4, // short, long, float, error, boolean
	0x0005: 8, 0x0006: 8, 0x0007: 8, 0x0014: 8, 0x0040: 8, // double, currency, two times, 64 bits
	0x0048: 16,                                           // GUID
	0x000D: 0, typeString8: 0, typeUnicode: 0, 0x0102: 0, // object, texts, binary
}

// A property is one value of a property list.
type property struct {
	id, typ uint16
	value   []byte
}

// properties yields the properties of a list that have one value (MS-OXTNEF section
// 2.1.3.4). It stops at the first property that is damaged or of an unknown type.
func properties(list []byte) iter.Seq[property] {
	return func(yield func(property) bool) {
		c := cursor{list}
		if !c.skip(4) { // the number of properties
			return
		}
		for {
			tag, ok := c.uint32()
			if !ok {
				return
			}
			p := property{id: uint16(tag >> 16), typ: uint16(tag)}
			if p.id >= 0x8000 && !c.skipName() {
				return
			}
			several := p.typ&multiple != 0
			p.typ &^= multiple
			if !c.value(&p, several) {
				return
			}
			if !several && !yield(p) {
				return
			}
		}
	}
}

// find returns the first property of a list with an identifier.
func find(list []byte, id uint16) (property, bool) {
	for p := range properties(list) {
		if p.id == id {
			return p, true
		}
	}
	return property{}, false
}

// skipName skips the name of a property: a GUID, and a number or a text.
func (c *cursor) skipName() bool {
	if !c.skip(16) {
		return false
	}
	kind, ok := c.uint32()
	if !ok || kind == 0 {
		return ok && c.skip(4)
	}
	_, ok = c.padded()
	return ok
}

// padded reads a length and that many octets, which are padded to a multiple of four.
func (c *cursor) padded() ([]byte, bool) {
	n, ok := c.uint32()
	if !ok || uint64(n) > uint64(len(c.rest)) {
		return nil, false
	}
	b, _ := c.next(int(n))
	c.next(min(int(-n&3), len(c.rest))) // the last property may lack its padding
	return b, true
}

// value reads the value of p. Of several values it keeps the last one.
func (c *cursor) value(p *property, several bool) (ok bool) {
	size, known := sizes[p.typ]
	if !known {
		return false
	}
	count := uint32(1)
	if several || size == 0 {
		count, ok = c.uint32()
		if !ok {
			return false
		}
	}
	for range count {
		if size > 0 {
			p.value, ok = c.next(size)
		} else {
			p.value, ok = c.padded()
		}
		if !ok {
			return false
		}
	}
	return true
}
