package externalbody_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A contacts is a Fetcher that counts its contacts. A URL whose path is /hop
// redirects once.
type contacts struct {
	made   int
	budget *fetch.Budget // of the last request
}

func (f *contacts) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	f.budget = req.Budget
	n := 1
	if req.URL.Path == "/hop" {
		n = 2
	}
	for range n {
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		f.made++
	}
	return &fetch.Response{
		URL: req.URL, MediaType: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("hello")),
	}, nil
}

// references returns a message with n references to different URLs.
func references(t *testing.T, n int, path string) []*externalbody.Reference {
	t.Helper()
	var parts []string
	for i := range n {
		parts = append(parts, external(fmt.Sprintf("URL; URL=\"http://h%d.example%s\"", i, path), fmt.Sprintf("Content-Type: text/plain\nContent-ID: <%d@h.example>\n", i)))
	}
	refs := openText(t, mixed(parts...), nil)
	if len(refs) != n {
		t.Fatalf("got %d references, want %d", len(refs), n)
	}
	return refs
}

// kinds resolves references and returns how many had which outcome.
func kinds(t *testing.T, r *externalbody.Resolver, refs []*externalbody.Reference) map[fetch.Kind]int {
	t.Helper()
	n := make(map[fetch.Kind]int)
	for _, ref := range refs {
		_, _, err := readBody(t, r, ref)
		n[fetch.KindOf(err)]++
	}
	return n
}

// A mail of 9,000 references is listed whole and makes no more contacts than its
// budget has, redirects included. The next mail does not suffer from it.
func TestMessageBudget(t *testing.T) {
	for _, c := range []struct {
		path string
		ok   int
	}{{"/", 200}, {"/hop", 100}} {
		f := new(contacts)
		r := &externalbody.Resolver{Fetcher: f}
		got := kinds(t, r, references(t, 9000, c.path))
		if got[0] != c.ok || got[fetch.Deferred] != 9000-c.ok || f.made != externalbody.DefaultMessageFetches {
			t.Errorf("%s: got %v and %d contacts, want %d bodies and %d contacts", c.path, got, f.made, c.ok, externalbody.DefaultMessageFetches)
		}
		if got := kinds(t, r, references(t, 10, "/")); got[0] != 10 {
			t.Errorf("%s: the next message: got %v, want 10 bodies", c.path, got)
		}
	}
}

// A body in a data: URL or in a part of the message costs no fetch.
func TestBudgetOfNoContact(t *testing.T) {
	f := new(contacts)
	budget := fetch.NewBudget(fetch.BudgetLimits{Fetches: 1})
	r := &externalbody.Resolver{Fetcher: f, Budget: budget}
	const id = "Content-Type: text/plain\nContent-ID: <a@h.example>\n"
	refs := openText(t, mixed(external(`URL; URL="http://h.example/"`, "Content-Type: text/plain\n"), external("content-id", id), id+"\nhere"), nil)
	for i, ref := range append(refs, refs[1:]...) {
		if _, _, err := readBody(t, r, ref); err != nil {
			t.Errorf("reference %d: got error %v, want none", i, err)
		}
	}
	if octets, fetches := budget.Used(); fetches != 1 || octets != 13 || f.made != 1 {
		t.Errorf("got %d fetches, %d octets, %d contacts; want 1, 13 and 1", fetches, octets, f.made)
	}
}

// The budget of a run holds for all messages, in addition to the budget of each.
func TestRunBudget(t *testing.T) {
	f := new(contacts)
	run := fetch.NewBudget(fetch.BudgetLimits{Fetches: 250})
	r := &externalbody.Resolver{Fetcher: f, Budget: run}
	for i, want := range []int{200, 50, 0} {
		if got := kinds(t, r, references(t, 210, "/")); got[0] != want || got[fetch.Deferred] != 210-want {
			t.Errorf("message %d: got %v, want %d bodies", i, got, want)
		}
	}
	if _, fetches := run.Used(); fetches != 250 || f.made != 250 {
		t.Errorf("got %d fetches and %d contacts, want 250", fetches, f.made)
	}
}

func TestOwnMessageBudget(t *testing.T) {
	f := new(contacts)
	refs := references(t, 300, "/")
	r := &externalbody.Resolver{Fetcher: f, MessageBudget: func(m *externalbody.Message) *fetch.Budget {
		for ref := range m.References() {
			if ref != refs[0] {
				t.Error("the budget was asked for another message")
			}
			break
		}
		return nil
	}}
	if got := kinds(t, r, refs); got[0] != 300 || f.budget != nil {
		t.Errorf("got %v and the budget %v, want 300 bodies and none", got, f.budget)
	}
}

// The time of a message starts with its first fetch. A message that is kept open
// is not closed for good by it.
func TestMessageTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(contacts)
		r := &externalbody.Resolver{Fetcher: f}
		refs := references(t, 2, "/")
		time.Sleep(5 * time.Hour)
		for _, c := range []struct {
			wait time.Duration
			want fetch.Kind
		}{
			{0, 0},
			{externalbody.DefaultMessageTime - 1, 0},
			{1, fetch.Deferred},
			{externalbody.DefaultMessageTime - 1, fetch.Deferred},
			{1, 0},
		} {
			time.Sleep(c.wait)
			if _, _, err := readBody(t, r, refs[1]); fetch.KindOf(err) != c.want {
				t.Errorf("after %v: got %v, want %v", c.wait, err, c.want)
			}
		}
	})
}

// A slow is a Fetcher that takes a while for each body. The first body is a reference.
type slow struct {
	each  time.Duration
	inner string
}

func (f *slow) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	select {
	case <-time.After(f.each):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	resp := &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("hello"))}
	if req.URL.Path == "/ref" {
		resp.MediaType, resp.Body = "message/external-body", io.NopCloser(strings.NewReader(f.inner))
	}
	return resp, nil
}

// TestNestedTime holds that the time limit of a reference to a reference is a time-out, and that no
// caller ended it.
func TestNestedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/ref"`,
			"Content-Type: message/external-body; access-type=URL; URL=\"http://h.example/data\"\nContent-ID: <i@h>\n\n")
		for each, want := range map[time.Duration]fetch.Kind{29 * time.Minute: 0, 40 * time.Minute: fetch.Unavailable} {
			r := &externalbody.Resolver{Fetcher: &slow{each, "Content-Type: text/plain\r\nContent-ID: <d@h>\r\n\r\n"}}
			if _, _, err := readBody(t, r, ref); fetch.KindOf(err) != want {
				t.Errorf("%v each: got %v, want Kind %v", each, err, want)
			}
		}
	})
}
