package browse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/browse"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/testkit/browser"
)

const dot = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// files has files that are pictures, texts, pages, and gone, and one that changes.
func (s *shown) files(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/changes":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "version %d\n", s.version.Load())
	case "/picture":
		w.Header().Set("Content-Type", "image/png")
		io.WriteString(w, dot)
	case "/text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("ETag", `"one"`)
		io.WriteString(w, "the minutes <script>document.title='owned'</script>\n")
	case "/page":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html><script>parent.document.title='owned'</script></html>")
	case "/busy":
		w.Header().Set("Retry-After", "3600")
		http.Error(w, "later", http.StatusServiceUnavailable)
	default:
		http.NotFound(w, r)
	}
}

// A shown is an archive of one mailbox, and the server of its pages.
type shown struct {
	*httptest.Server
	dir, box, host string
	version        atomic.Int64 // of the file that changes
}

// show archives messages and shows the archive.
func show(t testing.TB) *shown {
	t.Helper()
	s := &shown{dir: filepath.Join(t.TempDir(), "archive"), box: filepath.Join(t.TempDir(), "box")}
	files := httptest.NewServer(http.HandlerFunc(s.files))
	t.Cleanup(files.Close)
	s.host = files.URL
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(s.box, sub), 0o700))
	}
	s.deliver(t, 1, "<script>document.title='owned'</script> minutes", "picture image/png dot.png", "text text/plain minutes.txt", "page text/html page.html", "gone image/png gone.png", "busy image/png busy.png")
	s.deliver(t, 2, "=?utf-8?q?B=C3=BCcher?=", "text text/plain "+strings.Repeat("long-name-", 12)+".txt")
	s.sync(t)
	page := browse.New(s.dir, nil, archive.Which{})
	t.Cleanup(func() { page.Close() })
	s.Server = httptest.NewServer(httpfront.Pages(nil, page))
	t.Cleanup(s.Close)
	return s
}

// deliver puts a message into the mailbox. Each file has a path, a type and a name.
func (s *shown) deliver(t testing.TB, n int, subject string, files ...string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "Received: from a by b; %s\r\nFrom: A <a@a.example>\r\nTo: =?utf-8?q?J=C3=B6rg?= <j@b.example>\r\nCc: c@b.example,\r\n d@b.example\r\nSubject: %s\r\nMessage-ID: <%d@a.example>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\n"+
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"+
		"--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Dear J\u00f6rg,<p>&lt;script>document.title='owned'&lt;/script> see below.\r\n", time.Now().Format(time.RFC1123Z), subject, n)
	for _, f := range files {
		f := strings.Fields(f)
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"%s/%s\"\r\n\r\nContent-Type: %s; name=%q\r\n\r\n", s.host, f[0], f[1], f[2])
	}
	must(t, os.WriteFile(filepath.Join(s.box, "cur", fmt.Sprintf("%d:2,S", n)), []byte(b.String()+"--b--\r\n"), 0o600))
}

func (s *shown) sync(t testing.TB) {
	t.Helper()
	a, err := archive.Open(s.dir, true, nil)
	must(t, err)
	defer a.Close()
	_, err = a.Sync(t.Context(), s.options())
	must(t, err)
}

// retry asks again for the references that terms select.
func (s *shown) retry(t testing.TB, terms ...string) {
	t.Helper()
	a, err := archive.Open(s.dir, false, nil)
	must(t, err)
	defer a.Close()
	sel, err := archive.ParseSelector(terms)
	must(t, err)
	_, err = a.Retry(t.Context(), sel, s.options())
	must(t, err)
}

func (s *shown) options() *archive.SyncOptions {
	guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
	return &archive.SyncOptions{
		Sources:  []archive.Source{archive.Files(s.box, time.Time{})},
		Resolver: &externalbody.Resolver{AnySite: true, Fetcher: safefetch.New(&safefetch.Options{Guard: guard})},
		Resolve:  func(string) bool { return true },
		Login:    func(*url.URL) string { return "" },
	}
}

// get returns a page with its status and header.
func (s *shown) get(t testing.TB, path string) (string, int, http.Header) {
	t.Helper()
	resp, err := s.Client().Get(s.URL + path)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	return string(text), resp.StatusCode, resp.Header
}

// messages returns the paths of the messages that a search finds, the first of each row.
func (s *shown) messages(t testing.TB, query string) (paths []string) {
	t.Helper()
	page, _, _ := s.get(t, "/?q="+url.QueryEscape(query))
	for _, rest := range strings.Split(page, `<a href="/m/`)[1:] {
		paths = append(paths, "/m/"+rest[:64])
	}
	return paths
}

// wants reports the texts that a page lacks.
func wants(t testing.TB, name, page string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(page, want) {
			t.Errorf("%s: got no %q in a page of %d octets", name, want, len(page))
		}
	}
}

func TestSearch(t *testing.T) {
	s := show(t)
	page, status, header := s.get(t, "/")
	wants(t, "start", page, "<dt>Messages</dt><dd>2</dd>", "<dt>References</dt><dd>6</dd>", "within", "Bücher", "&lt;script&gt;", "exception")
	if status != 200 || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("got %d, %v", status, header)
	}
	for query, want := range map[string]int{
		"": 6, "subject=minutes": 5, "name=minutes.txt": 2, "state=exception": 2, "state=captured and not type=image": 3, `"subject=bücher" or name=dot`: 2, "from=b.example": 0,
	} {
		if got := s.messages(t, query); len(got) != want {
			t.Errorf("%q: got %d, want %d", query, len(got), want)
		}
	}
	for _, mistake := range []string{"nothing=a", "( from=a", "since=yesterday"} {
		if page, status, _ := s.get(t, "/?q="+url.QueryEscape(mistake)); status != http.StatusBadRequest || !strings.Contains(page, `class="bad"`) {
			t.Errorf("%q: got %d, want a mistake that is told", mistake, status)
		}
	}
	// More references than a page has.
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("text?%d text/plain n%d.txt", i, i))
	}
	s.deliver(t, 3, "many", many...)
	s.sync(t)
	page, _, _ = s.get(t, "/?q=subject%3Dmany")
	wants(t, "first page", page, "1 to 50 of 60", "n59.txt", ">Older</a>")
	page, _, _ = s.get(t, "/?q=subject%3Dmany&page=1")
	wants(t, "second page", page, "51 to 60 of 60", "n0.txt", ">Newer</a>")
}

// The page of a message has each file with its proof, or why there is none.
func TestMessage(t *testing.T) {
	s := show(t)
	path := s.messages(t, "name=dot")[0]
	page, _, _ := s.get(t, path)
	wants(t, "message", page, "A &lt;a@a.example&gt;", "&lt;1@a.example&gt;", `<img src="`+path+`/0" alt="dot.png">`, `<iframe sandbox src="`+path+`/1"`,
		"can be saved, and is not shown", "whole: its SHA-256 is the one in the ledger", " after the message arrived", "a run of the archive", "GET /picture HTTP/1.1",
		"HTTP/1.1 200 OK", "number ", "The file is not there any more", "asked for once, at ", "It is asked for again from", "The host did not answer as it should")
	for n, want := range []struct{ contentType, text string }{
		{"image/png", dot}, {"text/plain; charset=utf-8", "the minutes <script>document.title='owned'</script>\n"}, {"application/octet-stream", "<html><script>parent.document.title='owned'</script></html>"},
	} {
		text, status, header := s.get(t, fmt.Sprintf("%s/%d", path, n))
		if status != 200 || text != want.text || header.Get("Content-Type") != want.contentType || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Content-Security-Policy") != "default-src 'none'; sandbox; frame-ancestors 'self'" {
			t.Errorf("file %d: got %d, %q, %v", n, status, text, header)
		}
		if _, _, header := s.get(t, fmt.Sprintf("%s/%d?save", path, n)); !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
			t.Errorf("file %d: got %v, want a file to save", n, header)
		}
	}
	if text, _, header := s.get(t, path+"/octets"); !strings.HasPrefix(text, "Received: ") || header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("got %q, %v, want the message to save", text, header)
	}
	for _, nothing := range []string{path + "/3", path + "/9", path + "/-1", path + "/x", "/m/" + strings.Repeat("0", 64), "/m/..%2f..%2fhead", "/nothing"} {
		if _, status, _ := s.get(t, nothing); status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", nothing, status)
		}
	}
}

// TestLetter: the page of a message has whom it is to, where it was seen, and its text, and each page a title of its own.
func TestLetter(t *testing.T) {
	s := show(t)
	path := s.messages(t, "name=dot")[0]
	page, _, _ := s.get(t, path)
	wants(t, "message", page, "<dt>To</dt><dd>J\u00f6rg &lt;j@b.example&gt;</dd>", "<dt>Cc</dt><dd>c@b.example, d@b.example</dd>", "<dt>Mailbox</dt><dd>"+s.box+"</dd>",
		"Dear J\u00f6rg,\n", "&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt; see below.")
	for path, want := range map[string]string{"/": "Archive", "/?q=name%3Ddot": "name=dot - Archive", "/?q=name%3Ddot&page=1": "Page 2 of name=dot - Archive",
		path: "&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt; minutes - Archive", "/m/none": "Not in the archive - Archive"} {
		page, _, _ := s.get(t, path)
		wants(t, path, page, "<title>"+want+"</title>")
	}
	page, _, _ = s.get(t, "/?q=text%3Ddear")
	wants(t, "text", page, `<span class="dim">`, "Dear Jörg, &lt;script&gt;")
	a, err := archive.Open(s.dir, false, nil)
	must(t, err)
	sel, err := archive.ParseSelector([]string{"message=<1@a.example>"})
	must(t, err)
	_, err = a.Forget(sel, &archive.ForgetOptions{Reason: "asked to"})
	must(t, errors.Join(err, a.Close()))
	page, _, _ = s.get(t, path)
	wants(t, "forgotten", page, "The text cannot be shown: the message was removed from the archive on purpose", "<dt>From</dt>")
	if strings.Contains(page, "Dear") {
		t.Error("forgotten: got the text, want none")
	}
}

// TestVersions is OP-59: the page of a message has each body that a file had, with its proof and its octets, and shows the one
// that is chosen.
func TestVersions(t *testing.T) {
	s := show(t)
	s.deliver(t, 3, "changes", "changes text/plain notes.txt")
	s.sync(t)
	s.retry(t, "subject=changes") // with the same body
	for range 2 {
		s.version.Add(1)
		s.retry(t, "subject=changes")
	}
	path := s.messages(t, "subject=changes")[0]
	page, _, _ := s.get(t, path)
	wants(t, "latest", page, "The 3 bodies that it had", " after the message, current", path+"/0?version=1&amp;save", path+"/0?version=3&amp;save")
	if n := strings.Count(page, "whole: its SHA-256 is the one in the ledger"); n != 8 {
		t.Errorf("got %d proofs that are whole, want the file and the exchange of each body and of the one that is shown", n)
	}
	for i := range 3 {
		text, status, _ := s.get(t, fmt.Sprintf("%s/0?version=%d", path, i+1))
		if want := fmt.Sprintf("version %d\n", i); status != 200 || text != want {
			t.Errorf("version %d: got %d, %q, want %q", i+1, status, text, want)
		}
	}
	for _, none := range []string{"0", "4", "-1", "x"} {
		if _, status, _ := s.get(t, path+"/0?version="+none); status != http.StatusNotFound {
			t.Errorf("version %s: got %d, want 404", none, status)
		}
	}
	for which, want := range map[string]string{"latest": "version 2\n", "first": "version 0\n", "all": "version 2\n", "sent": "", "2025": ""} {
		w, err := archive.ParseWhich(which)
		if which == "2025" {
			w, err = archive.ParseWhich("2025-01-01")
		}
		must(t, err)
		one := browse.New(s.dir, nil, w)
		t.Cleanup(func() { one.Close() })
		get := func(path string) string {
			r := httptest.NewRecorder()
			one.ServeHTTP(r, httptest.NewRequest("GET", path, nil))
			return r.Body.String()
		}
		page := get(path)
		wants(t, which, page, "The 3 bodies that it had")
		if want == "" {
			wants(t, which, page, "None of its captures is one that --capture chooses.")
			continue
		}
		if got := get(path + "/0"); got != want || strings.Count(page, "shown above") != 1 {
			t.Errorf("%s: got %q, want %q, and one that is shown", which, got, want)
		}
	}
	text, err := os.ReadDir(filepath.Join(s.dir, "objects"))
	must(t, err)
	for _, e := range text {
		names, _ := filepath.Glob(filepath.Join(s.dir, "objects", e.Name(), "*", "*"))
		for _, name := range names {
			if octets, _ := os.ReadFile(name); string(octets) == "version 0\n" {
				must(t, os.Remove(name))
			}
		}
	}
	page, _, _ = s.get(t, path)
	wants(t, "lost", page, "not whole", "lost: run archive verify")
}

// A file or an exchange that is damaged or lost is told, and never shown.
func TestDamaged(t *testing.T) {
	s := show(t)
	path := s.messages(t, "name=dot")[0]
	objects, _ := filepath.Glob(filepath.Join(s.dir, "objects", "*", "*", "*"))
	for _, name := range objects {
		if text, _ := os.ReadFile(name); string(text) == dot {
			must(t, os.WriteFile(name, []byte(dot[:20]+"x"+dot[21:]), 0o600))
		} else if strings.HasPrefix(string(text), "the minutes") {
			must(t, os.Remove(name))
		}
	}
	page, _, _ := s.get(t, path)
	wants(t, "message", page, "damaged: its SHA-256", "lost: run archive verify")
	if strings.Contains(page, "<img") || strings.Contains(page, "<iframe") {
		t.Errorf("got\n%s\nwant neither shown", page)
	}
	for n, want := range []int{http.StatusInternalServerError, http.StatusNotFound} {
		if text, status, _ := s.get(t, fmt.Sprintf("%s/%d", path, n)); status != want || strings.Contains(text, "PNG") {
			t.Errorf("file %d: got %d, %q, want %d", n, status, text, want)
		}
	}
	exchanges, _ := filepath.Glob(filepath.Join(s.dir, "exchanges", "*"))
	must(t, os.Remove(exchanges[0]))
	page, _, _ = s.get(t, path)
	wants(t, "exchange", page, "<dt>The exchange now</dt><dd class=\"bad\">lost")
}

// Only this machine's names are answered, and nothing can be written.
func TestRefused(t *testing.T) {
	s := show(t)
	for name, want := range map[string]int{"evil.example": http.StatusMisdirectedRequest, "evil.example:8028": http.StatusMisdirectedRequest, "archive:8028": http.StatusMisdirectedRequest, "localhost:8028": 200, "127.0.0.1": 200, "[::1]:8028": 200} {
		req, err := http.NewRequest("GET", s.URL+"/", nil)
		must(t, err)
		req.Host = name
		resp, err := s.Client().Do(req)
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: got %d, want %d", name, resp.StatusCode, want)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		req, err := http.NewRequest(method, s.URL+"/", strings.NewReader("q=a"))
		must(t, err)
		resp, err := s.Client().Do(req)
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: got %d, want 405", method, resp.StatusCode)
		}
	}
}

// Pages are shown while runs write, each with the lines that are whole.
func TestBesideRun(t *testing.T) {
	s := show(t)
	path := s.messages(t, "name=dot")[0]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				for _, at := range []string{"/", path, path + "/0", "/?q=state%3Dcaptured"} {
					if text, status, _ := s.get(t, at); status != 200 {
						t.Errorf("%s: got %d\n%s", at, status, text)
					}
				}
			}
		})
	}
	for i := range 3 {
		s.deliver(t, 10+i, "more", fmt.Sprintf("text?%d text/plain more%d.txt", i, i))
		s.sync(t)
	}
	wg.Wait()
	if got := s.messages(t, "subject=more"); len(got) != 3 {
		t.Errorf("got %d, want the new messages", len(got))
	}
}

// TestChromium looks at the pages as a reader does. With EXTBODY_SCREENSHOTS, a folder, it keeps pictures of them.
func TestChromium(t *testing.T) {
	b := browser.New(t)
	s := show(t)
	s.deliver(t, 3, "changes", "changes text/plain notes.txt")
	s.sync(t)
	s.version.Add(1)
	s.retry(t, "subject=changes")
	paths := []string{"/", s.messages(t, "subject=changes")[0], s.messages(t, "name=dot")[0], s.messages(t, "name=long")[0], "/?q=nothing"}
	for i, path := range paths {
		page := b.DOM(s.URL + path)
		if strings.Contains(page, "<title>owned") {
			t.Errorf("%s: got\n%s\nwant no script run", path, page)
		}
		dir := os.Getenv("EXTBODY_SCREENSHOTS")
		if dir == "" {
			continue
		}
		for _, width := range []string{"1200", "320"} {
			for colours, name := range []string{"dark", "light"} {
				b.Run("--window-size="+width+",1600", fmt.Sprintf("--blink-settings=preferredColorScheme=%d", colours),
					"--screenshot="+filepath.Join(dir, fmt.Sprintf("browse-%d-%s-%s.png", i, width, name)), s.URL+path)
			}
		}
	}
}

// TestAxe: axe-core finds no fault in the pages, in light and in dark colours.
func TestAxe(t *testing.T) {
	b := browser.New(t)
	s := show(t)
	server := browser.Examined(t, s.Server)
	for _, path := range []string{"/", "/?q=state%3Dexception", "/?q=nothing", s.messages(t, "name=dot")[0], s.messages(t, "name=long")[0], "/m/none"} {
		for _, colours := range []string{"0", "1"} { // dark, light
			page := b.Run("--blink-settings=preferredColorScheme="+colours, "--dump-dom", server.URL+path)
			if found := browser.Faults(page); found != "none" {
				t.Errorf("%s, colours %s: got %s, want no findings", path, colours, found)
			}
		}
	}
}

// TestNotWhole is OP-48: the pages of a ledger that is not whole show the lines that are there, and name the damaged
// one.
func TestNotWhole(t *testing.T) {
	s := show(t)
	message := s.messages(t, "state=captured")[0]
	names, err := filepath.Glob(filepath.Join(s.dir, "ledger", "*"))
	must(t, err)
	text, err := os.ReadFile(names[0])
	must(t, err)
	must(t, os.WriteFile(names[0], bytes.Replace(text, []byte(`"capture":{"key":"`), []byte(`"capture":{"kez":"`), 1), 0o600))
	page := browse.New(s.dir, nil, archive.Which{})
	t.Cleanup(func() { page.Close() })
	for _, path := range []string{"/", message} {
		w := httptest.NewRecorder()
		page.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, "the ledger is not whole") || !strings.Contains(got, ": line ") {
			t.Errorf("%s: got %d and %s, want the page with the damage", path, w.Code, got)
		}
	}
}

// Passwords of URLs are not shown, and no character hides or turns the text around it.
func TestHidden(t *testing.T) {
	const url, hidden = "ftp://u:secret@h.example/x\u202e\u009b\U000e0041y", "ftp://u:xxxxx@h.example/x"
	x := &archive.Proof{Reference: &archive.ReferenceRecord{URL: url, Name: "a\U000e0041b"},
		Records: []archive.ExchangeText{{Name: "metadata", URI: url, Text: "{\"url\":\"" + url + "\"}\nHost: \u202eb\n"}}}
	x.Outcome = &archive.Outcome{Exception: &archive.Exception{Facts: archive.Facts{URL: "ftp://h.example/", Hops: []string{url}, FinalURL: url}}}
	shown := fmt.Sprint(browse.Shown(x))
	if n := strings.Count(shown, hidden); n != 5 {
		t.Errorf("got %d URLs without their password, want 5: %s", n, shown)
	}
	if strings.Contains(shown, "secret") || strings.ContainsAny(shown, "\u202e\u009b\U000e0041") {
		t.Errorf("got %q, want no password and no hidden character", shown)
	}
}

// TestForgotten is OP-59: a page has of octets that a forget removed that they were removed on purpose, and not that they are
// damaged or that their host has lost them. Octets that are removed otherwise are damaged.
func TestForgotten(t *testing.T) {
	s := show(t)
	path := s.messages(t, "name=dot")[0]
	a, err := archive.Open(s.dir, false, nil)
	must(t, err)
	sel, err := archive.ParseSelector([]string{"message=<1@a.example>"})
	must(t, err)
	_, err = a.Forget(sel, &archive.ForgetOptions{Reason: "the law"})
	must(t, err)
	must(t, a.Close())
	page, _, _ := s.get(t, path)
	wants(t, "message", page, "It was removed from the archive on purpose.", "<dt>The exchange now</dt><dd>removed on purpose")
	for _, text := range []string{"damaged", "link has expired", "Save the message"} {
		if strings.Contains(page, text) {
			t.Errorf("got %q in the page of a message that was forgotten", text)
		}
	}
	list, _, _ := s.get(t, "/?q=message%3D%3C1@a.example%3E")
	wants(t, "list", list, ", forgotten")
	exchanges, _ := filepath.Glob(filepath.Join(s.dir, "exchanges", "*"))
	must(t, os.WriteFile(exchanges[0], make([]byte, 1<<20), 0o600))
	page, _, _ = s.get(t, path)
	wants(t, "other octets", page, "damaged: its SHA-256")
}
