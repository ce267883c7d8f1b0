package get

import (
	"crypto/sha256"
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

// Names are given out in the order of the references, with regard to the files that
// are there, so that the order of the downloads does not matter.
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

// The first body with a digest makes the file, and the others get its name. If it is not
// made, the next body makes it.
func TestLinks(t *testing.T) {
	report := func() *externalbody.Report {
		sum := sha256.Sum256([]byte("body"))
		return &externalbody.Report{SHA256: sum[:]}
	}
	c := newClaims()
	first, second := report(), report()
	if got := c.link(first); got != "" {
		t.Errorf("the first: got %q, want none", got)
	}
	c.end(first, "")
	if got := c.link(second); got != "" {
		t.Errorf("after one that failed: got %q, want none", got)
	}
	waiting := make(chan string)
	go func() { waiting <- c.link(report()) }()
	c.end(first, "late") // its claim has ended
	c.end(second, "a.txt")
	if got := <-waiting; got != "a.txt" {
		t.Errorf("the third: got %q, want a.txt", got)
	}
}

// One body at a time has a name.
func TestNameClaims(t *testing.T) {
	c := newClaims()
	first, second := new(externalbody.Report), new(externalbody.Report)
	c.name("a", first)
	c.name("b", new(externalbody.Report))
	waiting := make(chan string)
	go func() { waiting <- c.name("a", second) }()
	select {
	case <-waiting:
		t.Error("got the name twice, want it once")
	default:
	}
	c.end(first, "")
	if got := <-waiting; got != "a" {
		t.Errorf("got %q, want a", got)
	}
	c.end(second, "a")
	if len(c.names)+len(c.owners) != 2 {
		t.Errorf("got %d names and %d owners, want those of b alone", len(c.names), len(c.owners))
	}
}
