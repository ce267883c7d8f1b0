package native

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
)

var errOp = errors.New("there is no such operation")

// serve answers the frames of the input until it ends. A frame that is not a request ends the session.
func (s *session) serve(parent context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(parent)
	s.ctx = ctx
	s.busy = make(chan struct{}, maxBusy)
	s.offers = make(map[string]*offer)
	s.question = make(map[string]chan bool)
	s.gets = make(map[string]*fetching)
	s.results = make(map[int]*result)
	defer s.close()
	defer s.running.Wait()
	defer stop()
	for {
		text, err := readFrame(in)
		if err == io.EOF {
			return nil
		}
		var q *Request
		if err == nil {
			q, err = parse(text)
		}
		if err != nil {
			s.out.write(&Answer{Error: err.Error()})
			return err
		}
		if a := s.answer(q); a != nil {
			a.ID = q.ID
			if err := s.out.write(a); err != nil {
				return err
			}
		}
	}
}

// answer returns the answer to a request, or nil if there are answers later.
func (s *session) answer(q *Request) *Answer {
	var a *Answer
	var err error
	switch q.Op {
	case "hello":
		a = &Answer{Program: record.Version(), Protocol: 1, Most: s.most, Folder: s.dir}
	case "open":
		a, err = s.open(q)
	case "list":
		a, err = s.list(q)
	case "plan":
		a, err = s.plan(q)
	case "get":
		a, err = s.get(q)
	case "cancel":
		a, err = s.cancel(q)
	case "show", "reveal":
		a, err = s.show(q)
	default:
		err = errOp
	}
	if err != nil {
		return &Answer{Error: err.Error()}
	}
	return a
}

func (s *session) open(q *Request) (*Answer, error) {
	if err := s.mail.add(q.Octets, s.most); err != nil {
		return nil, err
	}
	taken := s.mail.spool.Size()
	if !q.Last {
		return &Answer{Taken: taken}, nil
	}
	if err := s.mail.read(s.reading); err != nil {
		return nil, fmt.Errorf("the message cannot be read: %w", err)
	}
	for _, choice := range s.mail.choices {
		s.first = append(s.first, get.FirstPlan(s.resolver, choice[0]))
	}
	return &Answer{Taken: taken, Total: len(s.first)}, nil
}

func (s *session) list(q *Request) (*Answer, error) {
	if !s.mail.whole {
		return nil, errNotOpen
	}
	a := &Answer{Total: len(s.first), Unread: s.mail.unread}
	left := newRoom()
	left.takes(a)
	from := max(q.From, 1)
	for number := from; number <= len(s.first); number++ {
		f := s.mail.file(number, s.first[number-1])
		if done := s.result(number); done != nil {
			f.Status = done.status
			f.Text = done.text
		}
		if q.Count > 0 && len(a.Files) == q.Count || !left.takes(f) {
			a.More = true
			break
		}
		a.Files = append(a.Files, f)
	}
	return a, nil
}
