package mailbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/discover"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

const (
	reference = "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n\nContent-ID: <a@b>\n\n"
	plain     = "Subject: a - b\n\nwell-known\n"
)

// kept lists the messages of a sequence that package discover does not rule out
// by themselves: what Candidates has to yield if the sequence is that of Walk.
// Errors are listed, too.
func kept(t *testing.T, seq iter.Seq2[*mailbox.Message, error], judge bool) []string {
	t.Helper()
	var list []string
	var f discover.Filter
	for m, err := range seq {
		line := fmt.Sprintf("%s %d %q %v %v %v", filepath.Base(m.Path), m.Index, m.Flags, m.Envelope, m.Content, m.Trailer)
		if err != nil {
			list = append(list, line+" "+err.Error())
			continue
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Error(err)
		}
		m.Close()
		f.Reset()
		if !judge || f.Possible(text) {
			list = append(list, line)
		}
	}
	return list
}

func compareCandidates(t *testing.T, path, file string) {
	t.Helper()
	r := strings.NewReader(file)
	want := kept(t, mailbox.Read(path, r, r.Size()), true)
	if got := kept(t, mailbox.ReadCandidates(t.Context(), path, r, r.Size()), false); !slices.Equal(got, want) {
		t.Fatalf("got %q\nwant %q\nof %.3000q", got, want, file)
	}
}

func TestReadCandidates(t *testing.T) {
	big := strings.Repeat(strings.Repeat("QUJD", 19)+"\n", 5000)
	tests := []struct{ name, path, file string }{
		{"Empty", "box", ""},
		{"Message", "m", reference},
		{"OtherMessage", "m", plain},
		{"BigMessage", "m.eml", fromA + plain + big + reference},
		{"Mbox", "box", fromA + plain + "\n" + fromB + reference + "\n" + fromA + plain},
		{"ReferenceBetweenMessages", "box", fromA + plain + "\n" + "From external-body Thu Jan  1 00:00:00 1970\n" + plain},
		{"ContentLength", "box", fromA + fmt.Sprintf("Content-Length: %d\n\n", len(big+reference)) + big + reference + "\n" + fromA + plain},
		{"ContentLengthOfOther", "box", fromA + fmt.Sprintf("Content-Length: %d\n\n", len(big)) + big + "\n" + fromA + reference},
		{"MMDF", "box", "\x01\x01\x01\x01\n" + plain + "\x01\x01\x01\x01\n\x01\x01\x01\x01\n" + reference + big + "\x01\x01\x01\x01\n\n\n\x01\x01\x01\x01\n" + plain},
		{"MMDFEmptyLines", "box", "\x01\x01\x01\x01\nA: b\n\n\x01\x01\x01\x01\n" + strings.Repeat("\n", 2400<<10) + "\x01\x01\x01\x01\n" + reference},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			compareCandidates(t, tt.path, tt.file)
			compareCandidates(t, tt.path, crlf(tt.file))
		})
	}
}

// The places where one buffer ends and the next begins must not matter.
func TestReadCandidatesAcrossBuffers(t *testing.T) {
	const around = 1 << 20
	lines := strings.Repeat(strings.Repeat("QUJD", 19)+"\n", around/77+1)
	for _, end := range []string{"\n", "\r\n"} {
		for _, last := range []string{plain, reference} {
			for fill := around - 320; fill < around+8; fill += 5 {
				file := fromA + "A: b\n\n" + lines[:fill] + "\n--b\n" + last + end + fromB + "C: d\n\ny\n"
				compareCandidates(t, "box", file)
			}
		}
	}
}

// randomBox writes a mailbox of messages of many sizes.
func randomBox(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 4))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	mmdf := r.IntN(4) == 0
	for range r.IntN(12) {
		text := one(plain, "A: b\n\n", reference, "Content-Type: multipart/digest; boundary=b\n\n", "") +
			strings.Repeat(one("x - y\n", "QUJDQUJD\n", "\n", "From now on\n", fromB), r.IntN(30)) +
			one("", reference, strings.Repeat("QUJDQUJDQUJDQUJD\n", r.IntN(40_000)), "external-body\n")
		if r.IntN(3) == 0 {
			text = fmt.Sprintf("Content-Length: %d\n", len(text)+r.IntN(3)-1) + text
		}
		switch {
		case mmdf:
			b.WriteString("\x01\x01\x01\x01\n" + text + one("", "\n") + "\x01\x01\x01\x01\n" + one("", "", "\n"))
		default:
			b.WriteString(one(fromA, fromA, fromB, "From x\n") + text + one("\n", "\n", "", "\r\n"))
		}
	}
	return b.String()
}

func TestReadCandidatesRandom(t *testing.T) {
	for seed := range uint64(100) {
		compareCandidates(t, "box", randomBox(seed))
	}
}

func FuzzReadCandidates(f *testing.F) {
	for seed := range uint64(20) {
		if box := randomBox(seed); len(box) < 20_000 {
			f.Add(box)
		}
	}
	f.Fuzz(func(t *testing.T, file string) { compareCandidates(t, "box", file) })
}

func TestCandidatesFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the names of a Maildir have colons")
	}
	files := map[string]string{
		"Mail/new":    "DIR",
		"Mail/tmp":    "DIR",
		"many/z":      fromA + plain + "\n" + fromB + reference,
		"many/a":      reference,
		"many/m/deep": reference,
	}
	for i := range 500 {
		text := plain
		if i%7 == 0 {
			text = reference
		}
		files[fmt.Sprintf("Mail/cur/%04d.a.h:2,S", i)] = text
		files[fmt.Sprintf("many/m%04d.eml", i)] = text
	}
	root := tree(t, files)
	for _, path := range []string{"Mail/cur/0003.a.h:2,S", "many/m0100.eml"} {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere", path); err != nil {
			t.Skip(err)
		}
	}
	want := kept(t, mailbox.Walk(root), true)
	for _, jobs := range []int{0, 1, 2, 3, 8, 100} {
		if got := kept(t, mailbox.Candidates(t.Context(), root, jobs), false); !slices.Equal(got, want) {
			t.Errorf("with %d jobs, got %q\nwant %q", jobs, got, want)
		}
	}
	for stop := range 70 {
		n := 0
		for m := range mailbox.Candidates(t.Context(), root, 4) {
			m.Close()
			if n++; n > stop {
				break
			}
		}
	}
}

func TestCandidatesCanceled(t *testing.T) {
	root := tree(t, map[string]string{"a": reference, "b.eml": reference, "c": reference})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for m := range mailbox.Candidates(ctx, root, 2) {
		m.Close()
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	box := strings.Repeat(fromA+plain+strings.Repeat("x\n", 200<<10)+"\n", 3)
	var last error
	for _, err := range mailbox.ReadCandidates(ctx, "box", strings.NewReader(box), int64(len(box))) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("got %v, want that it was canceled", last)
	}
}

// A message that cannot be read to its end is yielded, and the next one is found
// where Content-Length says.
func TestCandidatesUnreadable(t *testing.T) {
	body := strings.Repeat("x\n", 2<<20)
	file := fromA + fmt.Sprintf("Content-Length: %d\n\n", len(body)) + body + "\n" + fromB + plain
	r := &hole{bytes.NewReader([]byte(file)), 2800 << 10, 2900 << 10}
	var got []int
	for m, err := range mailbox.ReadCandidates(t.Context(), "box", r, int64(len(file))) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Index)
	}
	if !slices.Equal(got, []int{0}) {
		t.Errorf("got messages %v, want the first", got)
	}
}

// So is one that stands alone.
func TestCandidatesUnreadableFile(t *testing.T) {
	file := plain + strings.Repeat("x\n", 100<<10)
	r := &hole{strings.NewReader(file), 90 << 10, 91 << 10}
	n := 0
	for m, err := range mailbox.ReadCandidates(t.Context(), "m", r, int64(len(file))) {
		if err != nil || m.Content.Len() != int64(len(file)) {
			t.Errorf("got %+v, %v; want the whole file as one message", m, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}

// A hole is a file of which some octets cannot be read.
type hole struct {
	r          io.ReaderAt
	start, end int64
}

func (h *hole) ReadAt(p []byte, off int64) (int, error) {
	if off < h.end && off+int64(len(p)) > h.start {
		return 0, errors.New("input/output error")
	}
	return h.r.ReadAt(p, off)
}
