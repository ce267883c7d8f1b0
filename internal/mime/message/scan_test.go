package message

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

func TestScan(t *testing.T) {
	const mixed = "Content-Type: multipart/mixed; boundary=b\n\n"
	tests := []struct {
		name string
		text string
		want string
	}{
		{"Empty", "", lines(`"1" text/plain ""`)},
		{"HeaderOnly", "A: b\n", lines(`"1" text/plain ""`)},
		{"HeaderWithoutLineEnd", "A: b", lines(`"1" text/plain ""`)},
		{"BodyOnly", "\nx: y\n", lines(`"1" text/plain "x: y\n"`)},
		{"Plain", "A: b\n\nhello\n", lines(`"1" text/plain "hello\n"`)},
		{"NotMultipart", "A: b\n\n--b\n--b--\n", lines(`"1" text/plain "--b\n--b--\n"`)},

		// RFC 2046 section 5.1.1.
		{"Multipart", mixed + "pre\n--b\n\none\n--b\nContent-Type: text/html\n\ntwo\n\n--b--\nepi\n", lines(
			`"" multipart/mixed pre "pre" epi "epi\n"`,
			`  "1" text/plain "one"`,
			`  "2" text/html "two\n"`)},
		{"DelimiterAtOnce", mixed + "--b\n\none\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain "one"`)},
		{"EmptyPreambleLine", mixed + "\n--b\n\none\n--b--\n", lines(`"" multipart/mixed`, `  "1" text/plain "one"`)},
		{"Padding", mixed + "--b \t \n\none\n--b-- \t\n", lines(`"" multipart/mixed`, `  "1" text/plain "one"`)},
		{"NoPadding", mixed + "--b\n\n--bx\n--b x\n--b --\n --b\n-b\n--\n---\n--B\nx--b\n--b---\n--b--x\n--b--\n", lines(
			`"" multipart/mixed`,
			`  "1" text/plain "--bx\n--b x\n--b --\n --b\n-b\n--\n---\n--B\nx--b\n--b---\n--b--x"`)},
		{"QuotedBoundaryWithColon", "Content-Type: multipart/mixed; boundary=\"x:y z\"\n\n--x:y z\nA: b\n--x:y z\n\ntwo\n--x:y z--", lines(
			`"" multipart/mixed`,
			`  "1" text/plain ""`,
			`  "2" text/plain "two"`)},
		{"BoundaryOfDashes", "Content-Type: multipart/mixed; boundary=-\n\n---\n\none\n-----\n", lines(`"" multipart/mixed`, `  "1" text/plain "one"`)},
		{"BoundaryEndsInBlank", "Content-Type: multipart/mixed; boundary=\"b \"\n\n--b \n\none\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain "one"`)},
		{"EmptyParts", mixed + "--b\n--b\n\n--b\n\n\n--b\nA: b\n--b\nA: b\n\n--b\nA: b\n\n\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" text/plain ""`,
			`  "2" text/plain ""`,
			`  "3" text/plain ""`,
			`  "4" text/plain ""`,
			`  "5" text/plain ""`,
			`  "6" text/plain ""`)},
		{"NoClose", mixed + "--b\n\none\n--b\n\ntwo\n", lines(`"" multipart/mixed (missing-close)`, `  "1" text/plain "one"`, `  "2" text/plain "two\n"`)},
		{"EndsInDelimiter", mixed + "--b", lines(`"" multipart/mixed (missing-close)`, `  "1" text/plain ""`)},
		{"NoParts", mixed + "none\n", lines(`"" multipart/mixed (no-parts) pre "none\n"`)},
		{"NoBody", "Content-Type: multipart/mixed; boundary=b\n", lines(`"" multipart/mixed (no-parts)`)},
		{"OnlyClose", mixed + "pre\n--b--\nepi\n", lines(`"" multipart/mixed (no-parts) pre "pre" epi "epi\n"`)},
		{"PartsBehindClose", mixed + "--b\n\none\n--b--\n--b\n\ntwo\n--b--\n", lines(`"" multipart/mixed epi "--b\n\ntwo\n--b--\n"`, `  "1" text/plain "one"`)},

		// RFC 2046 section 5.1.2.
		{"Nested", mixed + "--b\nContent-Type: multipart/related; boundary=c\n\np\n--c\n\n1.1\n--c\n\n1.2\n--c--\ne\n--b\n\n2\n--b--\n", lines(
			`"" multipart/mixed`,
			`  "1" multipart/related pre "p" epi "e"`,
			`    "1.1" text/plain "1.1"`,
			`    "1.2" text/plain "1.2"`,
			`  "2" text/plain "2"`)},
		{"OuterEndsInner", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: message/rfc822\n\nS: x\n\nbody\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed (missing-close)`,
			`    "1.1" message/rfc822`,
			`      "1.1.1" text/plain "body"`,
			`  "2" text/plain "2"`)},
		{"OuterEndsInnerPreamble", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\npre\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed (no-parts) pre "pre"`)},
		{"OuterEndsInnerHeader", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed (no-parts)`,
			`  "2" text/plain "2"`)},
		{"OuterBehindInnerDelimiter", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed (missing-close)`,
			`    "1.1" text/plain ""`,
			`  "2" text/plain "2"`)},
		{"InnerEndsWithoutClose", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n1.1\n--c--\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`)},

		// Boundaries that are prefixes of each other, or the same.
		{"InnerExtendsOuter", "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=ab\n\n--ab\n\n1.1\n--ab--\n--a\n\n2\n--a--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`,
			`  "2" text/plain "2"`)},
		{"OuterExtendsInner", "Content-Type: multipart/mixed; boundary=ab\n\n--ab\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\n1.1\n--a--\n--ab\n\n2\n--ab--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`,
			`  "2" text/plain "2"`)},
		{"InnerIsOuterAndDashes", "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=a--\n\n--a--\n\n1.1\n--a----\n--a--\n", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`)},
		{"OuterIsInnerAndDashes", "Content-Type: multipart/mixed; boundary=a--\n\n--a--\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\n1.1\n--a--\n--a--\n\n2\n--a----\n", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`,
			`  "2" text/plain "2"`)},
		{"SameBoundary", mixed + "--b\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n1.1\n--b\n\n1.2\n--b--\n--b\n\n2\n--b--\nepi", lines(
			`"" multipart/mixed epi "epi"`,
			`  "1" multipart/alternative`,
			`    "1.1" text/plain "1.1"`,
			`    "1.2" text/plain "1.2"`,
			`  "2" text/plain "2"`)},
		{"SameBoundaryThrice", mixed + "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n1.1.1\n--c\n\n1.2\n--c--\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/alternative`,
			`    "1.1" multipart/mixed (missing-close)`,
			`      "1.1.1" text/plain "1.1.1"`,
			`    "1.2" text/plain "1.2"`,
			`  "2" text/plain "2"`)},
		{"InnerBoundaryMeansNothingOutside", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n1.1\n--c--\n--b\n\n--c\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "1.1"`,
			`  "2" text/plain "--c\n2"`)},

		// Boundary parameters that cannot be used.
		{"NoBoundary", "Content-Type: multipart/mixed\n\n--\n\nx\n----\n", lines(`"1" multipart/mixed (bad-boundary) "--\n\nx\n----\n"`)},
		{"EmptyBoundary", "Content-Type: multipart/mixed; boundary=\"\"\n\n--\n\nx\n----\n", lines(`"1" multipart/mixed (bad-boundary) "--\n\nx\n----\n"`)},
		{"BlankBoundary", "Content-Type: multipart/mixed; boundary=\" \"\n\n-- \n\nx\n", lines(`"1" multipart/mixed (bad-boundary) "-- \n\nx\n"`)},
		{"LongestBoundary", "Content-Type: multipart/mixed; boundary=" + strings.Repeat("b", maxBoundary) + "\n\n--" + strings.Repeat("b", maxBoundary) + "\n\n1\n--" + strings.Repeat("b", maxBoundary) + "--\n", lines(
			`"" multipart/mixed`,
			`  "1" text/plain "1"`)},
		{"TooLongBoundary", "Content-Type: multipart/mixed; boundary=" + strings.Repeat("b", maxBoundary+1) + "\n\nx", lines(`"1" multipart/mixed (bad-boundary) "x"`)},
		{"TooMuchPadding", mixed + "--b" + strings.Repeat(" ", maxDelimiter) + "\n--b\n\n1\n--b--", lines(
			`"" multipart/mixed pre "--b`+strings.Repeat(" ", maxDelimiter)+`"`,
			`  "1" text/plain "1"`)},
		{"BoundaryNotUsable/NextPartSeen", mixed + "--b\nContent-Type: multipart/mixed\n\n--x\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed (bad-boundary) "--x"`,
			`  "2" text/plain "2"`)},

		// Types.
		{"TypeWithoutSubtype", "Content-Type: multipart; boundary=b\n\n--b\n\n1\n--b--", lines(`"" multipart`, `  "1" text/plain "1"`)},
		{"UpperCase", "CONTENT-TYPE: MULTIPART/MIXED; BOUNDARY=B\n\n--B\n\n1\n--b\n--B--", lines(`"" multipart/mixed`, `  "1" text/plain "1\n--b"`)},
		{"BlanksBeforeColon", "Content-Type \t: multipart/mixed; boundary=b\n\n--b\n\n1\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain "1"`)},
		{"Folded", "Content-Type:\n multipart/mixed;\n\tboundary=b\n \nA: b\n\n--b\n\n1\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain "1"`)},
		{"DuplicateContentType", "Content-Type: text/html\nContent-Type: multipart/mixed; boundary=b\n x=y\n\n--b\n", lines(`"1" text/html (duplicate-field) "--b\n"`)},
		{"DuplicateEncoding", "Content-Transfer-Encoding: base64\nContent-Transfer-Encoding: 7bit\n\nx", lines(`"1" text/plain base64 (duplicate-field) "x"`)},
		{"NoTypeBeforeSlash", "Content-Type: /plain\n\nx", lines(`"1" text/plain (bad-content-type) "x"`)},
		{"TwoSlashes", "Content-Type: a/b/c\n\nx", lines(`"1" text/plain (bad-content-type) "x"`)},
		{"EmptyContentType", "Content-Type:\n\nx", lines(`"1" text/plain (bad-content-type) "x"`)},
		{"Digest", "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: 1\n\none\n--b\nContent-Type: text/plain\n\n2\n--b\n--b\nA: b\n\n--b--", lines(
			`"" multipart/digest`,
			`  "1" message/rfc822`,
			`    "1.1" text/plain "one"`,
			`  "2" text/plain "2"`,
			`  "3" message/rfc822`,
			`    "3.1" text/plain ""`,
			`  "4" message/rfc822`,
			`    "4.1" text/plain ""`)},
		{"DigestIsNotInherited", "Content-Type: multipart/digest; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nA: b\n\n--c--\n--b--", lines(
			`"" multipart/digest`,
			`  "1" multipart/mixed`,
			`    "1.1" text/plain "A: b\n"`)},
		{"ExternalBodyIsLeaf", "Content-Type: message/external-body; access-type=x; boundary=b\n\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--", lines(
			`"1" message/external-body "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--"`)},
		{"OtherMessagesAreLeaves", mixed + "--b\nContent-Type: message/partial\n\n1\n--b\nContent-Type: message/delivery-status\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" message/partial "1"`,
			`  "2" message/delivery-status "2"`)},

		// Sections (RFC 9051 section 6.4.5.1).
		{"Message", "Content-Type: message/rfc822\n\nA: b\n\nx", lines(`"1" message/rfc822`, `  "1.1" text/plain "x"`)},
		{"MessageInMessage", "Content-Type: message/global\n\nContent-Type: message/news\n\nA: b\n\nx", lines(
			`"1" message/global`,
			`  "1.1" message/news`,
			`    "1.1.1" text/plain "x"`)},
		{"MultipartInMessage", "Content-Type: message/rfc822\n\n" + mixed + "--b\n\n1\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n2\n--c--\n--b--", lines(
			`"1" message/rfc822`,
			`  "1.TEXT" multipart/mixed`,
			`    "1.1" text/plain "1"`,
			`    "1.2" multipart/mixed`,
			`      "1.2.1" text/plain "2"`)},
		{"MessageInMultipart", mixed + "--b\n\n1\n--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n2.1\n--c\nContent-Type: message/rfc822\n\n\n2.2.1\n--c--\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" text/plain "1"`,
			`  "2" message/rfc822`,
			`    "2.TEXT" multipart/mixed`,
			`      "2.1" text/plain "2.1"`,
			`      "2.2" message/rfc822`,
			`        "2.2.1" text/plain "2.2.1"`)},
		{"EmptyMessage", "Content-Type: message/rfc822\n", lines(`"1" message/rfc822`, `  "1.1" text/plain ""`)},

		// Headers.
		{"MissingBlank", mixed + "--b\nA: b\nno field\nC: d\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain (missing-blank) "no field\nC: d"`)},
		{"MissingBlankInMessage", "A: b\nno field", lines(`"1" text/plain (missing-blank) "no field"`)},
		{"EmptyName", "A: b\n: c\nContent-Type: text/html\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"BlankName", " : c\nContent-Type: text/html\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"NameWithDEL", "A\x7f: b\nContent-Type: text/html\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"NameWithBlank", "A: b\nc d: e\n f\nContent-Type: text/html\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"NameWithBlankFolded", "Content-Type: text/html;\n x: y\nc d: e\n charset=x\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"MalformedInPart", mixed + "--b\nBad Name: x\nContent-Type: text/html\n\nx\n--b--", lines(`"" multipart/mixed`, `  "1" text/html (malformed-field) "x"`)},
		{"URLIsNoMalformedField", "A: b\nSee http://a.example: c\nC: d", lines(`"1" text/plain (missing-blank) "See http://a.example: c\nC: d"`)},
		{"MalformedFieldWithURL", "A: b\nBad Name: http://a.example\nContent-Type: text/html\n\nx", lines(`"1" text/html (malformed-field) "x"`)},
		{"MalformedThenNoField", ": x\nA: b\nno field\nc: d", lines(`"1" text/plain (missing-blank,malformed-field) "no field\nc: d"`)},
		{"ColonInNextLine", "A: b\nno field\nc d: e\n", lines(`"1" text/plain (missing-blank) "no field\nc d: e\n"`)},
		{"MalformedIsNoBase64", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nBad Name: b\nContent-Type: text/html\n\nx", lines(
			`"1" message/rfc822 base64 (encoding-ignored)`,
			`  "1.1" text/html (malformed-field) "x"`)},
		{"LongestName", strings.Repeat("x", maxDelimiter-1) + ": b\n\nx", lines(`"1" text/plain "x"`)},
		{"TooLongName", strings.Repeat("x", maxDelimiter) + ":b\n", lines(`"1" text/plain (missing-blank) "` + strings.Repeat("x", maxDelimiter) + `:b\n"`)},
		{"EightBitAndNUL", "A\xe9: \xff\x00\xfe\nB: c\x00\n\nx", lines(`"1" text/plain "x"`)},
		{"ContinuationFirst", " x\nA: b\n\ny", lines(`"1" text/plain (missing-blank) " x\nA: b\n\ny"`)},
		{"BlankLineIsContinuation", "A: b\n \nContent-Type: text/html\n\nx", lines(`"1" text/html "x"`)},
		{"MailboxLine", "From a@b Mon Jan  1 00:00:00 1996\nContent-Type: text/html\n\nx", lines(`"1" text/html (mailbox-line) "x"`)},
		{"QuotedMailboxLine", "From a\n>From b\nContent-Type: text/html\n\nx", lines(`"1" text/html (mailbox-line) "x"`)},
		{"MailboxLineInMessage", "Content-Type: message/rfc822\n\n>From a\nContent-Type: text/html\n\nx", lines(
			`"1" message/rfc822`,
			`  "1.1" text/html (mailbox-line) "x"`)},
		{"MailboxLineNotFirst", "A: b\nFrom a\n\nx", lines(`"1" text/plain (missing-blank) "From a\n\nx"`)},
		{"NoMailboxLineInPart", mixed + "--b\nFrom here on\n\nx\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain (missing-blank) "From here on\n\nx"`)},
		{"FromFieldWithBlank", "From : a\nContent-Type: text/html\n\nx", lines(`"1" text/html "x"`)},
		{"LongLine", "A: " + strings.Repeat("x", 3*smallestWindow) + "\nContent-Type: text/html\n\nx", lines(`"1" text/html "x"`)},

		// Encoded containers.
		{"EncodedMessage", mixed + "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nQTogYgoKeA==\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" message/rfc822 base64 encoded (encoded-container) "QTogYgoKeA=="`)},
		{"QuotedPrintableMessage", "Content-Type: message/rfc822\nContent-Transfer-Encoding: Quoted-Printable\n\nA: b=\n", lines(
			`"1" message/rfc822 quoted-printable encoded (encoded-container) "A: b=\n"`)},
		{"MessageNotEncoded", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nA: b\n\nx", lines(
			`"1" message/rfc822 base64 (encoding-ignored)`,
			`  "1.1" text/plain "x"`)},
		{"EncodedMultipart", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\nLS1jCgox\n--b\n\n2\n--b--", lines(
			`"" multipart/mixed`,
			`  "1" multipart/mixed base64 encoded (encoded-container) "LS1jCgox"`,
			`  "2" text/plain "2"`)},
		{"MultipartNotEncoded", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: quoted-printable\n\n--b\n\n1\n--b--", lines(
			`"" multipart/mixed quoted-printable (encoding-ignored)`,
			`  "1" text/plain "1"`)},
		{"EncodedExternalBody", "Content-Type: message/external-body\nContent-Transfer-Encoding: base64\n\nQQ==", lines(
			`"1" message/external-body base64 encoded (encoded-container) "QQ=="`)},
		{"EncodingSpelling", "Content-Transfer-Encoding: (a (b) \\( c)\n \"BASE64\" ; x\n\nx", lines(`"1" text/plain base64 "x"`)},
		{"UnknownEncoding", "Content-Type: message/rfc822\nContent-Transfer-Encoding: x-uu\n\nA: b\n\nx", lines(
			`"1" message/rfc822 other (unknown-encoding)`,
			`  "1.1" text/plain "x"`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := tree(mustScan(t, test.text, Limits{}), test.text)
			if got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
		t.Run(test.name+"/CRLF", func(t *testing.T) {
			text := crlf(test.text)
			got := strings.ReplaceAll(tree(mustScan(t, text, Limits{}), text), `\r\n`, `\n`)
			if got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// TestLineEnds has the messages that TestScan cannot run both ways.
func TestLineEnds(t *testing.T) {
	const mixed = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
	tests := []struct {
		name string
		text string
		want string
	}{
		{"Mixed", "A: b\r\nContent-Type: multipart/mixed; boundary=b\n\r\n--b\n\r\n1\r\n\n--b\r\n\n2\n\r\n--b--\n", lines(
			`"" multipart/mixed`,
			`  "1" text/plain "1\r\n"`,
			`  "2" text/plain "2\n"`)},
		{"BareCRIsData", mixed + "--b\r\n\r\nx\r--b\r--b--\ry\r\r\n--b--", lines(`"" multipart/mixed`, `  "1" text/plain "x\r--b\r--b--\ry\r"`)},
		{"CRInHeader", "A: b\rContent-Type: text/html\r\n\r\nx", lines(`"1" text/plain (bare-cr) "x"`)},
		{"SpareCR", "A: b\r\r\nContent-Type: multipart/mixed; boundary=b\r\r\n\r\r\n--b\r\r\nContent-Type: text/html\r\r\n\r\r\n1\r\r\n--b--\r\r\n", lines(
			`"" multipart/mixed`,
			`  "1" text/html "1\r"`)},
		{"CRAtEnd", "A: b\r\n\r", lines(`"1" text/plain (missing-blank) "\r"`)},
		{"DelimiterEndsInCR", mixed + "--b\r\n\r\n1\r\n--b--\r", lines(`"" multipart/mixed`, `  "1" text/plain "1"`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := tree(mustScan(t, test.text, Limits{}), test.text)
			if got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// TestPieces shows the piece that each octet belongs to (RW-12).
func TestPieces(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"Message", "A: b\r\n\r\nx\r\n", []string{`1 header "A: b\r\n"`, `1 blank "\r\n"`, `1 body "x\r\n"`}},
		{"Multipart", "Content-Type: multipart/x; boundary=b\r\n\r\npre\r\n--b\r\nA: b\r\n\r\n1\r\n--b \n\n2\n--b--\r\nepi", []string{
			` header "Content-Type: multipart/x; boundary=b\r\n"`, ` blank "\r\n"`, ` preamble "pre"`,
			`1 delimiter "\r\n--b\r\n"`, `1 header "A: b\r\n"`, `1 blank "\r\n"`, `1 body "1"`,
			`2 delimiter "\r\n--b \n"`, `2 blank "\n"`, `2 body "2"`,
			` close "\n--b--\r\n"`, ` epilogue "epi"`}},
		{"LineEndOfEmptyLine", "Content-Type: multipart/x; boundary=b\n\n--b\nA: b\n\n--b--", []string{
			` header "Content-Type: multipart/x; boundary=b\n"`, ` blank "\n"`,
			`1 delimiter "--b\n"`, `1 header "A: b\n"`, ` close "\n--b--"`}},
		{"LineEndOfField", "Content-Type: multipart/x; boundary=b\n\n--b\nA: b\r\n--b--", []string{
			` header "Content-Type: multipart/x; boundary=b\n"`, ` blank "\n"`,
			`1 delimiter "--b\n"`, `1 header "A: b"`, ` close "\r\n--b--"`}},
		{"LineEndOfSiblingStays", "Content-Type: multipart/x; boundary=b\n\n--b\n--b\n--b--\n", []string{
			` header "Content-Type: multipart/x; boundary=b\n"`, ` blank "\n"`,
			`1 delimiter "--b\n"`, `2 delimiter "--b\n"`, ` close "--b--\n"`}},
		{"LineEndOfInnerIsTaken", "Content-Type: multipart/x; boundary=b\n\n--b\nContent-Type: multipart/x; boundary=c\n\n--c\n--b\nContent-Type: multipart/x; boundary=d\n\n--d--\r\n--b--", []string{
			` header "Content-Type: multipart/x; boundary=b\n"`, ` blank "\n"`,
			`1 delimiter "--b\n"`, `1 header "Content-Type: multipart/x; boundary=c\n"`, `1 blank "\n"`,
			`1.1 delimiter "--c"`,
			`2 delimiter "\n--b\n"`, `2 header "Content-Type: multipart/x; boundary=d\n"`, `2 blank "\n"`, `2 close "--d--"`,
			` close "\r\n--b--"`}},
		{"Messages", "Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\nA: b\n\nx", []string{
			`1 header "Content-Type: message/rfc822\n"`, `1 blank "\n"`,
			`1.1 header "Content-Type: message/rfc822\n"`, `1.1 blank "\n"`,
			`1.1.1 header "A: b\n"`, `1.1.1 blank "\n"`, `1.1.1 body "x"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range mustScan(t, test.text, Limits{}).pieces() {
				got = append(got, fmt.Sprintf("%s %s %q", p.part.Section(), p.kind, test.text[p.span.Start:p.span.End]))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestSplice replaces an entity by its span (RW-12, RW-16).
func TestSplice(t *testing.T) {
	const text = "Content-Type: multipart/x; boundary=b\r\n\r\npre\r\n--b\r\nA: b\r\n\r\n1\r\n\r\n--b\r\nC: d\r\n--b--\r\nepi"
	x := mustScan(t, text, Limits{})
	for i, want := range []string{
		"", // the message itself
		strings.Replace(text, "A: b\r\n\r\n1\r\n", "N: w\r\n\r\nnew", 1),
		strings.Replace(text, "C: d", "N: w\r\n\r\nnew", 1),
	} {
		e := x.Parts[i].Entity()
		got := text[:e.Start] + "N: w\r\n\r\nnew" + text[e.End:]
		if want == "" {
			want = "N: w\r\n\r\nnew"
		}
		if got != want {
			t.Errorf("part %q: got\n%q\nwant\n%q", x.Parts[i].Section(), got, want)
		}
		mustScan(t, got, Limits{})
	}
}

func TestContentTypeSpan(t *testing.T) {
	const field = "Content-Type:\n text/html\n"
	for _, limits := range []Limits{{}, {HeaderBytes: 5 + int64(len(field))}} {
		text := "A: b\n" + field + "C: d\n e\n\n"
		x := mustScan(t, text, limits)
		if got := x.Root().ContentType; text[got.Start:got.End] != field {
			t.Errorf("with %+v: got %q, want %q", limits, text[got.Start:got.End], field)
		}
	}
}

// TestCorpus walks real messages.
func TestCorpus(t *testing.T) {
	for name, text := range testkit.Corpus(t) {
		t.Run(name, func(t *testing.T) {
			x := mustScan(t, text, Limits{})
			external := 0
			for _, p := range x.Parts {
				if p.Type == "message/external-body" {
					external++
				}
			}
			if external == 0 {
				t.Errorf("got no message/external-body, want one or more in\n%s", tree(x, text))
			}
			if again := mustScan(t, crlf(text), Limits{}); len(again.Parts) != len(x.Parts) {
				t.Errorf("with CRLF: got %d parts, want %d", len(again.Parts), len(x.Parts))
			}
		})
	}
}

func TestScanDecoded(t *testing.T) {
	const text = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n1\n" +
		"--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nAAAA\n" +
		"--b\nContent-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\nAAAA\n" +
		"--b\nContent-Type: message/external-body\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--"
	x := mustScan(t, text, Limits{})
	tests := []struct {
		name    string
		part    int
		decoded string
		want    string
	}{
		{"Message", 2, "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--", lines(
			`  "2" message/rfc822`,
			`    "2.TEXT" multipart/mixed`,
			`      "2.1" text/plain "x"`)},
		{"Multipart", 3, "p\n--c\n\nx\n--b\n--c--\ne", lines(`  "3" multipart/mixed pre "p" epi "e"`, `    "3.1" text/plain "x\n--b"`)},
		{"ExternalBody", 4, "A: b\n\nx", lines(`  "4" message/external-body "A: b\n\nx"`)},
		{"NoParts", 3, "junk", lines(`  "3" multipart/mixed (no-parts) pre "junk"`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := x.Parts[test.part]
			y, err := x.ScanDecoded(p, strings.NewReader(test.decoded), int64(len(test.decoded)))
			if err != nil {
				t.Fatal(err)
			}
			check(t, y, test.decoded)
			if got := tree(y, test.decoded); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if y.Root().Parent != x.Root() {
				t.Error("the parent is not the one of the encoded part")
			}
		})
	}
	t.Run("NotEncoded", func(t *testing.T) {
		if _, err := x.ScanDecoded(x.Parts[1], strings.NewReader(""), 0); err == nil {
			t.Error("no error")
		}
	})
	t.Run("LimitsAreShared", func(t *testing.T) {
		x := mustScan(t, text, Limits{Parts: 8})
		const decoded = "--c\n\n--c\n\n--c\n\n"
		y, err := x.ScanDecoded(x.Parts[3], strings.NewReader(decoded), int64(len(decoded)))
		if err != nil {
			t.Fatal(err)
		}
		check(t, y, decoded)
		if y.Limit == nil || y.Limit.Limit != "Parts" || len(y.Parts) != 3 {
			t.Errorf("got the limit %v after %d parts, want Parts after 3", y.Limit, len(y.Parts))
		}
	})
	t.Run("DepthIsShared", func(t *testing.T) {
		x := mustScan(t, text, Limits{Depth: 1})
		y, err := x.ScanDecoded(x.Parts[2], strings.NewReader("A: b\n"), 5)
		if err != nil {
			t.Fatal(err)
		}
		if y.Limit == nil || y.Limit.Limit != "Depth" || len(y.Parts) != 1 {
			t.Errorf("got the limit %v after %d parts, want Depth after 1", y.Limit, len(y.Parts))
		}
	})
}

func TestReadErrors(t *testing.T) {
	text := "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + strings.Repeat("x\n", 2*windowSize) + "--b--"
	size := int64(len(text))
	broken := errors.New("broken")
	for calls := range 4 {
		r := &failingReader{r: strings.NewReader(text), calls: calls, err: broken}
		if x, err := Scan(r, size, Limits{}); !errors.Is(err, broken) || x != nil {
			t.Errorf("after %d calls: got %v, %v, want nil, %v", calls, x, err, broken)
		}
	}
	if x, err := Scan(strings.NewReader(text), size+1, Limits{}); !errors.Is(err, io.ErrUnexpectedEOF) || x != nil {
		t.Errorf("source too short: got %v, %v, want nil, %v", x, err, io.ErrUnexpectedEOF)
	}
	if x, err := Scan(strings.NewReader(text), -1, Limits{}); err == nil || x != nil {
		t.Errorf("negative size: got %v, %v; want nil and an error", x, err)
	}
	if _, err := Scan(eofReader{[]byte(text)}, size, Limits{}); err != nil {
		t.Errorf("io.EOF with the last octets: got error %v, want none", err)
	}
	if _, err := Split(&failingReader{err: broken}, Span{0, 1}, Limits{}); !errors.Is(err, broken) {
		t.Errorf("Split: got %v, want %v", err, broken)
	}
	if _, err := ReadSpan(strings.NewReader("abc"), Span{1, 4}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ReadSpan: got %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

// A failingReader fails after that many calls.
type failingReader struct {
	r     io.ReaderAt
	calls int
	err   error
}

func (f *failingReader) ReadAt(b []byte, off int64) (int, error) {
	if f.calls == 0 {
		return 0, f.err
	}
	f.calls--
	return f.r.ReadAt(b, off)
}
