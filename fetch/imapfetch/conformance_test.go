package imapfetch

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Guard: loopback()}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			// Base64, because the fake writes LF as CRLF.
			body := base64.StdEncoding.EncodeToString(obj.Body)
			head := fmt.Sprintf("* 1 FETCH (UID 7 BODY[2] {%d}\n", len(body))
			f := &imapscript.Server{Answers: map[string]string{
				"UID FETCH 7 (UID BODY.PEEK[2.MIME]": mime("Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n"),
				"UID FETCH 7 (UID BODY.PEEK[2])":     head + body + ")\nTAG OK done\n",
			}}
			fetched := func(s string) { f.Answers["UID FETCH 7 (UID BODY.PEEK[2])"] = s }
			switch obj.Fault {
			case fetchtest.Missing:
				fetched("TAG OK x?token=s3cr3t\n")
			case fetchtest.Cut:
				fetched(head + body[:len(body)/2] + "CLOSE")
			case fetchtest.Stalled:
				fetched(head + body[:len(body)/2] + "HANG")
			case fetchtest.Mute:
				f.Greeting = "HANG"
			case fetchtest.Forbidden:
				u, _ := url.Parse("imap://10.0.0.1/INBOX/;UID=7")
				return &fetch.Request{URL: u}
			}
			f.Start(t)
			return request(t, f.Addr, "imap://HOST/INBOX/;UID=7/;SECTION=2")
		},
	})
}

// mime is the answer for the header of part 2, given with LF.
func mime(header string) string {
	n := len(header)
	for _, c := range header {
		if c == '\n' {
			n++
		}
	}
	return fmt.Sprintf("* 1 FETCH (UID 7 BODY[2.MIME]<0> {%d}\n%s)\nTAG OK done\n", n, header)
}
