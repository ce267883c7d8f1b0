package discover_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/discover"
	"github.com/go-extbody/extbody/externalbody"
)

// tells reports whether opening the message tells anything: a reference, or that
// a limit was reached.
func tells(t *testing.T, text string) bool {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range m.References() {
		return true
	}
	return m.Incomplete() != nil
}

// possible judges a message in pieces of n octets; in one if n is 0.
func possible(f *discover.Filter, text string, n int) bool {
	f.Reset()
	for n > 0 && len(text) > n {
		f.Write([]byte(text[:n]))
		text = text[n:]
	}
	return f.Possible([]byte(text))
}

var cuts = []int{0, 1, 7, 64, 1000, 4096 + 8, 4096 + 9, 2*(4096+8) + 1, 64 << 10}

// check judges a message in pieces of several sizes.
func check(t *testing.T, text string) (whole bool) {
	t.Helper()
	want := tells(t, text)
	var f discover.Filter
	for _, n := range cuts {
		if n > 0 && len(text)/n > 10_000 {
			continue
		}
		got := possible(&f, text, n)
		if want && !got {
			t.Fatalf("in pieces of %d: got not possible, want possible: %.4000q", n, text)
		}
		if n == 0 {
			whole = got
		}
		// Nothing but a header that is not at its end after 4 KiB may depend on
		// the pieces.
		if got != whole && !longHeader(text) {
			t.Fatalf("in pieces of %d: got %v, want %v as of the whole: %.4000q", n, got, whole, text)
		}
	}
	return whole
}

func longHeader(text string) bool {
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n\n") {
		if len(paragraph) > 4000 {
			return true
		}
	}
	return false
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func lines(n int) string { return strings.Repeat(strings.Repeat("QUJD", 19)+"\n", n) }

const leaf = "\n--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n\n\n--b--\n"

func TestPossible(t *testing.T) {
	in := func(contentType string) string {
		return "A: b\nContent-Type:" + contentType + "; access-type=URL\n\n\n"
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(leaf))
	tests := []struct {
		name string
		text string
		want bool
	}{
		{"Empty", "", false},
		{"Plain", "A: b\n\ntext - and more\n", false},
		{"PlainType", in(" message/external-body"), true},
		{"UpperCase", in(" MESSAGE/EXTERNAL-BODY"), true},
		{"NoBlank", in("message/External-Body"), true},
		{"Folded", in("\n message\n\t/\n external-body\n "), true},
		{"Comments", in(" (a (b) \\)) message (c)/(d) external-body (e)"), true},
		{"Quoted", in(" \"message/external-body\""), true},
		{"FieldName", "cONTENT-tYPE \t: message/external-body\n\n", true},
		{"CarriageReturns", in(" \rmessage/\r\rexternal-body"), true},
		{"OctetsNUL", "\x00: \x00\n" + in(" message/external-body"), true},
		{"AtTheEnd", "Content-Type: message/external-body", true},
		{"AtTheStart", "-body\n\n", false},
		{"InText", "\nexternal-body\n", true},
		{"Halves", "\nexternal-\nbody and external -body, external=2Dbody\n", false},
		{"Attachments", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nx\n" +
			"--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: 8bit\n\n--c\nContent-Transfer-Encoding: base64\nContent-Type: image/png\n\n" + lines(9000) + "--c--\n" +
			"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + lines(9000) + "--b--\n", false},
		{"LongPart", "Content-Type: multipart/mixed; boundary=b\n\n" + lines(5000) + leaf, true},
		{"MultipartInBase64", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n" + encoded, true},
		{"EncodingFirst", "content-transfer-encoding : BASE64\nX: y\nCONTENT-TYPE:\n\tMULTIPART/MIXED; boundary=b\n\n" + encoded, true},
		{"MultipartInQP", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: Quoted-Printable\n\n--b=0AContent-Type: message/external=\n=2Dbody\n\n\n=2D-b--\n", true},
		{"MessageInBase64", "Content-Type: message/rfc822\nContent-Transfer-Encoding:\n (base64) base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(in(" message/external-body"))), true},
		{"CommentBeforeContainer", "Content-Type: (x) multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n" + encoded, true},
		{"QuotedEncoding", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: \"base64\"\n\n" + encoded, true},
		{"MultipartAlone", "Content-Type: multipart; boundary=b\nContent-Transfer-Encoding: base64\n\n" + encoded, true},
		{"EmptyLineBetween", "Content-Type: multipart/mixed; boundary=b\n\nContent-Transfer-Encoding: base64\n\n", false},
		{"EmptyLineOfCarriageReturns", "Content-Type: multipart/mixed; boundary=b\r\n\r\r\r\nContent-Transfer-Encoding: base64\r\n\r\n", false},
		{"OtherEncodings", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: binary\nContent-Transfer-Encoding: x-uuencode\n\n", false},
		{"PartsOfDigest", "Content-Type: multipart/digest; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(in(" message/external-body"))) + "\n--b--\n", true},
		{"DigestWithBlanks", "Content-Type: multipart / digest; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(in(" message/external-body"))) + "\n--b--\n", true},
		{"DigestWithComment", "Content-Type: multipart/ (x) digest; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(in(" message/external-body"))) + "\n--b--\n", true},
		{"LongField", "Content-Type: text/plain;\n" + strings.Repeat(" x-a=b;\n", 10_000) + "\n\n", false},
		{"LongFieldOfContainer", "Content-Type: multipart/mixed;\n" + strings.Repeat(" x-a=b;\n", 1000) + " boundary=b\nContent-Transfer-Encoding: base64\n\n" + encoded, true},
		{"BlanksBeforeType", "Content-Type:" + strings.Repeat(" ", 9000) + "multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n" + encoded, true},
		{"Rules", "\n" + strings.Repeat("\n"+strings.Repeat("-", 70), 40), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, text := range []string{tt.text, crlf(tt.text)} {
				if got := check(t, text); got != tt.want {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// What has no reference but is too large for the limits is an error of the
// message, and may not be passed over.
func TestLimits(t *testing.T) {
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%[1]d\n", i)
		}
		return b.String()
	}
	const multipart = "Content-Type: multipart/mixed; boundary=b\n\n"
	part := "--b\nX: y\n\n\n"
	long := func(n int) string { return strings.Repeat("X: "+strings.Repeat("y", 60)+"\n", n/64) }
	tests := []struct {
		name string
		text string
		want bool
	}{
		{"Shallow", deep(20), false},
		{"Deep", deep(101), true},
		{"DeepMessages", strings.Repeat("Content-Type: message/rfc822\n\n", 101), true},
		{"FewParts", multipart + strings.Repeat(part, 60), false},
		{"Parts", multipart + strings.Repeat(part, 10_000), true},
		{"Header", long(100<<10) + "\n", false},
		{"LongHeader", long(260<<10) + "\n", true},
		{"LongHeaderOfPart", multipart + lines(1000) + "--b\n" + long(260<<10) + "\n" + lines(1000), true},
		{"LongHeaderBetweenSamples", multipart + lines(880)[:64<<10-len(multipart)+100] + "\n--b\n" + long(256<<10) + "X: " + strings.Repeat("y", 60) + "\n\n" + lines(1000), true},
		{"LongHeaderOfLongLines", "X: " + strings.Repeat("y", 300<<10) + "\n\n", true},
		{"LongHeaderOfFolds", "X: y\n" + strings.Repeat(" y\n", 100<<10) + "\n", true},
		{"LongHeaderOfFromLines", strings.Repeat("From x\n>From y\n", 20<<10) + "\n", true},
		{"LongText", "X: y\n\n" + strings.Repeat("some text\n", 100<<10), false},
		{"LongHTML", "X: y\n\n" + strings.Repeat("  <p>\n<a href=\"http://a.example\">\n", 50<<10), false},
		{"Headers", multipart + strings.Repeat("--b\n"+long(200<<10)+"\n", 90), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tells(t, tt.text) != tt.want {
				t.Fatalf("tells: got %v, want %v", !tt.want, tt.want)
			}
			if got := check(t, tt.text); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCorpus(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the shared folder")
	}
	files, err := filepath.Glob(filepath.Join(shared, "corpus", "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(t, string(text))
	}
}

// The type of the part shows a reference within what S/MIME has signed.
func TestSigned(t *testing.T) {
	oid := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	content := "Content-Type: message/external-body; access-type=x\n\n"
	message := "\x30\x80" + oid + "\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80" + oid + "\x01\xa0\x80\x04" + string([]byte{byte(len(content))}) + content
	for _, mediaType := range []string{"application/pkcs7-mime", "Application/X-PKCS7-Mime", "\n application / (c) pkcs7-MIME"} {
		text := "Content-Type: " + mediaType + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(message)) + "\n"
		if !tells(t, text) {
			t.Errorf("%s: got nothing, want a reference", mediaType)
		}
		check(t, text)
	}
}
