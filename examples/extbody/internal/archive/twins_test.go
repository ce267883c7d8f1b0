package archive_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOneUniqueName holds: of two files of a Maildir with one unique name each message has one line that it was seen,
// and a quiet night adds none.
func TestOneUniqueName(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,S", letter("a", s.URL+"/a"))
	put(t, filepath.Join(box, "new", "1"), "Subject: b\n\nno reference\n")
	sightings := func() int { return strings.Count(slurp(t, dir, "ledger"), `"kind":"sighting"`) }
	for night, want := range []int{2, 2, 2} {
		res := run(t, dir, options(box))
		if got := sightings(); got != want || res.Sources[0].Seen != 2 || res.Sources[0].Stored != 1 {
			t.Errorf("night %d: got %d lines of sightings, %+v; want %d, 2 messages seen and 1 stored", night, got, res.Sources, want)
		}
	}
	clean(t, dir)
}

// TestOctetsAgain holds: a message that is in a file again, after other octets were, is read by the rules of now.
func TestOctetsAgain(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	link := "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\nX-Mozilla-Cloud-Part: cloudFile; url=" + s.URL + "/a; name=c\n\nx\n--b--\n"
	deliver(t, box, "1:2,S", link)
	old := options(box)
	old.Open.Dialects = nil
	if res := run(t, dir, old); res.Messages != 1 || res.References != 0 {
		t.Fatalf("the rules of then: got %+v, want a message without references", res.Counts)
	}
	deliver(t, box, "1:2,S", "Subject: b\n\nno reference\n")
	run(t, dir, options(box))
	deliver(t, box, "1:2,S", link)
	if res := run(t, dir, options(box)); res.References != 1 {
		t.Errorf("the rules of now: got %+v, want a reference", res.Counts)
	}
	if res := run(t, dir, options(box)); res.Sightings+res.Messages != 0 {
		t.Errorf("a quiet night: got %+v, want nothing new", res.Counts)
	}
	clean(t, dir)
}
