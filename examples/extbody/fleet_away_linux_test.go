package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestFleetAway takes the database from get and from archive, before they ask and while a host is asked, by a kill,
// by a stop that leaves it silent, and by a network that loses the packets of both sides. No host is blamed
// (OP-40): get ends with 1 and archive with 4, both name the part, and the next run has each file within a few
// seconds.
func TestFleetAway(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"killed", "silent", "network"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			asked, release := make(chan string, 100), make(chan bool)
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.URL.Path
				select {
				case <-release:
				case <-r.Context().Done():
				}
				text(w, "file "+r.URL.Path)
			}))
			t.Cleanup(host.Close)
			l := newFleetTier(t, host)
			network := daemons.NewLink(t, l.db.Address)
			if fault == "network" {
				l.flags[1] = strings.Replace(l.flags[1], l.db.Address, network.Address, 1)
			}
			l.fetcher("one")
			dir := t.TempDir()
			for i := range 3 {
				writeText(t, filepath.Join(dir, "mail", fmt.Sprint(i, ".eml")), refersTo(fmt.Sprint(host.URL, "/", i), i))
			}
			flags := slices.Concat(l.flags, l.allow)
			commands := map[string][]string{
				"get":     slices.Concat([]string{"get", "--json", "--output", filepath.Join(dir, "files"), filepath.Join(dir, "mail")}, flags),
				"archive": slices.Concat([]string{"archive", "sync", filepath.Join(dir, "mail"), "--resolve", "all", "--to", filepath.Join(dir, "archive")}, flags),
			}
			run := func(name string) (status int, out, said string) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), 6*fleet.SessionTime) // by then it hangs
				defer cancel()
				cmd := exec.CommandContext(ctx, executable(t), commands[name]...)
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); cmd.ProcessState == nil {
					t.Fatal(err)
				}
				return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
			}
			away := func(is bool) {
				switch {
				case fault == "network":
					network.Silence(is)
				case fault == "silent" && is:
					l.db.Signal(syscall.SIGSTOP)
				case fault == "silent":
					l.db.Signal(syscall.SIGCONT)
				case is:
					l.db.Kill()
				default:
					l.db.Start(t)
				}
			}
			check := func(when, name string) {
				t.Helper()
				want := map[string]int{"get": 1, "archive": 4}[name]
				begun := time.Now()
				status, out, said := run(name)
				took := time.Since(begun)
				t.Logf("%s, %s: ended after %v", when, name, took.Round(100*time.Millisecond))
				if status != want || !strings.Contains(out+said, "the database of the fleet is away") {
					t.Errorf("%s, %s: got the status %d, want %d and the part\n%s%s", when, name, status, want, out, said)
				}
				if name == "get" && strings.Count(out, `"kind":"local"`) != strings.Count(out, `"ref":`) {
					t.Errorf("%s: got\n%s, want local for each reference", when, out)
				}
			}
			for name := range commands {
				away(true)
				check("before", name)
				away(false)
				stopped := make(chan bool)
				for len(asked) > 0 {
					<-asked
				}
				go func() {
					<-asked
					away(true)
					close(stopped)
				}()
				check("meanwhile", name)
				<-stopped
				away(false)
			}
			exceptions := ran(t, 0, "archive", "status", filepath.Join(dir, "archive"), "--json")
			if !strings.Contains(exceptions, `"exceptions":0`) {
				t.Errorf("got %s, want no exceptions", exceptions)
			}
			begun := time.Now()
			close(release)
			for name := range commands {
				if status, out, said := run(name); status != 0 {
					t.Errorf("%s, with the database back: got the status %d, want 0\n%s%s", name, status, out, said)
				}
			}
			took := time.Since(begun)
			t.Logf("the files were there %v after the database was back", took.Round(100*time.Millisecond))
		})
	}
}

// TestFleetBucketAway has the network to the bucket lose everything, before a file is asked for and while its host
// is asked. The bucket is named, no host is blamed (OP-40), and the next run has the files soon after it is back.
func TestFleetBucketAway(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("EXTBODY_SLOW is not set")
	}
	bucket := daemons.StartBucket(t)
	u, err := url.Parse(bucket.URL)
	must(t, err)
	network := daemons.NewLink(t, u.Host)
	var onAsked atomic.Bool
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if onAsked.Load() {
			network.Silence(true)
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		text(w, "file "+r.URL.Path)
	}))
	t.Cleanup(host.Close)
	l := newFleetTier(t, host)
	l.flags[3] = strings.Replace(bucket.URL, u.Host, network.Address, 1)
	l.fetcher("one")
	n := 0
	get := func(path string) (status int, said string, took time.Duration) {
		t.Helper()
		n++
		mail := filepath.Join(t.TempDir(), "a.eml")
		writeText(t, mail, refersTo(host.URL+path, n))
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 6*fleet.SessionTime) // by then it hangs
		defer cancel()
		cmd := exec.CommandContext(ctx, executable(t), slices.Concat([]string{"get", "--json", "--output", t.TempDir(), mail}, l.flags, l.allow)...)
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out), time.Since(begun).Round(100 * time.Millisecond)
	}
	if status, said, _ := get("/stored"); status != 0 {
		t.Fatalf("got the status %d\n%s", status, said)
	}
	for _, test := range []struct {
		path      string
		meanwhile bool
	}{{"/stored", false}, {"/meanwhile", true}} {
		onAsked.Store(test.meanwhile)
		network.Silence(!test.meanwhile)
		status, said, took := get(test.path)
		t.Logf("%s: ended after %v", test.path, took)
		if status != 1 || !strings.Contains(said, "the bucket of the fleet is away") || !strings.Contains(said, `"kind":"local"`) {
			t.Errorf("%s: got the status %d after %v, want 1 and local by the bucket\n%s", test.path, status, took, said)
		}
		onAsked.Store(false)
		network.Silence(false)
		begun := time.Now()
		await(t, "file of "+test.path, func() bool { status, _, _ := get(test.path); return status == 0 })
		t.Logf("%s: the file was there %v after the bucket was back", test.path, time.Since(begun).Round(100*time.Millisecond))
	}
}
