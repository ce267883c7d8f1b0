package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// The words of strangers are text on the page, and nothing on it is from elsewhere.
func TestPage(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	h := Handler(func() Facts {
		return Facts{
			Now: now, Started: now.Add(-time.Hour), Policy: "policy.toml", Rules: 3, Pending: 17,
			Hosts:  []throttle.Host{{Name: "down.example:443", Down: now.Add(time.Minute)}, {Name: "busy.example:443", InFlight: 2}},
			Parts:  []Part{{"scanner", "<i>"}},
			Totals: []serve.Total{{Action: "reject", Rule: "<u>", Number: 4711}, {Action: "hold", Rule: "x", Shadow: true, Number: 1}},
			Last:   []serve.Past{{To: []string{"<to>@a.example"}, Time: now, Front: "milter", QueueID: "<script>", Verdict: "malware", Action: "reject", Rule: "r", Would: "hold", Shadow: []string{"<s>=reject"}, Names: []string{"<b>.pdf"}, Reasons: []string{"<img src=x>"}}},
		}
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	got := w.Body.String()
	for _, want := range []string{"down.example:443", "03:05:05", "busy.example:443", "&lt;script&gt;", "&lt;img src=x&gt;", ">17<", "1h0m0s", ">4711<", "&lt;u&gt;", "would ", "&lt;i&gt;", "&lt;to&gt;@a.example", "&lt;b&gt;.pdf", "--log-recipients"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=x>", "url(", "@import"} {
		if strings.Contains(strings.ReplaceAll(got, "&lt;img src=x&gt;", ""), bad) {
			t.Errorf("got %q in the page, want it nowhere", bad)
		}
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("got the policy %q, want default-src 'none' first", csp)
	}
	if strings.Index(got, "down.example") > strings.Index(got, "Hosts being asked") {
		t.Error("a host that is down is among those being asked")
	}
}

// usual is a page with usual contents.
func usual() Facts {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	f := Facts{
		Now: now, Started: now.Add(-time.Hour), Policy: "policy.toml of 2030-01-02", Rules: 3, Warnings: []string{"bodies are not scanned"},
		Parts: []Part{{"scanner", "works: /run/clamav/clamd.ctl"}, {"fleet", "fails: the database does not answer"}, {"cache", "none"}}, Recipients: true, Version: "v0.1.0",
		Totals: []serve.Total{{Action: inspect.None, Number: 12345}, {Action: inspect.Quarantine, Rule: "suspicious-attachment", Number: 12}, {Action: inspect.Reject, Rule: "programs", Shadow: true, Number: 3}},
		Hosts:  []throttle.Host{{Name: "a-company.sharepoint.example:443", Down: now.Add(time.Minute)}, {Name: "files.example:443", InFlight: 3, Waiting: 12}},
	}
	for i, verdict := range []inspect.Verdict{inspect.Clean, inspect.Malware, inspect.Pending, inspect.Unavailable, inspect.Suspicious, inspect.Encrypted} {
		f.Last = append(f.Last, serve.Past{
			Time: now, Front: "milter", QueueID: "4fXyZ12Qw3z9", MessageID: "<20300102030405.12345@mail.sender.example>", Client: "192.0.2.1", Verdict: verdict,
			To: []string{"first.last@company.example", "desk@company.example"}, Names: []string{"quarterly report.pdf"}, Shadow: []string{"programs=reject"},
			Action: inspect.Quarantine, Rule: "suspicious-attachment", Find: strings.Repeat(string(rune('a'+i)), 64),
			Reasons: []string{"standard a-company.sharepoint.example: known, scan clean, 1234567 octets, sha256 " + strings.Repeat("0123456789abcdef", 4)},
		})
	}
	return f
}

// The page has no fault that axe-core finds, in light and in dark colours. No word of up to
// 30 characters is broken at a width of 1200 pixels, and nothing is wider than a screen of
// 320.
func TestPageReadable(t *testing.T) {
	b := browser.New(t)
	site := httptest.NewServer(Handler(usual))
	defer site.Close()
	frame := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/page" {
			page := httptest.NewRecorder()
			Handler(usual).ServeHTTP(page, r)
			w.Write(page.Body.Bytes())
			return
		}
		w.Write([]byte(`<iframe id=f src=/page width=` + r.URL.Query().Get("width") + ` height=3000 frameborder=0></iframe><script>
onload = () => {
	const d = document.getElementById("f").contentDocument, broken = []
	for (const w = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT); w.nextNode();)
		for (const m of w.currentNode.data.matchAll(/(?<![^\s-])[^\s-]{2,30}(?![^\s-])/g)) {
			const r = d.createRange()
			r.setStart(w.currentNode, m.index); r.setEnd(w.currentNode, m.index + m[0].length)
			if (new Set([...r.getClientRects()].map(r => r.top)).size > 1) broken.push(m[0])
		}
	const e = d.documentElement
	document.title = "fits " + (e.scrollWidth <= e.clientWidth) + ", broken: " + broken
}</script>`))
	}))
	defer frame.Close()
	for width, title := range map[string]string{"1200": "<title>fits true, broken: </title>", "320": "<title>fits true,"} {
		if page := b.DOM(frame.URL + "/?width=" + width); !strings.Contains(page, title) {
			t.Errorf("%s pixels: got %.300s, want %s", width, page, title)
		}
	}
	examined := browser.Examined(t, site)
	for _, colours := range []string{"0", "1"} { // dark, light
		if faults := browser.Faults(b.Run("--blink-settings=preferredColorScheme="+colours, "--dump-dom", examined.URL)); faults != "none" {
			t.Errorf("colours %s: got %s, want no findings", colours, faults)
		}
	}
}

// With refresh the browser asks again, within bounds, and the search stays.
func TestPageRefresh(t *testing.T) {
	for query, want := range map[string]string{"": "", "?refresh=30&q=b": "30", "?refresh=1": "", "?refresh=3601": "", "?refresh=0%3Burl%3Dhttps%3A%2F%2Fa.example": ""} {
		w := httptest.NewRecorder()
		Handler(usual).ServeHTTP(w, httptest.NewRequest("GET", "/"+query, nil))
		body := w.Body.String()
		if got := w.Header().Get("Refresh"); got != want || strings.Contains(body, `name="refresh" value="30"`) != (want != "") || strings.Contains(body, ">stop<") != (want != "") {
			t.Errorf("%q: got the field %q, want %q, and %s", query, got, want, body)
		}
	}
}

// The page finds messages by the parameter q.
func TestPageFinds(t *testing.T) {
	for q, want := range map[string]int{"": 6, strings.Repeat("B", 64): 1, "nothing": 0} {
		w := httptest.NewRecorder()
		Handler(usual).ServeHTTP(w, httptest.NewRequest("GET", "/?q="+q, nil))
		if n := strings.Count(w.Body.String(), "4fXyZ12Qw3z9"); n != want {
			t.Errorf("%q: got %d messages, want %d", q, n, want)
		}
	}
}

// A browser makes nothing but text of the words of strangers, runs no script of theirs,
// and asks for nothing but the page.
func TestChromium(t *testing.T) {
	b := browser.New(t)
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
			Time: now, Front: h, QueueID: h, MessageID: h, Client: h, Verdict: inspect.Verdict(h), Action: inspect.Action(h), Rule: h, Reasons: hostile,
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
	text := b.DOM(server.URL + "/")
	for _, bad := range []string{"owned</title>", "<img", "<svg", "<script", "<style>@import", "\u202e", "content=\"0;url"} {
		if strings.Contains(text, bad) {
			t.Errorf("got %q in the page, want it nowhere", bad)
		}
	}
	// In a warning, the policy, a host of each list, seven texts of a verdict, and the reasons.
	if n, want := strings.Count(text, "&lt;script&gt;document.title='owned'&lt;/script&gt;"), 11+len(hostile); n < want {
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
