package uu

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// encode is uuencode, with blanks or grave accents as zeros.
func encode(data []byte, zero byte) string {
	char := func(v byte) byte {
		if v &= 63; v == 0 {
			return zero
		}
		return v + ' '
	}
	var b bytes.Buffer
	b.WriteString("begin 644 a b.txt\n")
	for rest := data; len(rest) > 0; {
		n := min(len(rest), 45)
		b.WriteByte(char(byte(n)))
		for line := append(bytes.Clone(rest[:n]), 0, 0); len(line) > 2; line = line[3:] {
			b.Write([]byte{char(line[0] >> 2), char(line[0]<<4 | line[1]>>4), char(line[1]<<2 | line[2]>>6), char(line[2])})
		}
		b.WriteByte('\n')
		rest = rest[n:]
	}
	fmt.Fprintf(&b, "%c\nend\n", zero)
	return b.String()
}

func TestReader(t *testing.T) {
	// Written by uuencode of GNU sharutils and by Python's binascii.
	const cat = "begin 644 cat.txt\n#0V%T\n`\nend\n"
	for _, c := range []struct {
		name, text, want, strict string
		forgiven                 int64
		err                      error
	}{
		{"File", cat, "Cat", "Cat", 0, nil},
		{"CRLF", strings.ReplaceAll(cat, "\n", "\r\n"), "Cat", "Cat", 0, nil},
		{"Unended", "begin 644 cat.txt\n#0V%T\n`\nend", "Cat", "Cat", 0, nil},
		{"Check", strings.Replace(cat, "T\n", "T!\n", 1), "Cat", "Cat", 0, nil},
		{"ShortGroup", "begin 644 a\n!80\n`\nend\n", "a", "a", 0, nil},
		{"Around", "Hi\n" + cat + "\nBye\n", "Hi\nCat\nBye\n", "Cat", 2, nil},
		{"Two", cat + cat, "CatCat", "CatCat", 1, nil},
		{"NoBegin", "Hi\nbegin now\n", "Hi\nbegin now\n", "", 2, io.ErrUnexpectedEOF},
		{"NoEnd", "begin 644 a\n#0V%T\n", "Cat", "Cat", 0, io.ErrUnexpectedEOF},
		{"ShortLine", "begin 644 a\nM0V%T\n`\nend\n", "Cat", "Cat", 1, nil},
		{"LongLine", "begin 644 a\n#0V%T" + strings.Repeat("x", 5000) + "\n`\nend\n", "Cat", "Cat", 2, nil},
		{"Letters", "begin 644 a\n#0v%T\n`\nend\n", "Aat", "Aat", 1, nil},
	} {
		got, err := io.ReadAll(NewReader(iotest.OneByteReader(strings.NewReader(c.text))))
		if string(got) != c.want || err != nil {
			t.Errorf("%s: got %.60q, %v, want %q", c.name, got, err, c.want)
		}
		u := NewStrict(strings.NewReader(c.text))
		got, err = io.ReadAll(u)
		if string(got) != c.strict || err != c.err || u.Forgiven() != c.forgiven {
			t.Errorf("%s: strict: got %.60q, %v, %d forgiven, want %q, %v, %d", c.name, got, err, u.Forgiven(), c.strict, c.err, c.forgiven)
		}
	}
	if _, err := io.ReadAll(NewStrict(iotest.ErrReader(iotest.ErrTimeout))); err != iotest.ErrTimeout {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
}

// FuzzReader decodes the output of encode, and gives no more octets than it reads of
// any other text.
func FuzzReader(f *testing.F) {
	f.Add([]byte("Cat"))
	f.Add([]byte("begin 644 x\nM\n#0V%T\nend\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, zero := range []byte(" `") {
			u := NewStrict(strings.NewReader(encode(data, zero)))
			if got, err := io.ReadAll(u); err != nil || !bytes.Equal(got, data) || u.Forgiven() != 0 {
				t.Errorf("got %q, %v, %d forgiven, want %q", got, err, u.Forgiven(), data)
			}
		}
		if got, err := io.ReadAll(NewReader(bytes.NewReader(data))); err != nil || len(got) > len(data) {
			t.Errorf("got %d octets of %d, %v", len(got), len(data), err)
		}
	})
}
