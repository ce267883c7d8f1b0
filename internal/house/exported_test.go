package house

import (
	"cmp"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExportedTypes wants the packages that others can import to show no type of an
// internal package: not in an exported constant, variable, function or type, and not
// in a declaration that can be reached from these. Those are exported fields and
// methods, those that an embedded type of any name promotes among them.
func TestExportedTypes(t *testing.T) {
	lib := exported(t, "./dataurl", "./externalbody/...", "./fetch/...", "./urlaccess/...")
	for dir := range packages(sources(t)) {
		if internal(dir) || isProgram(dir) {
			continue
		}
		pkg, err := lib.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, leak := range leaks(pkg) {
			t.Errorf("%s: got %s, want no internal type", dir, leak)
		}
	}
}

// TestLeaks wants each way of showing an internal type to be seen, and nothing else.
func TestLeaks(t *testing.T) {
	const text = `package p

import "` + module + `internal/in"

type Own struct { Field in.T; hidden in.T; Next *Own }
func (*Own) Method(map[string]*in.T) {}
func (Own) method(in.T) {}
type deep struct { Promoted []in.T; hidden in.T }
func (deep) Method(...in.T) {}
type Embeds struct { deep }
type EmbedsIn struct { in.T }
type Whole in.T
type Alias = in.T
type Generic[E any] struct{ Value E }
type Instance struct { G Generic[in.T] }
type Bound[E interface{ in.T }] struct{}
type Iface interface { M() in.T; unseen() in.N }
func Result() func() (int, chan in.T) { return nil }
func Unexported() deep { return deep{} }
func unexported() in.T { return in.T{} }
var Value = in.T{}
const Const = in.C

type Fine struct { hidden in.T; Other *Own; E error }
func Use(Fine, Iface) { unexported() }
const FineConst = int(in.C)
`
	fset, imported := token.NewFileSet(), make(importMap)
	check := func(name, text string) *types.Package {
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := (&types.Config{Importer: imported}).Check(name, fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return pkg
	}
	in := module + "internal/in"
	imported[in] = check(in, "package in\ntype T struct{ X int }\ntype N int\nconst C N = 1\n")
	want := []string{
		"in.T in Alias",
		"in.T in Bound",
		"in.N in Const",
		"in.T in Embeds.deep.Promoted", "in.T in Embeds.deep.Method",
		"in.T in EmbedsIn.T",
		"in.T in Iface.M",
		"in.T in Instance.G",
		"in.T in Own.Field", "in.T in Own.Method",
		"in.T in Result",
		"in.T in Unexported.Promoted", "in.T in Unexported.Method",
		"in.T in Value",
	}
	if got := leaks(check(module+"p", text)); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// importMap has packages by their paths.
type importMap map[string]*types.Package

func (m importMap) Import(name string) (*types.Package, error) { return m[name], nil }

// exported returns an importer of the compiler's export data of the packages of some patterns
// and of all that they import.
func exported(t *testing.T, patterns ...string) types.Importer {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-buildvcs=false", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)...)
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: got error %v, want none", cmd, err)
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// leaks returns the internal types that a package shows, each with where.
func leaks(pkg *types.Package) (found []string) {
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		l := leakFinder{pkg: pkg, seen: make(map[types.Type]bool)}
		switch typ := obj.Type().(type) {
		case *types.Named:
			if _, is := obj.(*types.TypeName); is {
				l.own(typ, name)
				break
			}
			l.look(typ, name)
		default:
			l.look(typ, name)
		}
		found = append(found, l.found...)
	}
	return found
}

// A leakFinder looks for internal types in the declarations that one exported name
// shows.
type leakFinder struct {
	pkg   *types.Package
	seen  map[types.Type]bool
	found []string
}

// look looks at a type that is shown at a place.
func (l *leakFinder) look(typ types.Type, where string) {
	typ = types.Unalias(typ)
	switch typ := typ.(type) {
	case *types.Named:
		obj := typ.Obj()
		for arg := range typ.TypeArgs().Types() {
			l.look(arg, where)
		}
		switch {
		case obj.Pkg() == nil: // error
		case obj.Pkg().Path() == module+"internal/netx/only": // closes a method to others on purpose
		case internal(strings.TrimPrefix(obj.Pkg().Path(), module)):
			l.found = append(l.found, obj.Pkg().Name()+"."+obj.Name()+" in "+where)
		case obj.Pkg() == l.pkg && !obj.Exported():
			l.own(typ, where)
		}
	case *types.Pointer:
		l.look(typ.Elem(), where)
	case *types.Slice:
		l.look(typ.Elem(), where)
	case *types.Array:
		l.look(typ.Elem(), where)
	case *types.Chan:
		l.look(typ.Elem(), where)
	case *types.Map:
		l.look(typ.Key(), where)
		l.look(typ.Elem(), where)
	case *types.Signature:
		l.params(typ.TypeParams(), where)
		for _, tuple := range []*types.Tuple{typ.Params(), typ.Results()} {
			for v := range tuple.Variables() {
				l.look(v.Type(), where)
			}
		}
	case *types.Struct:
		for f := range typ.Fields() {
			if f.Exported() || f.Embedded() {
				l.look(f.Type(), where+"."+f.Name())
			}
		}
	case *types.Interface:
		for e := range typ.EmbeddedTypes() {
			l.look(e, where)
		}
		for m := range typ.ExplicitMethods() {
			if m.Exported() {
				l.look(m.Type(), where+"."+m.Name())
			}
		}
	case *types.Union:
		for term := range typ.Terms() {
			l.look(term.Type(), where)
		}
	}
}

// own looks at the visible parts of a type of the package itself: its structure and
// its methods.
func (l *leakFinder) own(typ *types.Named, where string) {
	if l.seen[typ] {
		return
	}
	l.seen[typ] = true
	l.params(typ.TypeParams(), where)
	l.look(typ.Underlying(), where)
	for m := range typ.Methods() {
		if m.Exported() {
			l.look(m.Type(), where+"."+m.Name())
		}
	}
}

func (l *leakFinder) params(list *types.TypeParamList, where string) {
	for p := range list.TypeParams() {
		l.look(p.Constraint(), where)
	}
}

// A comment of a field, or of a constant in a group, is printed as it is: the documentation
// links no name in it.
func TestNoLinksInFields(t *testing.T) {
	link := regexp.MustCompile(`\[\*?[A-Za-z][\w./-]*\]`)
	for _, s := range sources(t) {
		if s.test() || internal(s.dir()) || strings.HasPrefix(s.path, "examples/") {
			continue
		}
		check := func(groups ...*ast.CommentGroup) {
			for _, g := range groups {
				if found := link.FindString(g.Text()); found != "" {
					t.Errorf("%s:%d: got %s in the comment of a field, want it without brackets", s.path, s.line(g.Pos()), found)
				}
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return false
			case *ast.Field:
				check(n.Doc, n.Comment)
			case *ast.GenDecl:
				for _, spec := range n.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && n.Lparen.IsValid() {
						check(v.Doc, v.Comment)
					}
				}
			}
			return true
		})
	}
}

// members are the fields and methods that a comment names after a link to their type.
var members = regexp.MustCompile(`\[\*?(?:(\w+)\.)?([A-Z]\w*)\]\.([A-Z]\w*)`)

// TestMembers wants a field or method that a comment names after a link, such as [fetch.Request].Observe,
// to be one of that type. The tools check the link alone.
func TestMembers(t *testing.T) {
	lib := exported(t, "./...")
	all := packages(sources(t))
	dirs := make(map[string]string) // by the name of the package
	for dir := range all {
		if !internal(dir) && !strings.HasPrefix(dir, "examples/") {
			dirs[path.Base(dir)] = dir
		}
	}
	for _, dir := range dirs {
		for _, s := range all[dir] {
			for _, g := range s.file.Comments {
				for _, name := range missing(g.Text(), func(base string) *types.Package {
					in, ok := dirs[cmp.Or(base, path.Base(dir))]
					if !ok {
						return nil
					}
					pkg, err := lib.Import(module + in)
					if err != nil {
						t.Fatal(err)
					}
					return pkg
				}) {
					t.Errorf("%s:%d: got %s, want a field or method that there is", s.path, s.line(g.Pos()), name)
				}
			}
		}
	}
}

// missing returns the members in a comment that their types do not have. find returns the package of a
// name, and nil for one of others; "" is the package itself.
func missing(comment string, find func(name string) *types.Package) (names []string) {
	for _, m := range members.FindAllStringSubmatch(comment, -1) {
		pkg := find(m[1])
		if pkg == nil {
			continue
		}
		typ := pkg.Scope().Lookup(m[2])
		if typ == nil {
			names = append(names, m[0])
			continue
		}
		if obj, _, _ := types.LookupFieldOrMethod(typ.Type(), true, pkg, m[3]); obj == nil {
			names = append(names, m[0])
		}
	}
	return names
}

// TestMissing wants each member that is not there to be found, and nothing else.
func TestMissing(t *testing.T) {
	pkg := checked(t)
	find := func(name string) *types.Package {
		if name == "other" {
			return nil
		}
		return pkg
	}
	got := missing("See [T].F, [*T].M, [p.T].F, [other.T].X, [T], [T].G, [p.T].G and [U].F.", find)
	if want := []string{"[T].G", "[p.T].G", "[U].F"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
