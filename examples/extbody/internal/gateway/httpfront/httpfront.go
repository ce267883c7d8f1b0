// Package httpfront answers questions about messages by HTTP. A request has a message,
// and the response is an inspect.Answer in JSON. The OpenAPI description is
// serve/openapi.yaml, beside SERVE.md.
package httpfront

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Name is the name of the front end in logs and numbers.
const Name = "http"

// MaxWait bounds the time that a question may ask to wait.
const MaxWait = time.Minute

// New returns the handler of
//
//	POST /v1/check     the message as the body; wait=300ms and can=redirect,strip in the query
//	GET  /healthz      200 while the program runs
//	GET  /readyz       200 while it takes questions, else 503
//
// The fields of the request are
//
//	From      the sender of the envelope
//	Rcpt      the recipients, with commas between them; repeatable
//	Queue-Id  the identifier of the message in logs
//	IP        the address of the client that sent the message
//	User      the login of that client
//
// Of each but Rcpt, the first 512 octets count.
//
// With wait=0, the fetches are started, and the Answer has the outcomes that are known.
// Nothing is deferred, logged or counted: the client must ask again.
//
// The client carries out the actions quarantine and hold, and those that can names: redirect,
// inline, subject, copy, notice and strip. Others are replaced; see [inspect.Decision.Within].
// The Answer for inline, subject, notice and strip has the message, and so has one for copy if the
// Subject changes too.
//
// The status of /v1/check is
//
//	200  with an Answer, even if the message could not be looked at, for example
//	     because it is longer than Engine.MaxMessage
//	400  if wait is not a time from 0s to MaxWait, can names another action, or the message
//	     is empty or ends too early
//	403  for a question of a web page, which has the field Origin
//	408  if the message comes in less than 1 KiB a second, after 10 seconds, or takes 2 minutes
//	415  if the message is in a content coding, or in a multipart form
//
// A question that gives no time waits for fetches for the time wait. ready reports whether
// the server takes questions; nil means that it does.
func New(e *serve.Engine, wait time.Duration, ready func() bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/check", func(w http.ResponseWriter, r *http.Request) { check(e, wait, w, r) })
	Health(mux, ready)
	return mux
}

// Local refuses requests for a name that is not one of names, localhost or an address: a web page elsewhere could
// otherwise read the answers under a name of its own that leads here. A name without a dot is one of a container or of a
// local network. It counts for requests that no browser sends. A request by a socket in the file system has any name.
func Local(names []string, h http.Handler) http.Handler {
	return guarded(h, func(r *http.Request) bool {
		host := hostOf(r)
		return isLocal(host, names) || !strings.Contains(host, ".") && !byBrowser(r)
	})
}

// Pages is Local for pages, which browsers ask for: a name without a dot is one of names, or localhost.
func Pages(names []string, h http.Handler) http.Handler {
	return guarded(h, func(r *http.Request) bool { return isLocal(hostOf(r), names) })
}

// guarded refuses requests over a network for which may is false.
func guarded(h http.Handler, may func(*http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if at != nil && at.Network() == "unix" || may(r) {
			h.ServeHTTP(w, r)
			return
		}
		const text = "ask for this host by its address or as localhost; serve and fetcher take other names by --accept-host"
		http.Error(w, text, http.StatusMisdirectedRequest)
	})
}

// hostOf returns the name in the field Host of a request.
func hostOf(r *http.Request) string {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// isLocal reports whether a name is localhost, an address, or one of names.
func isLocal(host string, names []string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost" || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) })
}

// byBrowser reports whether a browser may have sent a request. Browsers send Origin with all but GET and HEAD. A page can
// keep them from sending Referer with these, and they send Sec-Fetch-Site to trustworthy origins alone (Fetch
// Metadata section 2), but no page can keep them from sending Accept-Language.
func byBrowser(r *http.Request) bool {
	fields := []string{"Origin", "Sec-Fetch-Site", "Referer"}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		fields = append(fields, "Accept-Language")
	}
	return slices.ContainsFunc(fields, func(name string) bool { return r.Header[name] != nil })
}

// Health adds /healthz and /readyz to mux.
func Health(mux *http.ServeMux, ready func() bool) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ready != nil && !ready() {
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		w.Write([]byte("ok\n"))
	})
}

// inOneLine unfolds a field that inspect.FieldValue folded.
var inOneLine = strings.NewReplacer("\r\n\t ", " ", "\r\n\t", " ")

func check(e *serve.Engine, wait time.Duration, w http.ResponseWriter, r *http.Request) {
	coding := r.Header.Get("Content-Encoding")
	switch {
	case r.Header.Get("Origin") != "":
		refuse(w, http.StatusForbidden, "web pages must not ask")
		return
	case coding != "" && !strings.EqualFold(coding, "identity"),
		strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "multipart/"):
		refuse(w, http.StatusUnsupportedMediaType, "want the message itself as the body, as message/rfc822")
		return
	}
	m := &serve.Mail{Front: Name, QueueID: field(r, "Queue-Id"), Received: time.Now(), Wait: wait}
	query := r.URL.Query()
	if s := query.Get("wait"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > MaxWait {
			refuse(w, http.StatusBadRequest, "wait: want a time from 0s to "+MaxWait.String())
			return
		}
		m.Wait = d
		m.Submit = d == 0
	}
	m.Actions = []inspect.Action{inspect.Quarantine, inspect.Hold}
	for a := range strings.FieldsFuncSeq(strings.Join(query["can"], ","), func(c rune) bool { return c == ',' }) {
		m.Actions = append(m.Actions, inspect.Action(a))
		if !slices.Contains(able, inspect.Action(a)) {
			refuse(w, http.StatusBadRequest, "can: want redirect, inline, subject, copy, notice and strip")
			return
		}
	}
	if r.Header["From"] != nil {
		m.Envelope.From = cmp.Or(strings.Trim(field(r, "From"), "<>"), "<>")
	}
	for _, v := range r.Header["Rcpt"] {
		m.Envelope.Recipients = append(m.Envelope.Recipients, addresses(v)...)
	}
	login := field(r, "User")
	m.Envelope.Authenticated = login != ""
	m.Envelope.Client, _ = netip.ParseAddr(field(r, "IP"))
	m.Client = serve.Client(login, m.Envelope.Client)
	m.Spool = e.Spool()
	defer m.Spool.Close()
	// The answer may come before the end of a message that is too long.
	body := pacing(w, r)
	body.control.EnableFullDuplex()
	c, err := receive(e, m, r, body)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, "the message comes too slowly")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the message is empty, or ended before its end")
		return
	}
	defer c.Close()
	if r.Context().Err() != nil {
		return // the client has gone, and no decision is counted
	}
	d := c.Decide()
	a := c.Answer(d)
	a.Header = inOneLine.Replace(c.Field(d))
	if slices.Contains(changes, d.Action) || d.Subject != "" {
		a.Message, err = io.ReadAll(c.Text(d).Section())
		if err != nil {
			e.ReadFailure(err)
			http.Error(w, "the message could not be read", http.StatusInternalServerError)
			return
		}
	}
	answer(w, http.StatusOK, a)
	// Most clients read the answer only after they have sent the whole message. Others wait until they are asked for
	// it (RFC 9110 section 10.1.1).
	if r.Header.Get("Expect") == "" {
		io.Copy(io.Discard, body)
	}
}

// able are the actions that a client may be able to carry out.
var able = []inspect.Action{inspect.Redirect, inspect.Inline, inspect.Subject, inspect.Copy, inspect.Notice, inspect.Strip}

// changes are the actions for which the Answer always has the message; see [inspect.Decision] for Subject.
var changes = []inspect.Action{inspect.Inline, inspect.Notice, inspect.Strip}

// receive takes the message of a request, whose body is given, and checks it. A message that cannot be kept is
// left to the policy. The error is one of reading the request.
func receive(e *serve.Engine, m *serve.Mail, r *http.Request, body *paced) (*serve.Checked, error) {
	err := error(spool.ErrTooLong)
	if r.ContentLength <= e.MaxMessage() {
		_, err = io.Copy(m.Spool, body)
	}
	if err == nil && m.Spool.Size() == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	if err == nil {
		body.end()
		return e.Check(r.Context(), m), nil
	}
	kind := e.ReadFailure(err)
	if kind == 0 || r.Context().Err() != nil {
		return nil, err
	}
	return e.Fail(m, kind), nil
}

// A paced is the body of a request. It ends with [os.ErrDeadlineExceeded] if it takes longer than maxRead, or comes
// more slowly than slowest after a while, so that no client holds a connection with next to nothing.
type paced struct {
	body    io.Reader
	control *http.ResponseController
	begun   time.Time
	octets  int64
}

// The bounds of a paced.
const (
	maxRead = 2 * time.Minute
	grace   = 10 * time.Second
	slowest = 1 << 10 // octets in a second
)

// pacing returns the body of a request.
func pacing(w http.ResponseWriter, r *http.Request) *paced {
	return &paced{body: r.Body, control: http.NewResponseController(w), begun: time.Now()}
}

// Read implements io.Reader.
func (p *paced) Read(b []byte) (int, error) {
	span := grace + time.Duration(p.octets/slowest)*time.Second
	p.control.SetReadDeadline(p.begun.Add(min(span, maxRead)))
	n, err := p.body.Read(b)
	p.octets += int64(n)
	return n, err
}

// end is called after the last octet. From then on the connection is read only to find out whether the client is there.
func (p *paced) end() { p.control.SetReadDeadline(time.Time{}) }

// address matches an address of a list. Commas separate addresses, except in a quoted local
// part (RFC 5321 section 4.1.2).
var address = lazyregexp.New(`(?:"(?:\\.|[^"\\])*"?|[^,"])+`)

// addresses returns the addresses of a list, without angle brackets.
func addresses(list string) (all []string) {
	for _, s := range address().FindAllString(list, -1) {
		s = strings.Trim(strings.TrimSpace(s), "<>")
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// field returns the first 512 octets of a field of the request.
func field(r *http.Request, name string) string {
	v := r.Header.Get(name)
	return v[:min(len(v), 512)]
}

// answer sends an answer in JSON, all of it at once.
func answer(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "the answer cannot be written", http.StatusInternalServerError)
		return
	}
	text = append(text, '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	w.Write(text)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, reason string) {
	answer(w, status, map[string]string{"error": reason})
}

// A Server serves HTTP. When it ends, it first answers all questions on connections that
// it has accepted. [http.Server.Shutdown] alone drops questions that it reads after it
// was called.
type Server struct {
	http *http.Server
	busy listen.Group // connections on which a question is on its way, or may be
}

// Serving returns a Server that uses s. It sets s.ConnState.
func Serving(s *http.Server) *Server {
	w := &Server{http: s}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew || state == http.StateActive {
			w.busy.Add(c)
		} else {
			w.busy.Remove(c)
		}
	}
	return w
}

// Serve takes connections until Drain is called, and then returns nil. An error of the
// listener ends it too.
func (s *Server) Serve(l net.Listener) error { return s.busy.Listen(l, s.http.Serve) }

// Drain takes no more connections. It returns when all questions on the open ones are
// answered, or when ctx ends. It then closes all connections.
func (s *Server) Drain(ctx context.Context) {
	s.http.SetKeepAlivesEnabled(false)
	s.busy.Drain(ctx)
	s.http.Close()
}
