package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
)

// circles has, by folder, how many pairs of files may use each other. A package that is not
// listed has none. A number may only fall.
var circles = map[string]int{
	"examples/extbody/internal/archive":         7,
	"examples/extbody/internal/fleet":           5,
	"examples/extbody/internal/gateway/inspect": 3,
	"examples/extbody/internal/gateway/lmtp":    1,
	"examples/extbody/internal/mail/mailbox":    3,
	"examples/extbody/internal/gateway/serve":   3,
	"externalbody":    2,
	"fetch/cache":     3,
	"fetch/httpfetch": 1,
	"fetch/throttle":  4,
}

// TestFloors wants the files of a package to have an order in which each uses only those
// below it: nouns below, verbs above. Files that are built for one system alone do not count.
//
//	go test -v -run TestFloors ./internal/house
func TestFloors(t *testing.T) {
	lib := exported(t, "./...")
	total := 0
	for dir, files := range packages(sources(t)) {
		pairs := mutual(t, lib, dir, files)
		total += len(pairs)
		if len(pairs) > 0 {
			t.Logf("%q: %d,", dir, len(pairs))
		}
		if most := circles[dir]; len(pairs) > most {
			t.Errorf("%s: got %d pairs of files that use each other, want at most %d:\n\t%s\n"+
				"Move a declaration to a file below both.", dir, len(pairs), most, strings.Join(pairs, "\n\t"))
		}
	}
	t.Logf("%d pairs in all", total)
}

// mutual returns the pairs of files of a package that use each other's declarations.
func mutual(t *testing.T, lib types.Importer, dir string, files []*source) []string {
	t.Helper()
	var parsed []*ast.File
	for _, s := range files {
		if !s.test() && !constrained(s) {
			parsed = append(parsed, s.file)
		}
	}
	if len(parsed) < 2 {
		return nil
	}
	fset := files[0].fset
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	// What is declared in a file for one system is missing, which is no matter here.
	config := &types.Config{Importer: lib, Error: func(error) {}}
	pkg, _ := config.Check(module+dir, fset, parsed, info)
	uses := make(map[[2]string]string)
	for id, obj := range info.Uses {
		from, to := fset.Position(id.Pos()).Filename, fset.Position(obj.Pos()).Filename
		if obj.Pkg() != pkg || from == to || to == "" {
			continue
		}
		key := [2]string{path.Base(from), path.Base(to)}
		if name, ok := uses[key]; !ok || obj.Name() < name {
			uses[key] = obj.Name()
		}
	}
	var pairs []string
	for key, name := range uses {
		if back, ok := uses[[2]string{key[1], key[0]}]; ok && key[0] < key[1] {
			pairs = append(pairs, fmt.Sprintf("%s uses %s of %s, which uses %s of it", key[0], name, key[1], back))
		}
	}
	slices.Sort(pairs)
	return pairs
}

// constrained reports whether a file is built for some systems alone.
func constrained(s *source) bool {
	base := strings.TrimSuffix(path.Base(s.path), ".go")
	for _, system := range []string{"_unix", "_linux", "_windows", "_darwin", "_other", "_wasm", "_wasip1"} {
		if strings.HasSuffix(base, system) {
			return true
		}
	}
	for _, group := range s.file.Comments {
		if group.Pos() < s.file.Package && strings.HasPrefix(group.List[0].Text, "//go:build") {
			return true
		}
	}
	return false
}

// TestMutual wants a pair to be found, and one way alone not.
func TestMutual(t *testing.T) {
	fset := token.NewFileSet()
	var files []*source
	for name, text := range map[string]string{
		"a.go": "package p\ntype A struct{ b *B }\n",
		"b.go": "package p\ntype B struct{}\nfunc (B) m() A { return A{} }\n",
		"c.go": "package p\nvar c B\n",
	} {
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &source{name, []byte(text), fset, file})
	}
	got := mutual(t, nil, "p", files)
	if want := []string{"a.go uses B of b.go, which uses A of it"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
