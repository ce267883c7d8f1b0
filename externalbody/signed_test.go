package externalbody_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// opaque returns a part of S/MIME with content signed, without a signature that holds.
// oid is the kind of message, 2 for signed.
func opaque(content string, oid byte) string {
	text := base64.StdEncoding.EncodeToString([]byte(signedData(content, oid)))
	var lines strings.Builder
	for len(text) > 64 {
		lines.WriteString(text[:64] + "\n")
		text = text[64:]
	}
	return "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=smime.p7m\n\n" + lines.String() + text + "\n"
}

// signedData returns the message of the Cryptographic Message Syntax in such a part.
func signedData(content string, oid byte) string {
	der := func(tag byte, parts ...string) string {
		all := strings.Join(parts, "")
		return string([]byte{tag, 0x83, byte(len(all) >> 16), byte(len(all) >> 8), byte(len(all))}) + all
	}
	pkcs7 := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	return der(0x30, pkcs7+string([]byte{oid}), der(0xa0, der(0x30, "\x02\x01\x01", "\x31\x00", der(0x30, pkcs7+"\x01", der(0xa0, der(0x04, content))), "\x31\x00")))
}

const signedText = "Content-Type: multipart/mixed; boundary=s\n\n--s\nContent-Type: text/html\n\n<a href=\"https://www.dropbox.com/s/AbCdEfGhIjKl/x?dl=0\">x.pdf</a>\n--s\n" +
	"Content-Type: message/external-body; access-type=URL; URL=\"cid:a@b\"\n\nContent-Type: text/x-a\nContent-ID: <c@d>\n\n--s\nContent-Type: text/x-a\nContent-ID: <a@b>\n\nhere\n--s--\n"

// TestSigned has references within what S/MIME has signed.
func TestSigned(t *testing.T) {
	deep := "Content-Type: text/plain\n\nhttps://www.dropbox.com/s/AbCdEfGhIjKl/x?dl=0\n"
	for range 200 { // not encoded, which would make it larger each time
		deep = "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: binary\n\n" + signedData(deep, 2)
	}
	outer := "From: a@b.example\nMIME-Version: 1.0\n"
	found := []string{"share-link 1.1", " 1.2"}
	for _, tt := range []struct {
		name, text string
		want       []string
		incomplete bool
	}{
		{"Message", outer + opaque(signedText, 2), found, false},
		{"CRLF", strings.ReplaceAll(outer+opaque(strings.ReplaceAll(signedText, "\n", "\r\n"), 2), "\n", "\r\n"), found, false},
		{"OldName", strings.Replace(outer+opaque(signedText, 2), "application/pkcs7", "application/x-pkcs7", 1), found, false},
		{"NotCalledSigned", strings.Replace(outer+opaque(signedText, 2), "signed-data", "enveloped-data", 1), found, false},
		{"Part", "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + opaque(signedText, 2) + "--b\n\nfooter\n--b--\n", []string{"share-link 1.1", " 1.2"}, false},
		{"Header", outer + opaque("X-Mozilla-Cloud-Part: cloudFile; url=https://nc.example/1; name=a.pdf\nContent-Type: text/html\n\nx", 2), []string{"filelink 1"}, false},
		{"Twice", outer + opaque(opaque(signedText, 2), 2), []string{"share-link 1.1.1", " 1.1.2"}, false},
		{"Enveloped", outer + opaque(signedText, 3), nil, false},
		{"OtherType", strings.Replace(outer+opaque(signedText, 2), "application/pkcs7-mime", "application/pkcs7-signature", 1), nil, false},
		{"Deep", outer + deep, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(tt.text), int64(len(tt.text)), &externalbody.OpenOptions{Dialects: dialect.All()})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for ref := range m.References() {
				s := fmt.Sprintf("%s %s", ref.Dialect, ref.Origins[0].Section)
				if !ref.Hidden() {
					s += " in the index"
				}
				got = append(got, s)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, limit := errors.AsType[*message.LimitError](m.Incomplete()); limit != tt.incomplete {
				t.Errorf("got %v, want a limit: %v", m.Incomplete(), tt.incomplete)
			}
		})
	}
}

// What is signed has its own Content-IDs.
func TestSignedContentID(t *testing.T) {
	refs := open(t, opaque(signedText, 2), nil)
	if len(refs) != 1 {
		t.Fatalf("got %d references, want the standard one", len(refs))
	}
	body, err := new(externalbody.Resolver).Resolve(t.Context(), refs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if got, err := io.ReadAll(body); err != nil || string(got) != "here" {
		t.Errorf("got %q, %v, want %q", got, err, "here")
	}
}
