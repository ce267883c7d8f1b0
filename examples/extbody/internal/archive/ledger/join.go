package ledger

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-extbody/extbody/internal/file/below"
)

// ErrOther is the error of a ledger that is not a copy: it has no line of the other one, or each
// of the two goes on in its own way.
var ErrOther = errors.New("it is another ledger")

// A Piece is a part of a file of a ledger.
type Piece struct {
	Path           string
	Offset, Length int64
	End            bool // an LF has to be added to it
}

// Join joins the lines of a ledger in the folder own with those of a copy in the folder other,
// which may be older, newer or damaged too. It does not rely on offsets: a line belongs after the
// line whose digest it has. So it mends lines that are doubled, lost or in another order, octets
// before and after lines, and lines that end with CR and LF.
//
// It returns the content of each file of own that has to be replaced, by its name. There is none if
// the chain of own is whole and other does not go on after it. Unfinished lines at the end stay
// as they are. If both ledgers lack a line, the lines of own after it follow at once.
//
// named are heads that have to be in the ledger. They decide between lines that fit at the same place.
// Without them the chain with the most lines counts. The error is ErrOther, or of a file. Join
// holds some 200 octets in memory for each line after the first damaged one.
func Join(own, other string, named []Head) (map[string][]Piece, error) {
	related, err := related(own, other)
	if err != nil || !related {
		return nil, cmp.Or(err, ErrOther)
	}
	j := &joiner{dirs: [2]string{own, other}, by: make(map[Head]int), named: make(map[int64]Head)}
	for _, h := range named {
		j.named[h.Seq] = h
	}
	root, whole, err := begin(own, j.named)
	if err != nil {
		return nil, err
	}
	j.joints = []joint{{candidate: root, own: true, before: -1, reached: true}}
	j.by[root.Head] = 0
	if err := j.agree(whole); err != nil {
		return nil, err
	}
	for i := range j.dirs {
		if err := j.collect(i); err != nil {
			return nil, err
		}
	}
	path, err := j.path(whole)
	if err != nil {
		return nil, err
	}
	return j.files(path)
}

// A candidate is a text in a file of a ledger: a line if its Seq is not 0, otherwise other octets.
type candidate struct {
	Head
	prev   [sha256.Size]byte
	place  Place
	file   string // the one that a writer puts the line into, unless there is a later one
	length int64  // without an LF
	clean  bool   // it is a line with its LF, and nothing else
	torn   bool   // the ledger ends before its LF
}

func (c *candidate) end() int64 {
	if c.clean {
		return c.place.Offset + c.length + 1
	}
	return c.place.Offset + c.length
}

var lineStart = []byte(`{"seq":`)

// candidates yields the texts in the files of a ledger. A text that is no line is searched for
// lines that it has in it, which follow it.
func candidates(dir string) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		names, err := Files(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			yield(candidate{}, err)
			return
		}
		for i, name := range names {
			on, err := fileCandidates(dir, name, i == len(names)-1, func(c candidate) bool { return yield(c, nil) })
			if err != nil {
				yield(candidate{}, err)
			}
			if err != nil || !on {
				return
			}
		}
	}
}

// fileCandidates calls f with the texts of a file. It ends, and returns false, when f returns false.
func fileCandidates(dir, name string, last bool, f func(candidate) bool) (bool, error) {
	file, _, err := below.Open(dir, name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, MaxLine)
	for offset := int64(0); ; {
		text, err := in.ReadSlice('\n')
		if err == io.EOF && len(text) == 0 {
			return true, nil
		}
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return false, err
		}
		whole := candidate{place: Place{name, offset}, length: int64(len(text)), torn: last && err == io.EOF}
		offset += int64(len(text))
		if err == nil && bytes.LastIndex(text, lineStart) == 0 && whole.parse(text) {
			whole.clean = true
			whole.length--
			if !f(whole) {
				return false, nil
			}
			continue
		}
		if !f(whole) {
			return false, nil
		}
		for from := bytes.Index(text, lineStart); from >= 0; {
			line := text[from:]
			next := bytes.Index(text[from+1:], lineStart)
			if next >= 0 {
				next += from + 1
				line = text[from:next]
			}
			if n := bytes.LastIndex(line, []byte("}}")) + 2; n >= 2 {
				c := candidate{place: Place{name, whole.place.Offset + int64(from)}, length: int64(n), torn: whole.torn && next < 0}
				if c.parse(append(bytes.Clone(line[:n]), '\n')) && !f(c) {
					return false, nil
				}
			}
			from = next
		}
	}
}

// parse reads the start of a line. It returns false if the text is no line.
func (c *candidate) parse(text []byte) bool {
	l := &Line{Text: text}
	if !l.parse() || l.Seq <= 0 {
		return false
	}
	prev, err := hex.DecodeString(l.Prev)
	if err != nil || copy(c.prev[:], prev) != len(c.prev) || len(prev) != len(c.prev) {
		return false
	}
	c.Head = Head{l.Seq, sha256.Sum256(text)}
	c.file = fileOf(l.Time)
	return true
}

// related reports whether two ledgers have a line in common, or one goes on after the other, or one of them has no lines.
func related(own, other string) (bool, error) {
	next, stop := iter.Pull2(lines(own))
	defer stop()
	a, err, ok := next()
	if err != nil || !ok {
		return err == nil, err
	}
	some := false
	var before candidate // the line of own before a
	for b, err := range lines(other) {
		if err != nil {
			return false, err
		}
		some = true
		for ok && a.Seq < b.Seq {
			before = a
			a, err, ok = next()
			if err != nil {
				return false, err
			}
		}
		if b.follows(&before) || !ok {
			return b.follows(&before), nil
		}
		if a.Head == b.Head || a.follows(&b) {
			return true, nil
		}
	}
	return !some, nil
}

// follows reports whether c has the digest of another line, and the number after it.
func (c *candidate) follows(other *candidate) bool {
	return other.Seq > 0 && c.Seq == other.Seq+1 && c.prev == other.Digest
}

// Common returns the number of the last line up to which two ledgers are the same.
func Common(own, other string) (seq int64, err error) {
	next, stop := iter.Pull2(lines(own))
	defer stop()
	for b, err := range lines(other) {
		if err != nil {
			return seq, err
		}
		a, err, ok := next()
		if err != nil || !ok || a.Head != b.Head {
			return seq, err
		}
		seq = b.Seq
	}
	return seq, nil
}

// lines yields the candidates that are lines.
func lines(dir string) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		for c, err := range candidates(dir) {
			if (c.Seq > 0 || err != nil) && !yield(c, err) {
				return
			}
		}
	}
}

// begin reads the chain up to the first damage, and returns the line before the last one that fits,
// which may be damaged itself. It reports whether there is no damage. A line that differs from the named one with its number
// is damage.
func begin(dir string, named map[int64]Head) (root candidate, whole bool, err error) {
	var last candidate
	torn := false
	for c, err := range candidates(dir) {
		follows := c.Seq == last.Seq+1 && c.prev == last.Digest
		switch {
		case err != nil:
			return root, false, err
		case c.torn && !torn:
			torn = true // unfinished lines are no damage
		case torn && c.torn:
		case torn || !c.clean || !follows,
			named[c.Seq].Seq > 0 && named[c.Seq] != c.Head:
			return root, false, nil
		default:
			root = last
			last = c
		}
	}
	return root, true, nil
}

// A joint is a line that may be in the chain.
type joint struct {
	candidate
	own     bool
	before  int  // the joint before it; -1 if there is none
	gap     bool // its own line before it is missing
	wanted  bool // it is own or named, or one of those comes after it
	reached bool // it is in a chain that starts with the first joint
	named   int  // the numbers in that chain
	lines   int
	owned   int
}

// better reports whether a chain that ends with x is better than one that ends with y.
func (x *joint) better(y *joint) bool {
	return cmp.Or(cmp.Compare(x.named, y.named), cmp.Compare(x.lines, y.lines), cmp.Compare(x.owned, y.owned)) > 0
}

type joiner struct {
	dirs   [2]string // own and other
	joints []joint   // the first is the line after which the others come
	by     map[Head]int
	named  map[int64]Head // by number
	torn   Place          // of unfinished lines of own
}

// agree returns ErrOther if the chains of both ledgers are right and go on in different ways. If own differs in its last line
// alone, and is not whole because a head names another one, that line is taken to be damaged.
func (j *joiner) agree(whole bool) error {
	for _, dir := range j.dirs {
		if _, right, err := begin(dir, nil); err != nil || !right {
			return err
		}
	}
	next, stop := iter.Pull2(lines(j.dirs[0]))
	defer stop()
	for b, err := range lines(j.dirs[1]) {
		if err != nil {
			return err
		}
		a, err, ok := next()
		if err != nil {
			return err
		}
		if !ok || a.torn || b.torn {
			return nil
		}
		if a.Head == b.Head {
			continue
		}
		if _, _, more := next(); whole || more {
			return ErrOther
		}
		return nil
	}
	return nil
}

// collect makes joints of the lines of a ledger after the first joint. An unfinished line counts
// only if it is named.
func (j *joiner) collect(dir int) error {
	for c, err := range candidates(j.dirs[dir]) {
		if err != nil {
			return err
		}
		if c.torn && dir == 0 && j.torn.File == "" {
			j.torn = c.place
		}
		if c.Seq <= j.joints[0].Seq || c.torn && j.named[c.Seq] != c.Head {
			continue
		}
		if _, ok := j.by[c.Head]; !ok {
			j.by[c.Head] = len(j.joints)
			j.joints = append(j.joints, joint{candidate: c, own: dir == 0, before: -1})
		}
	}
	return nil
}

// path returns the joints of the best chain, in order.
func (j *joiner) path(whole bool) ([]int, error) {
	order := make([]int, len(j.joints))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(j.joints[a].Seq, j.joints[b].Seq) })
	for _, i := range slices.Backward(order[1:]) {
		x := &j.joints[i]
		x.wanted = x.wanted || x.own || j.named[x.Seq] == x.Head
		if p, ok := j.by[Head{x.Seq - 1, x.prev}]; ok {
			x.before = p
			j.joints[p].wanted = j.joints[p].wanted || x.wanted
		}
	}
	best := 0  // among lines with lower numbers
	fresh := 0 // among all
	for n, i := range order[1:] {
		x := &j.joints[i]
		if x.Seq != j.joints[order[n]].Seq {
			best = fresh
		}
		p := x.before
		if p < 0 || !j.joints[p].reached {
			if !x.wanted {
				continue
			}
			p = best
			x.gap = true
		}
		from := &j.joints[p]
		x.before = p
		x.reached = true
		x.named = from.named
		x.lines = from.lines + 1
		x.owned = from.owned
		if j.named[x.Seq] == x.Head {
			x.named++
		}
		if x.own {
			x.owned++
		}
		if x.better(&j.joints[fresh]) {
			fresh = i
		}
	}
	var path []int
	on := make([]bool, len(j.joints))
	for i := fresh; i > 0; i = j.joints[i].before {
		path = append(path, i)
		on[i] = true
	}
	slices.Reverse(path)
	if whole {
		return path, j.forked(order, on, j.joints[fresh].named)
	}
	return path, j.forked(order, on, math.MaxInt)
}

// forked returns ErrOther if lines of own are not in the chain: more than one, which may be
// damaged, or any whose chain has as many named heads.
func (j *joiner) forked(order []int, on []bool, named int) error {
	off := make([]int, len(j.joints)) // how many lines of own there are since the chain
	for _, i := range order[1:] {
		x := &j.joints[i]
		if on[i] || !x.own {
			continue
		}
		off[i] = 1
		if !x.gap {
			off[i] += off[x.before]
		}
		if off[i] > 1 || x.reached && x.named >= named {
			return ErrOther
		}
	}
	return nil
}

// files returns the content of the files of own that change.
func (j *joiner) files(path []int) (map[string][]Piece, error) {
	own := j.dirs[0]
	names, err := Files(own)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	root := &j.joints[0]
	made := make(map[string][]Piece)
	add := func(name string, p Piece) {
		list := made[name]
		if n := len(list); n > 0 {
			last := &list[n-1]
			if last.Path == p.Path && !last.End && last.Offset+last.Length == p.Offset {
				last.Length += p.Length
				last.End = p.End
				return
			}
		}
		made[name] = append(list, p)
	}
	name := root.place.File
	if root.Seq > 0 {
		add(name, Piece{Path: filepath.Join(own, name), Length: root.end()})
	}
	for _, i := range path {
		x := &j.joints[i]
		dir := own
		if !x.own {
			dir = j.dirs[1]
		}
		name = max(name, x.file) // as Append does
		add(name, Piece{filepath.Join(dir, x.place.File), x.place.Offset, x.end() - x.place.Offset, !x.clean})
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(own, name))
		if err != nil {
			return nil, err
		}
		end := info.Size()
		if j.torn.File == name {
			end = j.torn.Offset
		}
		if list, ok := made[name]; !ok && end > 0 && name >= root.place.File {
			made[name] = list // its lines are in other files
		}
		if list := made[name]; len(list) == 1 && list[0] == (Piece{Path: filepath.Join(own, name), Length: end}) {
			delete(made, name)
		}
	}
	return made, nil
}
