package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/wording"
)

// A Verdict is the result of Verify.
type Verdict struct {
	Head ledger.Head `json:"head"`

	// Lines is the number of lines that were read. Objects, Spans and Stamps are how
	// many agree with the ledger.
	Lines   int64 `json:"lines"`
	Objects int64 `json:"objects"`
	Spans   int64 `json:"exchanges"`
	Stamps  int64 `json:"stamps"`

	// Incoming counts the whole entries that servers handed over, and no run has taken in.
	Incoming int64 `json:"incoming,omitempty"`

	// Messages and References are the numbers in the ledger. References is the sum of
	// Captured, Excepted and Open.
	Messages   int64 `json:"messages"`
	References int64 `json:"references"`
	Captured   int64 `json:"captured"`
	Excepted   int64 `json:"excepted"`
	Open       int64 `json:"open"`

	// Forgotten counts the objects and spans that were removed by a Forget.
	Forgotten int64 `json:"forgotten"`

	// Faults are damages, losses, and files and octets without a line, each with its place.
	Faults []string `json:"faults"`

	// Notes are not damage. Files and octets without a line while a run has not ended are the
	// remains of a run that was killed, which the next Open for writing handles, or a run
	// that is under way is about to write their lines. One note counts the lines that have
	// words of a body, which no forget can remove. Another README.txt is a note too.
	Notes []string `json:"notes,omitempty"`
}

// A verifier is one Verify.
type verifier struct {
	a        *Archive
	v        Verdict
	heads    map[int64][]named // the heads that have to be in the chain
	objects  map[[sha256.Size]byte]bool
	spans    map[string][]ledgerSpan
	refs     []ask
	replaced map[ask]int // how many of refs are of lines that other ones replace
	openRun  bool
	noHead   bool              // there is no file head
	ended    bool              // a run has ended
	stamped  map[string]string // digests of the files of stamps that lines name, by name

	wordy      int64 // lines with words of a body
	firstWordy int64 // the number of the first of them

	next     ledger.Place // after the lines that were read
	torn     int64        // octets of unfinished lines after them
	suspects []check      // that found something
}

type ledgerSpan struct {
	offset, length int64
	sum            [sha256.Size]byte
	was            [sha256.Size]byte // before it was removed
	seq            int64
}

// Verify reads everything in an archive:
//
//   - It walks the chain of the ledger, in which the head known has to be, and the file head.
//   - It computes the digests of all objects and exchanges.
//   - It compares the time stamps with the chain and with the lines that name them, but does not
//     judge their authorities.
//   - It looks for files and octets without a line.
//   - It computes the digests of the entries in the folder incoming.
//   - It counts the references by outcome.
//   - It compares the index with one that it makes anew in the folder for temporary files.
//
// Verify only reads the folder, so the archive may be on a medium that cannot be written.
// Another process may write at the same time. The Verdict covers the lines that the ledger
// had when Verify read it. An error is the reason why not everything could be read.
func Verify(ctx context.Context, dir string, known ledger.Head) (*Verdict, error) {
	z := newVerifier(newArchive(dir, nil))
	if err := z.a.locate(os.TempDir()); err != nil {
		return &z.v, err
	}
	z.head("--head", known)
	if text, err := readSmall(filepath.Join(dir, "head")); err == nil {
		h, err := ledger.ParseHead(strings.TrimSpace(string(text)))
		if err != nil {
			z.fault("head: %v", err)
		}
		z.head("head", h)
	} else {
		z.noHead = errors.Is(err, os.ErrNotExist)
		if !z.noHead {
			z.fault("head: cannot be read: %v", err)
		}
	}
	switch text, err := readSmall(filepath.Join(dir, "README.txt")); {
	case errors.Is(err, os.ErrNotExist):
		z.fault("README.txt: is lost")
	case err != nil:
		z.fault("README.txt: cannot be read: %v", err)
	case len(text) == 0:
		z.fault("README.txt: is empty")
	case !isReadme(text):
		z.v.Notes = append(z.v.Notes, "README.txt: it was changed, or a newer version wrote it; "+
			"if it is removed, archive repair with a copy makes it anew")
	}
	steps := []func(context.Context) error{z.stamps, z.ledger, z.stampFiles, z.objectFiles, z.exchangeFiles, z.incoming, z.settle}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return &z.v, err
		}
	}
	return &z.v, nil
}

func newVerifier(a *Archive) *verifier {
	return &verifier{
		a:        a,
		v:        Verdict{Faults: []string{}},
		heads:    make(map[int64][]named),
		objects:  make(map[[sha256.Size]byte]bool),
		spans:    make(map[string][]ledgerSpan),
		stamped:  make(map[string]string),
		replaced: make(map[ask]int),
	}
}

// head notes a head that has to be in the chain. The name is for faults.
func (z *verifier) head(name string, h ledger.Head) {
	z.heads[h.Seq] = append(z.heads[h.Seq], named{name, h})
}

func (z *verifier) fault(format string, args ...any) {
	z.v.Faults = append(z.v.Faults, fmt.Sprintf(format, args...))
}

// stamps notes the lines of which there are time stamps.
func (z *verifier) stamps(context.Context) error {
	entries, err := os.ReadDir(z.a.stampsDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		h, err := stampHead(filepath.Join(z.a.stampsDir(), e.Name()))
		if err != nil {
			z.suspects = append(z.suspects, func() ([]finding, error) {
				return []finding{{true, fmt.Sprintf("stamps/%s: %v", e.Name(), err)}}, nil
			})
			continue
		}
		z.head("stamps/"+e.Name(), h)
	}
	return nil
}

// stampFiles compares the files of stamps with the digests in the lines that name them.
func (z *verifier) stampFiles(context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(z.stamped)) {
		text, err := readSmall(filepath.Join(z.a.stampsDir(), filepath.Base(name)))
		switch {
		case errors.Is(err, os.ErrNotExist):
			z.fault("stamps/%s: is lost", name)
		case err != nil:
			z.fault("stamps/%s: cannot be read: %v", name, err)
		case digest(string(text)) != z.stamped[name]:
			z.fault("stamps/%s: was changed", name)
		}
	}
	return nil
}

// ledger walks the chain.
func (z *verifier) ledger(ctx context.Context) error {
	entries, err := os.ReadDir(z.a.ledgerDir())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !ledger.IsFile(e.Name()) {
			z.fault("ledger/%s: is no file of the ledger", e.Name())
		}
	}
	fault := func(f *ledger.Fault) bool {
		z.fault("ledger/%s", f.Error())
		return true
	}
	x := newIndexPair(z.a.dir)
	defer x.close()
	head, torn, err := ledger.Read(z.a.ledgerDir(), ledger.Place{}, ledger.Head{}, fault, func(l *ledger.Line) error {
		z.v.Lines++
		z.chained(l)
		z.next = l.End()
		record, err := body(l)
		if r, ok := record.(*ReferenceRecord); ok && x.made.get(messageKey(r.Message)) == nil {
			err = errNoMessage
		}
		if err == nil {
			err = z.line(l, record)
		}
		if err == nil {
			err = x.made.apply(l, record)
		}
		if err != nil {
			z.fault("ledger/%s: line %d: %v", l.Place, l.Seq, err)
		}
		x.compare(l.Seq)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	switch {
	case errors.Is(x.err, os.ErrNotExist), errors.Is(x.err, errStale):
	case x.err != nil:
		z.fault("index: %v; it can be deleted, since it is made from the ledger", x.err)
	case !x.same && len(z.v.Faults) == 0: // a damaged ledger has no index
		z.fault("index: it is not the one that is made from the ledger, and can be deleted")
	}
	z.v.Head = head
	z.torn = torn
	z.ends(head)
	z.outcomes(x.made)
	z.v.Messages, _, _, _, err = x.made.count()
	if err != nil {
		return err
	}
	return x.made.fault()
}

// An indexPair has the index of an archive, and one that is made anew from the same lines.
type indexPair struct {
	saved *index
	err   error // of reading saved; if it is missing or of another version, the next command makes it
	made  *index
	same  bool // they were equal after the last line of saved
}

func newIndexPair(dir string) *indexPair {
	x := &indexPair{made: newIndex(os.TempDir())}
	x.saved, x.err = openIndex(dir, os.TempDir())
	return x
}

// compare compares the two when made has the lines of saved. seq is the number of the last line of made.
func (x *indexPair) compare(seq int64) {
	if x.err == nil && seq == x.saved.head.Seq {
		seal, err := x.made.write(io.Discard)
		x.same = err == nil && seal == x.saved.base.seal
	}
}

func (x *indexPair) close() {
	if x.err == nil {
		x.saved.close()
	}
	x.made.close()
}

// chained compares a line with the heads that have its number.
func (z *verifier) chained(l *ledger.Line) {
	for _, n := range z.heads[l.Seq] {
		if n.head.Digest != l.Digest {
			z.fault("ledger/%s: line %d is not the one that %s names", l.Place, l.Seq, n.name)
		} else if strings.HasPrefix(n.name, "stamps/") {
			z.v.Stamps++
		}
	}
	delete(z.heads, l.Seq)
}

// ends notes the faults of the end of the ledger, which are heads after it and an unfinished line, and the lines with
// words of a body.
func (z *verifier) ends(head ledger.Head) {
	if z.noHead && z.ended {
		z.fault("head: is lost")
	}
	for _, list := range z.heads {
		for _, n := range list {
			if n.head.Seq > 0 {
				z.fault("ledger/%s: line %d is missing, which %s names: the ledger ends with line %d", z.next, n.head.Seq, n.name, head.Seq)
			}
		}
	}
	if z.wordy > 0 {
		z.v.Notes = append(z.v.Notes, fmt.Sprintf("ledger: %s words of a body, the first in line %d; a forget leaves them",
			wording.Choose(z.wordy, "exception of an older version has", "exceptions of an older version have"), z.firstWordy))
	}
	z.try(func() ([]finding, error) {
		if z.torn == 0 {
			return nil, nil
		}
		return []finding{{true, "ledger: the last line is not finished (" + wording.Count(z.torn, "octet") + ")"}}, nil
	})
}

// outcomes counts the references by their outcomes, which an index has.
func (z *verifier) outcomes(x *index) {
	for _, k := range z.refs {
		if z.replaced[k] > 0 {
			z.replaced[k]--
			continue
		}
		z.v.References++
		switch state, _ := x.ask(k); state.outcome {
		case askCaptured:
			z.v.Captured++
		case askExcepted:
			z.v.Excepted++
		default:
			z.v.Open++
		}
	}
}

var (
	errNoSum     = errors.New("it names an object by a text that is no SHA-256")
	errNoMessage = errors.New("a reference of a message without a line")
)

// line notes the content of a line. The error is a fault of it.
func (z *verifier) line(l *ledger.Line, record any) error {
	switch r := record.(type) {
	case nil:
		return fmt.Errorf("the kind %.20q is not known", l.Kind)
	case *Run:
		z.openRun = r.Event == "begin"
		z.ended = z.ended || r.Event == "end"
		for _, g := range r.Gaps {
			z.fault("ledger: lines between %d and %d are lost or damaged, which line %d accepts", g.Before.Seq, g.After.Seq, l.Seq)
		}
		if r.Stamp != nil {
			z.stamped[r.Stamp.File] = r.Stamp.SHA256
		}
	case *MessageRecord:
		if !store.IsSum(r.SHA256) {
			return errNoSum
		}
		if r.Stored {
			z.objects[sumOf(r.SHA256)] = true
		}
	case *ReferenceRecord:
		z.refs = append(z.refs, newAsk(r.Key, r.Expect))
		if r.Replaces != nil {
			z.replaced[newAsk(r.Key, *r.Replaces)]++
		}
	case *Capture:
		if !store.IsSum(r.SHA256) {
			return errNoSum
		}
		if !r.NotModified {
			z.objects[sumOf(r.SHA256)] = true
		}
		z.span(r.Exchanges, l.Seq)
	case *Exception:
		z.span(r.Exchanges, l.Seq)
		if _, had := exchange.WithoutBody(r.Words); had {
			z.firstWordy = cmp.Or(z.firstWordy, l.Seq)
			z.wordy++
		}
	case *Forget:
		z.forget(r)
	}
	return nil
}

func (z *verifier) span(s *Span, seq int64) {
	if s != nil {
		z.spans[s.File] = append(z.spans[s.File], ledgerSpan{offset: s.Offset, length: s.Length, sum: sumOf(s.SHA256), seq: seq})
	}
}

func (z *verifier) forget(g *Forget) {
	for _, r := range g.Objects {
		z.objects[sumOf(r.SHA256)] = false
		z.v.Forgotten++
	}
	for _, r := range g.Exchanges {
		for i := range z.spans[r.File] {
			if t := &z.spans[r.File][i]; t.offset == r.Offset {
				t.was = t.sum
				t.sum = sumOf(r.Now)
			}
		}
		z.v.Forgotten++
	}
}

// A check returns the faults of one file, or of one object.
type check func() ([]finding, error)

// A finding is a fault of a file. left means that a run that was killed may have left it, or
// that a run is under way.
type finding struct {
	left bool
	text string
}

// try calls a check, and reports whether it found nothing. Its findings are not reported before settle has called it
// again.
func (z *verifier) try(f check) (bool, error) {
	list, err := f()
	if len(list) > 0 {
		z.suspects = append(z.suspects, f)
	}
	return len(list) == 0, err
}

// settle calls again the checks that found something, and reports the findings. Another process may have written or
// removed files after the ledger was read, and written new lines.
func (z *verifier) settle(ctx context.Context) error {
	if len(z.suspects) == 0 {
		return nil
	}
	before := z.v // the new lines do not count in the Verdict
	_, torn, err := ledger.Read(z.a.ledgerDir(), z.next, z.v.Head, func(*ledger.Fault) bool { return true }, func(l *ledger.Line) error {
		if record, err := body(l); err == nil {
			z.line(l, record)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	z.v = before
	z.torn = torn
	for _, again := range z.suspects {
		list, err := again()
		err = cmp.Or(err, context.Cause(ctx))
		if err != nil {
			return err
		}
		for _, f := range list {
			if f.left && z.openRun {
				z.v.Notes = append(z.v.Notes, f.text+", left by a run that has not ended")
			} else {
				z.fault("%s", f.text)
			}
		}
	}
	return nil
}

// unlined returns the check of a file: it must have a line, or be gone.
func unlined(path string, told func() bool, stat func() error) check {
	return func() ([]finding, error) {
		if told() {
			return nil, nil
		}
		switch err := stat(); {
		case errors.Is(err, ErrAway):
			return nil, err
		case errors.Is(err, os.ErrNotExist):
			return nil, nil
		}
		return []finding{{true, path + ": it has no line"}}, nil
	}
}

// objectFiles computes the digests of the objects, and looks for files without a line.
func (z *verifier) objectFiles(ctx context.Context) error {
	for sum := range z.objects {
		whole, err := z.try(func() ([]finding, error) { return z.object(sum) })
		err = cmp.Or(err, context.Cause(ctx))
		if err != nil {
			return err
		}
		if whole && z.objects[sum] {
			z.v.Objects++
		}
	}
	err := z.a.objects.Walk(func(name string) error {
		sum := store.Sum(name)
		_, err := z.try(unlined(filepath.Join("objects", name), func() bool {
			_, told := z.objects[sumOf(sum)]
			return told && sum != ""
		}, func() error {
			_, err := z.a.objects.Stat(name)
			return err
		}))
		return cmp.Or(err, ctx.Err())
	})
	if errors.Is(err, os.ErrNotExist) && !errors.Is(err, ErrAway) {
		z.fault("objects: the folder is lost")
		return nil
	}
	return err
}

// object computes the digest of an object. The error is ErrAway.
func (z *verifier) object(sum [sha256.Size]byte) ([]finding, error) {
	digest := hex.EncodeToString(sum[:])
	fault := ""
	var err error
	if !z.objects[sum] {
		_, err = z.a.objects.Stat(store.Name(digest))
		if err == nil {
			fault = "was forgotten, and is there"
		}
	} else {
		err = z.a.objects.Check(digest)
		switch {
		case err == nil:
		case errors.Is(err, os.ErrNotExist):
			fault = "is lost"
		case errors.Is(err, store.ErrDigest):
			fault = fmt.Sprintf("was changed: %v", err)
		default:
			fault = fmt.Sprintf("cannot be read: %v", err)
		}
	}
	switch {
	case errors.Is(err, ErrAway):
		return nil, err
	case fault == "":
		return nil, nil
	}
	return []finding{{!z.objects[sum], fmt.Sprintf("objects/%s: %s", store.Name(digest), fault)}}, nil
}

// exchangeFiles computes the digests of the exchanges, and looks for files without a line.
func (z *verifier) exchangeFiles(ctx context.Context) error {
	entries, err := os.ReadDir(z.a.exchangesDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		z.try(unlined("exchanges/"+e.Name(), func() bool {
			_, told := z.spans[e.Name()]
			return told
		}, func() error {
			_, err := os.Lstat(filepath.Join(z.a.exchangesDir(), e.Name()))
			return err
		}))
	}
	for name := range z.spans {
		counted := int64(0)
		_, err := z.try(func() ([]finding, error) {
			list, agree := z.exchangeFile(ctx, name)
			z.v.Spans += agree - counted
			counted = agree
			return list, context.Cause(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// exchangeFile computes the digests of the exchanges in a file. It returns its faults, and the
// number of spans that agree with the ledger.
func (z *verifier) exchangeFile(ctx context.Context, name string) (list []finding, agree int64) {
	add := func(left bool, format string, args ...any) {
		list = append(list, finding{left, "exchanges/" + name + fmt.Sprintf(format, args...)})
	}
	f, size, err := below.Open(z.a.exchangesDir(), name)
	if errors.Is(err, os.ErrNotExist) {
		add(false, ": is lost")
		return list, 0
	}
	if err != nil {
		add(false, ": cannot be read: %v", err)
		return list, 0
	}
	defer f.Close()
	spans := z.spans[name]
	slices.SortFunc(spans, func(a, b ledgerSpan) int { return cmp.Compare(a.offset, b.offset) })
	end := int64(0)
	for _, t := range spans {
		if ctx.Err() != nil {
			return list, agree
		}
		if t.offset != end {
			add(true, ":%d: %s without a line", end, wording.Count(t.offset-end, "octet"))
		}
		end = t.offset + t.length
		sum, err := exchange.Sum(f, t.offset, t.length)
		switch {
		case err != nil:
			add(false, ":%d: the exchanges of line %d are not there: %v", t.offset, t.seq, err)
		case sum == t.sum:
			if t.seq <= z.v.Head.Seq {
				agree++
			}
		case sum == t.was:
			add(true, ":%d: the exchanges of line %d were forgotten, and are there", t.offset, t.seq)
		default:
			add(false, ":%d: the exchanges of line %d were changed", t.offset, t.seq)
		}
	}
	if size > end {
		add(true, ":%d: %s without a line", end, wording.Count(size-end, "octet"))
	}
	return list, agree
}

// incoming computes the digests of the entries that servers handed over.
func (z *verifier) incoming(ctx context.Context) error {
	return z.a.deliveries(func(d *delivery, path string, _ fs.FileInfo) error {
		if d == nil {
			if isAside(path) {
				z.fault("%s: is damaged, and was kept aside", path)
			}
			return ctx.Err()
		}
		whole, err := z.try(func() ([]finding, error) { return z.delivered(&delivery{dir: d.dir, by: d.by, sum: d.sum}), nil })
		if whole {
			z.v.Incoming++
		}
		return cmp.Or(err, context.Cause(ctx))
	})
}

// delivered returns the fault of an entry, unless it was taken in meanwhile.
func (z *verifier) delivered(d *delivery) []finding {
	err := d.read()
	if err == nil {
		err = d.check()
	}
	if _, gone := os.Lstat(d.file(entrySuffix)); err == nil || errors.Is(gone, os.ErrNotExist) {
		return nil
	}
	return []finding{{false, d.path(entrySuffix) + ": " + err.Error()}}
}
