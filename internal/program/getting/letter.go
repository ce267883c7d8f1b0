package getting

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/program/record"
	"github.com/go-extbody/extbody/internal/program/saved"
	"github.com/go-extbody/extbody/internal/program/source"
	"github.com/go-extbody/extbody/internal/program/terminal"
)

// A letter is a message on its way through get, with the outcome of its references.
type letter struct {
	*source.Found
	results map[*externalbody.Reference]*record.Result
	id      record.Identity
	printed int   // references, in their order, if lines are written in order
	tasks   int   // not yet done
	err     error // the message cannot be read, or not to its end
}

// A task is a body on its way through get, with the references of which one is
// enough: the formats, best first, and of each the ways to get it. It has no bodies
// for a letter without references.
type task struct {
	letter  *letter
	bodies  [][]*externalbody.Reference
	names   map[*externalbody.Reference]string // of files, without extensions
	results map[*externalbody.Reference]*record.Result
	octets  int64       // of the body that is coming, so far
	begun   atomic.Bool // somebody was contacted, or octets came
	dropped bool        // not begun before the program was interrupted
}

// letters yields what is to be resolved of each message. When ctx ends it yields no more.
func (g *Flags) letters(ctx context.Context, disk *saved.Disk, how *terminal.Standing, names *saved.Names, formers *record.Formers, messages iter.Seq2[*source.Found, error]) iter.Seq[[]*task] {
	return func(yield func([]*task) bool) {
		defer how.Last()
		for m, err := range messages {
			l := &letter{Found: m, results: make(map[*externalbody.Reference]*record.Result), err: err}
			if err == nil {
				l.err = m.Read(&g.Policy.Reading)
			}
			choices := m.Choices(g.alternatives.Value == "all")
			stems := l.stems(names)
			if len(choices) == 0 {
				if l.err == nil {
					m.Close()
					continue
				}
				choices = append(choices, nil)
			}
			var tasks []*task
			for _, bodies := range choices {
				t := &task{letter: l, bodies: bodies, names: stems}
				var leaveOut bool
				if t.results, leaveOut = formers.Decide(l.Place(), l.id.Digest, bodies); !leaveOut {
					tasks = append(tasks, t)
				}
			}
			if len(tasks) == 0 && l.err != nil {
				tasks = append(tasks, &task{letter: l}) // which says that
			}
			if l.tasks = len(tasks); l.tasks == 0 {
				m.Close()
			}
			for _, t := range tasks {
				for _, alts := range t.bodies {
					how.Find(len(alts))
				}
			}
			if !yield(tasks) || ctx.Err() != nil || !disk.Room() {
				return
			}
		}
	}
}

// stems identifies the message, and returns the names of the files of its references,
// without extensions. names is nil for those by the digest of the message.
func (l *letter) stems(names *saved.Names) map[*externalbody.Reference]string {
	if len(l.Refs) == 0 {
		return nil
	}
	id, stem, err := l.Identify()
	l.id = id
	if err != nil {
		stem = source.Stem(make([]byte, 8)) // what fails now will be said of each body
		l.err = errors.Join(l.err, err)
	}
	stems := make(map[*externalbody.Reference]string)
	for _, ref := range l.Refs {
		if names != nil {
			stems[ref] = names.Next(l.Number(), ref)
		} else {
			stems[ref] = stem + "-" + saved.Plain(ref.ID)
		}
	}
	return stems
}

// flat yields the elements of slices.
func flat[T any](slices iter.Seq[[]T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for s := range slices {
			for _, t := range s {
				if !yield(t) {
					return
				}
			}
		}
	}
}
