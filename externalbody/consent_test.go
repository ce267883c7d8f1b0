package externalbody_test

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

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// partsFrom are parts of one message, from a sender, that lead to the URLs.
func partsFrom(t *testing.T, from string, urls ...string) []*externalbody.Reference {
	t.Helper()
	var parts []string
	for _, u := range urls {
		parts = append(parts, external("URL; URL=\""+u+"\"", "Content-Type: text/plain\nContent-ID: <a@b>\n"))
	}
	return open(t, "From: "+from+"\n"+mixed(parts...), nil)
}

// A person counts the questions and answers them.
type person struct {
	asked  []string
	answer bool
}

func (p *person) ask(_ context.Context, plan *externalbody.Plan) (bool, error) {
	p.asked = append(p.asked, plan.URL)
	return p.answer, nil
}

// TestConsent is SE-1: no question is asked about a body in mail at hand, and a missing
// answer is a no.
func TestConsent(t *testing.T) {
	p := &person{}
	for _, tt := range []struct {
		c    *externalbody.Consent
		plan *externalbody.Plan
		ok   bool
	}{
		{&externalbody.Consent{Ask: p.ask}, &externalbody.Plan{Scheme: "data"}, true},
		{new(externalbody.Consent), &externalbody.Plan{Sender: "a", Host: "h", Scheme: "http"}, false},
	} {
		if err := tt.c.Approve(t.Context(), tt.plan); (err == nil) != tt.ok || len(p.asked) > 0 {
			t.Errorf("%s: got %v, asked %q, want allowed %t and no question", tt.plan.Scheme, err, p.asked, tt.ok)
		}
	}
}

// TestConsentNo: one no holds for all ways of a Save, and for the host in the message.
func TestConsentNo(t *testing.T) {
	p := &person{}
	c := &externalbody.Consent{Ask: p.ask}
	w := &web{pages: map[string]page{}}
	r := &externalbody.Resolver{Fetcher: w, Approve: c.Approve}
	want := func(name string, urls ...string) {
		t.Helper()
		if !slices.Equal(p.asked, urls) {
			t.Errorf("%s: asked %q, want %q", name, p.asked, urls)
		}
		p.asked = nil
		if len(w.asked) > 0 {
			t.Errorf("%s: contacted %q, want nobody", name, w.asked)
		}
	}
	refs := partsFrom(t, "a@b.example", "http://g.example/1", "http://h.example/2", "http://h.example/3", "http://i.example/4")
	if _, err := r.Save(t.Context(), refs[:2], new(tape)); fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v, want denied", err)
	}
	want("alternatives", "http://g.example/1")
	for _, ref := range refs {
		if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Denied {
			t.Errorf("got %v, want denied", err)
		}
	}
	want("hosts of the message", "http://h.example/2", "http://i.example/4")
	again := partsFrom(t, "a@b.example", "http://h.example/2")
	if _, err := r.Resolve(t.Context(), again[0]); fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v, want denied", err)
	}
	want("another message", "http://h.example/2")
	// Another Consent asks for itself.
	other := &person{}
	r.Approve = (&externalbody.Consent{Ask: other.ask}).Approve
	r.Resolve(t.Context(), refs[1])
	if len(other.asked) != 1 {
		t.Errorf("another Consent: asked %q, want one question", other.asked)
	}
	// A Reference that is not from Open has no message. Its answers hold for one
	// Save.
	p.asked = nil
	r.Approve = c.Approve
	raw := []*externalbody.Reference{
		one(t, `message/external-body; access-type=URL; URL="http://g.example/1"`, ""),
		one(t, `message/external-body; access-type=URL; URL="http://h.example/2"`, ""),
	}
	r.Save(t.Context(), raw, new(tape))
	want("without a message", "http://g.example/1")
}

// TestConsentTogether: who asks the same meanwhile gets the same answer.
func TestConsentTogether(t *testing.T) {
	for _, tt := range []struct {
		name  string
		other func(*externalbody.Plan)
		asked int
		file  bool // the Plans have no host
	}{
		{"Same", func(*externalbody.Plan) {}, 1, false},
		{"SameFile", func(*externalbody.Plan) {}, 1, true},
		{"OtherFile", func(p *externalbody.Plan) { p.ID = "b" }, 2, true},
		{"OtherPath", func(p *externalbody.Plan) { p.URL += "x" }, 1, false},
		{"OtherHost", func(p *externalbody.Plan) { p.Host = "g.example" }, 2, false},
		{"OtherSender", func(p *externalbody.Plan) { p.Sender = "c@d.example" }, 2, false},
		{"OtherScheme", func(p *externalbody.Plan) { p.Scheme, p.Secure = "http", false }, 2, false},
		{"OtherLogin", func(p *externalbody.Plan) { p.Login = "credentials" }, 2, false},
		{"NoSender", func(p *externalbody.Plan) { p.Sender = "" }, 2, false},
	} {
		for _, answer := range []bool{true, false} {
			t.Run(fmt.Sprint(tt.name, answer), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var asked atomic.Int64
					c := &externalbody.Consent{Ask: func(context.Context, *externalbody.Plan) (bool, error) {
						asked.Add(1)
						time.Sleep(time.Hour)
						return answer, nil
					}}
					var wg sync.WaitGroup
					for i := range 2 {
						p := &externalbody.Plan{Sender: "a@b.example", Scheme: "https", Host: "h.example", Secure: true, URL: "https://h.example/"}
						if tt.file {
							p = &externalbody.Plan{ID: "a", Sender: "a@b.example", Scheme: "file", URL: "file:///a"}
						}
						if i == 1 {
							tt.other(p)
						}
						wg.Go(func() {
							if err := c.Approve(t.Context(), p); (err == nil) != (answer == true) {
								t.Errorf("got error %v for the answer %v, want none only for %v", err, answer, true)
							}
						})
					}
					wg.Wait()
					if got := int(asked.Load()); got != tt.asked {
						t.Errorf("asked %d times, want %d", got, tt.asked)
					}
				})
			})
		}
	}
}

// TestConsentGivenUp: who waits for the answer to another's question asks when that one
// gets none, and gives up when its own context ends.
func TestConsentGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c := &externalbody.Consent{Ask: func(ctx context.Context, _ *externalbody.Plan) (bool, error) {
			if asked++; asked == 1 {
				<-ctx.Done()
				return false, ctx.Err()
			}
			return true, nil
		}}
		p := &externalbody.Plan{Sender: "a@b.example", Scheme: "https", Host: "h.example"}
		first, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := c.Approve(first, p); !errors.Is(err, context.Canceled) {
				t.Errorf("the first: got %v, want canceled", err)
			}
		})
		synctest.Wait()
		second, giveUp := context.WithCancel(t.Context())
		wg.Go(func() {
			if err := c.Approve(second, p); !errors.Is(err, context.Canceled) {
				t.Errorf("the second: got %v, want canceled", err)
			}
		})
		wg.Go(func() {
			if err := c.Approve(t.Context(), p); err != nil {
				t.Errorf("the third: got %v, want none", err)
			}
		})
		synctest.Wait()
		giveUp()
		synctest.Wait()
		cancel()
		wg.Wait()
		if asked != 2 {
			t.Errorf("got asked %d times, want 2", asked)
		}
	})
}

// TestConsentWithoutHost: a yes to a host, given to a Plan without one, such as the Plan
// of a file, is a yes to nothing else.
func TestConsentWithoutHost(t *testing.T) {
	file := func(name string) *externalbody.Plan {
		return &externalbody.Plan{ID: name, Sender: "a@b.example", Scheme: "file", URL: "file:///" + name}
	}
	web := &externalbody.Plan{ID: "web", Sender: "a@b.example", Scheme: "https", Host: "h.example", Secure: true, URL: "https://h.example/"}
	p := &person{answer: true}
	c := &externalbody.Consent{Ask: p.ask}
	for _, plan := range []*externalbody.Plan{file("a"), file("b"), web} {
		if err := c.Approve(t.Context(), plan); err != nil {
			t.Errorf("%s: got error %v, want none", plan.URL, err)
		}
	}
	if want := []string{"file:///a", "file:///b", "https://h.example/"}; !slices.Equal(p.asked, want) {
		t.Errorf("got asked %q, want %q", p.asked, want)
	}
}

// TestConsentTime: the time that a person takes counts for no limit.
func TestConsentTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		think := func(context.Context, *externalbody.Plan) (bool, error) {
			time.Sleep(time.Hour)
			return true, nil
		}
		w := &web{pages: map[string]page{
			"http://h.example/x":     {redirect: "http://g.example/y"},
			"http://g.example/y":     {mediaType: "text/plain", body: "body"},
			"http://h.example/outer": {mediaType: "message/external-body", body: "Content-Type: text/plain\n\n"},
		}}
		r := &externalbody.Resolver{
			Fetcher:  w,
			Approve:  (&externalbody.Consent{Ask: think}).Approve,
			Timeouts: fetch.Timeouts{Total: time.Minute},
		}
		for _, tt := range []struct{ url, phantom string }{
			{"http://h.example/x", "Content-Type: text/plain\n"},
			{"http://h.example/outer", "Content-Type: message/external-body; access-type=URL; URL=\"http://h.example/x\"\n"},
		} {
			ref := one(t, `message/external-body; access-type=URL; URL="`+tt.url+`"`, tt.phantom)
			dst := new(tape)
			begun := time.Now()
			if _, err := r.Save(t.Context(), []*externalbody.Reference{ref}, dst); err != nil || dst.String() != "body" {
				t.Errorf("%s: got %q, %v, want %q", tt.url, dst, err, "body")
			}
			if d := time.Since(begun); d < 2*time.Hour {
				t.Errorf("%s: done in %v, want the time of two questions", tt.url, d)
			}
		}
	})
}

// TestDisclosesMailAddress: a Plan discloses the mail address where one is sent.
func TestDisclosesMailAddress(t *testing.T) {
	mux := func(anonymous string) *fetch.Mux {
		m := new(fetch.Mux)
		m.Handle("ftp", ftpfetch.New(&ftpfetch.Options{Anonymous: anonymous}))
		return m
	}
	wrapped := new(fetch.Mux)
	wrapped.Handle("ftp", fetch.Func(mux("me@h.example").Fetch))
	for _, tt := range []struct {
		name string
		f    fetch.Fetcher
		url  string
		want bool
	}{
		{"Default", mux(""), "ftp://h.example/x", false},
		{"NoAddress", mux("guest"), "ftp://h.example/x", false},
		{"Address", mux("me@h.example"), "ftp://h.example/x", true},
		{"AddressNamed", mux("me@h.example"), "ftp://anonymous@h.example/x", true},
		{"OtherPassword", mux("me@h.example"), "ftp://anonymous:x@h.example/x", false},
		{"OtherUser", mux("me@h.example"), "ftp://me@h.example/x", false},
		{"Safe", safefetch.New(nil), "ftp://h.example/x", false},
		{"SafeWithAddress", safefetch.New(&safefetch.Options{Anonymous: "me@h.example"}), "ftp://h.example/x", true},
		{"NotKnown", wrapped, "ftp://h.example/x", true},
	} {
		ref := one(t, `message/external-body; access-type=URL; URL="`+tt.url+`"`, "")
		p := (&externalbody.Resolver{Fetcher: tt.f}).Plan(ref)
		got := slices.ContainsFunc(p.Discloses, func(d externalbody.Disclosure) bool { return d.What == "anonymous-password" })
		if got != tt.want || strings.Contains(p.String(), "learns the mail address") != tt.want {
			t.Errorf("%s: got %t, want %t: %s", tt.name, got, tt.want, p)
		}
	}
}

// linkFrom is the reference of a message, from a sender, to a URL: a link in its text, or a
// part.
func linkFrom(t *testing.T, from, link string) []*externalbody.Reference {
	t.Helper()
	if !strings.Contains(link, "/file/d/") {
		return partsFrom(t, from, link)
	}
	refs := open(t, "From: "+from+"\nContent-Type: text/plain\n\n<"+link+">\n", &externalbody.OpenOptions{Dialects: dialect.All()})
	if len(refs) != 1 {
		t.Fatalf("got %d references, want 1", len(refs))
	}
	return refs
}

// TestConsentDirect holds: who allows a share link is asked once, about the link's host and
// the one that has its files, which the Plan names both. Functions that judge by Host see
// both, and another redirect is asked about on its own.
func TestConsentDirect(t *testing.T) {
	const link, files = "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view", "drive.usercontent.google.com"
	drive := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		to := "https://" + files + "/download"
		if req.URL.Query().Get("to") != "" {
			to = "https://" + req.URL.Query().Get("to") + "/download"
		}
		u, err := url.Parse(to)
		if err != nil {
			return nil, err
		}
		if err := req.CheckHop(ctx, req.URL, u); err != nil {
			return nil, &fetch.Error{Kind: fetch.KindOr(err, fetch.Denied), Err: err}
		}
		return &fetch.Response{URL: u, MediaType: "text/plain", Size: 2, Body: io.NopCloser(strings.NewReader("hi"))}, nil
	})
	for _, tt := range []struct {
		name   string
		answer bool
		urls   []string // of references of one sender, in messages of their own
		asked  int
		kind   fetch.Kind // of the last one
	}{
		{name: "Allow", answer: true, urls: []string{link}, asked: 1},
		{name: "AllowTwice", answer: true, urls: []string{link, link}, asked: 2},
		{name: "Elsewhere", answer: true, urls: []string{link + "?to=evil.example"}, asked: 2},
		{name: "NoLink", answer: true, urls: []string{"https://drive.google.com/x"}, asked: 2},
		{name: "Deny", answer: false, urls: []string{link}, asked: 1, kind: fetch.Denied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &person{answer: tt.answer}
			c := &externalbody.Consent{Ask: p.ask}
			r := &externalbody.Resolver{Fetcher: drive, Approve: c.Approve}
			var err error
			for _, u := range tt.urls {
				_, err = r.Save(t.Context(), linkFrom(t, "a@b.example", u), new(tape))
			}
			if got := fetch.Kind(0); len(p.asked) != tt.asked || err != nil && fetch.KindOf(err) != tt.kind || err == nil && got != tt.kind {
				t.Errorf("got %d questions %q, error %v; want %d, %v", len(p.asked), p.asked, err, tt.asked, tt.kind)
			}
		})
	}
	var hosts []string
	r := &externalbody.Resolver{Fetcher: drive, Approve: func(_ context.Context, p *externalbody.Plan) error {
		hosts = append(hosts, p.Host+" "+p.Direct)
		return nil
	}}
	if _, err := r.Save(t.Context(), linkFrom(t, "a@b.example", link), new(tape)); err != nil || !slices.Equal(hosts, []string{"drive.google.com " + files, files + " "}) {
		t.Errorf("got Plans for %q, %v; want both hosts", hosts, err)
	}
	// A Consent that was not asked about the link has not allowed its files.
	p := &person{answer: false}
	c := &externalbody.Consent{Ask: p.ask}
	r.Approve = func(ctx context.Context, p *externalbody.Plan) error {
		if p.Host == "drive.google.com" {
			return nil
		}
		return c.Approve(ctx, p)
	}
	if _, err := r.Save(t.Context(), linkFrom(t, "a@b.example", link), new(tape)); fetch.KindOf(err) != fetch.Denied || len(p.asked) != 1 {
		t.Errorf("got %v and %d questions, want %v and one", err, len(p.asked), fetch.Denied)
	}
}
