package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is Chromium without a window.
type browser struct {
	*testing.T
	program, profile string
}

// chromium returns the browser of the system; without one the test is skipped.
func chromium(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return &browser{t, path, t.TempDir()}
		}
	}
	t.Skip("there is no Chromium")
	return nil
}

func (b *browser) run(args ...string) string {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	args = append([]string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--user-data-dir=" + b.profile, "--window-size=900,900", "--virtual-time-budget=2000",
	}, args...)
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s does not run here: %v", b.program, err)
	}
	return string(out)
}

// dom returns the document that a page becomes in the browser, after all of its
// scripts, if it had any.
func (b *browser) dom(url string) string {
	b.Helper()
	dom := b.run("--dump-dom", url)
	if dir := os.Getenv("EXTBODY_SCREENSHOTS"); dir != "" {
		name := strings.NewReplacer("/", "-", "?", "-").Replace(b.Name() + url[strings.LastIndex(url, ":")+6:])
		b.run("--screenshot="+filepath.Join(dir, name+".png"), url)
	}
	return dom
}

// TestChromium looks at the pages as a reader does. With EXTBODY_SCREENSHOTS, a
// folder, it keeps pictures of them.
func TestChromium(t *testing.T) {
	b := chromium(t)
	s := newSite(t, "<script>document.title='owned'</script> minutes",
		reference("FILES/picture", "image/png", "dot.png"),
		reference("FILES/text", "text/plain", "minutes.txt"),
		reference("FILES/page", "text/html", "page.html"),
		reference("FILES/page", "image/jpeg", "no-picture.jpg"),
		reference("FILES/elsewhere", "image/png", "elsewhere.png"),
		reference("telnet://h.example/", "image/png", "telnet.png"),
	)
	page := b.dom(s.page.URL + "/m/0")
	if !strings.Contains(page, "Agree and open") || strings.Contains(page, "<title>owned") {
		t.Errorf("got\n%s\nwant the message, and no script run", page)
	}
	s.quiet() // the page itself contacts nobody
	for n, tt := range []struct{ until, want string }{
		{"SHA-256", "<img "},
		{"SHA-256", "<iframe "},
		{"SHA-256", "can be saved and is not shown"},
		{"something else", `class="refused"`},
		{"agreed to", "redirects to http://other.example"},
	} {
		at := s.agree(n)
		s.until(at, tt.until)
		page := b.dom(s.page.URL + at)
		if !strings.Contains(page, tt.want) || strings.Contains(page, "<title>owned") {
			t.Errorf("body %d: got\n%s\nwant %q, and no script run", n, page, tt.want)
		}
		if n > 1 {
			continue
		}
		// The body alone, as a page of its own. Others are saved, of which a browser
		// without a window makes nothing.
		if page := b.dom(s.page.URL + strings.Replace(at, "/job/", "/body/", 1)); strings.Contains(page, "owned</title>") {
			t.Errorf("body %d: got\n%s\nwant no script run", n, page)
		}
	}
}
