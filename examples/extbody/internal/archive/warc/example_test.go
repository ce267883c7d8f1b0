package warc_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
)

func Example() {
	var file bytes.Buffer
	r := &warc.Record{
		Type: warc.Response, URI: "http://a.example/b", Date: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		ContentType: warc.ResponseType, Block: []byte("HTTP/1.1 404 Not Found\r\n\r\nno such file"),
	}
	if err := r.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	got, _, err := warc.NewReader(&file, 1<<20).Next()
	fmt.Println(got.Type, got.URI, len(got.Block), err)
	// Output: response http://a.example/b 38 <nil>
}
