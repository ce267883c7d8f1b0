package house

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A turn is a turn of phrase that plain English uses seldom, and how often 10,000 words of
// comments may have it.
type turn struct {
	name  string
	re    *regexp.Regexp
	most  float64
	tests float64 // in the comments of tests; 0 means that it is not counted there
}

var turns = []turn{
	{"what", regexp.MustCompile(`\b[Ww]hat\b`), 3, 4},
	{"say, says", regexp.MustCompile(`\bsays?\b`), 10, 10},
	{"tell, told", regexp.MustCompile(`\b(tells?|told)\b`), 5, 5},
	{"that of, those of", regexp.MustCompile(`\b(that|those) of\b`), 4, 4},
	{"nobody, somebody, whoever", regexp.MustCompile(`\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b`), 1.5, 3},
	{"is none, is no", regexp.MustCompile(`\b(is|are) (none|no [a-z])`), 8, 8},
	{"in place of", regexp.MustCompile(`\bin place of\b`), 2, 0},
	{"begin, begins", regexp.MustCompile(`\bbegins?\b`), 12, 0},
	{"come, comes, came", regexp.MustCompile(`\b(comes?|came)\b`), 14, 0},
	{"stand, stands", regexp.MustCompile(`\bstands?\b`), 7.5, 0},
	{"at once", regexp.MustCompile(`\bat once\b`), 5, 0},
	{"those that", regexp.MustCompile(`\b[Tt]hose that\b`), 6.5, 0},
	{"place, places", regexp.MustCompile(`\b[Pp]laces?\b`), 18.5, 0},
}

// allTests is the name of the comments of all tests together.
const allTests = "all tests"

// comments returns the text of all comments of a source, without the marks.
func comments(s *source) string {
	var b strings.Builder
	for _, g := range s.file.Comments {
		b.WriteString(g.Text())
	}
	return b.String()
}

// TestWords counts the turns in the comments of each package, of the whole and of all tests. The
// whole and the tests have to keep the limits. With -v it shows the packages.
func TestWords(t *testing.T) {
	texts := make(map[string]*strings.Builder)
	for _, s := range sources(t) {
		names := []string{s.dir(), "all"}
		if s.test() {
			names = []string{allTests}
		}
		for _, name := range names {
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
			most := u.most
			if name == allTests {
				most = u.tests
			}
			rate := float64(len(u.re.FindAllString(text, -1))) * 10_000 / float64(words)
			if rate > most && most > 0 {
				over = append(over, u.name+" "+strconv.Itoa(int(rate)))
			}
		}
		t.Logf("%s: %d words; over the limit: %s", name, words, strings.Join(over, ", "))
		if (name == "all" || name == allTests) && len(over) > 0 {
			t.Errorf("%s: got in 10,000 words of comments %s, want at most the limits of turns", name, strings.Join(over, ", "))
		}
	}
}
