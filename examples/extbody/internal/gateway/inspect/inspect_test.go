package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A web answers for each host with what its name says, and counts.
type web struct {
	mu      sync.Mutex
	fetches map[string]int
	gate    chan struct{} // "slow." waits for it
}

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if err := req.Contact(ctx, req.URL); err != nil {
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

// refers returns a message that refers to a file of each host.
func refers(hosts ...string) *Message {
	var b strings.Builder
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
	for i, h := range hosts {
		mediaType := "text/plain"
		if h == "program.example" {
			mediaType = "application/pdf"
		}
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=url; url=\"https://%s/f\"\r\n\r\n"+
			"Content-Type: %s\r\nContent-ID: <%d@a.example>\r\n\r\n", h, mediaType, i)
	}
	b.WriteString("--b--\r\n")
	text := b.String()
	return &Message{Text: strings.NewReader(text), Size: int64(len(text))}
}

func newInspector(t testing.TB, w *web, s Scanning, opts PoolOptions) *Inspector {
	mux := new(fetch.Mux)
	mux.Handle("https", w)
	mux.Handle("data", new(datafetch.Fetcher))
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
		text := "MIME-Version: 1.0\r\nContent-Type: multipart/" + kind + "; boundary=b\r\n\r\n"
		for _, host := range []string{"good.example", "evil.example"} {
			text += "--b\r\nContent-Type: message/external-body; access-type=url; url=\"https://" + host + "/f\"\r\n\r\n" +
				"Content-Type: text/plain\r\nContent-ID: <one@a.example>\r\n\r\n"
		}
		text += "--b--\r\n"
		w := new(web)
		rep := newInspector(t, w, new(scanning), PoolOptions{}).Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
		if rep.Verdict != Malware || len(rep.Refs) != 2 || rep.Refs[0].Scan != ScanClean || rep.Refs[1].Scan != Infected || w.count("evil.example") != 1 {
			t.Errorf("%s: got %s, %+v, want %s", kind, rep.Verdict, rep.Refs, Malware)
		}
	}
}

// What is not known in time is pending; the fetch goes on, and the next try has
// the outcome without another one.
func TestDeferAndRemember(t *testing.T) {
	w := &web{gate: make(chan struct{})}
	synctest.Test(t, func(t *testing.T) {
		w.gate = make(chan struct{})
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

// A host that hangs is given up after the time of the Pool, and what that came to
// is known.
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
			text := strings.Replace(readAll(refers("good.example")), "<0@", fmt.Sprintf("<%d@", i), 1)
			m := &Message{Text: strings.NewReader(text), Size: int64(len(text)), Source: fmt.Sprint(i)}
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

// One client cannot use up what is for all, nor can those of whom nothing is known.
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
					text := strings.ReplaceAll(readAll(refers("slow.example")), "/f\"", fmt.Sprintf("/f%d\"", i))
					rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text)), Source: strings.Trim(source, "-")})
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
		task, state, _ := in.Pool.ask(question{id: askedID(t, in, "good.example"), source: "attacker.example", sender: new(sender), work: func(ctx context.Context, _ bool) *finding {
			<-spent
			return &finding{State: failed(fetch.Deferred, time.Time{}), Kind: fetch.Deferred}
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

// A scanner that hangs holds up a message for a bounded time, however many bodies it
// has in itself.
func TestScannerHangsLocal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInspector(t, new(web), hanging{}, PoolOptions{})
		in.Wait = time.Second
		var b strings.Builder
		b.WriteString("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
		for i := range 20 {
			fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=url; url=\"data:text/plain,%d\"\r\n\r\n"+
				"Content-Type: text/plain\r\nContent-ID: <%d@a.example>\r\n\r\n", i, i)
		}
		b.WriteString("--b--\r\n")
		begun := time.Now()
		rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(b.String()), Size: int64(b.Len())})
		if took := time.Since(begun); took > localTime || len(rep.Refs) != 20 || rep.Verdict != Pending {
			t.Errorf("got %s for %d references after %v, want %s for 20 within %v", rep.Verdict, len(rep.Refs), took, Pending, localTime)
		}
	})
}

// A hanging scanner never answers.
type hanging struct{}

func (hanging) Scan(ctx context.Context, _ io.Reader) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func (hanging) Version(context.Context) (string, error) { return "v", nil }

func readAll(m *Message) string {
	text, _ := io.ReadAll(io.NewSectionReader(m.Text, 0, m.Size))
	return string(text)
}

// A body that the scanner finds too long is fetched and scanned once, as others are, until
// the outcome is forgotten; after that it is fetched, and not scanned again before the
// signatures change.
func TestTooLongForScanner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := new(web), &scanning{err: &fetch.Error{Op: "scan", Kind: fetch.TooLarge}}
		in := newInspector(t, w, s, PoolOptions{})
		check := func(when string, fetches int, scans int64) {
			t.Helper()
			rep := in.Inspect(t.Context(), refers("good.example"))
			if r := rep.Refs[0]; rep.Verdict != Unavailable || !slices.Equal(rep.Symbols, []string{SymbolFail}) || r.Scan != ScanFailed || !r.Oversize {
				t.Errorf("%s: got %s %v, scan %s, oversize %v; want %s [%s], scan %s, oversize true", when, rep.Verdict, rep.Symbols, r.Scan, r.Oversize, Unavailable, SymbolFail, ScanFailed)
			}
			if w.count("good.example") != fetches || s.scans.Load() != scans {
				t.Errorf("%s: got %d fetches and %d scans, want %d and %d", when, w.count("good.example"), s.scans.Load(), fetches, scans)
			}
		}
		for range 20 {
			check("within 2 minutes", 1, 1)
			time.Sleep(6 * time.Second)
		}
		time.Sleep(10 * time.Minute)
		check("after 10 minutes", 2, 1)
		s.version.Add(1)
		for range 2 { // the first one begins to ask for the version
			time.Sleep(versionEvery)
			in.Inspect(t.Context(), refers("good.example"))
			synctest.Wait()
		}
		check("with new signatures", 3, 2)
	})
}

// A failure that passes is tried again, after the time that its host said; what is
// gone is not asked for again.
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

// A body is scanned once for a version of the signatures.
func TestScanVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(scanning)
		in := newInspector(t, new(web), s, PoolOptions{Remember: time.Second})
		for range 10 {
			// The outcome for the URL is forgotten, that for the octets is not.
			in.Inspect(t.Context(), refers("good.example"))
			time.Sleep(2 * time.Second)
		}
		if n := s.scans.Load(); n != 1 {
			t.Errorf("got %d scans, want 1", n)
		}
		s.version.Add(1)
		time.Sleep(2 * versionEvery)
		for range 10 {
			in.Inspect(t.Context(), refers("good.example"))
			time.Sleep(2 * time.Second)
		}
		if n := s.scans.Load(); n != 2 {
			t.Errorf("with new signatures: got %d scans, want 2", n)
		}
	})
}

// A scanner that does not answer clearly makes nothing clean.
func TestScannerFails(t *testing.T) {
	in := newInspector(t, new(web), &scanning{err: errors.New("no answer")}, PoolOptions{})
	rep := in.Inspect(t.Context(), refers("good.example"))
	if rep.Verdict != Unavailable || !slices.Equal(rep.Symbols, []string{SymbolFail}) {
		t.Errorf("got %s %v, want %s [%s]", rep.Verdict, rep.Symbols, Unavailable, SymbolFail)
	}
}

// Without a Resolver nobody is contacted, and nothing is judged.
func TestNoResolve(t *testing.T) {
	in := &Inspector{}
	rep := in.Inspect(t.Context(), refers("evil.example"))
	if rep.Verdict != Clean || rep.Refs[0].State != Left {
		t.Errorf("got %s, %s, want %s, %s", rep.Verdict, rep.Refs[0].State, Clean, Left)
	}
}

// The budget of a message bounds its contacts, and its references are all told.
func TestMessageBudget(t *testing.T) {
	w := new(web)
	in := newInspector(t, w, nil, PoolOptions{})
	in.Fetches = 3
	var hosts []string
	for i := range 20 {
		hosts = append(hosts, fmt.Sprintf("h%d.example", i))
	}
	rep := in.Inspect(t.Context(), refers(hosts...))
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
		rep = in.Inspect(t.Context(), refers(hosts...))
	}
	if len(w.fetches) != 20 || rep.Verdict != Clean {
		t.Errorf("after seven tries: got %d contacts, %s, want 20, %s", len(w.fetches), rep.Verdict, Clean)
	}
}

// What is in the message itself is known at once, whatever the time to wait.
func TestDataURL(t *testing.T) {
	in := newInspector(t, new(web), new(scanning), PoolOptions{})
	in.Wait = 1
	text := "Content-Type: message/external-body; access-type=url; url=\"data:text/plain,EVIL\"\r\n\r\n" +
		"Content-Type: text/plain\r\nContent-ID: <1@a.example>\r\n\r\n"
	rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
	if len(rep.Refs) != 1 || rep.Verdict != Malware {
		t.Errorf("got %s, %+v, want %s", rep.Verdict, rep.Refs, Malware)
	}
}

// A message that is not looked into to its end is not called clean.
func TestIncomplete(t *testing.T) {
	in := newInspector(t, new(web), nil, PoolOptions{})
	in.Reading = &externalbody.OpenOptions{MaxReferences: 2}
	rep := in.Inspect(t.Context(), refers("a.example", "b.example", "c.example"))
	if rep.Verdict != Unavailable || rep.Failure != fetch.TooLarge {
		t.Errorf("got %s, failure %v, want %s, %v", rep.Verdict, rep.Failure, Unavailable, fetch.TooLarge)
	}
}

// The Report of a share link has its host and nothing else of it.
func TestNoSecrets(t *testing.T) {
	const secret = "s3cretT0ken"
	in := newInspector(t, new(web), nil, PoolOptions{})
	text := "X-Mozilla-Cloud-Part: cloudFile; url=https://files.example/s/" + secret + "?k=" + secret + "#" + secret + "\r\n" +
		"Content-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/scl/fi/" + secret + "/a.pdf?rlkey=" + secret + "&dl=0\">a.pdf</a>"
	rep := in.Inspect(t.Context(), &Message{Text: strings.NewReader(text), Size: int64(len(text))})
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

func ExampleInspector() {
	mux := new(fetch.Mux)
	mux.Handle("https", fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: &url.URL{Scheme: "https", Host: "a.example"}, MediaType: "text/plain", Size: 5, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	}))
	in := &Inspector{Resolver: &externalbody.Resolver{Fetcher: mux}, Pool: NewPool(PoolOptions{})}
	defer in.Pool.Close()
	rep := in.Inspect(context.Background(), refers("a.example"))
	policy, err := ParsePolicy([]byte("[[rule]]\nname = \"small\"\nmin_size = 5\naction = \"quarantine\"\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	d := policy.DecideAll(rep, &Envelope{}, nil)
	fmt.Println(rep.Verdict, rep.Symbols, d.Action, d.Rule)
	// Output: clean [EXTBODY_CLEAN] quarantine small
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
		most    time.Duration
	}{{"InTime", 0, false, 0, localTime}, {"Slow", 20, false, fetch.TooLarge, localTime + 2*time.Second}, {"Gone", 20, true, fetch.TooLarge, 2 * time.Second}} {
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
			})
		})
	}
}
