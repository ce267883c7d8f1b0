package main

import (
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

var results = regexp.MustCompile(`data-results="([^"]*)"`)

// The scripts keep the state of a message apart from the others, whatever the order of the events is, and
// handle each fault (OP-58). testdata/stub.js is the mail program.
func TestScripts(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("extension")))
	mux.Handle("/testdata/", http.FileServer(http.Dir(".")))
	for name, scripts := range map[string]string{
		"background": "words.js host.js background.js testdata/background.js",
		"strip":      "testdata/strip.js words.js strip.js",
		"popup":      "testdata/popup.js words.js popup.js",
	} {
		body := ""
		if name == "popup" {
			text, err := os.ReadFile(filepath.Join("extension", "popup.html"))
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ = strings.Cut(string(text), "<body>")
			body, _, _ = strings.Cut(body, "<script")
		}
		for _, script := range append([]string{"testdata/stub.js"}, strings.Fields(scripts)...) {
			body += `<script src="/` + script + `"></script>`
		}
		mux.HandleFunc("GET /test/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!DOCTYPE html><html><body>" + body + "</body></html>"))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b := browser.New(t)
	for _, name := range []string{"background", "strip", "popup"} {
		page := b.Run("--virtual-time-budget=20000", "--dump-dom", server.URL+"/test/"+name+"?tab=1")
		found := results.FindStringSubmatch(page)
		if found == nil {
			t.Errorf("%s: got no results: %s", name, page)
			continue
		}
		text, whole := strings.CutSuffix(html.UnescapeString(found[1]), "\nend")
		if !whole {
			t.Errorf("%s: got no end of the tests after %q", name, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if !strings.HasSuffix(line, ": ok") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
