package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/textindex"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/wording"
)

// A TextIndex is about the index of texts that [Archive.IndexTexts] made.
type TextIndex struct {
	Texts  int   // in the index
	Added  int   // of them, by this call
	Cut    int   // of the added ones, those of which only the start is in it, because they are too long
	Octets int64 // of the file
}

// IndexTexts brings the index of texts up to the ledger, or makes it: the words of stored messages and of captured texts.
// The index is the file text, which replaces the one before when it is whole. It has no text, only which words are where.
// Nothing is written to the ledger.
func (a *Archive) IndexTexts(ctx context.Context) (*TextIndex, error) {
	// A file that a program left when it was killed is removed, and not believed.
	temp := filepath.Join(a.dir, newTextFile)
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	rules := textRules(a.agent)
	before, err := openTexts(a.dir, rules)
	if err != nil {
		before = nil
	}
	defer before.Close()
	w, err := textindex.Create(temp, rules, before)
	if err != nil {
		return nil, err
	}
	t := new(TextIndex)
	end := a.next()
	err = a.lines(func(_ *ledger.Line, record any) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return a.indexText(w, record, t)
	}, kindMessage, kindCapture)
	if err != nil {
		w.Discard()
		return nil, err
	}
	t.Texts = w.Len()
	if err := w.Close(fmt.Sprintf("%s %d", end.File, end.Offset)); err != nil {
		return nil, err
	}
	info, err := os.Stat(temp)
	if err == nil {
		t.Octets = info.Size()
		err = errors.Join(before.Close(), a.texts.close()) // some systems cannot replace an open file
	}
	before = nil
	a.texts.tried = false
	if err == nil {
		err = os.Rename(temp, filepath.Join(a.dir, textFile))
	}
	if err != nil {
		os.Remove(temp)
		return nil, err
	}
	return t, atomicfile.SyncFolder(a.dir)
}

// indexText adds the text of a message or captured body, if its object is there and has one.
func (a *Archive) indexText(w *textindex.Writer, record any, t *TextIndex) error {
	var name textindex.Name
	var read func() (string, bool, error)
	sum := ""
	switch r := record.(type) {
	case *MessageRecord:
		sum = r.SHA256
		name = messageName(sum)
		read = func() (string, bool, error) { return a.messageText(r) }
	case *Capture:
		of := r.textType()
		if of == "" {
			return nil
		}
		sum = r.SHA256
		name = bodyName(sum, of)
		read = func() (string, bool, error) { return a.capturedText(r) }
	}
	if a.index.flags(sum) != flagStored || w.Has(name) {
		return nil
	}
	text, cut, err := read()
	if isLost(err) {
		return nil // it may be repaired
	}
	if err != nil {
		return err
	}
	t.Added++
	if cut {
		t.Cut++
	}
	return w.Add(name, foldedWords(text), cut)
}

// textIndex returns the index of texts, and nil if there is none. It notices which texts have to be read, once.
func (a *Archive) textIndex() *textindex.Index {
	x := &a.texts
	if x.tried {
		return x.index
	}
	x.tried = true
	index, err := openTexts(a.dir, textRules(a.agent))
	const reads = "text= reads the messages and captured texts that the other terms leave"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.say("%s: archive index --text makes an index of them", reads)
	case err != nil:
		x.say("%s, since the index of texts cannot be used: %s: %v", reads, filepath.Join(a.dir, textFile), err)
	default:
		if n := a.after(index.Head); n > 0 {
			x.say("the index of texts is older than the archive: %s read, unless archive index --text is run",
				wording.Choose(n, "message or capture after it is", "messages and captures after it are"))
		}
		if index.Cut > 0 {
			x.cut = true
			x.say("%s longer than %d MiB: the words after that are not searched",
				wording.Choose(index.Cut, "text is", "texts are"), maxText>>20)
		}
	}
	x.index = index
	return index
}

// after returns how many messages and captured texts the ledger has after a place, which the index of texts has as its head.
func (a *Archive) after(head string) (n int) {
	var at ledger.Place
	if _, err := fmt.Sscan(head, &at.File, &at.Offset); err != nil || !ledger.IsFile(at.File) {
		at = ledger.Place{}
	}
	a.read(at, a.next(), func(l *ledger.Line) error {
		record, err := body(l)
		if err != nil {
			return nil // a search names it
		}
		switch r := record.(type) {
		case *MessageRecord:
			if r.Stored {
				n++
			}
		case *Capture:
			if r.textType() != "" {
				n++
			}
		}
		return nil
	})
	return n
}

// forgetTexts removes the index of texts, so that no word of a forgotten text stays in it.
func (a *Archive) forgetTexts() error {
	return errors.Join(a.texts.close(), removeTexts(a.dir))
}

// foldedWords returns the words of a text, folded, with a blank between them.
func foldedWords(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	eachWord(text, func(from, to int) bool {
		b.WriteString(foldedWord(text[from:to]))
		b.WriteByte(' ')
		return true
	})
	return b.String()
}
