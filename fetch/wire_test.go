package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
)

// A lossy Fetcher has one object and loses the connection for each element of cuts,
// which are positions in the object. It counts the octets that it sends.
type lossy struct {
	object []byte
	resp   fetch.Response // as far as it is not computed
	cuts   []int
	forge  func(req *fetch.Request, resp *fetch.Response) error // of what goes on

	unsized bool // the first answer does not have the size

	asked int
	sent  int64
}

func newLossy(object []byte, cuts ...int) *lossy {
	l := &lossy{object: object, cuts: cuts}
	driver.OfResponse(&l.resp).Resume = &fetch.Conditions{ETag: `"v"`}
	return l
}

func (l *lossy) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	l.asked++
	resp := l.resp
	resp.URL = req.URL
	if c := req.Conditions; c != nil {
		resp.Offset = c.Offset
	}
	rest := l.object[resp.Offset:]
	resp.Size = int64(len(rest))
	if l.unsized && l.asked == 1 {
		resp.Size = -1
	}
	err := error(nil)
	if len(l.cuts) > 0 {
		rest, err = rest[:max(0, int64(l.cuts[0])-resp.Offset)], io.ErrUnexpectedEOF
		l.cuts = l.cuts[1:]
	}
	resp.Body = &lossyBody{l, bytes.NewReader(rest), err}
	if l.asked > 1 && l.forge != nil {
		if err := l.forge(req, &resp); err != nil {
			return nil, err
		}
	}
	return &resp, nil
}

type lossyBody struct {
	l   *lossy
	r   *bytes.Reader
	err error
}

func (b *lossyBody) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.l.sent += int64(n)
	if err == io.EOF && b.err != nil {
		err = b.err
	}
	return n, err
}

func (b *lossyBody) Close() error { return nil }

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

func TestResume(t *testing.T) {
	object := noise(200_000)
	sum := sha256.Sum256(object)
	for _, row := range []struct {
		name  string
		cuts  []int
		asked int
	}{
		{"None", nil, 1},
		{"One", []int{100_000}, 2},
		{"Four", []int{1, 2, 3, 199_999}, 5},
		{"BeforeTheFirst", []int{0, 0, 5}, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLossy(object, row.cuts...)
			driver.OfResponse(&l.resp).Digests = []fetch.Digest{{Field: "repr-digest", Algorithm: "sha-256", Sum: sum[:]}}
			got, resp, err := read(l, request("memory://h/x"))
			if err != nil || !bytes.Equal(got, object) {
				t.Fatalf("%s: got %d octets, %v, want %d, nil", row.name, len(got), err, len(object))
			}
			if l.asked != row.asked || l.sent != int64(len(object)) {
				t.Errorf("%s: got %d requests and %d octets, want %d and %d", row.name, l.asked, l.sent, row.asked, len(object))
			}
			if len(resp.Checks) != 1 || resp.Checks[0].Status != fetch.Match {
				t.Errorf("%s: got %v, want one match over the whole", row.name, resp.Checks)
			}
		})
	}
}

// Octets that were given out stay as they were: a body below a content coding goes
// on with its coded octets.
func TestResumeCoded(t *testing.T) {
	object := noise(100_000)
	var coded bytes.Buffer
	w := gzip.NewWriter(&coded)
	w.Write(object)
	w.Close()
	l := newLossy(coded.Bytes(), 10, 50_000)
	driver.OfResponse(&l.resp).Codings = []string{"gzip"}
	req := request("memory://h/x")
	var seen []*fetch.Exchange
	req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
	f := fetch.Func(func(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
		resp, err := l.Fetch(ctx, r)
		driver.OfResponse(resp).Exchange = driver.Begin(r, "http", r.URL, 0)
		return resp, err
	})
	got, _, err := read(f, req)
	if err != nil || !bytes.Equal(got, object) {
		t.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(object))
	}
	if len(seen) != 3 {
		t.Fatalf("got %d exchanges, want 3", len(seen))
	}
	var octets int64
	for _, x := range seen {
		octets += x.Content.Octets
	}
	if octets != int64(coded.Len()) {
		t.Errorf("got %d octets in the exchanges, want %d", octets, coded.Len())
	}
	for i, want := range []fetch.Kind{fetch.Truncated, fetch.Truncated, 0} {
		if got := seen[i].Kind; got != want {
			t.Errorf("exchange %d: got %v, want %v", i, got, want)
		}
	}
	want := &record.Content{Octets: int64(len(object)), SHA256: fmt.Sprintf("%x", sha256.Sum256(object))}
	if got := seen[2].Decoded; !reflect.DeepEqual(got, want) {
		t.Errorf("got decoded %+v, want %+v", got, want)
	}
}

// A server that sends the same object from an earlier octet on sends the rest. The octets that come again are
// compared with those that were given out, and are in the Exchange and the Budget.
func TestResumeEarlier(t *testing.T) {
	object := noise(200_000)
	other := bytes.Clone(object)
	other[99_000] ^= 1
	for _, row := range []struct {
		name   string
		sends  []byte
		offset int64
		kind   fetch.Kind
	}{
		{"Whole", object, 0, 0},
		{"Block", object, 98_304, 0},
		{"OneOctet", object, 99_999, 0},
		{"TooEarly", object, 10_000, fetch.Truncated}, // it could not be compared
		{"OtherWhole", other, 0, fetch.Truncated},
		{"OtherBlock", other, 98_304, fetch.Truncated},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLossy(object, 100_000)
			l.forge = func(_ *fetch.Request, r *fetch.Response) error {
				r.Offset = row.offset
				r.Size = int64(len(row.sends)) - row.offset
				r.Body = &lossyBody{l, bytes.NewReader(row.sends[row.offset:]), nil}
				return nil
			}
			req := request("memory://h/x")
			req.Budget = fetch.NewBudget(fetch.BudgetLimits{Octets: 300_000})
			got, _, err := read(l, req)
			if fetch.KindOf(err) != row.kind {
				t.Errorf("got %v, want %v", err, row.kind)
			}
			if row.kind == 0 && !bytes.Equal(got, object) || !bytes.HasPrefix(object, got) {
				t.Errorf("got %d octets, want the first of %d, or all", len(got), len(object))
			}
			if l.asked != 2 {
				t.Errorf("got %d requests, want 2", l.asked)
			}
		})
	}
	l := newLossy(object, 100_000)
	l.forge = func(_ *fetch.Request, r *fetch.Response) error {
		r.Offset = 0
		r.Size = int64(len(object))
		r.Body = &lossyBody{l, bytes.NewReader(object), nil}
		return nil
	}
	req := request("memory://h/x")
	req.Budget = fetch.NewBudget(fetch.BudgetLimits{Octets: 299_999})
	if _, _, err := read(l, req); fetch.KindOf(err) != fetch.Deferred {
		t.Errorf("a budget without the octets that come again: got %v, want deferred", err)
	}
}

// Octets that are not the rest of the same object end the body as it would have
// ended.
func TestResumeHostile(t *testing.T) {
	object := noise(10_000)
	other := func(text string) *url.URL {
		u, err := url.Parse(text)
		noError(t, err)
		return u
	}
	for _, row := range []struct {
		name  string
		forge func(*fetch.Request, *fetch.Response) error
	}{
		{"Whole", func(_ *fetch.Request, r *fetch.Response) error { r.Offset, r.Size = 0, 10_000; return nil }},
		{"OtherRange", func(_ *fetch.Request, r *fetch.Response) error { r.Offset++; return nil }},
		{"OtherValidator", func(_ *fetch.Request, r *fetch.Response) error {
			driver.OfResponse(r).Resume = &fetch.Conditions{ETag: `"w"`}
			return nil
		}},
		{"OtherTime", func(_ *fetch.Request, r *fetch.Response) error {
			driver.OfResponse(r).Resume = &fetch.Conditions{ETag: `"v"`, LastModified: "x"}
			return nil
		}},
		{"NoValidator", func(_ *fetch.Request, r *fetch.Response) error { driver.OfResponse(r).Resume = nil; return nil }},
		{"Grows", func(_ *fetch.Request, r *fetch.Response) error { r.Size++; return nil }},
		{"Shrinks", func(_ *fetch.Request, r *fetch.Response) error { r.Size--; return nil }},
		{"NoSize", func(_ *fetch.Request, r *fetch.Response) error { r.Size = -1; return nil }},
		{"OtherCoding", func(_ *fetch.Request, r *fetch.Response) error {
			driver.OfResponse(r).Codings = []string{"gzip"}
			return nil
		}},
		{"OtherOrigin", func(_ *fetch.Request, r *fetch.Response) error { r.URL = other("memory://elsewhere/x"); return nil }},
		{"NotModified", func(_ *fetch.Request, r *fetch.Response) error { r.NotModified = true; return nil }},
		{"Refused", func(*fetch.Request, *fetch.Response) error { return fetch.Forbidden }},
		{"Gone", func(*fetch.Request, *fetch.Response) error { return fetch.Gone }},
		{"Redirect", func(req *fetch.Request, _ *fetch.Response) error {
			return req.CheckHop(t.Context(), req.URL, other("memory://elsewhere/x"))
		}},
		{"RedirectDenied", func(req *fetch.Request, _ *fetch.Response) error {
			return req.CheckHop(t.Context(), req.URL, other("memory://h/denied"))
		}},
	} {
		l := newLossy(object, 5_000)
		l.forge = row.forge
		req := request("memory://h/x")
		req.CheckHop = func(_ context.Context, _, to *url.URL) error {
			if to.Path == "/denied" {
				return fetch.Denied
			}
			return nil
		}
		got, _, err := read(l, req)
		if fetch.KindOf(err) != fetch.Truncated {
			t.Errorf("%s: got %v, want Truncated", row.name, err)
		}
		if len(got) >= 5_000 || !bytes.Equal(got, object[:len(got)]) {
			t.Errorf("%s: got %d octets, want fewer than 5000 of the first", row.name, len(got))
		}
		if l.asked != 2 {
			t.Errorf("%s: got %d requests, want 2", row.name, l.asked)
		}
	}
}

// Octets after the range are not part of the body.
func TestResumeTooLong(t *testing.T) {
	l := newLossy(noise(10_000), 5_000)
	l.forge = func(_ *fetch.Request, r *fetch.Response) error {
		r.Body = io.NopCloser(io.MultiReader(r.Body, strings.NewReader("more")))
		return nil
	}
	if _, _, err := read(l, request("memory://h/x")); fetch.KindOf(err) != fetch.Protocol {
		t.Errorf("got %v, want Protocol", err)
	}
}

// Without a strong validator nothing is asked twice.
func TestResumeWithoutValidator(t *testing.T) {
	l := newLossy(noise(10_000), 5_000)
	driver.OfResponse(&l.resp).Resume = nil
	if _, _, err := read(l, request("memory://h/x")); fetch.KindOf(err) != fetch.Truncated || l.asked != 1 {
		t.Errorf("got %v after %d requests, want Truncated after 1", err, l.asked)
	}
}

// The limits on octets and on tries hold for the whole.
func TestResumeBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		object := noise(10_000)

		l := newLossy(object, 4_000)
		l.unsized = true
		req := request("memory://h/x")
		req.MaxBytes = 9_999
		if _, _, err := read(l, req); fetch.KindOf(err) != fetch.TooLarge {
			t.Errorf("a size over the limit: got %v, want TooLarge", err)
		}
		l = newLossy(object, 4_000)
		l.unsized = true
		if got, _, err := read(l, request("memory://h/x")); err != nil || !bytes.Equal(got, object) {
			t.Errorf("no size at first: got %d octets, %v, want %d, nil", len(got), err, len(object))
		}

		l = newLossy(object, 5_000)
		l.forge = func(*fetch.Request, *fetch.Response) error { return fetch.Unavailable }
		if _, _, err := read(l, request("memory://h/x")); fetch.KindOf(err) != fetch.Truncated || l.asked != 6 {
			t.Errorf("a server that is away: got %v after %d requests, want Truncated after 6", err, l.asked)
		}

		l = newLossy(object, slices.Repeat([]int{5_000}, 100)...)
		if _, _, err := read(l, request("memory://h/x")); fetch.KindOf(err) != fetch.Truncated || l.asked != 6 {
			t.Errorf("no progress: got %v after %d requests, want Truncated after 6", err, l.asked)
		}

		cuts := make([]int, 1_000)
		for i := range cuts {
			cuts[i] = i + 1
		}
		l = newLossy(object, cuts...)
		if _, _, err := read(l, request("memory://h/x")); fetch.KindOf(err) != fetch.Truncated || l.asked != 129 {
			t.Errorf("an octet each: got %v after %d requests, want Truncated after 129", err, l.asked)
		}

		l = newLossy(object, 5_000)
		req = request("memory://h/x")
		ctx, cancel := context.WithCancel(t.Context())
		l.forge = func(*fetch.Request, *fetch.Response) error { cancel(); return fetch.Unavailable }
		resp, err := fetch.Do(ctx, l, req)
		noError(t, err)
		defer resp.Body.Close()
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) || fetch.KindOf(err) != fetch.Canceled {
			t.Errorf("canceled: got %v, want Canceled", err)
		}
	})
}
