package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// candidates lists the messages of an mbox that split yields.
func candidates(t *testing.T, box string, split func(s *splitter) bool) []string {
	t.Helper()
	var list []string
	s := &splitter{
		window: window{r: strings.NewReader(box), size: int64(len(box)), judge: &judge{ctx: t.Context()}},
		path:   "box",
		jobs:   3,
		yield: func(m *Message, err error) bool {
			list = append(list, fmt.Sprintf("%s %d %v %v %v %v", m.Path, m.Index, m.Envelope, m.Content, m.Trailer, err))
			return true
		},
	}
	s.first = s.start()
	if !split(s) || s.err != nil {
		t.Errorf("got it stopped with %v, want it to go on", s.err)
	}
	return list
}

// pieceBox writes an mbox with all that makes it hard to tell, from the middle,
// where a message begins.
func pieceBox(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	const dated = "From a@b Thu Jan  1 00:00:00 1970\n"
	var b strings.Builder
	b.WriteString(one("", "", "\n\n\r\n", bom))
	for range 1 + r.IntN(40) {
		text := one("\n", "x\n\n", "Content-Type: message/external-body\n\n")
		for range r.IntN(6) {
			text += one("a - b\n", "\n", "QUJDQUJD\n", "From now on\n", dated, "\n"+dated+"A: b\n\n", "\nFrom c\nA: b\n\n", strings.Repeat("QUJDQUJDQUJDQUJ\n", r.IntN(60)))
		}
		if r.IntN(3) == 0 {
			text = fmt.Sprintf("Content-Length: %d\n", len(text)+r.IntN(3)-1+r.IntN(2)*r.IntN(2000)) + text
		}
		b.WriteString(one(dated, dated, "From x\n") + one("", "A: b\n") + text + one("\n", "\n", "", "\r\n"))
	}
	return b.String()
}

// Reading an mbox in pieces is like reading it from the start.
func TestPieces(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 6))
		box := pieceBox(r)
		size := 1 + r.Int64N(int64(len(box))*2)
		for _, isDated := range []bool{true, false} {
			want := candidates(t, box, func(s *splitter) bool {
				_, more := s.run(s.first, s.size, s.size, isDated)
				return more
			})
			got := candidates(t, box, func(s *splitter) bool { return s.pieces(size, isDated) })
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, pieces of %d: got %q\nwant %q\nof %q", seed, size, got, want, box)
			}
		}
	}
}

// largeBox is an mbox of more than two pieces, of messages of 100 KB of which
// every third has a reference.
func largeBox() string {
	body := strings.Repeat(strings.Repeat("QUJD", 19)+"\n", 1300)
	var b strings.Builder
	for i := 0; b.Len() < 5*pieceSize/2; i++ {
		b.WriteString("From a@b Thu Jan  1 00:00:00 1970\nA: b\n\n" + body)
		if i%3 == 0 {
			b.WriteString("Content-Type: message/external-body\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCandidatesOfLargeFile(t *testing.T) {
	box := largeBox()
	path := filepath.Join(t.TempDir(), "box")
	if err := os.WriteFile(path, []byte(box), 0o600); err != nil {
		t.Fatal(err)
	}
	list := func(jobs, stop int) (list []string) {
		for m, err := range Candidates(t.Context(), path, jobs) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(m.Index, m.Envelope, m.Content, m.Trailer))
			if m.Close(); len(list) == stop {
				break
			}
		}
		return list
	}
	want := list(1, 0)
	if len(want) < pieceFound/2 {
		t.Fatalf("%d candidates", len(want))
	}
	for _, stop := range []int{0, 1, len(want) / 2, len(want) - 1} {
		got, want := list(4, stop), want
		if stop > 0 {
			want = want[:stop]
		}
		if !slices.Equal(got, want) {
			t.Errorf("stopping at %d, got %q\nwant %q", stop, got, want)
		}
	}
}

// A reading is called before each ReadAt.
type reading struct {
	io.ReaderAt
	before func(start, end int64) error
}

func (r reading) ReadAt(p []byte, off int64) (int, error) {
	if err := r.before(off, off+int64(len(p))); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(p, off)
}

// splitLarge splits a large mbox with several goroutines. It returns how many
// candidates were yielded, and the errors.
func splitLarge(ctx context.Context, before func(start, end int64) error) (n int, err error) {
	box := largeBox()
	s := &splitter{
		window: window{r: reading{strings.NewReader(box), before}, size: int64(len(box)), judge: &judge{ctx: ctx}},
		jobs:   3,
		yield: func(_ *Message, e error) bool {
			if err = errors.Join(err, e); e == nil {
				n++
			}
			return true
		},
	}
	s.split(false)
	return n, err
}

// An error of reading is yielded once, after the candidates before it.
func TestPiecesUnreadable(t *testing.T) {
	torn := errors.New("input/output error")
	const at = pieceSize * 3 / 2
	n, err := splitLarge(t.Context(), func(start, end int64) error {
		if start <= at && at < end {
			return torn
		}
		return nil
	})
	if err == nil || err.Error() != torn.Error() || n < 35 || n > 42 {
		t.Errorf("got %d candidates, %v; want 35 to 42, %v", n, err, torn)
	}
}

func TestPiecesCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := splitLarge(ctx, func(start, _ int64) error {
		if start > pieceSize*9/4 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was canceled", err)
	}
}
