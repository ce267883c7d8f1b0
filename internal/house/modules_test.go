package house

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestModules holds what a user of the library links to few modules, and the
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

// TestModulesOfTests holds the tests of the library to the modules that it links, and a
// few more: a user's go.sum has the checksums of all of them.
func TestModulesOfTests(t *testing.T) {
	allowed := []string{
		"code.dny.dev/ssrf", "github.com/emersion/go-imap/v2", "github.com/emersion/go-message", "github.com/segmentio/asm",
		"go.uber.org/goleak", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text",
		"github.com/emersion/go-msgauth", // checks signatures in package rewrite
		"golang.org/x/tools/txtar",       // reads vectors
	}
	for _, s := range sources(t) {
		if !s.test() || strings.HasPrefix(s.path, "examples/") {
			continue
		}
		for _, i := range imports(s) {
			if !standard(i) && !strings.HasPrefix(i, module) && !slices.ContainsFunc(allowed, func(m string) bool { return i == m || strings.HasPrefix(i, m+"/") }) {
				t.Errorf("%s: got the import %s, want it in a test of the program", s.path, i)
			}
		}
	}
}

// TestBrowser holds what reads, and does not fetch, to packages that a program for wasm
// can afford: no HTTP and no TLS. The test of imports reads the sources, so that a stale
// result of go list is noticed.
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
