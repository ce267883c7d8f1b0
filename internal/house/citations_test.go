package house

import (
	"bufio"
	"bytes"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// requirements reads internal/REQUIREMENTS.md.
func requirements(t *testing.T) ([]byte, []Rule) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "internal", "REQUIREMENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Rules(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return text, rules
}

// citing are the sources whose citations mean something: not those that have
// citations as data.
func citing(t *testing.T) []*source {
	return slices.DeleteFunc(sources(t), func(s *source) bool { return strings.HasPrefix(s.path, "internal/house/cite") })
}

// TestRules wants each rule that is cited to be in internal/REQUIREMENTS.md, and
// of each rule there a test that cites it, the name of one that holds it, or the
// reason for there being none.
func TestRules(t *testing.T) {
	_, rules := requirements(t)
	known := make(map[string]bool)
	for _, r := range rules {
		known[r.ID] = true
	}
	tested := make(map[string]bool) // by a citation
	tests := make(map[string]bool)  // such as fetch/cache.TestKey
	for _, s := range citing(t) {
		for c := range All(s.text) {
			if c.Rule != "" && !known[c.Rule] {
				t.Errorf("%s:%d: got %s, want a rule of internal/REQUIREMENTS.md", s.path, c.Line, c.Rule)
			}
			if s.test() {
				tested[c.Rule] = true
			}
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test() {
				tests[s.dir()+"."+f.Name.Name] = true
			}
		}
	}
	for _, r := range rules {
		switch {
		case r.Test != "":
			if !tests[r.Test] {
				t.Errorf("%s: got no test %s, want the one that internal/REQUIREMENTS.md names", r.ID, r.Test)
			}
		case r.NoTest != "":
		case !tested[r.ID]:
			t.Errorf("%s: got no citation in a test, want one, or the test that holds it or why none does in internal/REQUIREMENTS.md", r.ID)
		}
	}
}

// TestSections wants each section of an RFC that is cited to be one that the RFC
// has, by the table in testdata. A text that is not in the table is not checked.
func TestSections(t *testing.T) {
	table := sectionTable(t)
	check := func(path string, text []byte) {
		for c := range All(text) {
			if sections, ok := table[c.RFC]; ok && c.RFC != 0 && !slices.Contains(sections, c.Section) {
				t.Errorf("%s:%d: got %s, want a section that the RFC has", path, c.Line, c)
			}
		}
	}
	for _, s := range citing(t) {
		check(s.path, s.text)
	}
	text, _ := requirements(t)
	check("internal/REQUIREMENTS.md", text)
}

func sectionTable(t *testing.T) map[int][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sections.txt"))
	if err != nil {
		t.Fatal(err)
	}
	table := make(map[int][]string)
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		fields := strings.Fields(s.Text())
		n, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) < 2 {
			t.Fatalf("got %q, want a number and sections", s.Text())
		}
		table[n] = fields[1:]
	}
	return table
}
