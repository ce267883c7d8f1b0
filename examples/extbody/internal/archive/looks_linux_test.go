package archive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// TestUnopened holds: a message in a Maildir is not opened again while its file has the inode, size and times that it
// had, and the run has the results of one that reads everything. Each change is noticed, also one in place that sets
// the old time (OP-59).
func TestUnopened(t *testing.T) {
	keepsChanges(t)
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 3)...)
	const text = "Subject: x\n\nno reference\n"
	deliver(t, box, "plain:2,", text)
	other := maildir(t)
	deliver(t, other, "same:2,", text)
	file := func(name string) string { return filepath.Join(box, "cur", name) }
	c := &clock{at: time.Now().Add(time.Minute)}
	var since time.Time
	night := func(name string, want int64, change func(*archive.SyncOptions)) *archive.Result {
		t.Helper()
		o := func() *archive.SyncOptions {
			o := options()
			o.Sources = []archive.Source{archive.Files(box, since)}
			if change != nil {
				change(o)
			}
			return o
		}
		all := o()
		all.VerifySources = true
		whole := runAt(t, copied(t, dir), c, all)
		got := runAt(t, dir, c, o())
		if got.Unopened != want || whole.Unopened != 0 {
			t.Errorf("%s: got %d messages that were not opened, want %d", name, got.Unopened, want)
		}
		if !reflect.DeepEqual(got.Sources, whole.Sources) || got.Messages != whole.Messages {
			t.Errorf("%s: got %+v, %d new messages; want %+v, %d", name, got.Sources, got.Messages, whole.Sources, whole.Messages)
		}
		return got
	}
	runAt(t, dir, c, options())
	night("the first night", 0, nil)
	if res := night("no news", 4, nil); res.Quiet != 1 || res.Sources[0].Stored != 3 {
		t.Errorf("no news: got %+v, %+v", res.Counts, res.Sources)
	}
	must(t, os.Rename(file("001:2,S"), file("001:2,RS")))
	night("another flag", 3, nil)
	night("after another flag", 4, nil)

	was, err := os.Stat(file("002:2,S"))
	must(t, err)
	deliver(t, box, "002:2,S", letter("2", s.URL+"/9"))
	must(t, os.Chtimes(file("002:2,S"), was.ModTime(), was.ModTime()))
	if now, err := os.Stat(file("002:2,S")); err != nil || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
		t.Fatalf("got %v, %v; want the size and the time that the file had", now, err)
	}
	if res := night("octets with the old time", 3, nil); res.Messages != 1 || s.asks["/9"] == 0 {
		t.Errorf("octets with the old time: got %+v, want a new message", res.Counts)
	}
	deliver(t, box, "005:2,", letter("5", s.URL+"/5"))
	night("a message", 4, nil)
	must(t, os.Remove(file("005:2,")))
	night("a message less", 4, nil)

	deliver(t, box, "006:2,", "\x89PNG\r\n\x1A\n")
	night("a file without mail", 4, nil)
	night("a file without mail again", 4, nil)
	deliver(t, box, "006:2,", letter("6", s.URL+"/6"))
	night("mail in its place", 4, nil)
	night("no news again", 5, nil)

	// A change can show in no time if it comes at once after the look.
	c.set(time.Now(), 0)
	deliver(t, box, "007:2,", letter("7", s.URL+"/7"))
	night("a message of now", 5, nil)
	night("the same message", 5, nil)
	c.set(time.Now().Add(time.Minute), 0)
	night("the same message, later", 5, nil)
	night("the same message, later again", 6, nil)

	looks := mustGlob(t, dir, "looks/*")
	if len(looks) != 1 {
		t.Fatalf("got %q, want a file", looks)
	}
	octets := slurp(t, dir, "looks")
	put(t, looks[0], octets[:len(octets)/2]+"X"+octets[len(octets)/2+1:])
	night("a damaged file of looks", 0, nil)
	must(t, os.RemoveAll(filepath.Join(dir, "looks")))
	night("no looks", 0, nil)
	night("looks again", 6, nil)

	night("other rules", 0, func(o *archive.SyncOptions) { o.Open.MaxReferences = 7 })
	night("the same rules again", 0, nil)
	night("and again", 6, nil)

	// A message that another source stores is stored.
	run(t, dir, &archive.SyncOptions{Sources: []archive.Source{archive.Files(other, time.Time{})}, All: true, Resolver: resolver(), Open: options().Open})
	night("after a message was stored", 0, nil)
	night("after that", 6, nil)
	deliver(t, box, "plain:2,", strings.ToUpper(text))
	night("another message without references", 5, nil)
	night("with all", 5, func(o *archive.SyncOptions) { o.All = true })
	night("with all again", 6, func(o *archive.SyncOptions) { o.All = true })

	since = time.Now().Add(-time.Hour)
	deliver(t, box, "008:2,", letter("8", s.URL+"/8"))
	must(t, os.Chtimes(file("008:2,"), since.Add(-time.Hour), since.Add(-time.Hour)))
	if res := night("an old message", 6, nil); res.Sources[0].Older != 1 {
		t.Errorf("an old message: got %+v", res.Sources)
	}
	night("an old message again", 7, nil)
	since = since.Add(-2 * time.Hour)
	if res := night("a message that is old no more", 6, nil); res.Messages != 1 {
		t.Errorf("a message that is old no more: got %+v", res.Counts)
	}
	night("the last night", 7, nil)
	clean(t, dir)
}

// TestLooksNeedLedger holds: looks do not count in an archive whose ledger lacks the lines of their messages.
func TestLooksNeedLedger(t *testing.T) {
	keepsChanges(t)
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 2)...)
	c := &clock{at: time.Now().Add(time.Minute)}
	runAt(t, dir, c, options())
	before := copied(t, dir)
	later := copied(t, before)
	runAt(t, later, c, options(box))
	must(t, os.Rename(filepath.Join(later, "looks"), filepath.Join(before, "looks")))
	if res := runAt(t, before, c, options(box)); res.Unopened != 0 || res.Messages != 2 {
		t.Errorf("got %d messages that were not opened, %+v; want 2 messages read", res.Unopened, res.Counts)
	}
}

// keepsChanges skips a test where messages are opened each night, since the file system may not keep when they changed.
func keepsChanges(t *testing.T) {
	t.Helper()
	box := maildir(t)
	deliver(t, box, "1:2,", letter("1"))
	asked := false
	w := &mailbox.Walker{Unchanged: func(string, string, mailbox.Look) bool {
		asked = true
		return true
	}}
	for _, err := range w.Walk(box) {
		must(t, err)
	}
	if !asked {
		t.Skip("the file system is not known to keep the time of each change")
	}
}

// TestLooksReplay holds: whatever a kill or a power cut leaves of a run, the next run sees each message, although it has looks.
func TestLooksReplay(t *testing.T) {
	straced(t)
	keepsChanges(t)
	const messages = 3
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, messages-1)...)
	later := time.Now().Add(time.Minute)
	c := &clock{at: later}
	runAt(t, dir, c, options(box))
	before := copied(t, dir)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	steps := traced(t, dir, box, later)
	c.set(later.Add(time.Hour), 0)
	kill := newReplay(copied(t, before))
	states, unopened := 0, int64(0)
	for i, st := range steps {
		must(t, kill.do(st))
		cut := newReplay(copied(t, before))
		for _, d := range durable(steps[:i+1]) {
			cut.do(d) // an error is that of something in a folder that was not synced
		}
		for name, dir := range map[string]string{"kill": kill.dir, "power cut": cut.dir} {
			to := copied(t, dir)
			res := runAt(t, to, c, options(box))
			unopened = max(unopened, res.Unopened)
			if v := clean(t, to); v.Messages != messages || v.References != messages {
				t.Errorf("%s after step %d of %d, %s, and a run: got %+v, want %d messages", name, i+1, len(steps), st, v, messages)
			}
			states++
			must(t, os.RemoveAll(to))
		}
		must(t, os.RemoveAll(cut.dir))
	}
	t.Logf("%d states", states)
	if states < 10 || unopened != messages {
		t.Errorf("got %d states, and at most %d messages that were not opened; want 10 and %d", states, unopened, messages)
	}
}

// TestLooksOfKilledRun holds: a message with an exception is read again, although the run that wrote the exception was
// killed, and its file is as it was when a run before read it.
func TestLooksOfKilledRun(t *testing.T) {
	keepsChanges(t)
	box, dir := maildir(t), home(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, "Subject: x\n\nno reference\n")
	must(t, z.Close())
	deliver(t, box, "1:2,", zipped.String())
	c := &clock{at: time.Now().Add(time.Minute)}
	runAt(t, dir, c, options(box))

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := options(box)
	o.All = true
	for i := range o.Open.Dialects { // a killed run ends while it reads the next message
		o.Open.Dialects[i].Read = func(*externalbody.Entity) []*externalbody.Reference {
			cancel()
			return nil
		}
	}
	deliver(t, box, "2:2,", "Subject: 2\nContent-Type: multipart/mixed; boundary=b\n\n--b\nX-Mozilla-Cloud-Part: cloudFile; url=https://a.example/b; name=c\n\nx\n--b--\n")
	deliver(t, box, "3:2,", letter("3"))
	was := os.Getenv("TMPDIR")
	t.Setenv("TMPDIR", filepath.Join(box, "none")) // the message cannot be decompressed
	a, err := archive.Open(dir, true, &archive.Options{Now: c.now})
	must(t, err)
	if res, err := a.Sync(ctx, o); !errors.Is(err, context.Canceled) || res.New != 1 {
		t.Errorf("the run that ends: got %+v, %v; want an exception", res.Counts, err)
	}
	must(t, a.Close())
	t.Setenv("TMPDIR", was)
	res := runAt(t, dir, c, options(box))
	if res.Unopened != 0 || res.Sources[0].Excepted != 0 || !strings.Contains(slurp(t, dir, "ledger"), `"resolved":true`) {
		t.Errorf("the run after it: got %d messages that were not opened, %+v; want the end of the exception", res.Unopened, res.Sources)
	}
}
