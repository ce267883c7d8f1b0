package get

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/saved"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// A letter is a message in progress, with the outcome of its references.
type letter struct {
	*source.Found
	results map[*externalbody.Reference]*record.Result
	id      record.Identity
	printed int   // how many references, in their order, if lines are written in order
	tasks   int   // how many are not done
	err     error // why the message cannot be read to its end
}

// A task is a body in progress, with the references of which one is enough: the
// formats, best first, and for each format the ways to get it. The task of a letter
// without references has no bodies.
type task struct {
	letter  *letter
	bodies  [][]*externalbody.Reference
	names   map[*externalbody.Reference]string // of files, without extensions
	results map[*externalbody.Reference]*record.Result
	octets  int64       // of the body that comes, so far
	begun   atomic.Bool // somebody was contacted, or octets came
	dropped bool        // not begun before the program was interrupted
}

// letters yields the tasks of each message, until ctx ends.
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
				tasks = append(tasks, &task{letter: l}) // to report the error
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
// without extensions. names is nil if the names begin with the digest of the message.
func (l *letter) stems(names *saved.Names) map[*externalbody.Reference]string {
	if len(l.Refs) == 0 {
		return nil
	}
	id, stem, err := l.Identify()
	l.id = id
	if err != nil {
		stem = source.Stem(make([]byte, 8)) // the failure is reported for each body
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
