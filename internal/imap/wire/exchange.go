package wire

import (
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/utf7"
)

// Exchange sends commands and reads responses until all of them are done. It gives each
// untagged response to handle, and each "+" to more; both may be nil. refused is the status of the last
// command that the server refused, or nil if it refused none. err is not nil if the
// connection cannot be used any more.
func (c *Conn) Exchange(handle func([]byte) error, more func() error, commands ...string) (refused *Status, err error) {
	defer func() { c.Broken = c.Broken || err != nil }()
	first := c.tags + 1
	if _, err := c.Send(commands...); err != nil {
		return nil, err
	}
	for left := len(commands); left > 0; {
		line, err := c.Response()
		if err != nil {
			return nil, err
		}
		switch {
		case HasPrefixFold(line, "* BYE"):
			return nil, NewFault(ErrUnavailable, ErrBye)
		case HasPrefixFold(line, "* "):
			if handle == nil {
				continue
			}
			if err := handle(line); err != nil {
				return nil, err
			}
			continue
		case HasPrefixFold(line, "+") && more != nil:
			if err := more(); err != nil {
				return nil, err
			}
			continue
		}
		tag, text, _ := strings.Cut(string(line), " ")
		n, err := strconv.Atoi(strings.TrimPrefix(tag, "a"))
		if err != nil || n < first || n > c.tags {
			return nil, NewFault(ErrProtocol, ErrNotIMAP)
		}
		st, err := ParseStatus(text)
		if err != nil {
			return nil, err
		}
		if st.Result != "OK" {
			refused = st
		}
		left--
	}
	return refused, nil
}

// Command is Exchange of one command. A refusal is an error of the given kind, unless
// the response code is more exact.
func (c *Conn) Command(kind error, handle func([]byte) error, command string) error {
	refused, err := c.Exchange(handle, nil, command)
	if err != nil || refused == nil {
		return err
	}
	return refused.Fault(kind)
}

// greeting reads the greeting (RFC 3501 section 7.1) and reports whether the server
// has logged us in.
func (c *Conn) greeting() (preauth bool, err error) {
	line, err := c.Response()
	if err != nil {
		return false, err
	}
	switch {
	case HasPrefixFold(line, "* OK"):
		return false, nil
	case HasPrefixFold(line, "* PREAUTH"):
		return true, nil
	case HasPrefixFold(line, "* BYE"):
		return false, NewFault(ErrUnavailable, ErrBye)
	}
	return false, NewFault(ErrProtocol, ErrNotIMAP)
}

// Capability asks for the server's capabilities. Those from before TLS or before the
// login do not count afterwards (RFC 3501 section 6.2.1).
func (c *Conn) Capability() error {
	c.Caps = make(map[string]bool)
	return c.Command(ErrProtocol, func(line []byte) error {
		if HasPrefixFold(line, "* CAPABILITY ") {
			for _, word := range strings.Fields(strings.ToUpper(string(line)))[2:] {
				c.Caps[word] = true
			}
		}
		return nil
	}, "CAPABILITY")
}

// NamesInUTF8 reports whether the names of mailboxes are in UTF-8 (RFC 9051 section
// 5.1).
func (c *Conn) NamesInUTF8() bool { return c.Caps["IMAP4REV2"] && !c.Caps["IMAP4REV1"] }

// Mailbox returns the name of a mailbox, given in UTF-8, in the form in which it is
// sent.
func (c *Conn) Mailbox(name string) string {
	if !c.NamesInUTF8() {
		name = utf7.Encode(name)
	}
	return Quoted(name)
}
