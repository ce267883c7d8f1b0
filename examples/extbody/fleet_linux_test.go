package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
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

// TestFleetNumbers reads the numbers of a fetcher, and has the fleet forget the references of a
// message.
func TestFleetNumbers(t *testing.T) {
	db := daemons.StartPostgres(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprint(w, "hello")
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mail, socket := filepath.Join(dir, "a.eml"), filepath.Join(dir, "metrics")
	if err := os.WriteFile(mail, []byte(strings.Replace(tutorialMail, "data:text/plain,hello", server.URL+"/hello.txt", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	with := []string{"--fleet", db.URL, "--objects", "file://" + filepath.Join(dir, "objects")}
	extbody := func(status int, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), executable(t), append(args, with...)...).CombinedOutput()
		got := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			got = exit.ExitCode()
		}
		if got != status {
			t.Fatalf("%q: got %v, want the status %d\n%s", args, err, status, out)
		}
		return string(out)
	}
	extbody(0, "fleet", "init")
	allow := []string{"--allow-net", "127.0.0.0/8", "--allow-port", u.Port()}
	fetcher := exec.Command(executable(t), slices.Concat([]string{"fetcher", "--name", "one", "--metrics", socket}, with, allow)...)
	if err := fetcher.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		fetcher.Process.Signal(syscall.SIGTERM)
		if err := fetcher.Wait(); err != nil {
			t.Errorf("got %v, want the status 0 of the fetcher", err)
		}
	})
	extbody(0, append([]string{"get", "--output", filepath.Join(dir, "files"), mail}, allow...)...)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://localhost/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	numbers, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"extbody_fleet_database_up 1", "extbody_fleet_overlaps_total 0", "extbody_fleet_hosts_owned ", `extbody_fleet_jobs{state="done"} 1`,
		`extbody_fleet_oldest_seconds{state="done"} `, "extbody_fleet_fetchers 1", "extbody_fleet_stored_answers 1", "extbody_fleet_stored_octets 5", "go_goroutines ",
	} {
		if !strings.Contains(string(numbers), "\n"+want) {
			t.Errorf("got no %q, want it\n%s", want, numbers)
		}
	}
	if got, want := extbody(0, "fleet", "forget", mail), "1 answers, 1 requests, 1 bodies and 0 findings removed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	extbody(0, "fleet", "who", strings.Repeat("ab", 32))
	extbody(2, "fleet", "who", "ab")
	extbody(2, "fleet", "forget", filepath.Join(dir, "missing"))
}
