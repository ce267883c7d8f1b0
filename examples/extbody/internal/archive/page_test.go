package archive_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// reported returns the page of an archive with captures, exceptions of several kinds, changes and
// references without a host.
func reported(t *testing.T) string {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/gone"):
			http.Error(w, "It was removed by its owner.", http.StatusGone)
		case strings.HasPrefix(r.URL.Path, "/away"):
			http.Error(w, "Ask again.", http.StatusServiceUnavailable)
		case strings.HasPrefix(r.URL.Path, "/none"):
			http.NotFound(w, r)
		default:
			plain(w, r)
		}
	})
	box := maildir(t)
	for i := range 40 {
		received := fmt.Sprintf("Received: from a by b; Mon, %d Nov 2026 13:00:00 +0100\r\n", i%28+1)
		deliver(t, box, fmt.Sprint("m", i), received+letter(fmt.Sprint("Quarterly figures ", i), fmt.Sprintf("%s/files/%d", s.URL, i), fmt.Sprintf("%s/gone/%d", s.named(), i%3), "file:///home/ann/report.pdf"))
	}
	deliver(t, box, "x", letter("none", s.URL+"/none/a-name-that-is-long-and-has-no-blanks-in-it-at-all-so-that-it-cannot-be-broken-between-words.pdf", s.URL+"/away", "https://h.example/%zz", "data:,x"))
	dir := home(t)
	run(t, dir, options(box))
	return page(t, readAt(t, dir, nil))
}

// TestPage wants a page without codes and long digits, which axe-core finds no fault in, in light and
// dark colours, on a phone and on a desk. With EXTBODY_SCREENSHOTS, a folder, it keeps pictures.
func TestPage(t *testing.T) {
	text := reported(t)
	for _, want := range []string{"captured", "deleted for good", "the server does not have it", "(local files)", "as the host had it at the time of capture"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in the page", want)
		}
	}
	b := browser.New(t)
	const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
	if !strings.Contains(text, policy) {
		t.Fatalf("got no %s, want the page to load nothing", policy)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.Replace(text, policy, "", 1)) // so that axe-core can run
	}))
	t.Cleanup(site.Close)
	framed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><meta name="color-scheme" content="light dark"><body style="margin:0"><iframe id="f" style="border:0;width:320px;height:3000px" src="%s"></iframe>`, site.URL)
	}))
	t.Cleanup(framed.Close)
	if dir := os.Getenv("EXTBODY_SCREENSHOTS"); dir != "" {
		for name, colours := range map[string]string{"dark": "0", "light": "1"} {
			b.Run("--blink-settings=preferredColorScheme="+colours, "--hide-scrollbars", "--window-size=1200,2600", "--screenshot="+filepath.Join(dir, "report-1200-"+name+".png"), site.URL)
			b.Run("--blink-settings=preferredColorScheme="+colours, "--hide-scrollbars", "--window-size=500,3000", "--screenshot="+filepath.Join(dir, "report-320-"+name+".png"), framed.URL)
		}
	}
	server := browser.Examined(t, site)
	for _, width := range []string{"500", "1200"} {
		for _, colours := range []string{"0", "1"} { // dark, light
			seen := b.Run("--blink-settings=preferredColorScheme="+colours, "--window-size="+width+",900", "--dump-dom", server.URL)
			if found := browser.Faults(seen); found != "none" {
				t.Errorf("%s columns, colours %s: got %s, want no findings", width, colours, found)
			}
		}
	}
}
