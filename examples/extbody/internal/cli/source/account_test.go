package source

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/testkit/jmapserver"
)

// A night is an archive of an account, and the costs of its runs.
type night struct {
	t      *testing.T
	server *jmapserver.Server // nil for another server
	host   string
	dir    string
	path   string // after the slash of the URL
	scheme string // "" for jmap+http
	forms  string // of references that are looked for on an IMAP server; "" is the standard one
	since  time.Time
	all    bool
	open   externalbody.OpenOptions
}

func newNight(t *testing.T) *night {
	server := jmapserver.New(t)
	open := externalbody.OpenOptions{Dialects: dialect.All()}
	return &night{t: t, server: server, host: server.Host(), dir: filepath.Join(t.TempDir(), "archive"), open: open}
}

func (n *night) servers() *Servers {
	plaintext := true
	flags := &ServerFlags{passwordCommand: "echo " + jmapserver.Password, plaintext: &plaintext, Unlimited: true}
	s := &Servers{Flags: flags, pause: time.Millisecond}
	if err := s.SetDialects(cmp.Or(n.forms, "none")); err != nil {
		n.t.Fatal(err)
	}
	return s
}

// sync runs archive sync once.
func (n *night) sync() *archive.Result {
	n.t.Helper()
	res, err := n.syncWithin(n.t.Context())
	if err != nil {
		n.t.Fatal(err)
	}
	return res
}

// syncWithin runs archive sync once, in a context.
func (n *night) syncWithin(ctx context.Context) (*archive.Result, error) {
	n.t.Helper()
	if n.server != nil {
		n.server.Reset()
	}
	a, err := archive.Open(n.dir, true, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	defer a.Close()
	sources, stop, err := n.servers().Archived(ctx, cmp.Or(n.scheme, "jmap+http")+"://ann@"+n.host+"/"+n.path, n.all, n.since)
	if err != nil {
		n.t.Fatal(err)
	}
	defer stop()
	return a.Sync(ctx, &archive.SyncOptions{Sources: sources, Open: &n.open, Resolver: new(externalbody.Resolver), All: n.all,
		Login: func(*url.URL) string { return "" }})
}

// want runs archive sync, and compares the numbers of its source and the blobs and all requests that it took.
func (n *night) want(what string, exists, seen, stored int64, blobs, requests int) *archive.Result {
	n.t.Helper()
	res := n.sync()
	r := res.Sources[0]
	if r.Error != "" || r.Exists != exists || r.Seen != seen || r.Stored != stored {
		n.t.Errorf("%s: got %+v, want %d messages, %d seen, %d stored", what, r, exists, seen, stored)
	}
	if got, all := n.server.Asked("blob"), n.server.Asked(""); got != blobs || all != requests {
		n.t.Errorf("%s: got %d blobs and %d requests, want %d and %d", what, got, all, blobs, requests)
	}
	return res
}

// ledger returns the text of the ledger.
func (n *night) ledger() string {
	n.t.Helper()
	var all strings.Builder
	names, err := filepath.Glob(filepath.Join(n.dir, "ledger", "*"))
	if err != nil {
		n.t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			n.t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// linked returns a message with a reference.
func linked(i int) string {
	return fmt.Sprintf("Subject: %d\r\nContent-Type: message/external-body; access-type=url; url=\"https://a.example/%d\"\r\n\r\nContent-Type: text/plain\r\n\r\n", i, i)
}

func plain(i int) string { return fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", i) }

// TestJMAPNights holds: a night without news costs three requests for an account of any size, one with news the
// messages that are new, and the server has counted the same numbers. The session, the changes and the number of
// messages are asked for.
func TestJMAPNights(t *testing.T) {
	n := newNight(t)
	for i := range 30 {
		text := plain(i)
		if i%3 == 0 {
			text = linked(i)
		}
		n.server.Add(text)
	}
	// session, state, ids, mailboxes, messages
	n.want("the first night", 30, 30, 10, 30, 35)
	if text := n.ledger(); !strings.Contains(text, `"emailid":"M1","mailboxes":["Inbox"],"size":`) || !strings.Contains(text, `"state":"30"`) {
		t.Errorf("got no ids, mailboxes or state in %s", text)
	}
	if res := n.want("no news", 30, 30, 10, 0, 3); res.Quiet != 1 || n.server.Sent() > 1000 {
		t.Errorf("got %d quiet sources, %d octets; want 1, few", res.Quiet, n.server.Sent())
	}
	n.server.Move("M1", "inbox", "other")
	n.want("a message moved", 30, 30, 10, 0, 3)
	n.server.Add(linked(30))
	n.server.Add(plain(31))
	n.want("two new ones", 32, 32, 11, 2, 7)
	n.server.Remove("M1") // stored
	n.server.Remove("M2")
	id := n.server.Add(linked(32))
	n.want("two less, one more", 31, 31, 11, 1, 6)
	n.server.Remove(id)
	n.server.Remove(n.server.Add(plain(33)))
	n.want("one less, and one that came and went", 30, 30, 10, 0, 3)

	n.server.Forget()
	n.want("a state that is lost", 30, 30, 10, 0, 4)
	n.want("no news after it", 30, 30, 10, 0, 3)
	n.all = true
	n.want("all messages", 30, 30, 30, 20, 25)
	n.want("no news after that", 30, 30, 30, 0, 3)
	n.open.MaxReferences = 7
	n.want("other rules", 30, 30, 30, 0, 3)
	if err := os.Remove(filepath.Join(n.dir, "index")); err != nil {
		t.Fatal(err)
	}
	n.want("an index that is made anew", 30, 30, 30, 0, 3)
}

// A server whose changes leave something out is not believed: its number of messages shows
// the gap.
func TestJMAPCounted(t *testing.T) {
	n := newNight(t)
	for i := range 5 {
		n.server.Add(linked(i))
	}
	n.want("the first night", 5, 5, 5, 5, 10)
	n.server.Add(linked(5))
	n.server.Before = func(w http.ResponseWriter, _ *http.Request, kind string, _ int) bool {
		if kind == "Email/changes" {
			fmt.Fprint(w, `{"methodResponses":[["Email/changes",{"accountId":"A1","newState":"6","created":[],"updated":[],"destroyed":[]},"0"]]}`)
		}
		return kind == "Email/changes"
	}
	n.want("a message that is left out", 6, 6, 6, 1, 8)
}

// TestJMAPMailbox holds: a mailbox is read alone, and again when anything has changed.
func TestJMAPMailbox(t *testing.T) {
	n := newNight(t)
	n.path = "Work"
	n.server.Boxes = append(n.server.Boxes, jmapserver.Box{ID: "w", Name: "Work"})
	for i := range 4 {
		n.server.Move(n.server.Add(linked(i)), []string{"inbox", "w"}[i%2])
	}
	n.want("the first night", 2, 2, 2, 2, 7)
	n.want("no news", 2, 2, 2, 0, 4)
	n.server.Move("M1", "w")
	n.want("a message that came", 3, 3, 3, 1, 7)
	n.server.Move("M5", "w", "inbox")
	n.server.Move("M1", "inbox")
	n.want("one came, one left", 3, 3, 3, 1, 7)
	n.path = "Nowhere"
	if r := n.sync().Sources[0]; !strings.Contains(r.Error, "no such mailbox") {
		t.Errorf("got %+v, want no such mailbox", r)
	}
}

// TestJMAPSince holds: messages that were received before are counted and not read, and read by a run without it.
func TestJMAPSince(t *testing.T) {
	n := newNight(t)
	for i := range 6 {
		n.server.Add(linked(i)) // received at 0:00:01 to 0:00:06
	}
	n.since = time.Date(2026, 11, 1, 0, 0, 5, 0, time.UTC)
	for range 2 {
		if res := n.sync(); res.Sources[0].Older != 4 || res.Sources[0].Seen != 2 || res.Unaccounted != 0 {
			t.Errorf("got %+v, want 4 older and 2 seen", res.Sources[0])
		}
	}
	n.since = time.Time{}
	n.want("all", 6, 6, 6, 4, 9)
}

// OP-56: the line of a message without Received has the time at which the server got it.
func TestJMAPArrival(t *testing.T) {
	n := newNight(t)
	n.server.Add(linked(1))
	n.server.Add("Received: from a by b; Sun, 1 Nov 2026 00:00:00 +0000\r\n" + linked(2))
	n.sync()
	text := n.ledger()
	if strings.Count(text, `"internal_date":"2026-11-01T00:00:01Z"`) != 1 || strings.Count(text, `"internal_date"`) != 1 {
		t.Errorf("got\n%s, want the time of the first message", text)
	}
}

// TestJMAPCut holds: of a server that dies in the first night, the messages that arrived before are kept, each
// night costs few requests after that, and the next night reads the rest alone.
func TestJMAPCut(t *testing.T) {
	const all = 100
	for _, at := range []int{20, 50, 90} {
		n := newNight(t)
		for i := range all {
			n.server.Add(linked(i))
		}
		var dead atomic.Bool
		n.server.Before = func(w http.ResponseWriter, _ *http.Request, kind string, i int) bool {
			if kind == "blob" && i == at+1 {
				dead.Store(true)
			}
			if dead.Load() {
				jmapserver.Cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nab")
			}
			return dead.Load()
		}
		res := n.sync()
		r := res.Sources[0]
		// Those that were on their way when the server died may be exceptions or lost.
		if r.Error == "" || r.Exists != all || r.Seen != int64(at) || r.Stored != r.Seen || r.Excepted > 4 || n.server.Asked("") > at+30 {
			t.Errorf("cut after %d: got %+v with %d requests", at, r, n.server.Asked(""))
		}
		dead.Store(false)
		n.server.Before = nil
		n.want("the night after", all, all, all, all-int(r.Seen), all-int(r.Seen)+5)
		n.want("no news", all, all, all, 0, 3)
	}
}

// TestJMAPOneFails holds: a message that cannot be had is an exception until it can, and costs no other message.
func TestJMAPOneFails(t *testing.T) {
	n := newNight(t)
	for i := range 9 {
		n.server.Add(linked(i))
	}
	n.server.Before = func(w http.ResponseWriter, r *http.Request, kind string, _ int) bool {
		fails := kind == "blob" && strings.HasSuffix(r.URL.Path, "/BM5")
		if fails {
			http.Error(w, "", http.StatusInternalServerError)
		}
		return fails
	}
	for i := range 2 {
		res := n.sync()
		if r := res.Sources[0]; r.Error != "" || r.Seen != 8 || r.Excepted != 1 || res.Exceptions != 1 || res.New != int64(1-i) {
			t.Errorf("got %+v, want 8 seen and 1 excepted", r)
		}
	}
	if !strings.Contains(n.ledger(), `"emailid":"M5","reason":"TransientServiceError"`) {
		t.Errorf("got no exception of the message in %s", n.ledger())
	}
	n.server.Before = nil
	n.want("it can be had", 9, 9, 9, 1, 6)
	if !strings.Contains(n.ledger(), `"emailid":"M5","resolved":true`) {
		t.Error("the exception is not resolved")
	}
}
