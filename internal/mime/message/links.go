package message

import (
	"bytes"
	"io"

	"github.com/go-extbody/extbody/internal/codec/qp"
)

// maxReread bounds a damaged text that is decoded once more, as other readers decode it.
const maxReread = 4 << 20

// DamagesLinks reports whether the links of the text p in r may be others to other readers. decoded has decoded it,
// and err is the error that decoded ended with.
//
// Damage of base64 moves all that follows it. Damage of quoted-printable is common, because some programs do not
// encode "=". The readers that differ leave out such a "=", so the text is decoded as they do it, and the links are
// compared.
func DamagesLinks(r io.ReaderAt, p *Part, decoded io.Reader, err error) bool {
	if !Damaged(decoded, err) {
		return false
	}
	return p.Encoding != QuotedPrintable || LinksDiffer(r, p.Body)
}

// LinksDiffer reports whether the links of a text in quoted-printable differ if a "=" that stands for nothing is left
// out.
func LinksDiffer(r io.ReaderAt, body Span) bool {
	if body.Len() > maxReread {
		return true
	}
	text, err := ReadSpan(r, body)
	if err != nil {
		return true
	}
	ours, _ := qp.Append(nil, []byte(text))
	links := appendLinks(nil, ours)
	for _, digit := range []bool{false, true} {
		theirs := qp.WithoutStrays([]byte(text), digit)
		if !bytes.Equal(appendLinks(nil, theirs), links) {
			return true
		}
	}
	return false
}

// appendLinks appends to dst the words of text that have "://" in them, each with a line end. Blanks, quotes and angle
// brackets end a word.
func appendLinks(dst, text []byte) []byte {
	const ends = " \t\r\n\"'<>"
	for {
		at := bytes.Index(text, []byte("://"))
		if at < 0 {
			return dst
		}
		start := bytes.LastIndexAny(text[:at], ends) + 1
		end := len(text)
		if n := bytes.IndexAny(text[at:], ends); n >= 0 {
			end = at + n
		}
		dst = append(dst, text[start:end]...)
		dst = append(dst, '\n')
		text = text[end:]
	}
}
