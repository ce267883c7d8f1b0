package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// An inliner puts captured bodies into messages.
type inliner struct {
	a    *Archive
	file *atomicfile.File
}

func (a *Archive) newInliner() (*inliner, error) {
	f, err := atomicfile.Open(os.TempDir())
	if err != nil {
		return nil, err
	}
	return &inliner{a, f}, nil
}

func (in *inliner) close() { in.file.Discard() }

// captured returns askers for the captured bodies of the references of a message, by exact
// URL. The value is nil if references with one URL have different bodies, because a request
// does not name the reference.
func (in *inliner) captured(m *MessageRecord) (map[string]*asker, error) {
	bodies := make(map[string]*asker)
	err := in.a.referencesOf(m.SHA256, func(r *ReferenceRecord) error {
		state, _ := in.a.index.ask(newAsk(r.Key, r.Expect))
		o, err := in.a.outcome(state)
		if err == nil && o.Capture != nil && r.URL != "" {
			k := &asker{object: o.Capture, objects: in.a.objects, encoding: r.encoding()}
			if had, ok := bodies[r.URL]; ok && (had == nil || had.object.SHA256 != k.object.SHA256 || had.encoding != k.encoding) {
				k = nil
			}
			bodies[r.URL] = k
		}
		return err
	})
	return bodies, err
}

// message returns the message with captured bodies instead of references. The reader is
// valid until the next call.
func (in *inliner) message(ctx context.Context, m *MessageRecord, unchanged io.Reader) (io.Reader, error) {
	bodies, err := in.captured(m)
	if err != nil || len(bodies) == 0 {
		return unchanged, err
	}
	if err := in.a.objects.check(m.SHA256); err != nil {
		return nil, err
	}
	f, size, err := in.a.objects.open(m.SHA256)
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
			k := bodies[cmp.Or(req.Text, req.URL.String())]
			if k == nil {
				return nil, &fetch.Error{Kind: fetch.NotFound, Err: errNotHere}
			}
			return k.Fetch(ctx, req)
		}),
	}
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if err := in.file.Truncate(0); err != nil {
		return nil, err
	}
	opts := &rewrite.InlineOptions{Resolver: resolver, Attach: true}
	if _, err := rewrite.Inline(ctx, in.file.File, msg, opts); err != nil {
		return nil, fmt.Errorf("inline: %w", err)
	}
	n, err := in.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(in.file.File, 0, n), nil
}

var errNotHere = errors.New("it was not captured")
