package house

import (
	"go/ast"
	"go/token"
	"maps"
	"strconv"
	"strings"
	"testing"
)

// TestDiagCodes wants each code that a parser can put into a Diag in the documentation of
// externalbody.DiagCode, or as a constant beside it.
func TestDiagCodes(t *testing.T) {
	codes := make(map[string]bool)
	parsers := make(map[string]bool)
	doc := ""
	for _, s := range sources(t) {
		switch s.path {
		case "externalbody/diag.go":
			maps.Copy(codes, literals(s))
			doc = string(s.text)
		case "internal/mime/param/param.go", "urlaccess/repair.go":
			maps.Copy(parsers, literals(s))
		}
	}
	if len(parsers) < 28 {
		t.Errorf("got %d codes of parsers, want 28 or more", len(parsers))
	}
	for code := range parsers {
		if !codes[code] && !strings.Contains(doc, "//\t"+code+" ") {
			t.Errorf("got nothing for %q in externalbody/diag.go, want it documented", code)
		}
	}
}

// literals returns the texts of a file that are not empty.
func literals(s *source) map[string]bool {
	found := make(map[string]bool)
	ast.Inspect(s.file, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && text != "" {
				found[text] = true
			}
		}
		return true
	})
	return found
}
