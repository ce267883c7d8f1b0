package inspect

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-extbody/extbody/externalbody"
)

// A bound of reading that will be the same at the next try is unread with its name, and its verdict is
// unavailable. A rule sees it by unread, and by the kind too-large (OP-49).
func TestBoundOfReading(t *testing.T) {
	three := refers("a.example", "b.example", "c.example")
	for _, c := range []struct {
		name   string
		report func(*testing.T) *Report
		detail string
		refs   int
	}{
		{"References", func(t *testing.T) *Report {
			in := newInspector(t, new(web), nil, PoolOptions{})
			in.Reading = &externalbody.OpenOptions{MaxReferences: 2}
			return in.Inspect(t.Context(), three)
		}, "MaxReferences", 2},
		{"Time", func(t *testing.T) *Report {
			in := newInspector(t, new(web), nil, PoolOptions{})
			text := "\r\n" + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 20<<20/72)
			return in.Inspect(t.Context(), &Message{Text: slowText{strings.NewReader(text)}, Size: int64(len(text))})
		}, "--wait", 0},
		{"Size", func(*testing.T) *Report { return TooLong() }, "--max-message", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rep := c.report(t)
				if rep.Verdict != Unavailable || rep.Failure != 0 || len(rep.Refs) != c.refs || rep.Nothing() {
					t.Fatalf("got %s, failure %v, %d refs, want %s, none, %d", rep.Verdict, rep.Failure, len(rep.Refs), Unavailable, c.refs)
				}
				if len(rep.Unread) != 1 || rep.Unread[0].Reason != "cut-short" || !strings.Contains(rep.Unread[0].Detail, c.detail) {
					t.Errorf("got %+v, want cut-short by %s", rep.Unread, c.detail)
				}
				for _, condition := range []string{"unread = 'cut-short'", "kind = 'too-large'"} {
					p := rules(t, "name='x'; action='quarantine'; "+condition)
					if d := p.Decide(rep, new(Envelope), "", nil); d.Action != Quarantine {
						t.Errorf("%s: got %s, want %s", condition, d.Action, Quarantine)
					}
				}
			})
		})
	}
}

// More parts than a Report has, each beyond a bound of its own, do not hide the bound of the message.
func TestBoundAfterMany(t *testing.T) {
	rep := new(Report)
	for range 2 * maxUnread {
		rep.addUnread(Unread{Section: "1", Type: "text/calendar", Reason: "cut-short"})
	}
	rep.addUnread(Unread{Reason: "cut-short", Detail: "a bound"})
	if n := len(rep.Unread); n != maxUnread+1 || rep.Unread[n-1].Detail != "a bound" {
		t.Errorf("got %d, want %d with the bound of the message as the last one", n, maxUnread+1)
	}
}

// A client that has gone is not a bound: the message is looked at in full the next time.
func TestGoneIsNoBound(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	rep := newInspector(t, new(web), nil, PoolOptions{}).Inspect(ctx, refers("a.example"))
	if len(rep.Unread) != 0 {
		t.Errorf("got unread %v, want none", rep.Unread)
	}
}
