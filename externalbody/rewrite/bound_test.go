package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

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
		{"Location", ref("b64", png), rewrite.InlineOptions{Location: true, ResultField: "X-Result", Now: func() time.Time { return time.Unix(0, 0) }}},
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
				if got, report := run(int64(len(full))); got != full {
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

// TestMaxOutputMany: what fits is put in, in order, and the result is never larger;
// what would be is not a notice, and is not asked for longer than needed.
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
