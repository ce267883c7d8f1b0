//go:build linux

package fleet_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestObjects puts, opens and deletes objects in a folder, and in a bucket of versitygw, whose
// path EXTBODY_VERSITYGW is.
func TestObjects(t *testing.T) {
	for _, tt := range []struct {
		name string
		url  func(t *testing.T) string
	}{
		{"Folder", func(t *testing.T) string { return "file://" + filepath.Join(t.TempDir(), "objects") }},
		{"Bucket", func(t *testing.T) string { return daemons.StartBucket(t).URL }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := fleet.OpenObjects(tt.url(t))
			if err != nil {
				t.Fatal(err)
			}
			want := bytes.Repeat([]byte("octets "), 20_000)
			var wg sync.WaitGroup
			for range 4 { // the first one wins
				wg.Go(func() {
					if err := o.Put(t.Context(), "abcd", int64(len(want)), bytes.NewReader(want)); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if err := o.Put(t.Context(), "abcd", 5, bytes.NewReader([]byte("other"))); err != nil {
				t.Errorf("got %v for an object that is there, want nil", err)
			}
			read := func(name string) ([]byte, error) {
				r, err := o.Open(t.Context(), name)
				if err != nil {
					return nil, err
				}
				defer r.Close()
				return io.ReadAll(r)
			}
			if got, err := read("abcd"); err != nil || !bytes.Equal(got, want) {
				t.Errorf("got %d octets, %v; want the %d that were put first", len(got), err, len(want))
			}
			for range 2 {
				if err := o.Delete(t.Context(), "abcd"); err != nil {
					t.Errorf("got %v from Delete, want nil", err)
				}
			}
			if _, err := read("abcd"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %v for an object that is not there, want %v", err, fs.ErrNotExist)
			}
		})
	}
}
