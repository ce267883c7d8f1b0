package externalbody_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A website answers from memory, instead of the network.
type website map[string]string

func (s website) RoundTrip(r *http.Request) (*http.Response, error) {
	text, ok := s[r.URL.String()]
	if !ok {
		return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
}

// fetcher fetches from the website. URLs are judged as in a program.
func (s website) fetcher() fetch.Fetcher {
	return safefetch.New(&safefetch.Options{Wrap: func(http.RoundTripper) http.RoundTripper { return s }})
}

const downloads = `From: ann@mail.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: message/external-body; access-type=URL; URL="https://files.example/small.txt"; size=12

Content-Type: text/plain
Content-Disposition: attachment; filename=small.txt

--b
Content-Type: message/external-body; access-type=URL; URL="https://files.example/large.bin"; size=3000000

Content-Type: application/octet-stream
Content-Disposition: attachment; filename=large.bin

--b--
`

// A mail program asks its user, shows how far a download is, and ends it when the user wants.
func Example_client() {
	site := website{
		"https://files.example/small.txt": "All is well.",
		"https://files.example/large.bin": strings.Repeat("x", 3_000_000),
	}
	msg, err := externalbody.Open(strings.NewReader(downloads), int64(len(downloads)), nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "client")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	folder := &externalbody.Folder{Root: root}
	defer folder.Close()

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	resolver := &externalbody.Resolver{
		Fetcher: site.fetcher(),
		Progress: func(ref *externalbody.Reference, e fetch.Event) {
			switch {
			case e.Phase == fetch.Verified:
				fmt.Printf("%s: %d of %d octets\n", ref.Name, e.Octets, e.Total)
			case e.Octets > 1_000_000:
				stop() // the user does not want it any more
			}
		},
	}
	var plans []*externalbody.Plan
	for alts := range msg.Alternatives() {
		plans = append(plans, resolver.Plan(alts[0]))
	}
	fmt.Println(plans[0].Summary(plans[1:]...))
	for alts := range msg.Alternatives() {
		name, _, err := folder.Save(ctx, resolver, alts)
		if err != nil {
			fmt.Println(fetch.KindOf(err))
			continue
		}
		fmt.Println("saved as", name)
	}
	left, err := os.ReadDir(dir)
	fmt.Println(len(left), "file,", err)
	// Output:
	// small.txt (12 octets) and 1 more from files.example, encrypted; it learns your address, and that you read this now
	// small.txt: 12 of 12 octets
	// saved as small.txt
	// canceled
	// 1 file, <nil>
}

// A program that walks mail with go-message reads the list of invoices that a part refers to. A
// decoder stops at the end of its value, so Verify has the last word.
func Example_walker() {
	const text = `From: Ann <ann@mail.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

The invoices.
--b
Content-Type: message/external-body; access-type=URL; URL="https://files.example/good.json"

Content-Type: application/json
Repr-Digest: sha-256=:iN/+JDALHUUj53lbnkvBwD1qh0XB/YcKNFmgXZ7zHXU=:

--b
Content-Type: message/external-body; access-type=URL; URL="https://files.example/changed.json"

Content-Type: application/json
Repr-Digest: sha-256=:iN/+JDALHUUj53lbnkvBwD1qh0XB/YcKNFmgXZ7zHXU=:

--b--
`
	resolver := &externalbody.Resolver{Fetcher: website{
		"https://files.example/good.json":    "[17,4]\n",
		"https://files.example/changed.json": "[17,9]\n",
	}.fetcher()}
	top, err := message.Read(strings.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	sender := externalbody.Sender(top.Header.Values("From")...)
	err = top.Walk(func(path []int, e *message.Entity, err error) error {
		if err != nil {
			return err
		}
		if mediaType, _, _ := e.Header.ContentType(); mediaType != "message/external-body" {
			return nil
		}
		ref, err := externalbody.Read(e)
		if err != nil {
			return err
		}
		ref.Sender = sender
		body, err := resolver.Resolve(context.Background(), ref)
		if err != nil {
			return err
		}
		defer body.Close()
		var amounts []int
		if err := json.NewDecoder(body).Decode(&amounts); err != nil {
			fmt.Println(path, fetch.KindOf(err))
			return nil
		}
		if err := body.Verify(); err != nil {
			fmt.Println(path, fetch.KindOf(err))
			return nil
		}
		fmt.Println(path, ref.Sender, amounts)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// [1] ann@mail.example [17 4]
	// [2] digest-mismatch
}

// tickets is the form of a help desk. Its mails name files by numbers, in a header field and in
// their text.
func tickets() externalbody.Dialect {
	const prefix, server = "file #", "https://desk.example/files/"
	return externalbody.Dialect{
		Name:   "tickets",
		Fields: []string{"X-Desk-File"},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			ref := externalbody.NewReference(server + e.Header.Get("X-Desk-File"))
			ref.Origins[0].Field = "X-Desk-File"
			return []*externalbody.Reference{ref}
		},
		Hints: []string{prefix},
		Text: func(_ *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
			return func(t *externalbody.Token) {
				for from := 0; t.Kind == externalbody.TextToken; {
					at := strings.Index(strings.ToLower(t.Text[from:]), prefix)
					if at < 0 {
						return
					}
					begin := from + at
					from = begin + len(prefix)
					for from < len(t.Text) && '0' <= t.Text[from] && t.Text[from] <= '9' {
						from++
					}
					ref := externalbody.NewReference(server + t.Text[begin+len(prefix):from])
					ref.Provider = "desk"
					found(ref, t.Cut(begin, from))
				}
			}
		},
	}
}

// A company reads a form of its own beside the known ones.
func Example_dialect() {
	const text = "From: desk@mail.example\n" +
		"X-Desk-File: 3\n" +
		"Content-Type: text/html\n" +
		"\n" +
		"<p>We answered in <b>File #17</b> and in file #4.</p>\n"
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{
		Dialects: []externalbody.Dialect{tickets()},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, html, _ := strings.Cut(text, "\n\n")
	for ref := range msg.References() {
		u, err := ref.Locate()
		if err != nil {
			log.Fatal(err)
		}
		where := ref.Origins[0]
		fmt.Printf("%s %s%q\n", u, where.Field, html[where.Start:where.End])
	}
	// Output:
	// https://desk.example/files/3 X-Desk-File""
	// https://desk.example/files/17 "File #17"
	// https://desk.example/files/4 "file #4"
}
