package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// A told is a line of an attempt on a key, some seconds after noon: a capture with a body, or a forget.
type told struct {
	at     int
	body   string
	expect string
	fresh  string // Last-Modified
	by     string

	compared bool
}

// TestDelay holds: the delay of a capture counts from the topmost field Received, else from the field
// Date, to the first of the latest captures of the key that have the same body. Table, status and page agree.
func TestDelay(t *testing.T) {
	noon := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	const received, date = "Mon, 2 Nov 2026 13:00:00 +0100", "Mon, 2 Nov 2026 11:59:00 +0000"
	tests := []struct {
		name           string
		received, date string
		told           []told
		delay, by      string
		asSent         string
	}{
		{"received", "from a by b; " + received, date, []told{{at: 7, body: "a", fresh: "Mon, 02 Nov 2026 12:00:00 GMT"}}, "7", "received", "yes"},
		{"a comment after the time", "from a by b; " + received + " (for; x)", date, []told{{at: 7, body: "a", fresh: "Mon, 02 Nov 2026 12:00:01 GMT"}}, "7", "received", "no"},
		{"no field Received", "", date, []told{{at: 7, body: "a"}}, "67", "date", ""},
		{"a field Received without a time", "from a by b", date, []told{{at: 7, body: "a"}}, "67", "date", ""},
		{"neither", "", "yesterday", []told{{at: 7, body: "a", fresh: "Mon, 02 Nov 2026 12:00:00 GMT"}}, "", "", ""},
		{"a year that cannot be", "", "Mon, 2 Nov 0026 11:59:00 +0000", []told{{at: 7, body: "a"}}, "", "", ""},
		{"the same body again", "x; " + received, date, []told{{at: 7, body: "a"}, {at: 5000, body: "a"}}, "7", "received", ""},
		{"another body later", "x; " + received, date, []told{{at: 7, body: "a"}, {at: 5000, body: "b"}}, "5000", "received", ""},
		{"back to the first body", "x; " + received, date, []told{{at: 7, body: "a"}, {at: 500, body: "b"}, {at: 5000, body: "a"}}, "5000", "received", ""},
		{"captured for another promise before", "x; " + received, date, []told{{at: 7, body: "a", expect: "00000000000000aa"}, {at: 5000, body: "a"}}, "7", "received", ""},
		{"captured before the message", "x; " + received, date, []told{{at: -60, body: "a"}}, "-60", "received", ""},
		{"captured before the message and after", "x; " + received, date, []told{{at: -60, body: "a"}, {at: 9, body: "a"}}, "9", "received", ""},
		{"at delivery", "x; " + received, date, []told{{at: -60, body: "a", by: "mx1"}}, "0", "received", ""},
		{"at delivery, for another message", "x; " + received, date, []told{{at: -61, body: "a", by: "mx1"}}, "-61", "received", ""},
		{"at delivery, and again for another message", "x; " + received, date, []told{{at: -2, body: "a", by: "mx1"}, {at: 3000, body: "a", by: "mx1"}}, "0", "received", ""},
		{"before, and again at delivery", "x; " + received, date, []told{{at: -3000, body: "a"}, {at: -2, body: "a", by: "mx1"}}, "0", "received", ""},
		{"at delivery for another one, and then by a run", "x; " + received, date, []told{{at: -3000, body: "a", by: "mx1"}, {at: -2, body: "a"}}, "-2", "received", ""},
		{"again by a clock that is behind", "x; " + received, date, []told{{at: 2000, body: "a"}, {at: 500, body: "a"}}, "2000", "received", ""},
		{"another body for another promise later", "x; " + received, date, []told{{at: 30, body: "a"}, {at: 5000, body: "b", expect: "00000000000000aa"}}, "30", "received", ""},
		{"the same body, and then another for another promise", "x; " + received, date, []told{{at: 40, body: "a"}, {at: 6000, body: "a"}, {at: 9000, body: "b", expect: "00000000000000aa"}}, "40", "received", ""},
		{"compared alone", "x; " + received, date, []told{{at: -90, body: "a", expect: "00000000000000aa"}, {at: 5000, body: "a", compared: true}}, "-90", "received", ""},
		{"compared later for another promise", "x; " + received, date, []told{{at: 50, body: "a"}, {at: 20, body: "a", expect: "00000000000000aa", compared: true}}, "50", "received", ""},
		{"forgotten, and captured again", "x; " + received, date, []told{{at: 7, body: "a"}, {at: 100}, {at: 900, body: "a"}}, "900", "received", ""},
	}
	dir := home(t)
	open(t, dir).Close()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Head{}, 0)
	must(t, err)
	write := func(kind string, body any) {
		_, err := l.Append(noon, ledger.Entry{Kind: kind, Body: body})
		must(t, err)
	}
	write("run", &archive.Run{Format: 1, Event: "begin", Command: "sync"})
	for i, c := range tests {
		top := "Received: " + c.received + "\r\nReceived: from before; Sun, 1 Nov 2026 12:00:00 +0000\r\n"
		if c.received == "" {
			top = ""
		}
		text := top + "Date: " + c.date + "\r\n\r\n" + c.name
		m := archive.Describe(text)
		m.References = 1
		key := sumOf(fmt.Sprint("key", i))
		write("message", m)
		write("reference", &archive.ReferenceRecord{Message: m.SHA256, Ref: "1", Key: key, URL: "https://a.example/" + c.name, Host: "a.example", Size: -1})
		for _, s := range c.told {
			if s.body == "" {
				write("forget", &archive.Forget{Keys: []string{key}, At: noon})
				continue
			}
			f := archive.Facts{Key: key, Expect: s.expect, Ended: noon.Add(time.Duration(s.at) * time.Second)}
			if s.fresh != "" {
				f.Header = map[string][]string{"Last-Modified": {s.fresh}}
			}
			octets := c.name + s.body
			path := object(dir, sumOf(octets))
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			put(t, path, octets)
			write("capture", &archive.Capture{Facts: f, SHA256: sumOf(octets), Size: int64(len(octets)), Label: "current", By: s.by, Compared: s.compared})
		}
	}
	write("run", &archive.Run{Format: 1, Event: "end", Command: "sync"})
	put(t, filepath.Join(dir, "head"), l.Head().String()+"\n")
	must(t, l.Close())

	agreeing(t, dir, nil) // with a reader by ARCHIVE.md alone
	a := readAt(t, dir, nil)
	for i, row := range records(t, table(t, a)) {
		c := tests[i]
		if row["delay"] != c.delay || row["delay_by"] != c.by || row["as_sent"] != c.asSent {
			t.Errorf("%s: got a delay of %q by %q, as sent %q, want %q, %q, %q", c.name, row["delay"], row["delay_by"], row["as_sent"], c.delay, c.by, c.asSent)
		}
	}
	s, err := a.Status()
	must(t, err)
	for name, d := range map[string]archive.Delays{"all": s.Delays, "host": s.Hosts["a.example"].Delays} {
		// 0 0 0 7 7 7 7 9 30 40 50 67 67 900 2000 5000 5000
		if d.Captures != 17 || d.ByDate != 2 || d.Before != 4 || d.Unknown != 2 || d.Within50 != 30 || d.Within90 != 5000 || d.Within99 != 5000 {
			t.Errorf("%s: got %+v", name, d)
		}
	}
	text := page(t, a)
	for _, want := range []string{"Half of 17 captures were made within 30 seconds", "90 % within 83 minutes", `>within 10 s</th>`, `height="20"/></svg></td><td class="n">8</td></tr><tr><th scope="row">within a minute</th>`, `>before the message</th><td><svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true"><rect width="500" height="20"/></svg></td><td class="n">4</td>`, `>2026-11</th>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}
