package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counted is a number of things in a format. Number and noun have at most one word between them.
var counted = regexp.MustCompile(`(\w* ?)%d (?:[a-z]+ )?([a-z]+s)\b`)

// singular are words with an s at their end that no number precedes as its noun.
var singular = []string{"accepts", "allows", "has", "is"}

// plurals returns the pieces of a format that are wrong for the number 1. Of a bound, after "than" or "most", the
// number is never 1.
func plurals(format string) (list []string) {
	for _, m := range counted.FindAllStringSubmatch(format, -1) {
		bound := m[1] == "than " || m[1] == "most "
		if !bound && !slices.Contains(singular, m[2]) {
			list = append(list, m[0])
		}
	}
	return list
}

// TestCounts wants the sentences of the program to have their numbers of things by wording.Count or
// wording.Choose, which know the number 1.
func TestCounts(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || !strings.HasPrefix(s.path, "examples/extbody/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			for _, piece := range plurals(l.Value) {
				t.Errorf("%s:%d: got %q, want wording.Count or wording.Choose", s.path, s.line(l.Pos()), piece)
			}
			return true
		})
	}
}

func TestPlurals(t *testing.T) {
	for format, want := range map[string]int{
		"%d messages":                               1,
		"%d new messages, %d references":            2,
		"%d of %d references":                       1,
		"more than %d octets, at most %d octets":    0,
		"line %d is missing, which line %d accepts": 0,
		"%d excepted, %d left":                      0,
		"--max-bytes %d allows it; line %d has no":  0,
	} {
		if got := plurals(format); len(got) != want {
			t.Errorf("%q: got %q, want %d", format, got, want)
		}
	}
}
