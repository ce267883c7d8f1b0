package house

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promised matches the words of a cell of the table of promises: a package, or a test of the package before it.
var promised = regexp.MustCompile("`([a-z0-9/]+)`|\\b(Test[A-Z][A-Za-z0-9]*)\\b")

// TestPromises wants each test that .github/SECURITY.md names to be there, and each promise to have one.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), ".github", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := make(map[string]bool)
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test() {
				tests[s.dir()+"."+f.Name.Name] = true
			}
		}
	}
	_, table, found := strings.Cut(string(text), "| promise | tests |\n| --- | --- |\n")
	if !found {
		t.Fatal("got no table of promises in .github/SECURITY.md")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	shown := make(map[string]bool)
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if len(cells) != 4 {
			t.Fatalf("got %q, want a row of two cells", row)
		}
		n := 0
		dir := ""
		for _, m := range promised.FindAllStringSubmatch(cells[2], -1) {
			if m[1] != "" {
				dir = m[1]
				continue
			}
			n++
			if !tests[dir+"."+m[2]] {
				t.Errorf("%s: got no test %s.%s, want the one of .github/SECURITY.md", strings.TrimSpace(cells[1]), dir, m[2])
			}
		}
		if n == 0 {
			t.Errorf("%s: got no test, want one", strings.TrimSpace(cells[1]))
		}
		number, _, _ := strings.Cut(strings.TrimSpace(cells[1]), ":")
		shown[number] = true
	}
	for number := range strings.SplitSeq("1 2 3 4 5 6 7 8", " ") {
		if !strings.Contains(string(text), "\n"+number+". ") || !shown[number] {
			t.Errorf("got no row of promise %s, or no such promise, want both", number)
		}
	}
}
