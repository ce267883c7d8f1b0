package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/internal/testkit"
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
	dir := t.TempDir()
	block := blocks(t, "FLEET.md", "sh", "")[0]
	allow := " --allow-net 127.0.0.0/8 --allow-port " + portOf(server)
	script := strings.NewReplacer(
		"postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable", db.URL,
		"/tmp/fleet-objects", (&url.URL{Path: filepath.Join(dir, "objects")}).EscapedPath(),
		"extbody fetcher", "extbody fetcher"+allow,
		"extbody get", "extbody get"+allow,
	).Replace(block)
	writeText(t, filepath.Join(dir, "mail", "a.eml"), strings.Replace(tutorialMail, "data:text/plain,hello", server.URL+"/hello.txt", 1))
	cmd := exec.CommandContext(t.Context(), "sh", "-euxc", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("got %v\n%s, want status 0 of each command", err, out)
	}
	if !strings.Contains(string(out), "stored   ") {
		t.Errorf("got\n%s, want the status of the fleet", out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "files", "*"))
	if !slices.ContainsFunc(files, func(name string) bool { b, _ := os.ReadFile(name); return string(b) == "by extbody" }) {
		t.Errorf("got the files %q, want one with the body\n%s", files, out)
	}
}

// TestFleetLogins makes the logins of FLEET.md as it prints them, and runs each command with each.
func TestFleetLogins(t *testing.T) {
	t.Parallel()
	db, dir := daemons.StartPostgres(t), t.TempDir()
	place := "file://" + filepath.Join(dir, "objects")
	ran(t, 0, "fleet", "init", "--fleet", db.URL, "--objects", place)
	conn, err := pgx.Connect(t.Context(), db.URL)
	must(t, err)
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), blocks(t, "FLEET.md", "sql", "")[0]); err != nil {
		t.Fatal(err)
	}
	mail := filepath.Join(dir, "a.eml")
	writeText(t, mail, tutorialMail)
	of := func(login string) []string {
		return []string{"--fleet", strings.Replace(db.URL, "postgres@", login+"@", 1), "--objects", place}
	}
	one := exec.Command(executable(t), append([]string{"fetcher", "--name", "one"}, of("fetchers")...)...)
	must(t, one.Start())
	defer one.Wait()
	defer one.Process.Signal(syscall.SIGTERM)
	sum := strings.Repeat("ab", 32)
	commands := map[string][]string{
		"get": {"get", "--output", filepath.Join(dir, "out"), mail}, "check": {"check", mail}, "inline": {"inline", mail}, "archive": {"archive", "sync", mail, "--to", filepath.Join(dir, "A")},
		"fleet status": {"fleet", "status"}, "fleet drain": {"fleet", "drain", "one"}, "fleet forget": {"fleet", "forget", sum}, "fleet who": {"fleet", "who", sum}, "fetcher": {"fetcher", "--name", "two"},
		"fleet tenant": {"fleet", "tenant", "mx", "a"}, "fleet init": {"fleet", "init"},
	}
	logins := map[string]string{"fleet_client": "mx", "fleet_worker": "fetchers", "fleet_reader": "helpdesk"}
	var head []string
	tried := 0
	for line := range strings.Lines(readText(t, "FLEET.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case strings.HasPrefix(line, "| Command |"):
			head = cells
			continue
		case head == nil || strings.HasPrefix(line, "| ---"):
			continue
		case !strings.HasPrefix(line, "|"):
			if tried < 20 {
				t.Errorf("got %d trials, want 20", tried)
			}
			return
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			args := commands[name[1]]
			for i, role := range head[1:] {
				want := strings.TrimSpace(cells[i+1])
				if args == nil || want == "" || name[1] == "fetcher" && want == "yes" {
					continue // a server, or one that is running
				}
				tried++
				args := append(slices.Clone(args), of(logins[strings.Trim(role, " `")])...)
				cmd := exec.CommandContext(t.Context(), executable(t), args...)
				out, err := cmd.CombinedOutput()
				if done := err == nil || cmd.ProcessState.ExitCode() == 10; done != (want == "yes") { // check found a reference
					t.Errorf("%s by %s: got %v, %s, want %s", name[1], role, err, tail(string(out)), want)
				}
			}
		}
	}
	t.Error("got no table of commands in FLEET.md, want one")
}

// ran runs the program, which has to end with a status, and returns its output.
func ran(t *testing.T, status int, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), executable(t), args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != status {
		t.Fatalf("%q: got %v, want the status %d\n%s", args, err, status, out)
	}
	return string(out)
}

// TestFleetNumbers reads the numbers of a fetcher, has an archive capture a stored answer, and has the
// fleet forget the references of a message.
func TestFleetNumbers(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprint(w, "hello")
	}))
	t.Cleanup(server.Close)
	l := newFleetTier(t, server)
	dir := t.TempDir()
	mail, socket := filepath.Join(dir, "a.eml"), filepath.Join(dir, "metrics")
	writeText(t, mail, strings.Replace(tutorialMail, "data:text/plain,hello", server.URL+"/hello.txt", 1))
	extbody := func(status int, args ...string) string {
		t.Helper()
		return ran(t, status, append(args, l.flags...)...)
	}
	extbody(0, "fleet", "init")
	fetcher := exec.Command(executable(t), slices.Concat([]string{"fetcher", "--name", "one", "--metrics", socket}, l.flags, l.allow)...)
	must(t, fetcher.Start())
	t.Cleanup(func() {
		fetcher.Process.Signal(syscall.SIGTERM)
		if err := fetcher.Wait(); err != nil {
			t.Errorf("got %v, want the status 0 of the fetcher", err)
		}
	})
	extbody(0, append([]string{"get", "--output", filepath.Join(dir, "files"), mail}, l.allow...)...)
	// An archive has the exchange of the answer that was stored for get.
	extbody(0, append([]string{"archive", "sync", mail, "--resolve", "all", "--to", filepath.Join(dir, "archive")}, l.allow...)...)
	names, err := filepath.Glob(filepath.Join(dir, "archive", "exchanges", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("got the exchanges %q, %v, want one file", names, err)
	}
	file, err := os.Open(names[0])
	must(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	must(t, err)
	exchanges, err := io.ReadAll(z)
	if err != nil || !bytes.Contains(exchanges, []byte("HTTP/1.1 200 OK\r\n")) || !bytes.Contains(exchanges, []byte(`"by":"one"`)) || asked.Load() != 1 {
		t.Errorf("got %d requests and %s, %v, want one request, and its exchange in the archive", asked.Load(), exchanges, err)
	}
	client := (&daemon{dir: dir}).client("metrics")
	resp, err := client.Get("http://localhost/metrics")
	must(t, err)
	defer resp.Body.Close()
	numbers, err := io.ReadAll(resp.Body)
	must(t, err)
	for _, want := range []string{
		"extbody_fleet_database_up 1", "extbody_fleet_overlaps_total 0", "extbody_fleet_hosts_owned ", `extbody_fleet_jobs{state="done"} 1`,
		`extbody_fleet_oldest_seconds{state="done"} `, "extbody_fleet_fetchers 1", "extbody_fleet_stored_answers 1", "extbody_fleet_stored_octets 5", "go_goroutines ",
	} {
		if !strings.Contains(string(numbers), "\n"+want) {
			t.Errorf("got no %q, want it\n%s", want, numbers)
		}
	}
	extbody(0, "fleet", "tenant", "postgres", "a")
	extbody(1, "fleet", "tenant", "nobody", "a")
	for _, tt := range []struct{ tenant, want string }{
		{"--tenant=a", "0 answers, 0 requests, 0 bodies and 0 findings removed\n"},
		{"--tenant=", "1 answer, 1 request, 1 body and 0 findings removed\n"},
	} {
		if got := extbody(0, "fleet", "forget", mail, tt.tenant); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.tenant, got, tt.want)
		}
	}
	extbody(0, "fleet", "who", strings.Repeat("ab", 32))
	extbody(2, "fleet", "who", "ab")
	extbody(2, "fleet", "forget", filepath.Join(dir, "missing"))
}

// TestServeFleet has mail come through a serve whose bodies one fetcher fetches, which is started
// by the command of its unit. The scanner sees them, and the fleet knows which mail had them. Without the database, the rules for files
// that are not known decide at once.
func TestServeFleet(t *testing.T) {
	clamd, db := startClamd(t), daemons.StartPostgres(t)
	var others atomic.Int64
	base, allow := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "worker" {
			others.Add(1)
		}
		linkedFile(w, r)
	})
	tier := []string{"--fleet", db.URL, "--objects", "file://" + t.TempDir()}
	ran(t, 0, append([]string{"fleet", "init"}, tier...)...)
	socket := filepath.Join(t.TempDir(), "notify")
	hears := listenAsSystemd(t, socket)
	t.Setenv("NOTIFY_SOCKET", socket)
	command := unitCommand(t, readText(t, "serve/extbody-fetcher@.service"), "${FLEET}", db.URL, "${OBJECTS}", tier[3], "%H-%i", "mx-1", "127.0.0.1:803%i", testkit.FreeAddr(t), "/var/cache/extbody-fetcher-%i", t.TempDir())
	fetcher := runDaemon(t, command[0], append(append(command[1:], "--user-agent", "worker"), allow...)...)
	hears("READY=1")
	t.Setenv("NOTIFY_SOCKET", "")
	box := startNextHop(t)
	d := newDaemon(t, "[[rule]]\nname = \"malware\"\nverdict = \"malware\"\naction = \"reject\"\n"+
		"[[rule]]\nname = \"open\"\nverdict = [\"pending\", \"unavailable\"]\naction = \"quarantine\"\n")
	d.args = slices.Concat(d.args, []string{"--lmtp", d.path("lmtp"), "--lmtp-next", box.address, "--clamd", clamd, "--wait", "5m"}, tier, allow) // the longest
	d.start()
	for i, test := range []struct{ path, want string }{
		{"/good", "extbody=clean action=tag"}, {"/evil", "550"}, {"/good", "extbody=clean action=tag"}, {"/gone", "kind=not-found"},
		{"/good?away", "extbody=pending action=quarantine rule=open"},
	} {
		if strings.HasSuffix(test.path, "away") {
			db.Kill()
		}
		field, err := sendLMTP(d, box, "192.0.2.1", refersTo(base+test.path, i))
		if got := field + fmt.Sprint(err); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, %v, want %s\n%s\n%s", test.path, field, err, test.want, tail(d.logged()), fetcher)
		}
		if test.path == "/evil" {
			sum := fmt.Sprintf("%x", sha256.Sum256([]byte("a "+infected+" b")))
			await(t, "finding of the mail", func() bool {
				return strings.Contains(ran(t, 0, append([]string{"fleet", "who", sum}, tier...)...), " mx.example 4fXy ")
			})
		}
	}
	if n := others.Load(); n > 0 {
		t.Errorf("got %d requests that the fetcher did not make, want none", n)
	}
	// The server knows that it can judge nothing, and reports that: to balancers, in numbers, on the page and in
	// the log.
	for path, want := range map[string]string{"readyz": "", "metrics": "extbody_degraded 1\n", "": "the database of the fleet"} {
		resp, err := d.client("metrics").Get("http://x/" + path)
		must(t, err)
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if path == "readyz" && resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(text), want) {
			t.Errorf("/%s: got %d %s, want %q", path, resp.StatusCode, tail(string(text)), want)
		}
	}
	d.until("line about the database", func() bool { return strings.Contains(d.logged(), "is away") })
	// The shipped policy defers the mail, and delivers it when the database is back.
	d.policy("[[rule]]\nname = \"pending\"\nverdict = \"pending\"\naction = \"defer\"\n")
	must(t, d.cmd.Process.Signal(syscall.SIGHUP))
	d.until("policy", func() bool { return strings.Contains(d.logged(), "the policy was read") })
	if field, err := sendLMTP(d, box, "192.0.2.1", refersTo(base+"/evil?2", 9)); !strings.Contains(fmt.Sprint(err), `"451 `) {
		t.Errorf("without the database: got %q, %v, want 451", field, err)
	}
	db.Start(t)
	d.until("ready server", func() bool {
		resp, err := d.client("metrics").Get("http://x/readyz")
		must(t, err)
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	// A mistake that waiting cannot mend ends the program at its start.
	refused := strings.Replace(db.URL, "postgres@", "nobody@", 1)
	ran(t, 2, "serve", "--http", d.path("other"), "--fleet", refused, "--objects", tier[3])
	ran(t, 2, append([]string{"get", "--output", t.TempDir(), "--fleet", refused, "--objects", tier[3]}, d.path("policy.toml"))...)
	ran(t, 2, "fetcher", "--fleet", refused, "--objects", tier[3])
}

// TestFleetDeferrals has two serves of a fleet defer one mail in turn: its deferrals count together, as
// the ones by one server do. While the database is away each counts by itself.
func TestFleetDeferrals(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(http.NotFound))
	t.Cleanup(server.Close)
	l := newFleetTier(t, server)
	l.fetcher("one")
	box := startNextHop(t)
	var serves []*daemon
	for range 2 {
		d := newDaemon(t, "[defer]\ntries = 3\n[[rule]]\nname = \"open\"\nverdict = [\"pending\", \"unavailable\"]\naction = \"defer\"\n")
		d.args = slices.Concat(d.args, []string{"--lmtp", d.path("lmtp"), "--lmtp-next", box.address, "--wait", "1m"}, l.flags, l.allow)
		d.start()
		serves = append(serves, d)
	}
	deferred := func(message string) (n int) {
		for try := range 10 {
			field, err := sendLMTP(serves[try%2], box, "192.0.2.1", message)
			if err == nil && field != "" {
				return n
			}
			if !strings.Contains(fmt.Sprint(err), `"451 `) {
				t.Errorf("got %v, want 451 or the delivery", err)
			}
			n++
		}
		return n
	}
	if n := deferred(refersTo(server.URL+"/a", 1)); n != 3 {
		t.Errorf("got %d deferrals by two servers, want 3 in all", n)
	}
	l.db.Kill()
	if n := deferred(refersTo(server.URL+"/b", 2)); n != 6 {
		t.Errorf("without the database: got %d deferrals, want 3 by each server", n)
	}
	l.db.Start(t)
	for _, d := range serves {
		d.until("ready server", func() bool { return d.ready("metrics") })
	}
	await(t, "deferrals that are counted together again", func() bool {
		return deferred(refersTo(server.URL+"/c"+fmt.Sprint(time.Now().UnixNano()), 3)) == 3
	})
}
