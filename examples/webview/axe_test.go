package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// axeScript returns the accessibility checker axe-core, whose folder of npm is in
// EXTBODY_AXE.
func axeScript(t *testing.T) []byte {
	t.Helper()
	folder := os.Getenv("EXTBODY_AXE")
	if folder == "" {
		t.Skip("EXTBODY_AXE does not name the folder of axe-core")
	}
	script, err := os.ReadFile(filepath.Join(folder, "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// examined returns a server of the pages of another one, each with a script that examines
// it and leaves its findings in the attribute data-axe.
func examined(t *testing.T, site *httptest.Server, axe []byte) *httptest.Server {
	t.Helper()
	target, err := url.Parse(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /axe.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Write(axe)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		page := httptest.NewRecorder()
		r.Header.Del("Accept-Encoding")
		proxy.ServeHTTP(page, r)
		text := page.Body.String()
		w.Header().Set("Content-Type", page.Header().Get("Content-Type"))
		if r.Header.Get("Sec-Fetch-Dest") != "iframe" {
			text = strings.Replace(text, "</body>", `<script src="/axe.js"></script><script>
axe.run(document, {iframes: false}).then(r => document.documentElement.setAttribute("data-axe",
	r.violations.map(v => v.id + " " + v.nodes.map(n => n.target)).join("; ") || "none"))
</script></body>`, 1)
		}
		w.Write([]byte(text))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

var axeFindings = regexp.MustCompile(`data-axe="([^"]*)"`)

// TestAxe: axe-core finds no fault in the pages, in light and in dark colours.
func TestAxe(t *testing.T) {
	b := chromium(t)
	axe := axeScript(t)
	s := newSite(t, "minutes",
		reference("FILES/picture", "image/png", "dot.png"),
		reference("FILES/none", "text/plain", "none.txt"),
		reference("FILES/elsewhere", "image/png", "elsewhere.png"),
		reference("FILES/slow", "image/png", "slow.png"),
		reference("data:text/plain,x", "text/plain", "x.txt"),
	)
	paths := []string{"/", "/m/0"}
	for n, until := range []string{"SHA-256", "does not have it", "agreed to", "Stop", "SHA-256"} {
		at := s.agree(n)
		s.until(at, until)
		paths = append(paths, at)
		if until == "Stop" {
			paths = append(paths, at+"/progress")
		}
	}
	server := examined(t, s.page, axe)
	for _, path := range paths {
		for _, colours := range []string{"0", "1"} { // dark, light
			page := b.run("--blink-settings=preferredColorScheme="+colours, "--dump-dom", server.URL+path)
			found := axeFindings.FindStringSubmatch(page)
			if found == nil || found[1] != "none" {
				t.Errorf("%s, colours %s: got %q in\n%s\nwant no findings", path, colours, found, page)
			}
		}
	}
}
