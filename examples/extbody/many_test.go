package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
)

// A line is what the tests of get read of its records.
type line struct {
	Index                                        int
	Ref, Status, Kind, Error, URL, File          string
	MessageSHA256                                string `json:"message_sha256"`
	RetryAt                                      string `json:"retry_at"`
	Started, Ended, Program, Address, Date, From string
	HTTPStatus                                   int    `json:"server_status"`
	FinalURL                                     string `json:"final_url"`
	MessageID                                    string `json:"message_id"`
	ETag                                         string
	LastModified                                 string `json:"last_modified"`
	Hops                                         []string
	SHA256                                       string
	Exchanges                                    []json.RawMessage
}

func readLines(t *testing.T, out string) (lines []line) {
	t.Helper()
	for text := range strings.Lines(out) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%s: got error %v, want JSON", text, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// numbered returns n URLs of a server.
func numbered(base string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", base, i))
	}
	return urls
}

// One mail has parts for all of these URLs.
func mailOf(urls ...string) string {
	var b strings.Builder
	b.WriteString("From a@example.com Thu Jan  1 00:00:00 1970\nContent-Type: multipart/mixed; boundary=b\n\n")
	for i, u := range urls {
		fmt.Fprintf(&b, "--b\nContent-Type: message/external-body; access-type=url; url=%q\n\nContent-Type: text/plain\nContent-ID: <%d@h>\n\n", u, i)
	}
	b.WriteString("--b--\n\n")
	return b.String()
}

// What 500 messages refer to is fetched once, and with --link it is on the disk once.
func TestGetSharedURL(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text(w, strings.Repeat("x", 100<<10))
	})
	status, out, errs := invoke(t.Context(), box(slices.Repeat([]string{base + "/a"}, 500)...), append([]string{"get", "--link", "--json", "-o", t.TempDir()}, flags...)...)
	if status != 0 {
		t.Fatalf("got status %d, want 0: %s", status, errs)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
	saved := 0
	var first os.FileInfo
	for _, l := range readLines(t, out) {
		info, err := os.Stat(l.File)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = info
		}
		if l.Status == "ok" && os.SameFile(info, first) {
			saved++
		}
	}
	if saved != 500 {
		t.Errorf("got %d names of one file, want 500", saved)
	}
}

// A host that asks for patience with Retry-After is asked at most twice, and the record
// of each reference says when it may be tried again.
func TestGetRetryAfter(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	urls := numbered(base, 100)
	begun := time.Now()
	status, out, errs := invoke(t.Context(), box(urls...), append([]string{"get", "--json", "-o", t.TempDir()}, flags...)...)
	if status != 3 {
		t.Errorf("got status %d, want 3: %s", status, errs)
	}
	if n := requests.Load(); n > 2 {
		t.Errorf("got %d requests, want 2 at most", n)
	}
	lines := readLines(t, out)
	if len(lines) != 100 {
		t.Errorf("got %d lines, want 100", len(lines))
	}
	for _, l := range lines {
		at, err := time.Parse(time.RFC3339, l.RetryAt)
		if err != nil || at.Before(begun.Add(590*time.Second)) || l.Status != "failed" {
			t.Errorf("message %d: got status %s, kind %s and retry_at %q, want failed and a time in 10 minutes", l.Index, l.Status, l.Kind, l.RetryAt)
		}
	}
}

// References to a host that hangs keep nobody from another, and few of them spend the
// time after which it is down.
func TestGetHangingHost(t *testing.T) {
	const good, bad = 200, 60
	var hung, answered atomic.Int64
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hung.Add(1)
		<-r.Context().Done()
	}))
	defer hanging.Close()
	others, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answered.Add(1)
		text(w, r.URL.Path)
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(hanging.URL, "http://"), ":")
	urls := append(numbered(hanging.URL, bad), numbered(others, good)...)
	var g get.Flags
	f := pflag.NewFlagSet("get", pflag.ContinueOnError)
	g.Add(f)
	if err := f.Parse(append([]string{"--json", "-o", t.TempDir(), "--allow-port", port}, flags...)); err != nil {
		t.Fatal(err)
	}
	g.Policy.Timeout = 2 * time.Second
	var out, errs bytes.Buffer
	run := &get.Run{In: strings.NewReader(box(urls...)), Out: &out, Err: &errs, Flags: &g}
	err := run.Do(t.Context(), nil)
	if !exit.Is(err, exit.Some) {
		t.Errorf("got %v, want that some failed: %s", err, &errs)
	}
	if n := answered.Load(); n < good {
		t.Errorf("got %d answers of the other host, want %d", n, good)
	}
	if n := hung.Load(); n > 3 {
		t.Errorf("got %d requests at the host that hangs, want 3 at most", n)
	}
	saved := 0
	for _, l := range readLines(t, out.String()) {
		if l.Status == "ok" {
			saved++
		} else if l.Kind != "unavailable" && l.Kind != "deferred" {
			t.Errorf("message %d: got kind %s, want unavailable or deferred", l.Index, l.Kind)
		}
	}
	if saved != good {
		t.Errorf("got %d saved, want %d", saved, good)
	}
}

// A message with thousands of references costs its budget, and those after it are not
// held up: the server of its bodies answers when the next message has its own.
func TestGetManyReferences(t *testing.T) {
	var requests atomic.Int64
	next := make(chan struct{})
	var once sync.Once
	slow, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		select {
		case <-next:
		case <-r.Context().Done():
			return
		}
		text(w, r.URL.Path)
	})
	other, more := serve(t, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(next) })
		text(w, "next")
	})
	args := append([]string{"get", "--json", "--dialects", "none", "-o", t.TempDir()}, append(flags, more...)...)
	status, out, errs := invoke(t.Context(), mailOf(numbered(slow, 9000)...)+box(other+"/next"), args...)
	if status != 3 {
		t.Errorf("got status %d, want 3: %s", status, errs)
	}
	if n := requests.Load(); n > 200 {
		t.Errorf("got %d requests for a message, want 200 at most", n)
	}
	kinds := make(map[string]int)
	for _, l := range readLines(t, out) {
		kinds[l.Status+"/"+l.Kind]++
	}
	if kinds["ok/"] != 201 || kinds["failed/deferred"] != 8800 {
		t.Errorf("got %v, want 201 ok and 8800 deferred", kinds)
	}
}

// What is in the cache is not sent again, by a run that contacts nobody either.
func TestGetCache(t *testing.T) {
	var bodies atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		bodies.Add(1)
		text(w, r.URL.Path)
	})
	mail := box(base+"/a", base+"/b", base+"/c")
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	for _, c := range []struct {
		name   string
		args   []string
		mail   string
		status int
		bodies int64
	}{
		{"First", []string{"--cache", kept + ":10MB"}, mail, 0, 3},
		{"Second", []string{"--cache", kept + ":10MB"}, mail, 0, 3},
		{"Offline", []string{"--cache", kept, "--offline"}, mail, 0, 3},
		{"OfflineUnknown", []string{"--cache", kept, "--offline"}, box(base + "/d"), 3, 3},
		{"OfflineWithout", []string{"--offline"}, mail, 2, 3},
		{"BadSize", []string{"--cache", kept + ":none"}, mail, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := invoke(t.Context(), c.mail, append(append([]string{"get", "--json", "-o", dir}, flags...), c.args...)...)
			if status != c.status || bodies.Load() != c.bodies {
				t.Errorf("got status %d and %d bodies, want %d and %d: %s%s", status, bodies.Load(), c.status, c.bodies, out, errs)
			}
		})
	}
}

func sum256(s string) [sha256.Size]byte { return sha256.Sum256([]byte(s)) }
