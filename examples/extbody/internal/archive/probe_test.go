package archive_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestObjectsGone checks that a run notices that all objects are gone, writes one exception for each
// that it looked for, and goes on when they are back.
func TestObjectsGone(t *testing.T) { kinds(t, testObjectsGone) }

func testObjectsGone(t *testing.T) {
	dir, box, s := filled(t, 3)
	sync := func() (*archive.Result, error) {
		a := open(t, dir)
		defer a.Close()
		return a.Sync(t.Context(), options(box))
	}
	away := filepath.Join(t.TempDir(), "away")
	must(t, os.CopyFS(away, os.DirFS(files(dir))))
	for _, sum := range objects(t, dir) {
		must(t, os.Remove(object(dir, sum)))
	}
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	asked := s.total()
	for night := range 3 {
		res, err := sync()
		if !errors.Is(err, archive.ErrGone) || len(res.Lost) == 0 || res.Messages != 0 || s.total() != asked {
			t.Errorf("night %d: got %+v, %v, %d requests; want %v, and nothing done", night, res, err, s.total()-asked, archive.ErrGone)
		}
		if night == 0 && res.New == 0 {
			t.Errorf("got %+v, want an exception that is new", res.Counts)
		}
	}
	must(t, os.RemoveAll(files(dir)))
	must(t, os.CopyFS(files(dir), os.DirFS(away)))
	res, err := sync()
	if err != nil || len(res.Lost) != 0 || res.Captures != 1 {
		t.Errorf("they are back: got %+v, %v; want nothing lost, and a capture", res, err)
	}
	clean(t, dir)
	if st, err := read(t, dir).Status(); err != nil || st.Files != 0 {
		t.Errorf("got %+v, %v; want no exception of a file", st, err)
	}
}

// TestPlaceLost checks that a run notices that the file objects, which has the URL of the bucket, or the
// folder is lost.
func TestPlaceLost(t *testing.T) {
	kinds(t, func(t *testing.T) {
		dir, box, _ := filled(t, 2)
		must(t, os.RemoveAll(filepath.Join(dir, "objects")))
		a := open(t, dir)
		defer a.Close()
		if res, err := a.Sync(t.Context(), options(box)); !errors.Is(err, archive.ErrGone) || res.New == 0 {
			t.Errorf("got %+v, %v; want %v and an exception", res, err, archive.ErrGone)
		}
	})
}

// TestOneObjectLost checks that one lost object does not keep a run from its work, and that it is an
// exception once a run has drawn it, each night.
func TestOneObjectLost(t *testing.T) {
	dir, box, s := filled(t, 1)
	must(t, os.Remove(object(dir, sumOf(body("/1")))))
	found := 0
	for night := range 60 {
		deliver(t, box, "n:2,", letter("n", s.URL+"/n")) // the work of the first night
		a := open(t, dir)
		res, err := a.Sync(t.Context(), options(box))
		must(t, errors.Join(err, a.Close()))
		if night == 0 && res.Captures != 1 {
			t.Errorf("got %+v, want a capture", res.Counts)
		}
		if found > 0 && len(res.Lost) != 1 {
			t.Errorf("night %d: got %v, want the object that is lost", night, res.Lost)
		}
		found += len(res.Lost)
	}
	if found == 0 {
		t.Error("no run has noticed that an object is lost")
	}
}

// TestExportLost checks that an export names each object that is lost, and goes on with the rest.
func TestExportLost(t *testing.T) {
	kinds(t, func(t *testing.T) { testExportLost(t, os.Remove) })
}

// TestExportDamaged checks the same of objects that are damaged. Nothing of them is in the export.
func TestExportDamaged(t *testing.T) {
	kinds(t, func(t *testing.T) {
		testExportLost(t, func(name string) error {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text[len(text)-1] ^= 1
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.WriteFile(name, text, 0o600)
		})
	})
}

func testExportLost(t *testing.T, hurt func(name string) error) {
	dir, _, s := filled(t, 3)
	text := letter("2", s.URL+"/2")
	must(t, hurt(object(dir, sumOf(text))))
	must(t, hurt(object(dir, sumOf(body("/1")))))
	a := read(t, dir)
	for _, tt := range []struct {
		as     string
		inline bool
		n      int64
		lost   []string // the texts of the objects
	}{
		{"mbox", false, 3, []string{text}},
		{"eml", false, 3, []string{text}},
		{"mbox", true, 3, []string{text, body("/1")}},
		{"load", false, 8, []string{text, body("/1")}},
		{"warc", false, -1, []string{body("/1")}},
		{"wacz", false, -1, []string{body("/1")}},
	} {
		var lost, want []string
		for _, text := range tt.lost {
			sum := sumOf(text)
			want = append(want, "objects/"+sum[:2]+"/"+sum[2:4]+"/"+sum)
		}
		o := &archive.ExportOptions{As: tt.as, Inline: tt.inline, Lost: func(name string) { lost = append(lost, name) }}
		n, err := a.Export(t.Context(), filepath.Join(t.TempDir(), "out"), o)
		slices.Sort(lost)
		slices.Sort(want)
		if err != nil || tt.n >= 0 && n != tt.n || !slices.Equal(slices.Compact(lost), want) {
			t.Errorf("%s, inline %v: got %d, %v, lost %s; want %d, lost %s", tt.as, tt.inline, n, err, strings.Join(lost, " "), tt.n, strings.Join(want, " "))
		}
	}
}
