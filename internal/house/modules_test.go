package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestModules holds the programs of a user of the library to few modules, and the
// program's own to the program.
func TestModules(t *testing.T) {
	read := []string{"github.com/emersion/go-message", "github.com/segmentio/asm", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text"}
	for _, tt := range []struct {
		packages []string
		want     []string
	}{
		{[]string{"./dataurl", "./urlaccess/...", "./fetch"}, []string{"github.com/segmentio/asm", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text"}},
		{[]string{"./externalbody", "./externalbody/dialect", "./externalbody/rewrite"}, read},
		{[]string{"./externalbody", "./externalbody/dialect", "./externalbody/rewrite", "./fetch/safefetch"}, append([]string{"code.dny.dev/ssrf"}, read...)},
		{[]string{"./externalbody/imapbody"}, append([]string{"github.com/emersion/go-imap/v2"}, read...)},
	} {
		cmd := exec.Command("go", append([]string{"list", "-buildvcs=false", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`}, tt.packages...)...)
		cmd.Dir = root(t)
		cmd.Env = append(cmd.Environ(), "GOOS=linux", "GOARCH=amd64") // elsewhere base64 is the standard library's
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: got error %v, want none", cmd, err)
		}
		got := strings.Fields(string(out))
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s link the modules\n%s\nwant\n%s", strings.Join(tt.packages, " "), strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestModulesOfTests holds the requirements of the library's module to the modules that it and its tests link:
// each requirement lifts the version of a user. The requirements of the program are in examples/go.mod.
func TestModulesOfTests(t *testing.T) {
	allowed := []string{
		"code.dny.dev/ssrf", "github.com/emersion/go-imap/v2", "github.com/emersion/go-message",
		"github.com/emersion/go-msgauth", // checks signatures in package rewrite
		"github.com/segmentio/asm", "go.uber.org/goleak", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text",
		"golang.org/x/tools", // reads vectors
	}
	text, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && strings.HasPrefix(f[1], "v") && !strings.Contains(line, "//") {
			got = append(got, f[0])
		}
	}
	if !slices.Equal(got, allowed) {
		t.Errorf("got the requirements\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(allowed, "\n"))
	}
}

// TestAllPackages counts: CI and the workflow name both modules, and these have the packages that the folders have. The
// pattern ./... alone is the library.
func TestAllPackages(t *testing.T) {
	cmd := exec.Command("go", "list", "-buildvcs=false", "./...", "./examples/...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: got error %v, want none", cmd, err)
	}
	listed := len(strings.Fields(string(out)))
	if there := len(packages(sources(t))); listed != there {
		t.Errorf("go list has %d packages of both modules, and there are %d", listed, there)
	}
	files, err := filepath.Glob(filepath.Join(root(t), ".ci", "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("got the files %q of .ci, %v, want at least 5", files, err)
	}
	for _, name := range []string{".github/workflows/test.yml", "README.md"} {
		files = append(files, filepath.Join(root(t), name))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			_, after, found := strings.Cut(line, " ./...")
			if found && !strings.HasPrefix(after, " ./examples/...") && !strings.Contains(line, "go get ") {
				t.Errorf("%s: got %q, want ./... and ./examples/... beside each other", name, strings.TrimSpace(line))
			}
		}
	}
}

// TestBrowser holds the packages that read, and do not fetch, to packages that a program
// for wasm can afford: no HTTP and no TLS. The test of imports reads the sources, so
// that a stale result of go list is noticed.
func TestBrowser(t *testing.T) {
	for _, system := range []string{"wasip1", "js"} {
		cmd := exec.Command("go", "list", "-buildvcs=false", "-deps", "./urlaccess", "./urlaccess/form", "./dataurl", "./externalbody", "./externalbody/dialect", "./externalbody/rewrite")
		cmd.Dir = root(t)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", system, err)
		}
		packages := strings.Fields(string(out))
		for _, p := range []string{"net/http", "crypto/tls", "crypto/x509"} {
			if slices.Contains(packages, p) {
				t.Errorf("%s: got %s among the packages that reading links, want none of them", system, p)
			}
		}
	}
}
