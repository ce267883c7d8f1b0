package imapfetch_test

import (
	"fmt"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/imapfetch"
)

// IMAP is opt-in: a Mux without this package refuses such URLs.
func Example() {
	mux := new(fetch.Mux)
	imap := imapfetch.New(nil)
	mux.Handle("imap", imap)
	mux.Handle("imaps", imap)

	for _, text := range []string{
		"imap://mail.example.com/public;UIDVALIDITY=385759045/;UID=20/;SECTION=1.2",
		"imap://mail.example.com/public",
		"imap://10.0.0.1/INBOX/;UID=1",
	} {
		u, err := url.Parse(text)
		if err != nil {
			panic(err)
		}
		err = mux.Check(&fetch.Request{URL: u})
		fmt.Println(u.Host, fetch.KindOf(err) == 0, fetch.KindOf(err))
	}
	// Output:
	// mail.example.com true none
	// mail.example.com false unsupported
	// 10.0.0.1 false blocked
}
