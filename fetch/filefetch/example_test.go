package filefetch_test

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/filefetch"
)

// The folder that is opened as the root has the path /pub in URLs. A file that is
// not below it is refused.
func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()
	if err := root.WriteFile("minutes.txt", []byte("Present: all.\n"), 0o644); err != nil {
		fmt.Println(err)
		return
	}

	var mux fetch.Mux
	mux.Handle("file", filefetch.New(&filefetch.Options{Root: root, Prefix: "/pub", Host: "desk.corp.example"}))
	for _, text := range []string{
		"file:///pub/minutes.txt",
		"file://*.corp.example/pub/minutes.txt",
		"file://desk.other.example/pub/minutes.txt",
		"file:///etc/passwd",
	} {
		u, err := url.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := mux.Fetch(context.Background(), &fetch.Request{URL: u})
		if err != nil {
			fmt.Println(err)
			continue
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%q %v\n", data, err)
	}
	// Output:
	// "Present: all.\n" <nil>
	// "Present: all.\n" <nil>
	// fetch file://desk.other.example/pub/minutes.txt: blocked: the file is on another machine
	// fetch file:///etc/passwd: blocked: the file is not below the root
}
