package archive_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// Nothing is fetched here: the body is in the message.
func Example() {
	tmp, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(tmp)
	mail := filepath.Join(tmp, "a.eml")
	text := "Content-Type: message/external-body; access-type=URL; URL=\"data:,hello\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	if err := os.WriteFile(mail, []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	a, err := archive.Open(filepath.Join(tmp, "archive"), true, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	res, err := a.Sync(context.Background(), &archive.SyncOptions{
		Sources:  []archive.Source{archive.Files(mail)},
		Resolver: &externalbody.Resolver{Fetcher: safefetch.New(nil)},
	})
	fmt.Println(res.Messages, res.References, res.Captures, err)
	v, err := archive.Verify(context.Background(), filepath.Join(tmp, "archive"), nil)
	fmt.Println(v.Captured, v.Objects, v.Faults, err)
	// Output:
	// 1 1 1 <nil>
	// 1 2 [] <nil>
}
