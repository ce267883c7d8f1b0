package house

import (
	"go/ast"
	"go/token"
	"maps"
	"strconv"
	"testing"
)

// TestDiagCodes wants a constant of package externalbody for each code that a
// parser can put into a Diag.
func TestDiagCodes(t *testing.T) {
	codes := make(map[string]bool)
	parsers := make(map[string]bool)
	for _, s := range sources(t) {
		switch s.path {
		case "externalbody/diag.go":
			maps.Copy(codes, literals(s))
		case "internal/mime/param/diag.go", "urlaccess/repair.go":
			maps.Copy(parsers, literals(s))
		}
	}
	delete(parsers, "unknown") // the text of a Repair that is none
	if len(parsers) < 28 {
		t.Errorf("got %d codes of parsers, want 28 or more", len(parsers))
	}
	for code := range parsers {
		if !codes[code] {
			t.Errorf("got no constant for %q in externalbody/diag.go, want one", code)
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
