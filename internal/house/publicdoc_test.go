package house

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPublicDoc wants the documentation of the library to name no package that only this module can import, and to
// have each heading once.
func TestPublicDoc(t *testing.T) {
	all := packages(sources(t))
	hidden := make(map[string]bool)
	for dir := range all {
		if internal(dir) {
			hidden[path.Base(dir)] = true
		}
	}
	for dir := range all {
		if !internal(dir) {
			delete(hidden, path.Base(dir))
		}
	}
	for dir, files := range all {
		if internal(dir) || isProgram(dir) {
			continue
		}
		for _, s := range files {
			if s.test() {
				continue
			}
			for _, fault := range faultsOfDoc(s.file, hidden) {
				t.Errorf("%s: got %s", s.path, fault)
			}
		}
	}
}

// TestFaultsOfDoc wants each fault of documentation to be found, and none in comments that it does not have.
func TestFaultsOfDoc(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"Package", "// Package p is like package in.\npackage p\n", []string{"package in"}},
		{"Func", "package p\n\n// F is like package in.\nfunc F() {}\n", []string{"package in"}},
		{"Method", "package p\n\n// M is like package in.\nfunc (t *T) M() {}\n", []string{"package in"}},
		{"Const", "package p\n\nconst (\n\tC = 1 // as in package in\n)\n", []string{"package in"}},
		{"Type", "package p\n\n// T is like package\n// in.\ntype T int\n", []string{"package in"}},
		{"Field", "package p\n\ntype T struct {\n\t// F is like package in.\n\tF int\n}\n", []string{"package in"}},
		{"Heading", "// Package p.\n//\n// # A\n//\n// # B\n//\n// # A\npackage p\n", []string{"heading A twice"}},
		{"Public", "// Package p is like package out.\npackage p\n", nil},
		{"Unexported", "package p\n\n// f is like package in.\nfunc f() {}\n", nil},
		{"UnexportedType", "package p\n\n// t is like package in.\ntype t int\n", nil},
		{"Hidden", "package p\n\ntype T struct {\n\t// f is like package in.\n\tf int\n}\n", nil},
		{"Body", "package p\n\nfunc F() {\n\t// as in package in\n}\n", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := faultsOfDoc(parsed(t, row.text).file, map[string]bool{"in": true})
			if !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// namedPackage matches the name of a package in a text.
var namedPackage = regexp.MustCompile(`\b[Pp]ackage\s+(\w+)`)

// faultsOfDoc returns the faults in the documentation of a file: packages in hidden that it names, and headings
// that it has twice.
func faultsOfDoc(f *ast.File, hidden map[string]bool) (faults []string) {
	seen := make(map[string]bool)
	for line := range strings.Lines(f.Doc.Text()) {
		heading, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if ok && seen[heading] {
			faults = append(faults, "heading "+heading+" twice")
		}
		seen[heading] = ok
	}
	for _, g := range docs(f) {
		for _, m := range namedPackage.FindAllStringSubmatch(g.Text(), -1) {
			if hidden[m[1]] {
				faults = append(faults, "package "+m[1])
			}
		}
	}
	return faults
}

// docs returns the comments of a file that its documentation has.
func docs(f *ast.File) (list []*ast.CommentGroup) {
	list = append(list, f.Doc)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				list = append(list, d.Doc)
			}
		case *ast.GenDecl:
			if slices.ContainsFunc(d.Specs, isExported) {
				list = append(list, d.Doc)
			}
			for _, s := range d.Specs {
				list = append(list, docsOfSpec(s)...)
			}
		}
	}
	return list
}

// isExported reports whether a declared type, constant or variable is exported.
func isExported(s ast.Spec) bool {
	switch s := s.(type) {
	case *ast.ValueSpec:
		return s.Names[0].IsExported()
	case *ast.TypeSpec:
		return s.Name.IsExported()
	}
	return false
}

// docsOfSpec returns the comments of a declared type, constant or variable.
func docsOfSpec(s ast.Spec) (list []*ast.CommentGroup) {
	if !isExported(s) {
		return nil
	}
	switch s := s.(type) {
	case *ast.ValueSpec:
		list = append(list, s.Doc, s.Comment)
	case *ast.TypeSpec:
		list = append(list, s.Doc, s.Comment)
		ast.Inspect(s.Type, func(n ast.Node) bool {
			f, ok := n.(*ast.Field)
			if ok && (len(f.Names) == 0 || f.Names[0].IsExported()) {
				list = append(list, f.Doc, f.Comment)
			}
			return true
		})
	}
	return list
}
