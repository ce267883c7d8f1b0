package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestAnywhere finds the reasons for which a test passes on one machine and fails on another: its time zone,
// its load, the flags of go test, and who owns the checkout (OP-63).
func TestAnywhere(t *testing.T) {
	for _, files := range packages(sources(t)) {
		bubbles := make(map[string]bool)
		for _, s := range files {
			addBubbles(bubbles, s.file)
		}
		for _, s := range files {
			for _, f := range anywhere(s.file, s.test(), bubbles) {
				t.Errorf("%s:%d: %s", s.path, s.line(f.pos), f.text)
			}
		}
	}
}

// TestAnywhereFinds has the code that TestAnywhere finds, and code beside it.
func TestAnywhereFinds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Since", `func Test(t *T) { if time.Since(a) > b { t.Error() } }`, "clock"},
		{"SinceBehind", `func Test(t *T) { if x || b <= time.Since(a) { t.Error() } }`, "clock"},
		{"Variable", `func Test(t *T) { d := time.Since(a); if d >= b { t.Error() } }`, "clock"},
		{"Init", `func Test(t *T) { if d := time.Since(a); d > b { t.Error() } }`, "clock"},
		{"Rounded", `func Test(t *T) { d := time.Since(a).Round(x); if d > b { t.Error() } }`, "clock"},
		{"Sub", `func Test(t *T) { if time.Now().Sub(a) > b { t.Error() } }`, "clock"},
		{"AtLeast", `func Test(t *T) { if time.Since(a) < b { t.Error() } }`, ""},
		{"Bubble", `func Test(t *T) { synctest.Test(t, func(t *T) { if time.Since(a) > b { t.Error() } }) }`, ""},
		{"BubbleOfHelper", `func Test(t *T) { bubble(t, func() { if time.Since(a) > b { t.Error() } }) }; func bubble(t *T, f func()) { synctest.Test(t, f) }`, ""},
		{"Loop", `func Test(t *T) { for time.Since(a) < b { } }`, ""},
		{"Format", `func Test(t *T) { if a.Format(b) != c { t.Error() } }`, "text"},
		{"FormatAfter", `func f() bool { return a.Format(time.RFC3339) >= b }`, "text"},
		{"FormatUTC", `func f() bool { return a.UTC().Format(time.RFC3339) >= b }`, ""},
		{"FormatOnly", `func f() string { return a.Format(time.RFC3339) }`, ""},
		{"RunTests", `func Example() { testing.RunTests(a, b) }`, "RunTests"},
		{"Build", `func Test(t *T) { exec.Command("go", "build", "-o", a).Run() }`, "buildvcs"},
		{"BuildContext", `func Test(t *T) { exec.CommandContext(ctx, "go", "test", a).Run() }`, "buildvcs"},
		{"BuildByHelper", `func Test(t *T) { run(nil, "go", "install", a) }`, "buildvcs"},
		{"List", `func Test(t *T) { exec.Command("go", append([]string{"list", "-deps"}, a...)...).Run() }`, "buildvcs"},
		{"BuildWithout", `func Test(t *T) { exec.Command("go", "build", "-buildvcs=false", "-o", a).Run() }`, ""},
		{"ListWithout", `func Test(t *T) { exec.Command("go", append([]string{"list", "-buildvcs=false"}, a...)...).Run() }`, ""},
		{"Env", `func Test(t *T) { exec.Command("go", "env", "GOROOT").Run() }`, ""},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", "package a\n"+c.text, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		bubbles := make(map[string]bool)
		addBubbles(bubbles, file)
		for _, f := range anywhere(file, true, bubbles) {
			got = append(got, f.text)
		}
		if all := strings.Join(got, "; "); c.want == "" && all != "" || len(got) > 1 || !strings.Contains(all, c.want) {
			t.Errorf("%s: got %q, want one with %q", c.name, all, c.want)
		}
	}
}

type finding struct {
	pos  token.Pos
	text string
}

// addBubbles adds the functions of a file that run code where time passes only while all wait.
func addBubbles(bubbles map[string]bool, file *ast.File) {
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && calls(decl, func(call *ast.CallExpr) bool { return isCall(call, "synctest", "Test") }) {
			bubbles[decl.Name.Name] = true
		}
	}
}

// anywhere returns the findings in a file. bubbles are the functions that run code where time passes only while all wait.
func anywhere(file *ast.File, isTest bool, bubbles map[string]bool) (all []finding) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		elapsed := elapsedIn(decl)
		isBubble := bubbles[decl.Name.Name] || calls(decl, func(call *ast.CallExpr) bool {
			name, ok := call.Fun.(*ast.Ident)
			return ok && bubbles[name.Name]
		})
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if isTest && !isBubble && isUpperBound(n, elapsed) {
					all = append(all, finding{n.Pos(), "a bound by the clock outside of synctest: poll for the state, or take testkit.InLinearTime"})
				}
				if isComparison(n.Op) && (isLocalText(n.X) || isLocalText(n.Y)) {
					all = append(all, finding{n.Pos(), "a time is compared as text, which depends on its zone: compare the times, or format UTC()"})
				}
			case *ast.CallExpr:
				if isCall(n, "testing", "RunTests") {
					all = append(all, finding{n.Pos(), "testing.RunTests reads the flags of go test: call the test from a Test function"})
				}
				if isTest && isBuild(n) {
					all = append(all, finding{n.Pos(), "a build without -buildvcs=false fails in a checkout of another owner"})
				}
			}
			return true
		})
	}
	return all
}

// elapsedIn returns the variables of a function that hold a time since another.
func elapsedIn(decl *ast.FuncDecl) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(decl, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, right := range a.Rhs {
				if name, ok := a.Lhs[i].(*ast.Ident); ok && isElapsed(right, nil) {
					names[name.Name] = true
				}
			}
		}
		return true
	})
	return names
}

// isElapsed reports whether an expression is a time since another, or a variable that holds one.
func isElapsed(x ast.Expr, names map[string]bool) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return names[x.Name]
	case *ast.CallExpr:
		sel, ok := x.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if isCall(x, "time", "Since") {
			return true
		}
		if sel.Sel.Name == "Sub" {
			now, ok := sel.X.(*ast.CallExpr)
			return ok && isCall(now, "time", "Now")
		}
		return (sel.Sel.Name == "Round" || sel.Sel.Name == "Truncate") && isElapsed(sel.X, names)
	}
	return false
}

// isUpperBound reports whether a comparison is true once more time than a bound has gone by.
func isUpperBound(x *ast.BinaryExpr, elapsed map[string]bool) bool {
	switch x.Op {
	case token.GTR, token.GEQ:
		return isElapsed(x.X, elapsed)
	case token.LSS, token.LEQ:
		return isElapsed(x.Y, elapsed)
	}
	return false
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// isLocalText reports whether an expression formats a time that was not put into UTC before it.
func isLocalText(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Format" {
		return false
	}
	of, ok := sel.X.(*ast.CallExpr)
	if !ok {
		return true
	}
	zone, ok := of.Fun.(*ast.SelectorExpr)
	return !ok || zone.Sel.Name != "UTC"
}

// isBuild reports whether a call has the arguments of a go command that looks for the version control, and not the
// flag that keeps it from doing so.
func isBuild(call *ast.CallExpr) bool {
	var words []string
	ast.Inspect(call, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			word, _ := strconv.Unquote(lit.Value)
			words = append(words, word)
		}
		return true
	})
	if !hasArgument(call, "go") {
		return false
	}
	builds := false
	for i, word := range words {
		if word == "-buildvcs=false" {
			return false
		}
		if i > 0 && words[i-1] == "go" {
			switch word {
			case "build", "install", "list", "run", "test", "vet":
				builds = true
			}
		}
	}
	return builds
}

// hasArgument reports whether a string is an argument of a call itself.
func hasArgument(call *ast.CallExpr, want string) bool {
	for _, arg := range call.Args {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Value == strconv.Quote(want) {
			return true
		}
	}
	return false
}

func isCall(call *ast.CallExpr, pkg, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// calls reports whether a function has a call.
func calls(decl *ast.FuncDecl, is func(*ast.CallExpr) bool) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && is(call) {
			found = true
		}
		return !found
	})
	return found
}
