package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapsession"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/wording"
)

// A downloaded is a message of a JMAP server with its octets, or the reason why it has none.
type downloaded struct {
	jmapsession.Email
	text  *spool.Spool // the receiver closes it
	err   error
	found *Found // for work
}

var errEnough = errors.New("the caller wants no more")

// maxDownloaded bounds the messages that wait to be taken.
const maxDownloaded = 16

// download gives the messages with some ids in their order. While the caller is busy with one, the next ones
// are downloaded, and read by work, which may be called concurrently. A message that is gone is left out. The
// error is errEnough if give returns false, and otherwise the reason why the session ended: all messages that came
// were given.
func download(ctx context.Context, session *jmapsession.Session, ids []string, work func(*downloaded), give func(*downloaded) bool) error {
	ahead, stop := context.WithCancel(ctx)
	defer stop()
	var failed error // of asking for messages; written before the groups end
	groups := func(yield func([]*downloaded) bool) {
		for _, piece := range session.Pieces(ids) {
			emails, err := session.Emails(ahead, piece)
			if err != nil {
				failed = err
				return
			}
			for _, e := range emails {
				if !yield([]*downloaded{{Email: e, text: new(spool.Spool)}}) {
					return
				}
			}
		}
	}
	var ended error
	pool.Run(pool.Options{Workers: session.Parallel(), Ordered: true, Lead: maxDownloaded}, groups, func(d *downloaded) {
		if ahead.Err() == nil {
			_, d.err = session.Blob(ahead, &d.Email, d.text)
			if d.err == nil {
				work(d)
			}
		}
	}, func(d *downloaded) {
		lost := d.err != nil && session.Failed() != nil
		switch {
		case ended != nil || lost || errors.Is(d.err, jmapsession.ErrGone):
			d.text.Close()
		case ctx.Err() != nil:
			ended = context.Cause(ctx)
			d.text.Close()
		case !give(d):
			ended = errEnough
			stop()
		}
	})
	return cmp.Or(ended, session.Failed(), failed)
}

func unlistedError(n int64) error {
	err := fmt.Errorf("the account has %s that the server does not list", wording.Count(n, "message"))
	return &fetch.Error{Op: "read", Kind: fetch.Protocol, Err: err}
}
