package externalbody_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

const letter = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: message/external-body; access-type=URL;
	URL="data:text/plain;charset=utf-8,
	Hello%20from%20afar"; size=15

Content-Type: text/plain; charset=utf-8
Content-ID: <greeting@example.com>
Content-MD5: t8T305rzCcWPyyBwfu0AMQ==

--b
Content-Type: message/external-body; access-type=URL;
	URL="http://169.254.169.254/latest/meta-data/"

Content-Type: text/plain
Content-ID: <secrets@example.com>

--b--
`

func Example() {
	ctx := context.Background()
	file := strings.NewReader(letter)
	size := file.Size()
	tmp, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	folder, err := os.OpenRoot(tmp)
	if err != nil {
		log.Fatal(err)
	}
	defer folder.Close()

	msg, err := externalbody.Open(file, size, &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		log.Fatal(err)
	}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	for alts := range msg.Alternatives() {
		name, report, err := resolver.SaveFile(ctx, alts, folder) // folder is an *os.Root
		if err != nil {
			fmt.Println(err) // the reason; errors.Is(err, fetch.Blocked) and the like find its Kind
			continue
		}
		fmt.Println(name, report.Bytes, report.Verified())
	}
	// Output:
	// part-1.txt 15 weak-match
	// fetch http://169.254.169.254/latest/meta-data/: blocked: address 169.254.169.254 is not public
}

// Resolve streams a body.
func ExampleResolver_Resolve() {
	ctx := context.Background()
	file := strings.NewReader(letter)
	size := file.Size()

	msg, err := externalbody.Open(file, size, nil)
	if err != nil {
		log.Fatal(err)
	}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	for ref := range msg.References() {
		body, err := resolver.Resolve(ctx, ref)
		if err != nil {
			fmt.Println(err)
			continue
		}
		data, err := io.ReadAll(body) // io.EOF only if all checks pass
		body.Close()
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("part %s is %s: %q\n", ref.ID, body.MediaType, data)
	}
	// Output:
	// part 1 is text/plain; charset=utf-8: "Hello from afar"
	// fetch http://169.254.169.254/latest/meta-data/: blocked: address 169.254.169.254 is not public
}

// A Plan shows the effects of resolving before any host is contacted.
func ExampleResolver_Plan() {
	msg, err := externalbody.Open(strings.NewReader(letter), int64(len(letter)), nil)
	if err != nil {
		log.Fatal(err)
	}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	for ref := range msg.References() {
		fmt.Println(resolver.Plan(ref))
	}
	// Output:
	// part 1: get data:text/plain,(19 octets)
	//   contacts nobody: the body is in the message
	//   expects text/plain, 15 octets, at most 1 GiB
	//   verifies media-type, md5
	//   compares size, and warns if it differs
	// part 2: get http://169.254.169.254/latest/meta-data/
	//   refused (blocked): fetch http://169.254.169.254/latest/meta-data/: blocked: address 169.254.169.254 is not public
}

// Read serves programs that walk a message with go-message.
func ExampleRead() {
	entity, _ := message.Read(strings.NewReader(letter))
	_ = entity.Walk(func(_ []int, e *message.Entity, _ error) error {
		if e == nil || !strings.HasPrefix(strings.ToLower(e.Header.Get("Content-Type")), "message/external-body") {
			return nil
		}
		ref, err := externalbody.Read(e)
		if err != nil {
			return err
		}
		u, err := ref.Locate()
		fmt.Println(ref.ContentID, u.Scheme, err)
		return nil
	})
	// Output:
	// <greeting@example.com> data <nil>
	// <secrets@example.com> http <nil>
}

// A Spool can be read at any place, so that a web server can answer with ranges.
func ExampleResolver_SaveSpool() {
	msg, err := externalbody.Open(strings.NewReader(letter), int64(len(letter)), nil)
	if err != nil {
		log.Fatal(err)
	}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	for alts := range msg.Alternatives() {
		spool, err := resolver.SaveSpool(context.Background(), alts, "")
		if err != nil {
			fmt.Println(err)
			break
		}
		defer spool.Close()
		// webbody.ServeSpool(w, req, spool, webbody.Inline)
		spool.Seek(-4, io.SeekEnd)
		end, err := io.ReadAll(spool)
		fmt.Printf("%s of %s ends with %q, %v\n", spool.FileName, spool.MediaType, end, err)
	}
	// Output:
	// part-1.txt of text/plain; charset=utf-8 ends with "afar", <nil>
	// fetch http://169.254.169.254/latest/meta-data/: blocked: address 169.254.169.254 is not public
}

// A program that has only a part of the message fetches all of it for such a Reference.
func ExampleReference_InMessage() {
	for _, accessType := range []string{"content-id", "url"} {
		ref := &externalbody.Reference{AccessType: accessType, ContentID: "<picture@example.com>"}
		fmt.Println(accessType, ref.InMessage())
	}
	// Output:
	// content-id true
	// url false
}

func ExampleFileName() {
	for _, name := range []string{"../../etc/passwd", "-rf", `C:\Windows\NUL.txt`, "invoice\u202efdp.exe"} {
		fmt.Println(externalbody.FileName(name))
	}
	// Output:
	// passwd
	// _rf
	// _NUL.txt
	// invoicefdp.exe
}

// Of the formats of one text a reader takes the best that is available. The best comes first.
func ExampleMessage_Choices() {
	const text = `Content-Type: multipart/alternative; boundary=b

--b
Content-Type: message/external-body; access-type=URL; URL="https://h.example/a.txt"

Content-Type: text/plain

--b
Content-Type: message/external-body; access-type=URL; URL="https://h.example/a.pdf"

Content-Type: application/pdf

--b--
`
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for choice := range msg.Choices() {
		for _, alts := range choice {
			fmt.Println(alts[0].MediaType)
		}
	}
	// Output:
	// application/pdf
	// text/plain
}

// A Consent asks once.
func ExampleConsent() {
	const text = `From: ann@mail.example
Content-Type: message/external-body; access-type=URL; URL="https://files.example/report.txt"

Content-Type: text/plain

`
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		log.Fatal(err)
	}
	consent := &externalbody.Consent{
		Ask: func(_ context.Context, p *externalbody.Plan) (bool, error) {
			fmt.Printf("contact %s for %s?\n", p.Host, p.Sender)
			return false, nil
		},
	}
	resolver := &externalbody.Resolver{
		Fetcher: safefetch.New(nil),
		Approve: consent.Approve,
	}
	for ref := range msg.References() {
		if _, err := resolver.Resolve(context.Background(), ref); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// contact files.example for ann@mail.example?
	// resolve https://files.example/report.txt: denied: consent was denied
}
