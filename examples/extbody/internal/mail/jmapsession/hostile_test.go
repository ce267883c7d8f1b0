package jmapsession

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/jmapserver"
)

// answers makes a server answer requests of a method with the result of text, for the first, the second and so on.
func answers(s *jmapserver.Server, method string, text func(n int) string) {
	s.Before = func(w http.ResponseWriter, _ *http.Request, kind string, n int) bool {
		if kind == method {
			io.WriteString(w, `{"methodResponses":[["`+method+`",{"accountId":"A1",`)
			io.WriteString(w, text(n))
			io.WriteString(w, `},"0"]]}`)
		}
		return kind == method
	}
}

// calls are the requests of a Session, by their methods, and the member of an answer that has the most values.
var calls = []struct {
	method, member string
	call           func(t *testing.T, s *Session) error
}{
	{"Email/query", "ids", func(t *testing.T, s *Session) error {
		_, _, err := s.IDs(t.Context(), new(Filter))
		return err
	}},
	{"Email/query", "ids", func(t *testing.T, s *Session) error {
		_, err := s.Total(t.Context(), new(Filter))
		return err
	}},
	{"Email/get", "list", func(t *testing.T, s *Session) error {
		_, err := s.Emails(t.Context(), []string{"M1", "M2"})
		return err
	}},
	{"Email/get", "notFound", func(t *testing.T, s *Session) error {
		_, err := s.Emails(t.Context(), []string{"M1", "M2"})
		return err
	}},
	{"Email/get", "list", func(t *testing.T, s *Session) error {
		_, err := s.State(t.Context())
		return err
	}},
	{"Email/get", "list", func(t *testing.T, s *Session) error {
		_, err := s.bodies(t.Context(), "M1")
		return err
	}},
	{"Email/changes", "updated", func(t *testing.T, s *Session) error {
		_, err := s.Changes(t.Context(), "0")
		return err
	}},
	{"Mailbox/get", "list", func(t *testing.T, s *Session) error {
		_, err := s.Mailboxes(t.Context())
		return err
	}},
}

// TestHostileAnswers holds, OP-62: an answer of 16 MiB with as many values as fit into it is refused while it arrives, whatever was
// asked.
func TestHostileAnswers(t *testing.T) {
	const most = 64 << 20
	for _, c := range calls {
		for _, value := range []string{`0`, `""`, `{}`, `[]`, `{"id":"M1","mailboxIds":{"a":true}}`, `{"bodyStructure":{"subParts":[{},{},{}]}}`} {
			server := jmapserver.New(t)
			text := fmt.Sprintf(`%q:[%s%s]`, c.member, strings.Repeat(value+",", (maxAnswer-100)/(len(value)+1)), value)
			answers(server, c.method, func(int) string { return text })
			s := open(t, configOf(server))
			var err error
			got := testkit.Allocated(func() { err = c.call(t, s) })
			state := errors.Is(err, ErrState)
			if !state {
				wantKind(t, err, fetch.TooLarge)
			}
			if got > most {
				t.Errorf("%s with %s: got %d MiB allocated, want at most %d", c.method, value, got>>20, most>>20)
			}
		}
	}
}

// TestHostileSession holds, OP-62: so is a session resource.
func TestHostileSession(t *testing.T) {
	text := `{"capabilities":{` + strings.Repeat(`"":0,`, maxAnswer/5-100) + `"":0}}`
	server := jmapserver.New(t)
	server.Before = func(w http.ResponseWriter, _ *http.Request, kind string, _ int) bool {
		if kind == "session" {
			io.WriteString(w, text)
		}
		return kind == "session"
	}
	var err error
	got := testkit.Allocated(func() { _, err = Open(t.Context(), configOf(server)) })
	wantKind(t, err, fetch.TooLarge)
	if got > 64<<20 {
		t.Errorf("got %d MiB allocated, want at most 64", got>>20)
	}
}

// TestMoreThanAsked holds, OP-62: an answer with one more than was asked for is a fault of the server, and the request is
// not sent again.
func TestMoreThanAsked(t *testing.T) {
	many := func(n int) string { return `["a"` + strings.Repeat(`,"a"`, n-1) + `]` }
	for _, tt := range []struct {
		call   int // in calls
		answer string
		want   fetch.Kind
	}{
		{0, `"ids":` + many(queryLimit+1), fetch.Protocol},
		{2, `"list":[{},{},{}]`, fetch.Protocol},
		{2, `"list":[{"id":"M1"}],"notFound":["M2","M3"]`, fetch.Protocol},
		{6, `"newState":"1","updated":` + many(queryLimit+1), fetch.Protocol},
		{6, `"newState":"1","created":["a"],"destroyed":` + many(queryLimit), fetch.Protocol},
		{6, `"newState":"1","updated":` + many(queryLimit), 0},
	} {
		c := calls[tt.call]
		server := jmapserver.New(t)
		answers(server, c.method, func(int) string { return tt.answer })
		s := open(t, configOf(server))
		err := c.call(t, s)
		if tt.want == 0 && err != nil {
			t.Errorf("%s: got %v, want no error", c.method, err)
		}
		if tt.want != 0 {
			wantKind(t, err, tt.want)
		}
		if n := server.Asked(c.method); n != 1 {
			t.Errorf("%s: got %d requests for %.60s, want 1", c.method, n, tt.answer)
		}
	}
}

// TestRounds holds, OP-62: a server that always has one more answer is not asked without end.
func TestRounds(t *testing.T) {
	for _, tt := range []struct {
		call, most int
		answer     func(n int) string
	}{
		{6, maxChangeRounds, func(n int) string { return fmt.Sprintf(`"newState":"%d","hasMoreChanges":true`, n) }},
		{6, maxChangeRounds, func(n int) string { return fmt.Sprintf(`"newState":"%d","hasMoreChanges":true,"updated":["a"]`, n) }},
		{0, maxRounds, func(n int) string { return fmt.Sprintf(`"ids":["%d"]`, n) }},
	} {
		c := calls[tt.call]
		server := jmapserver.New(t)
		answers(server, c.method, tt.answer)
		s := open(t, configOf(server))
		err := c.call(t, s)
		n := server.Asked(c.method)
		if err == nil || n > tt.most {
			t.Errorf("%s: got %v after %d answers, want an error after at most %d", c.method, err, n, tt.most)
		}
	}
}
