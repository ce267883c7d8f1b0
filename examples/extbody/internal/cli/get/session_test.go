package get

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// TestFullDisk: a task that has started asks for no other alternative or format once the
// disk is full.
func TestFullDisk(t *testing.T) {
	const part = "--b\nContent-Type: message/external-body; access-type=URL; URL=\"https://h.example/%\"\n\nContent-Type: text/plain\nContent-ID: <@>\n\n"
	text := "Content-Type: multipart/alternative; boundary=b\n\n" + strings.ReplaceAll(part, "%", "1") + strings.ReplaceAll(part, "%", "2") +
		strings.NewReplacer("%", "3", "<@>", "<c@d>").Replace(part) + "--b--\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, full := range []bool{false, true} {
		root, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		folder := &externalbody.Folder{Root: root}
		defer folder.Close()
		var asked []string
		s := &session{Run: new(Run), ctx: t.Context(), folder: folder, disk: new(disk), claims: newClaims(), progress: new(terminal.Progress)}
		s.resolver = &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			driver.Report(req, fetch.Event{Phase: fetch.Connecting, Total: -1})
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			asked = append(asked, req.URL.Path)
			if full {
				s.disk.note(syscall.ENOSPC) // as of a task beside this one
			}
			return nil, fetch.NotFound
		})}
		for bodies := range m.Choices() {
			work := &task{message: &message{}, bodies: bodies}
			s.work(work)
			for ref, r := range work.results {
				if want := fetch.KindOf(r.Err); want != fetch.NotFound && !full || full && want != fetch.NotFound && want != fetch.Local {
					t.Errorf("full %t: %s: got %v, want %v, or %v on a full disk", full, ref.ID, r.Err, fetch.NotFound, fetch.Local)
				}
			}
		}
		if want := map[bool]int{false: 3, true: 1}[full]; len(asked) != want {
			t.Errorf("full %t: got %q asked for, want %d", full, asked, want)
		}
	}
}

func TestDisk(t *testing.T) {
	// The way to get the rest is one that the command has.
	for rest, want := range map[string]string{"": "--skip-done", "save on another disk with -o": "with -o"} {
		d := &disk{dir: "x", minFree: 50, rest: rest, free: func(string) int64 { return 0 }}
		if d.room(); !strings.HasSuffix(strings.TrimSuffix(d.status().Error(), " to get the rest"), want) {
			t.Errorf("got %v, want %q at its end", d.status(), want)
		}
	}
	free := int64(100)
	d := &disk{dir: "x", minFree: 50, free: func(string) int64 { return free }}
	if !d.room() || d.status() != nil {
		t.Errorf("got no room (%v), want some", d.status())
	}
	free = 49
	if d.room() || d.status() == nil {
		t.Error("got room for less than is to be free, want none")
	}
	free = 100
	if d.room() {
		t.Error("got room after the end, want none")
	}
	for _, c := range []struct {
		err  error
		room bool
	}{
		{nil, true},
		{errors.New("x"), true},
		{&fs.PathError{Err: syscall.EACCES}, true},
		{&fs.PathError{Err: syscall.ENOSPC}, false},
		{&fs.PathError{Err: syscall.EDQUOT}, false},
	} {
		d := &disk{dir: "x"}
		d.note(c.err)
		if d.room() != c.room || (d.status() == nil) != c.room {
			t.Errorf("%v: got room %t, %v, want %t", c.err, d.room(), d.status(), c.room)
		}
	}
}
