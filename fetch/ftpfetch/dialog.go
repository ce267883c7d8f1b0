package ftpfetch

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

var errNotReply = errors.New("not a reply of FTP")

// A dialog sends commands and reads replies.
type dialog struct {
	conn  net.Conn
	wait  time.Duration // for each command to be sent, and for each reply; 0 or less is no limit
	meter meter
	in    *bufio.Reader

	log    *fetch.Exchange
	secret func(text string) bool // reports whether a reply has credentials in it
	code   int                    // of the last reply
}

func newDialog(conn net.Conn, wait time.Duration) *dialog {
	d := &dialog{conn: conn, wait: wait, meter: meter{src: conn, session: maxSession}}
	d.in = bufio.NewReader(&d.meter)
	return d
}

// send sends a command line. A line that would be more than one command is an
// error here too, whatever was checked before.
func (d *dialog) send(line string) error {
	if !sendable(line) {
		return malformed(errInject)
	}
	d.conn.SetWriteDeadline(d.deadline())
	// RFC 3659 section 2.2: an octet 255 would start a Telnet command, and is
	// doubled.
	line = strings.ReplaceAll(line, "\xff", "\xff\xff")
	driver.Say(d.log, true, withoutLogin(line))
	_, err := io.WriteString(d.conn, line+"\r\n")
	return lost(err, verb(line))
}

// reply reads a reply, which errors call what. An error is about the connection or
// the form of the reply, never about its code.
//
// RFC 959 section 4.2: a line whose code a hyphen follows starts a reply of
// several lines, which ends with the first line that has the same code and a
// space. The form of the lines between them does not matter.
func (d *dialog) reply(what string) (reply, error) {
	d.conn.SetReadDeadline(d.deadline())
	line, err := d.line()
	if err != nil {
		return reply{}, lost(err, what)
	}
	code, text, more, ok := parseLine(line)
	d.code = code
	if !ok {
		return reply{}, &fetch.Error{Kind: fetch.Protocol, Err: errNotReply}
	}
	lines := []string{text}
	room := maxReply - len(text)
	for more {
		line, err = d.line()
		if err != nil {
			return reply{}, lost(err, what)
		}
		if c, text, hyphen, ok := parseLine(line); ok && c == code {
			line = text
			more = hyphen
		}
		// RFC 1123 section 4.1.2.11: excess lines are ignored up to the end.
		room -= len(line) + 1
		if room >= 0 {
			lines = append(lines, line)
		}
	}
	return reply{code, strings.Join(lines, "\n")}, nil
}

// line reads a line without its end. A line must have an end: package textproto,
// which has readers for this, takes the octets before a lost connection for a line.
func (d *dialog) line() (string, error) {
	d.meter.line = maxLine
	s, err := d.in.ReadString('\n')
	if err != nil {
		return "", err
	}
	s = strings.TrimSuffix(s[:len(s)-1], "\r")
	if driver.Full(d.log) && d.secret(s) {
		driver.Say(d.log, false, s[:min(len(s), 4)]+cutOut)
		return s, nil
	}
	driver.Say(d.log, false, s)
	return s, nil
}

// cutOut stands for text that was cut out of the dialogue.
const cutOut = "(cut)"

// withoutLogin returns a command line without credentials. The name of an
// anonymous login stays.
func withoutLogin(line string) string {
	v, arg, _ := strings.Cut(line, " ")
	switch {
	case v == "PASS", v == "ACCT", v == "USER" && !isAnonymous(arg):
		return v + " " + cutOut
	}
	return line
}

// parseLine splits a line into a code, text, and the character between them: a space
// in the last line of a reply, a hyphen in the others. Codes begin with 1 to 5.
func parseLine(line string) (code int, text string, more, ok bool) {
	if len(line) < 4 || line[0] < '1' || line[0] > '5' {
		return 0, "", false, false
	}
	if line[3] != ' ' && line[3] != '-' {
		return 0, "", false, false
	}
	code, err := strconv.Atoi(line[:3])
	return code, line[4:], line[3] == '-', err == nil
}

func (d *dialog) deadline() time.Time {
	if d.wait <= 0 {
		return time.Time{}
	}
	return time.Now().Add(d.wait)
}

// lost gives an error of the control connection its Kind.
func lost(err error, what string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return driver.NewTimeout(what)
	}
	if e, ok := err.(*fetch.Error); ok {
		return e
	}
	kind := fetch.KindOfFetch(err)
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	case kind == fetch.Truncated:
		kind = fetch.Unavailable
	}
	return &fetch.Error{Kind: kind, Err: err}
}

func verb(line string) string {
	v, _, _ := strings.Cut(line, " ")
	return v
}

// A reply is the server's answer to a command. The lines of its text are
// separated by "\n".
type reply struct {
	code int
	text string
}

// A class is the first digit of a reply, which is all that decides (RFC 1123
// section 4.1.2.11).
type class int

const (
	preliminary class = 1
	completed   class = 2
)

func (r reply) class() class { return class(r.code / 100) }

// kind returns the Kind of a reply that is not the one hoped for.
func (r reply) kind() fetch.Kind {
	switch r.code {
	case 331, 332, 530, 532:
		return fetch.Credentials
	case 550:
		// The code stands for a file that is missing and for one that may not
		// be read (RFC 959 section 4.2.1), and only the text may distinguish the two.
		for _, word := range []string{"denied", "permission", "permitted", "forbidden"} {
			if strings.Contains(strings.ToLower(r.text), word) {
				return fetch.Forbidden
			}
		}
		return fetch.NotFound
	case 553:
		return fetch.Forbidden
	}
	if r.code/100 == 4 {
		return fetch.Unavailable
	}
	return fetch.Protocol
}

// size returns the number of octets that the reply before a transfer names, as most
// servers have it at the end of theirs: "150 Opening BINARY mode data connection for a
// (1000 bytes)". A size before it is part of the name of the file.
func (r reply) size() (size int64, ok bool) {
	for rest := r.text; ; {
		_, after, found := strings.Cut(rest, "(")
		if !found {
			return size, ok
		}
		rest = after
		words := strings.Fields(rest[:strings.IndexByte(rest+")", ')')])
		if len(words) == 2 && strings.EqualFold(words[1], "bytes") {
			n, err := strconv.ParseUint(words[0], 10, 63)
			size = int64(n)
			ok = err == nil
		}
	}
}

// maxExcerpt bounds the characters of an excerpt.
const maxExcerpt = 100

// excerpt returns the start of s with a space for each run of characters
// that are not printable.
func excerpt(s string) string {
	if len(s) > maxExcerpt*utf8.UTFMax {
		s = s[:maxExcerpt*utf8.UTFMax]
	}
	words := strings.FieldsFunc(s, func(c rune) bool {
		return c == utf8.RuneError || c == ' ' || !unicode.IsPrint(c)
	})
	runes := []rune(strings.Join(words, " "))
	return string(runes[:min(len(runes), maxExcerpt)])
}

// features returns the names that a reply to FEAT lists, one a line between the
// first line and the last (RFC 2389 section 3.2).
func (r reply) features() map[string]bool {
	features := make(map[string]bool)
	lines := strings.Split(r.text, "\n")
	for _, line := range lines[min(1, len(lines)):max(len(lines)-1, 1)] {
		if words := strings.Fields(line); len(words) > 0 {
			features[strings.ToUpper(words[0])] = true
		}
	}
	return features
}

// Limits on octets of a line, of the kept part of a reply, and of all replies of a
// session. Greetings of a few kilobytes exist.
const (
	maxLine    = 64 << 10
	maxReply   = 64 << 10
	maxSession = 1 << 20
)

var errTooLong = errors.New("a reply that is too long")

// A meter bounds the octets of one line, and of all replies of a session.
type meter struct {
	src           io.Reader
	line, session int // octets left
}

func (m *meter) Read(p []byte) (int, error) {
	left := min(m.line, m.session)
	if left <= 0 {
		return 0, &fetch.Error{Kind: fetch.Protocol, Err: errTooLong}
	}
	n, err := m.src.Read(p[:min(len(p), left)])
	m.line -= n
	m.session -= n
	return n, err
}

// isAnonymous reports whether user is a name that asks for no credentials (RFC
// 1635).
func isAnonymous(user string) bool {
	return strings.EqualFold(user, "anonymous") || strings.EqualFold(user, "ftp")
}
