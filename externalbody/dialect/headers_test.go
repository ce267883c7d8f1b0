package dialect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestHeaders checks the forms of header fields. Each archive in testdata has messages,
// NAME.eml, and after each of them NAME.refs, which has a line for each reference that is
// wanted. There, a line that begins with "#" is a comment.
func TestHeaders(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d archives, %v, want some", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runGolden(t, readGolden(t, path))
		})
	}
}

func readGolden(t *testing.T, path string) []golden {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse([]byte(strings.ReplaceAll(string(b), "\r\n", "\n"))).Files
	var cases []golden
	for len(files) > 0 {
		name, ok := strings.CutSuffix(files[0].Name, ".eml")
		if !ok || len(files) < 2 || files[1].Name != name+".refs" {
			t.Fatalf("%s: got %s, want NAME.eml and after it NAME.refs", path, files[0].Name)
		}
		c := golden{name: name, text: string(files[0].Data)}
		for line := range strings.Lines(string(files[1].Data)) {
			if !strings.HasPrefix(line, "#") {
				c.want = append(c.want, strings.TrimSuffix(line, "\n"))
			}
		}
		cases, files = append(cases, c), files[2:]
	}
	return cases
}
