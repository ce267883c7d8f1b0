package externalbody

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// Each code without an exported constant has a row in the comment of DiagCode.
func TestDiagTable(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "diag.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var doc string
	codes := map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.Name == "DiagCode" {
					doc = g.Doc.Text()
				}
			case *ast.ValueSpec:
				if code, err := strconv.Unquote(s.Values[0].(*ast.BasicLit).Value); err == nil {
					codes[code] = s.Names[0].Name
				}
			}
		}
	}
	for code, name := range codes {
		if has := strings.Contains(doc, "\t"+code+" "); has == ast.IsExported(name) {
			t.Errorf("%s: got a row of %s in the comment of DiagCode: %t", name, code, has)
		}
	}
}
