package ftpfetch

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
)

// A reply is the server's answer to a command. The lines of its text are
// separated by "\n".
type reply struct {
	code int
	text string
}

// A class is the first digit of a reply, which is all that decides (RFC 1123
// section 4.1.2.11).
type class int

const (
	preliminary class = 1
	completed   class = 2
)

func (r reply) class() class { return class(r.code / 100) }

// kind returns the Kind of a reply that is not the one hoped for.
func (r reply) kind() fetch.Kind {
	switch r.code {
	case 331, 332, 530, 532:
		return fetch.Credentials
	case 550:
		// The code stands for a file that is missing and for one that may not
		// be read (RFC 959 section 4.2.1), and only the text may distinguish the two.
		for _, word := range []string{"denied", "permission", "permitted", "forbidden"} {
			if strings.Contains(strings.ToLower(r.text), word) {
				return fetch.Forbidden
			}
		}
		return fetch.NotFound
	case 553:
		return fetch.Forbidden
	}
	if r.code/100 == 4 {
		return fetch.Unavailable
	}
	return fetch.Protocol
}

// size returns the number of octets that the reply before a transfer names, as most
// servers have it at the end of theirs: "150 Opening BINARY mode data connection for a
// (1000 bytes)". A size before it is part of the name of the file.
func (r reply) size() (size int64, ok bool) {
	for rest := r.text; ; {
		_, after, found := strings.Cut(rest, "(")
		if !found {
			return size, ok
		}
		rest = after
		words := strings.Fields(rest[:strings.IndexByte(rest+")", ')')])
		if len(words) == 2 && strings.EqualFold(words[1], "bytes") {
			n, err := strconv.ParseUint(words[0], 10, 63)
			size, ok = int64(n), err == nil
		}
	}
}

// maxExcerpt bounds the characters of an excerpt.
const maxExcerpt = 100

// excerpt returns the beginning of s with a space for each run of characters
// that are not printable.
func excerpt(s string) string {
	if len(s) > maxExcerpt*utf8.UTFMax {
		s = s[:maxExcerpt*utf8.UTFMax]
	}
	words := strings.FieldsFunc(s, func(c rune) bool {
		return c == utf8.RuneError || c == ' ' || !unicode.IsPrint(c)
	})
	runes := []rune(strings.Join(words, " "))
	return string(runes[:min(len(runes), maxExcerpt)])
}

// features returns the names that a reply to FEAT lists, one a line between the
// first line and the last (RFC 2389 section 3.2).
func (r reply) features() map[string]bool {
	features := make(map[string]bool)
	lines := strings.Split(r.text, "\n")
	for _, line := range lines[min(1, len(lines)):max(len(lines)-1, 1)] {
		if words := strings.Fields(line); len(words) > 0 {
			features[strings.ToUpper(words[0])] = true
		}
	}
	return features
}
