package native

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/externalbody"
)

// A session serves one extension from the start of the program to the end of its input. It has one
// message.
type session struct {
	out      *writer
	resolver *externalbody.Resolver
	reading  *source.Reading
	most     int64  // octets of the message, negative for no bound
	dir      string // where files are saved
	folder   *externalbody.Folder
	root     *os.Root // of the folder; nil before the first file is saved
	agreed   func(p *externalbody.Plan) (by string, ok bool)
	remember func(hosts ...string) error // nil if nothing is kept

	ctx     context.Context // ends with the input
	running sync.WaitGroup  // of gets, and of programs that are started
	busy    chan struct{}   // has an element for each of them

	mail  mail
	first []*externalbody.Plan // by the index of a choice: the plan of its best way

	mu       sync.Mutex
	offers   map[string]*offer    // guarded by mu, as the fields below are; by the id of a plan
	question map[string]chan bool // by the id of a plan: the answer to a redirect
	gets     map[string]*fetching // by the id of the plan
	results  map[int]*result      // by the number of the file
}

// An offer is a contact that a person may agree to, once.
type offer struct {
	contact Contact
	plans   []*externalbody.Plan // of contact.Files
}

// A fetching is a get in progress.
type fetching struct {
	id     int64 // of its request
	cancel context.CancelCauseFunc
}

// A result is the outcome of getting a file.
type result struct {
	path, mediaType string // "" if it was not saved
	status, text    string
}

const (
	// maxBusy bounds the gets and programs in progress.
	maxBusy = 16

	// maxOffers bounds the offers. A new plan discards all older ones when there are more.
	maxOffers = 20_000
)

var (
	errNoPlan  = errors.New("there is no such plan: call plan, and get each plan once")
	errNoFile  = errors.New("the message has no such file")
	errUnsaved = errors.New("the file was not saved in this session")
	errBusy    = errors.New("too much is in progress: wait for an end")
)

// close frees the resources of the session, after its gets have ended.
func (s *session) close() {
	if s.folder != nil {
		s.folder.Close()
		s.root.Close()
		os.Remove(s.dir) // which does nothing if there is something in it
	}
	s.mail.close()
}

// result returns the outcome of a file, or nil.
func (s *session) result(number int) *result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results[number]
}

// begin runs a function beside the session. With an error too many are running.
func (s *session) begin(run func()) error {
	select {
	case s.busy <- struct{}{}:
	default:
		return errBusy
	}
	s.running.Go(func() {
		defer func() { <-s.busy }()
		run()
	})
	return nil
}

// offer notes a contact, and returns it with the id of its plan.
func (s *session) offer(o *offer) Contact {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.offers) >= maxOffers {
		clear(s.offers)
	}
	o.contact.Plan = rand.Text()
	s.offers[o.contact.Plan] = o
	return o.contact
}

// take returns an offer, which is one no more.
func (s *session) take(id string) *offer {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.offers[id]
	delete(s.offers, id)
	return o
}

// numbers returns the files that a plan is asked for.
func (s *session) numbers(q *Request) ([]int, error) {
	if !s.mail.whole {
		return nil, errNotOpen
	}
	if len(q.Files) == 0 {
		all := make([]int, len(s.first))
		for i := range all {
			all[i] = i + 1
		}
		return all, nil
	}
	list := slices.Compact(slices.Sorted(slices.Values(q.Files)))
	for _, n := range list {
		if !s.mail.has(n) {
			return nil, errNoFile
		}
	}
	return list, nil
}

// keeps reports whether an agreement about a contact can be kept.
func (s *session) keeps(p *externalbody.Plan) bool {
	return s.remember != nil && p.Secure && !p.Local() && p.Kind == 0
}
