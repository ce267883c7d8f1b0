package main

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// TestChromium looks at the pages as a reader does. With EXTBODY_SCREENSHOTS, a
// folder, it keeps pictures of them.
func TestChromium(t *testing.T) {
	b := browser.New(t)
	s := newSite(t, "<script>document.title='owned'</script> minutes",
		reference("FILES/picture", "image/png", "dot.png"),
		reference("FILES/text", "text/plain", "minutes.txt"),
		reference("FILES/page", "text/html", "page.html"),
		reference("FILES/page", "image/jpeg", "no-picture.jpg"),
		reference("FILES/elsewhere", "image/png", "elsewhere.png"),
		reference("telnet://h.example/", "image/png", "telnet.png"),
	)
	page := b.DOM(s.page.URL + "/m/0")
	if !strings.Contains(page, "Get 5 files from 127.0.0.1:") || strings.Contains(page, "<title>owned") {
		t.Errorf("got\n%s\nwant the message, and no script run", page)
	}
	s.quiet() // the page itself contacts no host
	for n, tt := range []struct{ until, want string }{
		{"SHA-256", "<img "},
		{"SHA-256", "<iframe "},
		{"SHA-256", "can be saved and is not shown"},
		{"something else", `class="refused"`},
		{"agreed to", "redirects to http://other.example"},
	} {
		at := s.agree(n)
		s.until(at, tt.until)
		page := b.DOM(s.page.URL + at)
		if !strings.Contains(page, tt.want) || strings.Contains(page, "<title>owned") {
			t.Errorf("body %d: got\n%s\nwant %q, and no script run", n, page, tt.want)
		}
		if n > 1 {
			continue
		}
		// The body alone, as a page of its own. Others are saved, of which a browser
		// without a window makes nothing.
		if page := b.DOM(s.page.URL + strings.Replace(at, "/job/", "/body/", 1)); strings.Contains(page, "owned</title>") {
			t.Errorf("body %d: got\n%s\nwant no script run", n, page)
		}
	}
}

// TestAxe: axe-core finds no fault in the pages, in light and in dark colours.
func TestAxe(t *testing.T) {
	b := browser.New(t)
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
		if until == "Stop" {
			s.until(at+"/progress", until)
		} else {
			s.until(at, until)
		}
		paths = append(paths, at)
		if until == "Stop" {
			paths = append(paths, at+"/progress")
		}
	}
	paths = append(paths, "/m/0", "/m/0/progress") // with jobs
	server := browser.Examined(t, s.page)
	for _, path := range paths {
		for _, colours := range []string{"0", "1"} { // dark, light
			page := b.Run("--blink-settings=preferredColorScheme="+colours, "--dump-dom", server.URL+path)
			if found := browser.Faults(page); found != "none" {
				t.Errorf("%s, colours %s: got %s, want no findings", path, colours, found)
			}
		}
	}
}
