package saved

import (
	"crypto/sha256"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// Who asks for a digest first makes the file, and the others get its name; where the
// file does not come to be, the next one makes it.
func TestTwins(t *testing.T) {
	report := func() *externalbody.Report {
		sum := sha256.Sum256([]byte("body"))
		return &externalbody.Report{SHA256: sum[:]}
	}
	s := NewTwins()
	first, second := report(), report()
	if got := s.Find(first); got != "" {
		t.Errorf("the first: got %q, want none", got)
	}
	s.Saved(first, "")
	if got := s.Find(second); got != "" {
		t.Errorf("after one that failed: got %q, want none", got)
	}
	waiting := make(chan string)
	go func() { waiting <- s.Find(report()) }()
	s.Saved(first, "late") // it has no say any more
	s.Saved(second, "a.txt")
	if got := <-waiting; got != "a.txt" {
		t.Errorf("the third: got %q, want a.txt", got)
	}
}
