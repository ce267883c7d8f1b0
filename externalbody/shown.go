package externalbody

import (
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// shown returns what a stranger wrote in a form that is fit for logs and terminals. It has at
// most as many characters as a redacted URL. Characters that a terminal obeys or does not
// show are escaped.
func shown(s string) string {
	end, n := "", 0
	for i := range s {
		if n++; n > redact.MaxRunes {
			s, end = s[:i], "..."
			break
		}
	}
	if strings.ContainsFunc(s, func(c rune) bool { return !strconv.IsPrint(c) }) {
		q := strconv.Quote(s)
		s = q[1 : len(q)-1]
	}
	return s + end
}
