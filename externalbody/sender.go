package externalbody

import (
	"io"
	"mime"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// maxFrom bounds the From field that is parsed, in octets.
const maxFrom = 16 << 10

// Sender returns the address in the From fields of a message, for [Reference].Sender.
// from are the values of all fields of that name. The address is in one form:
//
//   - The domain is in lower case and in ASCII (RFC 5890).
//   - The local part is as written, in quotes if it needs them.
//
// Sender returns "" unless there is exactly one field, with exactly one mailbox (RFC
// 5322 section 3.4, RFC 6532), whose domain is a host name. Programs differ in which of
// several addresses they show and authenticate.
func Sender(from ...string) string {
	if len(from) != 1 || len(from[0]) > maxFrom {
		return ""
	}
	// Only the display name can have other charsets than UTF-8, and it does not count.
	text, ok := withoutComments(strings.ToValidUTF8(message.Unfold(from[0]), string(utf8.RuneError)))
	if !ok {
		return ""
	}
	parser := mail.AddressParser{WordDecoder: &mime.WordDecoder{CharsetReader: rawCharset}}
	parsed, err := parser.Parse(text)
	if err != nil {
		return ""
	}
	at := strings.LastIndexByte(parsed.Address, '@')
	local := parsed.Address[:at]
	domain := parsed.Address[at+1:]
	domain, err = host.Canonical(domain)
	if err != nil {
		return ""
	}
	if isAddress(domain) || strings.ContainsFunc(local, notShown) {
		return ""
	}
	quoted := (&mail.Address{Address: local + "@" + domain}).String()
	return strings.TrimSuffix(strings.TrimPrefix(quoted, "<"), ">")
}

// withoutComments returns the value of a structured field of addresses with a blank for each
// run of comments and white space (RFC 5322 section 3.2.2), and with none beside "@" and within
// angle brackets, where such a run is allowed. net/mail knows comments only after a mailbox.
// withoutComments reports false if a comment or a quoted string has no end.
func withoutComments(text string) (string, bool) {
	var b strings.Builder
	blank := false // a run precedes
	add := func(token string) {
		last := b.String()[max(0, b.Len()-1):]
		opened := last == "" || last == "@" || last == "<"
		closes := token == "@" || token == ">"
		if blank && !opened && !closes {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteString(token)
	}
	for text != "" {
		end := 1
		switch text[0] {
		case ' ', '\t':
			blank = true
		case '(':
			end = commentEnd(text)
			blank = true
		case '"':
			end = quoteEnd(text, 1, '"')
			add(text[:max(0, end)])
		case '[':
			end = quoteEnd(text, 1, ']')
			add(text[:max(0, end)])
		default:
			add(text[:1])
		}
		if end < 0 {
			return "", false
		}
		text = text[end:]
	}
	return b.String(), true
}

// quoteEnd returns the index after the first end in text[from:] without a backslash before it,
// or -1.
func quoteEnd(text string, from int, end byte) int {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case end:
			return i + 1
		}
	}
	return -1
}

// commentEnd returns the index after the comment that text starts with, or -1. Comments nest.
func commentEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// rawCharset leaves encoded-words in unknown charsets as they are.
func rawCharset(_ string, r io.Reader) (io.Reader, error) { return r, nil }

func notShown(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) }

// sameAddress reports whether two results of Sender are one address. Case does not
// distinguish the ASCII letters of a local part (RFC 5321 section 2.4 discourages it).
func sameAddress(a, b string) bool {
	lower := func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	return a != "" && strings.Map(lower, a) == strings.Map(lower, b)
}

// fromFields returns the values of the first From fields of a header, at most two. A
// header that was not read to its end may have more, so it counts as having none.
func fromFields(header string, p *message.Part) (from []string) {
	if p.Diag.Has(message.HeaderTooLong) {
		return nil
	}
	for f := range message.Fields(header, 0) {
		if strings.EqualFold(f.Name, "From") && len(from) < 2 {
			from = append(from, strings.Clone(f.Value[:min(len(f.Value), maxFrom+1)]))
		}
	}
	return from
}
