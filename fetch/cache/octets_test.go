package cache_test

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/go-extbody/extbody/internal/testkit"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// expected are the octets that are still to be written to it.
type expected []byte

func (e *expected) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(*e, p) {
		return 0, errors.New("other octets")
	}
	*e = (*e)[len(p):]
	return len(p), nil
}

// TestOctetsOfHits reads stored bodies of many sizes while all processors are busy,
// and wants each to be, as a whole, as it was stored. EXTBODY_CACHE_READS is the
// number of reads of each body, 30 in .ci/run.
func TestOctetsOfHits(t *testing.T) {
	const chunk = 256 << 10
	reads, _ := strconv.Atoi(os.Getenv("EXTBODY_CACHE_READS"))
	var stop atomic.Bool
	var busy sync.WaitGroup
	for range 2 {
		busy.Go(func() {
			for !stop.Load() {
			}
		})
	}
	defer busy.Wait()
	defer stop.Store(true)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	store := openDir(t, testkit.PrivateDir(t), 1<<30)
	for _, chunks := range []int{1, 2, 3, 8, 9, 10, 17, 40, 300} {
		n := chunks*chunk - 5
		want := body(n)
		key := fmt.Sprint(chunks)
		put(t, store, key, want, "")
		for _, procs := range []int{1, 2, 4} {
			runtime.GOMAXPROCS(procs)
			times := reads
			if times == 0 {
				times = max(2, 60/chunks)
			}
			for i := range times {
				item, err := store.Get(key)
				noError(t, err)
				r := item.Open()
				rest := expected(want)
				_, err = io.Copy(&rest, r)
				r.Close()
				item.Close()
				if err != nil || len(rest) != 0 {
					t.Fatalf("%d chunks, %d processors, read %d: got %v %d octets before the end, want what was stored", chunks, procs, i, err, len(rest))
				}
			}
		}
	}
}
