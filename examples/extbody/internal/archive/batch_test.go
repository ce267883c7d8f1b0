package archive_test

import (
	"context"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// A slowSource has messages that come at intervals by a clock.
type slowSource struct {
	messages int
	before   func(i int) // is called before message i
}

func (s *slowSource) Name() string            { return "slow" }
func (s *slowSource) Exists() (int64, uint32) { return -1, 0 }

func (s *slowSource) Messages(context.Context, func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		for i := range s.messages {
			s.before(i)
			text := letter(string(rune('a'+i)), "data:,"+string(rune('a'+i)))
			content := func() (*io.SectionReader, error) {
				return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))), nil
			}
			if !yield(archive.NewItem(archive.Sighting{Source: "slow", UID: uint32(i + 1)}, content, nil), nil) {
				return
			}
		}
	}
}

// TestBatchTime holds: the messages of a source that is slow are in the ledger a few seconds after they came,
// so that a run that is killed has not read them in vain.
func TestBatchTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	c := new(clock)
	now := time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
	c.set(now, 0)
	source := &slowSource{messages: 20}
	source.before = func(i int) {
		now = now.Add(2 * time.Second)
		c.set(now, 0)
		if got := strings.Count(slurp(t, dir, "ledger"), `"kind":"message"`); got < i-3 {
			t.Errorf("before message %d: got %d in the ledger, want at least %d", i, got, i-3)
		}
	}
	o := options()
	o.Sources = []archive.Source{source}
	if res := runAt(t, dir, c, o); res.Messages != 20 || res.Captures != 20 {
		t.Errorf("got %+v, want 20 messages", res.Counts)
	}
	clean(t, dir)
}
