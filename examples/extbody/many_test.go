package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A line has the members of a record that the tests of get read.
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

// A file that 500 messages refer to is fetched once, and with --link it is on the
// disk once.
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
		must(t, err)
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

func sum256(s string) [sha256.Size]byte { return sha256.Sum256([]byte(s)) }
