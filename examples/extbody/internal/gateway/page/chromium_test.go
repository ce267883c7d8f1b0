package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A browser makes of what strangers wrote nothing but text, runs no script of theirs, and
// asks for nothing but the page. With EXTBODY_SCREENSHOTS, a folder, it keeps a picture.
func TestChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("chromium is not installed")
	}
	const reversed = "\u202egpj.exe" // shown as exe.jpg
	hostile := []string{
		"<script>document.title='owned'</script>", "\"><img src=/stolen onerror=\"document.title='owned'\">", "</td></table><svg onload=document.title='owned'>",
		"<style>@import '/stolen'</style>", "{{.Warnings}}", "<meta http-equiv=refresh content='0;url=/stolen'>", "javascript:document.title='owned'", "' onmouseover='x",
	}
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	f := Facts{Now: now, Started: now, Policy: hostile[0], Warnings: hostile}
	for i, h := range hostile {
		f.Hosts = append(f.Hosts, throttle.Host{Name: h, InFlight: i}, throttle.Host{Name: h, Down: now.Add(time.Minute)})
		f.Last = append(f.Last, serve.Past{
			Time: now, Front: h, QueueID: h, Verdict: inspect.Verdict(h), Action: inspect.Action(h), Rule: h, Reasons: hostile,
		})
	}
	f.Hosts = append(f.Hosts, throttle.Host{Name: reversed}, throttle.Host{Name: reversed, Down: now.Add(time.Minute)})
	f.Last[0].Reasons = append(f.Last[0].Reasons[:len(hostile):len(hostile)], reversed)
	f.Last[0].QueueID += reversed
	page := Handler(func() Facts { return f })
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		page.ServeHTTP(w, r)
	}))
	defer server.Close()
	profile := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	run := func(args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, program, append([]string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
			"--disable-background-networking", "--user-data-dir=" + profile}, append(args, server.URL+"/")...)...).Output()
	}
	if file := os.Getenv("EXTBODY_SCREENSHOTS"); file != "" {
		run("--window-size=1100,1400", "--screenshot="+filepath.Join(file, "operator.png"))
	}
	dom, err := run("--dump-dom")
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	text := string(dom)
	for _, bad := range []string{"owned</title>", "<img", "<svg", "<script", "<style>@import", "\u202e", "content=\"0;url"} {
		if strings.Contains(text, bad) {
			t.Errorf("got %q in the page, want it nowhere", bad)
		}
	}
	// In a warning, the policy, a host of each list, five cells of a verdict, and the reasons.
	if n, want := strings.Count(text, "&lt;script&gt;document.title='owned'&lt;/script&gt;"), 9+len(hostile); n < want {
		t.Errorf("got what strangers wrote %d times, want it shown %d times", n, want)
	}
	if !strings.Contains(text, "<title>extbody serve</title>") {
		t.Errorf("got no title, want extbody serve:\n%.500s", text)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, path := range asked {
		if path != "/" && path != "/favicon.ico" {
			t.Errorf("got a request for %s, want only the page", path)
		}
	}
}
