package textindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// texts are those of the tests, by the first octet of their names.
var texts = map[byte]string{
	1: "the settlement agreement", 2: "agreement settlement", 3: "和 解 書", 4: "解 和", 5: "strasse", 6: "(1)a q\"uote", 7: strings.Repeat("x", 70_000),
}

// made makes an index with a blank and other signs in its path.
func made(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b%20?#é", "text")
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	w, err := Create(path, "r", nil)
	must(t, err)
	for i := byte(1); i <= 7; i++ {
		must(t, w.Add(Name{i}, texts[i], i == 7))
	}
	must(t, w.Close("7 head"))
	return path
}

func opened(t *testing.T, path, rules string) (*Index, error) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	info, err := f.Stat()
	must(t, err)
	x, err := Open(f, info.Size(), rules)
	if err == nil {
		t.Cleanup(func() { x.Close() })
	}
	return x, err
}

// TestFind: words are found that follow each other, whole but for the last one with a "*".
func TestFind(t *testing.T) {
	path := made(t)
	x, err := opened(t, path, "r")
	must(t, err)
	if x.Head != "7 head" || x.Cut != 1 || x.Len() != 7 || !x.Has(Name{7}) || x.Has(Name{8}) {
		t.Errorf("got head %q, %d cut, %d texts; want 7 head, 1 and 7", x.Head, x.Cut, x.Len())
	}
	for query, want := range map[string][]byte{
		"settlement":                      {1, 2},
		"settlement agreement":            {1},
		"settle":                          nil,
		"settle*":                         {1, 2},
		"the settle*":                     {1},
		"和":                               {3, 4},
		"和 解":                             {3},
		"strasse":                         {5},
		"(1)a":                            {6},
		"(1)*":                            {6},
		"q\"uote":                         {6},
		"or":                              nil,
		"AND":                             nil,
		"(":                               {1, 2, 3, 4, 5, 6, 7},
		"":                                {1, 2, 3, 4, 5, 6, 7},
		strings.Repeat("x", 70_000):       {7},
		strings.Repeat("x", 69_000) + "*": {7},
	} {
		s, err := x.Find(strings.Fields(strings.TrimSuffix(query, "*")), strings.HasSuffix(query, "*"))
		if err != nil {
			t.Errorf("%.20q: got error %v, want none", query, err)
			continue
		}
		var got []byte
		for i := byte(1); i <= 7; i++ {
			if s.Has(Name{i}) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) || !s.Has(Name{8}) {
			t.Errorf("%.20q: got %v, and %v for a text that is not there; want %v, and true", query, got, s.Has(Name{8}), want)
		}
	}
	if names := names(t, filepath.Dir(path)); !slices.Equal(names, []string{"text"}) {
		t.Errorf("got files %q, want one", names)
	}
}

// TestAddLater: an index with more texts has those of the one before, which stays as it is.
func TestAddLater(t *testing.T) {
	path := made(t)
	x, err := opened(t, path, "r")
	must(t, err)
	w, err := Create(path+"2", "r", x)
	must(t, err)
	if !w.Has(Name{1}) || w.Has(Name{8}) {
		t.Error("got another answer about texts than from the index before")
	}
	must(t, w.Add(Name{8}, "new settlement", true))
	must(t, w.Close("8 head"))
	y, err := opened(t, path+"2", "r")
	must(t, err)
	s, err := y.Find([]string{"settlement"}, false)
	must(t, err)
	if !s.Has(Name{1}) || !s.Has(Name{8}) || s.Has(Name{3}) || y.Len() != 8 || y.Cut != 2 || y.Head != "8 head" {
		t.Errorf("got %d texts, %d cut, head %q; want the eight, 2 and 8 head", y.Len(), y.Cut, y.Head)
	}
	if x.Len() != 7 {
		t.Errorf("before: got %d texts, want 7", x.Len())
	}
}

// TestDamage: a file of which an octet changed, or that ends early, is no index. Neither is one of other rules, or one that
// was not closed.
func TestDamage(t *testing.T) {
	path := made(t)
	octets, err := os.ReadFile(path)
	must(t, err)
	bad := filepath.Join(t.TempDir(), "bad")
	try := func(what string, octets []byte, rules string, want error) {
		t.Helper()
		must(t, os.WriteFile(bad, octets, 0o600))
		if _, err := opened(t, bad, rules); !errors.Is(err, want) {
			t.Errorf("%s: got error %v, want %v", what, err, want)
		}
	}
	for i := 0; i < len(octets); i += len(octets)/50 + 1 {
		flipped := slices.Clone(octets)
		flipped[i] ^= 4
		try(fmt.Sprintf("octet %d changed", i), flipped, "r", ErrDamaged)
		if _, err := opened(t, path, "r"); err != nil {
			t.Fatal(err)
		}
		must(t, os.WriteFile(bad, octets[:i], 0o600))
		if _, err := opened(t, bad, "r"); err == nil {
			t.Errorf("cut at %d: got an index, want an error", i)
		}
	}
	try("last octet", append(slices.Clone(octets[:len(octets)-1]), octets[len(octets)-1]^1), "r", ErrDamaged)
	try("other rules", octets, "s", ErrStale)
	try("an empty file", nil, "r", ErrDamaged)

	w, err := Create(path+"3", "r", nil)
	must(t, err)
	must(t, w.Add(Name{1}, "a", false))
	must(t, w.tx.Commit())
	if _, err := opened(t, path+"3", "r"); err == nil {
		t.Error("not closed: got an index, want an error")
	}
	w.Discard()
	if _, err := os.Lstat(path + "3"); err == nil {
		t.Error("discarded: got a file, want none")
	}
	if _, err := Create(path, "r", nil); err == nil {
		t.Error("over a file: got a Writer, want an error")
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
