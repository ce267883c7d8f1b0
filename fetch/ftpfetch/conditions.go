package ftpfetch

import (
	"io"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// resumable sets the validators with which the rest of the file can be requested,
// if the server has given size and time and may know REST (RFC 3659 section 5).
func (s *session) resumable(resp *fetch.Response) {
	if modified := resp.Header.Get("Last-Modified"); modified != "" && resp.Size > 0 && s.offers("REST") {
		resp.Resume = &fetch.Conditions{LastModified: modified, Size: resp.Size}
	}
}

// same reports whether the file that resp describes is the one that the
// conditions of the Request are about.
func (s *session) same(resp *fetch.Response) bool {
	c := s.req.Conditions
	return c != nil && c.Size > 0 && c.Size == resp.Size &&
		c.LastModified != "" && c.LastModified == resp.Header.Get("Last-Modified")
}

// unchanged reports whether the Request asks if the file has changed, and it has
// not.
func (s *session) unchanged(resp *fetch.Response) bool {
	return s.same(resp) && s.req.Conditions.Offset == 0
}

// notModified ends the session without a transfer.
func (s *session) notModified(resp *fetch.Response) *fetch.Response {
	resp.NotModified, resp.Size, resp.Resume = true, 0, nil
	resp.Body = io.NopCloser(strings.NewReader(""))
	resp.RemoteAddr = fetch.RemoteAddr(s.control)
	resp.Exchange = s.log
	s.quit()
	s.close()
	return resp
}

// restart has the transfer that follows begin where the Request asks, if the file
// is the same still. It is the last command before the transfer. A server that
// refuses it sends the whole.
func (s *session) restart(resp *fetch.Response) error {
	c := s.req.Conditions
	if c == nil || c.Offset <= 0 || c.Offset > resp.Size || !s.same(resp) {
		return nil
	}
	r, err := s.cmd("REST " + strconv.FormatInt(c.Offset, 10))
	if err != nil {
		return err
	}
	if r.code == 421 {
		return s.refusal(r)
	}
	if r.code == 350 {
		resp.Offset = c.Offset
		resp.Size -= c.Offset
		if s.log != nil {
			s.log.Offset = c.Offset
		}
	}
	return nil
}
