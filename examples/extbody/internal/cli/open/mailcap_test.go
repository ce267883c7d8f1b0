package open

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const mailcap = `# a comment
text/plain; less %s; needsterminal
Application/PDF; evince '%s'; test=test -n "$DISPLAY"; description="A \; B"
application/pdf; zathura --fork=yes \
  "%s" &
image/*; feh -- %s
audio; play %s
text/html; w3m -dump %s; copiousoutput
application/x-a; sh -c "x %s"
application/x-b; a | b %s
application/x-c; a %{charset} %s
application/x-d; a < %s
application/x-e; %s
application/x-f; a
application/x-g
; a %s
application/x-h; a %s; TEST = true; x-mozilla-flags=
`

func TestMailcap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mailcap")
	if err := os.WriteFile(file, []byte(mailcap), 0o600); err != nil {
		t.Fatal(err)
	}
	const path = "/tmp/a b;$(touch x)/-q'\".pdf"
	for _, tt := range []struct {
		mediaType string
		passes    bool
		want      []string // nil for none
		terminal  bool
	}{
		{"text/plain", true, []string{"less", path}, true},
		{"application/pdf", true, []string{"evince", path}, false},
		{"application/pdf", false, []string{"zathura", "--fork=yes", path}, false},
		{"image/png", true, []string{"feh", "--", path}, false},
		{"audio/mpeg", true, []string{"play", path}, false},
		{"text/html", true, nil, false},
		{"application/x-a", true, nil, false},
		{"application/x-b", true, nil, false},
		{"application/x-c", true, nil, false},
		{"application/x-d", true, nil, false},
		{"application/x-e", true, nil, false},
		{"application/x-f", true, nil, false},
		{"application/x-g", true, nil, false},
		{"application/x-h", true, []string{"a", path}, false},
		{"application/x-h", false, nil, false},
		{"video/mp4", true, nil, false},
	} {
		v, args, ok := mailcapFor([]string{file + "none", file}, tt.mediaType, path, func(string) bool { return tt.passes })
		if ok != (tt.want != nil) || !slices.Equal(args, tt.want) || v.terminal != tt.terminal {
			t.Errorf("%s: got %q, terminal %t, want %q, %t", tt.mediaType, args, v.terminal, tt.want, tt.terminal)
		}
	}
}

// TestArgsAsShell compares the words of commands with the words that a shell makes.
func TestArgsAsShell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell: ", err)
	}
	const path = "/tmp/plain.pdf"
	for _, command := range []string{
		"evince %s", "a  b\t%s ", `a 'b c' "d  e" f\ g %s`, `a '%s'`, `a "%s"`, `a --x=%s`, `a '' "" %s`, `a x'y'"z"%s`, `a b#c d~e %s`,
		`a '\n' %s`, "a %s &", `sh -c 'x "y"' - %s`,
	} {
		args, ok := viewer{command: command}.args(path)
		shell, err := exec.Command("sh", "-c", "printf '%s\\n' "+strings.TrimSuffix(strings.ReplaceAll(command, "%s", path), "&")).Output()
		if want := strings.Split(strings.TrimSuffix(string(shell), "\n"), "\n"); err != nil || !ok || !slices.Equal(args, want) {
			t.Errorf("%s: got %q, %t, a shell has %q, %v", command, args, ok, want, err)
		}
	}
	for _, command := range []string{
		"a $(b) %s", "a `b` %s", "a \"$b\" %s", "a; b %s", "a && b %s", "a > b %s", "a 2>&1 %s", "a *.x %s", "a 'b %s", "a # %s", "a ~/b %s", "X=y a %s",
		"a \"`b`\" %s", "a %s\nb", `a \'%s\"`, "a !b %s", "(a %s)", "a {b,c} %s", `a "\$" %s`, "a %u %s", "%s a", "'%s' a", "x%s a",
		`sh -c "x %s"`, "sh -c %s", "env sh -c '%s'", `sh -c 'x "%s"'`, `emacs --eval '(find-file "%s")'`, "perl -e %s", `a "b %s"`,
	} {
		if args, ok := (viewer{command: command}).args(path); ok {
			t.Errorf("%s: got %q, want that it is refused", command, args)
		}
	}
}

// FuzzArgs wants a path to be in the arguments as it is, and to change nothing else of them.
func FuzzArgs(f *testing.F) {
	for line := range strings.Lines(mailcap) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const one, other = "/one", "/o t;h'e\"r$(x)`y`\\\n%s"
		for _, v := range parseMailcap(text) {
			a, ok := v.args(one)
			b, ok2 := v.args(other)
			if ok != ok2 || len(a) != len(b) {
				t.Fatalf("%q: got %q and %q, want as many", v.command, a, b)
			}
			found := false
			for i := range a {
				if a[i] != b[i] {
					found = true
					if len(b[i]) <= len(a[i]) || !strings.Contains(b[i], other) {
						t.Errorf("%q: got %q, want the path in it", v.command, b[i])
					}
				}
			}
			if ok && (!found || a[0] != b[0]) {
				t.Errorf("%q: got %q, want the path after the program", v.command, a)
			}
		}
	})
}

// TestMailcapOfOthers holds: a file that others may write, or that is in a folder that they may write, does not count, also if
// the environment names it.
func TestMailcapOfOthers(t *testing.T) {
	dir := t.TempDir()
	names := []string{"own", "open", "folder/own", "missing"}
	modes := []os.FileMode{0o600, 0o666, 0o600, 0}
	var all []string
	for i, name := range names {
		path := filepath.Join(dir, name)
		all = append(all, path)
		if modes[i] == 0 {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(mailcap), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, modes[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MAILCAPS", strings.Join(all, string(filepath.ListSeparator)))
	got, refused := own(mailcaps())
	if want := []string{all[0], all[3]}; !slices.Equal(got, want) || refused != all[1] {
		t.Errorf("got %q and %q, want %q and %q", got, refused, want, all[1])
	}
}
