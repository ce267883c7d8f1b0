package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// readAll returns the References of a message, and the parts that could not be looked into.
func readAll(t *testing.T, text string) ([]*externalbody.Reference, []externalbody.UnreadPart) {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(m.References()), slices.Collect(m.Unread())
}

// TestOpaqueGateway has links of gateways whose target only the gateway can read
// (OP-50).
func TestOpaqueGateway(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"https://protect-eu.mimecast.com/s/AbCdEf?domain=a.example", "mimecast"},
		{"https://url.uk.m.mimecastprotect.com/s/AbCdEf", "mimecast"},
		{"https://linkprotect.cudasvc.com/url?c=E,1,x", "barracuda"},
		{"https://urldefense.com/v3/__https://a.example/*x__;!!k!s$", "proofpoint-v3"},
		{"https://urldefense.proofpoint.com/v2/url?d=x", "proofpoint-v2"},
		{"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F", ""},
		{"https://www.mimecast.com/products", ""},
	} {
		for name, text := range map[string]string{
			"Plain":     "Subject: x\r\n\r\nsee " + tt.url + " now\r\n",
			"Brackets":  "Subject: x\r\n\r\n<" + tt.url + ">\r\n",
			"HTML":      "Content-Type: text/html\r\n\r\n<a href=\"" + tt.url + "\">x</a> <a href=\"" + tt.url + "\">y</a>\r\n",
			"Calendar":  "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nURL:" + tt.url + "\r\n",
			"Multipart": "Content-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\n\r\n" + tt.url + "\r\n--q--\r\n",
		} {
			refs, unread := readAll(t, text)
			var got string
			for _, u := range unread {
				got += u.Detail
			}
			if got != tt.want || len(refs) > 0 || got != "" && unread[0].Reason != externalbody.DiagOpaqueLink {
				t.Errorf("%s: %s: got %v, %d references, want %q once", name, tt.url, unread, len(refs), tt.want)
			}
		}
	}
}
