package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A web answers for each host by its name, and counts.
type web struct {
	mu      sync.Mutex
	fetches map[string]int
	gate    chan struct{} // "slow." waits for it
}

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if err := driver.Contact(ctx, req, req.URL); err != nil {
		return nil, err
	}
	host := req.URL.Hostname()
	w.mu.Lock()
	if w.fetches == nil {
		w.fetches = make(map[string]int)
	}
	w.fetches[host]++
	w.mu.Unlock()
	body, mediaType := "hello", "text/plain"
	switch host {
	case "slow.example":
		select {
		case <-w.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "gone.example":
		return nil, &fetch.Error{Op: "fetch", Kind: fetch.NotFound}
	case "busy.example":
		return nil, &fetch.Error{Op: "fetch", Kind: fetch.Unavailable, After: time.Now().Add(time.Minute)}
	case "evil.example":
		body = "EVIL"
	case "program.example":
		body, mediaType = "MZ"+strings.Repeat("\x00", 100), "application/pdf"
	}
	return &fetch.Response{URL: req.URL, MediaType: mediaType, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
}

func (w *web) count(host string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fetches[host]
}

// A scanning finds EVIL.
type scanning struct {
	scans   atomic.Int64
	version atomic.Int64
	err     error
}

func (s *scanning) Scan(_ context.Context, r io.Reader) (string, error) {
	s.scans.Add(1)
	text, err := io.ReadAll(r)
	if err == nil {
		err = s.err
	}
	if err == nil && strings.Contains(string(text), "EVIL") {
		return "Test.Evil", nil
	}
	return "", err
}

func (s *scanning) Version(context.Context) (string, error) {
	return fmt.Sprint("v", s.version.Load()), nil
}

// answering returns a Resolver that asks f.
func answering(f fetch.Func) *externalbody.Resolver {
	mux := new(fetch.Mux)
	mux.Handle("https", f)
	return &externalbody.Resolver{Fetcher: mux}
}

// served returns a response with a text.
func served(req *fetch.Request, body string) *fetch.Response {
	return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}
}

func messageOf(text string) *Message {
	return &Message{Text: strings.NewReader(text), Size: int64(len(text))}
}

// refersTo returns a message that refers to URLs.
func refersTo(urls ...string) *Message {
	var b strings.Builder
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
	for i, u := range urls {
		mediaType := "text/plain"
		if strings.HasPrefix(u, "https://program.example/") {
			mediaType = "application/pdf"
		}
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=url; url=\"%s\"\r\n\r\n"+
			"Content-Type: %s\r\nContent-ID: <%d@a.example>\r\n\r\n", u, mediaType, i)
	}
	b.WriteString("--b--\r\n")
	return messageOf(b.String())
}

// numbered returns a message that refers to n URLs, which format makes of their numbers.
func numbered(format string, n int) *Message {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf(format, i)
	}
	return refersTo(urls...)
}

// refers returns a message that refers to a file of each host.
func refers(hosts ...string) *Message {
	urls := make([]string, len(hosts))
	for i, h := range hosts {
		urls[i] = "https://" + h + "/f"
	}
	return refersTo(urls...)
}

func newInspector(t testing.TB, w *web, s Scanning, opts PoolOptions) *Inspector {
	mux := new(fetch.Mux)
	mux.Handle("https", w)
	mux.Handle("data", datafetch.New(nil))
	in := &Inspector{
		Resolver: &externalbody.Resolver{Fetcher: mux},
		Reading:  &externalbody.OpenOptions{Dialects: dialect.All()},
		Pool:     NewPool(opts),
		TempDir:  t.TempDir(),
	}
	if s != nil {
		in.Scanner = NewScanner(s, 0)
	}
	t.Cleanup(in.Pool.Close)
	return in
}

func TestInspect(t *testing.T) {
	for _, test := range []struct {
		name    string
		hosts   []string
		verdict Verdict
		symbols []string
	}{
		{"None", nil, Clean, []string{}},
		{"Good", []string{"good.example"}, Clean, []string{SymbolClean}},
		{"Gone", []string{"good.example", "gone.example"}, Unavailable, []string{SymbolUnavailable}},
		{"Evil", []string{"gone.example", "evil.example"}, Malware, []string{SymbolMalware, SymbolUnavailable}},
		{"Program", []string{"program.example"}, Suspicious, []string{SymbolMismatch}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := newInspector(t, new(web), new(scanning), PoolOptions{})
			rep := in.Inspect(t.Context(), refers(test.hosts...))
			if rep.Verdict != test.verdict || !slices.Equal(rep.Symbols, test.symbols) || len(rep.Refs) != len(test.hosts) {
				t.Errorf("got %s %v, %d references, want %s %v, %d", rep.Verdict, rep.Symbols, len(rep.Refs), test.verdict, test.symbols, len(test.hosts))
			}
		})
	}
}

// References that claim to lead to one body are looked at each for itself: a good one
// does not cover a bad one.
func TestAlternatives(t *testing.T) {
	for _, kind := range []string{"alternative", "mixed"} {
		text := strings.NewReplacer("mixed", kind, "<1@", "<0@").Replace(readAll(refers("good.example", "evil.example")))
		w := new(web)
		rep := newInspector(t, w, new(scanning), PoolOptions{}).Inspect(t.Context(), messageOf(text))
		if rep.Verdict != Malware || len(rep.Refs) != 2 || rep.Refs[0].Scan != ScanClean || rep.Refs[1].Scan != Infected || w.count("evil.example") != 1 {
			t.Errorf("%s: got %s, %+v, want %s", kind, rep.Verdict, rep.Refs, Malware)
		}
	}
}

// A reference whose outcome is not known in time is pending; the fetch goes on, and
// the next try has the outcome without another one.
func TestDeferAndRemember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{gate: make(chan struct{})}
		in := newInspector(t, w, nil, PoolOptions{})
		in.Wait = 2 * time.Second
		begun := time.Now()
		rep := in.Inspect(t.Context(), refers("slow.example"))
		if rep.Verdict != Pending || time.Since(begun) != in.Wait {
			t.Errorf("got %s after %v, want %s after %v", rep.Verdict, time.Since(begun), Pending, in.Wait)
		}
		close(w.gate)
		synctest.Wait()
		rep = in.Inspect(t.Context(), refers("slow.example"))
		if rep.Verdict != Clean || !rep.Refs[0].Cached || w.count("slow.example") != 1 {
			t.Errorf("got %s, cached %v, %d fetches, want %s, true, 1", rep.Verdict, rep.Refs[0].Cached, w.count("slow.example"), Clean)
		}
	})
}

// A host that hangs is given up after the time of the Pool, and the outcome is
// known.
func TestHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{gate: make(chan struct{})}
		in := newInspector(t, w, nil, PoolOptions{})
		in.Wait = time.Second
		in.Inspect(t.Context(), refers("slow.example"))
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		rep := in.Inspect(t.Context(), refers("slow.example"))
		if r := rep.Refs[0]; rep.Verdict != Unavailable || r.Kind != fetch.Unavailable || in.Pool.Pending() != 0 {
			t.Errorf("got %s, kind %v, %d pending, want %s, %v, 0", rep.Verdict, r.Kind, in.Pool.Pending(), Unavailable, fetch.Unavailable)
		}
	})
}

// A thousand messages that refer to one file, each with a Content-ID of its own, make
// one fetch and one scan.
func TestOneFetchForMany(t *testing.T) {
	w, s := new(web), new(scanning)
	in := newInspector(t, w, s, PoolOptions{})
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			m := messageOf(strings.Replace(readAll(refers("good.example")), "<0@", fmt.Sprintf("<%d@", i), 1))
			m.Source = fmt.Sprint(i)
			if rep := in.Inspect(t.Context(), m); rep.Verdict != Clean {
				t.Errorf("got %s, want %s", rep.Verdict, Clean)
			}
		})
	}
	wg.Wait()
	if w.count("good.example") != 1 || s.scans.Load() != 1 {
		t.Errorf("got %d fetches and %d scans, want 1 and 1", w.count("good.example"), s.scans.Load())
	}
}

// One client cannot use up the share of all, nor can clients of whom nothing is
// known.
func TestPerSource(t *testing.T) {
	for _, test := range []struct {
		name    string
		opts    PoolOptions
		sources string // one word for each message; - is not known
		refused string // of which words
	}{
		{"Known", PoolOptions{PerSource: 2, Pending: 3}, "a a a b", "2"},
		{"Full", PoolOptions{PerSource: 2, Pending: 3}, "a b c d", "3"},
		{"HeaviestGivesWay", PoolOptions{PerSource: 2, Pending: 3}, "a a b c", ""},
		{"Unknown", PoolOptions{PerSource: 1, Pending: 4}, "- - - b", "2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newInspector(t, &web{gate: make(chan struct{})}, nil, test.opts)
				in.Wait = time.Second
				var refused []string
				for i, source := range strings.Fields(test.sources) {
					m := refersTo(fmt.Sprintf("https://slow.example/%d", i))
					m.Source = strings.Trim(source, "-")
					rep := in.Inspect(t.Context(), m)
					if rep.Refs[0].Kind == fetch.Deferred {
						refused = append(refused, fmt.Sprint(i))
					}
					if rep.Verdict != Pending {
						t.Errorf("message %d of %s: got %s, want %s", i, source, rep.Verdict, Pending)
					}
				}
				if got := strings.Join(refused, " "); got != test.refused {
					t.Errorf("got refused messages %q, want %q", got, test.refused)
				}
			})
		})
	}
}

// A message whose budget is spent keeps nothing from another one that refers to the
// same.
func TestSpentBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(web)
		in := newInspector(t, w, nil, PoolOptions{})
		in.Wait = time.Minute
		spent := make(chan struct{})
		task, state := in.Pool.ask(question{id: askedID(t, in, "good.example"), source: "attacker.example", sender: new(sender), work: func(ctx context.Context, _ bool) *finding {
			<-spent
			return &finding{State: StillToCome, Kind: fetch.Deferred}
		}})
		if state != isBegun {
			t.Fatalf("got %v, want a task that was begun", state)
		}
		var rep *Report
		done := make(chan struct{})
		go func() {
			rep = in.Inspect(t.Context(), refers("good.example"))
			close(done)
		}()
		synctest.Wait()
		close(spent)
		<-task.done
		<-done
		if rep.Verdict != Clean || w.count("good.example") != 2 { // one of askedID
			t.Errorf("got %s, %+v, %d fetches, want %s, 2", rep.Verdict, rep.Refs, w.count("good.example"), Clean)
		}
	})
}

// askedID returns the identifier by which a Pool knows the file of a host.
func askedID(t *testing.T, in *Inspector, host string) string {
	t.Helper()
	other := *in
	other.Pool = NewPool(PoolOptions{})
	defer other.Pool.Close()
	other.Inspect(t.Context(), refers(host))
	for id := range other.Pool.tasks {
		return id
	}
	t.Fatal("nothing was asked for")
	return ""
}

func (hanging) Version(context.Context) (string, error) { return "v", nil }

// A failure that passes is tried again, after the time that its host said; a file
// that is gone is not asked for again.
func TestTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(web)
		in := newInspector(t, w, nil, PoolOptions{})
		for range 50 {
			in.Inspect(t.Context(), refers("busy.example", "gone.example"))
			time.Sleep(2 * time.Second)
		}
		if busy, gone := w.count("busy.example"), w.count("gone.example"); busy != 2 || gone != 1 {
			t.Errorf("in 100 seconds: got %d and %d fetches, want 2 and 1", busy, gone)
		}
	})
}

// Without a Resolver no host is contacted, and nothing is judged.
func TestNoResolve(t *testing.T) {
	in := &Inspector{}
	rep := in.Inspect(t.Context(), refers("evil.example"))
	if rep.Verdict != Clean || rep.Refs[0].State != Left {
		t.Errorf("got %s, %s, want %s, %s", rep.Verdict, rep.Refs[0].State, Clean, Left)
	}
}

// The budget of a message bounds its contacts, and all its references are reported.
func TestMessageBudget(t *testing.T) {
	w := new(web)
	in := newInspector(t, w, nil, PoolOptions{})
	in.Fetches = 3
	m := numbered("https://h%d.example/f", 20)
	rep := in.Inspect(t.Context(), m)
	deferred := 0
	for _, r := range rep.Refs {
		if r.Kind == fetch.Deferred {
			deferred++
		}
	}
	if len(w.fetches) != 3 || deferred != 17 || rep.Verdict != Pending {
		t.Errorf("got %d contacts, %d deferred, %s, want 3, 17, %s", len(w.fetches), deferred, rep.Verdict, Pending)
	}
	// Each try goes on from there.
	for range 6 {
		rep = in.Inspect(t.Context(), m)
	}
	if len(w.fetches) != 20 || rep.Verdict != Clean {
		t.Errorf("after seven tries: got %d contacts, %s, want 20, %s", len(w.fetches), rep.Verdict, Clean)
	}
}

// A body in the message itself is known at once, whatever the time to wait.
func TestDataURL(t *testing.T) {
	in := newInspector(t, new(web), new(scanning), PoolOptions{})
	in.Wait = 1
	rep := in.Inspect(t.Context(), refersTo("data:text/plain,EVIL"))
	if len(rep.Refs) != 1 || rep.Verdict != Malware {
		t.Errorf("got %s, %+v, want %s", rep.Verdict, rep.Refs, Malware)
	}
}

// The Report of a share link has its host and nothing else of it.
func TestNoSecrets(t *testing.T) {
	const secret = "s3cretT0ken"
	in := newInspector(t, new(web), nil, PoolOptions{})
	text := "X-Mozilla-Cloud-Part: cloudFile; url=https://files.example/s/" + secret + "?k=" + secret + "#" + secret + "\r\n" +
		"Content-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/scl/fi/" + secret + "/a.pdf?rlkey=" + secret + "&dl=0\">a.pdf</a>"
	rep := in.Inspect(t.Context(), messageOf(text))
	if len(rep.Refs) == 0 {
		t.Fatal("got no references")
	}
	p := new(Policy)
	d := p.DecideAll(rep, new(Envelope), nil)
	for _, said := range []string{fmt.Sprintf("%+v", *rep), FieldValue("mx.example", rep, &d)} {
		if strings.Contains(said, secret) {
			t.Errorf("got %s, want no secret in it", said)
		}
	}
}

func BenchmarkInspect(b *testing.B) {
	in := newInspector(b, new(web), nil, PoolOptions{})
	plain := "Subject: a\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat("the quick brown fox jumps over the lazy dog\r\n", 900)
	html := "Subject: a\r\nContent-Type: text/html\r\n\r\n" + strings.Repeat("<p>the <b>quick</b> <a href=\"https://www.example.com/a\">fox</a></p>\r\n", 850)
	for name, m := range map[string]*Message{
		"Plain":     {Text: strings.NewReader(plain), Size: int64(len(plain))},
		"HTML":      {Text: strings.NewReader(html), Size: int64(len(html))},
		"Reference": refers("good.example"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(m.Size)
			b.ReportAllocs()
			for b.Loop() {
				in.Inspect(b.Context(), m)
			}
		})
	}
}

// A slowText takes 100 ms for each piece of a message.
type slowText struct{ io.ReaderAt }

func (s slowText) ReadAt(p []byte, off int64) (int, error) {
	time.Sleep(100 * time.Millisecond * time.Duration(len(p)>>16+1))
	return s.ReaderAt.ReadAt(p, off)
}

// A message that is made to take long is given up after a bounded time, and one whose
// client has gone at once; a message as long that is read in time is looked at in full.
func TestSlowMessage(t *testing.T) {
	for _, test := range []struct {
		name    string
		mib     int
		gone    bool
		failure fetch.Kind
		bound   bool
		most    time.Duration
	}{
		{"InTime", 0, false, 0, false, localTime},
		{"Slow", 20, false, 0, true, localTime + 2*time.Second},
		{"Gone", 20, true, fetch.Canceled, false, 2 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "Content-Type: text/plain\r\n\r\n" + strings.Repeat("see https://www.example.com/a and https://we.tl/t-AbC91a2B3c\r\n", test.mib<<20/54+1)
			synctest.Test(t, func(t *testing.T) {
				in := newInspector(t, new(web), nil, PoolOptions{})
				in.Wait = time.Second
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				if test.gone {
					leave()
				}
				begun := time.Now()
				rep := in.Inspect(ctx, &Message{Text: slowText{strings.NewReader(text)}, Size: int64(len(text))})
				if took := time.Since(begun); rep.Failure != test.failure || took > test.most {
					t.Errorf("got failure %v after %v, want %v within %v", rep.Failure, took, test.failure, test.most)
				}
				if (len(rep.Unread) == 1) != test.bound {
					t.Errorf("got unread %v, want a bound: %t", rep.Unread, test.bound)
				}
			})
		})
	}
}

// RetryAfter is the first time that is known, whatever else failed.
func TestRetryAfter(t *testing.T) {
	soon, late := time.Unix(1000, 0), time.Unix(2000, 0)
	failed := func(after time.Time) Ref {
		return Ref{finding: finding{State: Failed, Kind: fetch.Unavailable, After: after}}
	}
	for _, test := range []struct {
		name string
		refs []Ref
		want time.Time
	}{
		{"Unknown", []Ref{failed(time.Time{})}, time.Time{}},
		{"UnknownLast", []Ref{failed(soon), failed(time.Time{})}, soon},
		{"UnknownFirst", []Ref{failed(time.Time{}), failed(soon)}, soon},
		{"First", []Ref{failed(late), failed(soon), failed(late)}, soon},
		{"Lasting", []Ref{{finding: finding{State: Failed, Kind: fetch.NotFound, After: soon}}}, time.Time{}},
	} {
		if got := report(test.refs...).RetryAfter; !got.Equal(test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	longest := time.Duration(1<<63 - 1)
	for wait, want := range map[time.Duration]int{1: 1, time.Second: 1, time.Second + 1: 2, longest: int(longest/time.Second) + 1} {
		if got := seconds(wait); got != want {
			t.Errorf("%v: got %d s, want %d", wait, got, want)
		}
	}
}

// The text of strangers is bounded in a Report.
func TestReportBounded(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	for _, params := range []string{
		"access-type=" + long,
		"access-type=url; url=\"" + long + "://a.example/\"",
		"access-type=url; url=\"https://" + long + ".example/\"",
		"access-type=url; url=\"https://a.example/" + long + "\"",
		"access-type=anon-ftp; site=" + long + "; name=" + long,
		"access-type=" + long + "; " + long + "=" + long,
	} {
		text := "Content-Type: message/external-body; " + params + "\r\n\r\nContent-Type: a/" + long + "\r\nContent-Disposition: attachment; filename=" + long + "\r\n\r\n"
		rep := new(Inspector).Inspect(t.Context(), messageOf(text))
		if len(rep.Refs) != 1 {
			t.Fatalf("%.40s: got %d references, want 1", params, len(rep.Refs))
		}
		got, err := json.Marshal(rep)
		if err != nil {
			t.Fatal(err)
		}
		if most := 4000; len(got) > most {
			t.Errorf("%.40s: got a report of %d octets, want at most %d:\n%.500s", params, len(got), most, got)
		}
	}
}

// A part that could not be looked into is not clean, and a rule can name the reason.
func TestUnread(t *testing.T) {
	const part = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n%s\r\n\r\nx\r\n--b--\r\n"
	for _, test := range []struct {
		name, header, reason string
		verdict              Verdict
		symbol               string
	}{
		{"Text", "Content-Type: text/plain", "", Clean, ""},
		{"Encrypted", "Content-Type: multipart/encrypted; boundary=c", "encrypted", Encrypted, SymbolEncrypted},
		{"Partial", "Content-Type: message/partial; id=1; number=1", "partial-message", Unavailable, SymbolUnavailable},
		{"Taken", "Content-Type: text/plain\r\nX-Apple-Content-Length: 9\r\n\r\n\r\n--b\r\n", "missing-body", Unavailable, SymbolUnavailable},
		{"Encoding", "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-private", "unknown-encoding", Unavailable, SymbolUnavailable},
		{"Charset", "Content-Type: text/plain; charset=x-private\r\n\r\n\xe9", "unknown-charset", Unavailable, SymbolUnavailable},
		{"LongCharset", "Content-Type: text/plain; charset=ibm037\r\n\r\n" + strings.Repeat("@", 300<<10) + "\xe9", "unknown-charset", Unavailable, SymbolUnavailable},
		{"Ambiguous", "JUNK line\r\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\r\n\r\nContent-ID: <a@b>", "ambiguous", Unavailable, SymbolUnavailable},
		{"Decoding", "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64x", "decoding", Unavailable, SymbolUnavailable},
		{"CutShort", "Content-Type: text/plain\r\nX: " + strings.Repeat("x", 2<<20), "cut-short", Unavailable, "EXTBODY_FAIL EXTBODY_UNAVAILABLE"},
	} {
		text := fmt.Sprintf(part, test.header)
		in := newInspector(t, new(web), nil, PoolOptions{})
		rep := in.Inspect(t.Context(), messageOf(text))
		var reasons []string
		for _, u := range rep.Unread {
			reasons = append(reasons, u.Reason)
		}
		if strings.Join(reasons, " ") != test.reason || rep.Verdict != test.verdict || strings.Join(rep.Symbols, " ") != test.symbol {
			t.Errorf("%s: got %v, %s, %v, want %s, %s, %s", test.name, rep.Unread, rep.Verdict, rep.Symbols, test.reason, test.verdict, test.symbol)
		}
		p := parsed(t, "[[rule]]\nname = \"r\"\nunread = [\"encrypted\", \"partial-message\", \"missing-body\", \"unknown-encoding\", \"unknown-charset\", \"ambiguous\", \"decoding\", \"cut-short\"]\naction = \"quarantine\"\n")
		want := None
		if test.reason != "" {
			want = Quarantine
		}
		if d := p.Decide(rep, new(Envelope), "", nil); d.Action != want {
			t.Errorf("%s: got %s, want %s", test.name, d.Action, want)
		}
	}
}

// A body that browsers do not get is suspicious, and one that they alone get is looked at.
func TestBrowser(t *testing.T) {
	answer := func(body string, count *int) fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if err := driver.Contact(ctx, req, req.URL); err != nil {
				return nil, err
			}
			*count++
			switch body {
			case "404":
				return nil, &fetch.Error{Op: "fetch", Kind: fetch.NotFound}
			case "503":
				return nil, &fetch.Error{Op: "fetch", Kind: fetch.Unavailable}
			}
			return served(req, body), nil
		})
	}
	for _, test := range []struct {
		name, url, program, browser string
		fetches                     int64
		verdict                     Verdict
		scan                        Scan
		asked, again                int
	}{
		{"Same", "https://a.example/f", "hello", "hello", 0, Clean, ScanClean, 1, 1},
		{"Other", "https://a.example/f", "hello", "other", 0, Suspicious, ScanClean, 1, 1},
		{"MalwareForBrowsers", "https://a.example/f", "hello", "EVIL", 0, Malware, Infected, 1, 1},
		{"MalwareForPrograms", "https://a.example/f", "EVIL", "hello", 0, Malware, Infected, 1, 1},
		{"NothingForPrograms", "https://a.example/f", "404", "EVIL", 0, Malware, Infected, 1, 1},
		{"NothingForBrowsers", "https://a.example/f", "hello", "404", 0, Suspicious, ScanClean, 1, 1},
		{"NothingForBoth", "https://a.example/f", "404", "404", 0, Unavailable, Unscanned, 1, 1},
		{"BusyForBrowsers", "https://a.example/f", "hello", "503", 0, Clean, ScanClean, 1, 1},
		{"Down", "https://a.example/f", "503", "hello", 0, Unavailable, Unscanned, 1, 0},
		{"NoBudget", "https://a.example/f", "hello", "hello", 1, Pending, Unscanned, 1, 0},
		{"Counted", "https://we.tl/t-AbCdEfGhIj", "hello", "hello", 0, Clean, ScanClean, 1, 0},
		{"InMessage", "data:text/plain,hello", "hello", "hello", 0, Clean, ScanClean, 1, 0},
	} {
		in := newInspector(t, new(web), new(scanning), PoolOptions{})
		in.Once, in.Fetches = true, test.fetches
		var asked, again int
		resolver := func(body string, count *int) *externalbody.Resolver {
			mux := new(fetch.Mux)
			for _, scheme := range []string{"https", "data"} {
				mux.Handle(scheme, answer(body, count))
			}
			return &externalbody.Resolver{Fetcher: mux}
		}
		in.Resolver, in.Browser = resolver(test.program, &asked), resolver(test.browser, &again)
		rep := in.Inspect(t.Context(), refersTo(test.url))
		if len(rep.Refs) != 1 || rep.Verdict != test.verdict || rep.Refs[0].Scan != test.scan || asked != test.asked || again != test.again {
			t.Errorf("%s: got %s, %d and %d fetches, %+v, want %s, scan %q, %d and %d", test.name, rep.Verdict, asked, again, rep.Refs, test.verdict, test.scan, test.asked, test.again)
		}
	}
}
