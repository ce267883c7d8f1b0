package house

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A turn is a turn of phrase that plain English uses seldom, and how often it may stand
// in 10,000 words of comments.
type turn struct {
	name string
	re   *regexp.Regexp
	most float64
}

var turns = []turn{
	{"what", regexp.MustCompile(`\b[Ww]hat\b`), 4},
	{"say, says", regexp.MustCompile(`\bsays?\b`), 10},
	{"tell, told", regexp.MustCompile(`\b(tells?|told)\b`), 5},
	{"that of, those of", regexp.MustCompile(`\b(that|those) of\b`), 4},
	{"nobody, somebody, whoever", regexp.MustCompile(`\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b`), 1.5},
	{"is none, is no", regexp.MustCompile(`\b(is|are) (none|no [a-z])`), 8},
	{"in place of", regexp.MustCompile(`\bin place of\b`), 2},
	{"begin, begins", regexp.MustCompile(`\bbegins?\b`), 12},
	{"come, comes, came", regexp.MustCompile(`\b(comes?|came)\b`), 14},
	{"stand, stands", regexp.MustCompile(`\bstands?\b`), 7.5},
	{"at once", regexp.MustCompile(`\bat once\b`), 5},
	{"those that", regexp.MustCompile(`\b[Tt]hose that\b`), 6.5},
	{"place, places", regexp.MustCompile(`\b[Pp]laces?\b`), 18.5},
}

// comments returns the text of all comments of a source, without the marks.
func comments(s *source) string {
	var b strings.Builder
	for _, g := range s.file.Comments {
		b.WriteString(g.Text())
	}
	return b.String()
}

// TestWords counts the turns in the comments of each package and of the whole, which has
// to keep the limits. With -v it shows the packages.
func TestWords(t *testing.T) {
	texts := make(map[string]*strings.Builder)
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, name := range []string{s.dir(), "all"} {
			if texts[name] == nil {
				texts[name] = new(strings.Builder)
			}
			texts[name].WriteString(comments(s))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name].String()
		words := len(strings.Fields(text))
		var over []string
		for _, u := range turns {
			rate := float64(len(u.re.FindAllString(text, -1))) * 10_000 / float64(words)
			if rate > u.most {
				over = append(over, u.name+" "+strconv.Itoa(int(rate)))
			}
		}
		t.Logf("%s: %d words; over the limit: %s", name, words, strings.Join(over, ", "))
		if name == "all" && len(over) > 0 {
			t.Errorf("got in 10,000 words of comments %s, want at most the limits of turns", strings.Join(over, ", "))
		}
	}
}
