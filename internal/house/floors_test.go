package house

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// circles has, by folder, how many files of a package may be in one circle of uses. In a package that is
// not listed no two files use each other. A number may only fall.
var circles = map[string]int{
	"examples/extbody/internal/archive":         3,
	"examples/extbody/internal/cli/get":         3,
	"examples/extbody/internal/fleet":           4,
	"examples/extbody/internal/gateway/inspect": 2,
	"examples/extbody/internal/gateway/lmtp":    2,
	"examples/extbody/internal/gateway/serve":   4,
	"examples/extbody/internal/mail/mailbox":    2,
	"externalbody":                              3,
	"fetch/cache":                               4,
	"fetch/httpfetch":                           2,
	"fetch/throttle":                            4,
	"internal/codec/charset":                    3,
}

// TestFloors wants the files of a package to have an order in which each uses only those
// below it: nouns below, verbs above. Files that are built for one system alone do not count.
//
//	go test -v -run TestFloors ./internal/house
func TestFloors(t *testing.T) {
	lib := exported(t, "./...")
	for dir, files := range packages(sources(t)) {
		largest, uses := circle(t, lib, dir, files)
		if len(largest) > 1 {
			t.Logf("%q: %d,", dir, len(largest))
		}
		if most := max(circles[dir], 1); len(largest) > most {
			t.Errorf("%s: got %d files in one circle, want at most %d:\n\t%s\n"+
				"Move a declaration to a file below both.", dir, len(largest), most, strings.Join(uses, "\n\t"))
		}
	}
}

// circle returns the largest set of files of a package of which each uses each other, by way of others
// too. uses has an example of each use among them.
func circle(t *testing.T, lib types.Importer, dir string, files []*source) (largest, uses []string) {
	t.Helper()
	arrows := arrows(t, lib, dir, files)
	reach := make(map[string]map[string]bool)
	for from := range arrows {
		reach[from] = make(map[string]bool)
		follow(arrows, from, reach[from])
	}
	for _, from := range slices.Sorted(maps.Keys(reach)) {
		var in []string
		for to := range reach[from] {
			if reach[to][from] {
				in = append(in, to)
			}
		}
		if len(in) > len(largest) {
			slices.Sort(in)
			largest = in
		}
	}
	for _, from := range largest {
		for _, to := range largest {
			if name := arrows[from][to]; name != "" {
				uses = append(uses, from+" uses "+name+" of "+to)
			}
		}
	}
	return largest, uses
}

// follow adds to seen all files that a file uses, by way of others too.
func follow(arrows map[string]map[string]string, from string, seen map[string]bool) {
	for to := range arrows[from] {
		if !seen[to] {
			seen[to] = true
			follow(arrows, to, seen)
		}
	}
}

// arrows returns for each file of a package the other files that it uses, with the first name of each.
func arrows(t *testing.T, lib types.Importer, dir string, files []*source) map[string]map[string]string {
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
	// Names that are declared in a file for another system are missing, which does
	// not matter here.
	config := &types.Config{Importer: lib, Error: func(error) {}}
	pkg, _ := config.Check(module+dir, fset, parsed, info)
	arrows := make(map[string]map[string]string)
	for id, obj := range info.Uses {
		from := path.Base(fset.Position(id.Pos()).Filename)
		to := path.Base(fset.Position(obj.Pos()).Filename)
		if obj.Pkg() != pkg || from == to || !obj.Pos().IsValid() {
			continue
		}
		if arrows[from] == nil {
			arrows[from] = make(map[string]string)
		}
		if name, ok := arrows[from][to]; !ok || obj.Name() < name {
			arrows[from][to] = obj.Name()
		}
	}
	return arrows
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

// TestCircle wants a circle of three files to be found, and a file that only uses it or is only used not.
func TestCircle(t *testing.T) {
	fset := token.NewFileSet()
	var files []*source
	for name, text := range map[string]string{
		"a.go": "package p\ntype A struct{ b *B }\n",
		"b.go": "package p\ntype B struct{ C }\n",
		"c.go": "package p\ntype C struct{ D }\nfunc (C) m() A { return A{} }\n",
		"d.go": "package p\ntype D struct{}\n",
		"e.go": "package p\nvar e B\n",
	} {
		files = append(files, &source{name, []byte(text), fset, parseFile(t, fset, name, text)})
	}
	got, uses := circle(t, nil, "p", files)
	if want := []string{"a.go", "b.go", "c.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []string{"a.go uses B of b.go", "b.go uses C of c.go", "c.go uses A of a.go"}
	if !slices.Equal(uses, want) {
		t.Errorf("got %q, want %q", uses, want)
	}
}
