// Package imapurl reads and writes URLs of places on an IMAP server that people name:
// all of its mailboxes, one of them, or a message (RFC 5092 sections 3 to 5). The other
// forms of RFC 5092 are for URLs in mail, which fetch/imapfetch reads.
package imapurl

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/serverurl"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
)

// A URL is a place on an IMAP server (RFC 5092): all of its mailboxes, one of
// them, or a message.
type URL struct {
	Implicit bool // TLS from the first octet
	serverurl.Server
	Mailbox     string // in UTF-8; "" is all
	UIDValidity uint32 // 0 if it is not named
	UID         uint32 // 0 if no message is named
}

// Is reports whether a PATH is a place on an IMAP server.
func Is(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && rfc5092.IsScheme(strings.ToLower(scheme))
}

var (
	errURL       = errors.New("not the URL of a server such as imap://user@host/, of a mailbox such as imap://user@host/INBOX, or of a message of it")
	errMechanism = errors.New("a URL that wants a way to log in that is not supported")
)

// Parse reads a URL. Its error does not contain the text, which may hold a password.
func Parse(text string) (*URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, errURL // without the text, in which there may be a password
	}
	i := &URL{Implicit: strings.EqualFold(u.Scheme, "imaps")}
	i.Server, err = serverurl.Parse(u, i.defaultPort())
	if err != nil {
		return nil, errURL
	}
	if err := i.setUser(u); err != nil {
		return nil, err
	}
	return i, i.setMailbox(strings.TrimPrefix(u.EscapedPath(), "/"))
}

func (i *URL) defaultPort() uint16 { return host.Port(i.Scheme()) }

// setUser reads iuserinfo (RFC 5092 section 3.2).
func (i *URL) setUser(u *url.URL) error {
	info, err := serverurl.Named(u)
	switch {
	case errors.Is(err, serverurl.ErrSyntax):
		return errURL
	case err != nil:
		return err
	}
	name, mechanism, named := strings.Cut(info, ";AUTH=")
	if named && mechanism != "*" && !strings.EqualFold(mechanism, "PLAIN") {
		return errMechanism
	}
	i.User = name
	return nil
}

// setMailbox reads the path after its slash. Without a name the URL names a server (RFC
// 5092 section 3).
func (i *URL) setMailbox(path string) error {
	values, ok := rfc5092.ParsePath("/" + path)
	if !ok || values.Mailbox == "" && path != "" {
		return errURL
	}
	if values.Section+values.Partial+values.Expire+values.URLAuth != "" {
		return errURL
	}
	for _, number := range [...]struct {
		digits string
		dst    *uint32
	}{{values.UIDValidity, &i.UIDValidity}, {values.UID, &i.UID}} {
		if number.digits == "" {
			continue
		}
		n, err := wire.Number(number.digits)
		if err != nil {
			return errURL
		}
		*number.dst = n
	}
	name, err := url.PathUnescape(values.Mailbox)
	if err != nil || !utf8.ValidString(name) || serverurl.HasControl(name) {
		return errURL
	}
	i.Mailbox = name
	return nil
}

// Scheme returns imap, or imaps for TLS from the first octet.
func (i *URL) Scheme() string { return rfc5092.Scheme(i.Implicit) }

// Message returns the place of a message in the mailbox.
func (i *URL) Message(uid uint32) *URL {
	m := *i
	m.UID = uid
	return &m
}

// String returns the URL with all that is known. It has no secrets.
func (i *URL) String() string {
	if i.UID == 0 {
		return i.MailboxURL()
	}
	return i.MailboxURL() + "/;UID=" + strconv.FormatUint(uint64(i.UID), 10)
}

// MailboxURL returns the URL without the message.
func (i *URL) MailboxURL() string {
	s := i.Scheme() + "://" + i.Authority(i.defaultPort()) + "/" + string(percent.AppendEncode(nil, i.Mailbox, &mailboxEscapes))
	if i.UIDValidity != 0 {
		s += ";UIDVALIDITY=" + strconv.FormatUint(uint64(i.UIDValidity), 10)
	}
	return s
}

// mailboxEscapes are the octets that enc-mailbox may not contain (RFC 5092 section 11).
var mailboxEscapes = percent.Except(serverurl.UserChars + ":@/")
