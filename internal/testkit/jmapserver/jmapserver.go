// Package jmapserver is a JMAP server (RFC 8620, RFC 8621) in memory for tests of clients that read mail. It checks
// the requests, counts them, and has faults on demand.
package jmapserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The login, and the account of the user.
const (
	User     = "ann"
	Password = "s3cret-password"
	Token    = "s3cret-token"
	Account  = "A1"
)

// A Mail is a message of the account.
type Mail struct {
	ID, Text  string
	Received  time.Time
	Mailboxes []string // ids
}

// A Box is a mailbox.
type Box struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Parent any    `json:"parentId"` // an id, or nil
	Role   any    `json:"role"`     // or nil
}

// A Server is a JMAP server. Its fields are set before the first request.
type Server struct {
	*httptest.Server
	t testing.TB

	Boxes []Box

	// MaxGet is maxObjectsInGet, and MaxQuery the most ids of an answer. MaxRequest is maxSizeRequest.
	MaxGet, MaxQuery, MaxRequest int

	// SizeMore is by how much the sizes of messages are too large.
	SizeMore int

	// Challenges are the values of WWW-Authenticate. nil asks for Basic and Bearer.
	Challenges []string

	// API, Download and Redirect replace the URLs of requests and of blobs, and the one that
	// /.well-known/jmap leads to.
	API, Download, Redirect string

	// Before, if set, is called with each request: "session", the name of a method, or "blob". If it
	// returns true, it has answered. The requests of a kind are counted from 1.
	Before func(w http.ResponseWriter, r *http.Request, kind string, n int) bool

	mu     sync.Mutex
	mails  []Mail
	log    []change
	oldest int
	asked  map[string]int
	octets int64
}

// A change is an id that was created, updated or destroyed.
type change struct{ what, id string }

// New starts a server over http, with one mailbox and no mail.
func New(t testing.TB) *Server { return start(t, (*httptest.Server).Start) }

// NewTLS starts a server over https.
func NewTLS(t testing.TB) *Server { return start(t, (*httptest.Server).StartTLS) }

func start(t testing.TB, run func(*httptest.Server)) *Server {
	s := &Server{t: t, MaxGet: 500, MaxQuery: 1000, MaxRequest: 10_000_000, asked: make(map[string]int)}
	s.Boxes = []Box{{ID: "inbox", Name: "Inbox", Role: "inbox"}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	run(s.Server)
	t.Cleanup(s.Close)
	return s
}

// Host returns the host and port of the server.
func (s *Server) Host() string { return s.Listener.Addr().String() }

// Add adds a message to the Inbox, and returns its id.
func (s *Server) Add(text string) string {
	s.mu.Lock()
	n := len(s.log) + 1
	s.mu.Unlock()
	m := Mail{ID: fmt.Sprintf("M%d", n), Text: text, Received: time.Date(2026, 11, 1, 0, 0, n, 0, time.UTC), Mailboxes: []string{"inbox"}}
	s.Put(m)
	return m.ID
}

// Put adds a message.
func (s *Server) Put(m Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
	slices.SortStableFunc(s.mails, func(a, b Mail) int { return a.Received.Compare(b.Received) })
	s.log = append(s.log, change{"created", m.ID})
}

// Move puts a message into other mailboxes.
func (s *Server) Move(id string, boxes ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.mails {
		if s.mails[i].ID == id {
			s.mails[i].Mailboxes = boxes
		}
	}
	s.log = append(s.log, change{"updated", id})
}

// Remove removes a message.
func (s *Server) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = slices.DeleteFunc(s.mails, func(m Mail) bool { return m.ID == id })
	s.log = append(s.log, change{"destroyed", id})
}

// Forget makes the server unable to calculate changes from any state before now.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, change{})
	s.oldest = len(s.log)
}

// Asked returns how many requests of a kind came; "" is of any.
func (s *Server) Asked(kind string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range s.asked {
		if kind == "" || k == kind {
			n += v
		}
	}
	return n
}

// Sent returns how many octets of answers were sent.
func (s *Server) Sent() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.octets
}

// Reset sets the counts to 0.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.asked)
	s.octets = 0
}

// Cut ends a connection after some octets of an answer.
func Cut(w http.ResponseWriter, octets string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	io.WriteString(conn, octets)
	conn.Close()
}

// counted notes a request, and reports whether Before answered it.
func (s *Server) counted(w http.ResponseWriter, r *http.Request, kind string) bool {
	s.mu.Lock()
	s.asked[kind]++
	n := s.asked[kind]
	s.mu.Unlock()
	return s.Before != nil && s.Before(w, r, kind, n)
}

func loggedIn(r *http.Request) bool {
	user, password, basic := r.BasicAuth()
	if basic {
		return user == User && password == Password
	}
	return r.Header.Get("Authorization") == "Bearer "+Token
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	redirected := r.URL.Path == "/.well-known/jmap" && s.Redirect != ""
	if !redirected && !loggedIn(r) {
		w.Header()["Www-Authenticate"] = s.Challenges
		if s.Challenges == nil {
			w.Header().Set("WWW-Authenticate", `Bearer realm="mail, JMAP", Basic realm="mail"`)
		}
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	switch {
	case redirected:
		http.Redirect(w, r, s.Redirect, http.StatusFound)
	case r.URL.Path == "/.well-known/jmap", r.URL.Path == "/session":
		if !s.counted(w, r, "session") {
			s.session(w)
		}
	case r.URL.Path == "/api":
		s.api(w, r)
	case strings.HasPrefix(r.URL.Path, "/blob/"+Account+"/"):
		if !s.counted(w, r, "blob") {
			s.blob(w, r)
		}
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) write(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.octets += int64(len(text))
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

type object = map[string]any

func (s *Server) session(w http.ResponseWriter) {
	api := s.API
	download := s.Download
	if api == "" {
		api = "/api"
	}
	if download == "" {
		download = s.URL + "/blob/{accountId}/{blobId}?type={type}&name={name}"
	}
	mail := object{"urn:ietf:params:jmap:mail": object{}}
	s.write(w, object{
		"capabilities": object{"urn:ietf:params:jmap:mail": object{}, "urn:ietf:params:jmap:core": object{
			"maxSizeRequest": s.MaxRequest, "maxConcurrentRequests": 4, "maxObjectsInGet": s.MaxGet, "maxCallsInRequest": 1,
		}},
		"accounts": object{
			Account: object{"name": "ann@mail.example", "accountCapabilities": mail},
			"C1":    object{"name": "contacts", "accountCapabilities": object{}},
		},
		"primaryAccounts": object{"urn:ietf:params:jmap:mail": Account},
		"apiUrl":          api, "downloadUrl": download, "state": "0",
	})
}

// problem answers with problem details (RFC 8620 section 3.6.1).
func problem(w http.ResponseWriter, limit string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(http.StatusBadRequest)
	fmt.Fprintf(w, `{"type":"urn:ietf:params:jmap:error:limit","limit":%q,"status":400}`, limit)
}

// A call is the one method call of a request.
type call struct {
	method    string
	arguments json.RawMessage
	id        string
}

// parseCall reads a request with one call and two capabilities (RFC 8620 section 3.3).
func parseCall(text []byte) (c call, ok bool) {
	var in struct {
		Using []string
		Calls [][3]json.RawMessage `json:"methodCalls"`
	}
	if json.Unmarshal(text, &in) != nil || len(in.Using) != 2 || len(in.Calls) != 1 {
		return call{}, false
	}
	c.arguments = in.Calls[0][1]
	err := errors.Join(json.Unmarshal(in.Calls[0][0], &c.method), json.Unmarshal(in.Calls[0][2], &c.id))
	return c, err == nil
}

func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	c, ok := parseCall(text)
	if err != nil || r.Method != http.MethodPost || !ok {
		s.t.Errorf("not a request: %s %.200s", r.Method, text)
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	method := c.method
	if s.counted(w, r, method) {
		return
	}
	if len(text) > s.MaxRequest {
		problem(w, "maxSizeRequest")
		return
	}
	var a arguments
	if err := json.Unmarshal(c.arguments, &a); err != nil {
		s.t.Errorf("arguments of %s: %v", method, err)
	}
	s.mu.Lock()
	name := method
	answer := s.answer(method, &a)
	s.mu.Unlock()
	if answer["type"] != nil {
		name = "error"
	} else {
		answer["accountId"] = a.AccountID
	}
	s.write(w, object{"methodResponses": [][]any{{name, answer, c.id}}, "sessionState": "0"})
}

type arguments struct {
	AccountID    string
	IDs          []string
	Filter       *filter
	Anchor       string
	AnchorOffset int
	Position     int
	Limit        *int
	Total        bool `json:"calculateTotal"`
	SinceState   string
	MaxChanges   int
	Properties   []string
}

func (s *Server) state() string { return strconv.Itoa(len(s.log)) }

// answer returns the arguments of an answer, or of an error, which has a type.
func (s *Server) answer(method string, a *arguments) object {
	if a.AccountID != Account {
		return object{"type": "accountNotFound"}
	}
	if len(a.IDs) > s.MaxGet {
		return object{"type": "requestTooLarge"}
	}
	switch method {
	case "Mailbox/get":
		if a.IDs == nil && len(s.Boxes) > s.MaxGet {
			return object{"type": "requestTooLarge"}
		}
		list := []Box{}
		for _, b := range s.Boxes {
			if a.IDs == nil || slices.Contains(a.IDs, b.ID) {
				list = append(list, b)
			}
		}
		return object{"state": "0", "list": list, "notFound": []string{}}
	case "Mailbox/query":
		ids := []string{}
		for _, b := range s.Boxes {
			ids = append(ids, b.ID)
		}
		return object{"ids": ids[min(a.Position, len(ids)):]}
	case "Email/get":
		list := []object{}
		missing := []string{}
		for _, id := range a.IDs {
			i := slices.IndexFunc(s.mails, func(m Mail) bool { return m.ID == id })
			if i < 0 {
				missing = append(missing, id)
				continue
			}
			in := object{}
			for _, b := range s.mails[i].Mailboxes {
				in[b] = true
			}
			if slices.Equal(a.Properties, []string{"bodyStructure"}) {
				_, body, _ := strings.Cut(s.mails[i].Text, "\r\n\r\n")
				list = append(list, object{"id": id, "bodyStructure": object{"size": len(body), "subParts": nil}})
				continue
			}
			list = append(list, object{
				"id": id, "blobId": "B" + id, "size": len(s.mails[i].Text) + s.SizeMore, "mailboxIds": in,
				"receivedAt": s.mails[i].Received.Format(time.RFC3339),
			})
		}
		slices.Reverse(list) // in any order
		return object{"state": s.state(), "list": list, "notFound": missing}
	case "Email/query":
		return s.query(a)
	case "Email/changes":
		return s.changes(a)
	}
	return object{"type": "unknownMethod"}
}

// A filter is a FilterCondition (RFC 8621 section 4.4.1).
type filter struct {
	InMailbox string
	After     time.Time
}

// has reports whether a query yields a mail.
func (f *filter) has(m *Mail) bool {
	if f == nil {
		return true
	}
	isIn := f.InMailbox == "" || slices.Contains(m.Mailboxes, f.InMailbox)
	return isIn && !m.Received.Before(f.After)
}

func (s *Server) query(a *arguments) object {
	all := []string{}
	for _, m := range s.mails {
		if a.Filter.has(&m) {
			all = append(all, m.ID)
		}
	}
	at := a.Position
	if a.Anchor != "" {
		at = slices.Index(all, a.Anchor)
		if at < 0 {
			return object{"type": "anchorNotFound"}
		}
		at += a.AnchorOffset
	}
	at = min(max(0, at), len(all))
	n := min(s.MaxQuery, len(all)-at)
	if a.Limit != nil {
		n = min(n, *a.Limit)
	}
	answer := object{"queryState": s.state(), "canCalculateChanges": false, "position": at, "ids": all[at : at+n]}
	if a.Total {
		answer["total"] = len(all)
	}
	return answer
}

func (s *Server) changes(a *arguments) object {
	since, err := strconv.Atoi(a.SinceState)
	if err != nil || since < s.oldest || since > len(s.log) {
		return object{"type": "cannotCalculateChanges"}
	}
	end := len(s.log)
	if a.MaxChanges > 0 {
		end = min(end, since+min(a.MaxChanges, s.MaxQuery))
	}
	answer := object{"oldState": a.SinceState, "newState": strconv.Itoa(end), "hasMoreChanges": end < len(s.log)}
	for _, what := range []string{"created", "updated", "destroyed"} {
		ids := []string{}
		for _, c := range s.log[since:end] {
			if c.what == what && !slices.Contains(ids, c.id) {
				ids = append(ids, c.id)
			}
		}
		answer[what] = ids
	}
	return answer
}

func (s *Server) blob(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/blob/"+Account+"/B")
	s.mu.Lock()
	i := slices.IndexFunc(s.mails, func(m Mail) bool { return m.ID == id })
	var text string
	if i >= 0 {
		text = s.mails[i].Text
		s.octets += int64(len(text))
	}
	s.mu.Unlock()
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", r.URL.Query().Get("type"))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	io.WriteString(w, text)
}
