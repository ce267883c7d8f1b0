package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestFleetBlock runs the commands of FLEET.md as they are printed, but for the database, the
// folder, and the host on loopback that the mail refers to.
func TestFleetBlock(t *testing.T) {
	db := daemons.StartPostgres(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "by ", r.UserAgent())
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("FLEET.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(string(text))[1]
	allow := " --allow-net 127.0.0.0/8 --allow-port " + u.Port()
	script := strings.NewReplacer(
		"postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable", db.URL,
		"/tmp/fleet-objects", filepath.Join(dir, "objects"),
		"extbody fetcher", "extbody fetcher"+allow,
		"extbody get", "extbody get"+allow,
	).Replace(block)
	if err := os.Mkdir(filepath.Join(dir, "mail"), 0o700); err != nil {
		t.Fatal(err)
	}
	mail := strings.Replace(tutorialMail, "data:text/plain,hello", server.URL+"/hello.txt", 1)
	if err := os.WriteFile(filepath.Join(dir, "mail", "a.eml"), []byte(mail), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-euxc", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("got %v\n%s, want status 0 of each command", err, out)
	}
	if !strings.Contains(string(out), "stored   ") {
		t.Errorf("got\n%s, want the status of the fleet", out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "files", "*", "*"))
	if more, _ := filepath.Glob(filepath.Join(dir, "files", "*")); len(files) == 0 {
		files = more
	}
	found := false
	for _, name := range files {
		if b, _ := os.ReadFile(name); string(b) == "by extbody" {
			found = true
		}
	}
	if err != nil || !found {
		t.Errorf("got the files %q, want one with the body\n%s", files, out)
	}
}
