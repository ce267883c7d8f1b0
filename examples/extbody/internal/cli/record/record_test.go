package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// keys returns the keys of a record in their order.
func keys(t *testing.T, r *Record) []string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 1 || !utf8.Valid(b.Bytes()) {
		t.Errorf("got %q, want one line of UTF-8", &b)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &members); err != nil {
		t.Fatal(err)
	}
	at := func(key string) int { return strings.Index(b.String(), `"`+key+`":`) }
	return slices.SortedFunc(maps.Keys(members), func(x, y string) int { return cmp.Compare(at(x), at(y)) })
}

func full() *externalbody.Reference {
	return &externalbody.Reference{
		ID:         "1.2",
		AccessType: "url",
		Params:     []externalbody.Field{{Name: "access-type", Value: "url"}, {Name: "url", Value: "http://a.example/b?c=d"}},
		MediaType:  "image/png",
		ContentID:  "<x@y>",
		Name:       "b.png",
		Expiration: time.Date(2030, 6, 14, 23, 13, 14, 0, time.UTC),
		Size:       1234,
		Permission: "read",
		Origins:    []externalbody.Origin{{Section: "1.2"}},
		Diags:      []externalbody.Diag{{Code: "missing-semicolon"}},
	}
}

func TestRecordKeys(t *testing.T) {
	m := InFile(&mailbox.Message{Path: "box.mbox", Index: 3})
	known := []string{"message", "index", "part", "ref", "dialect", "access_type", "url", "params", "name", "expiration", "size", "permission", "content_type", "content_id", "quoted", "status"}
	unknown := []string{"message", "index", "part", "ref", "dialect", "quoted", "status"}

	listed := New(m, full(), false)
	saved := New(m, full(), false)
	saved.Resolved(&Result{Report: &externalbody.Report{
		FinalURL: "http://a.example/c",
		SHA256:   []byte{1},
		Checks:   []fetch.Check{{Name: "md5", Status: fetch.Match, Form: "crlf"}},
	}, File: "out/3-1.2.png"}, false)
	failed := New(m, &externalbody.Reference{ID: "1", Size: -1}, false)
	failed.Resolved(&Result{Report: &externalbody.Report{}, Err: &fetch.Error{Op: "fetch", Kind: fetch.NotFound}}, false)
	skipped := New(m, &externalbody.Reference{ID: "1", Size: -1}, false)
	skipped.Resolved(&Result{Skipped: true}, false)

	tests := []struct {
		name string
		r    *Record
		want []string
	}{
		{"Listed", listed, append(slices.Clone(known), "warnings")},
		{"Saved", saved, append(slices.Clone(known), "kind", "error", "bytes", "sha256", "file", "final_url", "checks", "verified", "warnings")},
		{"Unknown", New(m, &externalbody.Reference{ID: "1", Size: -1}, false), unknown},
		{"Failed", failed, append(slices.Clone(unknown), "kind", "error")},
		{"Skipped", skipped, append(slices.Clone(unknown), "kind", "error")},
		{"Message", NewFailure(m, errors.New("x")), []string{"message", "index", "status", "kind", "error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keys(t, tt.r); !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestRetrySize: --retry --kind digest-mismatch repeats fetches that failed because of the size, which
// had that kind once.
func TestRetrySize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]bool{"digest-mismatch": true, "size-mismatch": true, "type-mismatch": false} {
		p, err := ReadPrevious(path, true, []string{asked}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.wanted(&earlier{Status: Failed, Kind: fetch.SizeMismatch.String()}); got != want {
			t.Errorf("%s: got %t, want %t", asked, got, want)
		}
	}
}

func TestRecordBad(t *testing.T) {
	for kind := range fetch.Kinds() {
		r := New(Place{}, full(), false)
		r.Resolved(&Result{Err: &fetch.Error{Kind: kind}}, false)
		want := kind != fetch.Gone && kind != fetch.Pending
		if got := r.bad(full()); got != want {
			t.Errorf("%v: got %t, want %t", kind, got, want)
		}
		optional := full()
		optional.Header = externalbody.Fields{{Name: "Content-Disposition", Value: "render; handling=optional"}}
		if r.bad(optional) {
			t.Errorf("%v of an optional body: got bad, want not", kind)
		}
	}
}

// Texts from messages are escaped: in values octets that are not UTF-8, in cells and
// in lines of JSON also the characters that a terminal would act on.
func TestRecordHostileText(t *testing.T) {
	ref := full()
	ref.Name = "caf\xe9\x1b[2J\u009b2J\u202etxt.exe"
	r := New(Place{Message: "b\xff"}, ref, false)
	if r.Name != "caf\\xe9\x1b[2J\u009b2J\u202etxt.exe" || r.Message != `b\xff` {
		t.Errorf("got %q, %q, want %q, %q", r.Name, r.Message, "caf\\xe9\x1b[2J\u009b2J\u202etxt.exe", `b\xff`)
	}
	for _, cell := range r.Row() {
		if strings.ContainsFunc(cell, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("got the cell %q, want printable characters alone", cell)
		}
	}
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSuffix(b.String(), "\n")
	if strings.ContainsFunc(line, func(c rune) bool { return !unicode.IsPrint(c) }) {
		t.Errorf("got %q, want a line that can be shown", line)
	}
}

func TestRecordRedacts(t *testing.T) {
	ref := full()
	ref.Params = []externalbody.Field{
		{Name: "url", Value: "http://u:secret@a.example/\r\n\tb?t=secret#secret"},
		{Name: "x-url", Value: "https://a.example/?t=secret"},
		{Name: "url", Value: "data:,secret"},
	}
	var b bytes.Buffer
	if err := New(Place{}, ref, false).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "secret") {
		t.Error(b.String())
	}
}

// The exit status shows whether something was not done, else whether a reference
// failed for reasons of its own.
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
		{"NoMail", []func(*Counts){func(c *Counts) { c.NoMail(3) }}, exit.OK, "no messages were found; 3 without mail by name"},
		{"Hidden", []func(*Counts){hidden, hidden}, exit.OK, "0 references in 2 messages; 4 parts could not be looked into: 2 encrypted, 2 message/partial"},
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
		{&fs.PathError{Op: "read", Path: "x", Err: mailbox.ErrNotMail}, "unsupported", "no-mail"},
	} {
		if r := NewFailure(Place{}, tt.err); r.Kind != tt.kind || r.Status != tt.status {
			t.Errorf("%v: got %s, %s, want %s, %s", tt.err, r.Kind, r.Status, tt.kind, tt.status)
		}
	}
}

// A message to retry over IMAP is named by the mailbox and the UID as a number, once
// for all its references. References that are done by now are left out.
func TestFormersPaths(t *testing.T) {
	const box = "imap://h.example/INBOX;UIDVALIDITY=7"
	var text strings.Builder
	for _, c := range []struct {
		uid    uint32
		ref    string
		status string
	}{
		{9, "1", Failed}, {9, "2", Failed}, {8, "1", Failed}, {8, "1", OK}, {11, "1", Failed},
	} {
		r := New(OnServer(box, 7, c.uid), &externalbody.Reference{ID: c.ref, Size: -1}, false)
		r.Status = c.status
		if err := r.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
	}
	r := New(InFile(&mailbox.Message{Path: "box/;UID=5", Index: 3}), &externalbody.Reference{ID: "1", Size: -1}, false)
	r.Status = Failed
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	f := &Previous{Retry: true, known: make(map[string]*earlier)}
	if err := f.read(strings.NewReader(text.String())); err != nil {
		t.Fatal(err)
	}
	want := []Path{{Name: box, UID: 9}, {Name: box, UID: 11}, {Name: "box/;UID=5"}}
	if !slices.Equal(f.Paths, want) {
		t.Errorf("got %v, want %v", f.Paths, want)
	}
}

// No text makes reading records fail in another way than with an error, and a record
// that was written is read as one.
func FuzzFormers(f *testing.F) {
	f.Add("{\"message\":\"a\",\"index\":0,\"ref\":\"1\",\"status\":\"ok\"}\n")
	f.Add("{\"status\":\"failed\"}\n{\"sta")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		fs := &Previous{known: make(map[string]*earlier)}
		if fs.read(strings.NewReader(text)) != nil {
			return
		}
		lines := 0
		for line := range strings.Lines(text) {
			if strings.HasSuffix(line, "\n") && json.Valid([]byte(line)) {
				lines++
			}
		}
		if len(fs.known) > lines {
			t.Errorf("got %d records, want at most %d, one for each line", len(fs.known), lines)
		}
	})
}
