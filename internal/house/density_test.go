package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// densityFile has, by folder, how many statements of each kind of [density] a package may have.
// A number may only fall.
var densityFile = filepath.Join("testdata", "density.txt")

// A density counts the statements of a package that hold more than one thought.
type density struct {
	assigns    int // several values assigned to several variables, other than a swap
	inits      int // if statements that begin with an assignment to variables there are
	conditions int // conditions with three or more of && and ||
	lines      int // lines of code, without comments and blanks
}

func (d *density) String() string {
	return fmt.Sprintf("%d %d %d", d.assigns, d.inits, d.conditions)
}

// TestDensity wants no package to have more dense statements than [densityFile] allows. A package that is
// not listed may have the share that a reader is used to: in 1,000 lines 3 assignments, 1.5 ifs and 2.5 conditions.
//
//	go test -v -run TestDensity ./internal/house
//
// With -update it writes the numbers that have fallen.
func TestDensity(t *testing.T) {
	text, err := os.ReadFile(densityFile)
	if err != nil {
		t.Fatal(err)
	}
	most := make(map[string]*density)
	for line := range strings.Lines(string(text)) {
		d := new(density)
		var dir string
		if _, err := fmt.Sscan(line, &dir, &d.assigns, &d.inits, &d.conditions); err != nil {
			t.Fatalf("%s: %q: %v", densityFile, line, err)
		}
		most[dir] = d
	}
	var total density
	for dir, files := range packages(sources(t)) {
		got := new(density)
		for _, s := range files {
			if !s.test() && !ast.IsGenerated(s.file) {
				got.add(s)
			}
		}
		total.assigns += got.assigns
		total.inits += got.inits
		total.conditions += got.conditions
		total.lines += got.lines
		t.Logf("%s: %s in %d lines", dir, got, got.lines)
		m := most[dir]
		if m == nil {
			m = usual(got.lines)
		}
		if got.assigns > m.assigns || got.inits > m.inits || got.conditions > m.conditions {
			t.Errorf("%s: got %s assignments of several values, ifs that assign with = and conditions of three or more operators, want at most %s.\n"+
				"One thought a statement: name the parts of a condition, and assign each value by itself.", dir, got, m)
		}
		if u := usual(got.lines); got.assigns <= u.assigns && got.inits <= u.inits && got.conditions <= u.conditions {
			delete(most, dir)
		} else if most[dir] != nil {
			most[dir] = &density{assigns: min(m.assigns, got.assigns), inits: min(m.inits, got.inits), conditions: min(m.conditions, got.conditions)}
		}
	}
	share := func(n int) float64 { return float64(n) * 1000 / float64(total.lines) }
	t.Logf("in 1,000 lines of %d: %.1f assignments, %.1f ifs, %.1f conditions",
		total.lines, share(total.assigns), share(total.inits), share(total.conditions))
	if *update && !t.Failed() {
		var b strings.Builder
		for _, dir := range slices.Sorted(maps.Keys(most)) {
			fmt.Fprintf(&b, "%s %s\n", dir, most[dir])
		}
		if err := os.WriteFile(densityFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// usual returns the numbers that a package of so many lines may have without being listed.
func usual(lines int) *density {
	share := func(perMille float64) int { return int(float64(lines)*perMille/1000) + 2 }
	return &density{assigns: share(3), inits: share(1.5), conditions: share(2.5)}
}

// add counts the statements of a file.
func (d *density) add(s *source) {
	for line := range strings.Lines(string(s.text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			d.lines++
		}
	}
	within := make(map[ast.Node]bool) // headers of loops, and operands that are counted with their condition
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			within[n.Init] = true
			within[n.Post] = true
		case *ast.AssignStmt:
			if !within[n] && len(n.Lhs) > 1 && len(n.Lhs) == len(n.Rhs) && !swaps(n) {
				d.assigns++
			}
		case *ast.IfStmt:
			if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok != token.DEFINE {
				d.inits++
			}
		case *ast.BinaryExpr:
			if !within[n] && operators(n, within) >= 3 {
				d.conditions++
			}
		}
		return true
	})
}

// swaps reports whether an assignment permutes its variables.
func swaps(n *ast.AssignStmt) bool {
	var left, right []string
	for i := range n.Lhs {
		left = append(left, types.ExprString(n.Lhs[i]))
		right = append(right, types.ExprString(n.Rhs[i]))
	}
	slices.Sort(left)
	slices.Sort(right)
	return slices.Equal(left, right)
}

// operators returns how many of && and || a condition has, and marks its operands as seen.
func operators(n ast.Expr, seen map[ast.Node]bool) int {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return operators(n.X, seen)
	case *ast.UnaryExpr:
		return operators(n.X, seen)
	case *ast.BinaryExpr:
		if n.Op != token.LAND && n.Op != token.LOR {
			return 0
		}
		seen[n] = true
		return 1 + operators(n.X, seen) + operators(n.Y, seen)
	}
	return 0
}

// TestDense wants each kind of dense statement to be counted, and its plain form not.
func TestDense(t *testing.T) {
	for _, row := range []struct{ name, body, want string }{
		{"TwoValues", "a, b = 1, 2", "1 0 0"},
		{"TwoNew", "a, b := 1, 2", "1 0 0"},
		{"Swap", "a, b = b, a", "0 0 0"},
		{"Unpacking", "a, b = f()", "0 0 0"},
		{"LoopHeader", "for i, n := 0, 9; i < n; i, n = i+1, n-1 {}", "0 0 0"},
		{"InLoop", "for {\na, b = 1, 2\n}", "1 0 0"},
		{"IfAssigns", "if a = 1; b {}", "0 1 0"},
		{"ElseAssigns", "if b {} else if a = 1; b {}", "0 1 0"},
		{"IfAdds", "if a += 1; b {}", "0 1 0"},
		{"IfDefines", "if a := 1; b {}", "0 0 0"},
		{"Three", "return a && b || !(c && d)", "0 0 1"},
		{"Two", "return a && (b || c)", "0 0 0"},
		{"InCall", "return a && f(b || c && d)", "0 0 0"},
		{"TwoConditions", "return a && b || c && f(b || c && d || e)", "0 0 2"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := parsed(t, "package p\nfunc f() {\n"+row.body+"\n}\n")
			got := new(density)
			got.add(s)
			if got.String() != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// parsed returns a source with a text.
func parsed(t *testing.T, text string) *source {
	t.Helper()
	fset := token.NewFileSet()
	return &source{"p/p.go", []byte(text), fset, parseFile(t, fset, "p.go", text)}
}
