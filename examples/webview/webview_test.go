package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A site is a Server with one message, a web server that the message refers to,
// and a reader.
type site struct {
	*testing.T
	server *Server
	page   *httptest.Server // the Server
	files  *httptest.Server
	asked  chan string // paths that files was asked for
	hold   chan struct{}
}

// newSite makes a message of parts, in which FILES stands for the web server.
func newSite(t *testing.T, subject string, parts ...string) *site {
	t.Helper()
	s := &site{T: t, asked: make(chan string, 100), hold: make(chan struct{})}
	s.files = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked <- r.URL.Path
		switch r.URL.Path {
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
			w.Write(dot)
		case "/text":
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "<script>document.title='owned'</script>\n")
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<script>document.title='owned'</script>")
		case "/elsewhere":
			http.Redirect(w, r, strings.Replace(s.files.URL, "127.0.0.1", "other.example", 1)+"/picture", http.StatusFound)
		case "/gone":
			http.Redirect(w, r, "http://redirected.nowhere.example/picture", http.StatusFound)
		case "/private":
			http.Redirect(w, r, "http://169.254.169.254/picture", http.StatusFound)
		case "/slow":
			w.Header().Set("Content-Type", "image/png")
			w.Header().Set("Content-Length", "5000")
			w.Write(make([]byte, 2500))
			w.(http.Flusher).Flush()
			select {
			case <-s.hold:
			case <-r.Context().Done():
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.files.Close)
	text := "From: Ann <ann@sender.example>\nDate: Fri, 20 Nov 2026 09:30:00 +0100\nSubject: " + subject + "\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	for _, p := range parts {
		text += "--b\n" + strings.ReplaceAll(p, "FILES", s.files.URL) + "\n"
	}
	text += "--b--\n"
	guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, Resolver: names{}}
	s.server = NewServer(safefetch.New(&safefetch.Options{Guard: guard}))
	t.Cleanup(s.server.Close)
	if err := s.server.Add(strings.NewReader(text), int64(len(text))); err != nil {
		t.Fatal(err)
	}
	s.page = httptest.NewServer(s.server)
	t.Cleanup(s.page.Close)
	return s
}

// reference is a part that refers to a URL.
func reference(url, mediaType, name string) string {
	return fmt.Sprintf("Content-Type: message/external-body; access-type=URL; URL=\"%s\"\n\nContent-Type: %s\nContent-ID: <%s@x>\nContent-Disposition: attachment; filename=\"%s\"\n", url, mediaType, url, name)
}

// names lets every name lead to this machine, except the names of one domain.
type names struct{}

func (names) LookupNetIP(_ context.Context, _, name string) ([]netip.Addr, error) {
	if strings.HasSuffix(strings.TrimSuffix(name, "."), "nowhere.example") {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// dot is a picture of one pixel.
var dot = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x56\xc7\x2f\x0d\x00\x00\x00\x00IEND\xaeB`\x82")

// get returns a page.
func (s *site) get(path string) (string, *http.Response) {
	s.Helper()
	return s.read(s.page.Client().Get(s.page.URL + path))
}

func (s *site) read(resp *http.Response, err error) (string, *http.Response) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return string(text), resp
}

// post sends a form, and returns the page that it leads to and its path.
func (s *site) post(path string, form url.Values) (text, at string) {
	s.Helper()
	text, resp := s.read(s.page.Client().PostForm(s.page.URL+path, form))
	return text, resp.Request.URL.Path
}

var planID = regexp.MustCompile(`name="plan" value="([^"]+)"`)

// agree opens body n of the message with the Plans that its page shows, and
// returns the path of the job.
func (s *site) agree(n int) string {
	s.Helper()
	text, _ := s.get("/m/0")
	_, after, found := strings.Cut(text, fmt.Sprintf(`action="/m/0/%d"`, n))
	if !found {
		s.Fatalf("got no form for body %d in\n%s", n, text)
	}
	after, _, _ = strings.Cut(after, "</form>")
	form := url.Values{}
	for _, m := range planID.FindAllStringSubmatch(after, -1) {
		form.Add("plan", m[1])
	}
	_, at := s.post(fmt.Sprintf("/m/0/%d", n), form)
	return at
}

// until gets a page until it has a text.
func (s *site) until(path, text string) string {
	s.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		page, _ := s.get(path)
		if strings.Contains(page, text) {
			return page
		}
		if time.Now().After(deadline) {
			s.Fatalf("got\n%s\nwant %q in it", page, text)
		}
	}
}

// quiet wants no contact so far.
func (s *site) quiet() {
	s.Helper()
	select {
	case path := <-s.asked:
		s.Errorf("%s was asked for before anybody agreed", path)
	default:
	}
}

func TestConsentThenBody(t *testing.T) {
	s := newSite(t, "a picture", reference("FILES/picture", "image/png", "dot.png"))
	page, _ := s.get("/m/0")
	for _, want := range []string{"dot.png", "127.0.0.1", "not encrypted", "learns the address of this machine", "learns that the message is processed now"} {
		if !strings.Contains(page, want) {
			t.Errorf("the message: got no %q in\n%s", want, page)
		}
	}
	s.quiet()
	at := s.agree(0)
	page = s.until(at, "SHA-256")
	if !strings.Contains(page, "The message promises no digest.") {
		t.Errorf("got\n%s\nwant the verdict", page)
	}
	body := strings.Replace(at, "/job/", "/body/", 1)
	if !strings.Contains(page, `<img src="`+body+`"`) {
		t.Errorf("got\n%s\nwant the picture", page)
	}
	text, resp := s.get(body)
	if text != string(dot) || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("got %d octets of %s, want the picture", len(text), resp.Header.Get("Content-Type"))
	}
	_, resp = s.get(body + "?save=1")
	if got, want := resp.Header.Get("Content-Disposition"), "attachment; filename=dot.png"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if page, _ = s.get("/m/0"); !strings.Contains(page, "Show it") {
		t.Errorf("got no way back to the body, want one in\n%s", page)
	}
}

// TestUnread has mail that could not be looked into. No page of it says that it refers to nothing.
func TestUnread(t *testing.T) {
	const (
		encrypted = "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\n\r\nx"
		told      = "not all of it could be looked into: encrypted"
		nothing   = "It refers to nothing elsewhere."
	)
	for _, tt := range []struct{ name, part, want, not string }{
		{"Encrypted", encrypted, "No files were found.", nothing},
		{"FileBeside", encrypted + "\r\n--b\r\n" + reference("FILES/picture", "image/png", "dot.png"), "dot.png", "No files"},
		{"None", "\r\nx", nothing, told},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, "x", tt.part)
			text, _ := s.get("/m/0")
			if !strings.Contains(text, tt.want) || strings.Contains(text, tt.not) {
				t.Errorf("got %s, want %q and not %q", text, tt.want, tt.not)
			}
			index, _ := s.get("/")
			for _, page := range []string{text, index} {
				if got := strings.Contains(page, told); got != (tt.not != told) {
					t.Errorf("got %s, want %q in it %t", page, told, !got)
				}
			}
		})
	}
}

// TestNoAgreement: a form that agrees to nothing, or to another Plan, is asked
// again before any contact.
func TestNoAgreement(t *testing.T) {
	for _, plans := range [][]string{nil, {"00"}} {
		s := newSite(t, "x", reference("FILES/picture", "image/png", "dot.png"))
		_, at := s.post("/m/0/0", url.Values{"plan": plans})
		page := s.until(at, "not part of what you agreed to")
		s.quiet()
		// The answer to another question does not count.
		s.post(at+"/answer", url.Values{"plan": {"00"}, "answer": {"yes"}})
		s.quiet()
		id := planID.FindStringSubmatch(page)[1]
		s.post(at+"/answer", url.Values{"plan": {id}, "answer": {"no"}})
		s.until(at, "You did not agree.")
		s.quiet()
	}
}

// TestRedirect: who leads to another host is asked about again.
func TestRedirect(t *testing.T) {
	s := newSite(t, "x", reference("FILES/elsewhere", "image/png", "dot.png"))
	at := s.agree(0)
	page := s.until(at, "not part of what you agreed to")
	if !strings.Contains(page, "redirects to http://other.example") {
		t.Errorf("got\n%s\nwant who sends where", page)
	}
	id := planID.FindStringSubmatch(page)[1]
	s.post(at+"/answer", url.Values{"plan": {id}, "answer": {"yes"}})
	s.until(at, "SHA-256")
}

func TestProgressAndStop(t *testing.T) {
	s := newSite(t, "x", reference("FILES/slow", "image/png", "slow.png"))
	at := s.agree(0)
	page := s.until(at+"/progress", `value="2500" max="5000"`)
	if !strings.Contains(page, "Stop") {
		t.Errorf("got\n%s\nwant a way to stop it", page)
	}
	// The page around the frame stays as it is when the job ends.
	if outer, _ := s.get(at); strings.Contains(outer, "Stop") {
		t.Errorf("got Stop outside of the frame, want none in\n%s", outer)
	}
	if !strings.Contains(page, "2.5 kB of 5.0 kB") {
		t.Errorf("got\n%s\nwant how far it is", page)
	}
	if _, resp := s.get(strings.Replace(at, "/job/", "/body/", 1)); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the body before its verdict: got %d, want 404", resp.StatusCode)
	}
	if text, _ := s.post(at+"/stop", nil); !strings.Contains(text, "You stopped it.") {
		t.Errorf("got\n%s\nwant that it was stopped", text)
	}
	for _, path := range []string{at, at + "/progress"} {
		if page, _ := s.get(path); strings.Contains(page, "Stop") {
			t.Errorf("%s: got a Stop after the end, want none in\n%s", path, page)
		}
	}
}

// TestRefused has the reasons why a body is refused.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ name, part, want string }{
		{"NotFound", reference("FILES/none", "image/png", "a.png"), "The host does not have it."},
		{"TypeMismatch", reference("FILES/page", "image/png", "a.png"), "something else than the message says"},
		{"DigestMismatch", strings.TrimSuffix(reference("FILES/picture", "image/png", "a.png"), "\n") + "\nContent-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n", "not what the sender promised"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, "x", tt.part)
			at := s.agree(0)
			s.until(at, tt.want)
			if _, resp := s.get(strings.Replace(at, "/job/", "/body/", 1)); resp.StatusCode != http.StatusNotFound {
				t.Errorf("got %d for the body, want 404", resp.StatusCode)
			}
		})
	}
	s := newSite(t, "x", reference("telnet://h.example/", "image/png", "a.png"))
	if page, _ := s.get("/m/0"); strings.Contains(page, "Agree and open") || !strings.Contains(page, `class="refused"`) {
		t.Errorf("got\n%s\nwant a reference that cannot be opened", page)
	}
}

// TestStrangersText: the words of a sender stay text, on one line, in its direction.
func TestStrangersText(t *testing.T) {
	s := newSite(t, "=?utf-8?Q?=3Cscript=3Ealert(1)=3C/script=3E_=E2=80=AEgnp.exe?=", reference("FILES/picture", "image/png", "<b>\u202egnp.exe"))
	for _, path := range []string{"/", "/m/0"} {
		page, _ := s.get(path)
		if strings.Contains(page, "<script") || strings.Contains(page, "<b>") || strings.Contains(page, "\u202e") {
			t.Errorf("%s: got markup of the sender, want none in\n%s", path, page)
		}
		if !strings.Contains(page, "&lt;script&gt;") {
			t.Errorf("%s: got\n%s\nwant the subject as text", path, page)
		}
	}
}

// TestOthersAreRefused: another site can neither read a page under a name of its
// own, nor send a form.
func TestOthersAreRefused(t *testing.T) {
	s := newSite(t, "x", reference("FILES/picture", "image/png", "dot.png"))
	for _, tt := range []struct {
		name, method, path, host, site string
		want                           int
	}{
		{"Reader", "GET", "/m/0", "", "same-origin", 200},
		{"Name", "GET", "/m/0", "localhost:80", "", 200},
		{"OtherName", "GET", "/m/0", "attacker.example", "", 421},
		{"OtherAddress", "GET", "/m/0", "192.0.2.1", "", 421},
		{"Form", "POST", "/m/0/0", "", "cross-site", 403},
		{"NoMessage", "GET", "/m/1", "", "", 404},
		{"FormForSeveral", "POST", "/m/0", "", "cross-site", 403},
		{"SeveralOfNoMessage", "POST", "/m/1", "", "same-origin", 404},
		{"SeveralOfNone", "POST", "/m/0?body=1", "", "same-origin", 303},
		{"TallyOfNoMessage", "GET", "/m/1/progress", "", "", 404},
		{"NegativeMessage", "GET", "/m/-1", "", "", 404},
		{"NoBody", "POST", "/m/0/1", "", "same-origin", 404},
		{"NoJob", "GET", "/job/x", "", "", 404},
		{"NoJobToStop", "POST", "/job/x/stop", "", "same-origin", 404},
	} {
		req := httptest.NewRequest(tt.method, tt.path, nil)
		req.Host = "127.0.0.1"
		if tt.host != "" {
			req.Host = tt.host
		}
		if tt.site != "" {
			req.Header.Set("Sec-Fetch-Site", tt.site)
		}
		w := httptest.NewRecorder()
		s.server.ServeHTTP(w, req)
		if w.Code != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, w.Code, tt.want)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; ") || strings.Contains(csp, "script") {
			t.Errorf("%s: got the policy %q, want one without scripts", tt.name, csp)
		}
	}
	s.quiet()
}

// TestOldJobs: there is a bound on the bodies that are kept.
func TestOldJobs(t *testing.T) {
	s := newSite(t, "x", reference("data:image/png;base64,iVBORw0KGgo=", "image/png", "dot.png"))
	if page, _ := s.get("/m/0"); strings.Contains(page, "Agree") || !strings.Contains(page, "<button>Open</button>") {
		t.Errorf("got\n%s\nwant a body that is opened without an agreement", page)
	}
	first := s.agree(0)
	s.until(first, "SHA-256")
	for range maxJobs {
		s.agree(0)
	}
	if _, resp := s.get(first); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the oldest job: got %d, want 404", resp.StatusCode)
	}
	if got := len(s.server.jobs); got != maxJobs {
		t.Errorf("got %d jobs, want %d", got, maxJobs)
	}
}

// TestDeadline: a time limit that ended is not the reader's word.
func TestDeadline(t *testing.T) {
	for err, want := range map[error]string{context.DeadlineExceeded: "It took too long.", context.Canceled: reasons[fetch.Canceled]} {
		j := &job{body: &body{Letter: &letter{}, alts: []*externalbody.Reference{{}}}, err: &fetch.Error{Kind: fetch.Canceled, Err: err}}
		if got := j.view().Refused; got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}

// TestReasons: every Kind has a sentence for people.
func TestReasons(t *testing.T) {
	kinds := 0
	for k := range fetch.Kinds() {
		if kinds++; reasons[k] == "" {
			t.Errorf("%s: got no sentence, want one", k)
		}
	}
	if kinds != len(reasons) {
		t.Errorf("got %d sentences, want %d", len(reasons), kinds)
	}
}

// TestWay wants the consequences of a Plan in two lines with icons, a name for each file, and its size.
func TestWay(t *testing.T) {
	for _, tt := range []struct{ params, phantom, want string }{
		{`access-type=URL; URL="https://cloud.example/x"; size=587`, "Content-Type: application/pdf; name=slides.pdf",
			"text slides.pdf 587 octets | locked: A PDF file (587 octets) from cloud.example, encrypted. | eye: It learns your address, and that you read this now."},
		{`access-type=URL; URL="http://cloud.example/"`, "Content-Type: image/png",
			"image Image from cloud.example  | open: A PNG file from cloud.example, not encrypted. | eye: It learns your address, and that you read this now."},
		{`access-type=URL; URL="data:,x"`, "Content-Type: application/octet-stream", "file File  | mail: A file, in the message itself."},
		{`access-type=URL; URL="telnet://h.example/"`, "Content-Type: application/zip", "archive ZIP file from h.example "},
	} {
		ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; "+tt.params+"\r\n\r\n"), []byte(tt.phantom+"\r\nContent-ID: <a@b>\r\n\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		w := newWay((&externalbody.Resolver{Fetcher: safefetch.New(nil)}).Plan(ref), ref)
		got := w.Icon + " " + w.Name + " " + w.Size
		for _, l := range w.Lines {
			got += " | " + l.Icon + ": " + l.Text
		}
		if got != tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
}
