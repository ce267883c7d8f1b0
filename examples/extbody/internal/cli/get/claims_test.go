package get

import (
	"crypto/sha256"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// The first body with a digest makes the file, and the others get its name. If it is not
// made, the next body makes it.
func TestLinks(t *testing.T) {
	report := func() *externalbody.Report {
		sum := sha256.Sum256([]byte("body"))
		return &externalbody.Report{SHA256: sum[:]}
	}
	c := newClaims()
	first, second := report(), report()
	if got := c.link(first); got != "" {
		t.Errorf("the first: got %q, want none", got)
	}
	c.end(first, "")
	if got := c.link(second); got != "" {
		t.Errorf("after one that failed: got %q, want none", got)
	}
	waiting := make(chan string)
	go func() { waiting <- c.link(report()) }()
	c.end(first, "late") // its claim has ended
	c.end(second, "a.txt")
	if got := <-waiting; got != "a.txt" {
		t.Errorf("the third: got %q, want a.txt", got)
	}
}

// One body at a time has a name.
func TestNameClaims(t *testing.T) {
	c := newClaims()
	first, second := new(externalbody.Report), new(externalbody.Report)
	c.name("a", first)
	c.name("b", new(externalbody.Report))
	waiting := make(chan string)
	go func() { waiting <- c.name("a", second) }()
	select {
	case <-waiting:
		t.Error("got the name twice, want it once")
	default:
	}
	c.end(first, "")
	if got := <-waiting; got != "a" {
		t.Errorf("got %q, want a", got)
	}
	c.end(second, "a")
	if len(c.names)+len(c.owners) != 2 {
		t.Errorf("got %d names and %d owners, want those of b alone", len(c.names), len(c.owners))
	}
}
