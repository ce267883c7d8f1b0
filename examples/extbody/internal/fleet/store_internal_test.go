package fleet

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/fetch"
)

// A hanging Store never answers.
type hanging struct{ store.Store }

func (hanging) Open(ctx context.Context, _ string) (io.ReadCloser, int64, error) {
	<-ctx.Done()
	return nil, 0, ctx.Err()
}

// TestStalledObject reads a stored body from a bucket that hangs.
func TestStalledObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		r := (&Tier{objects: hanging{}}).open(t.Context(), "name", 1, nil)
		_, err := r.Read(make([]byte, 1))
		if fetch.KindOf(err) != fetch.Local || time.Since(begun) != stallTime {
			t.Errorf("got %v after %v, want %v after %v", err, time.Since(begun), fetch.Local, stallTime)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}
