package sharefetch_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

// Cookies are taken where the host of the link is known to set one, and nowhere
// else.
func TestCookies(t *testing.T) {
	for _, row := range []struct {
		link, asked string
		want        bool
	}{
		{"https://tenant.sharepoint.com/:b:/s/site/E1x1a2B3c4D5?e=1", "https://tenant.sharepoint.com/:b:/s/site/E1x1a2B3c4D5?e=1&download=1", true},
		{"https://1drv.ms/u/c/c1/d21a2B3c4D5e", "https://my.microsoftpersonalcontent.com/personal/c1/_layouts/15/download.aspx?share=d21a2B3c4D5e", true},
		{"https://www.dropbox.com/s/a11a2B3c4D5e6F7/r.pdf?dl=0", "https://www.dropbox.com/s/a11a2B3c4D5e6F7/r.pdf?dl=1", false},
		{"https://files.example/a", "https://files.example/a", false},
	} {
		h := &host{answers: map[string]answerTo{row.asked: {mediaType: "application/pdf", body: "%PDF"}}}
		resp, err := fetch.Do(t.Context(), sharefetch.New(h), request(row.link))
		if err != nil {
			t.Fatalf("%s: got error %v, want none", row.link, err)
		}
		resp.Body.Close()
		if h.last.Cookies != row.want {
			t.Errorf("%s: got Cookies %v, want %v", row.link, h.last.Cookies, row.want)
		}
	}
}

// A page instead of a file is observed as a page, with its start.
func TestObservePage(t *testing.T) {
	const link, direct = "https://1drv.ms/u/c/c1/d21a2B3c4D5e", "https://my.microsoftpersonalcontent.com/personal/c1/_layouts/15/download.aspx?share=d21a2B3c4D5e"
	h := &host{answers: map[string]answerTo{direct: {mediaType: "text/html", body: page}}}
	next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp, err := h.Fetch(ctx, req)
		if err == nil {
			driver.OfResponse(resp).Exchange = driver.Begin(req, "http", req.URL, 0)
		}
		return resp, err
	})
	var seen []*fetch.Exchange
	req := request(link)
	req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
	// A page that was not read whole is Cut.
	h.answers[direct] = answerTo{mediaType: "text/html", body: page + strings.Repeat("<p>", 1<<20)}
	_, err := fetch.Do(t.Context(), sharefetch.New(next), req)
	if fetch.KindOf(err) != fetch.Interstitial || len(seen) != 1 || !seen[0].Cut || len(seen[0].Beginning) == 0 {
		t.Errorf("a long page: got %v and %d exchanges, want %v, cut, with its beginning", err, len(seen), fetch.Interstitial)
	}
	h.answers[direct], seen = answerTo{mediaType: "text/html", body: page}, nil
	_, err = fetch.Do(t.Context(), sharefetch.New(next), req)
	if fetch.KindOf(err) != fetch.Interstitial || len(seen) != 1 {
		t.Fatalf("got %d exchanges, %v, want 1, %v", len(seen), err, fetch.Interstitial)
	}
	x := seen[0]
	if x.Kind != fetch.Interstitial || string(x.Beginning) != page || x.Cut || x.URL != direct || x.Hop != 1 || strings.Contains(x.Error, "SECRET") {
		t.Errorf("got %+v, want interstitial for %s after 1 hop, with all of the page", x, direct)
	}
}

// The rest of a file may look like a page, and an answer that nothing has changed
// has no beginning.
func TestRestIsNotJudged(t *testing.T) {
	const link = "https://www.dropbox.com/s/a11a2B3c4D5e6F7/r.pdf?dl=1"
	h := &host{answers: map[string]answerTo{link: {mediaType: "text/html", body: page}}}
	for _, row := range []struct {
		name string
		set  func(*fetch.Response)
	}{
		{"Rest", func(r *fetch.Response) { r.Offset = 7 }},
		{"NotModified", func(r *fetch.Response) { r.NotModified = true }},
	} {
		next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp, err := h.Fetch(ctx, req)
			row.set(resp)
			return resp, err
		})
		resp, err := fetch.Do(t.Context(), sharefetch.New(next), request(link))
		if err != nil {
			t.Errorf("%s: got error %v, want none", row.name, err)
			continue
		}
		if got, err := io.ReadAll(resp.Body); string(got) != page || err != nil {
			t.Errorf("%s: got %q, %v, want %q, nil", row.name, got, err, page)
		}
		resp.Body.Close()
	}
}
