package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

const nextMonth = "2026-12.jsonl"

// A tree is the content of files by their names.
type tree map[string]string

// folder writes a tree to a new folder.
func (f tree) folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range f {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with returns the tree with a change to one file.
func (f tree) with(name string, change func(lines []string) []string) tree {
	g := maps.Clone(f)
	lines := strings.SplitAfter(f[name], "\n")
	g[name] = strings.Join(change(slices.Clone(lines[:len(lines)-1])), "")
	return g
}

// written returns a ledger of two months with six lines each, and its head. The word is in
// each line.
func written(t testing.TB, word string) (tree, ledger.Head) {
	t.Helper()
	dir := t.TempDir()
	l := opened(t, dir)
	for i := range 12 {
		at := time.Date(2026, time.Month(11+i/6), 1+i, 12, 0, 0, 0, time.UTC)
		if _, err := l.Append(at, ledger.Entry{Kind: "word", Body: map[string]string{"word": word, "n": fmt.Sprint(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	f := make(tree)
	for _, name := range []string{month, nextMonth} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f[name] = string(text)
	}
	return f, l.Head()
}

// joined joins own with other, and returns the ledger that is the result.
func joined(t testing.TB, own, other tree, named ...ledger.Head) (tree, int, error) {
	t.Helper()
	files, err := ledger.Join(own.folder(t), other.folder(t), named)
	if err != nil {
		return nil, 0, err
	}
	result := maps.Clone(own)
	for name, pieces := range files {
		var b strings.Builder
		for _, p := range pieces {
			text, err := os.ReadFile(p.Path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(&b, io.NewSectionReader(bytes.NewReader(text), p.Offset, p.Length)); err != nil {
				t.Fatal(err)
			}
			if p.End {
				b.WriteByte('\n')
			}
		}
		result[name] = b.String()
	}
	return result, len(files), nil
}

// TestJoin joins ledgers that are damaged in one place or more with a current copy and with an
// older one, without a head that is known.
func TestJoin(t *testing.T) {
	whole, _ := written(t, "own")
	older := whole.with(nextMonth, func(l []string) []string { return l[:2] })
	for _, tt := range []struct {
		name   string
		damage func() tree
		behind bool // the damage is after the end of the older copy, and can be mended without one
		lost   bool // the damage is after the end of the older copy, and cannot
	}{
		{name: "nothing", damage: func() tree { return whole }},
		{name: "a line twice", damage: func() tree {
			return whole.with(month, func(l []string) []string { return slices.Insert(l, 2, l[2]) })
		}},
		{name: "the last lines twice", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { return append(l, l[3:]...) })
		}},
		{name: "a line lost", damage: func() tree {
			return whole.with(month, func(l []string) []string { return slices.Delete(l, 2, 3) })
		}},
		{name: "the first line lost", damage: func() tree {
			return whole.with(month, func(l []string) []string { return l[1:] })
		}},
		{name: "the last line of a month lost", damage: func() tree {
			return whole.with(month, func(l []string) []string { return l[:5] })
		}},
		{name: "two lines swapped", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { l[3], l[4] = l[4], l[3]; return l })
		}},
		{name: "octets before a line", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { l[3] = "\xef\xbb\xbf" + l[3]; return l })
		}},
		{name: "octets after a line", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { l[3] = strings.TrimSuffix(l[3], "\n") + "\x00 \n"; return l })
		}},
		{name: "octets within a line", damage: func() tree {
			return whole.with(month, func(l []string) []string { l[3] = l[3][:50] + "xx" + l[3][50:]; return l })
		}},
		{name: "a line changed", damage: func() tree {
			return whole.with(month, func(l []string) []string { l[3] = strings.Replace(l[3], "own", "new", 1); return l })
		}},
		{name: "a line between others", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { return slices.Insert(l, 3, "# a note\n", "\n") })
		}},
		{name: "CR and LF", behind: true, damage: func() tree {
			crlf := func(l []string) []string {
				return strings.SplitAfter(strings.ReplaceAll(strings.Join(l, ""), "\n", "\r\n"), "\n")
			}
			return whole.with(month, crlf).with(nextMonth, crlf)
		}},
		{name: "no LF between two lines", behind: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { l[2] = strings.TrimSuffix(l[2], "\n"); return l })
		}},
		{name: "a month lost", damage: func() tree { return tree{nextMonth: whole[nextMonth]} }},
		{name: "both months in one file", behind: true, damage: func() tree {
			return tree{nextMonth: whole[month] + whole[nextMonth]}
		}},
		{name: "a line lost that the older copy lacks", lost: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { return slices.Delete(l, 3, 4) })
		}},
		{name: "all lost", lost: true, damage: func() tree { return tree{} }},
		{name: "the end lost", lost: true, damage: func() tree {
			return whole.with(nextMonth, func(l []string) []string { return l[:3] })
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, other := range map[string]tree{"current": whole, "older": older} {
				got, n, err := joined(t, tt.damage(), other)
				if err != nil {
					t.Fatalf("%s: got %v, want no error", name, err)
				}
				if got, want := got[month]+got[nextMonth], whole[month]+whole[nextMonth]; got != want && (name == "current" || !tt.lost) {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
				if tt.name == "nothing" && n != 0 {
					t.Errorf("%s: got %d files that change, want 0", name, n)
				}
			}
			if got, _, err := joined(t, tt.damage(), tree{}); err != nil || tt.behind && got[month]+got[nextMonth] != whole[month]+whole[nextMonth] {
				t.Errorf("without a copy: got %q, %v; want the whole ledger", got, err)
			}
		})
	}
	got, _, err := joined(t, whole.with(nextMonth, func(l []string) []string { return slices.Delete(l, 3, 4) }), older)
	want := whole.with(nextMonth, func(l []string) []string { return slices.Delete(l, 3, 4) })
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("a line that both lack: got %q, %v; want the lines around it", got, err)
	}
}

// TestJoinNamed checks that a head decides whether the last line is the right one, and that an
// unfinished line counts only if it is named.
func TestJoinNamed(t *testing.T) {
	whole, head := written(t, "own")
	changed := whole.with(nextMonth, func(l []string) []string { l[5] = strings.Replace(l[5], "own", "new", 1); return l })
	if got, _, err := joined(t, changed, whole, head); err != nil || !maps.Equal(got, whole) {
		t.Errorf("got %q, %v; want the line that the head names", got, err)
	}
	torn := whole.with(nextMonth, func(l []string) []string { l[5] = strings.TrimSuffix(l[5], "\n"); return l })
	if got, n, err := joined(t, torn, tree{}); err != nil || n != 0 || !maps.Equal(got, torn) {
		t.Errorf("an unfinished line: got %q, %v; want it as it is", got, err)
	}
	if got, _, err := joined(t, torn, tree{}, head); err != nil || !maps.Equal(got, whole) {
		t.Errorf("an unfinished line that a head names: got %q, %v; want it whole", got, err)
	}
}

// TestJoinOther checks that lines of another ledger, and of a copy that has gone on by itself,
// are not taken.
func TestJoinOther(t *testing.T) {
	whole, _ := written(t, "own")
	other, _ := written(t, "other")
	dir := whole.with(nextMonth, func(l []string) []string { return l[:2] }).folder(t)
	head, _, err := ledger.Read(dir, ledger.Place{}, ledger.Head{}, nil, func(*ledger.Line) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(dir, head, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 20 {
		if _, err := l.Append(time.Now(), ledger.Entry{Kind: "word", Body: map[string]string{"word": "forked"}}); err != nil {
			t.Fatal(err)
		}
	}
	forked := make(tree)
	names, err := ledger.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		forked[name] = string(text)
	}
	damaged := whole.with(month, func(l []string) []string { return slices.Delete(l, 2, 3) })
	for name, pair := range map[string][2]tree{
		"another ledger": {whole, other}, "another ledger, for a damaged one": {damaged, other},
		"forked": {whole, forked}, "forked, for a damaged one": {damaged, forked},
	} {
		if got, _, err := joined(t, pair[0], pair[1]); !errors.Is(err, ledger.ErrOther) {
			t.Errorf("%s: got %q, %v; want %v", name, got, err, ledger.ErrOther)
		}
	}
}

// FuzzJoin damages a ledger in many places at random. With a current copy and a head that is known it becomes as it
// was, octet for octet.
func FuzzJoin(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(seed))
	}
	whole, head := written(f, "own")
	f.Fuzz(func(t *testing.T, seed uint64, times uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		own := maps.Clone(whole)
		for range 1 + times%8 {
			name := []string{month, nextMonth}[r.IntN(2)]
			own = own.with(name, func(l []string) []string {
				if len(l) == 0 {
					return l
				}
				i, k := r.IntN(len(l)), r.IntN(len(l))
				switch r.IntN(8) {
				case 0:
					return slices.Delete(l, i, i+1)
				case 1:
					return slices.Insert(l, k, l[i])
				case 2:
					l[i], l[k] = l[k], l[i]
				case 3:
					at := r.IntN(len(l[i]))
					l[i] = l[i][:at] + string(rune(r.IntN(300))) + l[i][at:]
				case 4:
					at := r.IntN(len(l[i]))
					l[i] = l[i][:at] + l[i][at+1:]
				case 5:
					text := []byte(l[i])
					text[r.IntN(len(text))] ^= 1 << r.IntN(8)
					l[i] = string(text)
				case 6:
					return l[:i]
				case 7:
					l[i] = strings.TrimSuffix(l[i], "\n") + "\r\n"
				}
				return l
			})
		}
		got, _, err := joined(t, own, whole, head)
		if errors.Is(err, ledger.ErrOther) {
			return // no line is left
		}
		if err != nil || got[month]+got[nextMonth] != whole[month]+whole[nextMonth] {
			t.Errorf("%q: got %q, %v; want %q", own, got, err, whole)
		}
		if again, n, err := joined(t, got, whole, head); err != nil || n != 0 || !maps.Equal(again, got) {
			t.Errorf("%q, again: got %q, %v; want no change", own, again, err)
		}
	})
}
