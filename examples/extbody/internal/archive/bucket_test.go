package archive_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
)

// TestBucketPlace checks that the objects of an archive are in one place for good, that no two
// archives share one, and that a name in the bucket is a digest and nothing else.
func TestBucketPlace(t *testing.T) {
	base := "file://" + filepath.Join(t.TempDir(), "bucket")
	dir, _, _ := filled(t, 2) // in its folder
	if err := made(dir, base); !errors.Is(err, archive.ErrElsewhere) {
		t.Errorf("a bucket for an archive in a folder: got %v, want %v", err, archive.ErrElsewhere)
	}
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	for range 2 { // the second time it is there
		for _, dir := range []string{one, two} {
			if err := errors.Join(made(dir, base), made(dir, ""), made(dir, base+"/")); err != nil {
				t.Error(err)
			}
		}
	}
	if err := made(one, base+"2"); !errors.Is(err, archive.ErrElsewhere) {
		t.Errorf("another bucket: got %v, want %v", err, archive.ErrElsewhere)
	}
	if files(one) == files(two) {
		t.Errorf("got %s for both archives, want two places", files(one))
	}
	if err := made(filepath.Join(t.TempDir(), "x"), "https://bucket.example/"); err == nil {
		t.Error("got nil for a URL that is no bucket, want an error")
	}
	box, _ := inbox(t, newSite(t, plain).URL+"/1")
	run(t, one, options(box))
	clean(t, one)
	sums := objects(t, one)
	if len(sums) != 2 || len(sums[0]) != 64 || len(objects(t, two)) != 0 {
		t.Errorf("got %v, want two digests", sums)
	}
	put(t, filepath.Join(files(one), sums[0][:2], sums[0][:2]+"-notes"), "of another program")
	if v := verify(t, one); len(v.Faults) != 1 || !strings.HasSuffix(v.Faults[0], "-notes: it has no line") {
		t.Errorf("a foreign file: got %q, want a fault", v.Faults)
	}
	must(t, os.Rename(files(one), files(one)+"-"))
	if _, err := archive.Verify(t.Context(), one, ledger.Head{}); !errors.Is(err, archive.ErrAway) {
		t.Errorf("a folder that is not mounted: got %v, want %v", err, archive.ErrAway)
	}
}

// TestShared writes to an archive and to a copy of its folder that was not made by Copy. With their objects in one bucket each
// run after that notices it and goes on, a kill removes no object of the other, and what would remove objects is refused,
// until one folder is accepted as the only one (OP-59).
func TestShared(t *testing.T) { kinds(t, testShared) }

func testShared(t *testing.T) {
	s := newSite(t, plain)
	box, one := inbox(t, numbered(s, 2)...)
	run(t, one, options(box))
	two, behind := filepath.Join(t.TempDir(), "two"), filepath.Join(t.TempDir(), "behind")
	must(t, os.CopyFS(two, os.DirFS(one)))
	must(t, os.CopyFS(behind, os.DirFS(one)))
	var want error
	if strings.Contains(t.Name(), "/Bucket") {
		want = archive.ErrShared
	}
	// sync delivers a message to a folder of its own, and wants its body and what the run noticed.
	sync := func(dir, id string, want error) {
		t.Helper()
		box := maildir(t)
		deliver(t, box, id+":2,", letter(id, s.URL+"/"+id))
		a := open(t, dir)
		defer a.Close()
		res, err := a.Sync(t.Context(), options(box))
		must(t, err)
		if got := a.Shared(); got != want || res.Captures != 1 {
			t.Errorf("%s: got %v, %d captures; want %v, and one", id, got, res.Captures, want)
		}
	}
	removing := func(dir string, want error) {
		t.Helper()
		a := open(t, dir)
		defer a.Close()
		message := selector(t, "message=<1@example.org>")
		_, err := a.Hold(message, "case", false)
		must(t, err)
		if _, err := a.Hold(message, "case", true); !errors.Is(err, want) {
			t.Errorf("release: got %v, want %v", err, want)
		}
		if _, err := a.Forget(selector(t, "message=<2@example.org>"), &archive.ForgetOptions{Reason: "x"}); !errors.Is(err, want) {
			t.Errorf("forget: got %v, want %v", err, want)
		}
	}
	sync(one, "first", nil)
	sync(two, "second", want)
	sync(one, "third", want)
	sync(two, "fourth", want)
	if want != nil {
		removing(one, want)
		removing(two, want)
	}
	killed(t, one)
	open(t, one).Close() // it handles the remains
	for _, dir := range []string{one, two} {
		for _, f := range verify(t, dir).Faults {
			if want == nil || !strings.HasSuffix(f, "it has no line") {
				t.Errorf("%s: got %s", dir, f)
			}
		}
	}
	sync(behind, "fifth", want)
	if _, err := archive.Repair(t.Context(), behind, one); !errors.Is(err, archive.ErrOther) {
		t.Errorf("a folder that went on: got %v, want %v", err, archive.ErrOther)
	}
	_, err := archive.Accept(one, nil)
	must(t, err)
	sync(one, "sixth", nil)
	removing(one, nil)
	sync(two, "seventh", want)
}

// TestSharedBehind repairs a folder that is behind with the one that went on, after which it goes on alone.
func TestSharedBehind(t *testing.T) { kinds(t, testSharedBehind) }

func testSharedBehind(t *testing.T) {
	s := newSite(t, plain)
	box, one := inbox(t, numbered(s, 2)...)
	run(t, one, options(box))
	two := filepath.Join(t.TempDir(), "two")
	must(t, os.CopyFS(two, os.DirFS(one)))
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, one, options(box))
	bucket := strings.Contains(t.Name(), "/Bucket")
	shared := func() bool {
		a := open(t, two)
		defer a.Close()
		return a.Shared() != nil
	}
	if got := shared(); got != bucket {
		t.Errorf("got %v, want %v", got, bucket)
	}
	_, err := archive.Repair(t.Context(), two, one)
	must(t, err)
	if shared() {
		t.Error("the ledgers are the same, and the objects count as those of two")
	}
	must(t, os.RemoveAll(one))
	run(t, two, options(box))
	if shared() {
		t.Error("one folder is left, and the objects count as those of two")
	}
	clean(t, two)
}

// TestMarkBehind kills a run between its last line and the mark of the bucket. The mark names a line of the ledger, and
// nothing is said.
func TestMarkBehind(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 2)...)
	must(t, made(dir, "file://"+filepath.Join(t.TempDir(), "bucket")))
	run(t, dir, options(box))
	mark := filepath.Join(files(dir), "he", "head")
	before, err := os.ReadFile(mark)
	must(t, err)
	if head := slurp(t, dir, "head"); string(before) != head {
		t.Errorf("got the mark %q, want the head %q", before, head)
	}
	for _, ended := range []bool{true, false} {
		run(t, dir, options(box))
		put(t, mark, string(before))
		if !ended {
			killed(t, dir)
		}
		a := open(t, dir)
		if err := a.Shared(); err != nil {
			t.Errorf("got %v, want nil", err)
		}
		must(t, a.Close())
		clean(t, dir)
	}
	put(t, mark, "of another program\n")
	run(t, dir, options(box))
	if head, got := slurp(t, dir, "head"), slurp(t, files(dir), "he"); got != head {
		t.Errorf("got the mark %q, want the head %q", got, head)
	}
	clean(t, dir)
}

// killed begins a run in an archive that does not end.
func killed(t *testing.T, dir string) {
	t.Helper()
	a := open(t, dir)
	a.Begin(t)
	must(t, a.Close())
}

// A faulty Store fails, from the n-th request on.
type faulty struct {
	store.Store
	left atomic.Int64
}

var errDown = errors.New("connection refused")

func (f *faulty) fail() error {
	if f.left.Add(-1) < 0 {
		return errDown
	}
	return nil
}

func (f *faulty) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	if err := f.fail(); err != nil {
		return err
	}
	err := f.Store.Put(ctx, name, size, r)
	return errors.Join(err, f.fail()) // the answer may be lost, and not the request
}

func (f *faulty) Replace(ctx context.Context, name string, octets []byte) error {
	if err := f.fail(); err != nil {
		return err
	}
	err := f.Store.Replace(ctx, name, octets)
	return errors.Join(err, f.fail())
}

func (f *faulty) Open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	if err := f.fail(); err != nil {
		return nil, 0, err
	}
	r, size, err := f.Store.Open(ctx, name)
	if err == nil && f.fail() != nil {
		r = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(io.LimitReader(r, size/2), &broken{}), r}
	}
	return r, size, err
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, errDown }

func (f *faulty) Stat(ctx context.Context, name string) (int64, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	return f.Store.Stat(ctx, name)
}

func (f *faulty) Delete(ctx context.Context, name string) error {
	return errors.Join(f.fail(), f.Store.Delete(ctx, name))
}

func (f *faulty) Abort(ctx context.Context) error {
	return errors.Join(f.fail(), f.Store.Abort(ctx))
}

func (f *faulty) List(ctx context.Context) iter.Seq2[string, error] {
	if err := f.fail(); err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	return f.Store.List(ctx)
}

// TestBucketAway takes the bucket away at each request of a run, a retry and a forget. The
// error is ErrAway, nothing is lost, and the next run does the rest.
func TestBucketAway(t *testing.T) {
	const bodies = 2
	etag := false
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("ETag", `"1"`); etag && r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		plain(w, r)
	})
	etag = true
	var dir, box string
	begin := func() {
		box, dir = inbox(t, numbered(s, bodies)...)
		must(t, made(dir, "file://"+filepath.Join(t.TempDir(), "bucket")))
	}
	commands := map[string]func(a *archive.Archive) error{
		"sync": func(a *archive.Archive) error {
			_, err := a.Sync(t.Context(), options(box))
			return err
		},
		"sync, with a promise of a body that is there": func(a *archive.Archive) error {
			_, err := a.Sync(t.Context(), options(box))
			return err
		},
		"retry": func(a *archive.Archive) error {
			_, err := a.Retry(t.Context(), selector(t), options())
			return err
		},
		"forget": func(a *archive.Archive) error {
			_, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "x"})
			return err
		},
	}
	for name, command := range commands {
		away := 0
		for n := int64(0); ; n++ {
			begin()
			if name != "sync" {
				run(t, dir, options(box))
			}
			if strings.HasPrefix(name, "sync,") {
				deliver(t, box, "more:2,", promising("more", s.URL+"/1", len(body("/1")), ""))
			}
			a := open(t, dir)
			f := new(faulty)
			f.left.Store(n)
			a.Instrument(t, func(s store.Store) store.Store { f.Store = s; return f })
			err := command(a)
			a.Close()
			if err != nil && !errors.Is(err, archive.ErrAway) {
				t.Fatalf("%s, request %d: got %v, want %v", name, n, err, archive.ErrAway)
			}
			if err == nil && f.left.Load() >= 0 {
				break
			}
			away++
			if name == "forget" && err != nil {
				a := open(t, dir)
				if _, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "x"}); err != nil && !errors.Is(err, archive.ErrNothing) {
					t.Error(err)
				}
				a.Close()
			}
			later := time.Now().Add(26 * time.Hour)
			a, err = archive.Open(dir, false, &archive.Options{Now: func() time.Time { return later }})
			must(t, err)
			if _, err := a.Sync(t.Context(), options(box)); err != nil {
				t.Error(err)
			}
			a.Close()
			v := clean(t, dir)
			objects, captured := v.Messages+bodies, v.References
			if name == "forget" {
				objects, captured = objects-2, captured-1
			}
			if v.Captured != captured || v.Objects != objects {
				t.Fatalf("%s, request %d: got %+v, want all captured, %d objects", name, n, v, objects)
			}
		}
		t.Logf("%s: away at %d requests", name, away)
	}
}

// TestFolderOfObjects: the objects may be in a folder whose name has a blank, which its URL writes as %20.
func TestFolderOfObjects(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 1)...)
	must(t, made(dir, "file://"+filepath.Join(t.TempDir(), "a blank")))
	if res := run(t, dir, options(box)); res.Captures != 1 {
		t.Errorf("got %+v, want a capture", res)
	}
	clean(t, dir)
}
