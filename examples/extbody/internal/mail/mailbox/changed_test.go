package mailbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// manyMessages is an mbox of n messages of one size, each of which has its number.
func manyMessages(n, size int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sSubject: message %06d\nContent-Type: message/external-body\n\n%s\n\n", envelope, i, strings.Repeat("x", size))
	}
	return b.String()
}

// overwrite writes a file in its place, as programs do that own their mailbox.
func overwrite(t *testing.T, path, text string) {
	t.Helper()
	before, err := os.Stat(path)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	// A clock that stands still within a test must not decide.
	if err == nil {
		err = os.Chtimes(path, before.ModTime().Add(1e9), before.ModTime().Add(1e9))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestChangedMailbox changes an mbox while its messages are read: some of them are
// found, and one has been read.
func TestChangedMailbox(t *testing.T) {
	const n, size = 3000, 1000
	old := manyMessages(n, size)
	unit := len(old) / n
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, path string)
		want   error // of the messages that were found, and of the mailbox
	}{
		{"Appended", func(t *testing.T, path string) { appendText(t, path, manyMessages(2, 10)) }, nil},
		{"Touched", func(t *testing.T, path string) { overwrite(t, path, old) }, nil},
		{"OtherFlags", func(t *testing.T, path string) {
			overwrite(t, path, strings.ReplaceAll(old, "xxxx\n\n", "yyyy\n\n"))
		}, ErrChanged}, // the messages at the end of the file
		{"Replaced", func(t *testing.T, path string) {
			writeText(t, path+"2", old[unit:])
			if err := os.Rename(path+"2", path); err != nil {
				t.Skip(err)
			}
		}, nil},
		{"FirstRemoved", func(t *testing.T, path string) { overwrite(t, path, old[unit:]) }, ErrChanged},
		{"LastRemoved", func(t *testing.T, path string) { overwrite(t, path, old[:len(old)-unit]) }, ErrChanged},
		{"FirstRemovedAndOneAppended", func(t *testing.T, path string) {
			overwrite(t, path, old[unit:]+strings.Replace(old[:unit], "000000", "999999", 1))
		}, ErrChanged},
		{"FirstRemovedAndMuchAppended", func(t *testing.T, path string) { overwrite(t, path, old[unit:]+old) }, ErrChanged},
		{"Emptied", func(t *testing.T, path string) { overwrite(t, path, "") }, ErrChanged},
		// Half of the octets that another program moves is in its new place.
		{"BeingWritten", func(t *testing.T, path string) {
			overwrite(t, path, old[:100*unit]+old[101*unit:len(old)/2]+old[len(old)/2-unit:])
		}, errHalf},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "box")
			writeText(t, path, old)
			var found []*Message
			var errs []error
			for m, err := range Walk(path) {
				if err != nil {
					errs = append(errs, err)
					continue
				}
				if found = append(found, m); len(found) == 1 {
					if text, err := io.ReadAll(m.Reader()); err != nil || !strings.Contains(string(text), "message 000000\n") {
						t.Fatalf("first: got %.100q, %v; want message 000000", text, err)
					}
				}
				if len(found) == 150 {
					tt.change(t, path)
				}
			}
			readable := 0
			for i, m := range found {
				text, err := io.ReadAll(m.Reader())
				switch {
				case err == nil && !strings.HasPrefix(string(text), fmt.Sprintf("Subject: message %06d\n", i)):
					t.Fatalf("message %d: got %.30q, want its own text", i, text)
				case err == nil:
					readable++
				case !errors.Is(err, ErrChanged):
					t.Fatalf("message %d: got %v, want %v", i, err, ErrChanged)
				}
				m.Close()
			}
			switch tt.want {
			case nil:
				if len(errs) > 0 || readable != n {
					t.Errorf("got %d messages, want %d: %v", readable, n, errs)
				}
			case errHalf:
				if len(errs)+len(found)-readable == 0 {
					t.Errorf("got %d messages of %d and no error, want an error for the others", readable, n)
				}
			default:
				if len(errs) != 1 || !errors.Is(errs[0], tt.want) || readable > 0 {
					t.Errorf("got %d messages, %v; want none, and %v", readable, errs, tt.want)
				}
			}
		})
	}
}

// errHalf means that messages of the part that has moved are reported, one way or
// another.
var errHalf = errors.New("half")

// TestChangedMessage changes a file of one message.
func TestChangedMessage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.eml")
	writeText(t, path, "Subject: a\n\nb\n")
	for m, err := range Walk(path) {
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, "Subject: a\n\nc\n")
		if text, err := io.ReadAll(m.Reader()); !errors.Is(err, ErrChanged) {
			t.Errorf("got %q, %v; want %v", text, err, ErrChanged)
		}
		m.Close()
		break
	}
}

// TestMovedMessages renames the messages of a Maildir after they were listed.
func TestMovedMessages(t *testing.T) {
	needColons(t)
	const n = 300
	dir := t.TempDir()
	for i := range n {
		sub := []string{"new", "cur"}[i%2]
		writeText(t, filepath.Join(dir, sub, fmt.Sprintf("%06d.M.host", i)), fmt.Sprintf("Content-Type: message/external-body\nSubject: %06d\n\n", i))
	}
	rename := func(i int, old, name string) {
		if err := os.Rename(filepath.Join(dir, old, fmt.Sprintf("%06d.M.host", i)), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var got, gone []int
	for m, err := range Walk(dir) {
		number, _ := strconv.Atoi(uniqueName(filepath.Base(m.Path))[:6])
		if len(got) == 0 {
			// The last ones, which were not opened.
			for i := n - 40; i < n; i++ {
				sub := []string{"new", "cur"}[i%2]
				if i%10 == 0 {
					if err := os.Remove(filepath.Join(dir, sub, fmt.Sprintf("%06d.M.host", i))); err != nil {
						t.Fatal(err)
					}
					continue
				}
				rename(i, sub, fmt.Sprintf("cur/%06d.M.host:2,FS", i))
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, number)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil || !strings.Contains(string(text), fmt.Sprintf("Subject: %06d\n", number)) {
			t.Errorf("message %d: got %.100q, %v; want its own text", number, text, err)
		}
		if moved := number >= n-40; moved != (m.Flags == "FS") {
			t.Errorf("message %d: got the flags %q, want FS: %t", number, m.Flags, moved)
		}
		got = append(got, number)
		m.Close()
	}
	if want := []int{n - 40, n - 30, n - 20, n - 10}; !slices.Equal(gone, want) || len(got) != n-len(want) {
		t.Errorf("got %d messages, and without %v; want %d, without %v", len(got), gone, n-len(want), want)
	}
}

// TestRemovedMessages looks for messages that are gone a few times, and not for each.
func TestRemovedMessages(t *testing.T) {
	dir := t.TempDir()
	m := &moves{path: dir, vain: maxMoves}
	writeText(t, filepath.Join(dir, "cur", "there"), "")
	writeText(t, filepath.Join(dir, "tmp", "delivered"), "")
	for i := range 1000 {
		if path, ok := m.find(fmt.Sprint(i), filepath.Join(dir, "cur", fmt.Sprint(i))); ok {
			t.Fatalf("got %q, want nothing found", path)
		}
	}
	if m.vain != 0 {
		t.Errorf("it may be looked %d times more, want 0", m.vain)
	}
	writeText(t, filepath.Join(dir, "cur", "later"), "")
	if path, ok := m.find("there", filepath.Join(dir, "new", "there")); !ok || filepath.Base(path) != "there" {
		t.Errorf("got %q, %v; want what was seen when it was looked last", path, ok)
	}
}
