package demo

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A demoPart is a reference in the message of the demo.
type demoPart struct {
	what string     // for the reader
	url  string     // where the body is
	size int        // announced, in canonical form; 0 for none
	md5  string     // announced; "" for none
	file string     // the name of a file that was attached as a link; "" for the standard form
	want fetch.Kind // the expected outcome; 0 for a verified body
}

const (
	demoReport = "Dear reader,\r\n\r\nthis report was on a web server, and the message had its digest.\r\n"
	demoSource = "This file was on an ftp server.\r\n"
	demoNote   = "This note travelled in the message itself."
	demoSigned = "Pay 100 to Alice.\r\n"
	demoForged = "Pay 999 to Mallory.\r\n"
	demoShared = "This file was too large to attach, so a mail program uploaded it.\r\n"
	demoLogin  = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Who are you?</body></html>\n"
)

// The paths of the demo's servers. One is long, so that its URL has to be
// folded.
const (
	reportPath = "/archive/2030/06/14/minutes-of-the-working-group/final/report.txt"
	forgedPath = "/orders/payment.txt"
	sourcePath = "/pub/sources/readme.txt"
	sharedPath = "/s/Xq3fT9/download"
	loginPath  = "/s/kW81bz/download"
)

// demoParts returns references to the files of the servers.
func demoParts(s *demoServers) []demoPart {
	return []demoPart{
		{
			what: "a report on a web server; its URL is so long that it is folded over several lines",
			url:  fmt.Sprintf("http://%s%s", s.http, reportPath),
			md5:  digest(demoReport),
		},
		{
			what: "a file on an ftp server",
			url:  fmt.Sprintf("ftp://%s%s", s.ftp, sourcePath),
			size: len(demoSource),
		},
		{
			what: "a note that is inside its own URL",
			url:  dataurl.Encode("text/plain", []byte(demoNote)),
		},
		{
			what: "a payment order that somebody changed after the message was sent",
			url:  fmt.Sprintf("http://%s%s", s.http, forgedPath),
			md5:  digest(demoSigned),
			want: fetch.DigestMismatch,
		},
		{
			what: "a trap: the address where a cloud keeps the secrets of its machines",
			url:  "http://169.254.169.254/latest/meta-data/",
			want: fetch.Blocked,
		},
		{
			what: "a file that was attached as a link, in the form that Thunderbird writes",
			url:  fmt.Sprintf("http://%s%s", s.http, sharedPath),
			file: "large.txt",
		},
		{
			what: "another one, of which the server has no more than a page to log in",
			url:  fmt.Sprintf("http://%s%s", s.http, loginPath),
			file: "plans.pdf",
			want: fetch.Interstitial,
		},
	}
}

func digest(text string) string {
	sum := md5.Sum([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// demoMessage writes a message with the parts.
func demoMessage(parts []demoPart) (string, error) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\r\n", args...) }
	line("From: Demo <demo@example.com>")
	line("Subject: Seven things that are not in this message")
	line("MIME-Version: 1.0")
	line(`Content-Type: multipart/mixed; boundary="demo"`)
	for i, p := range parts {
		line("")
		line("--demo")
		if p.file != "" {
			line("Content-Type: text/html; name=\"%s.html\"", p.file)
			line("X-Mozilla-Cloud-Part: cloudFile; url=%s", p.url)
			line("")
			line("<a href=\"%s\">%s</a>", p.url, p.file)
			continue
		}
		ref := externalbody.NewReference(p.url)
		ref.MediaType, ref.ContentID, ref.Name = "text/plain; charset=us-ascii", fmt.Sprintf("<%d@demo.example.com>", i+1), ""
		if p.size > 0 {
			ref.Size = int64(p.size)
		}
		if p.md5 != "" {
			ref.Header = externalbody.Header{{Name: "Content-MD5", Value: p.md5}}
		}
		if _, err := ref.WriteTo(&b); err != nil {
			return "", err
		}
	}
	line("--demo--")
	return b.String(), nil
}
