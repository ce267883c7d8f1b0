package mailfetch

import (
	"bytes"
	"mime/quotedprintable"
	"strings"
	"time"
	"unicode/utf8"
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

func (r *request) setSubject(s string) error {
	bad := func(c rune) bool { return c < ' ' && c != '\t' || c >= 0x7f }
	if len("Subject: "+s) > maxLine || strings.ContainsFunc(s, bad) {
		return errSubject
	}
	r.subject = s
	return nil
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
	charset, encoding := "us-ascii", "7bit"
	if !ascii(r.body) {
		charset = "utf-8"
	}
	if !ascii(r.body) || hasLongLine(r.body) {
		encoding = "quoted-printable"
	}
	var b bytes.Buffer
	line := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteString("\r\n")
	}
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

func hasLongLine(body string) bool {
	for line := range strings.SplitSeq(body, "\r\n") {
		if len(line) > maxLine {
			return true
		}
	}
	return false
}

// isMessageID reports whether id is fit for a line of its own: something in
// angle brackets without white space or control characters. A reference with
// another one can be asked for all the same.
func isMessageID(id string) bool {
	bad := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	return len(id) > 2 && len(id) < maxLine && id[0] == '<' && id[len(id)-1] == '>' && !strings.ContainsFunc(id, bad)
}
