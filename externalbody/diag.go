package externalbody

import (
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Diag is a fault that was forgiven, or a fact that a reader of a Report should know.
// It is not an error: the Reference is usable. [OpenOptions].Strict and
// [Resolver].Strict make it one.
type Diag struct {
	Code DiagCode `json:"code"`

	// Param is the parameter or header field that has the fault, or "".
	Param string `json:"param,omitempty"`
}

// String returns the code and Param.
func (d Diag) String() string {
	if d.Param == "" {
		return string(d.Code)
	}
	return string(d.Code) + " " + shown(d.Param)
}

// A DiagCode identifies a kind of [Diag]. It is short and stable, such as
// "missing-semicolon". Codes without a constant are
//
//	no-access-type        RFC 2046 section 5.2.3.1 wants one
//	bad-access-type       not a token, hence not known
//	no-content-id         the phantom header has none, although RFC 2046 section 5.2.3 wants one
//	bad-content-id        it has characters that are not printed, hence not known
//	outer-content-id      the part's own Content-ID serves as the identity
//	no-phantom-header     all its defaults apply
//	outer-encoding        a transfer encoding that RFC 2046 section 5.2.3 prohibits was undone
//	no-expiration         mandatory in the sip profile (RFC 4483 section 5.7)
//	no-disposition        mandatory in the sip profile (RFC 4483 section 5.10)
//	uri-param             URI instead of URL, as RFC 4483 section 5.4 has it once
//	bad-permission        neither read nor read-write
//	url-escaped           characters that a URL cannot hold were escaped
//	fragment              the URL has one; it is kept here and not sent
//	mode-name             not a name of RFC 2046, but the mode that it means is known
//	no-mode               data that is not text would be transferred as text (RFC 2046 section 5.2.3.2)
//	expired               the time until which the reference guaranteed its data has passed
//	no-server-type        the server named no media type, or application/octet-stream
//	server-charset        taken from the server, as the reference names none
//	size-mismatch         the size of the body is not the announced one
//	digest-not-for-type   Content-MD5 of a multipart or message is ignored (RFC 1864 section 2)
//	encoding-forgiven     the phantom transfer encoding held characters it should not
//	other-sender          an answer by mail that is not from the server that was asked
//	url-credentials       the URL holds a user name or password
//	unwrapped             the URL was inside a link of that gateway
//	wrapped-link          the URL is a link of that gateway, and damaged
//	contradiction         the places that name the body contradict each other; the first, best one counts
//	other-type            the server's media type is not the announced one, and was accepted
//	unknown-coding        the server names a content coding that does not exist; the octets are taken as they came
//	octets-after-answer   the server sent octets after its answer; it may mix up its answers
//	announced-mismatch    the server announced a size that is not SIZE
//	missing-blank         no empty line, delimiter line or end follows the phantom header
//	malformed-field       a line of the header has a colon, and no field name before it
//	header-too-long       the rest was not read
//	related-type          of a rewriting: the root of an inlined multipart/related has not the announced type (RFC 2387 section 3.1)
//	same-content-id       of a rewriting: the part in that section with this Content-ID contradicts the reference by type, size or digest
//
// those of the parser of parameters,
//
//	missing-type          there is no media type or disposition
//	bad-type              the type is not a token, nor two tokens with a slash between
//	missing-semicolon     a parameter follows without ";" (RFC 2046 section 5.2.3.7 has an example)
//	stray-semicolon       a ";" without a parameter: doubled, or at the end
//	stray-text            text that is not a parameter was skipped
//	missing-value         a name without "=" was skipped
//	empty-value           nothing follows "="; the value is ""
//	unquoted-value        the value needed quotes and has none
//	unterminated-quote    the value has no closing quote
//	unterminated-comment  a comment has no end; the rest of the field is in it
//	stray-backslash       a backslash before an octet that needs none was kept
//	bad-folding           no white space follows a line break
//	control               a control octet, or a CR outside a line break
//	eight-bit             an octet above 127
//	encoded-word          the value looks like an encoded-word and was kept
//	duplicate             the parameter, or RFC 2231 section, was there before
//	bad-section           an asterisk in the name is not an RFC 2231 suffix, or has a number with a leading zero
//	section-gap           an RFC 2231 section is missing; those after it were dropped
//	quoted-section        an RFC 2231 encoded value has quotes
//	bad-percent           a "%" that two hexadecimal digits do not follow was kept
//	missing-charset       the charset'language' before an RFC 2231 value is missing
//	bad-charset           the octets are not of the charset; they were kept
//	more                  there were more faults than are listed
//
// and of the reader of URL parameters (RFC 2017 section 3.1):
//
//	wrapper-removed       the URL stood in "<...>", after "URL:" or both
//	quote-encoded         a double quote was percent-encoded
//	backslash-encoded     a backslash was percent-encoded
//	eight-bit-encoded     octets above 127 were percent-encoded, as they were
type DiagCode string

// The codes whose meaning the comment of DiagCode has.
const (
	diagNoAccessType      DiagCode = "no-access-type"
	diagBadAccessType     DiagCode = "bad-access-type"
	diagNoContentID       DiagCode = "no-content-id"
	diagBadContentID      DiagCode = "bad-content-id"
	diagOuterContentID    DiagCode = "outer-content-id"
	diagNoPhantomHeader   DiagCode = "no-phantom-header"
	diagOuterEncoding     DiagCode = "outer-encoding"
	diagNoExpiration      DiagCode = "no-expiration"
	diagNoDisposition     DiagCode = "no-disposition"
	diagURIParam          DiagCode = "uri-param"
	diagBadPermission     DiagCode = "bad-permission"
	diagURLEscaped        DiagCode = "url-escaped"
	diagFragment          DiagCode = "fragment"
	diagModeName          DiagCode = "mode-name"
	diagNoMode            DiagCode = "no-mode"
	diagExpired           DiagCode = "expired"
	diagNoServerType      DiagCode = "no-server-type"
	diagServerCharset     DiagCode = "server-charset"
	diagSizeMismatch      DiagCode = "size-mismatch"
	diagDigestNotForType  DiagCode = "digest-not-for-type"
	diagEncodingForgiven  DiagCode = "encoding-forgiven"
	diagOtherSender       DiagCode = "other-sender"
	diagURLCredentials    DiagCode = "url-credentials"
	diagUnwrapped         DiagCode = "unwrapped"
	diagWrapped           DiagCode = "wrapped-link"
	diagContradiction     DiagCode = "contradiction"
	diagOtherType         DiagCode = "other-type"
	diagUnknownCoding     DiagCode = "unknown-coding"
	diagUnasked           DiagCode = "octets-after-answer"
	diagAnnouncedMismatch DiagCode = "announced-mismatch"
	diagMissingBlank      DiagCode = "missing-blank"
	diagMalformedField    DiagCode = "malformed-field"
	diagHeaderTooLong     DiagCode = "header-too-long"
)

// The codes of References and Reports.
const (
	DiagBadExpiration   DiagCode = "bad-expiration"     // unreadable, hence unknown
	DiagExpirationForm  DiagCode = "expiration-form"    // not in the form of RFC 2046 section 5.2.3.1
	DiagBadSize         DiagCode = "bad-size"           // not an unsigned number, hence unknown
	DiagBadMediaType    DiagCode = "bad-media-type"     // the phantom Content-Type is unreadable: text/plain
	DiagUnknownEncoding DiagCode = "unknown-encoding"   // the phantom transfer encoding: octets are delivered undecoded
	DiagRepeatedField   DiagCode = "repeated-field"     // only the first one counts
	DiagConflict        DiagCode = "conflict"           // duplicates of a parameter, or of a field of the part, that contradict each other
	DiagLongURL         DiagCode = "long-url"           // Params have the URL without its data, which is read from the message; not a fault
	DiagPercent         DiagCode = "stray-percent"      // a "%" without two hex digits, sent as %25
	DiagBadDigest       DiagCode = "bad-digest"         // Content-MD5 cannot be read: nothing was compared
	DiagLinkText        DiagCode = "link-text-mismatch" // the text of the link names another host than the link
	DiagLineEnd         DiagCode = "line-end"           // a line end broke the URL, or may have: it may end at another one of its line ends
	DiagTrackingPixel   DiagCode = "tracking-pixel"     // a picture of 1 by 1 pixel, or hidden: its server learns when the mail is read
	DiagBadURL          DiagCode = "bad-url"            // not a URL that the form can have; it is never asked for
)

// The codes of parts that cannot be read; see [UnreadPart]. DiagUnknownEncoding is another
// one. A Reference has DiagAmbiguous if only some mail programs
// see it, because they disagree about the structure of the message, or DiagDecoding, because they disagree about the
// octets of its part.
const (
	DiagEncrypted      DiagCode = "encrypted"       // only the recipient can read it
	DiagAmbiguous      DiagCode = "ambiguous"       // mail programs disagree about the structure
	DiagDecoding       DiagCode = "decoding"        // mail programs decode the part to different octets
	DiagCutShort       DiagCode = "cut-short"       // a limit ended the reading of the message, or of the part
	DiagOpaqueLink     DiagCode = "opaque-link"     // the URL, or one in the part, is a link of that gateway, which alone knows its target
	DiagUnknownCharset DiagCode = "unknown-charset" // the charset is not supported; the octets were kept
	DiagPartialMessage DiagCode = "partial-message" // it is a piece of a message whose other pieces came with other messages
	DiagMissingBody    DiagCode = "missing-body"    // the program that kept the message took the body of the part out
)

func paramDiags(ds []param.Diag) []Diag {
	var out []Diag
	for _, d := range ds {
		out = append(out, Diag{Code: DiagCode(d.Code), Param: d.Param})
	}
	return out
}

// shown returns the text of a stranger in a form fit for logs and terminals. It has at
// most as many characters as a redacted URL. Characters that a terminal obeys or does
// not show are escaped.
func shown(s string) string {
	s, end := atMost(s, redact.MaxRunes)
	if strings.ContainsFunc(s, func(c rune) bool { return !strconv.IsPrint(c) }) {
		q := strconv.Quote(s)
		s = q[1 : len(q)-1]
	}
	return s + end
}

// quoted returns the result of shown in quotation marks, which the text cannot end.
func quoted(s string) string {
	s, end := atMost(s, redact.MaxRunes)
	return strconv.Quote(s) + end
}

// atMost returns the first n characters of a text, and the mark that there are more.
func atMost(s string, n int) (text, end string) {
	for i := range s {
		if n--; n < 0 {
			return s[:i], "..."
		}
	}
	return s, ""
}
