package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/go-extbody/extbody/"

// A source is a parsed file.
type source struct {
	path string // slash-separated, from the module's root
	text []byte
	fset *token.FileSet
	file *ast.File
}

func (s *source) dir() string          { return path.Dir(s.path) }
func (s *source) test() bool           { return strings.HasSuffix(s.path, "_test.go") }
func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }

// root returns the module's root.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// sources parses every Go file of the module.
func sources(t *testing.T) []*source {
	t.Helper()
	dir := root(t)
	var all []*source
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && p != dir && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, p, text, parser.ParseComments)
		if err != nil {
			return err
		}
		all = append(all, &source{filepath.ToSlash(rel), text, fset, file})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("%s: got %d Go files, want at least 10", dir, len(all))
	}
	return all
}

// packages groups sources by folder.
func packages(all []*source) map[string][]*source {
	m := make(map[string][]*source)
	for _, s := range all {
		m[s.dir()] = append(m[s.dir()], s)
	}
	return m
}

// internal reports whether a folder holds a package that others cannot import.
func internal(dir string) bool {
	return strings.HasPrefix(dir, "internal/") || strings.Contains(dir, "/internal/")
}

// isProgram reports whether a folder holds a program.
func isProgram(dir string) bool {
	return dir == "examples/extbody" || dir == "examples/webview" || dir == "examples/list" || dir == "examples/partviewer" || dir == "examples/thunderbird"
}

func imports(s *source) []string {
	var paths []string
	for _, i := range s.file.Imports {
		paths = append(paths, strings.Trim(i.Path.Value, `"`))
	}
	slices.Sort(paths)
	return paths
}

// standard reports whether an import path is of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// parseFile parses a text as a file of that name.
func parseFile(t *testing.T, fset *token.FileSet, name, text string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
