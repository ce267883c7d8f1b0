package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// TestSources reads compressed files, leaves them as they are where messages are
// rewritten, and names files without mail, and goes on.
func TestSources(t *testing.T) {
	const zip = "PK\x03\x04\x14\x00\x00\x00"
	plain := box("http://a.example/1", "http://a.example/2")
	packed := testkit.Gzip("", plain)
	for _, tt := range []struct {
		name, file, stdin string
		args              string
		status, refs      int
		says              string
	}{
		{"List", packed, "", "list --json PATH", 0, 2, "2 references"},
		{"ListStdin", "", packed, "list --json", 0, 2, "2 references"},
		{"ListZip", zip, "", "list --json PATH", 1, 0, "a damaged zip archive"},
		{"ListZipStdin", "", zip, "list --json", 1, 0, "extract it"},
		{"InPlace", packed, "", "inline --in-place PATH", 1, 0, "not rewritten"},
		{"InPlaceZip", zip, "", "inline --in-place --json PATH", 2, 0, "not rewritten in place"},
		{"FilterZip", "", zip, "inline", 0, 0, ""},
		{"FilterPacked", "", packed, "inline", 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			writeText(t, path, tt.file)
			args := fields(tt.args, "PATH", path)
			status, out, errs := invoke(t.Context(), tt.stdin, args...)
			if status != tt.status || strings.Count(out, `"access_type":"url"`) != tt.refs || !strings.Contains(out+errs, tt.says) {
				t.Errorf("got status %d, %q, %q; want %d, %d references and %q", status, out, errs, tt.status, tt.refs, tt.says)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != tt.file {
				t.Errorf("got the file %q, %v; want it as it was", b, err)
			}
			if strings.HasPrefix(tt.name, "Filter") && out != tt.stdin {
				t.Errorf("got %q, want what came in", out)
			}
		})
	}
}

// TestFolderWithOthers copies files that are not rewritten.
func TestFolderWithOthers(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"a.zip": "PK\x03\x04\x14\x00\x00\x00", "box.gz": testkit.Gzip("", box("data:,x")), "c.eml": "Subject: c\n\nd\n"}
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	for name, text := range files {
		writeText(t, filepath.Join(in, name), text)
	}
	if status, _, errs := invoke(t.Context(), "", "inline", "-o", out, in); status != 1 || !strings.Contains(errs, "box.gz") {
		t.Errorf("got status %d, %q; want 1, and box.gz", status, errs)
	}
	if got := tree(t, out); !maps.Equal(got, files) {
		t.Errorf("got %q, want each as it was: %q", got, files)
	}
}
