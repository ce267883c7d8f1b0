package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// recover handles the remains of runs that were killed:
//
//   - It writes a line for each attempt that is whole and has none.
//   - It repeats each Forget.
//   - It removes records and objects without a line, and unfinished objects.
//   - It ends the run.
//
// If it is not certain which lines there are, it changes nothing, and the next Open does it.
func (a *Archive) recover() error {
	if a.behind != nil || a.ledger.Unsure() {
		return nil
	}
	at, run, ok := a.index.openRun()
	if !ok {
		return nil
	}
	told := make(map[Span]bool)
	// The ledger is read from the middle, so the chain does not fit at its first line.
	note := func(l *ledger.Line) error {
		record, err := body(l)
		if err != nil {
			return err
		}
		switch r := record.(type) {
		case *Capture, *Exception:
			if f, _ := attempted(r); f.Exchanges != nil {
				told[*f.Exchanges] = true
			}
		case *Forget:
			for _, x := range r.Exchanges { // they may be of a run that was killed
				told[Span{x.File, x.Offset, x.Size, x.Now}] = true
			}
			return a.remove(r)
		}
		return nil
	}
	if err := a.read(at, ledgerEnd, note); err != nil {
		return err
	}
	names, err := runFiles(a.exchangesDir(), run)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := a.recoverFile(name, told); err != nil {
			return err
		}
	}
	err = a.objects.walk(func(name string) error {
		sum := sumOfName(name)
		if sum == "" && !strings.HasPrefix(filepath.Base(name), atomicfile.Prefix) {
			return nil // a foreign file, which Verify reports
		}
		if flags := a.index.flags(sum); sum != "" && flags&flagStored != 0 && flags&flagForgotten == 0 {
			return nil
		}
		return a.objects.remove(name)
	})
	if err != nil {
		return err
	}
	return a.end(&Run{Command: "recover", Why: "a run did not end"})
}

// recoverFile writes a line for each whole attempt in a file of exchanges that has none, and
// cuts off the octets after the last whole attempt. It never cuts off octets that a line
// names, even if they are damaged or cannot be read.
func (a *Archive) recoverFile(name string, told map[Span]bool) error {
	path := filepath.Join(a.exchangesDir(), name)
	end, err := readAttempts(a.exchangesDir(), name, 0, func(at *attempt) error {
		if told[at.span] || at.kind == "" {
			return nil
		}
		if err := a.claim(path, at); err != nil {
			return &localError{err}
		}
		return nil
	})
	if l, ok := errors.AsType[*localError](err); ok {
		return l.error
	}
	info, serr := os.Stat(path)
	if serr != nil {
		return serr
	}
	for span := range told {
		if span.File == name {
			end = max(end, span.Offset+span.Length)
		}
	}
	switch {
	case end == 0:
		return os.Remove(path)
	case end >= info.Size():
		return nil
	}
	return os.Truncate(path, end)
}

// claim writes a line for an attempt that has none. A capture whose object is not whole
// becomes an exception that is due at once.
func (a *Archive) claim(path string, at *attempt) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(atomicfile.SyncFile(f), f.Close()); err != nil {
		return err
	}
	switch at.kind {
	case kindCapture:
		var c Capture
		if err := json.Unmarshal(at.entry, &c); err != nil {
			return err
		}
		c.Exchanges = &at.span
		switch err := a.objects.check(c.SHA256); {
		case errors.Is(err, ErrAway):
			return err
		case err != nil:
			now := a.now().UTC()
			state, _ := a.index.ask(newAsk(c.Key, c.Expect))
			e := &Exception{Facts: c.Facts, Reason: TransientServiceError, Kind: "local", Error: "the run was killed before the body was on the disk", Due: now}
			if err := a.addAttempt(e, &state, now); err != nil {
				return err
			}
			return a.append(ledger.Entry{Kind: kindException, Body: e})
		}
		if err := a.objects.sync(objectName(c.SHA256)); err != nil {
			return err
		}
		before, err := a.captureBefore(c.Key)
		if err != nil {
			return err
		}
		return a.append(append([]ledger.Entry{{Kind: kindCapture, Body: &c}}, changedFrom(before, &c)...)...)
	case kindException:
		var e Exception
		if err := json.Unmarshal(at.entry, &e); err != nil {
			return err
		}
		e.Exchanges = &at.span
		return a.append(ledger.Entry{Kind: kindException, Body: &e})
	}
	return io.ErrUnexpectedEOF
}

// ErrOther is the error of a copy whose ledger is not the beginning of the ledger.
var ErrOther = errors.New("it is not a copy of the archive")

// A Mending counts what Copy or Repair wrote.
type Mending struct {
	Objects, Exchanges int64
	Ledgers            int64    // files of the ledger
	Lost               []string // objects and exchanges that neither archive has as the ledger names them
}

// replace replaces the first octets of a file of the ledger with n octets of another one, or
// with all if n is negative. It does nothing if the file has as many, and they are the same.
func (m *Mending) replace(path, other string, n int64) error {
	from, size, err := openRegular(filepath.Dir(other), filepath.Base(other))
	if err != nil {
		return err
	}
	defer from.Close()
	if n < 0 {
		n = size
	}
	old, size, err := openRegular(filepath.Dir(path), filepath.Base(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer old.Close()
	if err == nil && size >= n && begins(other, path) {
		return nil
	}
	m.Ledgers++
	return atomicfile.ReplaceFile(path, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(from, 0, n))
		if err == nil && size > n {
			_, err = io.Copy(w, io.NewSectionReader(old, n, size-n))
		}
		return err
	})
}

// mend writes to an archive the objects and exchanges that it has not as the lines name them.
// It reads the lines before a place, and returns what they name.
func (m *Mending) mend(ctx context.Context, lines, from, to *Archive, end ledger.Place) (*verifier, error) {
	z := newVerifier(lines)
	err := lines.read(ledger.Place{}, end, func(l *ledger.Line) error {
		record, err := body(l)
		if err == nil {
			err = z.line(l, record)
		}
		return errors.Join(err, ctx.Err())
	})
	for sum, stored := range z.objects {
		name := hex.EncodeToString(sum[:])
		if err = errors.Join(err, ctx.Err()); err != nil {
			return z, err
		}
		if !stored {
			continue
		}
		if err = to.objects.check(name); err == nil || errors.Is(err, ErrAway) {
			continue
		}
		err = to.take(from, name)
		if _, ok := errors.AsType[*localError](err); err == nil {
			m.Objects++
		} else if !ok && !errors.Is(err, ErrAway) {
			m.Lost, err = append(m.Lost, "objects/"+objectName(name)), nil
		}
	}
	for name, spans := range z.spans {
		if err == nil {
			err = m.exchanges(ctx, name, spans, from, to)
		}
	}
	slices.Sort(m.Lost)
	return z, err
}

// exchanges writes the spans of a file that differ.
func (m *Mending) exchanges(ctx context.Context, name string, spans []ledgerSpan, from, to *Archive) error {
	if _, ok := runOf(name); !ok {
		return fmt.Errorf("%.100q is no file of exchanges", name)
	}
	src, _, err := openRegular(from.exchangesDir(), name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer src.Close() // nil if the file is missing, which cannot be read
	dst, err := os.OpenFile(filepath.Join(to.exchangesDir(), name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer dst.Close()
	for _, s := range spans {
		if sum, err := spanSum(dst, s.offset, s.length); err == nil && sum == s.sum {
			continue
		}
		if sum, err := spanSum(src, s.offset, s.length); err != nil || sum != s.sum {
			m.Lost = append(m.Lost, fmt.Sprintf("exchanges/%s:%d", name, s.offset))
			continue
		}
		m.Exchanges++
		_, err := io.Copy(io.NewOffsetWriter(dst, s.offset), io.NewSectionReader(src, s.offset, s.length))
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return dst.Sync()
}

// Copy makes a copy of the archive in the folder to, or brings an earlier copy up to date: it
// adds the lines, objects and exchanges that the copy lacks or has damaged, and removes
// the octets that were forgotten since. If it is killed, the next Copy goes on.
//
// The error is ErrNone if the folder has other files, ErrOther if it is another archive, and
// ErrLost if the ledger lacks lines. o
// is as for [Open].
func (a *Archive) Copy(ctx context.Context, to string, o *Options) (*Mending, error) {
	m, t, end := new(Mending), newArchive(to, o), a.index.next
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
	if t.lock, err = lockFile(filepath.Join(to, "lock")); err != nil {
		return m, err
	}
	defer t.Close()
	names, err := ledger.Files(a.ledgerDir())
	// A run that is under way may have begun another file.
	names = slices.DeleteFunc(names, func(name string) bool { return name > end.File })
	there, terr := ledger.Files(t.ledgerDir())
	if err = errors.Join(err, terr); err != nil {
		return m, err
	}
	for _, name := range there {
		if !begins(filepath.Join(t.ledgerDir(), name), filepath.Join(a.ledgerDir(), name)) {
			return m, fmt.Errorf("%s: %w", to, ErrOther)
		}
	}
	z, err := m.mend(ctx, a, a, t, end)
	if err != nil {
		return m, err
	}
	for sum, stored := range z.objects {
		if !stored {
			if err := t.objects.remove(objectName(hex.EncodeToString(sum[:]))); err != nil {
				return m, err
			}
		}
	}
	for _, name := range names {
		n := int64(-1)
		if name == end.File {
			n = end.Offset
		}
		if err := m.replace(filepath.Join(t.ledgerDir(), name), filepath.Join(a.ledgerDir(), name), n); err != nil {
			return m, err
		}
	}
	stamps, err := filepath.Glob(filepath.Join(a.dir, "stamps", "*.tsr"))
	for _, path := range stamps {
		text, rerr := readSmall(path)
		err = errors.Join(err, rerr, writeFile(filepath.Join(to, "stamps", filepath.Base(path)), text))
	}
	return m, errors.Join(err, writeFile(filepath.Join(to, "head"), []byte(a.Head().String()+"\n")))
}

// Repair brings back lines, objects and exchanges that an archive has lost, or has with other
// octets, from a copy of it. It takes nothing that has another digest than the ledger names.
// It takes a file of the ledger if the chain of the archive is broken or shorter, and the
// chain of the copy is whole. The file that was there stays in the folder of the archive, as
// damaged-<name>. The index and the file head are made anew if they are damaged, but a head
// that names a line after the last one stays: lines are missing.
func Repair(ctx context.Context, dir, from string) (m *Mending, err error) {
	m, a, b := new(Mending), newArchive(dir, nil), newArchive(from, nil)
	chain := func(x *Archive) error {
		if err := x.locate(os.TempDir()); err != nil {
			return err
		}
		_, _, err := ledger.Read(x.ledgerDir(), ledger.Place{}, ledger.Head{}, nil, func(*ledger.Line) error { return nil })
		return err
	}
	broken, whole := chain(a), chain(b) == nil
	if errors.Is(broken, ErrNone) {
		return m, broken
	}
	if a.lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, a.Close()) }() // it writes the index
	names, err := ledger.Files(b.ledgerDir())
	for _, name := range names {
		own, other := filepath.Join(a.ledgerDir(), name), filepath.Join(b.ledgerDir(), name)
		switch {
		case !whole || begins(other, own):
			continue
		case broken == nil && !begins(own, other):
			return m, fmt.Errorf("%s: %w", from, ErrOther)
		}
		if err := os.Link(own, filepath.Join(dir, "damaged-"+name)); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrExist) {
			return m, err
		}
		if err := m.replace(own, other, -1); err != nil {
			return m, err
		}
	}
	if err = errors.Join(err, chain(a)); err != nil {
		return m, err
	}
	_, err = m.mend(ctx, a, b, a, ledgerEnd)
	if _, bad := a.load(dir); bad != nil {
		return m, errors.Join(err, bad)
	}
	path := filepath.Join(dir, "head")
	text, _ := readSmall(path)
	if h, bad := ledger.ParseHead(strings.TrimSpace(string(text))); bad != nil || h.Seq == a.Head().Seq {
		err = errors.Join(err, writeFile(path, []byte(a.Head().String()+"\n")))
	}
	return m, err
}

// begins reports whether a file, which may be missing, is the beginning of another one.
func begins(short, long string) bool {
	info, err := os.Stat(short)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	var sums [2][sha256.Size]byte
	for i, path := range []string{short, long} {
		f, _, err := openRegular(filepath.Dir(path), filepath.Base(path))
		if err != nil {
			return false
		}
		sums[i], err = spanSum(f, 0, info.Size())
		if f.Close(); err != nil {
			return false
		}
	}
	return sums[0] == sums[1]
}

// take copies an object. The error is a *localError if this archive failed.
func (a *Archive) take(from *Archive, sum string) error {
	r, _, err := from.objects.reader(sum)
	if err != nil {
		return err
	}
	defer r.Close()
	sync, err := a.objects.put(r, sum)
	if err != nil {
		return err
	}
	if err := sync(); err != nil {
		return &localError{err}
	}
	return nil
}

// Open opens an archive for writing. With create it makes the archive if the folder is
// empty or missing. The error is ErrBusy if another process has the archive open for
// writing, ErrNone if the folder is not an archive, and ErrLost if its ledger lacks lines. Open also handles the remains of a run
// that was killed; see ARCHIVE.md, "Order of writing".
func Open(dir string, create bool, opts *Options) (*Archive, error) {
	a := newArchive(dir, opts)
	if create {
		if err := a.create(); err != nil {
			return nil, err
		}
	}
	err := a.locate(dir)
	if err != nil {
		return nil, err
	}
	if a.lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		return nil, err
	}
	torn, err := a.load(dir)
	if err == nil {
		err = a.whole()
	}
	if err == nil {
		a.ledger, err = ledger.Open(a.ledgerDir(), a.Head(), torn)
	}
	if err == nil {
		err = a.recover()
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}
