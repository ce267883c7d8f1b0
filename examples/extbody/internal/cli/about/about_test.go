package about

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write licenses.txt anew")

const module = "../../../../.."

// licenses.txt has the licenses and notices of every module of the program's build list,
// and of Go, without versions: a newer one with the same text changes nothing. Rewrite it with
// -update after a change of examples/go.mod.
func TestLicenses(t *testing.T) {
	// examples/go.mod is read so that a cached result does not outlive it.
	if _, err := os.ReadFile(filepath.Join(module, "examples", "go.mod")); err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{"github.com/go-extbody/extbody": module, "the Go standard library": goroot(t)}
	for _, system := range []string{"linux", "windows", "darwin", "freebsd"} {
		cmd := exec.Command("go", "list", "-buildvcs=false", "-deps", "-json=Module", "./examples/extbody")
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: got error %v, want none", cmd, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&p); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if p.Module != nil && !p.Module.Main {
				dirs[p.Module.Path] = p.Module.Dir
			}
		}
	}
	users := make(map[string][]string) // modules by text
	for name, dir := range dirs {
		n := 0
		for _, file := range texts(t, dir) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
			users[text] = append(users[text], name)
			n++
		}
		if n == 0 {
			t.Errorf("%s: got no license in %s, want one", name, dir)
		}
	}
	var sections []string
	for text, names := range users {
		slices.Sort(names)
		sections = append(sections, fmt.Sprintf("%s\n\n%s\n", strings.Join(names, "\n"), text))
	}
	slices.Sort(sections)
	want := strings.Join(sections, "\n"+strings.Repeat("=", 72)+"\n\n")
	if *update {
		if err := os.WriteFile("licenses.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if licenses != want {
		t.Error("licenses.txt does not fit examples/go.mod: run go test ./examples/extbody/internal/cli/about -update")
	}
}

func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go: ", err)
	}
	return strings.TrimSpace(string(out))
}

// texts returns the licenses and notices in a folder.
func texts(t *testing.T, dir string) (files []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	legal := regexp.MustCompile(`(?i)^(un)?(license|licence|copying|notice|patents)`)
	for _, e := range entries {
		if legal.MatchString(e.Name()) && e.Type() == fs.FileMode(0) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// The manual page is one that groff takes without a word.
func TestMan(t *testing.T) {
	root := &cobra.Command{Use: "extbody", Short: "Find - all", Long: ".one\n'two\nthree \\ four"}
	below := &cobra.Command{Use: "get [PATH...]", Short: "Get", Run: func(*cobra.Command, []string) {}}
	below.Flags().StringP("output", "o", "", "save in `DIR`")
	root.AddCommand(below, Man(func(c *cobra.Command) string {
		if c == below {
			return "extbody get -o files \\\n    a.eml"
		}
		return ""
	}))
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"man"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	const want = ".TH EXTBODY 1\n.SH NAME\nextbody \\- Find \\- all\n.SH SYNOPSIS\n.B extbody\nCOMMAND [flags] [PATH...]\n.SH DESCRIPTION\n" +
		".nf\n\\&.one\n\\&'two\nthree \\e four\n.fi\n" +
		".SH EXTBODY GET\n.B extbody get [PATH...] [flags]\n.PP\n.nf\nGet\n.fi\n" +
		".PP\nExamples:\n.PP\n.RS 4\n.nf\nextbody get \\-o files \\e\n    a.eml\n.fi\n.RE\n" +
		".TP\n.B \\-o, \\-\\-output DIR\nsave in DIR\n" + manualEnd
	if out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	cmd.Stdin = &out
	if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("groff: got %q, %v, want nothing", said, err)
	}
}
