//go:build linux

package objects_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/objects"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestStore puts, opens, lists and deletes objects in a folder, and in a bucket of versitygw,
// whose path EXTBODY_VERSITYGW is.
func TestStore(t *testing.T) {
	for _, tt := range []struct {
		name string
		url  func(t *testing.T) string
	}{
		{"Folder", func(t *testing.T) string { return "file://" + filepath.Join(t.TempDir(), "objects") }},
		{"Bucket", func(t *testing.T) string { return daemons.StartBucket(t).URL }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := objects.Open(tt.url(t))
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
			for _, name := range []string{"abcd", "ab12"} { // the first is there
				if err := o.Put(t.Context(), name, 5, bytes.NewReader([]byte("other"))); err != nil {
					t.Errorf("got %v, want nil", err)
				}
			}
			read := func(name string) ([]byte, error) {
				r, size, err := o.Open(t.Context(), name)
				if err != nil {
					return nil, err
				}
				defer r.Close()
				if stat, err := o.Stat(t.Context(), name); stat != size || err != nil {
					t.Errorf("got size %d, %v from Stat, want %d", stat, err, size)
				}
				b, err := io.ReadAll(r)
				if int64(len(b)) != size {
					t.Errorf("got size %d, want %d", size, len(b))
				}
				return b, err
			}
			if got, err := read("abcd"); err != nil || !bytes.Equal(got, want) {
				t.Errorf("got %d octets, %v; want the %d that were put first", len(got), err, len(want))
			}
			list := func() (names []string) {
				for name, err := range o.List(t.Context()) {
					if err != nil {
						t.Error(err)
					}
					names = append(names, name)
				}
				slices.Sort(names)
				return names
			}
			if got := list(); !slices.Equal(got, []string{"ab12", "abcd"}) {
				t.Errorf("got %v, want the names of both", got)
			}
			for range 2 {
				if err := o.Delete(t.Context(), "abcd"); err != nil {
					t.Errorf("got %v from Delete, want nil", err)
				}
			}
			if got := list(); !slices.Equal(got, []string{"ab12"}) {
				t.Errorf("got %v, want the one that is left", got)
			}
			_, err = read("abcd")
			_, serr := o.Stat(t.Context(), "abcd")
			if !errors.Is(err, fs.ErrNotExist) || !errors.Is(serr, fs.ErrNotExist) {
				t.Errorf("got %v, %v for an object that is not there, want %v", err, serr, fs.ErrNotExist)
			}
		})
	}
}
