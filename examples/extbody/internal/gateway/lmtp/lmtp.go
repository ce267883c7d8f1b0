// Package lmtp speaks both sides of LMTP (RFC 2033) so that a proxy between them
// changes no octet of a message: a Server and a Client.
//
// A message whose lines end with CRLF, as RFC 5321 section 2.3.8 requires, arrives octet
// for octet, whatever else is in it. The Server does not take an LF without CR for the
// end of a line. The Client sends such an LF as CRLF.
//
// A message has a positive reply only if Deliver returned one for it.
package lmtp

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// A Reply is a reply to a command, or for a recipient.
type Reply struct {
	Code int
	Text string // all its lines, including the enhanced status code
}

// String returns the reply in one line.
func (r Reply) String() string { return fmt.Sprintf("%d %s", r.Code, r.Text) }

// OK reports whether the reply is positive.
func (r Reply) OK() bool { return r.Code/100 == 2 }

// The replies of this package.
var (
	replyOK    = Reply{250, "2.0.0 OK"}
	replyLater = Reply{451, "4.3.0 Not now, try again later"}
	replyParam = Reply{555, "5.5.4 A parameter that was not announced"} // RFC 5321 section 4.1.1.11
)

// Limits of the protocol.
const (
	maxLine       = 8 << 10 // octets of a command or a reply line (RFC 5321 section 4.5.3.1 asks for 512)
	maxReplyLines = 100
	maxRecipients = 1000
	bufferBytes   = 64 << 10
)

// ErrProtocol is the error of a peer that breaks the protocol.
var ErrProtocol = errors.New("lmtp: not a line of the protocol")

// A Path is an address and the parameters after it.
type Path struct {
	Address string   // without angle brackets; "" is the null sender
	Params  []string // as given, such as "BODY=8BITMIME"
}

// Param reports whether there is a parameter "NAME" or "NAME=value", whatever its case,
// and returns its value.
func (p *Path) Param(name string) (value string, ok bool) {
	for _, q := range p.Params {
		n, v, _ := strings.Cut(q, "=")
		if strings.EqualFold(n, name) {
			return v, true
		}
	}
	return "", false
}

// pathForm matches the arguments of MAIL or RCPT, without control characters. A ">" in a quoted
// local part does not end the path (RFC 5321 section 4.1.2).
var pathForm = lazyregexp.New(
	`^(?i:(FROM|TO):) *<((?:"(?:\\[^\x00-\x1f\x7f]|[^"\\\x00-\x1f\x7f])*"|[^">\x00-\x1f\x7f])*)>((?: [^\x00-\x1f\x7f]*)?)$`,
)

// parsePath reads the arguments of MAIL or RCPT, for example "FROM:<a@b.example> SIZE=1".
func parsePath(arg, keyword string) (*Path, error) {
	m := pathForm().FindStringSubmatch(arg)
	if m == nil || !strings.EqualFold(m[1], keyword) {
		return nil, ErrProtocol
	}
	return &Path{Address: m[2], Params: strings.Fields(m[3])}, nil
}

// extensions are the extensions that parameters belong to.
var extensions = map[string]string{
	"SIZE":     "SIZE",                                                 // RFC 1870 section 5
	"BODY":     "8BITMIME",                                             // RFC 6152 section 2
	"SMTPUTF8": "SMTPUTF8",                                             // RFC 6531 section 3.4
	"RET":      "DSN", "ENVID": "DSN", "NOTIFY": "DSN", "ORCPT": "DSN", // RFC 3461 section 4
}

// extensionOf returns the extension that a parameter such as "NAME=value" belongs to, or ""
// for an unknown parameter.
func extensionOf(param string) string {
	name, _, _ := strings.Cut(param, "=")
	return extensions[strings.ToUpper(name)]
}

// An Origin is where a mail server got a message from. The mail server sends it by
// XFORWARD, an extension of Postfix, and is trusted with it.
type Origin struct {
	Address string // of the client that sent the message to it; "" if that is not known
	QueueID string // the mail server's identifier for the message; "" if it gives none
}

// xforwardKeyword announces the attributes of XFORWARD that are read.
const xforwardKeyword = "XFORWARD ADDR IDENT"

// maxXforward bounds a value, in octets, as Postfix bounds it.
const maxXforward = 255

// parseXforward reads the arguments of XFORWARD into o, for example "ADDR=192.0.2.1
// IDENT=4fXy". With an error, o may have been changed.
func parseXforward(o *Origin, arg string) error {
	fields := strings.Fields(arg)
	if len(fields) == 0 {
		return ErrProtocol
	}
	for _, f := range fields {
		name, text, _ := strings.Cut(f, "=")
		value, ok := fromXtext(text)
		if !ok || len(value) > maxXforward {
			return ErrProtocol
		}
		if strings.EqualFold(value, "[UNAVAILABLE]") || strings.EqualFold(value, "[TEMPUNAVAIL]") {
			value = ""
		}
		switch strings.ToUpper(name) {
		case "ADDR":
			if len(value) > 5 && strings.EqualFold(value[:5], "IPV6:") {
				value = value[5:]
			}
			o.Address = value
		case "IDENT":
			o.QueueID = value
		default:
			return ErrProtocol
		}
	}
	return nil
}

// fromXtext decodes a value (RFC 3461 section 4). It reports whether the value is well
// formed, is not empty, and has only printable characters.
func fromXtext(s string) (string, bool) {
	text, err := url.PathUnescape(strings.NewReplacer("%", "%25", "+", "%").Replace(s))
	return text, err == nil && text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
