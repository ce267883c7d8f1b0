package mailfetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/mailfetch"
)

// A program supplies the sender. The data is not there when Fetch returns.
func Example() {
	send := func(_ context.Context, from, to string, msg []byte) error {
		m, err := mail.ReadMessage(bytes.NewReader(msg))
		if err != nil {
			return err
		}
		fmt.Println("from", from, "to", to)
		fmt.Println("subject:", m.Header.Get("Subject"))
		return nil
	}
	var mux fetch.Mux
	mux.Handle("mailto", mailfetch.New(&mailfetch.Options{From: "joe@desk.example", Send: send}))

	u, err := url.Parse("mailto:archive@lists.example?subject=get%20minutes.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = mux.Fetch(context.Background(), &fetch.Request{URL: u, ContentID: "<minutes@lists.example>"})
	if sent, ok := errors.AsType[*mailfetch.Sent](err); ok && errors.Is(err, fetch.Pending) {
		fmt.Println("pending:", sent.ContentID)
	}
	// Output:
	// from joe@desk.example to archive@lists.example
	// subject: get minutes.txt
	// pending: <minutes@lists.example>
}
