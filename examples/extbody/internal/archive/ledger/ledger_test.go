package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/codec/bounded"
)

const month = "2026-11.jsonl"

// opened opens a new ledger.
func opened(t testing.TB, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(dir, ledger.Head{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// sample returns the text of a ledger of a few lines.
func sample(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	l := opened(t, dir)
	for i := range 4 {
		entries := []ledger.Entry{{Kind: "word", Body: map[string]int{"n": i}}, {Kind: "word", Body: map[string]int{"m": i}}}
		if _, err := l.Append(time.Date(2026, 11, 21, 12, 0, i, 0, time.UTC), entries[:1+i%2]...); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, month))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// read returns the lines that were read of a ledger with that text, and its faults.
func read(t testing.TB, text []byte) (lines [][]byte, faults int, head ledger.Head, torn int64, err error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, month), text, 0o600); err != nil {
		t.Fatal(err)
	}
	head, torn, err = ledger.Read(dir, ledger.Place{}, ledger.Head{}, func(*ledger.Fault) bool { faults++; return true }, func(l *ledger.Line) error {
		lines = append(lines, bytes.Clone(l.Text))
		return nil
	})
	return lines, faults, head, torn, err
}

// One bit that is another is found, wherever it is, or leaves an unfinished end.
func TestBits(t *testing.T) {
	text := sample(t)
	_, _, want, _, err := read(t, text)
	if err != nil || want.Seq == 0 {
		t.Fatalf("got %v, %v", want, err)
	}
	for i := range text {
		damaged := bytes.Clone(text)
		damaged[i] ^= 1 << (i % 8)
		_, faults, head, torn, err := read(t, damaged)
		if err == nil && faults == 0 && torn == 0 && head == want {
			t.Errorf("octet %d: got no fault, want one", i)
		}
	}
	if _, faults, _, torn, err := read(t, text[:len(text)-1]); err != nil || faults != 0 || torn == 0 {
		t.Errorf("cut: got %d faults, %d octets torn, %v, want an unfinished end", faults, torn, err)
	}
}

// FuzzRead reads any text: each line that is given out ends with LF, is in the text, and
// there are no more octets than the text has. Without a function for faults, one is an
// error of its type.
func FuzzRead(f *testing.F) {
	text := sample(f)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"seq":1,"prev":"","time":"2026-11-21T12:00:00Z","more":9,"kind":"x","x":{}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines, faults, _, torn, err := read(t, text)
		n := torn
		for _, l := range lines {
			n += int64(len(l))
			if len(l) == 0 || l[len(l)-1] != '\n' || !bytes.Contains(text, l) {
				t.Fatalf("got the line %q, want a whole line of the text", l)
			}
		}
		if err == nil && n > int64(len(text)) {
			t.Fatalf("got %d octets of %d, want at most those", n, len(text))
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, month), text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err = ledger.Read(dir, ledger.Place{}, ledger.Head{}, nil, func(*ledger.Line) error { return nil })
		if _, isFault := errors.AsType[*ledger.Fault](err); faults > 0 && !isFault {
			t.Fatalf("got %v after %d faults, want a Fault", err, faults)
		}
	})
}

// TestMaxLine checks that no line longer than MaxLine is read or written.
func TestMaxLine(t *testing.T) {
	line := func(size int) string {
		return `{"seq":1,"prev":"","time":"2026-11-21T12:00:00Z","kind":"x","x":{"text":"` + strings.Repeat("x", size) + `"}}` + "\n"
	}
	room := ledger.MaxLine - len(line(0))
	for _, tt := range []struct {
		name  string
		text  string
		lines int
		fails bool
	}{
		{"short lines", line(1) + line(2), 2, false},
		{"a line of the greatest size", line(1) + line(room) + line(2), 3, false},
		{"a line that is too long", line(1) + line(room+1) + line(2), 1, true},
		{"no end of a line that is too long", line(1) + strings.Repeat("x", 3*ledger.MaxLine), 1, true},
		{"no end of a short line", line(1) + line(2) + "{", 2, false},
	} {
		lines, _, _, _, err := read(t, []byte(tt.text))
		if n := len(lines); n != tt.lines || (err != nil) != tt.fails {
			t.Errorf("%s: got %d lines and the error %v, want %d lines and an error: %v", tt.name, n, err, tt.lines, tt.fails)
		}
	}
	l := opened(t, t.TempDir())
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	room = ledger.MaxLine - len(line(0)) - 64 // prev has 64 digits
	for more, ok := range []bool{true, false} {
		_, err := l.Append(now, ledger.Entry{Kind: "x", Body: map[string]string{"text": strings.Repeat("x", room+more)}})
		if (err == nil) != ok {
			t.Errorf("%d octets more than the greatest line: got %v", more, err)
		}
	}
}

// TestSeq checks that a line with a wrong number is a fault although the digests fit.
func TestSeq(t *testing.T) {
	var b strings.Builder
	prev := strings.Repeat("0", 64)
	for _, seq := range []int{1, 2, 4, 5} {
		line := fmt.Sprintf(`{"seq":%d,"prev":"%s","time":"2026-11-21T12:00:00Z","kind":"x","x":{}}`+"\n", seq, prev)
		prev = fmt.Sprintf("%x", sha256.Sum256([]byte(line)))
		b.WriteString(line)
	}
	if lines, faults, _, _, err := read(t, []byte(b.String())); len(lines) != 4 || faults != 1 || err != nil {
		t.Errorf("got %d lines, %d faults, %v; want 4, one fault", len(lines), faults, err)
	}
}

// TestPlaces reads lines by their places, short ones and long ones.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	l := opened(t, dir)
	var places []ledger.Place
	sizes := []int{1, 2000, 3000, 100_000, ledger.MaxLine - 300}
	for i, size := range sizes {
		now := time.Date(2026, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC)
		lines, err := l.Append(now, ledger.Entry{Kind: "x", Body: map[string]string{"text": strings.Repeat("x", size)}})
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, lines[0].Place)
	}
	s := ledger.NewPlaces(dir)
	defer s.Close()
	for i, p := range places {
		var body struct{ Text string }
		l, err := s.At(p)
		if err == nil {
			err = l.Body(&body)
		}
		if err != nil || len(body.Text) != sizes[i] {
			t.Errorf("%v: got %d octets, %v; want %d", p, len(body.Text), err, sizes[i])
		}
	}
	for _, p := range []ledger.Place{{File: places[0].File, Offset: 1}, {File: places[0].File, Offset: 1 << 40}, {File: "2020-01.jsonl"}} {
		if _, err := s.At(p); err == nil {
			t.Errorf("%v: got no error, want one", p)
		}
	}
}

// TestManyValues holds, OP-62: a line with more values than a ledger writes is refused.
func TestManyValues(t *testing.T) {
	for values, refused := range map[int]bool{1000: false, 250_000: true} {
		text := `{"seq":1,"kind":"word","word":{"n":[0` + strings.Repeat(",0", values) + "]}}\n"
		line := ledger.Line{Seq: 1, Kind: "word", Text: []byte(text)}
		var body struct{ N []int }
		if err := line.Body(&body); errors.Is(err, bounded.ErrMany) != refused || err != nil && !refused {
			t.Errorf("%d values: got %v, want refused %t", values, err, refused)
		}
	}
}
