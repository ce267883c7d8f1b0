package native

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
)

// frame returns a frame of a text.
func frame(text string) string {
	return string(binary.NativeEndian.AppendUint32(nil, uint32(len(text)))) + text
}

// request returns the frame of a request.
func request(t testing.TB, q *Request) string {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return frame(string(text))
}

// readAnswer reads a frame of the host, of at most maxAnswer octets, which the schema has to allow.
func readAnswer(r io.Reader) (*Answer, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.NativeEndian.Uint32(head[:])
	if n > maxAnswer {
		return nil, fmt.Errorf("got an answer of %d octets, want at most %d", n, maxAnswer)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	a := new(Answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, err
	}
	var v any
	json.Unmarshal(text, &v)
	schema, err := schemaOf[Answer](false).Resolve(nil)
	if err == nil {
		err = schema.Validate(v)
	}
	return a, err
}

// A site is a server that has files, and counts its requests.
type site struct {
	*httptest.Server
	asked atomic.Int64
}

func newSite(t testing.TB, h http.HandlerFunc) *site {
	s := new(site)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		w.Header().Set("Content-Type", "application/pdf")
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// flags are the flags with which the host may ask the site.
func (s *site) flags() []string {
	return []string{"--allow-net", "127.0.0.1/32", "--allow-port", s.URL[strings.LastIndex(s.URL, ":")+1:]}
}

// mailWith returns a message with a reference to a PDF for each URL.
func mailWith(urls ...string) string {
	var b strings.Builder
	b.WriteString("From: a@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n")
	for i, u := range urls {
		fmt.Fprintf(&b, "--b\nContent-Type: message/external-body; access-type=URL; URL=\"%s\"\n\nContent-ID: <%d@b>\n"+
			"Content-Type: application/pdf\nContent-Disposition: attachment; filename=%d.pdf\n\n", u, i, i)
	}
	return b.String() + "--b--\n"
}

// A caller is an extension with a session.
type caller struct {
	testing.TB
	in      io.Writer
	answers chan *Answer // closed at the end
	id      int64
	dir     string // where files are saved
	done    chan error
	end     func()
}

// call starts a session, with flags of the command.
func call(t testing.TB, flags ...string) *caller {
	t.Helper()
	return callWith(t, new(settings.Settings), flags...)
}

func callWith(t testing.TB, s *settings.Settings, flags ...string) *caller {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &caller{TB: t, in: inW, answers: make(chan *Answer, 1000), dir: filepath.Join(t.TempDir(), "files"), done: make(chan error, 1)}
	c.end = func() { inW.Close() }
	cmd := command(s, append(flags, "-o", c.dir, "/manifest.json", extension))
	cmd.SetIn(inR)
	cmd.SetOut(outW)
	go func() {
		err := cmd.ExecuteContext(t.Context())
		inR.CloseWithError(errors.New("the host has ended"))
		outW.Close()
		c.done <- err
	}()
	go func() {
		defer close(c.answers)
		for {
			a, err := readAnswer(outR)
			if err != nil {
				if err != io.EOF {
					t.Error(err)
				}
				return
			}
			c.answers <- a
		}
	}()
	t.Cleanup(func() {
		c.end()
		for range c.answers {
		}
	})
	return c
}

func command(s *settings.Settings, args []string) *cobra.Command {
	cmd := Command(s)
	cmd.SetArgs(args)
	cmd.SetErr(io.Discard)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd
}

// send sends a request.
func (c *caller) send(q Request) int64 {
	c.Helper()
	c.id++
	q.ID = c.id
	if _, err := io.WriteString(c.in, request(c, &q)); err != nil {
		c.Fatal(err)
	}
	return c.id
}

// next reads an answer.
func (c *caller) next() *Answer {
	c.Helper()
	a, ok := <-c.answers
	if !ok {
		c.Fatal("got the end, want an answer")
	}
	return a
}

// ask sends a request, and returns its last answer, and the events before that.
func (c *caller) ask(q Request) (last *Answer, events []*Answer) {
	c.Helper()
	id := c.send(q)
	for {
		a := c.next()
		if a.ID == id && a.Event == "" {
			return a, events
		}
		events = append(events, a)
	}
}

// hand hands a message over, in pieces.
func (c *caller) hand(mail string) *Answer {
	c.Helper()
	for len(mail) > Piece {
		if a, _ := c.ask(Request{Op: "open", Octets: []byte(mail[:Piece])}); a.Error != "" {
			return a
		}
		mail = mail[Piece:]
	}
	a, _ := c.ask(Request{Op: "open", Octets: []byte(mail), Last: true})
	return a
}

// plan returns the plan of the only contact of files.
func (c *caller) plan(files ...int) string {
	c.Helper()
	a, _ := c.ask(Request{Op: "plan", Files: files})
	if len(a.Contacts) != 1 {
		c.Fatalf("got %d contacts, want 1: %+v", len(a.Contacts), a)
	}
	return a.Contacts[0].Plan
}

// files returns the names of the saved files.
func (c *caller) files() (names []string) {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// schemaOf returns the schema of a type. Open allows other keys: a newer version may add some.
func schemaOf[T any](open bool, required ...string) *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err)
	}
	s.Required = append([]string{"id"}, required...)
	if open {
		loosen(s)
	}
	return s
}

func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	loosen(s.Items)
	for _, p := range s.Properties {
		loosen(p)
	}
}
