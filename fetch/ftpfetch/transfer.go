package ftpfetch

import (
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// transfer begins the transfer of the file or of the names in the directory.
func (s *session) transfer() (*fetch.Response, error) {
	if err := s.setType(); err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: s.req.URL, Size: -1}
	if err := s.describe(resp); err != nil {
		return nil, err
	}
	if s.unchanged(resp) {
		return s.notModified(resp), nil
	}
	if err := s.openData(); err != nil {
		return nil, err
	}
	if err := s.restart(resp); err != nil {
		return nil, err
	}
	r, err := s.retrieve()
	if err != nil {
		return nil, err
	}
	if n, ok := r.size(); ok && resp.Size < 0 && s.target.counted() {
		resp.Size = n
	}
	resp.Undelimited = resp.Size < 0
	b := &body{session: s, src: s.data, size: resp.Size}
	if s.private {
		b.raw = &eofConn{Conn: s.data}
		conn, err := s.handshake(b.raw)
		if err != nil {
			return nil, err
		}
		b.src = conn
	}
	resp.Body = b
	resp.RemoteAddr = fetch.RemoteAddr(s.data)
	resp.Exchange = s.log
	return resp, nil
}

// setType sends TYPE. RFC 1123 section 4.1.2.1 makes L 8 and I the same for
// machines of octets, so either may stand for the other where one is unknown.
func (s *session) setType() error {
	r, err := s.cmd("TYPE " + s.target.typ)
	if err == nil && s.target.typ == "L 8" && r.code/100 == 5 {
		r, err = s.cmd("TYPE I")
	}
	if err != nil || r.class() == completed {
		return err
	}
	e := s.refusal(r)
	if r.code/10 == 50 {
		e.Kind = fetch.Unsupported
	}
	return e
}

// describe asks for the size and the time of the file (RFC 3659 sections 3 and
// 4). The size holds for the type in force. A server that refuses these may
// send the file all the same.
func (s *session) describe(resp *fetch.Response) error {
	t := s.target
	if t.list {
		return nil
	}
	if t.counted() && s.offers("SIZE") {
		r, ok, err := s.try("SIZE " + t.name)
		if err != nil {
			return err
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(r.text), 10, 63); ok && err == nil {
			resp.Size = int64(n)
		}
	}
	if s.offers("MDTM") {
		r, ok, err := s.try("MDTM " + t.name)
		if err != nil {
			return err
		}
		if modified, valid := parseTime(r.text); ok && valid {
			resp.Header = textproto.MIMEHeader{"Last-Modified": {modified}}
		}
	}
	s.resumable(resp)
	return nil
}

// parseTime turns a time-val of RFC 3659 section 2.3 into the form of HTTP.
func parseTime(s string) (string, bool) {
	t, err := time.Parse("20060102150405", strings.TrimSpace(s))
	if err != nil {
		return "", false
	}
	return t.Format("Mon, 02 Jan 2006 15:04:05 GMT"), true
}

// retrieve sends RETR or NLST, and returns when the server has said that the
// data comes. A server that is done before it has begun breaks the protocol.
func (s *session) retrieve() (reply, error) {
	line := "RETR " + s.target.name
	switch t := s.target; {
	case t.list && t.name == "":
		line = "NLST"
	case t.list:
		line = "NLST " + t.name
	}
	if err := s.dialog.send(line); err != nil {
		return reply{}, err
	}
	r, err := s.dialog.reply("the reply to " + verb(line))
	if err == nil && r.class() != preliminary {
		err = s.refusal(r)
	}
	return r, err
}
