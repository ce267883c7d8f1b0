package main

import (
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

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
		s.until(at, until)
		paths = append(paths, at)
		if until == "Stop" {
			paths = append(paths, at+"/progress")
		}
	}
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
