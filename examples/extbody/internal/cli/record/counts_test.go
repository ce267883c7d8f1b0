package record

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// The exit status says whether something was not done, else whether a reference failed
// for reasons of its own.
func TestCounts(t *testing.T) {
	failed := func(kind fetch.Kind) func(*Counts) {
		return func(c *Counts) {
			r := New(Place{}, full(), false)
			r.Resolved(&Result{Err: &fetch.Error{Kind: kind}}, false)
			c.Add(r)
		}
	}
	hidden := func(c *Counts) {
		const text = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/partial\n\nx\n--b\nContent-Type: multipart/encrypted; boundary=c\n\nx\n--b--\n"
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Message(m, 0)
	}
	unread := func(err error) func(*Counts) { return func(c *Counts) { c.Unread(err) } }
	read := func(n int) func(*Counts) {
		return func(c *Counts) {
			c.List(n)
			c.Message(nil, n)
		}
	}
	for _, tt := range []struct {
		name  string
		steps []func(*Counts)
		want  int
		text  string
	}{
		{"Nothing", nil, exit.OK, "no messages were found"},
		{"NoReferences", []func(*Counts){read(0)}, exit.OK, "0 references in 1 message"},
		{"All", []func(*Counts){read(1), read(2)}, exit.OK, "3 references in 2 messages"},
		{"SomeMessages", []func(*Counts){read(0), read(2), read(0)}, exit.OK, "2 references in 1 of 3 messages"},
		{"NotFound", []func(*Counts){failed(fetch.NotFound)}, exit.Some, "1 reference in 0 messages: 1 failed"},
		{"Gone", []func(*Counts){failed(fetch.Gone), failed(fetch.Pending)}, exit.OK, "2 references in 0 messages: 1 pending, 1 gone or optional"},
		{"Disk", []func(*Counts){failed(fetch.NotFound), failed(fetch.Local)}, exit.Failed, "2 references in 0 messages: 1 failed, 1 not done"},
		{"Interrupted", []func(*Counts){failed(fetch.Canceled)}, exit.Failed, "1 reference in 0 messages: 1 not done"},
		{"Unreadable", []func(*Counts){unread(fs.ErrPermission)}, exit.Failed, "0 references in 0 messages; 1 message or mailbox could not be read"},
		{"NotMail", []func(*Counts){unread(&fs.PathError{Op: "read", Path: "x", Err: mailbox.ErrNotMail})}, exit.OK, "no messages were found; 1 file without mail"},
		{"Hidden", []func(*Counts){hidden, hidden}, exit.OK, "0 references in 2 messages; 4 parts could not be looked into: 2 encrypted, 2 pieces of messages"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Counts
			for _, step := range tt.steps {
				step(&c)
			}
			got := exit.OK
			if e, ok := errors.AsType[*exit.Error](c.Status()); ok {
				got = e.Status
			}
			if got != tt.want || c.String() != tt.text {
				t.Errorf("got %d, %q, want %d, %q", got, c.String(), tt.want, tt.text)
			}
		})
	}
}

// A failure of this machine has no Kind of a reference.
func TestReadKind(t *testing.T) {
	for _, tt := range []struct {
		err          error
		kind, status string
	}{
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, "local", "failed"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "local", "failed"},
		{&fetch.Error{Op: "read", Kind: fetch.Credentials}, "credentials", "failed"},
		{&fs.PathError{Op: "read", Path: "x", Err: mailbox.ErrChanged}, "changed", "failed"},
		{&fs.PathError{Op: "read", Path: "x", Err: mailbox.ErrNotMail}, "unsupported", "skipped"},
	} {
		if r := NewFailure(Place{}, tt.err); r.Kind != tt.kind || r.Status != tt.status {
			t.Errorf("%v: got %s, %s, want %s, %s", tt.err, r.Kind, r.Status, tt.kind, tt.status)
		}
	}
}
