package tftpfetch

import (
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

var _ fetch.Checker = (*Fetcher)(nil)

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{Fetcher: quick(), Serve: serve})
}

func serve(t *testing.T, obj fetchtest.Object) *fetch.Request {
	body := string(obj.Body)
	half := body[:len(body)/2]
	request := func(script func(*session)) *fetch.Request {
		return &fetch.Request{URL: urlOf(t, fake(t, script), "/file")}
	}
	switch obj.Fault {
	case fetchtest.Good, fetchtest.Missing:
		files := map[string][]byte{"file": obj.Body}
		if obj.Fault == fetchtest.Missing {
			files = nil
		}
		return &fetch.Request{URL: urlOf(t, fileServer(t, files), "/file")}
	case fetchtest.Cut:
		return request(func(s *session) {
			s.oack("blksize", s.option("blksize"), "tsize", itoa(len(body)))
			if s.ack(0) {
				s.blocks(half, 1428)
			}
		})
	case fetchtest.Stalled:
		return request(func(s *session) {
			if s.option("blksize") != "" {
				s.fail(badOptions, "")
				return
			}
			s.data(1, body[:512])
		})
	case fetchtest.Mute:
		return request(func(*session) {})
	case fetchtest.Forbidden:
		req := request(func(s *session) { s.Error("a request was sent") })
		req.URL.Host = "10.0.0.1"
		return req
	}
	return nil
}
