package archive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// captured returns askers for the captured bodies of the references of a message, by exact
// URL. The value is nil if references with one URL have different bodies, because a request
// does not name the reference.
func (a *Archive) captured(m *MessageRecord) (map[string]*asker, error) {
	bodies := make(map[string]*asker)
	err := a.referencesOf(m.SHA256, func(r *ReferenceRecord) error {
		state, _ := a.index.ask(newAsk(r.Key, r.Expect))
		o, err := a.outcome(state)
		if err == nil && o.Capture != nil && r.URL != "" {
			k := &asker{object: o.Capture, objects: a.objects, encoding: r.encoding()}
			if had, ok := bodies[r.URL]; ok && (had == nil || had.object.SHA256 != k.object.SHA256 || had.encoding != k.encoding) {
				k = nil
			}
			bodies[r.URL] = k
		}
		return err
	})
	return bodies, err
}

// inlined returns the message with captured bodies instead of references, which it writes to
// text.
func (a *Archive) inlined(ctx context.Context, m *MessageRecord, unchanged io.Reader, text *spool.Spool) (io.Reader, error) {
	bodies, err := a.captured(m)
	if err != nil || len(bodies) == 0 {
		return unchanged, err
	}
	if err := a.objects.check(m.SHA256); err != nil {
		return nil, err
	}
	f, size, err := a.objects.open(m.SHA256)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	msg, err := externalbody.Open(f, size, &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return nil, err
	}
	resolver := &externalbody.Resolver{
		MaxBytes:      -1,
		AnySite:       true,
		SameType:      func(context.Context, *externalbody.Reference, string, string) bool { return true },
		MessageBudget: func(*externalbody.Message) *fetch.Budget { return nil },
		Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			k := bodies[req.RawURL()]
			if k == nil {
				return nil, &fetch.Error{Kind: fetch.NotFound, Err: errNotHere}
			}
			return k.Fetch(ctx, req)
		}),
	}
	if err := text.Reset(); err != nil {
		return nil, err
	}
	opts := &rewrite.InlineOptions{Resolver: resolver, Attach: true}
	if _, err := rewrite.Inline(ctx, text, msg, opts); err != nil {
		return nil, fmt.Errorf("inline: %w", err)
	}
	return text.Section(), nil
}

var errNotHere = errors.New("it was not captured")
