package externalbody_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// TestUnread has parts that nothing can be read in. Those where nothing is lost are not
// told.
func TestUnread(t *testing.T) {
	const link = "https://we.tl/t-AbCdEfGhIj"
	long := strings.Repeat("@@@\n", 70<<10) // not in memory at once
	mixed := func(parts ...string) string {
		return "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
	}
	for _, tt := range []struct {
		name, text string
		want       []string
		plain      []string // without Dialects
	}{
		{"Nothing", mixed("\nHi", "Content-Type: image/png\nContent-Transfer-Encoding: x-uuencode\n\nbegin"), nil, nil},
		{"Text", mixed("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n"+link, "Content-Type: text/html\nContent-Transfer-Encoding: x-yencode\n\n=ybegin"), []string{"1 text/plain unknown-encoding", "2 text/html unknown-encoding"}, nil},
		{"Misspelt", mixed("Content-Transfer-Encoding: 8bit+\n\nHi", "Content-Type: text/html\nContent-Transfer-Encoding: text/html\n\nHi"), nil, nil},
		{"MisspeltMultipart", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: text/html\n\n--b\n\nHi\n--b--\n", nil, nil},
		{"Empty", mixed("Content-Transfer-Encoding: x-uuencode\n"), nil, nil},
		{"Multipart", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: x-gzip\n\nabc\n", []string{" multipart/mixed unknown-encoding"}, []string{" multipart/mixed unknown-encoding"}},
		{"Partial", mixed("Content-Type: message/partial; id=x; number=1; total=2\n\nSubject: a\n\n" + link[:12]), []string{"1 message/partial partial-message"}, []string{"1 message/partial partial-message"}},
		{"PGP", "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n-----BEGIN\n--b--\n", []string{" multipart/encrypted encrypted"}, []string{" multipart/encrypted encrypted"}},
		{"SMIME", mixed("Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\nMIIBgAYJKoZIhvcNAQcDoIIB\n"), []string{"1 application/pkcs7-mime encrypted"}, []string{"1 application/pkcs7-mime encrypted"}},
		{"TNEF", mixed("Content-Type: application/ms-tnef\nContent-Transfer-Encoding: x-yencode\n\nbegin"), []string{"1 application/ms-tnef unknown-encoding"}, nil},
		{"Charset", mixed("Content-Type: text/plain; charset=x-none\n\n\xe9", "Content-Type: text/plain; charset=x-none\n\na", "Content-Type: text/plain; charset=unknown-8bit\n\n\xe9"), []string{"1 text/plain unknown-charset"}, nil},
		{"LongCharset", mixed("Content-Type: text/plain; charset=x-none\n\n"+long+"\xe9", "Content-Type: text/html; charset=ibm037\n\n"+long+"\xe9", "Content-Type: text/plain; charset=utf-16\n\n"+long+"a\x00", "Content-Type: text/plain; charset=utf-8\n\n"+long), []string{"1 text/plain unknown-charset", "2 text/html unknown-charset", "3 text/plain unknown-charset"}, nil},
		{"LongUUEncode", mixed("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" + strings.Repeat("M"+strings.Repeat("://,", 15)+"\n", 5<<10) + "end\n"), nil, nil},
		{"LongUUEncodeWithLink", mixed("Content-Transfer-Encoding: x-uuencode\n\n" + long + link), []string{"1 text/plain unknown-encoding"}, nil},
		{"InMessage", mixed("Content-Type: message/rfc822\n\nContent-Transfer-Encoding: x-yencode\n\nbegin"), []string{"1.1 text/plain unknown-encoding"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, opened := range []struct {
				dialects []externalbody.Dialect
				want     []string
			}{{dialect.All(), tt.want}, {nil, tt.plain}} {
				m, err := externalbody.Open(strings.NewReader(tt.text), int64(len(tt.text)), &externalbody.OpenOptions{Dialects: opened.dialects})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for p := range m.Unread() {
					got = append(got, fmt.Sprint(p.Section, " ", p.MediaType, " ", p.Reason))
				}
				if !slices.Equal(got, opened.want) {
					t.Errorf("%d Dialects: got %q, want %q", len(opened.dialects), got, opened.want)
				}
			}
		})
	}
}
