package house

import (
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mentions are the exported names, fields and methods that a comment names with their package, with a link or
// without.
var mentions = regexp.MustCompile(`(?:^|[^\w/.])(\w+)\.([A-Z]\w*)(?:\]?\.([A-Z]\w*))?`)

// TestMentions wants each name of the library that a comment anywhere names with its package to be there, such as
// fetch.Request and fetch.Request.Observe. The tools check links, and names of the package alone.
func TestMentions(t *testing.T) {
	all := sources(t)
	find := libraryNames(t, all)
	for _, s := range all {
		others := map[string]bool{s.file.Name.Name: true} // the package itself, of any folder, may have names for its own use
		for _, i := range imports(s) {
			if find(path.Base(i)) != nil && find(path.Base(i)).Path() != i {
				others[path.Base(i)] = true
			}
		}
		for _, g := range s.file.Comments {
			for _, name := range unresolved(g.Text(), func(base string) *types.Package {
				if others[base] {
					return nil
				}
				return find(base)
			}) {
				t.Errorf("%s:%d: got %s, want a name that there is", s.path, s.line(g.Pos()), name)
			}
		}
	}
}

// libraryNames returns a function that returns the package of the library with that name, or nil.
func libraryNames(t *testing.T, files []*source) func(name string) *types.Package {
	t.Helper()
	lib := exported(t, "./dataurl", "./externalbody/...", "./fetch/...", "./urlaccess/...")
	all := make(map[string]*types.Package)
	for dir := range packages(files) {
		if internal(dir) || strings.HasPrefix(dir, "examples/") {
			continue
		}
		pkg, err := lib.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		all[path.Base(dir)] = pkg
	}
	return func(name string) *types.Package { return all[name] }
}

// unresolved returns the mentions in a comment that lead to nothing. find returns the package of a name, and nil
// for one of others.
func unresolved(comment string, find func(name string) *types.Package) (names []string) {
	for _, m := range mentions.FindAllStringSubmatch(comment, -1) {
		pkg := find(m[1])
		if pkg == nil {
			continue
		}
		obj := pkg.Scope().Lookup(m[2])
		name := strings.TrimSuffix(m[1]+"."+m[2]+"."+m[3], ".")
		switch {
		case obj == nil:
			names = append(names, name)
		case m[3] != "":
			if member, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, m[3]); member == nil {
				names = append(names, name)
			}
		}
	}
	return names
}

// TestUnresolved wants each mention that leads to nothing to be found, and nothing else.
func TestUnresolved(t *testing.T) {
	pkg := checked(t)
	find := func(name string) *types.Package {
		if name == "p" {
			return pkg
		}
		return nil
	}
	got := unresolved("p.T, [p.T].F, p.T.M. p.U; [*p.V], p.T.G and [p.T].H, other.X, a.p.X, x/p.Y", find)
	if want := []string{"p.U", "p.V", "p.T.G", "p.T.H"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// checked returns a package p with a type T, its field F and its method M.
func checked(t *testing.T) *types.Package {
	t.Helper()
	s := parsed(t, "package p\ntype T struct{ F int }\nfunc (*T) M() {}\n")
	pkg, err := new(types.Config).Check("p", s.fset, []*ast.File{s.file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// rowLinks are the words in brackets of a table. A bracket after a letter is code, such as the type of a
// generic function.
var rowLinks = regexp.MustCompile(`(?:^|[^\w])\[\*?(?:(\w+)\.)?([A-Z]\w*)\]`)

// TestNoLinksInTables wants no brackets around names in the tables and the code of comments, where the
// documentation prints them.
func TestNoLinksInTables(t *testing.T) {
	all := sources(t)
	find := libraryNames(t, all)
	for _, s := range all {
		if s.test() || internal(s.dir()) || strings.HasPrefix(s.path, "examples/") {
			continue
		}
		for _, g := range s.file.Comments {
			if found := linksInTables(g.Text(), s.file.Name.Name, find); len(found) > 0 {
				t.Errorf("%s:%d: got %q in a table, want them without brackets", s.path, s.line(g.Pos()), found)
			}
		}
	}
}

// linksInTables returns the links in the indented lines of a comment of a package.
func linksInTables(comment, own string, find func(name string) *types.Package) (links []string) {
	for line := range strings.Lines(comment) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		for _, m := range rowLinks.FindAllStringSubmatch(line, -1) {
			base := m[1]
			if base == "" {
				base = own
			}
			if pkg := find(base); pkg != nil && pkg.Scope().Lookup(m[2]) != nil {
				links = append(links, m[2])
			}
		}
	}
	return links
}

// TestLinksInTables wants each link in a table to be found, and nothing else.
func TestLinksInTables(t *testing.T) {
	pkg := checked(t)
	got := linksInTables("See [T].\n\n\t[T] a\n\tb [*p.T], [U], f[T](x)\n", "p", func(string) *types.Package { return pkg })
	if want := []string{"T", "T"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestKindTable wants a row for each Kind in the table of package fetch.
func TestKindTable(t *testing.T) {
	all := sources(t)
	pkg := libraryNames(t, all)("fetch")
	var doc string
	for _, s := range packages(all)["fetch"] {
		if s.path == "fetch/fetch.go" {
			doc = s.file.Doc.Text()
		}
	}
	kind := pkg.Scope().Lookup("Kind").Type()
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() || !types.Identical(c.Type(), kind) {
			continue
		}
		if rows := strings.Count(doc, "\n\t"+name+" "); rows != 1 {
			t.Errorf("%s: got %d rows in the table of package fetch, want 1", name, rows)
		}
	}
}
