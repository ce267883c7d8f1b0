package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"net/textproto"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

// A job is a request as a row has it: all that the answer depends on. Callbacks, budgets,
// conditions and limits on time and octets stay with the client, which applies them to the
// answer, and so does what was announced.
type job struct {
	URL          string      `json:"url"`
	Secret       bool        `json:"secret,omitempty"`
	MediaType    string      `json:"media_type,omitempty"`
	Accept       []string    `json:"accept,omitempty"`
	MaxRedirects int         `json:"max_redirects,omitempty"`
	Login        fetch.Login `json:"login,omitempty"`
	TransferType string      `json:"transfer_type,omitempty"`
	Listing      bool        `json:"listing,omitempty"`
	Cookies      bool        `json:"cookies,omitempty"`
	Once         bool        `json:"once,omitempty"`
	Brief        bool        `json:"brief,omitempty"`
	Partition    string      `json:"partition,omitempty"`
}

// newJob returns the job for req. The fragment, which is never sent, stays with the client.
func newJob(ctx context.Context, req *fetch.Request) *job {
	u := *req.URL
	u.Fragment, u.RawFragment = "", ""
	return &job{
		URL: u.String(), Secret: req.Secret, MediaType: req.MediaType, Accept: req.Accept,
		MaxRedirects: req.MaxRedirects, Login: req.Login, TransferType: req.TransferType,
		Listing: req.Listing, Cookies: req.Cookies, Once: req.Once, Brief: req.Brief || req.Observe == nil, Partition: cache.Partition(ctx),
	}
}

// request is the opposite of newJob. observe is called with each Exchange.
func (j *job) request(observe func(*fetch.Exchange)) (*fetch.Request, error) {
	u, err := url.Parse(j.URL)
	if err != nil {
		return nil, err
	}
	return &fetch.Request{
		URL: u, Secret: j.Secret, MediaType: j.MediaType, Accept: j.Accept,
		MaxRedirects: j.MaxRedirects, Login: j.Login, TransferType: j.TransferType,
		Listing: j.Listing, Cookies: j.Cookies, Once: j.Once, Brief: j.Brief, Observe: observe, Coded: true,
	}, nil
}

// A result is the outcome of a job as a row has it.
type result struct {
	Failure   *failure          `json:"failure,omitempty"`
	Answer    *answer           `json:"answer,omitempty"`
	Exchanges []*fetch.Exchange `json:"exchanges,omitempty"`
}

// A failure is an error without the URL.
type failure struct {
	Kind  fetch.Kind  `json:"kind"`
	Cause fetch.Cause `json:"cause,omitempty"`
	Text  string      `json:"text"`
	After time.Time   `json:"after,omitzero"`
}

func newFailure(err error) *failure {
	f := &failure{Kind: fetch.KindOf(err), Cause: fetch.CauseOf(err), Text: err.Error(), After: fetch.AfterOf(err)}
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		if f.Text = ""; e.Err != nil {
			f.Text = e.Err.Error()
		}
	}
	return f
}

func (f *failure) error() error {
	var err error
	if f.Text != "" {
		err = errors.New(f.Text)
		if f.Cause != 0 {
			err = f.Cause.With(err)
		}
	}
	return &fetch.Error{Op: "fetch", Kind: f.Kind, Err: err, After: f.After}
}

// An answer is a Response without its Body.
type answer struct {
	URL          string               `json:"url"`
	MediaType    string               `json:"media_type,omitempty"`
	Size         int64                `json:"size"` // of the body, which is whole
	SHA256       []byte               `json:"sha256"`
	Codings      []string             `json:"codings,omitempty"`
	Digests      []fetch.Digest       `json:"digests,omitempty"`
	Status       int                  `json:"status,omitempty"`
	Header       textproto.MIMEHeader `json:"header,omitempty"`
	Capture      fetch.Capture        `json:"capture,omitempty"`
	Hops         []string             `json:"hops,omitempty"`
	Remote       netip.AddrPort       `json:"remote,omitzero"`
	RequestTime  time.Time            `json:"request_time,omitzero"`
	ResponseTime time.Time            `json:"response_time,omitzero"`
}

func newAnswer(resp *fetch.Response, size int64, sum []byte) *answer {
	a := &answer{
		URL: resp.URL.String(), MediaType: resp.MediaType, Size: size, SHA256: sum, Codings: resp.Codings, Digests: resp.Digests,
		Status: resp.Status, Header: resp.Header, Capture: resp.Capture, Remote: resp.RemoteAddr,
		RequestTime: resp.RequestTime.Round(0), ResponseTime: resp.ResponseTime.Round(0),
	}
	for _, u := range resp.Hops {
		a.Hops = append(a.Hops, u.String())
	}
	return a
}

func (a *answer) response() (*fetch.Response, error) {
	resp := &fetch.Response{
		MediaType: a.MediaType, Size: a.Size, Codings: a.Codings, Digests: a.Digests, Status: a.Status, Header: a.Header,
		Capture: a.Capture, RemoteAddr: a.Remote, RequestTime: a.RequestTime, ResponseTime: a.ResponseTime,
	}
	var err error
	if resp.URL, err = url.Parse(a.URL); err != nil {
		return nil, err
	}
	for _, text := range a.Hops {
		hop, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		resp.Hops = append(resp.Hops, hop)
	}
	return resp, nil
}

// encode returns the JSON of v, which has nothing that has no JSON.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
