package jmapsession

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/bounded"
)

// readAnswer reads an answer in JSON of at most that many values.
func readAnswer(r io.Reader, values int) ([]byte, error) {
	text, err := io.ReadAll(bounded.Values(io.LimitReader(r, maxAnswer+1), values))
	if err == bounded.ErrMany || len(text) > maxAnswer {
		return nil, fault(fetch.TooLarge, errLong)
	}
	return text, err
}

// Bounds on the values of an answer. Of an object they count properties that were not asked for, too. The rest are
// of the answer itself, and of one message that is in very many mailboxes.
const (
	valuesOfAnswer = 2 * maxMailboxes
	valuesOfObject = 64
)

// call calls a method, with one request at a time (maxConcurrentRequests). A server that lets it fail several
// times in a row ends the Session. The answer has at most that many values besides the ones of any answer.
func (s *Session) call(ctx context.Context, method string, arguments, result any, values int) error {
	text, err := newCall(method, arguments)
	if err != nil {
		return fault(fetch.Local, err)
	}
	if int64(len(text)) > s.Core.MaxSizeRequest {
		return fault(fetch.TooLarge, errTooMany)
	}
	at, err := s.base.Parse(s.APIURL)
	if err != nil {
		return fault(fetch.Protocol, errNotJMAP)
	}
	if err := mayGo(s.base, at, s.named.Scheme == "https"); err != nil {
		return err
	}
	s.calling.Lock()
	defer s.calling.Unlock()
	err = s.repeatedly(ctx, maxTries, func() error {
		_, err := s.send(ctx, jsonRequest(at, text), func(r io.Reader) error {
			answer, err := readAnswer(r, valuesOfAnswer+values)
			if err != nil {
				return err
			}
			return parseAnswer(answer, method, s.account, result)
		})
		return err
	})
	if ctx.Err() == nil && again(err) {
		s.fail(err)
	}
	return err
}

func jsonRequest(at *url.URL, body []byte) *request {
	h := http.Header{"Accept": {"application/json"}}
	if body != nil {
		h.Set("Content-Type", "application/json")
	}
	return &request{url: at, body: body, header: h}
}

// alive ends the Session if the server does not answer.
func (s *Session) alive(ctx context.Context) {
	var none struct{}
	_ = s.call(ctx, "Email/get", &getArguments{AccountID: s.account, IDs: []string{}, Properties: []string{"id"}}, &none, 0)
}

// getArguments are the arguments of methods such as Email/get (RFC 8620 section 5.1).
type getArguments struct {
	AccountID  string   `json:"accountId"`
	IDs        []string `json:"ids"` // nil is all
	Properties []string `json:"properties"`
}

// pieces calls get with parts of ids, none with more objects than the server allows. A part that is too
// large for the server is halved.
func (s *Session) pieces(ids []string, get func(part []string) error) error {
	most := int(min(s.Core.MaxObjectsInGet, maxObjects))
	for len(ids) > 0 {
		n := min(most, len(ids))
		err := get(ids[:n])
		switch {
		case errors.Is(err, errTooMany), errors.Is(err, errLong):
			if n == 1 {
				return err
			}
			most = n / 2
			continue
		case err != nil:
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// maxObjects bounds how many messages are asked for at a time.
const maxObjects = 1000
