package cache_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/go-extbody/extbody/fetch/cache"
)

// Memory that a body had serves the next ones. Who still reads a body that made room for
// others reads that one to its end, and nobody reads it after it was closed.
func TestMemoryIsUsedAgain(t *testing.T) {
	const size = 20<<10 + 7 // not in whole pieces
	store := cache.Memory(3 * size)
	body := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8), 3}, size/3) }
	put := func(i int) cache.Draft {
		t.Helper()
		d, err := store.Create(-1)
		if err != nil {
			t.Fatal(err)
		}
		for b := range slices.Chunk(body(i), 1000) {
			if _, err := d.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Commit(strconv.Itoa(i), nil); err != nil {
			t.Fatal(err)
		}
		return d
	}
	put(0).Close()
	it, err := store.Get("0")
	if err != nil {
		t.Fatal(err)
	}
	r := it.Open()
	got := make([]byte, size/2)
	if _, err := io.ReadFull(r, got); err != nil {
		t.Fatal(err)
	}
	draft := put(1)
	for i := range 100 {
		put(2 + i).Close()
	}
	for _, key := range []string{"0", "1"} {
		if _, err := store.Get(key); err == nil {
			t.Errorf("got the body %s, want that it made room", key)
		}
	}
	rest, err := io.ReadAll(r)
	if got = append(got, rest...); err != nil || !bytes.Equal(got, body(0)) {
		t.Errorf("the body that made room: got %d octets, %v, want the %d that were committed", len(got), err, size)
	}
	got = make([]byte, len(body(1)))
	if n, err := draft.ReadAt(got, 0); n != len(got) || !bytes.Equal(got, body(1)) {
		t.Errorf("the draft of what made room: got %d octets, %v, want the %d that were written", n, err, len(got))
	}
	r.Close()
	it.Close()
	it.Close()
	draft.Close()
	draft.Close()
	if n, err := r.Read(got); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("a reader that is closed: got %d, %v, want 0, %v", n, err, os.ErrClosed)
	}
	if n, err := draft.ReadAt(got, 0); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("a draft that is closed: got %d, %v, want 0, %v", n, err, os.ErrClosed)
	}
	for i := range 200 {
		put(i).Close()
		it, err := store.Get(strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		r := it.Open()
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, body(i)) {
			t.Errorf("body %d: got others than those that were committed, or %v", i, err)
		}
		r.Close()
		it.Close()
	}
}
