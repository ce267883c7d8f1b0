package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

const tutorialMail = "From: Ann <ann@a.example>\nMessage-ID: <1@a.example>\nMIME-Version: 1.0\n" +
	"Content-Type: message/external-body; access-type=URL; URL=\"data:text/plain,hello\"\n\nContent-Type: text/plain\nContent-ID: <2@a.example>\n\n"

// TestTutorialArchive runs the commands of TUTORIAL.md one after the other.
func TestTutorialArchive(t *testing.T) {
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "mail", "a.eml"), tutorialMail)
	for _, block := range blocks(t, "../TUTORIAL.md", "sh", "") {
		cmd := exec.CommandContext(t.Context(), "sh", "-euxc", block)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("got %v\n%s, want status 0 of each command", err, out)
		}
	}
}

// TestTutorialWebmail builds the program of TUTORIAL.md, and gets a file with it.
func TestTutorialWebmail(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program cannot be ended")
	}
	program := blocks(t, "../TUTORIAL.md", "go", "")[0]
	code := 0
	for line := range strings.Lines(program) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code++
		}
	}
	if code > 60 {
		t.Errorf("got %d lines of code, want at most 60", code)
	}
	dir := t.TempDir()
	port := testkit.FreeAddr(t)
	program = strings.Replace(program, "127.0.0.1:8080", port, 1)
	// The overlay puts the program into the module without a file there.
	place, err := filepath.Abs("../tutorial/main.go")
	must(t, err)
	source, mail, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "a.eml"), filepath.Join(dir, "webmail")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{place: source}})
	must(t, err)
	for name, text := range map[string]string{source: program, mail: tutorialMail, filepath.Join(dir, "overlay"): string(overlay)} {
		writeText(t, name, text)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", filepath.Join(dir, "overlay"), "-o", exe, "../tutorial").CombinedOutput(); err != nil {
		t.Fatalf("got %v\n%s, want a program", err, out)
	}
	cmd := exec.CommandContext(t.Context(), exe, mail)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	get := func(method, path string) (string, http.Header) {
		for range 100 {
			req, err := http.NewRequestWithContext(t.Context(), method, "http://"+port+path, nil)
			must(t, err)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				time.Sleep(50 * time.Millisecond)
				continue
			}
			defer resp.Body.Close()
			b, _ := io.ReadAll(resp.Body)
			return string(b), resp.Header
		}
		t.Fatalf("%s %s: got no answer, want one", method, path)
		return "", nil
	}
	if page, _ := get("GET", "/"); !strings.Contains(page, "action=/get/1") {
		t.Errorf("the page: got %q, want a form for reference 1", page)
	}
	body, header := get("POST", "/get/1")
	if body != "hello" || header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the file: got %q with %v, want hello with nosniff", body, header)
	}
}
