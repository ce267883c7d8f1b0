package externalbody_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/testkit"
)

// TestUnread has parts that nothing can be read in. Parts in which nothing is lost are
// not reported.
func TestUnread(t *testing.T) {
	const link = "https://we.tl/t-AbCdEfGhIj"
	long := strings.Repeat("@@@\n", 70<<10) // not in memory at once
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
		{"Taken", mixed("Content-Transfer-Encoding: base64\nX-Apple-Content-Length: 9\n\n\n", "X-Apple-Content-Length: 9\n\nHi", "X-Apple-Content-Length: 0\n\n", "X-Apple-Content-Length: x\n\n"), []string{"1 text/plain missing-body"}, []string{"1 text/plain missing-body"}},
		{
			"TakenWithSize", mixed("Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf; size=146432\nMS-Blob-Excluded: 1\n\n", "MS-Blob-Excluded: 1\n\n", "Content-Disposition: attachment; size=9\n\n\n",
				"Content-Disposition: attachment; size=0\n\n", "Content-Disposition: attachment; size=9\n\nHi", "MS-Blob-Excluded: 0\n\n"),
			[]string{"1 application/pdf missing-body", "2 text/plain missing-body", "3 text/plain missing-body"}, []string{"1 application/pdf missing-body", "2 text/plain missing-body", "3 text/plain missing-body"},
		},
		{"PGP", "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n-----BEGIN\n--b--\n", []string{" multipart/encrypted encrypted"}, []string{" multipart/encrypted encrypted"}},
		{"SMIME", mixed("Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\nMIIBgAYJKoZIhvcNAQcDoIIB\n"), []string{"1 application/pkcs7-mime encrypted"}, []string{"1 application/pkcs7-mime encrypted"}},
		{"SMIMEByName", mixed("Content-Type: application/octet-stream; name=SMIME.p7m\nContent-Transfer-Encoding: base64\n\nMIIBgAYJKoZIhvcNAQcDoIIB\n", "Content-Type: application/octet-stream; name=invoice.xml.p7m\nContent-Transfer-Encoding: base64\n\nMIIBgAYJKoZIhvcNAQcDoIIB\n", "Content-Type: application/octet-stream; name=smime.p7s\n\n-----BEGIN PKCS7-----"),
			[]string{"1 application/octet-stream encrypted", "2 application/octet-stream encrypted"}, nil},
		{"TNEF", mixed("Content-Type: application/ms-tnef\nContent-Transfer-Encoding: x-yencode\n\nbegin"), []string{"1 application/ms-tnef unknown-encoding"}, nil},
		{"Charset", mixed("Content-Type: text/plain; charset=x-none\n\n\xe9", "Content-Type: text/plain; charset=x-none\n\na", "Content-Type: text/plain; charset=unknown-8bit\n\n\xe9"), []string{"1 text/plain unknown-charset"}, nil},
		{"Disputed", mixed("Content-Type: text/html\n\n<META charset=iso-2022-jp>\x1b$B<!--\x1b(B<p>", "Content-Type: text/html; charset=utf-8\n\n\xff\xfe<\x00", "Content-Type: text/html; charset=iso-2022-jp\n\n\xef\xbb\xbf\x1b$B", "Content-Type: text/html; charset=utf-8\n\n\xef\xbb\xbf<p>", "Content-Type: text/html\n\n<meta charset=iso-2022-jp>"),
			[]string{"1 text/html unknown-charset", "2 text/html unknown-charset", "3 text/html unknown-charset"}, nil},
		{"LongCharset", mixed("Content-Type: text/plain; charset=x-none\n\n"+long+"\xe9", "Content-Type: text/html; charset=ibm037\n\n"+long+"\xe9", "Content-Type: text/plain; charset=utf-16\n\n"+long+"a\x00", "Content-Type: text/plain; charset=utf-8\n\n"+long), []string{"1 text/plain unknown-charset", "2 text/html unknown-charset", "3 text/plain unknown-charset"}, nil},
		{"LongUUEncode", mixed("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" + strings.Repeat("M"+strings.Repeat("://,", 15)+"\n", 5<<10) + "end\n"), nil, nil},
		{"LongUUEncodeWithLink", mixed("Content-Transfer-Encoding: x-uuencode\n\n" + long + link), []string{"1 text/plain unknown-encoding"}, nil},
		{"Boundary", mixed("Content-Type: multipart/mixed; boundary=c\n\n \n--x\n\n", "Content-Type: multipart/mixed; (boundary=c\n\n--c\n\n", "Content-Type: multipart/mixed; boundary=c\n\n\n--c--\n", "Content-Type: multipart/mixed\n\n \n"), []string{"1 multipart/mixed ambiguous", "2 multipart/mixed ambiguous"}, []string{"1 multipart/mixed ambiguous", "2 multipart/mixed ambiguous"}},
		{"EmptyEncoded", mixed("Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0\n", "Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: quoted-printable\n\n\n\n"),
			[]string{"1 multipart/mixed decoding", "1 multipart/mixed ambiguous"}, []string{"1 multipart/mixed decoding", "1 multipart/mixed ambiguous"}},
		{"BesideClose", mixed("Content-Type: multipart/mixed; boundary=c\n\n--c--\n<p>", "Content-Type: multipart/mixed; boundary=c\n\n<p>\n--c--\n"), []string{"1 multipart/mixed ambiguous", "2 multipart/mixed ambiguous"}, []string{"1 multipart/mixed ambiguous", "2 multipart/mixed ambiguous"}},
		{"DelimitersOutside", mixed("Content-Type: multipart/mixed; boundary=c\n--b--\n\n--c\n\nx", "\nx"), []string{"1 multipart/mixed ambiguous"}, []string{"1 multipart/mixed ambiguous"}},
		{"InMessage", mixed("Content-Type: message/rfc822\n\nContent-Transfer-Encoding: x-yencode\n\nbegin"), []string{"1.1 text/plain unknown-encoding"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, opened := range []struct {
				dialects []externalbody.Dialect
				want     []string
			}{{dialect.All(), tt.want}, {nil, tt.plain}} {
				m := openMessage(t, tt.text, &externalbody.OpenOptions{Dialects: opened.dialects})
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

// TestAmbiguous has messages in which some mail programs see a part and others do not.
func TestAmbiguous(t *testing.T) {
	const ref = "Content-Type: message/external-body; access-type=URL;\n URL=\"https://a.example/x\"\n\nContent-Type: image/png\nContent-ID: <x@y>\n\n"
	begin := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	in := func(s string) string { return begin + "--b\n" + s + "\n--b--\n" }
	for _, tt := range []struct {
		name, text string
		want       string
	}{
		{"Plain", in(ref), "1"},
		{"JunkFirst", in("JUNK line\n" + ref), "1 ambiguous"},
		{"JunkInTheMiddle", in("Content-Description: x\nJUNK line\n" + ref), "1 ambiguous"},
		{"JunkInMessage", "JUNK line\n" + in(ref), "1 ambiguous"},
		{"FieldWithoutColon", in("Content-Type text/plain\n" + ref), "1 ambiguous"},
		{"FromLine", in("From a b\n" + ref), "1 ambiguous"},
		{"QuotedFromLine", in(">From a b\n" + ref), "1 ambiguous"},
		{"Blank", in(" \n" + ref), "1 ambiguous"},
		{"DelimiterWithJunk", begin + "--bjunk\n" + ref + "\n--b--\n", "1 ambiguous"},
		{"DelimiterWithTabAndJunk", begin + "--b\tjunk\n" + ref + "\n--b--\n", "1 ambiguous"},
		{"EmptyBoundary", strings.Replace(in(ref), "boundary=b", "boundary=\"\"; boundary=b", 1), "1 ambiguous"},
		{"Boundaries", strings.Replace(in(ref), "boundary=b", "boundary=a; boundary=b", 1), "1 ambiguous"},
		{"ExtendedBoundary", strings.Replace(in(ref), "boundary=b", "boundary=b; boundary*=''a", 1), "1 ambiguous"},
		{"BackslashInBoundary", strings.Replace(in(ref), "boundary=b", `boundary="\b"`, 1), "1 ambiguous"},
		{"TwoCRs", in("Content-Description: x\n\r\r\n" + ref), "1 ambiguous"},
		{"JunkBeforeMessage", in("\tx\n\n" + ref), ""},
		{"JunkInDigest", strings.Replace(in("\tx\n\n"+ref), "mixed", "digest", 1), "1.1 ambiguous"},
		{"CloseFirst", strings.Replace(in(ref), "=b\n\n", "=b\n--b--\n\n", 1), "1 ambiguous"},
		{"CRBeforeField", in("X: y\r" + ref), "1 ambiguous"},
		{"CRBeforeDelimiter", begin + "--b\n\ntext\r--b\n" + ref + "\n--b--\n", "2 ambiguous"},
		{"TypesFirst", in("Content-Type: text/plain\n" + ref), "1 ambiguous"},
		{"TypesLast", in(strings.Replace(ref, "\n\n", "\nContent-Type: text/plain\n\n", 1)), "1 ambiguous"},
		{"NUL", in(strings.Replace(ref, "external-body", "external\x00-body", 1)), "1 ambiguous"},
		{"NULInName", in(strings.Replace(ref, "Type", "Type\x00", 1)), "1 ambiguous"},
		{"TextWithoutHeader", in("Hello,\nsee: below\n\n--b\n" + ref), "2"},
		{"SameTypes", in("Content-Type: text/plain\nContent-Type: text/plain\n\nx\n--b\n" + ref), "2"},
		{"LineEnds", strings.ReplaceAll(in(ref), "\n", "\r\r\n"), "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := openMessage(t, tt.text, &externalbody.OpenOptions{Dialects: dialect.All()})
			var got []string
			for r := range m.References() {
				s := r.ID
				if r.Ambiguous() {
					s += " ambiguous"
				}
				got = append(got, s)
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			told := false
			for p := range m.Unread() {
				told = told || p.Reason == externalbody.DiagAmbiguous
			}
			if want := strings.Contains(tt.want, "ambiguous"); told != want {
				t.Errorf("got the reason %s: %t, want %t", externalbody.DiagAmbiguous, told, want)
			}
		})
	}
}

// opaque returns a part of S/MIME with content signed, without a signature that holds.
// oid is the kind of message, 2 for signed.
func opaque(content string, oid byte) string {
	lines := strings.ReplaceAll(base64Lines([]byte(signedData(content, oid))), "\r\n", "\n")
	return "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=smime.p7m\n\n" + lines
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

// TestSigned has references within messages that S/MIME has signed.
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
		{"ByName", strings.Replace(outer+opaque(signedText, 2), "application/pkcs7-mime", "application/octet-stream", 1), found, false},
		{"NotCalledSigned", strings.Replace(outer+opaque(signedText, 2), "signed-data", "enveloped-data", 1), found, false},
		{"Part", "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + opaque(signedText, 2) + "--b\n\nfooter\n--b--\n", []string{"share-link 1.1", " 1.2"}, false},
		{"Header", outer + opaque("X-Mozilla-Cloud-Part: cloudFile; url=https://nc.example/1; name=a.pdf\nContent-Type: text/html\n\nx", 2), []string{"filelink 1"}, false},
		{"Twice", outer + opaque(opaque(signedText, 2), 2), []string{"share-link 1.1.1", " 1.1.2"}, false},
		{"Enveloped", outer + opaque(signedText, 3), nil, false},
		{"OtherType", strings.Replace(outer+opaque(signedText, 2), "application/pkcs7-mime", "application/pkcs7-signature", 1), nil, false},
		{"Deep", outer + deep, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := openMessage(t, tt.text, &externalbody.OpenOptions{Dialects: dialect.All()})
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

// A signed message has its own Content-IDs.
func TestSignedContentID(t *testing.T) {
	refs := open(t, opaque(signedText, 2), nil)
	if len(refs) != 1 {
		t.Fatalf("got %d references, want the standard one", len(refs))
	}
	if got, _, err := readBody(t, new(externalbody.Resolver), refs[0]); err != nil || string(got) != "here" {
		t.Errorf("got %q, %v, want %q", got, err, "here")
	}
}

// TestContentIDsAreReadOnce resolves references to each other's neighbours: the
// message and its headers are read once for all of them, and not at all after the
// context has ended.
func TestContentIDsAreReadOnce(t *testing.T) {
	var all []string
	const parts = 100
	for i := range parts {
		all = append(all, fmt.Sprintf("Content-Type: image/png\nContent-ID: <%d@h>\n\n%d", i, i), external(fmt.Sprintf("URL; URL=\"cid:%d@h\"", i), "Content-Type: image/png\n"))
	}
	text := mixed(all...)
	src := &testkit.CountingReader{ReaderAt: strings.NewReader(text)}
	m, err := externalbody.Open(src, int64(len(text)), nil)
	must(t, err)
	r := &externalbody.Resolver{}

	src.Octets = 0
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for ref := range m.References() {
		if _, err := r.Resolve(ended, ref); fetch.KindOf(err) != fetch.Canceled {
			t.Fatalf("got %v, want Kind %v", err, fetch.Canceled)
		}
	}
	if src.Octets != 0 {
		t.Errorf("got %d octets read after the context had ended, want 0", src.Octets)
	}

	i := 0
	for ref := range m.References() {
		data, _, err := readBody(t, r, ref)
		if want := fmt.Sprint(i); string(data) != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", ref.ID, data, err, want)
		}
		i++
	}
	if i != parts {
		t.Errorf("got %d references, want %d", i, parts)
	}
	if most := 3 * int64(len(text)); src.Octets > most {
		t.Errorf("got %d octets read, want at most %d", src.Octets, most)
	}
}

// TestNMH lets nmh's mhstore read the output of WriteTo, and get the body with
// curl.
func TestNMH(t *testing.T) {
	mhstore, err := exec.LookPath("mhstore")
	if err != nil {
		if mhstore, err = exec.LookPath("/usr/bin/mh/mhstore"); err != nil {
			t.Skip("nmh is not installed")
		}
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	const body = "the body\n"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte(body))
	}))
	defer s.Close()
	home := t.TempDir()
	local := filepath.Join(home, "local.txt")
	must(t, os.WriteFile(local, []byte(body), 0o600))

	refs := []*externalbody.Reference{
		{AccessType: "url", Params: []externalbody.Field{{Name: "url", Value: s.URL + "/a/long/way/to/the/file/over/more/than/one/word/" + strings.Repeat("x", 50)}}},
		{AccessType: "local-file", Params: []externalbody.Field{{Name: "name", Value: local}}},
	}
	var text bytes.Buffer
	text.WriteString("From: a@h.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n")
	for _, ref := range refs {
		ref.MediaType, ref.ContentID, ref.Size = "text/plain", externalbody.NewContentID("h.example"), int64(len(body))
		text.WriteString("--b\n")
		var part bytes.Buffer
		if _, err := ref.WriteTo(&part); err != nil {
			t.Fatal(err)
		}
		text.WriteString(strings.ReplaceAll(part.String(), "\r\n", "\n"))
	}
	text.WriteString("--b--\n")

	inbox := filepath.Join(home, "Mail", "inbox")
	must(t, os.MkdirAll(inbox, 0o700))
	out := filepath.Join(home, "out")
	must(t, os.Mkdir(out, 0o700))
	for name, content := range map[string]string{
		filepath.Join(inbox, "1"):          text.String(),
		filepath.Join(home, ".mh_profile"): "Path: Mail\nnmh-access-url: curl -sfL\n",
	} {
		must(t, os.WriteFile(name, []byte(content), 0o600))
	}
	cmd := exec.Command(mhstore, "+inbox", "1", "-noauto")
	cmd.Dir = out
	cmd.Env = append(os.Environ(), "HOME="+home, "MH="+filepath.Join(home, ".mh_profile"), "MHCONTEXT="+filepath.Join(home, "context"))
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("got error %v, want none, nmh said %s", err, said)
	}
	files, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(files) != len(refs) {
		t.Fatalf("stored %q: %s, want %d of them", files, said, len(refs))
	}
	for _, file := range files {
		if got, err := os.ReadFile(file); err != nil || string(got) != body {
			t.Errorf("%s: got %q, %v, want %q, nil", file, got, err, body)
		}
	}
}
