package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// at returns a reference to https://HOST/NAME.
func at(host, name string) string {
	return "Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://" + host + "/" + name + "\"\n\nContent-Type: image/png\n\n"
}

// A crowd answers each request after a time, and counts those it has at once.
type crowd struct {
	after func(name string) time.Duration
	body  func(name string) string

	mu    sync.Mutex
	now   map[string]int // by host; by "" in all
	most  map[string]int
	asked int
}

func newCrowd(after func(name string) time.Duration) *crowd {
	return &crowd{after: after, body: func(string) string { return "\x00body" }, now: make(map[string]int), most: make(map[string]int)}
}

func (c *crowd) count(host string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range []string{host, ""} {
		c.now[h] += n
		c.most[h] = max(c.most[h], c.now[h])
	}
	c.asked += max(n, 0)
}

func (c *crowd) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c.count(req.URL.Host, 1)
	defer c.count(req.URL.Host, -1)
	name := strings.TrimPrefix(req.URL.Path, "/")
	select {
	case <-time.After(c.after(name)):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	body := c.body(name)
	return &fetch.Response{URL: req.URL, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
}

// TestAheadLimits: bodies are asked for four at a time, two of one host, and a host
// that is busy does not hold up the others.
func TestAheadLimits(t *testing.T) {
	for _, c := range []struct {
		name      string
		hosts     []string
		all, each int
		seconds   int
	}{
		{"OneHost", []string{"a", "a", "a", "a", "a", "a"}, 2, 2, 3},
		{"Capitals", []string{"a", "A", "a.", "a"}, 2, 2, 2},
		{"TwoHosts", []string{"a", "a", "a", "a", "b", "b", "b", "b"}, 4, 2, 2},
		{"FourHosts", []string{"a", "b", "c", "d"}, 4, 1, 1},
		{"FiveHosts", []string{"a", "b", "c", "d", "e"}, 4, 1, 2},
		{"TwoOfAHost", []string{"a", "a"}, 2, 2, 1},
		{"ThreeOfAHost", []string{"a", "a", "a"}, 2, 2, 2},
		{"ManyHosts", []string{"a", "b", "c", "d", "e", "f", "g", "h"}, 4, 1, 2},
		{"One", []string{"a"}, 1, 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			crowd := newCrowd(func(string) time.Duration { return time.Second })
			var parts []string
			for i, h := range c.hosts {
				parts = append(parts, at(strings.Replace(h+".example", "..", ".", 1), fmt.Sprint(i)))
			}
			start := time.Now()
			_, report := inline(t, mixed(parts...), &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: crowd}})
			for _, i := range report.Items {
				if i.Action != rewrite.Replaced {
					t.Errorf("%s: got %v, %v, want %v", c.name, i.Action, i.Err, rewrite.Replaced)
				}
			}
			each := 0
			for h, n := range crowd.most {
				if h != "" {
					each = max(each, n)
				}
			}
			if took := time.Since(start); crowd.most[""] != c.all || each != c.each || took != time.Duration(c.seconds)*time.Second {
				t.Errorf("%s: got %d at once, %d of a host, %v; want %d, %d, %ds", c.name, crowd.most[""], each, took, c.all, c.each, c.seconds)
			}
		})
	}
}

// TestDeadline: references that hang do not starve the others, and bodies that
// arrived before the deadline are written.
func TestDeadline(t *testing.T) {
	for _, file := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			crowd := newCrowd(func(name string) time.Duration {
				if strings.HasPrefix(name, "dead") {
					return time.Hour
				}
				return time.Second
			})
			var parts []string
			for i := range 12 {
				parts = append(parts, at("dead.example", fmt.Sprint("dead", i)), at("live.example", fmt.Sprint("live", i)))
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out memFile
			var dst io.Writer = &out
			if !file {
				dst = struct{ io.Writer }{&out}
			}
			report, err := rewrite.Inline(ctx, dst, open(t, mixed(parts...)), &rewrite.InlineOptions{
				Resolver: &externalbody.Resolver{Fetcher: crowd}, TempDir: t.TempDir(), Notice: true,
			})
			if err != nil {
				t.Fatalf("file %t: got error %v, want none", file, err)
			}
			for i, item := range report.Items {
				if dead := i%2 == 0; dead && (item.Action != rewrite.Failed || !errors.Is(item.Err, fetch.Deferred)) || !dead && item.Action != rewrite.Replaced {
					t.Errorf("file %t: %d: got %v, %v, want failed and deferred %t, or replaced", file, i, item.Action, item.Err, dead)
				}
			}
			if n := strings.Count(string(out.b), "message/external-body"); n != 12 || crowd.asked != 14 {
				t.Errorf("file %t: got %d references left, %d asked for; want 12, 14", file, n, crowd.asked)
			}
		})
	}
}

// TestBudget: the same holds for a Budget that ends.
func TestBudget(t *testing.T) {
	w := newWeb("1", "\x00one", "2", "\x00two", "3", "\x00six")
	r := w.resolver()
	r.Budget = fetch.NewBudget(fetch.BudgetLimits{Octets: 8})
	png := "Content-Type: image/png\n"
	_, report := inline(t, mixed(ref("1", png), ref("2", png), ref("3", png)), &rewrite.InlineOptions{Resolver: r, Notice: true})
	replaced := 0
	for _, i := range report.Items {
		switch {
		case i.Action == rewrite.Replaced:
			replaced++
		case i.Action != rewrite.Failed || !errors.Is(i.Err, fetch.Deferred):
			t.Errorf("got %v, %v, want %v, %v", i.Action, i.Err, rewrite.Failed, fetch.Deferred)
		}
	}
	if replaced != 2 {
		t.Errorf("got %s, want 2 replaced", actions(report))
	}
}

// TestCancel: a cancellation ends everything at once, and nothing goes on.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails if a goroutine is left
		crowd := newCrowd(func(name string) time.Duration { return time.Hour })
		var parts []string
		for i := range 8 {
			parts = append(parts, at(fmt.Sprint(i%3, ".example"), fmt.Sprint(i)))
		}
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		time.AfterFunc(time.Second, cancel)
		var out memFile
		_, err := rewrite.Inline(ctx, &out, open(t, mixed(parts...)), &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: crowd}, TempDir: t.TempDir()})
		if fetch.KindOf(err) != fetch.Canceled || len(out.b) > 0 || time.Since(start) != time.Second || crowd.asked != 4 {
			t.Errorf("got %v, %d octets, after %v, %d asked for, want %v, 0, %v, 4", err, len(out.b), time.Since(start), crowd.asked, fetch.Canceled, time.Second)
		}
	})
}

// TestAheadOutput: whatever the order is in which bodies come, fail and are had
// again, they are in the message in their own.
func TestAheadOutput(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 12 {
		synctest.Test(t, func(t *testing.T) {
			bodies := make(map[string]string)
			delay := make(map[string]time.Duration)
			var parts, want []string
			for i := range 15 {
				name := fmt.Sprint(i)
				bodies[name] = "\x00" + random(1 << r.IntN(21))[r.IntN(2):] + name
				delay[name] = time.Duration(r.IntN(1000)) * time.Millisecond
				part := at(fmt.Sprint("h", r.IntN(3), ".example"), name)
				if r.IntN(4) == 0 { // which is not this body, so that its space is given back
					part = strings.Replace(part, "image/png\n", "image/png\nContent-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n", 1)
				} else {
					want = append(want, bodies[name])
				}
				parts = append(parts, part)
			}
			crowd := newCrowd(func(name string) time.Duration { return delay[name] })
			crowd.body = func(name string) string { return bodies[name] }
			opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: crowd}, TempDir: t.TempDir()}
			text := mixed(parts...)
			out, _ := inline(t, text, opts)
			if n%4 == 0 {
				checkFile(t, text, out, opts)
			}
			got := decoded(t, out)[1:]
			if len(got) != len(want) {
				t.Fatalf("%d: got %d bodies, want %d", n, len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%d: body %d of %d octets is not the one of %d octets", n, i, len(got[i]), len(want[i]))
				}
			}
		})
	}
}

// TestMaxOutput: a message that may just have the size that it gets is written, and
// with one octet less the body stays a reference.
func TestMaxOutput(t *testing.T) {
	w := newWeb("b64", random(100_000), "qp", strings.Repeat("caf\u00e9 and more\n", 5000), "7bit", strings.Repeat("line\r\n", 5000),
		"lf", strings.Repeat("line\n", 5000), "cyrillic", strings.Repeat("\u0439\u0439\r\n", 5000), "json", strings.Repeat("{}", 400), "odd", strings.Repeat("x", 58)+"\x00")
	png, plain := "Content-Type: image/png\n", "Content-Type: text/plain; charset=utf-8\n"
	for _, c := range []struct {
		name, part string
		opts       rewrite.InlineOptions
	}{
		{"Base64", ref("b64", png), rewrite.InlineOptions{}},
		{"Base64Short", ref("odd", png), rewrite.InlineOptions{}},
		{"Location", ref("b64", png), rewrite.InlineOptions{Location: true, ResultField: "X-Result"}},
		{"QuotedPrintable", ref("qp", plain), rewrite.InlineOptions{}},
		{"Plain", ref("7bit", plain), rewrite.InlineOptions{}},
		{"LF", ref("lf", plain), rewrite.InlineOptions{}},
		{"Base64Text", ref("cyrillic", plain), rewrite.InlineOptions{}},
		{"Identity", ref("json", "Content-Type: application/json\n"), rewrite.InlineOptions{}},
		{"Alternatives", ref("b64", png+"Content-ID: <x@a.example>\n"), rewrite.InlineOptions{}},
	} {
		for _, eol := range []string{"\r\n", "\n"} {
			for _, file := range []bool{false, true} {
				name := fmt.Sprintf("%s %q %t", c.name, eol, file)
				text := strings.ReplaceAll(mixed(c.part, "Content-Type: x/y\n\nlast"), "\r\n", eol)
				opts := c.opts
				opts.Resolver, opts.TempDir = w.resolver(), t.TempDir()
				run := func(most int64) (string, *rewrite.Report) {
					opts.MaxOutput = most
					var f memFile
					var dst io.Writer = &f
					if !file {
						dst = struct{ io.Writer }{&f}
					}
					report, err := rewrite.Inline(t.Context(), dst, open(t, text), &opts)
					if err != nil {
						t.Fatalf("%s: got error %v, want none", name, err)
					}
					return string(f.b), report
				}
				full, _ := run(0)
				if len(full) <= len(text) && c.name != "Base64Short" {
					t.Fatalf("%s: got %d octets, want more than the %d before", name, len(full), len(text))
				}
				if got, report := run(int64(len(full))); undated(got) != undated(full) {
					t.Errorf("%s: got %d octets, %s, %v, want the %d that the limit is", name, len(got), actions(report), report.Items[0].Err, len(full))
				}
				if len(full) <= len(text) {
					continue
				}
				got, report := run(int64(len(full)) - 1)
				if got != text || !errors.Is(report.Items[0].Err, fetch.TooLarge) || fetch.KindOf(report.Items[0].Err) != fetch.TooLarge {
					t.Errorf("%s: %s %v, got %d octets with a limit of %d, want %v", name, actions(report), report.Items[0].Err, len(got), len(full)-1, fetch.TooLarge)
				}
			}
		}
	}
}

// TestMaxOutputMany: bodies that fit are put in, in order, and the result is never
// larger. A body that does not fit gets no notice, and is not read for longer than
// needed.
func TestMaxOutputMany(t *testing.T) {
	var parts []string
	w := newWeb()
	for i := range 10 {
		name := fmt.Sprint(i)
		w.bodies["https://a.example/"+name] = random(10_000 * (1 + i%3))
		parts = append(parts, ref(name, "Content-Type: image/png\n"))
	}
	chips := "Content-Type: text/html\n\n" + chip
	w.bodies[documentURL] = random(20_000)
	for _, opts := range []rewrite.InlineOptions{{}, {Notice: true}, {Attach: true}, {Transport8bit: true}} {
		for _, text := range []string{mixed(parts...), crlf(documentField) + mixed(parts...), crlf(documentField + "\nHello\n"), mixed(append(parts, chips)...)} {
			for most := int64(1000); most < 300_000; most += 7919 {
				opts.Resolver, opts.MaxOutput = w.resolver(), most
				out, report := inlineAll(t, text, &opts)
				if limit := max(most, int64(len(text))); int64(len(out)) > limit {
					t.Errorf("got %d octets, %s, want at most %d", len(out), actions(report), limit)
				}
				for _, i := range report.Items {
					if i.Action == rewrite.Noticed {
						t.Errorf("%d: got a notice for %v, want none", most, i.Err)
					}
				}
			}
		}
	}
}

// An endless body.
type endless struct{ n *int64 }

func (e endless) Read(p []byte) (int, error) {
	*e.n += int64(len(p))
	return len(p), nil
}

// TestMaxOutputEndless: a body that cannot fit is given up when that is known.
func TestMaxOutputEndless(t *testing.T) {
	for _, mediaType := range []string{"image/png", "text/plain"} {
		var n int64
		f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(endless{&n})}, nil
		})
		text := mixed(ref("x", "Content-Type: "+mediaType+"\n"))
		var b bytes.Buffer
		report, err := rewrite.Inline(t.Context(), &b, open(t, text), &rewrite.InlineOptions{
			Resolver: &externalbody.Resolver{Fetcher: f, MaxBytes: -1}, MaxOutput: 1_000_000, TempDir: t.TempDir(),
		})
		if err != nil || b.String() != text || !errors.Is(report.Items[0].Err, fetch.TooLarge) || n > 3_000_000 {
			t.Errorf("%s: got %v, %s, %d octets read, want nil, %v, at most 3,000,000, and the message as it was", mediaType, err, actions(report), n, fetch.TooLarge)
		}
	}
}
