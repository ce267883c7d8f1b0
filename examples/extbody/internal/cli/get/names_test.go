package get

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

func TestNames(t *testing.T) {
	tests := []struct {
		name string
		ref  externalbody.Reference
		want string
	}{
		{"Name", externalbody.Reference{ID: "1.2", Name: "b.png"}, "3-1.2.png"},
		{"Type", externalbody.Reference{ID: "1.2", Name: "b", MediaType: "image/png"}, "3-1.2.png"},
		{"Neither", externalbody.Reference{ID: "1"}, "3-1"},
		{"TypeDisagrees", externalbody.Reference{ID: "1", Name: "x.desktop", MediaType: "image/png"}, "3-1.png"},
		{"TwoExtensions", externalbody.Reference{ID: "1", Name: "a.tar.gz"}, "3-1.gz"},
		{"LongExtension", externalbody.Reference{ID: "1", Name: "a." + strings.Repeat("x", 300)}, "3-1"},
		{"Traversal", externalbody.Reference{ID: "1", Name: "../../etc/passwd.txt"}, "3-1.txt"},
		{"SlashInExtension", externalbody.Reference{ID: "1", Name: "a./../b", MediaType: "text/html"}, "3-1.html"},
		{"ControlInExtension", externalbody.Reference{ID: "1", Name: "a.\x1b[2J", MediaType: "text/html"}, "3-1.html"},
		{"RightToLeft", externalbody.Reference{ID: "1", Name: "a\u202egpj.exe"}, "3-1.exe"},
		{"ForeignExtension", externalbody.Reference{ID: "1", Name: "a.пнг", MediaType: "image/png"}, "3-1.png"},
		{"Hidden", externalbody.Reference{ID: "1", Name: ".bashrc"}, "3-1"},
		{"IDOfDialect", externalbody.Reference{ID: "1:../x/2"}, "3-1_.._x_2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := &indexNames{given: make(map[string]int)}
			rep := &externalbody.Report{Reference: &tt.ref, MediaType: tt.ref.MediaType}
			if got := n.next(3, &tt.ref) + extension(rep); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Names are given out in the order of the references, with regard to what is
// there, so that the order of the downloads does not matter.
func TestNamesTaken(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "0-1.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := newIndexNames(dir)
	if err != nil {
		t.Fatal(err)
	}
	ref := &externalbody.Reference{ID: "1", MediaType: "text/plain"}
	for _, want := range []string{"0-1-2", "0-1-3"} {
		if got := n.next(0, ref); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
