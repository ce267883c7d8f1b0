package accountfetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/internal/testkit/cloud"
)

// One call of Token serves all that wait, and it ends with the caller. A failure is not repeated for each file,
// but is tried again later.
func TestTokenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		failing := false
		a := office
		a.Token = func(ctx context.Context, _ string) (string, error) {
			runs.Add(1)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return "", context.Cause(ctx)
			}
			if failing {
				return "", errors.New("no agent")
			}
			return "good", nil
		}
		api := fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, fetch.Unavailable })
		get := func(f fetch.Fetcher, ctx context.Context, n int) (last error) {
			u, err := url.Parse(site)
			if err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range n {
				wg.Go(func() {
					_, err := fetch.Do(ctx, f, &fetch.Request{URL: u})
					mu.Lock()
					defer mu.Unlock()
					last = err
				})
			}
			wg.Wait()
			return last
		}
		f := accountfetch.New(api, api, a)
		if err := get(f, t.Context(), 16); runs.Load() != 1 || !errors.Is(err, fetch.Unavailable) {
			t.Errorf("got %d calls, %v; want 1 and the error of the API", runs.Load(), err)
		}
		runs.Store(0)
		failing = true
		f = accountfetch.New(api, api, a)
		if err := get(f, t.Context(), 16); runs.Load() != 1 || !errors.Is(err, fetch.Credentials) || !strings.Contains(err.Error(), "no agent") {
			t.Errorf("got %d calls, %v; want 1 and its error", runs.Load(), err)
		}
		time.Sleep(2 * time.Minute)
		failing = false
		if err := get(f, t.Context(), 1); runs.Load() != 2 || !errors.Is(err, fetch.Unavailable) {
			t.Errorf("got %d calls, %v; want another one after a while", runs.Load(), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := get(accountfetch.New(api, api, a), ctx, 2); !errors.Is(err, fetch.Canceled) {
			t.Errorf("got %v, want %v", err, fetch.Canceled)
		}
	})
}

// OP-55: of a link that a stranger wrote, a resource key alone gets into a field.
func TestResourceKey(t *testing.T) {
	for key, want := range map[string]string{"0-abc": driveS + "/0-abc", "a,other/key": "", "a%0d%0aX-Evil:%201": "", "%C3%A9": "", "": ""} {
		x := newWorld(t, mine)
		x.get(t.Context(), inBox+"&resourcekey="+key, day(25))
		if n := x.Requests("key " + want); n != 2 {
			t.Errorf("%q: got %d requests with the field %q, want 2", key, n, want)
		}
		if n := x.Requests("key " + driveS); want == "" && n > 0 {
			t.Errorf("%q: got %d requests with a key, want none", key, n)
		}
	}
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(*accountfetch.Account){
		"Name":         func(a *accountfetch.Account) { a.Name = "" },
		"Provider":     func(a *accountfetch.Account) { a.Provider = "box" },
		"NoHosts":      func(a *accountfetch.Account) { a.Hosts = nil },
		"Token":        func(a *accountfetch.Account) { a.Token = nil },
		"BaseHTTP":     func(a *accountfetch.Account) { a.Base = "http://graph.example" },
		"BaseUser":     func(a *accountfetch.Account) { a.Base = "https://u@graph.example" },
		"HostOfAPI":    func(a *accountfetch.Account) { a.Hosts = []string{"graph.microsoft.com"} },
		"HostAboveAPI": func(a *accountfetch.Account) { a.Hosts = []string{".microsoft.com"} },
		"HostWithPort": func(a *accountfetch.Account) { a.Hosts = []string{"contoso.sharepoint.com:443"} },
		"HostAsURL":    func(a *accountfetch.Account) { a.Hosts = []string{"https://contoso.sharepoint.com"} },
		"HostInCase":   func(a *accountfetch.Account) { a.Hosts = []string{"Contoso.sharepoint.com"} },
		"TopLevel":     func(a *accountfetch.Account) { a.Hosts = []string{".com"} },
		"Dot":          func(a *accountfetch.Account) { a.Hosts = []string{"."} },
	} {
		a := office
		a.Token = func(context.Context, string) (string, error) { return "", nil }
		if err := a.Check(); err != nil {
			t.Fatalf("got %v, want no mistake", err)
		}
		change(&a)
		if err := a.Check(); err == nil {
			t.Errorf("%s: got no error, want one", name)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: got no panic of New, want one", name)
				}
			}()
			accountfetch.New(nil, nil, a)
		}()
	}
}

// OP-55: a Mux asks the layer which account is for a link, and a Plan has the answer.
func TestPlan(t *testing.T) {
	x := newWorld(t, office)
	mux := new(fetch.Mux)
	mux.Handle("https", x.Fetcher)
	mux.Handle("http", x.Fetcher)
	for link, want := range map[string]string{
		site: "work", vanity: "work",
		strings.Replace(site, "https", "http", 1):       "",
		strings.Replace(site, "contoso", "stranger", 1): "",
		x.API.URL + "/v1.0/drives/x/items/y/content":    "",
	} {
		ref := &externalbody.Reference{AccessType: "url", Params: externalbody.Fields{{Name: "url", Value: link}}, MediaType: "application/pdf", Size: -1}
		p := (&externalbody.Resolver{Fetcher: mux}).Plan(ref)
		got := ""
		if p.Account != nil {
			got = p.Account.Name
		}
		if got != want {
			t.Errorf("%s: got the account %q, want %q", fmt.Sprintf("%.40s", link), got, want)
		}
	}
	if x.asked+x.without > 0 || x.Requests("") > 0 {
		t.Error("got requests for plans, want none")
	}
}

// Digests that differ are only noted if the account asks for that.
func TestNoteDigests(t *testing.T) {
	a := office
	a.NoteDigests = true
	x := newWorld(t, a)
	x.file.BadDigest = true
	got := x.get(t.Context(), site, time.Time{})
	if got.err != nil || fmt.Sprint(got.resp.Checks) != "[{graph quickxor mismatch }]" {
		t.Errorf("got %s with %v, want the octets and the mismatch", got, got.resp.Checks)
	}
}

// OP-62: an answer with more values than a history has is not decoded.
func TestManyValues(t *testing.T) {
	x := newWorld(t, office)
	x.PageSize = 50_000
	for i := range 15_000 {
		x.file.Versions = append(x.file.Versions, cloud.Version{At: day(21).Add(time.Duration(i) * time.Second)})
	}
	got := x.get(t.Context(), site, day(12))
	if fetch.KindOf(got.err) != fetch.Protocol || x.Requests("octets") > 0 {
		t.Errorf("got %s, want %v before any octet", got, fetch.Protocol)
	}
}
