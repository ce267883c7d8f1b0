package message_test

import (
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

const example = `Content-Type: multipart/mixed; boundary=b

--b

See the file.
--b
Content-Type: message/external-body; access-type=local-file; name="/a"

Content-Type: image/png

--b--
`

// Find the references of a message, and what they say.
func Example() {
	r := strings.NewReader(example)
	x, err := message.Scan(r, r.Size(), message.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range x.Parts {
		fmt.Printf("%q %s\n", p.Section(), p.Type)
		if p.Type != "message/external-body" {
			continue
		}
		phantom, err := message.Split(r, p.Body, message.Limits{})
		if err != nil {
			fmt.Println(err)
			return
		}
		header, err := message.ReadSpan(r, phantom.Header.First(64<<10))
		if err != nil {
			fmt.Println(err)
			return
		}
		f, _ := message.Lookup(header, "Content-Type", phantom.Header.Start)
		fmt.Printf("refers to a%s\n", f.Value)
	}
	// Output:
	// "" multipart/mixed
	// "1" text/plain
	// "2" message/external-body
	// refers to a image/png
}

// Replace a part and copy everything else as it is.
func ExamplePart_Entity() {
	r := strings.NewReader(example)
	x, err := message.Scan(r, r.Size(), message.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := x.Parts[2].Entity()
	fmt.Print(example[:e.Start], "Content-Type: text/plain\n\nremoved", example[e.End:])
	// Output:
	// Content-Type: multipart/mixed; boundary=b
	//
	// --b
	//
	// See the file.
	// --b
	// Content-Type: text/plain
	//
	// removed
	// --b--
}
