package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
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

// TestTry runs the lines of README.md one after the other, and wants the lines of open that it shows.
func TestTry(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no terminal to ask at")
	}
	dir := t.TempDir()
	shown := blocks(t, "../../README.md", "text", "1  note.txt")[0]
	ran := 0
	for line := range strings.Lines(blocks(t, "../../README.md", "sh", "extbody demo")[0]) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
		line = strings.TrimSpace(line)
		background, isServer := strings.CutSuffix(line, "&")
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "exec "+background)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir)
		ran++
		if isServer {
			out, err := cmd.StdoutPipe()
			must(t, err)
			must(t, cmd.Start())
			t.Cleanup(func() {
				cmd.Process.Kill()
				cmd.Wait()
			})
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Skip("the port of the demo is in use")
			}
			continue
		}
		if strings.HasPrefix(line, "extbody open") {
			cmd.Env = append(cmd.Env, "DISPLAY=", "WAYLAND_DISPLAY=")
			wantTry(t, cmd, shown)
			continue
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: got %v\n%s, want status 0", line, err, out)
		}
	}
	if ran != 7 {
		t.Errorf("got %d lines, want 7", ran)
	}
}

// TestTryServer runs the server of the table of README.md, with its policy, until it listens. No clamd has to be there.
func TestTryServer(t *testing.T) {
	_, row, _ := strings.Cut(readText(t, "../../README.md"), "| run a mail server | `")
	line, _, found := strings.Cut(row, "`")
	line = strings.ReplaceAll(line, " examples/extbody/", " ")
	line = strings.ReplaceAll(line, "127.0.0.1:8025", "127.0.0.1:0")
	args := strings.Fields(line)
	if !found || args[0] != "extbody" {
		t.Fatalf("got %q, want a command", line)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	log, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var lines strings.Builder // one has that there is no scanner
	for r := bufio.NewScanner(log); r.Scan(); {
		if strings.Contains(r.Text(), `"listening"`) {
			return
		}
		fmt.Fprintln(&lines, r.Text())
	}
	t.Errorf("%s: got %s, want a server that listens", line, &lines)
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
