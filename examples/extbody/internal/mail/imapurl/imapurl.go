// Package imapurl reads and writes URLs of places on an IMAP server that people name:
// all of its mailboxes, one of them, or a message (RFC 5092 sections 3 to 5). The other
// forms of RFC 5092 are for URLs in mail, which fetch/imapfetch reads.
package imapurl

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A URL is a place on an IMAP server (RFC 5092): all of its mailboxes, one of
// them, or a message.
type URL struct {
	Implicit    bool   // TLS from the first octet
	User        string // "" if none is named
	Host        string
	Port        uint16
	Mailbox     string // in UTF-8; "" is all
	UIDValidity uint32 // 0 if it is not named
	UID         uint32 // 0 if no message is named
}

// Is reports whether a PATH is a place on an IMAP server.
func Is(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, "imap") || strings.EqualFold(scheme, "imaps"))
}

var (
	errURL       = errors.New("not the URL of a server such as imap://user@host/, of a mailbox such as imap://user@host/INBOX, or of a message of it")
	errPassword  = errors.New("a password in a URL, where others see it; use --password-command or --netrc")
	errMechanism = errors.New("a URL that wants a way to log in that is not supported")
)

// Parse reads a URL. Its error does not contain the text, which may hold a password.
func Parse(text string) (*URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, errURL // without the text, in which there may be a password
	}
	i := &URL{Implicit: strings.EqualFold(u.Scheme, "imaps"), Host: u.Hostname()}
	if !isHost(i.Host) {
		return nil, errURL
	}
	if err := i.setPort(u.Port()); err != nil {
		return nil, err
	}
	if err := i.setUser(u.User); err != nil {
		return nil, err
	}
	return i, i.setMailbox(strings.TrimPrefix(u.EscapedPath(), "/"))
}

// The ports of a URL that does not name one.
const (
	portIMAP  = 143
	portIMAPS = 993
)

func (i *URL) defaultPort() uint16 {
	if i.Implicit {
		return portIMAPS
	}
	return portIMAP
}

func (i *URL) setPort(digits string) error {
	if digits == "" {
		i.Port = i.defaultPort()
		return nil
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 {
		return errURL
	}
	i.Port = uint16(n)
	return nil
}

// isHost reports whether a host can be written in a URL as it is, apart from its zone.
func isHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return strings.Trim(addr.Zone(), zoneChars) == ""
	}
	return utf8.ValidString(host) && !hasControl(host) && !strings.ContainsAny(host, " \"%:<>[\\]^`{|}")
}

// setUser reads iuserinfo (RFC 5092 section 3.2).
func (i *URL) setUser(info *url.Userinfo) error {
	if info == nil {
		return nil
	}
	if _, has := info.Password(); has {
		return errPassword
	}
	name, mechanism, named := strings.Cut(info.Username(), ";AUTH=")
	if named && mechanism != "*" && !strings.EqualFold(mechanism, "PLAIN") {
		return errMechanism
	}
	if hasControl(name) {
		return errURL
	}
	i.User = name
	return nil
}

// mailboxPath is an encoded mailbox name with or without UIDVALIDITY (RFC 5092 section 4)
// and UID (RFC 5092 section 5). The name has no ";".
var mailboxPath = regexp.MustCompile(`(?i)^([^;]*?)(?:;UIDVALIDITY=([0-9]+))?(?:/;UID=([0-9]+))?$`)

// setMailbox reads the path after its slash. Without a name the URL names a server (RFC
// 5092 section 3).
func (i *URL) setMailbox(path string) error {
	found := mailboxPath.FindStringSubmatch(path)
	if found == nil || found[1] == "" && path != "" {
		return errURL
	}
	for k, n := range []*uint32{&i.UIDValidity, &i.UID} {
		if digits := found[2+k]; digits != "" {
			var err error
			if *n, err = wire.Number(digits); err != nil {
				return errURL
			}
		}
	}
	name, err := url.PathUnescape(found[1])
	if err != nil || !utf8.ValidString(name) || hasControl(name) {
		return errURL
	}
	i.Mailbox = name
	return nil
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 })
}

// Scheme returns imap, or imaps for TLS from the first octet.
func (i *URL) Scheme() string {
	if i.Implicit {
		return "imaps"
	}
	return "imap"
}

// Message returns the place of a message in the mailbox.
func (i *URL) Message(uid uint32) *URL {
	m := *i
	m.UID = uid
	return &m
}

// Address returns the host and the port to dial.
func (i *URL) Address() string { return net.JoinHostPort(i.Host, strconv.Itoa(int(i.Port))) }

// String returns the URL with all that is known. It has no secrets.
func (i *URL) String() string {
	if i.UID == 0 {
		return i.MailboxURL()
	}
	return i.MailboxURL() + "/;UID=" + strconv.FormatUint(uint64(i.UID), 10)
}

// MailboxURL returns the URL without the message.
func (i *URL) MailboxURL() string {
	host := strings.ReplaceAll(i.Address(), "%", "%25") // of a zone (RFC 6874 section 2)
	if i.Port == i.defaultPort() {
		host = host[:strings.LastIndexByte(host, ':')]
	}
	if i.User != "" {
		host = string(percent.AppendEncode(nil, i.User, &userEscapes)) + "@" + host
	}
	s := i.Scheme() + "://" + host + "/" + string(percent.AppendEncode(nil, i.Mailbox, &mailboxEscapes))
	if i.UIDValidity != 0 {
		s += ";UIDVALIDITY=" + strconv.FormatUint(uint64(i.UIDValidity), 10)
	}
	return s
}

// The characters that enc-user and enc-mailbox may contain (RFC 5092 section 11).
const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	userChars    = alphanumeric + "-._~!$'()*+,&="
	mailboxChars = userChars + ":@/"

	zoneChars = alphanumeric + "-._"
)

var (
	userEscapes    = percent.Except(userChars)
	mailboxEscapes = percent.Except(mailboxChars)
)
