//go:build linux

package store_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestStore puts, replaces, opens, lists and deletes objects in a folder, and in a bucket of versitygw,
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
			o, err := store.Open(tt.url(t), 0)
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
			for _, text := range []string{"the first", "last"} {
				if err := o.Replace(t.Context(), "head", []byte(text)); err != nil {
					t.Error(err)
				}
				if got, err := read("head"); err != nil || string(got) != text {
					t.Errorf("got %q, %v; want %q", got, err, text)
				}
			}
			if err := o.Delete(t.Context(), "head"); err != nil {
				t.Error(err)
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

// TestAbort checks that the parts of an upload that was killed are removed, and no object is.
func TestAbort(t *testing.T) {
	b := daemons.StartBucket(t)
	o, err := store.Open(b.URL, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Put(t.Context(), "whole", 5, bytes.NewReader([]byte("whole"))); err != nil {
		t.Fatal(err)
	}
	core := client(t, b)
	for _, key := range []string{"prefix/half", "prefix2/of-another"} {
		id, err := core.NewMultipartUpload(t.Context(), "bodies", key, minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := core.PutObjectPart(t.Context(), "bodies", key, id, 1, bytes.NewReader(make([]byte, 8<<20)), 8<<20, minio.PutObjectPartOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := o.Abort(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	for u := range core.ListIncompleteUploads(t.Context(), "bodies", "", true) {
		left = append(left, u.Key)
	}
	if !slices.Equal(left, []string{"prefix2/of-another"}) {
		t.Errorf("got the uploads %v, want the one of another prefix", left)
	}
	if size, err := o.Stat(t.Context(), "whole"); size != 5 || err != nil {
		t.Errorf("got %d, %v; want the object that is whole", size, err)
	}
}

// TestRefused checks that wrong credentials are an error of their own, for each method.
func TestRefused(t *testing.T) {
	b := daemons.StartBucket(t)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	o, err := store.Open(b.URL, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _, oerr := o.Open(t.Context(), "abcd")
	_, serr := o.Stat(t.Context(), "abcd")
	var lerr error
	for _, err := range o.List(t.Context()) {
		lerr = err
	}
	for name, err := range map[string]error{
		"Put": o.Put(t.Context(), "abcd", 1, bytes.NewReader([]byte("x"))), "Open": oerr, "Stat": serr,
		"Replace": o.Replace(t.Context(), "abcd", nil), "Delete": o.Delete(t.Context(), "abcd"), "List": lerr, "Abort": o.Abort(t.Context()),
	} {
		if !errors.Is(err, store.ErrRefused) {
			t.Errorf("%s: got %v, want %v", name, err, store.ErrRefused)
		}
	}
}

// client returns a client of the server of a bucket.
func client(t *testing.T, b *daemons.Bucket) minio.Core {
	t.Helper()
	u, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	core, err := minio.NewCore(u.Host, &minio.Options{Creds: credentials.NewStaticV4("key", "secret", ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	return *core
}

// TestShort checks that a name that no object can have is of none: a ledger of a stranger may have it.
func TestShort(t *testing.T) {
	o, err := store.Open("file://"+t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "x", "..", "../x", "a/../../x"} {
		if _, err := o.Stat(t.Context(), name); err == nil {
			t.Errorf("%q: got an object", name)
		}
	}
}
