package house

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/api.txt")

// TestAPI compares the exported names, methods and fields of the library with the list of
// them. A change of the list is a change of the API: the change log names it.
//
//	go test -run TestAPI ./internal/house -update
func TestAPI(t *testing.T) {
	lib := exported(t, "./dataurl", "./externalbody/...", "./fetch/...", "./urlaccess/...")
	var lines []string
	for dir := range packages(sources(t)) {
		if internal(dir) || strings.HasPrefix(dir, "examples/") {
			continue
		}
		pkg, err := lib.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		own := api(pkg)
		t.Logf("%s: %d", dir, len(own))
		for _, line := range own {
			lines = append(lines, dir+": "+line)
		}
	}
	slices.Sort(lines)
	t.Logf("%d exported things", len(lines))
	got := strings.Join(lines, "\n") + "\n"
	name := filepath.Join("testdata", "api.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if _, ok := slices.BinarySearch(old, line); !ok {
			t.Errorf("not in %s: %s", name, line)
		}
	}
	for _, line := range old {
		if _, ok := slices.BinarySearch(lines, line); !ok {
			t.Errorf("only in %s: %s", name, line)
		}
	}
	if t.Failed() {
		t.Log("If that is meant, run: go test -run TestAPI ./internal/house -update")
	}
}

// api lists the exported things of a package, a line each: constants, variables, functions
// and types, and the exported fields and methods of exported types.
func api(pkg *types.Package) (lines []string) {
	qualify := types.RelativeTo(pkg)
	show := func(t types.Type) string { return types.TypeString(t, qualify) }
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			lines = append(lines, fmt.Sprintf("const %s %s", name, show(obj.Type())))
		case *types.Var:
			lines = append(lines, fmt.Sprintf("var %s %s", name, show(obj.Type())))
		case *types.Func:
			lines = append(lines, "func "+name+strings.TrimPrefix(show(obj.Type()), "func"))
		case *types.TypeName:
			lines = append(lines, typeLines(obj, show)...)
		}
	}
	return lines
}

// typeLines lists an exported type with its exported fields and methods.
func typeLines(obj *types.TypeName, show func(types.Type) string) []string {
	name := obj.Name()
	typ := types.Unalias(obj.Type())
	if obj.IsAlias() {
		return []string{fmt.Sprintf("type %s = %s", name, show(typ))}
	}
	var lines []string
	switch under := typ.Underlying().(type) {
	case *types.Struct:
		lines = append(lines, "type "+name+" struct")
		for f := range under.Fields() {
			if f.Exported() {
				lines = append(lines, fmt.Sprintf("field %s.%s %s", name, f.Name(), show(f.Type())))
			}
		}
	case *types.Interface:
		lines = append(lines, "type "+name+" interface")
		for m := range under.Methods() {
			if m.Exported() {
				lines = append(lines, "method "+name+"."+m.Name()+strings.TrimPrefix(show(m.Type()), "func"))
			}
		}
	default:
		lines = append(lines, fmt.Sprintf("type %s %s", name, show(under)))
	}
	if named, ok := typ.(*types.Named); ok {
		for m := range named.Methods() {
			if m.Exported() {
				lines = append(lines, "method "+name+"."+m.Name()+strings.TrimPrefix(show(m.Type()), "func"))
			}
		}
	}
	return lines
}
