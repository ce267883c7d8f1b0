package archive

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/wording"
)

// ErrHeld is the error of a Forget that would remove something that is held.
var ErrHeld = errors.New("it is held")

// ErrSeveral is the error of a Forget whose selector names a message and fits several.
var ErrSeveral = errors.New("the selector fits several messages")

// ErrNothing is the error of a selector that selects nothing.
var ErrNothing = errors.New("nothing is selected")

// ErrReason is the error of a reason or selector that is longer than [MaxReason], and of a
// reason that is not UTF-8.
var ErrReason = errors.New("the reason is too long, or is no text")

// MaxReason bounds the reason of a Hold or Forget, and the selector, in octets.
const MaxReason = 64 << 10

// checkReason returns an error if a line cannot have the reason and the selector.
func checkReason(why string, sel *Selector) error {
	switch n := len(sel.String()); {
	case n > MaxReason:
		return fmt.Errorf("%w: the selector has %s, at most %d", ErrReason, wording.Count(n, "octet"), MaxReason)
	case len(why) > MaxReason:
		return fmt.Errorf("%w: %s, at most %d", ErrReason, wording.Count(len(why), "octet"), MaxReason)
	case !utf8.ValidString(why):
		return fmt.Errorf("%w: it is not UTF-8", ErrReason)
	}
	return nil
}

// maxNamed bounds the names in one line of a Hold or Forget, so that it is shorter than
// MaxLine. More names need more lines.
const maxNamed = 5000

// piece returns the part of a list that line i has. It is never nil.
func piece[T any](list []T, i int) []T {
	return append([]T{}, list[min(i*maxNamed, len(list)):min((i+1)*maxNamed, len(list))]...)
}

// Hold protects from Forget the messages and bodies that sel selects, and the exchanges of
// the references. With release it ends such a hold: each hold needs a release of its own.
// It returns the number of objects. The error is ErrNothing if nothing is selected, and ErrShared if a hold would end while
// another folder writes to the objects.
func (a *Archive) Hold(sel *Selector, why string, release bool) (int, error) {
	h := &Hold{Selector: sel.String(), Reason: why, Release: release}
	if err := checkReason(why, sel); err != nil {
		return 0, err
	}
	chosen, err := a.choose(sel)
	if err != nil {
		return 0, err
	}
	h.Objects = slices.Sorted(maps.Keys(chosen.objects))
	h.Keys = slices.Sorted(maps.Keys(chosen.keys))
	if len(h.Objects)+len(h.Keys) == 0 {
		return 0, ErrNothing
	}
	if release {
		if err := a.alone(); err != nil {
			return 0, err
		}
	}
	return len(h.Objects), a.appendRun("hold", h.entries()...)
}

// A Preview counts the messages and bodies that a Hold, its release or a Forget would select.
type Preview struct {
	Messages int   // that are objects
	Bodies   int   // that are objects
	Octets   int64 // of both
	Of       int   // messages that are selected, or have selected references
	Senders  []Sender
}

// A Sender is an address, and how many of the messages that [Preview].Of counts are from it. The address is "" if a
// message has none.
type Sender struct {
	Address  string
	Messages int
}

// Preview returns the numbers of a selection as [Archive.Hold] would make it. The error is ErrNothing if nothing is
// selected.
func (a *Archive) Preview(sel *Selector) (*Preview, error) {
	c, err := a.choose(sel)
	if err != nil {
		return nil, err
	}
	if len(c.objects)+len(c.keys) == 0 {
		return nil, ErrNothing
	}
	var objects []Removed
	for sum, o := range c.objects {
		objects = append(objects, Removed{SHA256: sum, Size: o.size})
	}
	return newPreview(slices.Collect(maps.Values(c.messages)), objects), nil
}

// Preview returns the numbers of the messages and bodies that were or would be forgotten.
func (g *Forgetting) Preview() *Preview { return newPreview(g.Messages, g.Objects) }

// newPreview counts messages and objects, with the senders of most messages first.
func newPreview(messages []*MessageRecord, objects []Removed) *Preview {
	p := &Preview{Of: len(messages)}
	isMessage := make(map[string]bool)
	from := make(map[string]int)
	for _, m := range messages {
		isMessage[m.SHA256] = true
		address := ""
		if list := addresses(m.From); len(list) > 0 {
			address = strings.ToLower(list[0])
		}
		from[address]++
	}
	for _, o := range objects {
		p.Octets += o.Size
		if isMessage[o.SHA256] {
			p.Messages++
		} else {
			p.Bodies++
		}
	}
	for address, n := range from {
		p.Senders = append(p.Senders, Sender{address, n})
	}
	slices.SortFunc(p.Senders, func(a, b Sender) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), cmp.Compare(a.Address, b.Address))
	})
	return p
}

func (h *Hold) entries() (entries []ledger.Entry) {
	for i := 0; i*maxNamed < max(len(h.Objects), len(h.Keys)); i++ {
		part := *h
		part.Objects = piece(h.Objects, i)
		part.Keys = piece(h.Keys, i)
		entries = append(entries, ledger.Entry{Kind: kindHold, Body: &part})
	}
	return entries
}

// appendRun writes lines in a run of their own.
func (a *Archive) appendRun(command string, entries ...ledger.Entry) error {
	if err := a.begin(command, ""); err != nil {
		return err
	}
	if err := a.append(entries...); err != nil {
		return err
	}
	return a.end(&Run{Command: command})
}

// A choice is the selection of a selector for Hold and Forget.
type choice struct {
	keys     map[string]int            // of references, and how many references with the key are not selected
	messages map[string]*MessageRecord // the ones that are selected or have selected references, by digest
	urls     map[string][]string       // by key
	earlier  int                       // of the selected references, as in Row.isEarlier

	objects map[string]object // that are there
	spans   map[Span]bool     // whether it is needed, as in object
}

// An object is one of a choice.
type object struct {
	size   int64
	needed bool // by a message, reference or capture that is not selected
}

// choose returns the selection of sel: the keys of the references that fit, all captures of
// these keys, and the exchanges of all attempts. If all terms are about messages, the messages
// themselves are selected too.
func (a *Archive) choose(sel *Selector) (*choice, error) {
	c := &choice{
		keys:     make(map[string]int),
		messages: make(map[string]*MessageRecord),
		urls:     make(map[string][]string),
		objects:  make(map[string]object),
		spans:    make(map[Span]bool),
	}
	m, err := a.matching(sel)
	if err != nil {
		return nil, err
	}
	err = a.matches(sel, func(r *Row) error {
		if r.isEarlier {
			c.earlier++
		}
		c.keys[r.Reference.Key]--
		c.messages[r.Message.SHA256] = r.Message
		c.urls[r.Reference.Key] = append(c.urls[r.Reference.Key], r.Reference.URL)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if a.ledger != nil { // of a ledger that is not whole it is not known which lines are needed
		if err := a.Whole(); err != nil {
			return nil, err
		}
	}
	z := &chooser{
		choice: c, a: a, needed: make(map[string]bool), others: make(map[string][]string), gone: make(map[Span]bool),
	}
	if sel.ofMessages() {
		z.matching = m
	}
	// Captures of these keys count for all references, also those before the latest.
	err = a.lines(func(_ *ledger.Line, record any) error {
		return z.line(record)
	}, kindMessage, kindReference, kindCapture, kindException, kindForget)
	if serr := z.end(); serr != nil {
		return nil, serr
	}
	return c, err
}

// A chooser completes a choice, which has the references, by the lines of the ledger.
type chooser struct {
	*choice
	a        *Archive
	matching *matching // nil if no message is selected itself

	needed   map[string]bool     // digests of objects
	others   map[string][]string // digests of the objects of attempts of other keys, by key
	attempts []choiceAttempt
	gone     map[Span]bool // spans that were overwritten, by file and offset
}

// A choiceAttempt is an attempt of a key of a choice.
type choiceAttempt struct {
	key, sum string
	span     *Span
}

func (z *chooser) line(record any) error {
	switch r := record.(type) {
	case *MessageRecord:
		return z.message(r)
	case *ReferenceRecord:
		if z.a.index.isReplaced(r) {
			return nil
		}
		_, isSelected := z.keys[r.Key]
		counts := z.messages[r.Message] != nil || z.a.index.flags(r.Message)&flagForgotten == 0
		if isSelected && counts {
			z.keys[r.Key]++
		}
	case *Forget:
		for _, key := range r.Keys {
			delete(z.others, key)
		}
		for _, x := range r.Exchanges {
			z.gone[Span{File: x.File, Offset: x.Offset}] = true
		}
	default:
		f, sum := attempted(record)
		if _, ok := z.keys[f.Key]; ok {
			z.attempts = append(z.attempts, choiceAttempt{f.Key, sum, f.Exchanges})
			z.urls[f.Key] = append(append(z.urls[f.Key], f.Hops...), f.FinalURL)
		} else if f.Key != "" {
			z.others[f.Key] = append(z.others[f.Key], sum)
		}
	}
	return nil
}

// message selects the object of a message that fits. Otherwise it is needed.
func (z *chooser) message(r *MessageRecord) error {
	if !r.Stored {
		return nil
	}
	fits := false
	if z.matching != nil {
		var err error
		fits, _, err = z.matching.message(r)
		if err != nil {
			return err
		}
	}
	if !fits {
		z.needed[r.SHA256] = true
		return nil
	}
	z.objects[r.SHA256] = object{}
	z.messages[r.SHA256] = r
	return nil
}

// end selects the objects and spans of the attempts, after the last line. The error is one of the bucket.
func (z *chooser) end() error {
	for _, sums := range z.others {
		for _, sum := range sums {
			z.needed[sum] = true
		}
	}
	for _, m := range z.attempts {
		shared := z.keys[m.key] > 0
		z.objects[m.sum] = object{}
		z.needed[m.sum] = z.needed[m.sum] || shared
		if m.span != nil && !z.gone[Span{File: m.span.File, Offset: m.span.Offset}] {
			z.spans[*m.span] = shared
		}
	}
	for sum := range z.objects {
		size, err := z.a.objects.Stat(store.Name(sum))
		switch {
		case errors.Is(err, ErrAway):
			return err
		case err != nil:
			delete(z.objects, sum)
		default:
			z.objects[sum] = object{size, z.needed[sum]}
		}
	}
	return nil
}

// ForgetOptions are for [Archive.Forget].
type ForgetOptions struct {
	Reason string // is in the ledger for ever

	// AllMatches allows a selector that names a message, and fits several. Anyone can
	// send a message with the Message-ID of another one.
	AllMatches bool

	// DryRun removes and writes nothing.
	DryRun bool

	// First is called before anything is removed, if it is not nil. If it returns an
	// error, nothing is removed, and Forget returns that.
	First func(*Forgetting) error
}

// A Forgetting lists the objects, exchanges, keys and messages of a Forget.
type Forgetting struct {
	Forget

	// Messages are the ones that are selected themselves or have selected references, in
	// the order of their digests.
	Messages []*MessageRecord

	// URLs belong to the Keys: in the messages, and the ones that were asked for.
	URLs []string
}

// Forget removes the objects and exchanges that sel selects, and records their digests and
// the reason. Bodies that other messages refer to stay, and so do objects of
// other captures. References that are forgotten are not asked for again unless a Retry
// selects them.
//
// The lines of the ledger stay as they are, with the senders, subjects and URLs in them.
// They prove which messages and bodies there were.
//
// The error is one of these, and then nothing was removed:
//
//   - ErrSeveral, if sel has the term message= and fits several messages
//   - ErrHeld, if an object or reference that would be removed is held; the error names the hold
//   - ErrNothing, if nothing is selected
//   - ErrShared, if another folder has written to the objects
func (a *Archive) Forget(sel *Selector, o *ForgetOptions) (*Forgetting, error) {
	if err := checkReason(o.Reason, sel); err != nil {
		return nil, err
	}
	c, err := a.choose(sel)
	if err != nil {
		return nil, err
	}
	if len(c.objects)+len(c.spans)+len(c.keys) == 0 {
		return nil, ErrNothing
	}
	g := &Forgetting{Forget: Forget{
		Selector: sel.String(),
		Reason:   o.Reason,
		Objects:  []Removed{},
		At:       a.now().UTC().Truncate(time.Second),
	}}
	for _, sum := range slices.Sorted(maps.Keys(c.messages)) {
		g.Messages = append(g.Messages, c.messages[sum])
	}
	several := sel.names("message") && len(g.Messages) > 1
	if several && !o.AllMatches && !o.DryRun {
		return g, ErrSeveral
	}
	if err := a.removable(c, &g.Forget); err != nil || o.DryRun {
		return g, err
	}
	if err := a.alone(); err != nil {
		return nil, err
	}
	for _, key := range g.Keys {
		g.URLs = append(g.URLs, c.urls[key]...)
	}
	if o.First != nil {
		if err := o.First(g); err != nil {
			return nil, err
		}
	}
	// An index of texts would have the words for as long as it is there. It goes before the lines, so that a run
	// which is killed between them leaves no word of an object that is forgotten by the ledger.
	if err := a.forgetTexts(); err != nil {
		return nil, err
	}
	// The lines come first. If this is killed after them, the next Open removes the rest,
	// and until then Verify reports the octets that are still there.
	if err := a.begin("forget", ""); err != nil {
		return nil, err
	}
	if err := a.append(g.entries()...); err != nil {
		return nil, err
	}
	if err := errors.Join(a.remove(&g.Forget), a.objects.Abort()); err != nil {
		return nil, err
	}
	return g, a.end(&Run{Command: "forget"})
}

// removable lists in g the removable part of a choice. The error is ErrHeld if some of it is
// held.
func (a *Archive) removable(c *choice, g *Forget) error {
	for _, key := range slices.Sorted(maps.Keys(c.keys)) {
		if c.keys[key] > 0 {
			continue
		}
		if a.index.holds(key) > 0 {
			return a.heldBy("the reference with the key", key)
		}
		g.Keys = append(g.Keys, key)
	}
	for _, sum := range slices.Sorted(maps.Keys(c.objects)) {
		if c.objects[sum].needed {
			continue
		}
		if a.index.holds(sum) > 0 {
			return a.heldBy("object", sum)
		}
		g.Objects = append(g.Objects, Removed{SHA256: sum, Size: c.objects[sum].size})
	}
	for s, needed := range c.spans {
		if needed {
			continue
		}
		pad := g.padding(s.Length)
		if pad == nil {
			return fmt.Errorf("exchanges/%s:%d: is too short to be replaced", s.File, s.Offset)
		}
		g.Exchanges = append(g.Exchanges, Removed{
			SHA256: s.SHA256,
			Size:   s.Length,
			File:   s.File,
			Offset: s.Offset,
			Now:    digest(string(pad)),
		})
	}
	slices.SortFunc(g.Exchanges, func(a, b Removed) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset)) })
	return nil
}

// heldBy returns an ErrHeld that names the hold of an object or key.
func (a *Archive) heldBy(sort, name string) error {
	holds, err := a.Holds()
	if err != nil {
		return err
	}
	for _, h := range holds {
		if slices.Contains(h.Objects, name) || slices.Contains(h.Keys, name) {
			return fmt.Errorf("%s %s: %w, since %s, selected by %q: %s",
				sort, name, ErrHeld, h.Time.Format(time.DateOnly), h.Selector, h.Reason)
		}
	}
	return fmt.Errorf("%s %s: %w", sort, name, ErrHeld)
}

// A Holding is a Hold that is in force, with the objects and keys that were not released
// since.
type Holding struct {
	Hold
	Time time.Time
}

// Holds returns the holds that are in force, the oldest first. A release ends the oldest
// hold of each object and key.
func (a *Archive) Holds() ([]*Holding, error) {
	var list []*Holding
	owners := make(map[string][]*Holding) // by object or key, the oldest first
	gone := make(map[*Holding]map[string]bool)
	err := a.lines(func(l *ledger.Line, record any) error {
		h := &Holding{*record.(*Hold), l.Time}
		names := slices.Concat(h.Objects, h.Keys)
		if h.Release {
			for _, name := range names {
				if q := owners[name]; len(q) > 0 {
					gone[q[0]][name] = true
					owners[name] = q[1:]
				}
			}
			return nil
		}
		if n := len(list); n > 0 && list[n-1].Time.Equal(h.Time) && list[n-1].Selector == h.Selector { // a hold of several lines
			list[n-1].Objects = append(list[n-1].Objects, h.Objects...)
			list[n-1].Keys = append(list[n-1].Keys, h.Keys...)
			h = list[n-1]
		} else {
			list = append(list, h)
			gone[h] = make(map[string]bool)
		}
		for _, name := range names {
			owners[name] = append(owners[name], h)
		}
		return nil
	}, kindHold)
	return slices.DeleteFunc(list, func(h *Holding) bool {
		released := func(name string) bool { return gone[h][name] }
		h.Objects = slices.DeleteFunc(h.Objects, released)
		h.Keys = slices.DeleteFunc(h.Keys, released)
		return len(h.Objects)+len(h.Keys) == 0
	}), err
}

func (g *Forget) entries() (entries []ledger.Entry) {
	for i := 0; i == 0 || i*maxNamed < max(len(g.Objects), len(g.Exchanges), len(g.Keys)); i++ {
		part := *g
		part.Objects = piece(g.Objects, i)
		part.Exchanges = piece(g.Exchanges, i)
		part.Keys = piece(g.Keys, i)
		entries = append(entries, ledger.Entry{Kind: kindForget, Body: &part})
	}
	return entries
}

// padding returns the octets that replace exchanges; nil if size is too small.
// They have as much of the reason as there is room for.
func (g *Forget) padding(size int64) []byte {
	// A reason that is far too long for its room is not tried.
	for reason := g.Reason[:min(int64(len(g.Reason)), size)]; ; reason = reason[:len(reason)*3/4] {
		text := strings.ToValidUTF8(reason, "") // without half a character at its end
		if pad := warc.Padding(int(size), g.At, "removed: "+text); pad != nil || reason == "" {
			return pad
		}
	}
}

// remove removes the objects and exchanges that g lists, and the entries of its keys that servers handed
// over. It may be called again for the same g.
func (a *Archive) remove(g *Forget) error {
	if err := a.forgetTexts(); err != nil {
		return err
	}
	for _, r := range g.Objects {
		if err := a.objects.Remove(store.Name(r.SHA256)); err != nil {
			return err
		}
	}
	for _, r := range g.Exchanges {
		f, err := below.OpenFile(a.exchangesDir(), filepath.Base(r.File), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(g.padding(r.Size), r.Offset)
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return a.dropIncoming(g.Keys)
}
