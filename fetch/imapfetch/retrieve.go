package imapfetch

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// maxMIME bounds the header of a part.
const maxMIME = 64 << 10

var (
	errStale     = errors.New("the mailbox has another UIDVALIDITY")
	errNoMessage = errors.New("the server has no such message or section")
	errNoURLAuth = errors.New("the server does not know URLAUTH")
	errOtherURL  = errors.New("the server answered for another URL")
	errLonger    = errors.New("the server sent more than the range that was asked for")
	errNoOctets  = errors.New("the server sent no octets of the message")
	errBigHeader = errors.New("a MIME header that is too long")
)

// fetch opens the mailbox and fetches from it (RFC 5092 section 6).
func (s *session) fetch() (*fetch.Response, error) {
	t := s.target
	var validity string
	err := s.wire.Command(wire.ErrNotFound, func(line []byte) error {
		if wire.HasPrefixFold(line, "* OK [UIDVALIDITY ") {
			validity, _, _ = strings.Cut(string(line[len("* OK [UIDVALIDITY "):]), "]")
		}
		return nil
	}, "EXAMINE "+s.wire.Mailbox(t.mailbox))
	if err != nil {
		return nil, failed(err)
	}
	if t.uidValidity != 0 && validity != strconv.FormatUint(uint64(t.uidValidity), 10) {
		return nil, fault(fetch.NotFound, errStale)
	}
	var mediaType string
	var encoding message.Encoding
	if t.isPart() {
		mediaType, encoding, err = s.describe()
		if err != nil {
			return nil, err
		}
		if t.partial || strings.EqualFold(s.req.TransferType, "encoded") {
			encoding = message.Identity
		}
		if t.partial {
			mediaType = ""
		}
	}
	v, err := s.value("UID FETCH "+s.uid()+" (UID "+t.item(true)+")", s.fetched(t.item(false)))
	if err != nil {
		return nil, err
	}
	if t.partial && t.length > 0 && v.size > t.length {
		return nil, fault(fetch.Protocol, errLonger)
	}
	if t.section == "" && !t.partial && v.size == 0 {
		return nil, fault(fetch.Protocol, errNoOctets)
	}
	return s.deliver(mediaType, v, encoding), nil
}

func (s *session) uid() string { return strconv.FormatUint(uint64(s.target.uid), 10) }

// describe returns the type and the transfer encoding in the header of the
// part (IM-7).
func (s *session) describe() (mediaType string, encoding message.Encoding, err error) {
	l := location{section: s.target.section + ".MIME", partial: true, length: maxMIME}
	v, err := s.value("UID FETCH "+s.uid()+" (UID "+l.item(true)+")", s.fetched(l.item(false)))
	if err != nil {
		return "", 0, err
	}
	if v.size >= maxMIME {
		return "", 0, fault(fetch.Protocol, errBigHeader)
	}
	if v.size == 0 {
		// QUIRK: dovecot has an empty string for parts that do not exist. A
		// header without fields still has the empty line after it.
		return "", 0, fault(fetch.NotFound, errNoMessage)
	}
	header, err := io.ReadAll(v)
	if err != nil {
		return "", 0, err
	}
	if f, ok := message.Lookup(string(header), "Content-Type", 0); ok {
		mediaType = param.Parse(f.Value).Type
	}
	if f, ok := message.Lookup(string(header), "Content-Transfer-Encoding", 0); ok {
		encoding = message.ParseEncoding(f.Value)
	}
	return mediaType, encoding, nil
}

// urlFetch has the server resolve the URL, which takes no mailbox (RFC 4467
// section 7).
func (s *session) urlFetch() (*fetch.Response, error) {
	if err := s.wire.Capability(); err != nil {
		return nil, failed(err)
	}
	if !s.wire.Caps["URLAUTH"] {
		return nil, fault(fetch.Unsupported, errNoURLAuth)
	}
	v, err := s.value("URLFETCH "+wire.Quoted(s.target.text), s.urlFetched)
	if err != nil {
		return nil, err
	}
	return s.deliver("", v, message.Identity), nil
}

// deliver returns the response with the body v. A whole message has a type of its own.
func (s *session) deliver(mediaType string, v *value, encoding message.Encoding) *fetch.Response {
	if s.target.section == "" && !s.target.partial {
		mediaType = "message/rfc822"
	}
	resp := &fetch.Response{URL: s.req.URL, MediaType: mediaType, Size: -1, RemoteAddr: dialing.RemoteAddr(s.conn)}
	driver.OfResponse(resp).Exchange = s.conn.Exchange
	b := &body{session: s, value: v, src: v}
	if d := message.DecodeStrict(v, encoding); d != nil {
		b.src = d
	} else {
		resp.Size = v.size
	}
	resp.Body = b
	return resp
}

// A value is an nstring in a response, of which a literal is still to be read. Reading it
// gives io.EOF when the server has confirmed the command that asked for it.
type value struct {
	session *session
	tag     string // of the command
	size    int64
	text    string // of a quoted string
	quote   bool
	uidSeen bool // the response names the message

	n   int64 // octets that were read
	err error
}

// value sends a command and returns the value that parse finds in a response. parse
// reports whether it has found one.
// If that is a literal, the connection is at its first octet. No value, or NIL,
// is NotFound (IM-14, IM-17).
func (s *session) value(command string, parse func(string, *value) (bool, error)) (*value, error) {
	tag, err := s.wire.Send(command)
	if err != nil {
		return nil, failed(err)
	}
	v := &value{session: s, tag: tag}
	st, err := s.wait(tag, func(line string) (bool, error) { return parse(line, v) })
	if err != nil || st == nil {
		return v, err
	}
	if err := st.Fault(wire.ErrNotFound); err != nil {
		return nil, failed(err)
	}
	return nil, fault(fetch.NotFound, errNoMessage)
}

// fetched returns a parser of FETCH responses that looks for an item. A
// response for the message without it is let pass: servers send flags at any
// time, and the item in a response of its own.
func (s *session) fetched(item string) func(string, *value) (bool, error) {
	return func(line string, v *value) (bool, error) {
		number, rest, _ := strings.Cut(strings.TrimPrefix(line, "* "), " ")
		if number == "" || strings.Trim(number, "0123456789") != "" || !wire.HasPrefixFold(rest, "FETCH (") {
			return false, nil
		}
		before, after, ok := cutItem(rest[len("FETCH ("):], item)
		if !ok {
			return false, s.rangeIgnored(rest, item)
		}
		if uid, ok := findUID(before); ok {
			if uid != s.uid() {
				return false, nil
			}
			v.uidSeen = true
		}
		return v.parse(after)
	}
}

// rangeIgnored returns an error if the server sent all of a section of which a
// range was asked for. QUIRK: NIL for a section that it does not have comes
// without the range.
func (s *session) rangeIgnored(response, item string) error {
	section, _, ranged := strings.Cut(item, "]<")
	if !ranged {
		return nil
	}
	before, after, whole := cutItem(response[len("FETCH ("):], section+"]")
	if uid, ok := findUID(before); !whole || ok && uid != s.uid() {
		return nil
	}
	if wire.HasPrefixFold(after, "NIL") {
		return fault(fetch.NotFound, errNoMessage)
	}
	return fault(fetch.Protocol, errLonger)
}

// cutItem cuts the text before and after the name of an item in a list.
func cutItem(list, item string) (before, after string, ok bool) {
	// Servers may quote the names of fields, and write them as they like.
	for i := 0; i < len(list); i++ {
		if i > 0 && list[i-1] != ' ' || !wire.HasPrefixFold(list[i:], "BODY[") {
			continue
		}
		end := strings.IndexByte(list[i:], ']')
		if end < 0 {
			return "", "", false
		}
		end += i + 1
		if end < len(list) && list[end] == '<' {
			if n := strings.IndexByte(list[end:], '>'); n >= 0 {
				end += n + 1
			}
		}
		name := strings.ReplaceAll(list[i:end], `"`, "")
		if rest, spaced := strings.CutPrefix(list[end:], " "); spaced && strings.EqualFold(name, item) {
			return list[:i], rest, true
		}
	}
	return "", "", false
}

// findUID returns the number of a UID item in a part of a list.
func findUID(list string) (string, bool) {
	fields := strings.Fields(strings.TrimRight(list, ")"))
	for i := 0; i+1 < len(fields); i++ {
		if strings.EqualFold(fields[i], "UID") {
			return fields[i+1], true
		}
	}
	return "", false
}

// urlFetched parses URLFETCH responses.
func (s *session) urlFetched(line string, v *value) (bool, error) {
	if !wire.HasPrefixFold(line, "* URLFETCH ") {
		return false, nil
	}
	rest := line[len("* URLFETCH "):]
	if before, size, ok := cutLiteral(rest); ok && before == "" {
		// The URL itself.
		if size != int64(len(s.target.text)) {
			return false, fault(fetch.Protocol, errOtherURL)
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(s.wire, text); err != nil {
			return false, unavailable(err)
		}
		after, err := s.line()
		if err != nil {
			return false, err
		}
		rest = wire.Quoted(string(text)) + after
	}
	url, after, ok := cutString(rest)
	if !ok || url != s.target.text {
		return false, fault(fetch.Protocol, errOtherURL)
	}
	return v.parse(strings.TrimPrefix(after, " "))
}

// cutString cuts a quoted string or an atom off the start of s.
func cutString(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		text, rest, _ = strings.Cut(s, " ")
		return text, " " + rest, text != ""
	}
	p := wire.Parser{Rest: []byte(s)}
	b, err := p.String()
	return string(b), string(p.Rest), err == nil
}

// parse reads the value that text starts with, up to the first octet of a literal. It
// reports whether there is one: NIL is an error.
func (v *value) parse(text string) (bool, error) {
	if wire.HasPrefixFold(text, "NIL") {
		return false, fault(fetch.NotFound, errNoMessage)
	}
	if before, size, ok := cutLiteral(text); ok && before == "" {
		v.size = size
		return true, nil
	}
	s, rest, ok := cutString(text)
	if !ok || text[0] != '"' {
		return false, fault(fetch.Protocol, wire.ErrNotIMAP)
	}
	if _, seen := findUID(rest); seen {
		v.uidSeen = true
	}
	v.text = s
	v.size = int64(len(s))
	v.quote = true
	return true, nil
}

var errOtherMessage = errors.New("the server did not say for which message it answered")

// Read implements [io.Reader].
func (v *value) Read(p []byte) (int, error) {
	if v.err != nil || len(p) == 0 {
		return 0, v.err
	}
	if v.n == v.size {
		v.err = v.finish()
		return 0, v.err
	}
	var n int
	if v.quote {
		n = copy(p, v.text[v.n:])
	} else {
		// fetch.Do limits the time without octets.
		var err error
		n, err = v.session.wire.Read(p[:min(int64(len(p)), v.size-v.n)])
		if err != nil && n == 0 {
			v.err = truncated(err)
		}
	}
	v.n += int64(n)
	return n, v.err
}

// finish is the verdict when all octets have come.
func (v *value) finish() error {
	s := v.session
	if !v.quote {
		rest, err := s.line()
		if err != nil {
			return truncated(err)
		}
		if uid, ok := findUID(rest); ok && uid == s.uid() {
			v.uidSeen = true
		}
		if _, err := s.untagged("* "+rest, nil); err != nil {
			return truncated(err)
		}
	}
	st, err := s.wait(v.tag, nil)
	if err != nil {
		return truncated(err)
	}
	if err := st.Fault(wire.ErrUnavailable); err != nil {
		return truncated(err)
	}
	if s.target.access == "" && !v.uidSeen {
		// RFC 3501 section 6.4.8 wants the UID in each response.
		return fault(fetch.Protocol, errOtherMessage)
	}
	return io.EOF
}

// truncated is [driver.CutOff] for errors of a session.
func truncated(err error) error {
	if e, ok := err.(*wire.Fault); ok {
		err = e.Err
	}
	return driver.CutOff(err)
}

// A body is a value, decoded or not.
type body struct {
	session *session // nil once closed
	value   *value
	src     io.Reader // value, or a decoder on it
	err     error
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	if err == nil {
		return n, nil
	}
	b.err = b.verdict(err)
	if b.err != io.EOF {
		b.err = driver.Interrupted(b.session.ctx, b.err)
	}
	return n, b.err
}

// verdict returns why the source has ended. A decoder may be at its end before
// the value is.
func (b *body) verdict(err error) error {
	if err == io.EOF {
		if _, err := io.Copy(io.Discard, b.value); err != nil {
			return err
		}
		return io.EOF
	}
	if b.value.err != nil && b.value.err != io.EOF {
		return b.value.err
	}
	return fault(fetch.Protocol, err)
}

// Close implements [io.Closer]. It does not wait for the server.
func (b *body) Close() error {
	if b.session == nil {
		return nil
	}
	switch b.err {
	case io.EOF:
		driver.End(b.session.conn.Exchange, nil)
		b.session.wire.LogOut()
	case nil:
		b.err = fault(fetch.Local, os.ErrClosed)
	}
	b.session.conn.Fail(b.err) // fetch.Do has ended the Exchange
	b.session = nil
	return nil
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	t, err := f.target(req)
	if err != nil {
		return nil, err
	}
	s := &session{ctx: ctx, req: req, target: t, opts: &f.opts, guard: f.guard}
	resp, err := s.run()
	if err != nil && s.conn != nil {
		return nil, s.conn.Fail(err)
	}
	return resp, err
}

// run does all that comes before the body.
func (s *session) run() (*fetch.Response, error) {
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	if s.target.access != "" {
		return s.urlFetch()
	}
	return s.fetch()
}
