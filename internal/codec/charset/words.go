package charset

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
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
	for s != "" {
		i := strings.Index(s, "=?")
		if i < 0 {
			break
		}
		w, ok := cutWord(s[i:])
		if !ok {
			run.flush(&b)
			b.WriteString(s[:i+len("=?")])
			s = s[i+len("=?"):]
			continue
		}
		if between := s[:i]; len(run.words) == 0 || strings.Trim(between, " \t\r\n") != "" {
			run.flush(&b)
			b.WriteString(between)
		} else if !strings.EqualFold(run.charset, w.charset) {
			run.flush(&b)
		}
		run.add(w)
		s = s[i+len(w.as):]
	}
	run.flush(&b)
	b.WriteString(s)
	return b.String()
}

// A word is an encoded-word.
type word struct {
	as      string // as written
	charset string
	octets  string
}

// cutWord returns the encoded-word at the beginning of s.
func cutWord(s string) (word, bool) {
	rest := s[len("=?"):]
	label, rest, ok := strings.Cut(rest, "?")
	if !ok || label == "" || strings.ContainsAny(label, " \t\r\n=") || len(rest) < len("Q?") || rest[1] != '?' {
		return word{}, false
	}
	encoding, text := rest[0], rest[len("Q?"):]
	end := strings.IndexByte(text, '?')
	if end < 0 || !strings.HasPrefix(text[end:], "?=") {
		return word{}, false
	}
	w := word{as: s[:len(s)-len(text)+end+len("?=")]}
	w.charset, _, _ = strings.Cut(label, "*") // RFC 2231 section 5: a language may follow
	switch encoding {
	case 'q', 'Q':
		w.octets = decodeQ(text[:end])
	case 'b', 'B':
		octets, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(text[:end], " ", ""), "="))
		if err != nil {
			return word{}, false
		}
		w.octets = string(octets)
	default:
		return word{}, false
	}
	return w, true
}

// decodeQ decodes the "Q" encoding (RFC 2047 section 4.2). An invalid "=" stays.
func decodeQ(s string) string {
	if !strings.ContainsAny(s, "=_") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_':
			out = append(out, ' ')
		case c == '=' && i+2 < len(s):
			high, ok := percent.Unhex(s[i+1])
			low, ok2 := percent.Unhex(s[i+2])
			if !ok || !ok2 {
				out = append(out, c)
				continue
			}
			out = append(out, high<<4|low)
			i += 2
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// A run is a sequence of adjacent encoded-words in one charset.
type run struct {
	charset string
	words   []word
}

func (r *run) add(w word) {
	r.charset = w.charset
	r.words = append(r.words, w)
}

// flush writes the decoded words and ends the run.
func (r *run) flush(b *strings.Builder) {
	if len(r.words) == 0 {
		return
	}
	var octets strings.Builder
	for _, w := range r.words {
		octets.WriteString(w.octets)
	}
	text, err := Text(r.charset, octets.String())
	switch err {
	case nil:
		b.WriteString(text)
	case ErrInvalid:
		b.WriteString(lossy(r.charset, octets.String()))
	default:
		for i, w := range r.words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.as)
		}
	}
	*r = run{words: r.words[:0]}
}

// lossy converts octets of a known charset to UTF-8, with U+FFFD for octets that do
// not belong to the charset.
func lossy(label, octets string) string {
	if decoder, name := find(label); decoder != nil && name != "utf-8" {
		if text, err := decoder.String(octets); err == nil {
			return text
		}
	}
	return strings.ToValidUTF8(octets, string(utf8.RuneError))
}
