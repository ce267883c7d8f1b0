package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/externalbody"
)

// ErrNoSource is the error of a name that no source of the archive has.
var ErrNoSource = errors.New("the archive has no such source")

// scheduled reports whether an ask is due. So is a capture by a clock that was wrong.
func (s *syncer) scheduled(_ ask, state askState) bool {
	now := s.a.now()
	if state.outcome != askCaptured || s.o.Recapture <= 0 {
		return state.isDue(now)
	}
	var c Capture
	if err := s.a.line(state.last, &c); err != nil {
		return true // the attempt reports the error
	}
	if c.hasVersion() {
		return false
	}
	return c.Ended.Before(now.Add(-s.o.Recapture)) || c.Ended.After(now.Add(maxAhead))
}

// Sync brings the archive up to its sources, and then resolves the due references. Before that it
// looks for an object of the archive, and ends with ErrGone if the objects are gone. The Result is
// never nil. If there is an error, some of the work was not done, and the Result may count
// messages and references that are not in the ledger because the error came before their
// lines.
func (a *Archive) Sync(ctx context.Context, o *SyncOptions) (*Result, error) {
	for _, name := range o.Gone {
		if a.index.get(lineKey(name)) == nil {
			return new(Result), fmt.Errorf("%w: %s", ErrNoSource, name)
		}
	}
	return a.run(ctx, "sync", o, func(s *syncer) error {
		if err := s.probe(); err != nil {
			return err
		}
		for _, name := range o.Gone {
			s.gone(name)
		}
		if err := s.flush(); err != nil {
			return err
		}
		for _, src := range o.Sources {
			if err := s.source(src); err != nil {
				return err
			}
		}
		if err := s.renewOpened(); err != nil {
			return err
		}
		if err := s.resolve(s.scheduled); err != nil {
			return err
		}
		if err := s.reread(); err != nil || s.res.Spent || len(s.found) == 0 {
			return err
		}
		return s.resolve(func(k ask, state askState) bool { return state.outcome == askOpen && s.found[k] })
	})
}

// Retry asks again for the references that sel selects, also if they are captured, final
// or forgotten. A body whose object is damaged is fetched whole.
//
// The error is ErrNothing, and no run starts, if a name in sel seems to be misspelt:
//
//   - no reference would fit with another outcome, and there are terms about more than that;
//   - or there is a term object=, and nothing is selected.
func (a *Archive) Retry(ctx context.Context, sel *Selector, o *SyncOptions) (*Result, error) {
	wanted := make(map[ask]bool)
	err := a.matches(sel, func(r *Row) error {
		wanted[r.ask] = true
		return nil
	})
	if err == nil {
		err = a.Whole()
	}
	some := len(wanted) > 0 || sel.ofOutcomes()
	if err == nil && !some && !sel.names("object") {
		some, err = a.couldFit(sel)
	}
	if err == nil && !some {
		err = ErrNothing
	}
	if err != nil {
		return &Result{}, err
	}
	return a.run(ctx, "retry", o, func(s *syncer) error {
		s.asked = true
		return s.resolve(func(k ask, _ askState) bool { return wanted[k] })
	})
}

func (a *Archive) run(ctx context.Context, command string, o *SyncOptions, do func(*syncer) error) (*Result, error) {
	s := &syncer{a: a, o: o, ctx: ctx, began: a.now()}
	s.res.Contacts = make(map[string]int64)
	s.res.Unread = make(map[externalbody.DiagCode]int)
	if command == "sync" {
		s.rules = rules(a.agent, o.Open, o.AccountHosts)
	}
	if gap := s.began.Sub(a.index.last); !a.index.last.IsZero() && gap.Abs() > maxJump {
		s.res.Clock = gap
	}
	if err := a.begin(command, s.rules); err != nil {
		return &s.res, err
	}
	err := do(s)
	s.res.Octets, s.res.Requests = o.Budget.Used()
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrGone) {
		// The disk failed. Records and objects without a line are handled now or, if
		// that fails as well, by the next Open.
		return &s.res, errors.Join(err, a.exchanges.Close(), a.recover())
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	end := &Run{Command: command, Counts: &s.res.Counts}
	switch {
	case err != nil:
		end.Why = err.Error()
	case s.res.Spent:
		end.Why = "the budget ended"
	}
	if s.readTo.File != "" {
		end.Rules = s.rules
		end.ReadTo = s.readTo.String()
	}
	eerr := a.end(end)
	if eerr == nil && o.Stamp != nil {
		eerr = a.stamp(context.WithoutCancel(ctx), command, o.Stamp)
	}
	return &s.res, errors.Join(err, eerr)
}
