package mailbox_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	gomessage "github.com/emersion/go-message"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// list counts the references of the messages in a mailbox.
func list(tb testing.TB, path string) int {
	n := 0
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			tb.Fatal(err)
		}
		n += len(references(tb, m))
		m.Close()
	}
	return n
}

func references(tb testing.TB, m *mailbox.Message) []*externalbody.Reference {
	msg, err := externalbody.Open(m.Reader(), m.Content.Len(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.Collect(msg.References())
}

// goMessage counts the references of the messages in a mailbox with go-message.
func goMessage(tb testing.TB, path string) int {
	n := 0
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			tb.Fatal(err)
		}
		e, err := gomessage.Read(m.Reader())
		if err != nil && e == nil {
			tb.Fatal(err)
		}
		err = e.Walk(func(_ []int, e *gomessage.Entity, err error) error {
			if err == nil {
				if t, _, _ := e.Header.ContentType(); t == "message/external-body" {
					n++
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		m.Close()
	}
	return n
}

// readAll reads a file as fast as it can be read.
func readAll(tb testing.TB, path string) int {
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for off := int64(0); ; off += int64(len(buf)) {
		if _, err := f.ReadAt(buf, off); errors.Is(err, io.EOF) {
			return 0
		}
	}
}

// ripgrep counts the lines that name the type.
func ripgrep(tb testing.TB, path string) int {
	rg, err := exec.LookPath("rg")
	if err != nil {
		tb.Skip("rg is not installed")
	}
	// No match is an exit status of 1.
	if out, err := exec.Command(rg, "-a", "-c", "-i", "-j1", "external-body", path).Output(); err != nil && len(out) > 0 {
		tb.Fatal(err)
	}
	return 0
}

func BenchmarkList(b *testing.B) {
	g := newGenerator(1)
	boxes := []struct {
		name    string
		size    int64
		message func(io.Writer)
	}{
		{"Attachments", 1500 << 20, g.attachments},
		{"HTML", 256 << 20, g.newsletter},
	}
	for _, box := range boxes {
		b.Run(box.name, func(b *testing.B) {
			g.refs = 0
			path := g.mbox(b, box.size, box.message)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			bench(b, "Walk", info.Size(), g.refs, func() int { return list(b, path) })
			bench(b, "Read", info.Size(), 0, func() int { return readAll(b, path) })
			bench(b, "Ripgrep", info.Size(), 0, func() int { return ripgrep(b, path) })
			bench(b, "GoMessage", info.Size(), g.refs, func() int { return goMessage(b, path) })
		})
	}
}

func BenchmarkListMaildir(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("the names of a Maildir have colons")
	}
	g := newGenerator(1)
	for _, kind := range []struct {
		name    string
		message func(io.Writer)
	}{
		{"Attachments", g.attachments},
		{"HTML", g.newsletter},
	} {
		b.Run(kind.name, func(b *testing.B) {
			g.refs = 0
			path, size := g.maildir(b, 20_000, kind.message)
			bench(b, "Walk", size, g.refs, func() int { return list(b, path) })
			bench(b, "GoMessage", size, g.refs, func() int { return goMessage(b, path) })
			bench(b, "Read", size, 0, func() int { return readFiles(b, filepath.Join(path, "cur")) })
		})
	}
}

// readFiles reads the files of a folder.
func readFiles(tb testing.TB, path string) int {
	files, err := os.ReadDir(path)
	if err != nil {
		tb.Fatal(err)
	}
	buf := make([]byte, 1<<20)
	for _, file := range files {
		f, err := os.Open(filepath.Join(path, file.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Read(buf); err != nil {
			tb.Fatal(err)
		}
		f.Close()
	}
	return 0
}

// bench times list, which has to find want references.
func bench(b *testing.B, name string, size int64, want int, list func() int) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if n := list(); n != want {
				b.Fatalf("%d references, want %d", n, want)
			}
		}
	})
}
