package param_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// TestCorpus reads the external-body fields of real messages, which have all
// their parameters whatever else is wrong with them.
func TestCorpus(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder of conformance data")
	}
	files, err := filepath.Glob(filepath.Join(shared, "corpus", "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got no messages, %v; want some", err)
	}
	fields := regexp.MustCompile(`(?mi)^content-type:((?:.*\r?\n[ \t])*.*)\r?\n`)
	attributes := regexp.MustCompile(`(?m)(?:^|[; \t])([\w-]+)="?[^\s"]`)
	forgiven := []string{param.MissingSemicolon, param.StraySemicolon}
	n := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fields.FindAllSubmatch(data, -1) {
			field := string(m[1])
			if !strings.Contains(strings.ToLower(field), "external-body") {
				continue
			}
			n++
			v := param.Parse(field)
			if v.Type != "message/external-body" {
				t.Errorf("%s: %q has the type %q, want %q", file, field, v.Type, "message/external-body")
			}
			for _, a := range attributes.FindAllStringSubmatch(field, -1) {
				if _, ok := v.Get(strings.ToLower(a[1])); !ok {
					t.Errorf("%s: %q: got no %s, want one", file, field, a[1])
				}
			}
			for _, d := range v.Diags {
				if !slices.Contains(forgiven, d.Code) {
					t.Errorf("%s: %q: got %v, want %v at most", file, field, d, forgiven)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d external-body fields, want more", n)
	}
}
