package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// ErrOther is the error of a copy whose ledger is not the start of the ledger.
var ErrOther = errors.New("it is not a copy of the archive")

// ErrAhead is the error of a copy that has lines which the archive lacks.
var ErrAhead = errors.New("the copy has lines that the archive has lost: run extbody archive repair with the copy")

// A Mending counts the objects and files that Copy or Repair wrote.
type Mending struct {
	Objects, Exchanges, Stamps int64
	Ledgers                    int64    // files of the ledger
	Forgotten                  int64    // objects and exchanges that a line forgot, and that were there
	Cut                        int64    // octets after the last exchanges of a file, which no line names
	Made                       []string // folders and other files that were missing or damaged
	Kept                       []string // the names that damaged files have now
	Lost                       []string // parts that neither archive has as the ledger names them, or that were not taken

	// Again is set if the next Repair takes what this one did not take. The archive had neither its last lines nor
	// anything that names them, so that only the user knows whether something was forgotten after the copy was made.
	Again bool
}

// needs returns a verifier with the objects and exchanges that the lines of an archive before a place name. fault is
// as for [ledger.Read].
func needs(ctx context.Context, lines *Archive, end ledger.Place, fault func(*ledger.Fault) bool, l *lapse) (*verifier, error) {
	z := newVerifier(lines)
	err := lines.readWith(fault, ledger.Place{}, end, func(line *ledger.Line) error {
		record, err := body(line)
		if err == nil {
			err = z.line(line, record)
		}
		l.line(line, record)
		return errors.Join(err, ctx.Err())
	})
	return z, err
}

// mend writes to an archive the objects and exchanges that it has not as the lines name them, which z has read. l is nil
// if no lines are lost.
func (m *Mending) mend(ctx context.Context, z *verifier, from, to *Archive, l *lapse) error {
	var err error
	for sum, stored := range z.objects {
		name := hex.EncodeToString(sum[:])
		err = errors.Join(err, ctx.Err())
		if err != nil {
			return err
		}
		if !stored {
			continue
		}
		err = to.objects.Check(name)
		if err == nil || errors.Is(err, ErrAway) {
			continue
		}
		if errors.Is(err, os.ErrNotExist) && l.doubts(l.stored(sum)) {
			m.Lost = append(m.Lost, "objects/"+store.Name(name)+notTaken)
			err = nil
			continue
		}
		err = to.take(from, name)
		if _, ok := errors.AsType[*localError](err); err == nil {
			m.Objects++
		} else if !ok && !errors.Is(err, ErrAway) {
			m.Lost = append(m.Lost, "objects/"+store.Name(name))
			err = nil
		}
	}
	for name, spans := range z.spans {
		if err == nil {
			err = m.exchanges(ctx, name, spans, from, to, l)
		}
	}
	slices.Sort(m.Lost)
	return err
}

// exchanges writes the spans of a file that differ.
func (m *Mending) exchanges(ctx context.Context, name string, spans []ledgerSpan, from, to *Archive, l *lapse) error {
	if _, ok := exchange.RunOf(name); !ok {
		return fmt.Errorf("%.100q is no file of exchanges", name)
	}
	src, _, err := below.Open(from.exchangesDir(), name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer src.Close() // nil if the file is missing, which cannot be read
	dst, err := below.OpenFile(to.exchangesDir(), name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer dst.Close()
	for _, s := range spans {
		sum, err := exchange.Sum(dst, s.offset, s.length)
		if err == nil && sum == s.sum {
			continue
		}
		if l != nil && s.was != [sha256.Size]byte{} {
			continue // the forget is completed
		}
		removed := err != nil || warc.Padded(io.NewSectionReader(dst, s.offset, s.length), s.length)
		if removed && l.doubts(s.seq) {
			m.Lost = append(m.Lost, fmt.Sprintf("exchanges/%s:%d%s", name, s.offset, notTaken))
			continue
		}
		if sum, err := exchange.Sum(src, s.offset, s.length); err != nil || sum != s.sum {
			m.Lost = append(m.Lost, fmt.Sprintf("exchanges/%s:%d", name, s.offset))
			continue
		}
		m.Exchanges++
		_, err = io.Copy(io.NewOffsetWriter(dst, s.offset), io.NewSectionReader(src, s.offset, s.length))
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return dst.Sync()
}

// cut removes the octets after the last exchanges of each file. The ledger is whole. The file of a run that has not
// ended stays as it is, because the next [Open] writes lines for it.
func (m *Mending) cut(a *Archive, z *verifier) error {
	_, open, running := a.index.openRun()
	for _, name := range slices.Sorted(maps.Keys(z.spans)) {
		end := int64(0)
		for _, s := range z.spans[name] {
			end = max(end, s.offset+s.length)
		}
		info, err := os.Stat(filepath.Join(a.exchangesDir(), name))
		run, _ := exchange.RunOf(name)
		if err != nil || info.Size() <= end || running && run >= open {
			continue
		}
		f, err := below.OpenFile(a.exchangesDir(), name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Truncate(end), f.Sync(), f.Close()); err != nil {
			return err
		}
		m.Cut += info.Size() - end
	}
	return nil
}

// stamps takes the time stamps of another archive that this one lacks, or has damaged, if they
// are of lines up to head. A stamp that a line names has the digest in that line.
func (m *Mending) stamps(z *verifier, from, to *Archive, head ledger.Head) error {
	names := maps.Clone(z.stamped)
	for _, a := range []*Archive{from, to} {
		entries, err := os.ReadDir(a.stampsDir())
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if h, err := stampName(e.Name()); err == nil && h.Seq <= head.Seq {
				names[e.Name()] = z.stamped[e.Name()]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		path := filepath.Join(to.stampsDir(), filepath.Base(name))
		if _, ok := wholeStamp(path, names[name]); ok {
			continue
		}
		text, ok := wholeStamp(filepath.Join(from.stampsDir(), filepath.Base(name)), names[name])
		if !ok {
			m.Lost = append(m.Lost, "stamps/"+name)
			continue
		}
		if err := errors.Join(m.keep(to, path), writeFile(path, text)); err != nil {
			return err
		}
		m.Stamps++
	}
	return nil
}

// wholeStamp returns the octets of a time stamp, and whether they have the digest in its line; without a line, whether
// they stamp the digest in its name.
func wholeStamp(path, sum string) ([]byte, bool) {
	text, err := readSmall(path)
	switch {
	case err != nil:
		return nil, false
	case sum != "":
		return text, digest(string(text)) == sum
	}
	h, err := stampName(filepath.Base(path))
	return text, err == nil && stamps(text, h.Digest[:]) == nil
}

// keep gives a file of an archive, if it is there, a name of its own in the folder of the archive,
// so that another file can take its name.
func (m *Mending) keep(a *Archive, path string) error {
	_, err := m.kept(a, path)
	return err
}

// kept is keep, and returns the path of the file by its own name; "" if there is no file.
func (m *Mending) kept(a *Archive, path string) (string, error) {
	base := filepath.Base(path)
	for n := 1; ; n++ {
		name := "damaged-" + base
		if n > 1 {
			name = fmt.Sprintf("damaged-%d-%s", n, base)
		}
		kept := filepath.Join(a.dir, name)
		_, err := os.Lstat(path)
		if err != nil {
			return "", nil // there is none
		}
		if _, err := os.Lstat(kept); err == nil {
			if sameFile(kept, path) {
				return kept, nil // a repair that was killed kept it
			}
			continue
		}
		if err := os.Link(path, kept); err != nil {
			err = os.Rename(path, kept) // a folder, or on a system without links
			if err != nil {
				return "", err
			}
		}
		m.Kept = append(m.Kept, name)
		return kept, atomicfile.SyncFolder(a.dir)
	}
}

// sameFile reports whether two files have the same octets.
func sameFile(one, other string) bool { return begins(one, other) && begins(other, one) }

// folders makes the folders of an archive that are missing, except for the one of the objects. A file
// instead of a folder gets another name.
func (m *Mending) folders(a *Archive) error {
	for _, path := range []string{a.ledgerDir(), a.exchangesDir(), a.stampsDir()} {
		if err := below.Folder(path); err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		if err := dangling(path); err != nil {
			return err
		}
		err := m.keep(a, path)
		if info, serr := os.Lstat(path); serr == nil && !info.IsDir() {
			err = errors.Join(err, os.Remove(path))
		}
		err = errors.Join(err, os.MkdirAll(path, 0o700))
		if err != nil {
			return err
		}
		m.Made = append(m.Made, filepath.Base(path)+"/")
	}
	return atomicfile.SyncFolder(a.dir)
}

// dangling returns an error if path is a symbolic link that leads nowhere: a disk may not be mounted.
func dangling(path string) error {
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		return nil
	}
	_, err := os.Stat(path)
	return err
}

// place makes the folder objects, or the file with a URL, if it is missing or damaged. The URL is the
// one in the ledger, unless the objects of the copy are there. Objects of the copy are never shared.
func (m *Mending) place(a, from *Archive) error {
	path := filepath.Join(a.dir, "objects")
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil && info.Mode().IsRegular():
		if err := a.store(a.dir); err == nil || errors.Is(err, ErrAway) {
			return err
		}
	}
	if err := dangling(path); err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	var last string
	err = a.read(ledger.Place{}, ledgerEnd, func(l *ledger.Line) error {
		if l.Kind != kindRun {
			return nil
		}
		r := new(Run)
		if err := l.Body(r); err == nil && r.Event == "begin" {
			last = r.Objects
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := m.keep(a, path); err != nil {
		return err
	}
	if last != "" && last != from.url {
		m.Made = append(m.Made, "objects")
		return writeFile(path, []byte(last+"\n"))
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	m.Made = append(m.Made, "objects/")
	return errors.Join(os.Mkdir(path, 0o700), atomicfile.SyncFolder(a.dir))
}

// readme makes README.txt anew, unless it is as this version writes it, or as the other archive has it: that may be
// the text of another version.
func (m *Mending) readme(a, other *Archive) error {
	path := filepath.Join(a.dir, "README.txt")
	text, err := readSmall(path)
	if err == nil && bytes.Equal(text, readme) {
		return nil
	}
	same, oerr := readSmall(filepath.Join(other.dir, "README.txt"))
	if err == nil && oerr == nil && len(text) > 0 && bytes.Equal(text, same) {
		return nil
	}
	m.Made = append(m.Made, "README.txt")
	return errors.Join(m.keep(a, path), writeFile(path, readme))
}

// write replaces files of the ledger by pieces of others, and removes those without pieces. The files that were there are
// kept, and pieces of them are read from there. The last file comes first: if this is killed, the lines that have
// to come from the copy are the oldest ones.
func (m *Mending) write(a *Archive, files map[string][]ledger.Piece) error {
	kept := make(map[string]string) // by path
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		path := filepath.Join(a.ledgerDir(), name)
		there, err := m.kept(a, path)
		if err != nil {
			return err
		}
		kept[path] = there
	}
	for _, name := range slices.Backward(names) {
		path := filepath.Join(a.ledgerDir(), name)
		pieces := slices.Clone(files[name])
		for i, p := range pieces {
			pieces[i].Path = cmp.Or(kept[p.Path], p.Path)
		}
		m.Ledgers++
		err := replace(path, pieces)
		if len(pieces) == 0 {
			err = errors.Join(os.Remove(path), atomicfile.SyncFolder(a.ledgerDir()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replace makes a file of pieces of others.
func replace(path string, pieces []ledger.Piece) error {
	return atomicfile.ReplaceFile(path, func(w io.Writer) error {
		for _, p := range pieces {
			f, _, err := below.Open(filepath.Dir(p.Path), filepath.Base(p.Path))
			if err != nil {
				return err
			}
			n, err := io.Copy(w, io.NewSectionReader(f, p.Offset, p.Length))
			f.Close()
			if err == nil && n < p.Length {
				err = io.ErrUnexpectedEOF
			}
			if err == nil && p.End {
				_, err = w.Write([]byte("\n"))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Copy makes a copy of the archive in the folder to, or brings an earlier copy up to date: it
// adds the lines, objects, exchanges and stamps that the copy lacks or has damaged, and removes
// the octets that were forgotten since. Nothing that is whole in the copy is replaced. If it is
// killed, the next Copy goes on. o is as for [Open].
//
// The error is one of these, and then the copy is as it was, apart from folders:
//
//   - ErrNone if the folder has other files
//   - ErrOther if it is another archive
//   - ErrAhead if it has lines that the archive lacks
//   - ErrLost if the ledger lacks lines, and a [*ledger.Fault] if it is damaged
func (a *Archive) Copy(ctx context.Context, to string, o *Options) (*Mending, error) {
	m := new(Mending)
	t := newArchive(to, o)
	end := a.index.next
	err := a.whole()
	if err == nil {
		err = t.create()
	}
	if err == nil {
		err = t.locate(to)
	}
	if err != nil {
		return m, err
	}
	t.lock, err = lockFile(filepath.Join(to, "lock"))
	if err != nil {
		return m, err
	}
	defer t.Close()
	names, err := ledger.Files(a.ledgerDir())
	// A run that is under way may have started another file.
	names = slices.DeleteFunc(names, func(name string) bool { return name > end.File })
	if err != nil {
		return m, err
	}
	damaged, err := a.compare(t, names, end)
	if err != nil {
		return m, err
	}
	if err := m.folders(t); err != nil {
		return m, err
	}
	z, err := needs(ctx, a, end, func(f *ledger.Fault) bool { return a.accepted[Gap{f.Before, f.After}] }, nil)
	if err == nil {
		err = m.mend(ctx, z, a, t, nil)
	}
	if err == nil {
		err = t.removeForgotten(z)
	}
	if err != nil {
		return m, err
	}
	for _, name := range names {
		if err := m.ledgerFile(a, t, name, end, damaged); err != nil {
			return m, err
		}
	}
	if damaged { // its places are of other lines
		err = os.Remove(filepath.Join(to, "index"))
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	err = errors.Join(err, m.stamps(z, a, t, a.Head()), m.readme(t, a))
	if err != nil || a.Head().Seq == 0 {
		return m, err
	}
	return m, writeFile(filepath.Join(to, "head"), []byte(a.Head().String()+"\n"))
}

// removeForgotten removes the objects that were forgotten by the lines that z has read.
func (a *Archive) removeForgotten(z *verifier) error {
	for sum, stored := range z.objects {
		if stored {
			continue
		}
		if err := a.forgetTexts(); err != nil {
			return err
		}
		if err := a.objects.Remove(store.Name(hex.EncodeToString(sum[:]))); err != nil {
			return err
		}
	}
	return nil
}

// ledgerFile makes a file of the ledger of the copy t as it is in a, which ends at end. A file that is replaced is
// kept if the ledger of t is damaged.
func (m *Mending) ledgerFile(a, t *Archive, name string, end ledger.Place, damaged bool) error {
	path := filepath.Join(t.ledgerDir(), name)
	other := filepath.Join(a.ledgerDir(), name)
	info, err := os.Stat(other)
	if err != nil {
		return err
	}
	p := ledger.Piece{Path: other, Length: info.Size()}
	if name == end.File {
		p.Length = end.Offset
	}
	info, err = os.Stat(path)
	switch {
	case err == nil && info.Size() == p.Length && begins(path, other):
		return nil
	case damaged:
		err = m.write(t, map[string][]ledger.Piece{name: {p}})
	default:
		m.Ledgers++
		err = replace(path, []ledger.Piece{p})
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// compare reports whether the ledger of a copy is damaged: names are the files of this one, which
// ends at end.
func (a *Archive) compare(t *Archive, names []string, end ledger.Place) (damaged bool, err error) {
	there, err := ledger.Files(t.ledgerDir())
	if err != nil {
		return false, err
	}
	fits := true
	for i, name := range there {
		path := filepath.Join(t.ledgerDir(), name)
		other := filepath.Join(a.ledgerDir(), name)
		info, err := os.Stat(path)
		if err != nil {
			return false, err
		}
		last := i == len(there)-1
		whole, err := os.Stat(other)
		if err != nil || !slices.Contains(names, name) {
			fits = false
			continue
		}
		sameSize := last || info.Size() == whole.Size()
		within := name != end.File || info.Size() <= end.Offset
		fits = fits && begins(path, other)
		fits = fits && sameSize && within
	}
	if fits {
		return false, nil
	}
	files, err := ledger.Join(a.ledgerDir(), t.ledgerDir(), nil)
	switch {
	case errors.Is(err, ledger.ErrOther):
		return false, fmt.Errorf("%s: %w", t.dir, ErrOther)
	case len(files) > 0:
		return false, fmt.Errorf("%s: %w", t.dir, ErrAhead)
	}
	return true, err
}

// Repair brings back the lines, objects, exchanges and stamps that an archive has lost, or has with other octets,
// from a copy of it, which may be older. It takes nothing that has another digest than the ledger names. It also
// makes missing and damaged files anew: the folders, the file objects, README.txt, the index, and head, which stays
// if it names a line after the last one. It removes objects and exchanges that a line forgot, and octets after the
// exchanges that lines name.
//
// While lines are known to be lost, an object that is not there may have been forgotten by one of them. So it is not taken
// if a lost line may be after the latest line that stored it, and neither are exchanges that were removed.
//
// Lines are joined by their digests; see [ledger.Join]. If both ledgers lack a line, the lines
// after it stay, and [Verify] reports the gap. A file that is replaced, other than objects and
// exchanges, is kept in the folder of the archive under a name of its own.
//
// The error is ErrNone if dir is not an archive, and ErrOther if from is another one, or has other lines after the ones
// that the two share. The error then names the proofs of each.
func Repair(ctx context.Context, dir, from string) (m *Mending, err error) {
	m = new(Mending)
	a := newArchive(dir, nil)
	b := newArchive(from, nil)
	if !slices.ContainsFunc([]string{"ledger", "exchanges", "stamps", "head"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}) {
		return m, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err := b.locate(os.TempDir()); err != nil {
		return m, err
	}
	a.lock, err = lockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, a.Close()) }() // it writes the index
	if err := errors.Join(a.forgetLooks(), m.folders(a)); err != nil {
		return m, err
	}
	if x, err := openIndex(dir, dir); err == nil {
		a.indexed = x.saved
		x.close()
	}
	var heads []ledger.Head
	for _, n := range a.named("") {
		heads = append(heads, n.head)
	}
	// Lines that cannot be read are joined.
	fault := func(*ledger.Fault) bool { return true }
	line := func(*ledger.Line) error { return nil }
	own, _, _ := ledger.Read(a.ledgerDir(), ledger.Place{}, ledger.Head{}, fault, line)
	files, err := ledger.Join(a.ledgerDir(), b.ledgerDir(), heads)
	if errors.Is(err, ledger.ErrOther) {
		err = fmt.Errorf("%s: %w%s", from, ErrOther, fork(a, b))
	}
	if err != nil {
		return m, err
	}
	if err := m.write(a, files); err != nil {
		return m, err
	}
	if err := errors.Join(m.place(a, b), m.readme(a, b)); err != nil {
		return m, err
	}
	if err := a.locate(dir); err != nil {
		return m, err
	}
	return m, m.repair(ctx, a, b, own)
}

// repair repairs the objects and files that the lines of an archive name. They were joined with those of the copy b,
// and own was the last of its own.
func (m *Mending) repair(ctx context.Context, a, b *Archive, own ledger.Head) error {
	heads := a.named("")
	l := newLapse(append(b.named(" of the copy"), heads...))
	z, err := needs(ctx, a, ledgerEnd, l.fault, l)
	if err != nil {
		return err
	}
	l.end(own, len(heads) > 0)
	if err := m.mend(ctx, z, b, a, l); err != nil {
		return err
	}
	isLeft := slices.ContainsFunc(m.Lost, func(name string) bool { return strings.HasSuffix(name, notTaken) })
	m.Again = isLeft && l.isBlind(own, len(heads) > 0)
	torn, err := a.load(a.dir, m.Ledgers > 0)
	if err != nil {
		return err
	}
	for _, p := range l.forgets {
		n, err := a.forgetAgain(p)
		m.Forgotten += n
		if err != nil {
			return err
		}
	}
	if err := m.stamps(z, b, a, a.Head()); err != nil {
		return err
	}
	m.Lost = append(m.Lost, l.lost()...)
	if l.before == 0 {
		err = m.cut(a, z)
	}
	if a.indexed.Seq > a.Head().Seq {
		a.index.saved = a.index.head // the file proves that lines are missing
	}
	if a.first == nil || l.before < math.MaxInt64 {
		err = errors.Join(err, m.head(a, b, l))
	}
	if err == nil && torn > 0 && a.whole() == nil {
		a.first = nil
		a.ledger, err = ledger.Open(a.ledgerDir(), a.Head(), torn) // it removes unfinished lines
	}
	return err
}

// Accept writes a line with the gaps of the ledger of an archive, so that commands go on without the lines
// that are lost. [Verify] still reports them. It returns the gaps, none if the ledger is whole. Where a copy has
// the lines, Repair comes first.
//
// It also accepts that the lines of other ledgers in the mark beside the objects in a bucket are of no folder any more.
func Accept(dir string, opts *Options) (gaps []Gap, err error) {
	a := newArchive(dir, opts)
	if err := a.locate(dir); err != nil {
		return nil, err
	}
	a.lock, err = lockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }() // it writes the index
	torn, err := a.load(dir, false)
	if err == nil {
		err = a.read(ledger.Place{}, ledgerEnd, func(*ledger.Line) error { return nil })
	}
	if err != nil {
		return nil, err
	}
	// The index is made anew, since it may be of lines that were edited since.
	saved := a.index.saved
	a.index.close()
	a.index = newIndex(dir)
	_, err = a.index.catchUp(a.ledgerDir(), func(f *ledger.Fault) bool {
		a.note(f)
		return true
	})
	if err != nil || a.first == nil {
		a.index.saved = a.index.head // it stays
		if err == nil {
			err = a.claimMark()
		}
		return nil, err
	}
	a.ledger, err = ledger.Open(a.ledgerDir(), a.Head(), torn)
	if err != nil {
		return nil, err
	}
	gaps = a.gaps
	a.index.saved = saved
	a.first = nil
	a.gaps = nil
	err = a.forgetLooks() // lines of messages may be lost
	if err == nil {
		err = a.claimMark()
	}
	if err == nil {
		err = a.begin("repair", "")
	}
	if err != nil {
		return nil, err
	}
	for i := 0; i*maxNamed < len(gaps); i++ {
		r := &Run{Format: Format, Event: "accept", Command: "repair", Gaps: piece(gaps, i)}
		if err := a.append(ledger.Entry{Kind: kindRun, Body: r}); err != nil {
			return nil, err
		}
	}
	return gaps, a.end(&Run{Command: "repair"})
}

// named returns the heads that have to be in the ledger: that of the index, those with a stamp, and
// at last the one in the file head. Their names end with whose.
func (a *Archive) named(whose string) (list []named) {
	if a.indexed.Seq > 0 {
		list = append(list, named{"index" + whose, a.indexed})
	}
	entries, _ := os.ReadDir(a.stampsDir())
	for _, e := range entries {
		if h, err := stampHead(filepath.Join(a.stampsDir(), e.Name())); err == nil {
			list = append(list, named{"stamps/" + e.Name() + whose, h})
		}
	}
	text, _ := readSmall(filepath.Join(a.dir, "head"))
	if h, err := ledger.ParseHead(strings.TrimSpace(string(text))); err == nil && h.Seq > 0 {
		list = append(list, named{"head" + whose, h})
	}
	return list
}

// head makes the file head anew if it cannot be read, if both ledgers have another line with
// its number, or if its digest is the one of a line with another number. The ledger is whole.
func (m *Mending) head(a, from *Archive, l *lapse) error {
	path := filepath.Join(a.dir, "head")
	text, _ := readSmall(path)
	h, err := ledger.ParseHead(strings.TrimSpace(string(text)))
	if err == nil && !l.wrong[h] {
		found, err := a.has(h)
		if found && string(text) == h.String()+"\n" || err != nil || h.Seq > a.Head().Seq {
			return err
		}
		last, _, broken := ledger.Read(from.ledgerDir(), ledger.Place{}, ledger.Head{}, nil, func(*ledger.Line) error { return nil })
		if unknown := broken != nil || last.Seq < h.Seq; unknown && !found {
			m.Lost = append(m.Lost, fmt.Sprintf("ledger: line %d, which head names with another digest", h.Seq))
			return nil // it may be right
		}
	}
	m.Made = append(m.Made, "head")
	return errors.Join(m.keep(a, path), writeFile(path, []byte(a.Head().String()+"\n")))
}

// begins reports whether a file, which may be missing, is the start of another one.
func begins(short, long string) bool {
	info, err := os.Stat(short)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	var sums [2][sha256.Size]byte
	for i, path := range []string{short, long} {
		f, _, err := below.Open(filepath.Dir(path), filepath.Base(path))
		if err != nil {
			return false
		}
		sums[i], err = exchange.Sum(f, 0, info.Size())
		if f.Close(); err != nil {
			return false
		}
	}
	return sums[0] == sums[1]
}

// take copies an object. The error is a *localError if this archive failed.
func (a *Archive) take(from *Archive, sum string) error {
	r, _, err := from.objects.Reader(sum)
	if err != nil {
		return err
	}
	defer r.Close()
	sync, err := put(a.objects, r, sum)
	if err != nil {
		return err
	}
	if err := sync(); err != nil {
		return &localError{err}
	}
	return nil
}
