package main

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An imapURL is a place on an IMAP server (RFC 5092): all of its mailboxes, one of
// them, or a message.
type imapURL struct {
	implicit    bool   // TLS from the first octet
	user        string // "" if none is named
	host        string
	port        string
	mailbox     string // in UTF-8; "" is all
	uidValidity uint32 // 0 if it is not named
	uid         uint32 // 0 if no message is named
}

// isIMAP reports whether a PATH is a place on an IMAP server.
func isIMAP(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, "imap") || strings.EqualFold(scheme, "imaps"))
}

var (
	errIMAPURL       = errors.New("not the URL of a server such as imap://user@host/, of a mailbox such as imap://user@host/INBOX, or of a message of it")
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
	if !isHost(i.host) {
		return nil, errIMAPURL
	}
	if err := i.setUser(u.User); err != nil {
		return nil, err
	}
	return i, i.setMailbox(strings.TrimPrefix(u.EscapedPath(), "/"))
}

// isHost reports whether a host can be written in a URL as it is, a zone apart.
func isHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return plain(addr.Zone()) == addr.Zone()
	}
	return utf8.ValidString(host) && !hasControl(host) && !strings.ContainsAny(host, " \"%:<>[\\]^`{|}")
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

// setMailbox reads an encoded mailbox name with or without UIDVALIDITY (RFC 5092
// section 4) and UID (RFC 5092 section 5). The parameters are found first, and the
// name decoded then. Without a name the URL is that of a server (RFC 5092 section 3).
func (i *imapURL) setMailbox(path string) error {
	rest, uid, has := cutFold(path, "/;UID=")
	if err := setNumber(&i.uid, uid, has); err != nil {
		return err
	}
	name, validity, has := cutFold(rest, ";UIDVALIDITY=")
	if err := setNumber(&i.uidValidity, validity, has); err != nil {
		return err
	}
	if name == "" && path != "" || strings.Contains(name, ";") {
		return errIMAPURL
	}
	name, err := url.PathUnescape(name)
	if err != nil || !utf8.ValidString(name) || hasControl(name) {
		return errIMAPURL
	}
	i.mailbox = name
	return nil
}

// setNumber reads an nz-number (RFC 3501 section 9), if there is one.
func setNumber(n *uint32, digits string, has bool) error {
	if !has {
		return nil
	}
	number, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || number == 0 {
		return errIMAPURL
	}
	*n = uint32(number)
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

// message returns the place of a message in the mailbox.
func (i *imapURL) message(uid uint32) *imapURL {
	m := *i
	m.uid = uid
	return &m
}

func (i *imapURL) address() string { return net.JoinHostPort(i.host, i.port) }

// String returns the URL with all that is known. It has no secrets.
func (i *imapURL) String() string {
	if i.uid == 0 {
		return i.mailboxURL()
	}
	return i.mailboxURL() + "/;UID=" + strconv.FormatUint(uint64(i.uid), 10)
}

// mailboxURL returns the URL without the message.
func (i *imapURL) mailboxURL() string {
	host := strings.ReplaceAll(i.address(), "%", "%25") // of a zone (RFC 6874 section 2)
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
