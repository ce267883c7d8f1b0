package record

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// What is to be retried over IMAP is named by the mailbox and the UID as a number, once
// for all references of a message; what is done by now is not.
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
	want := []Path{{box, 9}, {box, 11}, {"box/;UID=5", 0}}
	if !slices.Equal(f.Paths, want) {
		t.Errorf("got %v, want %v", f.Paths, want)
	}
}

// No text makes reading records fail in another way than with an error, and what was
// written as a record is read as one.
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
