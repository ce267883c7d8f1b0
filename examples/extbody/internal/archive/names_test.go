package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestNames holds: names of files that are no UTF-8 are told apart, and what they name is
// seen once.
func TestNames(t *testing.T) {
	folder, dir := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	for i, name := range []string{"\xe4.eml", "\xf6.eml", "\ufffd.eml", "a\nb.eml", "\"q\".eml", "\u202e.eml", "{}.eml", `\xe4.eml`} {
		if err := os.WriteFile(filepath.Join(folder, name), fmt.Appendf(nil, "Subject: %d\r\n\r\nx\r\n", i), 0o600); err != nil {
			t.Skip(err) // not all systems have such names
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "\xff.bin"), []byte("\x7fELF\x00\x01"), 0o600); err != nil {
		t.Skip(err)
	}
	if res := run(t, dir, options(folder)); res.Sightings != 8 || res.Messages != 8 || res.New != 1 {
		t.Errorf("got %+v, want 8 messages, 8 sightings, an exception", res.Counts)
	}
	if res := run(t, dir, options(folder)); res.Sightings+res.New+res.Messages != 0 {
		t.Errorf("again: got %+v, want nothing new", res.Counts)
	}
	clean(t, dir)
}

// A box is a mailbox of a server.
type box struct {
	name     string
	validity uint32
	uids     map[uint32]string
	read     int
}

func (b *box) Name() string            { return b.name }
func (b *box) Exists() (int64, uint32) { return int64(len(b.uids)), b.validity }

func (b *box) Messages(_ context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		for uid, text := range b.uids {
			s := archive.Sighting{Source: b.name, UIDValidity: b.validity, UID: uid}
			content := func() (*io.SectionReader, error) {
				b.read++
				return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))), nil
			}
			if known(&s) == archive.Seen {
				content = nil
			}
			if !yield(archive.NewItem(s, content, nil), nil) {
				return
			}
		}
	}
}

// TestSightings holds: two users with equal UIDVALIDITY and UIDs are told apart; a message
// that moves, and one whose mailbox has another UIDVALIDITY, is the same, and nobody is
// asked again for what it refers to.
func TestSightings(t *testing.T) {
	s := newSite(t, plain)
	dir := filepath.Join(t.TempDir(), "archive")
	a, b := letter("a", s.URL+"/a"), letter("b", s.URL+"/b")
	ann := &box{name: "imap://ann@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: a}}
	bob := &box{name: "imap://bob@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: b}}
	sync := func(want archive.Counts, boxes ...*box) {
		t.Helper()
		o := options()
		for _, x := range boxes {
			o.Sources = append(o.Sources, x)
		}
		res := run(t, dir, o)
		if res.Messages != want.Messages || res.Sightings != want.Sightings || res.Captures != want.Captures {
			t.Errorf("got %+v, want %d messages, %d sightings, %d captures", res.Counts, want.Messages, want.Sightings, want.Captures)
		}
	}
	sync(archive.Counts{Messages: 2, Sightings: 2, Captures: 2}, ann, bob)
	// One moves to another mailbox, and one to another user.
	sent := &box{name: "imap://ann@mail.example/Sent", validity: 9, uids: map[uint32]string{1: a, 2: b}}
	ann.uids = nil
	sync(archive.Counts{Sightings: 2}, ann, bob, sent)
	sent.validity = 10
	sync(archive.Counts{Sightings: 2}, ann, bob, sent)
	read := sent.read
	sync(archive.Counts{}, ann, bob, sent)
	if s.total() != 2 || sent.read != read {
		t.Errorf("got %d requests, %d messages read again; want 2, none", s.total(), sent.read-read)
	}
	if v := clean(t, dir); v.Messages != 2 || v.Captured != 2 {
		t.Errorf("got %+v, want 2 messages, 2 captured", v)
	}
}

// TestInterrupt holds: a run that is interrupted ends soon, with a ledger that is whole and
// says so, and the next one does the rest.
func TestInterrupt(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	for i := range 60 {
		deliver(t, box, fmt.Sprintf("%d:2,", i), letter(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i)))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	o := options(box)
	o.Progress = func(done, _ int64) {
		if done == 10 {
			cancel(context.Canceled)
		}
	}
	a := open(t, dir)
	begun := time.Now()
	res, err := a.Sync(ctx, o)
	a.Close()
	if !errors.Is(err, context.Canceled) || res.Captures < 10 || res.Captures == 60 {
		t.Errorf("got %+v, %v after %v; want some captured, and that it was interrupted", res.Counts, err, time.Since(begun))
	}
	clean(t, dir)
	if res := run(t, dir, options(box)); res.Captures == 0 {
		t.Errorf("got %+v, want the rest", res.Counts)
	}
	if v := clean(t, dir); v.Captured != 60 {
		t.Errorf("got %+v, want all captured", v)
	}
}
