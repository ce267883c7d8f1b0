package rewriting

import (
	"context"
	"io"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/link/redact"
)

// A notSealed is the error of a message that would load something when it is shown.
type notSealed struct{ err error }

func (n *notSealed) Error() string { return "not sealed: " + n.err.Error() }
func (n *notSealed) Unwrap() error { return n.err }

// rewrite rewrites a message to dst. If the result is to be read again, it is in held too, or sealed.
func (w *Run) rewrite(ctx context.Context, dst io.Writer, msg *externalbody.Message, held *spool.Spool) (*rewrite.Report, error) {
	if !w.Shown && !w.Sealed {
		return w.Rewrite(ctx, dst, msg)
	}
	report, err := w.Rewrite(ctx, held, msg)
	if err != nil {
		return report, err
	}
	result := held.Section()
	if !w.Sealed {
		_, err := io.Copy(dst, result)
		return report, err
	}
	m, err := externalbody.Open(result, result.Size(), nil)
	if err != nil {
		return report, err
	}
	sealed, err := rewrite.Seal(ctx, dst, m, &rewrite.SealOptions{At: w.At(), Nested: w.Nested})
	report.Items = append(report.Items, sealed.Items...)
	report.Cut = sealed.Cut
	if kind := fetch.KindOf(err); err != nil && kind != fetch.Local && kind != fetch.Canceled {
		err = &notSealed{err}
	}
	return report, err
}

// readLoads adds the record of the things that a message loads when it is shown after its rewriting.
func (w *Run) readLoads(m *mailbox.Message, msg *externalbody.Message, result *io.SectionReader) error {
	if !w.Shown {
		return nil
	}
	still, err := rewrite.Loads(result, result.Size())
	if err != nil {
		w.failed = w.failed || !w.filter
		return w.journal.add(&Record{Record: record.NewFailure(record.InFile(m), err)})
	}
	w.loads = w.loads || len(still) > 0
	return w.addLoads(m, msg, still, nil)
}

// addLoads adds the record of the things that a message still loads, and of the ones that were taken out of
// it, if there are any.
func (w *Run) addLoads(m *mailbox.Message, msg *externalbody.Message, still, cut []rewrite.Load) error {
	if len(still)+len(cut) == 0 {
		return nil
	}
	id := record.Identify(msg)
	r := &record.Record{Place: record.InFile(m).Escaped(), Identity: &id, Status: record.Loads}
	return w.journal.add(&Record{Record: r, Loads: w.shownLoads(still), Cut: w.shownLoads(cut)})
}

// shownLoads returns things as records have them.
func (w *Run) shownLoads(all []rewrite.Load) (list []load) {
	for _, l := range all {
		if !w.Exact {
			l.URL = redact.URL(l.URL)
		}
		list = append(list, load{
			l.Kind, show.Escape(l.URL), show.Escape(l.Section), show.Escape(l.Element), show.Escape(l.Attr), l.Start, l.End,
		})
	}
	return list
}
