package charset

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// Words returns a text with its encoded-words decoded (RFC 2047 section 2), anywhere
// in the text. White space between two encoded-words is removed (RFC 2047 section
// 6.2).
//
// QUIRK: some mailers split a character at the end of a word, which RFC 2047 section
// 5 forbids. So Words joins the octets of adjacent words in the same charset before
// it decodes them. Octets that do not belong to the charset become U+FFFD. A word
// stays unchanged if its charset is unknown or its encoding is invalid.
func Words(s string) string {
	if !strings.Contains(s, "=?") {
		return s
	}
	var b strings.Builder
	var run run
	end := 0 // of the text so far
	for _, m := range encodedWord().FindAllStringSubmatchIndex(s, -1) {
		octets, ok := decodeWord(s[m[4]], s[m[6]:m[7]])
		if !ok {
			continue
		}
		between := s[end:m[0]]
		label := s[m[2]:m[3]]
		if len(run.words) == 0 || strings.Trim(between, " \t\r\n") != "" {
			run.flush(&b)
			b.WriteString(between)
		} else if !strings.EqualFold(run.charset, label) {
			run.flush(&b)
		}
		run.charset = label
		run.octets = append(run.octets, octets...)
		run.words = append(run.words, s[m[0]:m[1]])
		end = m[1]
	}
	run.flush(&b)
	b.WriteString(s[end:])
	return b.String()
}

var (
	// encodedWord has the charset, without the language that may follow (RFC 2231 section
	// 5), the encoding, and the text of an encoded-word.
	encodedWord = lazyregexp.New(`=\?([^?=*\s]+)(?:\*[^?=\s]*)?\?([QqBb])\?([^?]*)\?=`)

	// escaped is an escaped octet of the "Q" encoding (RFC 2047 section 4.2).
	escaped = lazyregexp.New(`_|=[0-9A-Fa-f]{2}`)
)

// decodeWord decodes the text of an encoded-word. In the "Q" encoding an invalid "=" stays.
func decodeWord(encoding byte, text string) (octets string, ok bool) {
	if encoding == 'B' || encoding == 'b' {
		octets, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(text, " ", ""), "="))
		return string(octets), err == nil
	}
	return escaped().ReplaceAllStringFunc(text, func(s string) string {
		if s == "_" {
			return " "
		}
		c, _ := hex.DecodeString(s[1:])
		return string(c)
	}), true
}

// A run is a sequence of adjacent encoded-words in one charset.
type run struct {
	charset string
	octets  []byte
	words   []string // as written
}

// flush writes the decoded words and ends the run.
func (r *run) flush(b *strings.Builder) {
	if len(r.words) == 0 {
		return
	}
	text, err := Text(r.charset, string(r.octets))
	switch err {
	case nil:
		b.WriteString(text)
	case ErrInvalid:
		b.WriteString(lossy(r.charset, string(r.octets)))
	default:
		b.WriteString(strings.Join(r.words, " "))
	}
	*r = run{octets: r.octets[:0], words: r.words[:0]}
}

// lossy converts octets of a known charset to UTF-8, with U+FFFD for octets that do
// not belong to the charset.
func lossy(label, octets string) string {
	if decoder, name := find(label, octets); decoder != nil && name != "utf-8" {
		if text, err := decoder.String(octets); err == nil {
			return text
		}
	}
	return strings.ToValidUTF8(octets, string(utf8.RuneError))
}
