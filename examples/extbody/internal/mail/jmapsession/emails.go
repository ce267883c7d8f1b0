package jmapsession

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A Filter selects messages. The zero Filter selects all of the account.
type Filter struct {
	Mailbox string    // the id of a mailbox; "" is any
	Since   time.Time // they were received then or later; the zero Time is any
}

// condition returns a FilterCondition (RFC 8621 section 4.4.1); nil if everything is selected.
func (f *Filter) condition() map[string]string {
	c := make(map[string]string)
	if f.Mailbox != "" {
		c["inMailbox"] = f.Mailbox
	}
	if !f.Since.IsZero() {
		c["after"] = f.Since.UTC().Format(time.RFC3339)
	}
	if len(c) == 0 {
		return nil
	}
	return c
}

// queryArguments are the arguments of Email/query (RFC 8620 section 5.5).
type queryArguments struct {
	AccountID      string              `json:"accountId"`
	Filter         map[string]string   `json:"filter"`
	Sort           []map[string]string `json:"sort"`
	Anchor         string              `json:"anchor,omitempty"`
	AnchorOffset   int                 `json:"anchorOffset,omitempty"`
	Limit          int                 `json:"limit"`
	CalculateTotal bool                `json:"calculateTotal,omitempty"`
}

type queryAnswer struct {
	IDs   []string `json:"ids"`
	Total *int64   `json:"total"`
}

// newQuery returns the query for the first messages that were received of those that a filter selects.
func (s *Session) newQuery(f *Filter, limit int) *queryArguments {
	return &queryArguments{
		AccountID:      s.account,
		Filter:         f.condition(),
		Sort:           []map[string]string{{"property": "receivedAt"}}, // ascending, by default
		Limit:          limit,
		CalculateTotal: true,
	}
}

// queryLimit is how many ids are asked for at a time.
const queryLimit = 10_000

// IDs returns the ids of the messages that a filter selects, in the order in which they were received,
// and how many messages the server has besides them but does not list.
func (s *Session) IDs(ctx context.Context, f *Filter) (ids []string, unlisted int64, err error) {
	for range maxTries {
		ids, unlisted, err = s.list(ctx, f)
		changed := errors.Is(err, errAnchor) || err == nil && unlisted > 0
		if !changed {
			break
		}
	}
	return ids, unlisted, err
}

// list is one try of IDs. Each page starts after the last message of the page before, so that a message
// that is removed meanwhile moves no other one between two pages.
func (s *Session) list(ctx context.Context, f *Filter) (ids []string, unlisted int64, err error) {
	q := s.newQuery(f, queryLimit)
	total := int64(-1)
	octets := 0
	for range maxRounds {
		var a queryAnswer
		err := s.call(ctx, "Email/query", q, &a, q.Limit)
		switch {
		case (errors.Is(err, errLong) || errors.Is(err, errTooMany)) && q.Limit > 1:
			q.Limit /= 2
			continue
		case err != nil:
			return nil, 0, err
		case len(a.IDs) > q.Limit: // RFC 8620 section 5.5
			return nil, 0, fault(fetch.Protocol, errMore)
		}
		if a.Total != nil {
			total = *a.Total
		}
		for _, id := range a.IDs {
			octets += len(id)
			if !isID(id) {
				return nil, 0, fault(fetch.Protocol, errNotJMAP)
			}
		}
		ids = append(ids, a.IDs...)
		if len(ids) > maxListed || octets > maxListedOctets {
			return nil, 0, fault(fetch.TooLarge, errMany)
		}
		if len(a.IDs) == 0 || int64(len(ids)) == total {
			ids = unique(ids)
			return ids, max(0, total-int64(len(ids))), nil
		}
		q.Anchor = ids[len(ids)-1]
		q.AnchorOffset = 1
		q.CalculateTotal = false
	}
	return nil, 0, fault(fetch.TooLarge, errRounds)
}

// unique removes ids that are there before.
func unique(ids []string) []string {
	sorted := slices.Sorted(slices.Values(ids))
	if len(slices.Compact(sorted)) == len(ids) {
		return ids
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(ids, func(id string) bool {
		was := seen[id]
		seen[id] = true
		return was
	})
}

// Total returns how many messages a filter selects, -1 if the server does not count them.
func (s *Session) Total(ctx context.Context, f *Filter) (int64, error) {
	var a queryAnswer
	if err := s.call(ctx, "Email/query", s.newQuery(f, 1), &a, 1); err != nil || a.Total == nil {
		return -1, err
	}
	return *a.Total, nil
}

// Emails returns the messages with some ids, in their order. One that cannot be read has its Err.
func (s *Session) Emails(ctx context.Context, ids []string) (emails []Email, err error) {
	err = s.pieces(ids, func(part []string) error {
		var a emailsAnswer
		arguments := &getArguments{s.account, part, []string{"id", "blobId", "size", "mailboxIds", "receivedAt"}}
		if err := s.call(ctx, "Email/get", arguments, &a, valuesOfObject*len(part)); err != nil {
			return err
		}
		more, err := a.of(part)
		emails = append(emails, more...)
		return err
	})
	return emails, err
}

// Pieces returns parts of ids for which Emails needs one request each.
func (s *Session) Pieces(ids []string) [][]string {
	return slices.Collect(slices.Chunk(ids, int(min(s.Core.MaxObjectsInGet, maxObjects))))
}

// State returns the state of the messages of the account.
func (s *Session) State(ctx context.Context) (string, error) {
	var a struct {
		State string `json:"state"`
	}
	err := s.call(ctx, "Email/get", &getArguments{s.account, []string{}, []string{"id"}}, &a, 0)
	return a.State, err
}

// Changes are the changes in an account between two states. A message that was both created and
// destroyed is in neither list.
type Changes struct {
	Created, Destroyed []string
	Updated            bool   // others have been changed, such as their mailboxes
	State              string // the new state
}

// Changes returns the changes since a state. The error is [ErrState] if the server cannot calculate
// them, for whatever reason, or if they are too many or in too many answers.
func (s *Session) Changes(ctx context.Context, since string) (*Changes, error) {
	c := &Changes{State: since}
	created := make(map[string]bool)
	destroyed := make(map[string]bool)
	for range maxChangeRounds {
		var a struct {
			NewState  string   `json:"newState"`
			More      bool     `json:"hasMoreChanges"`
			Created   []string `json:"created"`
			Updated   []string `json:"updated"`
			Destroyed []string `json:"destroyed"`
		}
		arguments := map[string]any{"accountId": s.account, "sinceState": c.State, "maxChanges": queryLimit}
		err := s.call(ctx, "Email/changes", arguments, &a, queryLimit)
		if _, ok := errors.AsType[*methodError](err); ok && s.Failed() == nil || errors.Is(err, errLong) {
			return nil, fault(fetch.Unavailable, ErrState)
		}
		if err != nil {
			return nil, err
		}
		if len(a.Created)+len(a.Updated)+len(a.Destroyed) > queryLimit { // RFC 8620 section 5.2
			return nil, fault(fetch.Protocol, errMore)
		}
		c.Updated = c.Updated || len(a.Updated) > 0
		for _, id := range a.Created {
			if !isID(id) {
				return nil, fault(fetch.Protocol, errNotJMAP)
			}
			if !created[id] && !destroyed[id] {
				created[id] = true
				c.Created = append(c.Created, id)
			}
		}
		for _, id := range a.Destroyed {
			if !destroyed[id] {
				destroyed[id] = true
				c.Destroyed = append(c.Destroyed, id)
			}
		}
		stays := a.More && a.NewState == c.State
		many := len(created)+len(destroyed) > maxChanges
		if a.NewState == "" || stays || many {
			return nil, fault(fetch.Unavailable, ErrState)
		}
		c.State = a.NewState
		if !a.More {
			c.Destroyed = slices.DeleteFunc(c.Destroyed, func(id string) bool { return created[id] })
			c.Created = slices.DeleteFunc(c.Created, func(id string) bool { return destroyed[id] })
			return c, nil
		}
	}
	return nil, fault(fetch.Unavailable, ErrState)
}

// Blob writes the octets of a message to w and returns how many they are: all of them, or an error. On an error w may
// have been given some of them.
//
// A blob that has fewer octets than the size of the message is asked for once more. If it ends at the same octet again, that
// is its end, unless it has no octets or the bodyStructure of the message has more.
func (s *Session) Blob(ctx context.Context, e *Email, w Sink) (n int64, err error) {
	if e.Err != nil {
		return 0, e.Err
	}
	if e.Size > s.cfg.MaxMessage {
		return 0, fault(fetch.TooLarge, errSize)
	}
	at, err := s.base.Parse(s.expand(e.BlobID))
	if err != nil {
		return 0, fault(fetch.Protocol, errNotJMAP)
	}
	if err := mayGo(s.base, at, s.named.Scheme == "https"); err != nil {
		return 0, err
	}
	r := &request{url: at, redirects: true, header: http.Header{"Accept-Encoding": {"identity"}}}
	before := int64(-1)
	err = s.repeatedly(ctx, fewTries, func() error {
		if err := w.Reset(); err != nil {
			return fault(fetch.Local, err)
		}
		var extent message.Extent
		_, err := s.send(ctx, r, func(body io.Reader) (err error) {
			n, err = s.take(w, io.TeeReader(body, &extent), e.Size)
			return err
		})
		again := n == before
		before = n
		if again && errors.Is(err, errShort) {
			return s.lacks(ctx, e, &extent)
		}
		return err
	})
	switch {
	case err == nil || ctx.Err() != nil || s.Failed() != nil:
	case again(err):
		s.alive(ctx) // otherwise it is this blob alone
	case errors.Is(err, fetch.NotFound):
		if found, gerr := s.Emails(ctx, []string{e.ID}); gerr == nil && errors.Is(found[0].Err, ErrGone) {
			err = found[0].Err
		}
	}
	return n, err
}

// lacks returns an error if the octets of a blob, which ends there, are not all of the message.
func (s *Session) lacks(ctx context.Context, e *Email, extent *message.Extent) error {
	bodies, err := s.bodies(ctx, e.ID)
	if err != nil {
		return err
	}
	if extent.Against(e.Size, bodies) != message.Whole {
		return fault(fetch.Unavailable, errShort)
	}
	return nil
}

// valuesOfParts bounds the values of a bodyStructure, in which a part has four.
const valuesOfParts = 100_000

// bodies returns how many octets the bodies of a message have at least by its bodyStructure, or -1 if the server has
// none. They are counted without their transfer encodings (RFC 8621 section 4.1.4).
func (s *Session) bodies(ctx context.Context, id string) (int64, error) {
	var a struct {
		List []struct {
			BodyStructure *bodyPart `json:"bodyStructure"`
		} `json:"list"`
	}
	arguments := map[string]any{
		"accountId":      s.account,
		"ids":            []string{id},
		"properties":     []string{"bodyStructure"},
		"bodyProperties": []string{"size", "subParts"},
	}
	err := s.call(ctx, "Email/get", arguments, &a, valuesOfParts)
	_, refused := errors.AsType[*methodError](err)
	switch {
	case refused && s.Failed() == nil:
		return -1, nil
	case err != nil:
		return -1, err
	case len(a.List) != 1 || a.List[0].BodyStructure == nil:
		return -1, nil
	}
	return a.List[0].BodyStructure.octets(), nil
}

// A bodyPart is an EmailBodyPart.
type bodyPart struct {
	Size     int64      `json:"size"`
	SubParts []bodyPart `json:"subParts"`
}

// octets returns the sum of the sizes of the parts that have no parts.
func (p *bodyPart) octets() (sum int64) {
	if len(p.SubParts) == 0 {
		return max(0, p.Size)
	}
	for i := range p.SubParts {
		sum += p.SubParts[i].octets()
	}
	return sum
}

// take copies a blob to w.
func (s *Session) take(w io.Writer, body io.Reader, size int64) (int64, error) {
	sink := &writeError{Writer: w}
	n, err := io.Copy(sink, io.LimitReader(body, s.cfg.MaxMessage+1))
	switch {
	case sink.err != nil:
		return n, fault(fetch.Local, sink.err)
	case err != nil:
		return n, err
	case n > s.cfg.MaxMessage:
		return n, fault(fetch.TooLarge, errSize)
	case n < size:
		return n, fault(fetch.Unavailable, errShort)
	}
	return n, nil
}

// A writeError keeps the error of a Writer.
type writeError struct {
	io.Writer
	err error
}

// Write implements [io.Writer].
func (w *writeError) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = err
	return n, err
}

// expand returns the URL of a blob (RFC 8620 section 6.2, RFC 6570 section 3.2.2).
func (s *Session) expand(blob string) string {
	escape := func(v string) string { return string(percent.AppendEncode(nil, v, &percent.Reserved)) }
	return strings.NewReplacer("{accountId}", escape(s.account), "{blobId}", escape(blob),
		"{name}", "message.eml", "{type}", escape("application/octet-stream")).Replace(s.DownloadURL)
}
