package get

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A message is a message in progress, with the results of its references.
type message struct {
	*source.Found
	results  map[*externalbody.Reference]*record.Result
	id       record.Identity
	names    map[*externalbody.Reference]string // of files, without extensions; nil if bodies have names of their own
	numbers  map[*externalbody.Reference]int    // of lines in the list, from 1
	failures record.Failures                    // whose lines are not written
	printed  int                                // references whose lines are written, if they are ordered
	tasks    int                                // tasks that are not done
	err      error                              // the message cannot be read to its end
}

// A task is a body in progress, with the references of which one is enough: the
// formats, best first, and for each format its alternatives. The task of a message
// without references has no bodies.
type task struct {
	message *message
	bodies  [][]*externalbody.Reference
	results map[*externalbody.Reference]*record.Result
	octets  int64       // of the body, so far
	begun   atomic.Bool // a server was contacted, or octets came
	dropped bool        // the run ended before the task was started
	number  int         // of its line in the list that is shown to a person who is asked
}

// tasks yields the tasks of each message, until the run ends.
func (s *session) tasks(messages iter.Seq2[*source.Found, error]) iter.Seq[[]*task] {
	return func(yield func([]*task) bool) {
		defer s.progress.All.Store(true)
		for f, err := range messages {
			tasks := s.open(f, err)
			for _, t := range tasks {
				for _, alts := range t.bodies {
					s.progress.Found.Add(int64(len(alts)))
				}
			}
			if !yield(tasks) || s.ctx.Err() != nil || !s.disk.room() {
				return
			}
		}
	}
}

// lookAhead yields the messages, after it looked whether there is one alone. The files of
// such a message have the names that it gives them, unless a flag names them. A mailbox,
// to which messages may be added, is not one message.
func (s *session) lookAhead(paths []record.Path, messages iter.Seq2[*source.Found, error]) iter.Seq2[*source.Found, error] {
	if len(paths) != 1 || s.names.Value != "auto" {
		return messages
	}
	return func(yield func(*source.Found, error) bool) {
		next, stop := iter.Pull2(messages)
		defer stop()
		first, err, ok := next()
		if !ok {
			return
		}
		second, err2, more := next()
		if more && s.Saved != nil && !s.Choice.ByMessage() {
			first.Close()
			second.Close()
			s.mistake = exit.Mistake(errors.New("there are several messages: choose one with --message"))
			return
		}
		if !s.byName && !more && first.At == nil {
			s.byName = first.Path == paths[0].Name && first.IsFile()
		}
		if !yield(first, err) {
			if more {
				second.Close()
			}
			return
		}
		for ; more; second, err2, more = next() {
			if !yield(second, err2) {
				return
			}
		}
	}
}

// chosen returns the choices of a message that was read, as far as the flags choose it and
// its references, and their numbers among all.
func (run *Run) chosen(f *source.Found, all bool) (choices [][][]*externalbody.Reference, numbers []int, err error) {
	if ok, err := run.Choice.Message(f); !ok || err != nil {
		return nil, nil, err
	}
	choices, numbers = run.Choice.Choices(f.Refs, f.Choices(all))
	return choices, numbers, nil
}

// open reads a message and returns its tasks, at least one.
func (s *session) open(f *source.Found, err error) []*task {
	m := &message{
		Found: f, results: make(map[*externalbody.Reference]*record.Result), numbers: make(map[*externalbody.Reference]int), err: err,
	}
	if err == nil {
		m.err = m.Read(&s.Policy.Reading)
	}
	choices, numbers, err := s.chosen(f, s.alternatives.Value == "all")
	s.Chosen += len(choices)
	s.NoMIME = s.NoMIME && !hasMIME(m.Whole())
	m.err = errors.Join(m.err, err)
	s.identify(m)
	for i, ref := range m.Refs {
		m.numbers[ref] = i + 1
	}
	var tasks []*task
	for i, bodies := range choices {
		for _, ref := range slices.Concat(bodies...) {
			if s.Ask {
				m.numbers[ref] = numbers[i] // of the list that is shown
			}
		}
		t := &task{message: m, bodies: bodies, number: numbers[i]}
		var leaveOut bool
		t.results, leaveOut = s.records.Decide(m.Place(), m.id.Digest, bodies)
		if !leaveOut {
			tasks = append(tasks, t)
		}
	}
	if s.Ask {
		tasks = s.agree(tasks)
	}
	if len(tasks) == 0 {
		tasks = append(tasks, &task{message: m}) // to report the message
	}
	m.tasks = len(tasks)
	return tasks
}

// hasMIME reports whether a message has a header field of MIME. m may be nil.
func hasMIME(m *externalbody.Message) bool {
	return m != nil && strings.Join(record.HeaderFields(m, "MIME-Version", "Content-Type"), "") != ""
}

// identify identifies a message, and names the files of its references.
func (s *session) identify(m *message) {
	if len(m.Refs) == 0 {
		return
	}
	id, stem, err := m.Identify()
	m.id = id
	if err != nil {
		stem = source.Stem(make([]byte, 8)) // the failure is reported for each body
		m.err = errors.Join(m.err, err)
	}
	if s.byName {
		return
	}
	m.names = make(map[*externalbody.Reference]string)
	for _, ref := range m.Refs {
		if s.indexNames != nil {
			m.names[ref] = s.indexNames.next(m.Number(), ref)
		} else {
			m.names[ref] = stem + "-" + plain(ref.ID)
		}
	}
}

// fileName implements [externalbody.Folder].Name. The name is claimed.
func (s *session) fileName(rep *externalbody.Report) string {
	name := rep.FileName()
	if stem, ok := s.stems.Load(rep.Reference); ok {
		name = stem.(string) + extension(rep)
	}
	return s.claims.name(name, rep)
}

// work saves the first body of a task that can be had. Nothing is left of a body that
// failed.
func (s *session) work(t *task) {
	if t.results != nil {
		return
	}
	t.dropped = s.ctx.Err() != nil || !s.disk.room()
	if t.dropped {
		return
	}
	t.results = make(map[*externalbody.Reference]*record.Result)
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	var asked *externalbody.Reference // of alternatives and formats one after the other
	resolver := *s.resolver
	resolver.Progress = func(ref *externalbody.Reference, e fetch.Event) {
		if e.Phase != fetch.Waiting && ref != asked {
			asked = ref
			if !s.disk.room() {
				cancel(&fetch.Error{Kind: fetch.Local, Err: s.disk.status()})
			}
			t.begun.Store(t.begun.Load() || ctx.Err() == nil)
		}
		if e.Phase == fetch.Receiving {
			s.progress.Received.Add(max(0, e.Octets-t.octets))
		}
		t.octets = e.Octets
		if s.bars != nil {
			s.bars.Progress(ref, e)
		}
	}
	var rest record.Result // of the bodies that are not tried, after one was saved or could not be kept
	for _, alts := range t.bodies {
		if rest.Skipped || rest.Err != nil {
			for _, ref := range alts {
				t.results[ref] = &record.Result{Skipped: rest.Skipped, Err: rest.Err}
			}
		} else if err := s.save(ctx, &resolver, t, alts); err == nil || s.disk.note(err) || fetch.KindOf(err) == fetch.Local {
			rest = record.Result{Skipped: err == nil, Err: err}
		}
	}
	if rest.Skipped {
		for _, r := range t.results {
			r.Skipped = r.Skipped || r.Err != nil
		}
	}
	t.drop(ctx)
	for ref := range t.results {
		s.bars.Done(ref)
	}
}

func (s *session) save(ctx context.Context, resolver *externalbody.Resolver, t *task, alts []*externalbody.Reference) error {
	for _, ref := range alts {
		if stem, ok := t.message.names[ref]; ok {
			s.stems.Store(ref, stem)
			defer s.stems.Delete(ref)
		}
	}
	name, report, err := s.folder.Save(ctx, resolver, alts)
	s.claims.end(report, name)
	for _, ref := range alts {
		// Without a file, references that were not tried share the error of the last
		// attempt.
		t.results[ref] = &record.Result{Skipped: err == nil, Err: err}
	}
	for _, f := range report.Failures {
		t.results[f.Reference] = &record.Result{Err: f.Err, Report: f.Report}
	}
	if err != nil {
		if report.Reference != nil && t.results[report.Reference].Report == nil {
			t.results[report.Reference].Report = report
		}
		return err
	}
	t.results[report.Reference] = &record.Result{Report: report, File: filepath.Join(s.Dir, name)}
	return nil
}

// drop discards the results of a task that was interrupted before it was started. Such a
// task has no line.
func (t *task) drop(ctx context.Context) {
	if ctx.Err() == nil || t.begun.Load() {
		return
	}
	for _, r := range t.results {
		if kind := fetch.KindOf(r.Err); kind != fetch.Canceled && kind != fetch.Local {
			return
		}
	}
	t.dropped = true
	t.results = nil
}

// agree asks a person about the bodies of tasks. Those that were not agreed to are denied, or
// left out where that is no failure. After an interruption no task is left.
func (s *session) agree(tasks []*task) []*task {
	if len(tasks) == 0 {
		return nil
	}
	var choices [][][]*externalbody.Reference
	var numbers []int
	for _, t := range tasks {
		choices = append(choices, t.bodies)
		numbers = append(numbers, t.number)
	}
	answer, err := s.askAbout(s.ctx, s.asker, s.resolver, choices, numbers)
	if err != nil {
		s.stop()
		return nil
	}
	for _, i := range answer.browser {
		s.Browse(tasks[i].number, answer.plans[i].Ref)
	}
	var kept []*task
	for i, t := range tasks {
		if !answer.agreed[i] {
			t.deny()
		}
		refused := answer.plans[i].Kind != 0
		switch {
		case s.Saved == nil, answer.agreed[i] && !refused:
			kept = append(kept, t)
		case refused && !slices.Contains(answer.browser, i):
			s.Refused++
		}
	}
	return kept
}

// deny gives a task the results of a person who did not agree.
func (t *task) deny() {
	t.results = make(map[*externalbody.Reference]*record.Result)
	for _, alts := range t.bodies {
		for _, ref := range alts {
			t.results[ref] = &record.Result{Err: &fetch.Error{Op: "get", Kind: fetch.Denied, Err: terminal.ErrNotAllowed}}
		}
	}
}
