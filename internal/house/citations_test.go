package house

import (
	"bytes"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A citation is a rule of internal/REQUIREMENTS.md, such as "EB-27", or a section of an RFC,
// such as "RFC 2046 section 5.2.3.1", that a text cites.
type citation struct {
	rule    string // "" if it is a section
	rfc     int
	section string // such as "5.2.3.1" or "B.5"
	line    int    // counts from 1
}

func (c citation) String() string {
	if c.rule != "" {
		return c.rule
	}
	return "RFC " + strconv.Itoa(c.rfc) + " section " + c.section
}

// space separates the words of a citation. It may contain a line end and the start of the
// next line of a comment.
const (
	space   = `(?:[ \t]|\r?\n[ \t]*(?://)?[ \t]*)+`
	section = `(?:[0-9]+|[A-Z])(?:\.[0-9]+)*\b`
)

var (
	cited = regexp.MustCompile(`\b(?:` +
		`RFC` + space + `([0-9]+)` + space + `(?:(?:[Ss]ection|[Aa]ppendix)` + space + `(` + section + `)|` +
		`(?:[Ss]ections|[Aa]ppendices)` + space + `(` + section + `(?:(?:,|,?` + space + `(?:and|or|to))` + space + section + `)*))|` +
		`([A-Z]{2})-([0-9]+)\b(?:` + space + `to` + space + `(?:([A-Z]{2})-)?([0-9]+)\b)?)`)
	sections = regexp.MustCompile(section)
)

// citations returns the citations of a text, in the order of the text. Each rule of a range,
// such as UA-2 to UA-4, is cited. Of a range of sections only the two ends are.
func citations(text []byte) (all []citation) {
	line, counted := 1, 0
	for _, at := range cited.FindAllSubmatchIndex(text, -1) {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = string(text[at[2*i]:at[2*i+1]])
			}
		}
		line += bytes.Count(text[counted:at[0]], []byte("\n"))
		counted = at[0]
		rfc, _ := strconv.Atoi(m[1])
		for _, s := range sections.FindAllString(m[2]+m[3], -1) {
			all = append(all, citation{rfc: rfc, section: s, line: line})
		}
		if m[4] == "" {
			continue
		}
		first, _ := strconv.Atoi(m[5])
		last := first
		if m[7] != "" && (m[6] == "" || m[6] == m[4]) {
			last, _ = strconv.Atoi(m[7])
		}
		for n := first; n <= min(last, first+99); n++ {
			all = append(all, citation{rule: m[4] + "-" + strconv.Itoa(n), line: line})
		}
		if m[6] != "" && m[6] != m[4] {
			all = append(all, citation{rule: m[6] + "-" + m[7], line: line})
		}
	}
	return all
}

func TestCitations(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"Nothing", "RFC 2046 says, in section 5, UTF-8, SHA-256, A-1 and TEB-1", nil},
		{"Range", "UA-2 to UA-4", []string{"UA-2", "UA-3", "UA-4"}},
		{"RangeWithoutPrefix", "UA-2 to 3", []string{"UA-2", "UA-3"}},
		{"RangeOfTwoGroups", "UA-2 to EB-4", []string{"UA-2", "EB-4"}},
		{"RangeOverLines", "// IN-1 to\n\t// IN-2", []string{"IN-1", "IN-2"}},
		{"RangeBackwards", "UA-4 to UA-2", nil},
		{"Section", "(RFC 959 section 4.2.1).", []string{"RFC 959 section 4.2.1"}},
		{"EndOfSentence", "RFC 8089 section 3.", []string{"RFC 8089 section 3"}},
		{"Two", "RFC 5322 section 3.3, RFC 1123 section 5.2.14", []string{"RFC 5322 section 3.3", "RFC 1123 section 5.2.14"}},
		{"OverLines", "// RFC\r\n//  2046\n\t\t// section 5.1", []string{"RFC 2046 section 5.1"}},
		{"NotOverEmptyLine", "RFC 2046\n//\n// section 5", []string{"RFC 2046 section 5"}},
		{"Plural", "RFC 3659 sections 3,\n// 4 and 5.1, and more", []string{"RFC 3659 section 3", "RFC 3659 section 4", "RFC 3659 section 5.1"}},
		{"Appendix", "RFC 8089 appendix E.3.2", []string{"RFC 8089 section E.3.2"}},
		{"WordAfterSection", "RFC 4483 section A word", []string{"RFC 4483 section A"}},
		{"NoNumber", "RFC 4483 section five", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range citations([]byte("\n" + tt.text)) {
				got = append(got, c.String())
				if c.line != 2 {
					t.Errorf("%s: got line %d, want 2", c, c.line)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// citing are the sources without this one, where citations are data.
func citing(t *testing.T) []*source {
	return slices.DeleteFunc(sources(t), func(s *source) bool { return s.path == "internal/house/citations_test.go" })
}

// requirements reads internal/REQUIREMENTS.md.
func requirements(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "internal", "REQUIREMENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ruled matches a line that has a rule, and perhaps the name of the test that holds it, such as
// fetch/cache.TestKey, or the reason for there being none.
var ruled = regexp.MustCompile(`^- \*\*([A-Z]{2}-[0-9]+)\*\* .+?(?:\) Test: (\S+)|( No test: .+))?$`)

// TestRules wants each rule that is cited to be in internal/REQUIREMENTS.md, once, and of each
// rule there a test that cites it, the name of one that holds it, or the reason for there being
// none.
func TestRules(t *testing.T) {
	tested := make(map[string]bool) // by a citation
	tests := make(map[string]bool)
	cites := make(map[string]string) // where a rule is cited
	for _, s := range citing(t) {
		for _, c := range citations(s.text) {
			cites[c.rule] = s.path + ":" + strconv.Itoa(c.line)
			tested[c.rule] = tested[c.rule] || s.test()
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test() {
				tests[s.dir()+"."+f.Name.Name] = true
			}
		}
	}
	known := map[string]bool{"": true}
	for line := range strings.Lines(requirements(t)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "- ") {
			continue
		}
		switch m := ruled.FindStringSubmatch(line); {
		case m == nil || known[m[1]]:
			t.Errorf("got %.60q in internal/REQUIREMENTS.md, want a rule that is there once", line)
		case m[2] != "" && !tests[m[2]]:
			t.Errorf("%s: got no test %s, want the one that internal/REQUIREMENTS.md names", m[1], m[2])
		case m[2] == "" && m[3] == "" && !tested[m[1]]:
			t.Errorf("%s: got no citation in a test, want one, or the test that holds it or why none does in internal/REQUIREMENTS.md", m[1])
		default:
			known[m[1]] = true
		}
	}
	for rule, where := range cites {
		if !known[rule] {
			t.Errorf("%s: got %s, want a rule of internal/REQUIREMENTS.md", where, rule)
		}
	}
}

// TestSections wants each section of an RFC that is cited to be one that the RFC has, by the
// table in testdata. A text that is not in the table is not checked.
func TestSections(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "sections.txt"))
	if err != nil {
		t.Fatal(err)
	}
	table := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			table[fields[0]] = fields[1:]
		}
	}
	if len(table["2046"]) == 0 {
		t.Fatal("got no sections of RFC 2046")
	}
	all := append(citing(t), &source{path: "internal/REQUIREMENTS.md", text: []byte(requirements(t))})
	for _, s := range all {
		for _, c := range citations(s.text) {
			if list, ok := table[strconv.Itoa(c.rfc)]; ok && !slices.Contains(list, c.section) {
				t.Errorf("%s:%d: got %s, want a section that the RFC has", s.path, c.line, c)
			}
		}
	}
}
