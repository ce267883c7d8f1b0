// Package jmapurl reads and writes URLs of places on a JMAP server that people name: an account,
// one of its mailboxes, or a message of it. JMAP has no URL scheme of its own. This one names the
// server whose session resource is at /.well-known/jmap (RFC 8620 section 2.2):
//
//	jmap://ann@mail.example/                    the account of ann, over https
//	jmap://ann@mail.example/Archive/2024        a mailbox of it, with the names of those above it
//	jmap://ann@mail.example/?account=shared     another account that ann can see
//	jmap://ann@mail.example/?id=M1              a message
//	jmap+http://ann@localhost:8080/             over http
package jmapurl

import (
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/serverurl"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A URL is a place on a JMAP server: an account, a mailbox, or a message.
type URL struct {
	Plain bool // http instead of https
	serverurl.Server
	Mailbox []string // the names of a mailbox and those above it, from the top; nil is the whole account
	Account string   // its id or name; "" is the account of the user
	ID      string   // of a message; "" if none is named
}

const (
	schemeTLS   = "jmap"
	schemePlain = "jmap+http"
)

// Is reports whether a PATH is a place on a JMAP server.
func Is(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, schemeTLS) || strings.EqualFold(scheme, schemePlain))
}

var errURL = errors.New("not the URL of an account such as jmap://user@host/, of a mailbox such as jmap://user@host/Archive/2024, or of a message such as jmap://user@host/?id=ID")

// Parse reads a URL. Its error does not contain the text, which may hold a password.
func Parse(text string) (*URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Fragment != "" || !Is(text) {
		return nil, errURL
	}
	j := &URL{Plain: strings.EqualFold(u.Scheme, schemePlain)}
	j.Server, err = serverurl.Parse(u, j.defaultPort())
	if err != nil {
		return nil, errURL
	}
	j.User, err = serverurl.Named(u)
	if err != nil {
		if errors.Is(err, serverurl.ErrSyntax) {
			err = errURL
		}
		return nil, err
	}
	if err := j.setMailbox(strings.TrimPrefix(u.EscapedPath(), "/")); err != nil {
		return nil, err
	}
	return j, j.setQuery(u.RawQuery)
}

func (j *URL) setMailbox(path string) error {
	if path == "" {
		return nil
	}
	for part := range strings.SplitSeq(path, "/") {
		name, err := url.PathUnescape(part)
		if err != nil || !isText(name) {
			return errURL
		}
		j.Mailbox = append(j.Mailbox, name)
	}
	return nil
}

func (j *URL) setQuery(query string) error {
	if query == "" {
		return nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		to := &j.Account
		if name == "id" {
			to = &j.ID
		} else if name != "account" {
			return errURL
		}
		value, err := url.PathUnescape(value) // unlike in a form, "+" is not a blank
		if err != nil || !isText(value) || *to != "" {
			return errURL
		}
		*to = value
	}
	return nil
}

// isText reports whether a name can be one of a URL.
func isText(s string) bool { return s != "" && utf8.ValidString(s) && !serverurl.HasControl(s) }

// Scheme returns the scheme of the requests: https or http.
func (j *URL) Scheme() string {
	if j.Plain {
		return "http"
	}
	return "https"
}

func (j *URL) defaultPort() uint16 {
	if j.Plain {
		return 80
	}
	return 443
}

// Session returns the URL of the session resource.
func (j *URL) Session() string {
	s := j.Server
	s.User = ""
	return j.Scheme() + "://" + s.Authority(j.defaultPort()) + "/.well-known/jmap"
}

// Message returns the place of a message in the account.
func (j *URL) Message(id string) *URL {
	m := *j
	m.ID = id
	return &m
}

// MailboxURL returns the URL without the message.
func (j *URL) MailboxURL() string { return j.Message("").String() }

// String returns the URL. It has no secrets.
func (j *URL) String() string {
	b := []byte(schemeTLS + "://")
	if j.Plain {
		b = []byte(schemePlain + "://")
	}
	b = append(b, j.Authority(j.defaultPort())...)
	b = append(b, '/')
	for i, name := range j.Mailbox {
		if i > 0 {
			b = append(b, '/')
		}
		b = percent.AppendEncode(b, name, &escapes)
	}
	mark := byte('?')
	for _, p := range []struct{ name, value string }{{"account=", j.Account}, {"id=", j.ID}} {
		if p.value != "" {
			b = append(append(b, mark), p.name...)
			b = percent.AppendEncode(b, p.value, &escapes)
			mark = '&'
		}
	}
	return string(b)
}

// escapes are the octets that names are not written with.
var escapes = percent.Except("-._~!$'()*,:@")
