package rewrite_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestOpaqueSigned has a message of S/MIME: what is signed, and the message that it
// is, stay octet for octet, and each reference says why.
func TestOpaqueSigned(t *testing.T) {
	oid := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	pkcs7 := func(content string) string {
		message := "\x30\x80" + oid + "\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80" + oid + "\x01\xa0\x80\x24\x80"
		for i := 0; i < len(content); i += 100 {
			piece := content[i:min(len(content), i+100)]
			message += "\x04" + string([]byte{byte(len(piece))}) + piece
		}
		return "Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(message+strings.Repeat("\x00\x00", 6))) + "\n"
	}
	inner := "Content-Type: multipart/mixed; boundary=s\n\n--s\nContent-Type: text/plain\n\n" + chip + "\n--s\n" +
		"Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/a\"\n\nContent-Type: text/x-a\nContent-ID: <c@d>\n\n--s--\n"
	field := "X-Mozilla-Cloud-Part: cloudFile; url=https://a.example/a\nContent-Type: text/plain\n\nx\n"
	for _, c := range []struct {
		name, text string
		refs       int
	}{
		{"Message", "From: a@b.example\nMIME-Version: 1.0\n" + pkcs7(inner), 2},
		{"Header", "From: a@b.example\nMIME-Version: 1.0\n" + pkcs7(field), 1},
		{"Part", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n" + pkcs7(field) + "--b--\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("a", "body")
			w.bodies[documentURL] = "body"
			inlined, report := inlineAll(t, c.text, &rewrite.InlineOptions{Attach: true, Resolver: &externalbody.Resolver{Fetcher: w}})
			if len(report.Items) != c.refs {
				t.Fatalf("got %d items, want %d", len(report.Items), c.refs)
			}
			for _, item := range report.Items {
				if fetch.KindOf(item.Err) != fetch.Unsupported {
					t.Errorf("%s: got %v, want Unsupported", item.Section, item.Err)
				}
			}
			normalized, _ := normalize(t, c.text, &rewrite.NormalizeOptions{})
			for _, got := range []string{inlined, normalized} {
				if got != c.text {
					t.Errorf("got\n%s\nwant it unchanged", got)
				}
			}
			if len(w.asked) > 0 {
				t.Errorf("got %q asked for, want nothing, as nothing can be put in", w.asked)
			}
		})
	}
}
