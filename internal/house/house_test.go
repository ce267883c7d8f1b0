package house

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A user of the library sees the top level first. go.work joins the module of the programs to the module of the
// library, so that the paths of both hold from here.
func TestTopLevel(t *testing.T) {
	fixed := []string{
		"LICENSE", "README.md", "dataurl", "examples", "externalbody", "fetch", "go.mod", "go.sum", "go.work", "go.work.sum",
		"internal", "urlaccess",
	}
	entries, err := os.ReadDir(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(fixed, e.Name()) {
			t.Errorf("got %s at the top level, want %q alone", e.Name(), fixed)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, s := range sources(t) {
		if want, err := format.Source(s.text); err != nil || !bytes.Equal(want, s.text) {
			t.Errorf("%s is not as gofmt wants it", s.path)
		}
	}
}

// TestDocs wants a package comment in the file that is named like the package,
// and an Example of each package that others can import.
func TestDocs(t *testing.T) {
	for dir, files := range packages(sources(t)) {
		documented, example := "", false
		for _, s := range files {
			if s.file.Doc != nil && !s.test() {
				if documented != "" {
					t.Errorf("%s and %s: got a package comment in both, want it in one", documented, s.path)
				}
				documented = s.path
			}
			for _, d := range s.file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && s.test() && strings.HasPrefix(f.Name.Name, "Example") {
					example = true
				}
			}
		}
		if documented == "" {
			t.Errorf("%s: got no package comment, want one", dir)
		}
		if !example && !isProgram(dir) && !internal(dir) {
			t.Errorf("%s: got no Example, want one", dir)
		}
	}
}

// TestNoInit forbids init functions: importing a package enables nothing.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && !s.test() {
				t.Errorf("%s:%d: got an init function, want none", s.path, s.line(f.Pos()))
			}
		}
	}
}

// TestLazyExpressions forbids package variables that compile a regular expression. A filter is started for each mail, and
// would compile the expressions of all packages: lazyregexp.New compiles each when it is first needed. Programs that
// only generate, and packages for tests alone, may compile at once.
func TestLazyExpressions(t *testing.T) {
	for _, s := range sources(t) {
		generates := isProgram(s.dir()) && s.dir() != "examples/extbody"
		if s.test() || generates || strings.HasPrefix(s.path, "internal/testkit/") {
			continue
		}
		for _, d := range s.file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, call := range compiled(g) {
					t.Errorf("%s:%d: got a regular expression that is compiled at the start, want lazyregexp.New", s.path, s.line(call.Pos()))
				}
			}
		}
	}
}

// compiled returns the calls of functions of package regexp in a declaration, outside of function literals.
func compiled(d *ast.GenDecl) (calls []*ast.CallExpr) {
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok {
				if x, ok := f.X.(*ast.Ident); ok && x.Name == "regexp" {
					calls = append(calls, call)
				}
			}
		}
		_, isFunction := n.(*ast.FuncLit)
		return !isFunction
	})
	return calls
}

// embedded reports whether the comment before a variable gives it the content of a file.
func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// TestNoState forbids package variables that change: each has its value from its
// declaration, and nothing in its package assigns to it or takes its address. A
// sync.Pool is let pass, since its contents mean nothing.
func TestNoState(t *testing.T) {
	for dir, files := range packages(sources(t)) {
		if isProgram(dir) {
			continue
		}
		vars := make(map[string]any) // the declaration of each variable
		for _, s := range files {
			if s.test() {
				continue
			}
			for _, d := range s.file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					for _, name := range v.Names {
						if name.Name == "_" {
							continue
						}
						vars[name.Name] = spec
						if len(v.Values) == 0 && !embedded(g.Doc) {
							t.Errorf("%s:%d: got the variable %s without a value, want one with it", s.path, s.line(name.Pos()), name.Name)
						}
					}
				}
			}
		}
		for _, s := range files {
			if s.test() {
				continue
			}
			ast.Inspect(s.file, func(n ast.Node) bool {
				var targets []ast.Expr
				switch n := n.(type) {
				case *ast.AssignStmt:
					if n.Tok != token.DEFINE {
						targets = n.Lhs
					}
				case *ast.IncDecStmt:
					targets = []ast.Expr{n.X}
				}
				for _, x := range targets {
					// An identifier without an object is declared in another file.
					if v := variable(x); v != nil && vars[v.Name] != nil && (v.Obj == nil || v.Obj.Decl == vars[v.Name]) {
						t.Errorf("%s:%d: got an assignment to the package variable %s, want none", s.path, s.line(x.Pos()), v.Name)
					}
				}
				return true
			})
		}
	}
}

// variable returns the variable that an assignment to x changes, or nil if it is a field of
// something or through a pointer.
func variable(x ast.Expr) *ast.Ident {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			return e
		case *ast.IndexExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		default:
			return nil
		}
	}
}

// TestReadme wants the sample of the README to be the body of an Example, so that
// it compiles and keeps its promise.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```go\n")
	sample, _, ok2 := strings.Cut(rest, "```\n")
	if !ok || !ok2 {
		t.Fatal("README.md has no sample")
	}
	want := strings.Join(strings.Fields(sample), " ")
	for _, s := range sources(t) {
		if s.test() && strings.Contains(strings.Join(strings.Fields(string(s.text)), " "), want) {
			return
		}
	}
	t.Error("the sample of README.md is in no Example")
}

// sentences separates the sentences and the cells of a paper.
var sentences = regexp.MustCompile(`[.:;?!]\s+|\n\s*\n|\n[-#] |\|`)

// TestReadmeShort wants the README to be at most 90 lines, and its sentences at most 25 words.
func TestReadmeShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 90 {
		t.Errorf("got %d lines in README.md, want at most 90", n)
	}
	prose := regexp.MustCompile("(?s)```.*?```").ReplaceAll(text, nil)
	prose = regexp.MustCompile(`\]\([^)]*\)`).ReplaceAll(prose, []byte("]"))
	for _, sentence := range sentences.Split(string(prose), -1) {
		if n := len(strings.Fields(sentence)); n > 25 {
			t.Errorf("got %d words, want at most 25: %s", n, sentence)
		}
	}
}

// TestMap wants a line in internal/README.md for every package and a package for every
// line. A package below internal, or below the program's internal, stands there without
// that part of its path.
func TestMap(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "internal", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^- `([a-z0-9/]+)`: ").FindAllSubmatch(text, -1) {
		lines[string(m[1])] = true
	}
	for dir := range packages(sources(t)) {
		name := strings.TrimPrefix(strings.TrimPrefix(dir, program), "internal/")
		if !lines[name] {
			t.Errorf("%s: got no line in internal/README.md, want \"- `%s`: \" and a sentence", dir, name)
		}
		delete(lines, name)
	}
	for name := range lines {
		t.Errorf("%s: got a line in internal/README.md and no package, want both", name)
	}
}

// links are the links of the Markdown to other files of the repository.
var links = regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`)

// TestLinks wants the targets of links in the documents to be there.
func TestLinks(t *testing.T) {
	for _, pattern := range []string{"*.md", ".github/*.md", "internal/*.md", "examples/*.md", "examples/*/*.md", "examples/*/*/*.md", "externalbody/testdata/vectors/*.md"} {
		papers, err := filepath.Glob(filepath.Join(root(t), filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, paper := range papers {
			text, err := os.ReadFile(paper)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range links.FindAllSubmatch(text, -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(paper), filepath.FromSlash(string(m[1])))); err != nil {
					t.Errorf("%s: got a link to %s, want one to what is there", paper, m[1])
				}
			}
		}
	}
}
