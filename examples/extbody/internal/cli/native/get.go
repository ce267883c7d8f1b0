package native

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/open"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// perGet is how many files of a get are fetched at a time. The throttle bounds the requests to a host.
const perGet = 12

var (
	errCanceled   = errors.New("canceled")
	errKeepsNot   = errors.New("an agreement for good is for encrypted contacts alone")
	errNeverSaved = errors.New("the folder for files cannot be used")
)

// get gets the files of a plan, once, or agrees to the redirect that an event asked about.
func (s *session) get(q *Request) (*Answer, error) {
	if s.reply(q.Plan, true) {
		return &Answer{}, nil
	}
	o := s.take(q.Plan)
	if o == nil {
		return nil, errNoPlan
	}
	if q.Always {
		if !o.contact.Keeps {
			return nil, errKeepsNot
		}
		hosts := []string{o.plans[0].Host}
		if direct := o.plans[0].Direct; direct != "" {
			hosts = append(hosts, direct)
		}
		if err := s.remember(hosts...); err != nil {
			return nil, err
		}
	}
	if err := s.openFolder(); err != nil {
		return nil, errors.Join(errNeverSaved, err)
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	d := &download{session: s, id: q.ID, offer: o}
	d.consent.Ask = d.ask
	s.mu.Lock()
	s.gets[o.contact.Plan] = &fetching{id: q.ID, cancel: cancel}
	s.mu.Unlock()
	err := s.begin(func() {
		defer cancel(nil)
		d.run(ctx)
		s.mu.Lock()
		delete(s.gets, o.contact.Plan)
		s.mu.Unlock()
		s.out.write(&Answer{ID: q.ID})
	})
	if err != nil {
		cancel(nil)
	}
	return nil, err
}

// openFolder makes the folder for files, and opens it.
func (s *session) openFolder() error {
	if s.folder != nil {
		return nil
	}
	if err := output.MakeFolder(s.dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	s.root = root
	s.folder = &externalbody.Folder{
		Root:   root,
		Stored: func(*externalbody.Report) string { return "" }, // a file with the name and the octets is that body
	}
	return nil
}

// reply answers the question about a redirect. It reports whether there was one.
func (s *session) reply(plan string, agree bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, ok := s.question[plan]
	if ok {
		delete(s.question, plan)
		answer <- agree
	}
	return ok
}

// cancel ends the get of a plan, refuses a redirect, or gives a plan up.
func (s *session) cancel(q *Request) (*Answer, error) {
	if s.reply(q.Plan, false) || s.take(q.Plan) != nil {
		return &Answer{}, nil
	}
	s.mu.Lock()
	f := s.gets[q.Plan]
	s.mu.Unlock()
	if f == nil {
		return nil, errNoPlan
	}
	f.cancel(errCanceled)
	return &Answer{}, nil
}

// A download is the work of one get.
type download struct {
	*session
	id      int64 // of the request
	offer   *offer
	consent externalbody.Consent
}

func (d *download) run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	slots := make(chan struct{}, perGet)
	for _, number := range d.offer.contact.Files {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			d.file(ctx, number)
		})
	}
}

// file gets one file, in the first of its formats that can be had.
func (d *download) file(ctx context.Context, number int) {
	resolver := *d.resolver
	resolver.Approve = d.consent.Approve
	m := &meter{out: d.out, id: d.id, number: number}
	resolver.Progress = m.progress
	var name string
	var report *externalbody.Report
	var ref *externalbody.Reference
	err := ctx.Err()
	for _, alts := range d.mail.choices[number-1] {
		err = context.Cause(ctx)
		if err != nil {
			break
		}
		ref = alts[0]
		name, report, err = d.folder.Save(ctx, &resolver, alts)
		if err == nil || fetch.KindOf(err) == fetch.Local {
			break
		}
	}
	m.end()
	if err != nil {
		d.failed(ctx, number, ref, err)
		return
	}
	path := filepath.Join(d.dir, name)
	notes := open.Notes(report)
	if err := open.Mark(path); err != nil {
		notes = append(notes, "it cannot be marked as a file from elsewhere: "+err.Error())
	}
	for i, note := range notes {
		notes[i] = show.Fence(note, maxText)
	}
	d.note(number, &result{path: path, mediaType: report.MediaType, status: record.OK})
	d.out.write(&Answer{
		ID: d.id, Event: "saved", Number: number, Status: record.OK, Octets: report.Bytes,
		Name: show.Fence(name, maxText), Notes: notes[:min(len(notes), maxNotes)],
	})
}

// failed reports a file that could not be had.
func (d *download) failed(ctx context.Context, number int, ref *externalbody.Reference, err error) {
	if ctx.Err() != nil {
		err = errCanceled
	}
	status := record.Failed
	kind := fetch.KindOf(err)
	if kind == fetch.Pending {
		status = record.Pending
	}
	r := &result{status: status, text: show.Fence(err.Error(), 2*maxText)}
	d.note(number, r)
	a := &Answer{ID: d.id, Event: "failed", Number: number, Status: status, Text: r.text}
	if kind != 0 {
		a.Kind = kind.String()
	}
	d.out.write(a)
}

// note notes the outcome of a file, for the operations after it.
func (d *download) note(number int, r *result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.results[number] = r
}

// ask is for the consent of a get. The person has agreed to the plans of the offer, and to some hosts for
// good. Anything else is a redirect, or another way to the file: an event asks about it, and the get waits.
func (d *download) ask(ctx context.Context, p *externalbody.Plan) (bool, error) {
	if d.offer.plans[0].Like(p) {
		return true, nil
	}
	if _, ok := d.agreed(p); ok {
		return true, nil
	}
	c := d.contact([]*externalbody.Plan{p})
	c.Keeps = false
	c.Plan = rand.Text()
	answer := make(chan bool, 1)
	d.mu.Lock()
	d.question[c.Plan] = answer
	d.mu.Unlock()
	d.out.write(&Answer{ID: d.id, Event: "ask", Contacts: []Contact{c}})
	select {
	case agree := <-answer:
		return agree, nil
	case <-ctx.Done():
		d.mu.Lock()
		delete(d.question, c.Plan)
		d.mu.Unlock()
		return false, context.Cause(ctx)
	}
}
