package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchiving is OP-59: it runs the lines of ARCHIVING.md one after the other, with a Maildir and a host of this machine.
func TestArchiving(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "body of "+r.URL.Path) })
	home := t.TempDir()
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(home, "Maildir", sub), 0o700))
	}
	for _, id := range []string{"1", "2"} {
		message := strings.Replace(linked(id, base+"/"+id), "octet-stream", "octet-stream\r\nContent-ID: <c"+id+"@example.org>", 1)
		message = strings.Replace(message, "a@example.org", "ann@example.org", 1)
		writeText(t, filepath.Join(home, "Maildir", "cur", id+":2,S"), message)
	}
	dir := filepath.Join(home, "archiving")
	must(t, os.Mkdir(dir, 0o700))
	here := strings.NewReplacer("files.intern.example", "127.0.0.1", "10.0.0.0/8", "127.0.0.1/32", "8443", flags[3])
	env := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "PATH="+withProgram(t)+":"+os.Getenv("PATH"))
	all := ""
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: got %v\n%s, want status 0", args, err, out)
		}
		all += string(out)
	}
	for _, block := range blocks(t, "ARCHIVING.md", "sh", "") {
		block = here.Replace(block)
		if !strings.HasPrefix(block, "#!") {
			run("sh", "-euxc", block)
			continue
		}
		script := filepath.Join(home, "extbody-night")
		writeText(t, script, block)
		run("sh", script)
		if heads := readText(t, filepath.Join(dir, "heads")); !strings.HasPrefix(heads, "head ") || strings.Count(heads, "\n") != 1 {
			t.Errorf("got the heads %q, want one", heads)
		}
	}
	for _, want := range []string{
		"--resolve all would contact 1 host:", "kind=blocked with it", "2 captured, 0 exceptions", "1 object, 0 exchanges", "it is held", "case 2026-17", "1 message restored",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("got %s, want %q in it", all, want)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "restored", "cur", "*"))
	if len(files) != 1 || !strings.Contains(readText(t, files[0]), "body of /1") {
		t.Errorf("got %v, want a message with its body", files)
	}
}

// withProgram returns a folder in which the program is by its name.
func withProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Symlink(executable(t), filepath.Join(dir, "extbody")))
	return dir
}

// TestArchivingUnits has systemd judge the units of ARCHIVING.md.
func TestArchivingUnits(t *testing.T) {
	installed(t, "systemd-analyze")
	dir := t.TempDir()
	var names []string
	for _, block := range blocks(t, "ARCHIVING.md", "ini", "") {
		first, _, _ := strings.Cut(block, "\n")
		name := filepath.Join(dir, strings.TrimPrefix(first, "# "))
		writeText(t, name, strings.Replace(block, "/usr/local/bin/extbody-night", "/bin/true", 1))
		names = append(names, name)
	}
	if len(names) != 2 {
		t.Fatalf("got %v, want two units", names)
	}
	analyze(t, append([]string{"verify"}, names...)...)
}
