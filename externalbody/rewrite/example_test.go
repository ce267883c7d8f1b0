package rewrite_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
)

// A filter at delivery puts the bodies in. This one gets data: URLs only; for
// URLs from strangers there is package safefetch.
func ExampleInline() {
	const text = "Subject: hello\r\n" +
		"MIME-Version: 1.0\r\n" +
		"Content-Type: message/external-body; access-type=URL; URL=\"data:,hello%20world\"\r\n" +
		"\r\n" +
		"Content-Type: text/plain; charset=us-ascii\r\n" +
		"Content-ID: <1@a.example>\r\n"

	var mux fetch.Mux
	mux.Handle("data", datafetch.New(nil))
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	report, err := rewrite.Inline(context.Background(), &out, m, &rewrite.InlineOptions{
		Resolver: &externalbody.Resolver{Fetcher: &mux},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range report.Items {
		fmt.Println(item.Action, item.Encoding, item.Err)
	}
	fmt.Print(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// replaced 7bit <nil>
	// Subject: hello
	// MIME-Version: 1.0
	// Content-Type: text/plain; charset=us-ascii
	// Content-ID: <1@a.example>
	// Content-Transfer-Encoding: 7bit
	//
	// hello world
}

// A shelf is a Store in memory.
type shelf map[string][]byte

func (s shelf) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	body, err := io.ReadAll(obj.Body)
	if err != nil {
		return "", err
	}
	s[obj.Name] = body
	return "https://files.example/" + obj.Name, nil
}

func ExampleExternalize() {
	const text = "Subject: a picture\r\n" +
		"MIME-Version: 1.0\r\n" +
		"Content-Type: image/png; name=dot.png\r\n" +
		"Content-ID: <1@a.example>\r\n" +
		"Content-Transfer-Encoding: base64\r\n" +
		"\r\n" +
		"aGVsbG8=\r\n"

	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	store := make(shelf)
	var out bytes.Buffer
	if _, err := rewrite.Externalize(context.Background(), &out, m, &rewrite.ExternalizeOptions{
		Store:   store,
		MinSize: 5,
	}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("stored: %q\n", store["dot.png"])
	fmt.Print(strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(out.String()))
	// Output:
	// stored: "hello"
	// Subject: a picture
	// MIME-Version: 1.0
	// Content-Type: message/external-body; access-type=URL;
	//     URL="https://files.example/dot.png"; name=dot.png; size=5
	// Content-Disposition: attachment; filename=dot.png
	//
	// Content-Type: image/png; name=dot.png
	// Content-ID: <1@a.example>
	// Content-MD5: XUFAKrxLKna5cZ2REBfFkg==
	// Repr-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:
}

const linked = "Subject: the plan\r\n" +
	"MIME-Version: 1.0\r\n" +
	"Content-Type: multipart/mixed; boundary=b\r\n" +
	"\r\n" +
	"--b\r\n" +
	"Content-Type: text/html\r\n" +
	"\r\n" +
	"<p>See <a href=\"https://1drv.ms/b/s!A\">plan.txt</a></p>\r\n" +
	"--b--\r\n"

// Files that the sender only linked to become attachments.
func ExampleInline_attach() {
	fetcher := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		const body = "1. Begin.\r\n"
		return &fetch.Response{
			URL:       req.URL,
			MediaType: "text/plain; charset=utf-8",
			Size:      int64(len(body)),
			Body:      io.NopCloser(strings.NewReader(body)),
		}, nil
	})
	m, err := externalbody.Open(strings.NewReader(linked), int64(len(linked)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if _, err := rewrite.Inline(context.Background(), &out, m, &rewrite.InlineOptions{
		Resolver: &externalbody.Resolver{Fetcher: fetcher},
		Attach:   true,
	}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// Subject: the plan
	// MIME-Version: 1.0
	// Content-Type: multipart/mixed; boundary=b
	//
	// --b
	// Content-Type: text/html
	//
	// <p>See <a href="https://1drv.ms/b/s!A">plan.txt</a></p>
	// --b
	// Content-Type: text/plain; charset=utf-8
	// Content-Disposition: attachment; filename=plan.txt
	// Content-ID: <link-aa3l5v6ltalisgx4@extbody.invalid>
	// Content-Transfer-Encoding: 7bit
	//
	// 1. Begin.
	//
	// --b--
}

// An archive that keeps mail as it was shown puts the pictures in, with the consent of its
// user: getting them shows the sender that the mail is read.
func ExampleInline_pictures() {
	random := regexp.MustCompile("[A-Z2-7]{26}@")
	const text = "MIME-Version: 1.0\r\n" +
		"Content-Type: text/html; charset=utf-8\r\n" +
		"\r\n" +
		"<p>Spring sale!</p><img src=\"https://shop.example/banner.png\">\r\n"

	dialects, err := dialect.Named(dialect.RemoteImages)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialects})
	if err != nil {
		fmt.Println(err)
		return
	}
	resolver := &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, MediaType: "image/png", Size: -1, Body: io.NopCloser(strings.NewReader("\x89PNG\r\n\x1a\n"))}, nil
	})}
	for ref := range m.References() {
		fmt.Println(resolver.Plan(ref).Discloses)
	}
	var out bytes.Buffer
	report, err := rewrite.Inline(context.Background(), &out, m, &rewrite.InlineOptions{Resolver: resolver, Attach: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Items[0].Action)
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "related") || strings.Contains(line, "<p>") || strings.Contains(line, "Content-ID") {
			fmt.Println(random.ReplaceAllString(strings.TrimSpace(line), "RANDOM@"))
		}
	}
	// Output:
	// [{shop.example address} {shop.example reading} {dns host} {the sender reading}]
	// added
	// Content-Type: multipart/related; type="text/html";
	// <p>Spring sale!</p><img src="cid:RANDOM@extbody.invalid">
	// Content-ID: <RANDOM@extbody.invalid>
}

// A program that knows message/external-body parts alone sees the file behind the
// link.
func ExampleNormalize() {
	m, err := externalbody.Open(strings.NewReader(linked), int64(len(linked)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if _, err := rewrite.Normalize(context.Background(), &out, m, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(out.String()))
	// Output:
	// Subject: the plan
	// MIME-Version: 1.0
	// Content-Type: multipart/mixed; boundary=b
	//
	// --b
	// Content-Type: text/html
	//
	// <p>See <a href="https://1drv.ms/b/s!A">plan.txt</a></p>
	// --b
	// Content-Type: message/external-body; access-type=URL;
	//     URL="https://1drv.ms/b/s!A"; name=plan.txt
	// Content-Disposition: attachment; filename=plan.txt
	//
	// Content-Type: text/plain
	// Content-Disposition: attachment; filename=plan.txt
	// Content-ID: <link-aa3l5v6ltalisgx4@extbody.invalid>
	//
	// --b--
}
