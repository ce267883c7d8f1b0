package mailfetch

import (
	"bytes"
	"errors"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

var (
	errNoSender = errors.New("Options.Send is not set")
	errNoFrom   = errors.New("Options.From is not set")
	errFrom     = errors.New("no address to send from")
	errScheme   = errors.New("not a mailto URL")
	errEscape   = errors.New("a bad percent-encoding in the URL")
	errAddress  = errors.New("not one mail address")
	errLocal    = errors.New("a mail address of the local network")
	errField    = errors.New("a header field other than subject")
	errTwice    = errors.New("a subject or a body given twice")
	errSubject  = errors.New("a subject that is too long or has characters that a header field must not have")
	errBody     = errors.New("a body with NUL, with CR by itself, or that is no UTF-8")
	errOften    = errors.New("too many requests by mail")
)

// maxLine is the longest line of a message, without CRLF (RFC 5322 section
// 2.1.1).
const maxLine = 998

// A request is a message to a mail server. Everything in it but contentID has been
// checked.
type request struct {
	from, to  address
	subject   string
	body      string // with CRLF line ends
	contentID string
}

// setBody sets the body. A LF by itself is a line end of the system on which
// the reference was written; a CR by itself has no meaning in mail, and would
// have one to some servers.
func (r *request) setBody(s string) error {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.ContainsAny(s, "\r\x00") || !utf8.ValidString(s) {
		return errBody
	}
	r.body = strings.ReplaceAll(s, "\n", "\r\n")
	return nil
}

// message returns the request as a message (RFC 5322).
func (r *request) message(id string, now time.Time) []byte {
	charset := "us-ascii"
	encoding := "7bit"
	if !ascii(r.body) {
		charset = "utf-8"
	}
	long := func(line string) bool { return len(line) > maxLine }
	if !ascii(r.body) || slices.ContainsFunc(strings.Split(r.body, "\r\n"), long) {
		encoding = "quoted-printable"
	}
	var b bytes.Buffer
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\r\n") }
	line("From: ", r.from.String())
	line("To: ", r.to.String())
	if r.subject != "" {
		line("Subject: ", r.subject)
	}
	line("Date: ", now.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	line("Message-ID: ", id)
	line("Comments: This message was generated automatically in an attempt to")
	if isMessageID(r.contentID) {
		line(" resolve a MIME external-body reference, whose Content-ID is")
		line(" ", r.contentID)
	} else {
		line(" resolve a MIME external-body reference")
	}
	line("Auto-Submitted: auto-generated")
	line("MIME-Version: 1.0")
	line("Content-Type: text/plain; charset=", charset)
	line("Content-Transfer-Encoding: ", encoding)
	line()
	if encoding == "7bit" {
		b.WriteString(r.body)
		return b.Bytes()
	}
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(r.body)) // to memory: no error
	w.Close()
	return b.Bytes()
}

// isMessageID reports whether id is fit for a line of its own: something in
// angle brackets without white space or control characters. A reference with
// another one can be asked for all the same.
func isMessageID(id string) bool {
	bad := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	if len(id) <= len("<>") || len(id) >= maxLine {
		return false
	}
	return id[0] == '<' && id[len(id)-1] == '>' && !strings.ContainsFunc(id, bad)
}

// parseMailto reads a mailto URL (RFC 6068 section 2) into a request that can be
// sent.
func parseMailto(text string) (*request, error) {
	scheme, rest, _ := strings.Cut(text, ":")
	if !strings.EqualFold(scheme, "mailto") {
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errScheme}
	}
	rest, _, _ = strings.Cut(rest, "#")
	to, fields, _ := strings.Cut(rest, "?")
	r := new(request)
	if err := r.setTo(to); err != nil {
		return nil, err
	}
	if err := r.setFields(fields); err != nil {
		return nil, malformed(err)
	}
	return r, nil
}

// setTo sets the one recipient. A "/" is to be encoded (RFC 6068 section 2), and
// without this rule mailto://a@b would be mail to "//a".
func (r *request) setTo(encoded string) error {
	to, err := decode(encoded)
	if err != nil {
		return malformed(err)
	}
	r.to, err = parseAddress(to)
	if err != nil || strings.Contains(encoded, "/") {
		return malformed(errAddress)
	}
	if strings.HasPrefix(strings.TrimPrefix(r.to.local, `"`), "-") {
		return malformed(errAddress)
	}
	if host.SingleLabel(r.to.domain) {
		return &fetch.Error{Kind: fetch.Blocked, Err: errLocal}
	}
	return nil
}

// setFields sets the subject and the body.
func (r *request) setFields(fields string) error {
	seen := make(map[string]bool)
	for field := range strings.SplitSeq(fields, "&") {
		if field == "" {
			continue
		}
		encodedName, encodedValue, _ := strings.Cut(field, "=")
		name, nameErr := decode(encodedName)
		value, err := decode(encodedValue)
		if nameErr != nil || err != nil {
			return errEscape
		}
		name = strings.ToLower(name)
		if seen[name] {
			return errTwice
		}
		seen[name] = true
		switch name {
		case "subject":
			bad := func(c rune) bool { return c < ' ' && c != '\t' || c >= 0x7f }
			if len("Subject: "+value) > maxLine || strings.ContainsFunc(value, bad) {
				return errSubject
			}
			r.subject = value
		case "body":
			err = r.setBody(value)
		default:
			err = errField
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decode undoes the percent-encoding. A "+" stands for itself (RFC 6068 section
// 5).
func decode(s string) (string, error) {
	if !percent.Valid(s) {
		return "", errEscape
	}
	return string(percent.AppendDecode(nil, s)), nil
}

// Limits of RFC 5321 section 4.5.3.1: a path has 256 octets with its brackets.
const (
	maxLocal   = 64
	maxAddress = 254
)

// An address is an addr-spec (RFC 5322 section 3.4.1).
type address struct {
	local  string // a dot-atom or a quoted string
	domain string // in canonical form
}

func (a address) String() string { return a.local + "@" + a.domain }

// parseAddress parses an addr-spec of ASCII characters, without white space or
// comments around its parts, and without a domain literal. The error is
// errAddress.
func parseAddress(s string) (address, error) {
	at := strings.LastIndexByte(s, '@')
	fits := at <= maxLocal && len(s) <= maxAddress
	if at < 0 || !fits || !ascii(s) {
		return address{}, errAddress
	}
	domain, err := host.Canonical(s[at+1:])
	a := address{s[:at], domain}
	if _, literal := host.Addr(domain); literal || err != nil {
		return address{}, errAddress
	}
	if parsed, err := mail.ParseAddress("<" + a.String() + ">"); err != nil || parsed.String() != "<"+a.String()+">" {
		return address{}, errAddress
	}
	return a, nil
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

func malformed(err error) error { return &fetch.Error{Kind: fetch.Malformed, Err: err} }
