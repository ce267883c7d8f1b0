package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// rules returns a digest of everything that decides which references are found in a message:
// the version of the program, the forms that it looks for, and its limits.
//
// Two builds whose version is "(devel)" differ only in the table of hosts and the forms.
func rules(agent string, o *externalbody.OpenOptions) string {
	c := *cmp.Or(o, new(externalbody.OpenOptions))
	type form struct {
		Name                                 string
		Fields, Types, Prefixes, Hints, Near []string
		Hosts                                map[string]string
	}
	forms := make([]form, 0, len(c.Dialects))
	for _, d := range c.Dialects {
		forms = append(forms, form{d.Name, d.Fields, d.Types, d.Prefixes, d.Hints, d.Near, d.Hosts})
	}
	h := sha256.New()
	err := json.NewEncoder(h).Encode(map[string]any{
		"agent": agent, "forms": forms, "hosts": sharelink.Fingerprint(),
		"limits": []int64{int64(c.MaxDepth), int64(c.MaxParts), int64(c.MaxReferences), c.MaxHeaderBytes, c.MaxDecodedBytes},
	})
	if err != nil {
		panic(err) // texts and numbers can be encoded
	}
	return hex.EncodeToString(h.Sum(nil))[:maxRules]
}

// reread reads the stored messages that were read by other rules, and records the references
// that the ledger lacks. If the run ends before all are read, the next run with the same
// rules goes on where this one ended.
func (s *syncer) reread() error {
	s.batch.messages, s.found = make(map[string]bool), make(map[ask]bool)
	s.a.mu.Lock()
	end := s.a.index.next
	s.a.mu.Unlock()
	from, by := s.a.index.readTo(s.rules), ""
	ended := false // before all was read
	s.readTo = from
	err := s.a.read(from, func(l *ledger.Line) error {
		switch {
		case !l.Place.Before(end):
			return errStop
		case s.ctx.Err() != nil || s.late():
			ended = true
			return errStop
		}
		record, err := body(l)
		if err != nil {
			return err
		}
		switch r := record.(type) {
		case *Run:
			by = ""
			if r.Event == "begin" {
				by = r.Rules
			}
		case *MessageRecord:
			if _, told := s.batch.messages[r.SHA256]; r.Stored && by != s.rules && !told {
				if err := s.again(r.SHA256); err != nil {
					return err
				}
			}
		}
		s.readTo = l.End()
		if len(s.batch.items) < maxBatch {
			return nil
		}
		return s.flush()
	})
	if ferr := s.flush(); ferr != nil || err != nil {
		s.readTo = from
		return errors.Join(err, ferr)
	}
	if s.res.Spent = s.res.Spent || ended; !ended {
		s.a.mu.Lock()
		s.readTo = s.a.index.next // the run wrote these lines by its own rules
		s.a.mu.Unlock()
	}
	return context.Cause(s.ctx)
}

// late reports whether the time of the run is over.
func (s *syncer) late() bool {
	until := s.o.Budget.Left().Until
	return !until.IsZero() && !time.Now().Before(until)
}

// again parses a stored message again and records the references that the ledger lacks.
func (s *syncer) again(sum string) error {
	switch err := s.a.objects.check(sum); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errDigest):
		return nil // it was forgotten, or Verify reports it
	case err != nil:
		return err
	}
	text, size, err := s.a.objects.open(sum)
	if err != nil {
		return err
	}
	defer text.Close()
	msg, err := externalbody.Open(text, size, s.o.Open)
	if err != nil {
		return err
	}
	s.res.Reread++
	told := make(map[string]*ReferenceRecord) // by key and ID, by key and expectation, and by ID and URL
	err = s.a.referencesOf(sum, func(r *ReferenceRecord) error {
		told[r.Key+" "+r.Ref], told[r.Key+" "+r.Expect+" "] = r, r
		if r.URL != "" {
			told[r.Ref+" "+r.URL] = r // another user may log in now, who is part of the key
		}
		return nil
	})
	if err != nil {
		return err
	}
	var fresh []*ReferenceRecord
	for ref := range msg.References() {
		r := s.describe(sum, ref)
		if told[r.Key+" "+r.Ref] == nil && told[r.Key+" "+r.Expect+" "] == nil && told[r.Ref+" "+r.URL] == nil {
			fresh = append(fresh, r)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	m := describeMessage(sum, io.NewSectionReader(text, 0, size))
	if err := msg.Incomplete(); err != nil {
		m.Limit = err.Error()
	}
	m.References, m.Stored, m.Again = len(fresh), true, true
	s.batch.messages[sum] = true
	s.add(kindMessage, m)
	for _, r := range fresh {
		s.add(kindReference, r)
		if k := newAsk(r.Key, r.Expect); s.a.index.get(askKey(k)) == nil {
			s.found[k] = true
		}
	}
	s.res.References += int64(len(fresh))
	return nil
}

// referencesOf calls f with each reference of a message in the ledger.
func (a *Archive) referencesOf(sum string, f func(*ReferenceRecord) error) error {
	for _, at := range a.index.message(sum) {
		m, p := new(MessageRecord), at.place()
		for n := -1; n < m.References; n++ {
			err := a.places.At(p, func(l *ledger.Line) error {
				p = l.End()
				if n < 0 {
					return l.Body(m)
				}
				if l.Kind != kindReference {
					return errStop // early versions wrote no references with a message that was stored later
				}
				r := new(ReferenceRecord)
				if err := l.Body(r); err != nil {
					return err
				}
				return f(r)
			})
			if errors.Is(err, errStop) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
