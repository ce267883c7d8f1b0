package sharelink

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// NumbersOf returns the numbers of the rows that recognise text, from the first on: of the list, of the
// software of a kind, or of the guesses.
func NumbersOf(text, kind string, guessed bool) (numbers []int) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil
	}
	list := rules
	switch {
	case guessed:
		list = guesses
	case kind != "":
		list = rulesOf(kind)
	}
	p := page{u: u, segments: verbs.Split(u.Path)}
	for i := range list {
		if list[i].at(u.Host) {
			if l, _ := list[i].read(&p, new(found)); l != nil {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

func (r *rule) at(host string) bool {
	return len(r.hosts) == 0 || slices.ContainsFunc(r.hosts, func(h string) bool { return h == host || h[0] == '.' && strings.HasSuffix(host, h) })
}

// NeedsText returns the needs of the link, as in the vectors.
func NeedsText(l *Link) string {
	switch {
	case l.EndToEnd:
		return "key"
	case l.Needs == NeedsNothing && l.Ask != "":
		return "ask"
	}
	return string(l.Needs)
}
