package safefetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

var local = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// A names resolves all names to this machine and counts the questions.
type names struct{ asked atomic.Int32 }

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.asked.Add(1)
	if strings.HasPrefix(host, "gone.") {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func mux(change func(*safefetch.Options)) *fetch.Mux {
	o := &safefetch.Options{Guard: &netguard.Guard{Allow: local, AnyPort: true, Resolver: new(names)}}
	if change != nil {
		change(o)
	}
	return safefetch.New(o)
}

func get(ctx context.Context, f fetch.Fetcher, text string, change func(*fetch.Request)) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	req := &fetch.Request{URL: u}
	if change != nil {
		change(req)
	}
	resp, err := fetch.Do(ctx, f, req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), err
}

// A name that does not exist is looked up once, and then not for a while. That is
// so for ftp, too.
func TestNoSuchHost(t *testing.T) {
	for _, scheme := range []string{"http", "https", "ftp"} {
		resolver := new(names)
		m := mux(func(o *safefetch.Options) { o.Guard.Resolver = resolver })
		for i := range 10 {
			_, err := get(t.Context(), m, scheme+"://gone.example/f", nil)
			want := fetch.Deferred
			if i == 0 {
				want = fetch.Unavailable
			}
			if fetch.KindOf(err) != want {
				t.Errorf("%s: got %v, want %v", scheme, err, want)
			}
		}
		if got := resolver.asked.Load(); got != 1 {
			t.Errorf("%s: got %d lookups, want 1", scheme, got)
		}
	}
}

// A redirect passes the throttle of the host that it leads to, and counts as a
// contact.
func TestRedirectIsThrottled(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, port, _ := net.SplitHostPort(r.Host)
		switch host {
		case "busy.example":
			asked.Add(1)
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			http.Redirect(w, r, "http://busy.example:"+port+"/", http.StatusFound)
		}
	}))
	defer s.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	state := new(throttle.State)
	m := mux(func(o *safefetch.Options) { o.Throttle = &throttle.Options{State: state} })
	budget := fetch.NewBudget(fetch.BudgetLimits{})
	for i := range 5 {
		_, err := get(t.Context(), m, fmt.Sprintf("http://h%d.example:%s/", i, port), func(r *fetch.Request) { r.Budget = budget })
		want := fetch.Deferred
		if i == 0 {
			want = fetch.Unavailable
		}
		if fetch.KindOf(err) != want || fetch.AfterOf(err).IsZero() {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if got := asked.Load(); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
	if _, fetches := budget.Used(); fetches != 6 {
		t.Errorf("got %d contacts charged, want 6", fetches)
	}
	hosts := state.Hosts()
	if len(hosts) != 1 || hosts[0].Name != "busy.example:"+port || hosts[0].After.IsZero() {
		t.Errorf("got the hosts %v, want busy.example:%s alone, with a time", hosts, port)
	}
}

// The link's own host is not waited for if it is not contacted; the host of its
// direct form is.
func TestShareLinkIsThrottled(t *testing.T) {
	state := new(throttle.State)
	refused := errors.New("no")
	m := mux(func(o *safefetch.Options) {
		o.Guard = &netguard.Guard{Resolver: fixed{netip.MustParseAddr("10.0.0.1")}} // blocked when dialed
		o.Throttle = &throttle.Options{State: state, Key: func(u *url.URL) string {
			if u.Host != "my.microsoftpersonalcontent.com" {
				t.Errorf("the throttle was asked for %s, want %s", u.Host, "my.microsoftpersonalcontent.com")
			}
			return u.Host
		}}
	})
	const link = "https://1drv.ms/u/c/a77974c33a34d9bb/ERyj4V21a2B3"
	if _, err := get(t.Context(), m, link, nil); fetch.KindOf(err) != fetch.Blocked {
		t.Errorf("got %v, want %v", err, fetch.Blocked)
	}
	if _, err := get(t.Context(), m, link, func(r *fetch.Request) {
		r.CheckHop = func(context.Context, *url.URL, *url.URL) error { return refused }
	}); fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v, want %v", err, fetch.Denied)
	}
}

// With a store a body is fetched once. A request that is served from it contacts no
// host: that costs no fetch of a budget, and goes while the host wants no requests.
func TestCache(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		io.WriteString(w, "kept")
	}))
	defer s.Close()
	store, err := cache.Dir(t.TempDir(), 1<<20)
	noError(t, err)
	m := mux(func(o *safefetch.Options) { o.Cache = store })
	budget := fetch.NewBudget(fetch.BudgetLimits{Fetches: 2})
	spend := func(r *fetch.Request) { r.Budget = budget }
	for i := range 5 {
		if i == 1 {
			for range 2 { // the host is busy, and the budget spent
				if _, err := get(t.Context(), m, s.URL+"/other", spend); err == nil {
					t.Error("got another page of a host that is busy, want an error")
				}
			}
		}
		if data, err := get(t.Context(), m, s.URL+"/", spend); data != "kept" || err != nil {
			t.Errorf("fetch %d: got %q, %v, want %q, nil", i, data, err, "kept")
		}
	}
	if got := asked.Load(); got != 2 {
		t.Errorf("got %d requests, want 2", got)
	}
	if _, fetches := budget.Used(); fetches != 2 {
		t.Errorf("got %d fetches used, want 2", fetches)
	}
}

// An answer in the store from a time when more was allowed is not given out: neither
// an address, nor a port that a redirect led to.
func TestCacheOfAnotherPolicy(t *testing.T) {
	var asked atomic.Int32
	file := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Cache-Control", "max-age=3600")
		io.WriteString(w, "within")
	}))
	defer file.Close()
	link := httptest.NewServer(http.RedirectHandler(file.URL+"/within", http.StatusFound))
	defer link.Close()
	port := func(s *httptest.Server) uint16 {
		return netip.MustParseAddrPort(s.Listener.Addr().String()).Port()
	}
	store, err := cache.Dir(t.TempDir(), 1<<20)
	noError(t, err)
	defer store.Close()
	wide := netguard.Guard{Allow: local, Ports: []uint16{port(file), port(link)}, Resolver: new(names)}
	named := fmt.Sprintf("http://files.example:%d/within", port(file))
	for _, row := range []struct {
		name, url string
		narrow    func(*netguard.Guard)
		offline   bool
		want      fetch.Kind
	}{
		{"Same", named, func(*netguard.Guard) {}, false, 0},
		{"Address", named, func(g *netguard.Guard) { g.Allow = nil }, false, fetch.Blocked},
		{"AddressOffline", named, func(g *netguard.Guard) { g.Allow = nil }, true, fetch.Deferred},
		{"Denied", named, func(g *netguard.Guard) { g.Deny = local }, false, fetch.Blocked},
		{"PortOfRedirect", link.URL, func(g *netguard.Guard) { g.Ports = g.Ports[1:] }, false, fetch.Blocked},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := mux(func(o *safefetch.Options) { o.Cache, o.Guard = store, &wide })
			if data, err := get(t.Context(), m, row.url, nil); data != "within" || err != nil {
				t.Fatalf("got %q, %v, want %q", data, err, "within")
			}
			before := asked.Load()
			narrow := wide
			row.narrow(&narrow)
			m = mux(func(o *safefetch.Options) {
				o.Cache, o.Guard, o.CacheOptions = store, &narrow, &cache.Options{Offline: row.offline}
			})
			if data, err := get(t.Context(), m, row.url, nil); fetch.KindOf(err) != row.want {
				t.Errorf("got %q, %v, want %v", data, err, row.want)
			}
			if n := asked.Load() - before; n != 0 {
				t.Errorf("got %d requests, want 0", n)
			}
		})
	}
}

// Octets from the store are judged by the facts that each reference announces, as
// fresh octets are.
func TestCachedPageIsJudged(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!DOCTYPE html><title>Report</title>")
	}))
	defer s.Close()
	u, _ := url.Parse(s.URL)
	store, err := cache.Dir(t.TempDir(), 1<<20)
	noError(t, err)
	m := mux(func(o *safefetch.Options) {
		o.Cache = store
	})
	for _, c := range []struct {
		name string
		want fetch.Kind
	}{{"page.html", 0}, {"report.pdf", fetch.Interstitial}, {"page.html", 0}} {
		_, err := get(t.Context(), m, s.URL+"/s/aB1", func(r *fetch.Request) {
			r.Name, r.ShareHosts = c.name, map[string]string{u.Host: "nextcloud"}
		})
		if fetch.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	if got := asked.Load(); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}

// Names without end for one server share the places of its address, also on connections that
// were kept. A name of another domain at the address is not held up.
func TestManyNames(t *testing.T) {
	for _, scale := range []int{1, 4, 16} {
		var hanging atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "hang") {
				hanging.Add(1)
				<-r.Context().Done()
			}
			io.WriteString(w, "hello")
		}))
		_, port, err := net.SplitHostPort(s.Listener.Addr().String())
		noError(t, err)
		m := mux(func(o *safefetch.Options) { o.Throttle = &throttle.Options{PerHost: 4, Fetches: 128} })
		ctx, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		host := func(i int) string { return fmt.Sprintf("http://a%d.evil.example:%s/", i, port) }
		for i := range 20 {
			if _, err := get(ctx, m, host(i), nil); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 50 * scale {
			wg.Go(func() { get(ctx, m, host(i)+"hang", nil) })
		}
		for end := time.Now().Add(20 * time.Second); hanging.Load() < 32 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if text, err := get(t.Context(), m, "http://a.honest.example:"+port+"/", nil); err != nil || text != "hello" {
			t.Errorf("%dx: got %q, %v, want hello", scale, text, err)
		}
		time.Sleep(50 * time.Millisecond)
		if n := hanging.Load(); n != 32 {
			t.Errorf("%dx: got %d requests at the address, want 32", scale, n)
		}
		leave()
		wg.Wait()
		s.CloseClientConnections()
		s.Close()
	}
}
