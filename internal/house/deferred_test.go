package house

import (
	"go/ast"
	"testing"
)

// TestDeferredCalls forbids deferred calls of a named result, or of a method of one: a return of nil
// beside an error would make the call a panic, which takes the place of the error.
func TestDeferredCalls(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, name := range deferredCalls(n) {
				t.Errorf("%s:%d: got a deferred call of the named result %s, want one of another variable", s.path, s.line(name.Pos()), name.Name)
			}
			return true
		})
	}
}

// deferredCalls returns the named results of a function that its deferred functions call, or whose methods
// they call. It returns nil if n is not a function.
func deferredCalls(n ast.Node) (list []*ast.Ident) {
	var signature *ast.FuncType
	var body *ast.BlockStmt
	switch f := n.(type) {
	case *ast.FuncDecl:
		signature, body = f.Type, f.Body
	case *ast.FuncLit:
		signature, body = f.Type, f.Body
	}
	if body == nil || signature.Results == nil {
		return nil
	}
	results := make(map[string]bool)
	for _, field := range signature.Results.List {
		for _, name := range field.Names {
			results[name.Name] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return true
		}
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name := caller(call.Fun); name != nil && results[name.Name] {
				list = append(list, name)
			}
			return true
		})
		return false
	})
	return list
}

// caller returns the variable that is called, or whose method is; nil if it has no
// name.
func caller(x ast.Expr) *ast.Ident {
	if s, ok := x.(*ast.SelectorExpr); ok {
		x = s.X
	}
	name, _ := x.(*ast.Ident)
	return name
}
