package externalbody

import (
	"github.com/go-extbody/extbody/internal/mimeparam"
)

// A Diag says what was forgiven, or what a reader of a Report should know. It
// is no error: the Reference is usable. With [OpenOptions].Strict or
// [Resolver].Strict it becomes one.
type Diag struct {
	// Code is short and stable, such as "missing-semicolon".
	Code string `json:"code"`

	// Param is the parameter or header field that it is about; "" if none.
	Param string `json:"param,omitempty"`
}

// String returns the code, followed by what it is about.
func (d Diag) String() string {
	if d.Param == "" {
		return d.Code
	}
	return d.Code + " " + d.Param
}

// The codes of this package, besides those of its parsers.
const (
	DiagNoAccessType      = "no-access-type"      // RFC 2046 section 5.2.3.1 wants one
	DiagNoContentID       = "no-content-id"       // in the phantom header, where RFC 2046 section 5.2.3 wants one
	DiagOuterContentID    = "outer-content-id"    // the part's own Content-ID serves as the identity
	DiagNoPhantomHeader   = "no-phantom-header"   // all its defaults apply
	DiagOuterEncoding     = "outer-encoding"      // a transfer encoding that RFC 2046 section 5.2.3 prohibits was undone
	DiagBadExpiration     = "bad-expiration"      // unreadable, hence unknown
	DiagExpirationForm    = "expiration-form"     // not in the form of RFC 2046 section 5.2.3.1
	DiagNoExpiration      = "no-expiration"       // mandatory in the sip profile (RFC 4483 section 5.7)
	DiagNoDisposition     = "no-disposition"      // mandatory in the sip profile (RFC 4483 section 5.10)
	DiagURIParam          = "uri-param"           // URI in place of URL, as RFC 4483 section 5.4 has it in one place
	DiagBadSize           = "bad-size"            // no unsigned number, hence unknown
	DiagBadPermission     = "bad-permission"      // neither read nor read-write
	DiagBadMediaType      = "bad-media-type"      // the phantom Content-Type is unreadable: text/plain
	DiagUnknownEncoding   = "unknown-encoding"    // the phantom transfer encoding: octets are delivered undecoded
	DiagRepeatedField     = "repeated-field"      // the first one counts
	DiagConflict          = "conflict"            // duplicates of a parameter, or of a field of the part, that contradict each other
	DiagHeaderTooLong     = "header-too-long"     // the rest was not read
	DiagLongURL           = "long-url"            // Params have the URL without its data, which is read from the message; no fault
	DiagPercent           = "stray-percent"       // a "%" without two hex digits, sent as %25
	DiagURLEscaped        = "url-escaped"         // characters that a URL cannot hold were escaped
	DiagFragment          = "fragment"            // the URL has one; it is kept here and not sent
	DiagModeName          = "mode-name"           // not a name that MODE has, but of a mode that it means
	DiagNoMode            = "no-mode"             // data that is no text would be transferred as text (RFC 2046 section 5.2.3.2)
	DiagModeRepaired      = "mode-repaired"       // the transfer was repeated in image mode
	DiagExpired           = "expired"             // the reference guaranteed its data up to a time that has passed
	DiagNoServerType      = "no-server-type"      // the server named no media type, or application/octet-stream
	DiagServerCharset     = "server-charset"      // taken from the server, as the reference names none
	DiagSizeMismatch      = "size-mismatch"       // the body's size is not the announced one
	DiagBadDigest         = "bad-digest"          // Content-MD5 cannot be read: nothing was compared
	DiagDigestNotForType  = "digest-not-for-type" // Content-MD5 of a multipart or message is ignored (RFC 1864 section 2)
	DiagEncodingForgiven  = "encoding-forgiven"   // the phantom transfer encoding held characters it should not
	DiagOtherSender       = "other-sender"        // an answer by mail that is not from the server that was asked
	DiagURLCredentials    = "url-credentials"     // the URL holds a user name or password
	DiagUnwrapped         = "unwrapped"           // the URL was inside of a link of that gateway
	DiagOpaque            = "opaque-link"         // the URL is a link of that gateway, which only the gateway can undo
	DiagWrapped           = "wrapped-link"        // the URL is a link of that gateway, and damaged
	DiagContradiction     = "contradiction"       // the places that name the body say different things of it; the first, best one counts
	DiagLinkText          = "link-text-mismatch"  // the text of the link names another host than the link
	DiagBadURL            = "bad-url"             // not a URL that the form can have: it is never asked for
	DiagOtherType         = "other-type"          // the server's media type is not the one that a form other than the standard one named
	DiagAnnouncedMismatch = "announced-mismatch"  // the server announced a size that is not SIZE
)

// paramDiags converts what the parameter parser forgave.
func paramDiags(ds []mimeparam.Diag) []Diag {
	var out []Diag
	for _, d := range ds {
		out = append(out, Diag{Code: d.Code, Param: d.Param})
	}
	return out
}
