package main

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An imapURL names a mailbox (RFC 5092).
type imapURL struct {
	implicit    bool   // TLS from the first octet
	user        string // "" if none is named
	host        string
	port        string
	mailbox     string // in UTF-8
	uidValidity uint32 // 0 if it is not named
}

// isIMAP reports whether a PATH names a mailbox of an IMAP server.
func isIMAP(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, "imap") || strings.EqualFold(scheme, "imaps"))
}

var (
	errIMAPURL       = errors.New("not the URL of a mailbox such as imap://user@host/INBOX")
	errIMAPPassword  = errors.New("a password in a URL, where others see it; use --password-command or --netrc")
	errIMAPMechanism = errors.New("a URL that wants a way to log in that is not supported")
)

func parseIMAPURL(text string) (*imapURL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, errIMAPURL // without the text, in which there may be a password
	}
	i := &imapURL{implicit: strings.EqualFold(u.Scheme, "imaps"), host: u.Hostname(), port: u.Port()}
	if i.port == "" {
		i.port = "143"
		if i.implicit {
			i.port = "993"
		}
	}
	if err := i.setUser(u.User); err != nil {
		return nil, err
	}
	return i, i.setMailbox(strings.TrimPrefix(u.EscapedPath(), "/"))
}

// setUser reads iuserinfo (RFC 5092 section 3.2).
func (i *imapURL) setUser(info *url.Userinfo) error {
	if info == nil {
		return nil
	}
	if _, has := info.Password(); has {
		return errIMAPPassword
	}
	name, mechanism, named := strings.Cut(info.Username(), ";AUTH=")
	if named && mechanism != "*" && !strings.EqualFold(mechanism, "PLAIN") {
		return errIMAPMechanism
	}
	if hasControl(name) {
		return errIMAPURL
	}
	i.user = name
	return nil
}

// setMailbox reads an encoded mailbox name with or without UIDVALIDITY (RFC
// 5092 section 4). The parameter is found first, and the name decoded then.
func (i *imapURL) setMailbox(path string) error {
	name, validity, has := cutFold(path, ";UIDVALIDITY=")
	if has {
		n, err := strconv.ParseUint(validity, 10, 32)
		if err != nil || n == 0 {
			return errIMAPURL
		}
		i.uidValidity = uint32(n)
	}
	if name == "" || strings.Contains(name, ";") {
		return errIMAPURL
	}
	name, err := url.PathUnescape(name)
	if err != nil || !utf8.ValidString(name) || hasControl(name) {
		return errIMAPURL
	}
	i.mailbox = name
	return nil
}

// cutFold is strings.Cut without regard to the case of ASCII.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 })
}

func (i *imapURL) scheme() string {
	if i.implicit {
		return "imaps"
	}
	return "imap"
}

func (i *imapURL) address() string { return net.JoinHostPort(i.host, i.port) }

// String returns the URL with the user and the UIDVALIDITY, if they are known. With
// "/;UID=" and a UID after it, it names a message. It has no secrets.
func (i *imapURL) String() string {
	host := i.address()
	if i.implicit && i.port == "993" || !i.implicit && i.port == "143" {
		host = strings.TrimSuffix(host, ":"+i.port)
	}
	if i.user != "" {
		host = escapeIMAP(i.user, userChars) + "@" + host
	}
	s := i.scheme() + "://" + host + "/" + escapeIMAP(i.mailbox, mailboxChars)
	if i.uidValidity != 0 {
		s += ";UIDVALIDITY=" + strconv.FormatUint(uint64(i.uidValidity), 10)
	}
	return s
}

// What may stand in enc-user and enc-mailbox besides letters and digits (RFC 5092
// section 11).
const (
	userChars    = "-._~!$'()*+,&="
	mailboxChars = userChars + ":@/"
)

// escapeIMAP encodes what is neither a letter, a digit nor one of chars.
func escapeIMAP(name, chars string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; isAlphanumeric(rune(c)) || strings.IndexByte(chars, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}
