package imapfetch

import (
	"cmp"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
)

// A location is the place that the path of a URL names (RFC 5092 section 11).
type location struct {
	mailbox     string // in UTF-8
	uidValidity uint32 // 0 if not given
	uid         uint32
	section     string // a section-spec in capitals but for field names; "" is the message
	partial     bool
	offset      int64
	length      int64 // 0: to the end
	expire      time.Time
	access      string // the identifier of URLAUTH; "" without it
}

var (
	errList     = errors.New("the URL names a server or a mailbox")
	errOrder    = errors.New("a parameter that is unknown, empty, repeated or out of order")
	errMailbox  = errors.New("a mailbox name that is empty or not UTF-8 without control characters")
	errSection  = errors.New("not a section of a message")
	errRange    = errors.New("a PARTIAL that is no range")
	errExpire   = errors.New("an EXPIRE that is no time")
	errURLAuth  = errors.New("a URLAUTH that is not complete")
	errSubmit   = errors.New("a URLAUTH for submission servers")
	errEncoding = errors.New("a bad percent-encoding")
)

// parse reads an encoded path.
func (l *location) parse(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fault(fetch.Unsupported, errList)
	}
	values, ok := rfc5092.ParsePath(path)
	if !ok {
		return fault(fetch.Malformed, errOrder)
	}
	if err := l.decode(values.Mailbox, (*location).setMailbox); err != nil {
		return err
	}
	for _, param := range [...]struct {
		value string
		set   func(*location, string) error
	}{
		{values.UIDValidity, (*location).setUIDValidity},
		{values.UID, (*location).setUID},
		{values.Section, (*location).setSection},
		{values.Partial, (*location).setPartial},
		{values.Expire, (*location).setExpire},
		{values.URLAuth, (*location).setURLAuth},
	} {
		if param.value == "" {
			continue
		}
		if err := l.decode(param.value, param.set); err != nil {
			return err
		}
	}
	if l.uid == 0 {
		// RFC 5092 sections 4 and 5.
		return fault(fetch.Unsupported, errList)
	}
	return nil
}

// decode sets the value of a parameter.
func (l *location) decode(value string, set func(*location, string) error) error {
	s, err := url.PathUnescape(value)
	if err != nil {
		return fault(fetch.Malformed, errEncoding)
	}
	err = set(l, s)
	if _, ok := err.(*fetch.Error); err == nil || ok {
		return err
	}
	return fault(fetch.Malformed, err)
}

func (l *location) setMailbox(s string) error {
	if s == "" {
		return fault(fetch.Unsupported, errList)
	}
	control := func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }
	if !utf8.ValidString(s) || strings.ContainsFunc(s, control) {
		return errMailbox
	}
	l.mailbox = s
	return nil
}

func (l *location) setUIDValidity(s string) (err error) {
	l.uidValidity, err = wire.Number(s)
	return err
}

func (l *location) setUID(s string) (err error) {
	l.uid, err = wire.Number(s)
	return err
}

// The syntax of a section (RFC 3501 section 9). Part numbers have at most nine digits.
const (
	partNumbers = `[1-9][0-9]{0,8}(?:\.[1-9][0-9]{0,8})*`
	fieldName   = `[^(){}\[\]%*"\\ :]+`
	sectionText = `HEADER|TEXT|HEADER\.FIELDS(?:\.NOT)? \(` + fieldName + `(?: ` + fieldName + `)*\)`
)

var sectionSpec = lazyregexp.New(`^(?i:` + partNumbers + `(?:\.(?:MIME|` + sectionText + `))?|` + sectionText + `)$`)

// setSection reads a section-spec.
func (l *location) setSection(s string) error {
	if !wire.Sendable(s) || !sectionSpec().MatchString(s) {
		return errSection
	}
	spec, fields, listed := strings.Cut(s, " ")
	l.section = strings.ToUpper(spec)
	if listed {
		l.section += " " + fields
	}
	return nil
}

// setPartial reads a partial-range (RFC 5092 section 11).
func (l *location) setPartial(s string) error {
	offset, length, more := strings.Cut(s, ".")
	o, err := strconv.ParseUint(offset, 10, 32)
	if err != nil {
		return errRange
	}
	l.partial = true
	l.offset = int64(o)
	if !more {
		return nil
	}
	n, err := wire.Number(length)
	if err != nil {
		return errRange
	}
	l.length = int64(n)
	return nil
}

func (l *location) setExpire(s string) (err error) {
	l.expire, err = time.Parse(time.RFC3339, strings.ToUpper(s))
	if err != nil {
		return errExpire
	}
	return nil
}

// minToken is the shortest token: 128 bits in hexadecimal (RFC 4467 section 3).
const minToken = 32

// setURLAuth reads access, mechanism and token, of which the server checks the
// latter two.
func (l *location) setURLAuth(s string) error {
	access, verifier, _ := strings.Cut(s, ":")
	mechanism, token, _ := strings.Cut(verifier, ":")
	isToken := len(token) >= minToken && strings.Trim(token, "0123456789abcdefABCDEF") == ""
	if l.uid == 0 || mechanism == "" || !isToken {
		return errURLAuth
	}
	kind, user, named := strings.Cut(access, "+")
	switch kind = strings.ToLower(kind); {
	case named && kind == "submit":
		return fault(fetch.Unsupported, errSubmit)
	case named && kind == "user" && user != "":
		l.access = "user+" + user
	case !named && (kind == "authuser" || kind == "anonymous"):
		l.access = kind
	default:
		return errURLAuth
	}
	return nil
}

// item returns the item to fetch, without PEEK, as responses name it.
func (l *location) item(peek bool) string {
	s := "BODY["
	if peek {
		s = "BODY.PEEK["
	}
	s += l.section + "]"
	if !l.partial {
		return s
	}
	s += "<" + strconv.FormatInt(l.offset, 10)
	if peek {
		n := cmp.Or(l.length, 1<<32-1)
		s += "." + strconv.FormatInt(n, 10)
	}
	return s + ">"
}

// isPart reports whether the section is a body part, which has a type and a
// transfer encoding of its own.
func (l *location) isPart() bool {
	return l.section != "" && strings.Trim(l.section, "0123456789.") == ""
}

func fault(kind fetch.Kind, err error) error { return &fetch.Error{Kind: kind, Err: err} }
