package cache_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// numbered returns n octets, of which no two pieces of eight at a multiple of eight are equal.
func numbered(n int) []byte {
	b := make([]byte, n+8)
	for i := 0; i < n; i += 8 {
		binary.BigEndian.PutUint64(b[i:], uint64(i)*0x9E3779B97F4A7C15)
	}
	return b[:n]
}

// expected are the octets that are still to be written to it.
type expected []byte

func (e *expected) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(*e, p) {
		return 0, errors.New("other octets")
	}
	*e = (*e)[len(p):]
	return len(p), nil
}

// TestOctetsOfHits reads stored bodies of many sizes while all processors are
// busy, and wants each to be, as a whole, what was stored.
// EXTBODY_CACHE_READS is the number of reads of each body, 30 in .ci/run.
func TestOctetsOfHits(t *testing.T) {
	const chunk = 256 << 10
	reads, _ := strconv.Atoi(os.Getenv("EXTBODY_CACHE_READS"))
	stop := make(chan struct{})
	done := make(chan struct{}, 2)
	for range cap(done) {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := uint64(0); ; i++ {
				if i%1024 != 0 {
					continue
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	defer func() {
		close(stop)
		for range cap(done) {
			<-done
		}
	}()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	store := openDir(t, t.TempDir(), 1<<30)
	for _, chunks := range []int{1, 2, 3, 8, 9, 10, 17, 40, 300} {
		n := chunks*chunk - 5
		want := numbered(n)
		key := fmt.Sprint(chunks)
		d, err := store.Create(int64(n))
		noError(t, err)
		if _, err := d.Write(want); err != nil {
			t.Fatal(err)
		}
		noError(t, d.Commit(key, nil))
		d.Close()
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
