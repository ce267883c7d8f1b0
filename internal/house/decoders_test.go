package house

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// A decoder is a file that decodes JSON or XML. Either a stranger writes the text, and a test shows that the values
// are bounded by their number, or there is a reason for needing no such bound.
type decoder struct {
	test   string // the package and the name
	reason string
}

// decoders has a row for each file that decodes JSON or XML, tests and the testkit apart.
var decoders = map[string]decoder{
	"internal/codec/bounded/bounded.go": {test: "internal/codec/bounded.TestValues"},

	// The sender of a mail writes these.
	"externalbody/dialect/lark.go":                      {test: "externalbody/dialect.TestBounds"},
	"externalbody/dialect/sharelink.go":                 {test: "externalbody/dialect.TestBounds"},
	"internal/mime/picture/active.go":                   {test: "internal/mime/picture.TestActiveBounds"},
	"examples/extbody/internal/mail/mailbox/foreign.go": {reason: "two tokens of the first octets of a file"},
	"examples/extbody/internal/cli/open/document.go":    {test: "examples/extbody/internal/cli/open.TestMarkupBounds"},

	// The API of a file host writes these.
	"fetch/accountfetch/call.go":  {test: "fetch/accountfetch.TestManyValues"},
	"fetch/accountfetch/graph.go": {test: "fetch/accountfetch.TestManyValues"},
	"fetch/accountfetch/drive.go": {test: "fetch/accountfetch.TestManyValues"},

	// A server of mail writes these.
	"examples/extbody/internal/mail/jmapsession/answer.go": {test: "examples/extbody/internal/mail/jmapsession.TestHostileAnswers"},

	// An archive may be a stranger's, and so may the body that a fetcher delivers
	// to one.
	"examples/extbody/internal/archive/ledger/ledger.go":     {test: "examples/extbody/internal/archive/ledger.TestManyValues"},
	"examples/extbody/internal/archive/exchange/exchange.go": {test: "examples/extbody/internal/archive.TestManyValues"},
	"examples/extbody/internal/archive/incoming.go":          {test: "examples/extbody/internal/archive.TestManyValues"},
	"examples/extbody/internal/archive/looksfile.go":         {test: "examples/extbody/internal/archive.TestManyLooks"},
	"examples/extbody/internal/archive/open.go":              {reason: "entries that exchange.go has read"},

	// Clients of a fleet write jobs, and its fetchers write results.
	"examples/extbody/internal/fleet/worker.go": {test: "examples/extbody/internal/fleet.TestRequestBounds"},
	"examples/extbody/internal/fleet/client.go": {reason: "a result of a fetcher, which is trusted"},

	// The user, or a program that the user starts, writes these.
	"examples/extbody/internal/archive/source.go":      {reason: "lines of at most 1 MiB in a file of the user, one at a time"},
	"examples/extbody/internal/cli/login/login.go":     {reason: "at most 64 KiB"},
	"examples/extbody/internal/cli/mcp/find.go":        {reason: "a cursor in a call, whose line has at most 1 MiB"},
	"examples/extbody/internal/cli/mcp/wire.go":        {reason: "lines of at most 1 MiB"},
	"examples/extbody/internal/cli/native/wire.go":     {reason: "frames of at most 1 MiB, whose keys are known"},
	"examples/extbody/internal/cli/record/previous.go": {reason: "a record of an earlier run"},
	"internal/link/verbs/decode.go":                    {reason: "the list of linked files, which is a part of the program"},
	"examples/list/list.go":                            {reason: "the list of linked files, which is a part of the program"},

	// The program itself wrote these.
	"examples/extbody/internal/gateway/inspect/deferrals.go": {reason: "a file of the program, with short lines"},
	"examples/extbody/internal/gateway/inspect/scan.go":      {reason: "an outcome of the fleet's mail servers, which believe each other"},
	"fetch/cache/stored.go":                                  {reason: "a meta that the cache stored"},
	"fetch/record/record.go":                                 {reason: "one text within a record that another row reads"},
}

// decodes reports whether a file calls a function that decodes JSON or XML.
func decodes(s *source) (found bool) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := sel.X.(*ast.Ident)
		reads := strings.HasPrefix(sel.Sel.Name, "Unmarshal") || strings.HasPrefix(sel.Sel.Name, "NewDecoder") || sel.Sel.Name == "NewTokenDecoder"
		if of != nil {
			format := slices.Contains([]string{"json", "xml", "jsontext", "gob"}, of.Name)
			found = found || format && reads || of.Name == "bounded" && sel.Sel.Name == "JSON"
		}
		return true
	})
	return found
}

// TestDecoders holds, OP-62: each function that decodes JSON or XML has a row, and the row a test that is there
// or a reason.
func TestDecoders(t *testing.T) {
	all := sources(t)
	tests := make(map[string]bool)
	found := make(map[string]bool)
	for _, s := range all {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test() {
				tests[s.dir()+"."+f.Name.Name] = true
			}
		}
		if s.test() || strings.HasPrefix(s.path, "internal/testkit/") || path.Dir(s.path) == "externalbody/dialect/testdata" {
			continue
		}
		if decodes(s) {
			found[s.path] = true
			if _, ok := decoders[s.path]; !ok {
				t.Errorf("%s decodes JSON or XML: got no row, want one with the test of its bounds, or with the reason for needing none", s.path)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(decoders)) {
		d := decoders[p]
		if !found[p] {
			t.Errorf("%s: got nothing that is decoded, want the row gone", p)
		}
		if (d.test == "") == (d.reason == "") {
			t.Errorf("%s: want a test or a reason", p)
		}
		if d.test != "" && !tests[d.test] {
			t.Errorf("%s: got no test %s, want the one of its row", p, d.test)
		}
	}
}
