package house

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Rule is one line of internal/REQUIREMENTS.md.
type Rule struct {
	ID     string // such as "EB-27"
	Text   string // without the id
	Test   string // such as "fetch/cache.TestKey", which holds a rule that no test cites; "" if the line names none
	NoTest string // why there is no test; "" if there is one
}

// ruled matches a line that has a rule.
var ruled = regexp.MustCompile(`^- \*\*([A-Z]{2}-[0-9]+)\*\* (.+)$`)

// Rules reads the rules of REQUIREMENTS.md. It is an error if a line of a list is not a
// rule, or if a rule is there twice.
func Rules(r io.Reader) ([]Rule, error) {
	var all []Rule
	seen := make(map[string]bool)
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		if !strings.HasPrefix(s.Text(), "- ") {
			continue
		}
		m := ruled.FindStringSubmatch(s.Text())
		if m == nil {
			return nil, fmt.Errorf("line %d: not a rule: %.60q", n, s.Text())
		}
		if seen[m[1]] {
			return nil, fmt.Errorf("line %d: %s is there twice", n, m[1])
		}
		seen[m[1]] = true
		rule := Rule{ID: m[1], Text: m[2]}
		if _, test, ok := strings.Cut(m[2], ") Test: "); ok {
			rule.Test = test
		} else if _, reason, ok := strings.Cut(m[2], " No test: "); ok {
			rule.NoTest = reason
		}
		all = append(all, rule)
	}
	return all, s.Err()
}
