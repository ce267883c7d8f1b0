package datafetch_test

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
)

func Example() {
	resp, err := fetch.Do(context.Background(), datafetch.New(nil), &fetch.Request{
		URL:  &url.URL{Scheme: "data"},
		Text: "data:text/plain;charset=utf-8;base64,SGVsbG8K",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.MediaType)
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		fmt.Println(err)
	}
	// Output:
	// text/plain;charset=utf-8
	// Hello
}
