package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/textproto"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/link"
)

// A Client has the requests of this process made by the tier. Its methods may be called by
// several goroutines at once.
type Client struct {
	// Patience is how long a request waits for a bucket that does not take bodies; 0, or more than 5 seconds,
	// means these. It must not change after the first request.
	Patience time.Duration

	tier  *Tier
	done  *listener
	found *findings

	uncounted pause
	missed    atomic.Pointer[missed]
}

// A missed is a request that the tier could not take.
type missed struct {
	at  time.Time
	err error
}

// NewClient returns a Client. It must be closed before the Tier.
func NewClient(t *Tier) *Client {
	return &Client{tier: t, done: listen(t.db, "fleet_done"), found: newFindings()}
}

// Close ends the Client. Findings that wait are written within two seconds, or lost.
func (c *Client) Close() {
	c.found.close()
	c.done.close()
}

// Check looks whether the tier can do its work for a client; see [Tier.Check]. A request that the tier could not
// take a moment ago counts until another one is answered: fetchers need more of the bucket than a client can try.
func (c *Client) Check(ctx context.Context) error {
	if err := c.tier.Check(ctx, false); err != nil {
		return err
	}
	if m := c.missed.Load(); m != nil && time.Since(m.at) < retryTime {
		return m.err
	}
	return nil
}

// Store returns the store of the tier, for reading.
func (c *Client) Store() cache.Store { return &answers{tier: c.tier} }

// Remote returns a Fetcher that has the tier make the requests for which f would contact a
// host. f answers Check and Audit, which contact none. It is for
// [safefetch.Options].Remote.
//
// Conditions are not passed on: the answer is always whole. A request that requires
// credentials fails with the Kind Credentials, since logins are not given to the tier. If
// the tier is away the error is an [*Away], of Kind Local.
func (c *Client) Remote(f fetch.Fetcher) fetch.Fetcher { return &remote{driver.Layer{Next: f}, c} }

type remote struct {
	driver.Layer
	client *Client
}

// Fetch implements fetch.Fetcher.
func (r *remote) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if req.Login == fetch.LoginRequired {
		return nil, &fetch.Error{Op: "fetch", Kind: fetch.Credentials, Err: errors.New("logins are not given to the fleet")}
	}
	if err := r.Check(req); err != nil {
		return nil, err
	}
	if err := driver.Contact(ctx, req, req.URL); err != nil {
		return nil, err
	}
	return r.client.fetch(ctx, req)
}

func (c *Client) fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	asked := newJob(ctx, req)
	name, err := c.tier.name(ctx, encode(asked))
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	asked.Patience = c.Patience.Seconds()
	j := encode(asked)
	if len(j) > maxRequest {
		return nil, errRequest
	}
	host := safefetch.Key(req.URL)
	for {
		id, err := c.put(ctx, name, host, j)
		if err != nil {
			return nil, c.fault(ctx, err)
		}
		res, object, err := c.wait(ctx, id, name)
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return nil, c.fault(ctx, err)
		}
		if req.Observe != nil {
			for _, x := range res.Exchanges {
				req.Observe(x)
			}
		}
		c.note(res)
		if res.Failure != nil {
			return nil, res.Failure.error(res.passed)
		}
		resp, err := res.Answer.response(c.tier.clock)
		if err != nil {
			return nil, err
		}
		body := &wholeBody{ReadCloser: c.tier.open(ctx, object, res.Answer.Size, res.Answer.SHA256)}
		if res.own {
			body.closed = func() { c.handed(id) }
		}
		resp.Body = body
		return resp, nil
	}
}

// note notes a result for Check.
func (c *Client) note(res *result) {
	if res.Failure == nil {
		c.missed.Store(nil)
		return
	}
	err := res.Failure.error(0)
	if part, ok := errors.AsType[*Away](err); ok {
		c.missed.Store(&missed{time.Now(), part})
	}
}

// A wholeBody is the body of an answer of a worker. An object that is lost or damaged is ours, and
// no fault of the host: the worker fetches it anew for the next request.
type wholeBody struct {
	io.ReadCloser
	closed func() // called once; nil for a body that others may have
}

// Read implements io.Reader.
func (b *wholeBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, cache.ErrCorrupt) {
		err = &fetch.Error{Kind: fetch.Local, Err: fetch.ErrDamaged}
	}
	return n, err
}

// Close implements io.Closer.
func (b *wholeBody) Close() error {
	if b.closed != nil {
		b.closed()
		b.closed = nil
	}
	return b.ReadCloser.Close()
}

// handed writes that the client has the body of a job, or needs it no more, so that a worker removes
// it. If that cannot be written, the worker does so later.
func (c *Client) handed(id int64) {
	c.found.add(func(ctx context.Context) error {
		_, err := c.tier.db.Exec(ctx, `UPDATE fleet_jobs SET handed = true WHERE id = $1`, id)
		return err
	})
}

// fault returns the error of a request for an error of the database.
func (c *Client) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == errUnserved {
		return away("fetcher", err)
	}
	return away("database", err)
}

// put returns the id of the open job with the name, or of one that used up a download and whose
// answer no client took: a client that was cut off comes back for it. It makes a new one otherwise.
func (c *Client) put(ctx context.Context, name []byte, host string, j []byte) (id int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	for {
		err = c.tier.db.QueryRow(ctx, `WITH old AS (
				SELECT id FROM fleet_jobs WHERE key = $1 AND claimed AND object IS NOT NULL AND NOT taken LIMIT 1
			), new AS (
				INSERT INTO fleet_jobs (key, host, request) SELECT $1::bytea, $2::text, $3::jsonb WHERE NOT EXISTS (SELECT FROM old)
				ON CONFLICT (key) WHERE state <> 'done' DO NOTHING RETURNING id
			), told AS (SELECT pg_notify('fleet_job', '') FROM new)
			SELECT id FROM old UNION ALL SELECT id FROM new, told `+
			`UNION ALL SELECT id FROM fleet_jobs WHERE key = $1 AND state <> 'done' LIMIT 1`, name, host, string(j)).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) { // another client's job, which has just ended
			return id, err
		}
	}
}

// errUnserved is the error of a request while no fetcher is there.
var errUnserved = fmt.Errorf("none was there for %v", unservedTime)

var errTaken = errors.New("the answer was for another client")

// wait waits for the result of a job. An answer that may not be shared is taken by one
// client; the others get errTaken. A standby that was promoted may lack the last jobs and give
// their ids to others, so that the name is compared too.
func (c *Client) wait(ctx context.Context, id int64, name []byte) (*result, string, error) {
	began := time.Now()
	told := c.done.await(strconv.FormatInt(id, 10))
	defer c.done.forget(strconv.FormatInt(id, 10), told)
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		var done, shared, unserved bool
		var text []byte
		var object string
		var passed float64
		err := c.query(ctx, func(ctx context.Context) error {
			return c.tier.db.QueryRow(ctx, `SELECT state = 'done', shared, result, coalesce(object, ''), `+
				`coalesce(extract(epoch FROM now() - ended), 0)::float8,
				CASE WHEN state = 'queued' THEN NOT fleet_served() ELSE false END
				FROM fleet_jobs WHERE id = $1 AND key = $2`, id, name).Scan(&done, &shared, &text, &object, &passed, &unserved)
		})
		if err == nil && unserved && time.Since(began) > unservedTime {
			err = errUnserved
		}
		if err != nil {
			return nil, "", err
		}
		if done {
			res := new(result)
			if err := json.Unmarshal(text, res); err != nil || res.Failure == nil && (res.Answer == nil || object == "") {
				return nil, "", fmt.Errorf("job %d has a result that cannot be read", id)
			}
			res.passed = time.Duration(passed * float64(time.Second))
			res.own = !shared && res.Failure == nil
			if !shared {
				return res, object, c.query(ctx, func(ctx context.Context) error {
					tag, err := c.tier.db.Exec(ctx, `UPDATE fleet_jobs SET taken = true WHERE id = $1 AND NOT taken`, id)
					if err == nil && tag.RowsAffected() == 0 {
						err = errTaken
					}
					return err
				})
			}
			return res, object, nil
		}
		select {
		case <-told:
		case <-poll.C:
		case <-ctx.Done():
			return nil, "", context.Cause(ctx)
		}
	}
}

// query calls f with a context for one answer of the database, which may be silent.
func (c *Client) query(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	return f(ctx)
}

// A job is a request as a row has it: all that the answer depends on. Callbacks, budgets,
// conditions and limits on time and octets stay with the client, which applies them to the
// answer, and so do the announced facts.
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
	Partition    string      `json:"partition,omitempty"`

	Patience float64 `json:"patience,omitempty"` // seconds, see [Client]; not a part of the name of the job
}

// patience returns how long the job waits for a bucket that does not take bodies.
func (j *job) patience() time.Duration {
	most := time.Duration(j.Patience * float64(time.Second))
	if most <= 0 || most > probeTime {
		return probeTime
	}
	return most
}

// maxRequest bounds a request, in octets of its row.
const maxRequest = 1 << 20

// errRequest is the error of a request that is too long.
var errRequest = &fetch.Error{Op: "fetch", Kind: fetch.TooLarge, Err: errors.New("the request is longer than 1 MiB")}

// newJob returns the job for req. The fragment, which is never sent, stays with the client.
func newJob(ctx context.Context, req *fetch.Request) *job {
	return &job{
		URL: link.WithoutFragment(req.URL).String(), Secret: req.Secret, MediaType: req.MediaType, Accept: req.Accept,
		MaxRedirects: req.MaxRedirects, Login: req.Login, TransferType: req.TransferType,
		Listing: req.Listing, Cookies: req.Cookies, Once: driver.OfRequest(req).Once, Partition: cache.Partition(ctx),
	}
}

// request is the opposite of newJob. observe is called with each Exchange.
func (j *job) request(observe func(*fetch.Exchange)) (*fetch.Request, error) {
	u, err := url.Parse(j.URL)
	if err != nil {
		return nil, err
	}
	req := &fetch.Request{
		URL: u, Secret: j.Secret, MediaType: j.MediaType, Accept: j.Accept,
		MaxRedirects: j.MaxRedirects, Login: j.Login, TransferType: j.TransferType,
		Listing: j.Listing, Cookies: j.Cookies, Observe: observe,
	}
	part := driver.OfRequest(req)
	part.Once = j.Once
	part.Coded = true
	return req, nil
}

// A result is the outcome of a job as a row has it.
type result struct {
	Failure   *failure          `json:"failure,omitempty"`
	Answer    *answer           `json:"answer,omitempty"`
	Exchanges []*fetch.Exchange `json:"exchanges,omitempty"`

	own     bool          // its body is for one client
	passed  time.Duration // since the job ended, by the clock of the server
	unasked bool          // errNoRoom is its Failure
}

// A failure is an error without the URL.
type failure struct {
	Kind  fetch.Kind  `json:"kind"`
	Cause fetch.Cause `json:"cause,omitempty"`
	Text  string      `json:"text"`
	After time.Time   `json:"after,omitzero"` // by the clock of the worker, for programs that do not read Wait
	Wait  float64     `json:"wait,omitempty"` // seconds until then
	Away  string      `json:"away,omitempty"` // the part of the tier that is; "" for none

	Refused bool `json:"refused,omitempty"` // see [throttle.ErrRefused]
}

func newFailure(err error) *failure {
	f := &failure{Kind: fetch.KindOfFetch(err), Cause: fetch.CauseOf(err), Text: err.Error(), After: fetch.AfterOf(err)}
	f.Refused = errors.Is(err, throttle.ErrRefused)
	if !f.After.IsZero() {
		f.Wait = max(time.Until(f.After).Seconds(), 0.001)
	}
	if a, ok := errors.AsType[*Away](err); ok {
		f.Text = a.Err.Error()
		f.Away = a.Of
	} else if e, ok := errors.AsType[*fetch.Error](err); ok {
		f.Text = ""
		if e.Err != nil {
			f.Text = e.Err.Error()
		}
	}
	return f
}

// error returns the error of a job that ended before the time passed.
func (f *failure) error(passed time.Duration) error {
	var err error
	if f.Refused {
		err = throttle.ErrRefused
	} else if f.Text != "" {
		err = errors.New(f.Text)
		if f.Away != "" {
			err = &Away{f.Away, err}
		}
		if f.Cause != 0 {
			err = f.Cause.With(err)
		}
	}
	after := f.After
	if f.Wait > 0 {
		after = time.Now().Add(time.Duration(f.Wait*float64(time.Second)) - passed)
	}
	return &fetch.Error{Op: "fetch", Kind: f.Kind, Err: err, After: after}
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
	RequestTime  time.Time            `json:"request_time,omitzero"` // by the clock of the server
	ResponseTime time.Time            `json:"response_time,omitzero"`
}

func newAnswer(resp *fetch.Response, size int64, sum []byte, c *clock) *answer {
	part := driver.OfResponse(resp)
	a := &answer{
		Codings: part.Codings, Digests: part.Digests,
		URL: resp.URL.String(), MediaType: resp.MediaType, Size: size, SHA256: sum,
		Status: resp.Status, Header: resp.Header, Capture: resp.Capture, Remote: resp.RemoteAddr,
		RequestTime: c.of(resp.RequestTime.Round(0)), ResponseTime: c.of(resp.ResponseTime.Round(0)),
	}
	for _, u := range resp.Hops {
		a.Hops = append(a.Hops, u.String())
	}
	return a
}

func (a *answer) response(c *clock) (*fetch.Response, error) {
	resp := &fetch.Response{
		MediaType: a.MediaType, Size: a.Size, Status: a.Status, Header: a.Header,
		Capture: a.Capture, RemoteAddr: a.Remote, RequestTime: c.ours(a.RequestTime), ResponseTime: c.ours(a.ResponseTime),
	}
	part := driver.OfResponse(resp)
	part.Codings = a.Codings
	part.Digests = a.Digests
	var err error
	resp.URL, err = url.Parse(a.URL)
	if err != nil {
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
