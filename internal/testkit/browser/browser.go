// Package browser is Chromium, and the accessibility checker axe-core, for tests of pages.
package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A Browser is Chromium without a window.
type Browser struct {
	*testing.T
	program, profile string
	works            bool // it has shown a page
}

// New returns the browser of the system; without one the test is skipped.
func New(t *testing.T) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return &Browser{T: t, program: path, profile: t.TempDir()}
		}
	}
	t.Skip("there is no Chromium")
	return nil
}

// Run runs the browser and returns its output. A browser that never ran here skips the test. One
// that ran before is tried twice: on a busy machine it now and then does not end.
func (b *Browser) Run(args ...string) string {
	b.Helper()
	args = append([]string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--user-data-dir=" + b.profile, "--window-size=900,900", "--virtual-time-budget=2000",
	}, args...)
	out, err := b.run(args)
	if err != nil && b.works {
		out, err = b.run(args)
	}
	switch {
	case err == nil:
		b.works = true
	case b.works:
		b.Fatalf("%s: %v", b.program, err)
	default:
		b.Skipf("%s does not run here: %v", b.program, err)
	}
	return string(out)
}

func (b *Browser) run(args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// DOM returns the document that a page becomes in the browser, after all of its
// scripts, if it had any.
func (b *Browser) DOM(url string) string {
	b.Helper()
	dom := b.Run("--dump-dom", url)
	if dir := os.Getenv("EXTBODY_SCREENSHOTS"); dir != "" {
		name := strings.NewReplacer("/", "-", "?", "-").Replace(b.Name() + url[strings.LastIndex(url, ":")+6:])
		b.Run("--screenshot="+filepath.Join(dir, name+".png"), url)
	}
	return dom
}

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

// Examined returns a server of the pages of another one, each with axe-core, whose folder of
// npm is in EXTBODY_AXE: Faults finds its findings in the page. Without it the test is
// skipped.
func Examined(t *testing.T, site *httptest.Server) *httptest.Server {
	t.Helper()
	axe := axeScript(t)
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

var findings = regexp.MustCompile(`data-axe="([^"]*)"`)

// Faults returns the findings of axe-core in a page of Examined; "none" if there are none.
func Faults(page string) string {
	if found := findings.FindStringSubmatch(page); found != nil {
		return found[1]
	}
	return "the page was not examined: " + page
}
