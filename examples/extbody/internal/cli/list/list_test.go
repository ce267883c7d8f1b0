package list

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// manyMessages returns an mbox of messages of all kinds: most without a
// reference, some with many, some that are too large for the limits.
func manyMessages(n int) string {
	const reference = "Content-Type: message/external-body; access-type=url; url=\"http://a.example/%d\"\n\nContent-ID: <%[1]d@a.example>\n\n"
	var b strings.Builder
	for i := range n {
		b.WriteString("From a@example.com Thu Jan  1 00:00:00 1970\nSubject: x\n")
		switch {
		case i%50 == 7:
			b.WriteString("Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 10_001) + "--b--\n")
		case i%25 == 3:
			b.WriteString("Content-Type: multipart/mixed; boundary=b\n\n")
			for k := range 200 {
				fmt.Fprintf(&b, "--b\n"+reference, 1000*i+k)
			}
			b.WriteString("--b--\n")
		case i%5 == 0:
			fmt.Fprintf(&b, reference, i)
		default:
			b.WriteString("\nA well-known text.\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// listOneByOne is the output of list, made by opening each message.
func listOneByOne(t *testing.T, path string, l *Run) (stdout, stderr string) {
	t.Helper()
	var out, errw bytes.Buffer
	for m, err := range mailbox.Walk(path) {
		if err == nil {
			var msg *externalbody.Message
			if msg, err = l.Open(m); msg != nil {
				refs := slices.Collect(msg.References())
				if err := l.write(&out, &source.Found{Message: m, Refs: refs}, refs); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err != nil {
			if err := (&source.Found{Message: m}).Unreadable(&out, &errw, err, l.JSON); err != nil {
				t.Fatal(err)
			}
		}
		m.Close()
	}
	return out.String(), errw.String()
}

// list runs list, of a mailbox in a file or of standard input.
func list(ctx context.Context, run *Run, in string, out, errw io.Writer, paths ...string) error {
	run.In, run.Out, run.Err = strings.NewReader(in), out, errw
	return run.Do(ctx, paths)
}

// Neither the messages that are skipped nor the order of reading changes the
// output.
func TestListIsThatOfEachMessage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	if err := os.WriteFile(path, []byte(manyMessages(200)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, json := range []bool{false, true} {
		flags := &Run{JSON: json, width: 80}
		var out, errw bytes.Buffer
		err := list(t.Context(), flags, "", &out, &errw, path)
		wantOut, wantErr := listOneByOne(t, path, flags)
		wantErr += "extbody: 1640 references in 48 of 196 messages; 4 messages or mailboxes could not be read\n"
		if !exit.Is(err, exit.Failed) {
			t.Errorf("json %v: got error %v, want status %d", json, err, exit.Failed)
		}
		if out.String() != wantOut {
			t.Errorf("json %v: got %d octets, want %d", json, out.Len(), len(wantOut))
		}
		if errw.String() != wantErr {
			t.Errorf("json %v: got %q, want %q", json, errw.String(), wantErr)
		}
	}
}

func TestListEndsWithItsOutput(t *testing.T) {
	box, errFull := manyMessages(300), errors.New("no space left")
	for _, n := range []int{0, 70_000, 200_000} {
		left := n
		out := writerFunc(func(p []byte) (int, error) {
			if left -= len(p); left < 0 {
				return 0, errFull
			}
			return len(p), nil
		})
		if err := list(t.Context(), &Run{JSON: true}, box, out, io.Discard, "-"); !errors.Is(err, errFull) {
			t.Errorf("after %d octets: got %v, want %v", n, err, errFull)
		}
	}
}

func TestListInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})
	if err := list(ctx, &Run{JSON: true}, manyMessages(300), out, io.Discard, "-"); !errors.Is(err, exit.ErrInterrupted) {
		t.Errorf("got %v, want %v", err, exit.ErrInterrupted)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
