package archive

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
)

// A Proof is a reference with everything that an archive has to prove its outcome.
type Proof struct {
	Reference *ReferenceRecord
	Outcome   *Outcome
	Delay     Delay // of a capture; its By is "" if it is not known

	// Line is the number of the line of the outcome, and Written its time. It is 0 if there is no line.
	Line    int64
	Written time.Time

	// Stamp is the name of the first time stamp of this line or a later one; "" if there is none.
	Stamp string

	// Object and Exchange are nil if the octets of the body, and of the exchange, have the digest in the line. Other
	// errors say why not. They are ErrNoProof if the line names none, and ErrRemoved if a forget removed the octets.
	Object, Exchange error

	Forgotten bool // as in the table of [Archive.WriteCSV]

	// Records are the heads of requests and answers in the exchange, as text.
	Records []ExchangeText

	// Versions are the bodies that the reference had, the oldest first, each with its first capture. It has at most
	// [MaxVersions], and Earlier counts the ones before these.
	Versions []*Proof
	Earlier  int
}

// MaxVersions bounds the bodies of a reference that are proven together, because all of their octets are read.
const MaxVersions = 50

// An ExchangeText is a record of an exchange.
type ExchangeText struct {
	Name string // request, response, revisit or metadata
	URI  string
	Date time.Time
	Text string // at most 16 KiB of it
}

// ErrNoProof is the error of a part that a line does not name.
var ErrNoProof = errors.New("the line names none")

// ErrRemoved is the error of octets that a forget removed.
var ErrRemoved = errors.New("it was removed on purpose")

// ErrNoMessage is the error of a message that the archive does not know.
var ErrNoMessage = errors.New("the archive has no such message")

// Message returns the record of a message with a digest.
func (a *Archive) Message(sum string) (*MessageRecord, error) {
	places := a.index.message(sum)
	if len(places) == 0 {
		return nil, ErrNoMessage
	}
	m := new(MessageRecord)
	return m, a.line(places[0], m)
}

// Proofs calls f with each reference of a message and the capture that which means; of several the latest. It computes the
// digests of the bodies and exchanges anew.
func (a *Archive) Proofs(m *MessageRecord, which Which, f func(*Proof) error) error {
	refs, all, err := a.bodiesOf(m)
	if err != nil {
		return err
	}
	for _, r := range refs {
		k := newAsk(r.Key, r.Expect)
		latest := a.stateOf(r)
		p, err := a.proof(m, r, all.meant(which, k, latest))
		if err != nil {
			return err
		}
		had := all.had(k, latest)
		p.Earlier = max(0, len(had)-MaxVersions)
		for _, state := range had[p.Earlier:] {
			v, err := a.proof(m, r, state)
			if err != nil {
				return err
			}
			p.Versions = append(p.Versions, v)
		}
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

// bodiesOf returns the references of a message, and all of their captures.
func (a *Archive) bodiesOf(m *MessageRecord) (refs []*ReferenceRecord, all *versions, err error) {
	keys := make(map[string]bool)
	err = a.referencesOf(m.SHA256, func(r *ReferenceRecord) error {
		refs = append(refs, r)
		keys[r.Key] = true
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	all, err = a.versionsOf(Which{word: "all"}, keys)
	return refs, all, err
}

// proof returns the Proof of a reference with a state.
func (a *Archive) proof(m *MessageRecord, r *ReferenceRecord, state askState) (*Proof, error) {
	o, err := a.outcome(state)
	if err != nil {
		return nil, err
	}
	p := &Proof{Reference: r, Outcome: o, Object: ErrNoProof, Exchange: ErrNoProof}
	at := state.last
	var span *Span
	switch {
	case o.Capture != nil:
		at = state.captured
		span = o.Capture.Exchanges
		p.Delay = a.delay(&Row{Message: m, Reference: r, ask: newAsk(r.Key, r.Expect), state: state})
		p.Object = a.objects.Check(o.Capture.SHA256)
		if errors.Is(p.Object, fs.ErrNotExist) && a.index.flags(o.Capture.SHA256)&flagForgotten != 0 {
			p.Object = ErrRemoved
		}
	case o.Exception != nil:
		span = o.Exception.Exchanges
	}
	if at != 0 {
		l, err := a.places.At(at.place())
		if err != nil {
			return nil, err
		}
		p.Line = l.Seq
		p.Written = l.Time
		p.Stamp = a.stampAfter(l.Seq)
	}
	if span != nil {
		p.Records, p.Exchange = a.exchangeTexts(span)
		wasForgotten := at < a.index.forgotten(shortSum(r.Key)) || a.index.flags(r.Message)&flagForgotten != 0
		if errors.Is(p.Exchange, store.ErrDigest) && wasForgotten && a.isPadded(span) {
			p.Exchange = ErrRemoved
		}
	}
	p.Forgotten = a.forgets(r, cmp.Or(o.Capture, new(Capture)))
	return p, nil
}

// isPadded reports whether the octets of a span were replaced as a forget does it.
func (a *Archive) isPadded(s *Span) bool {
	file, _, err := below.Open(a.exchangesDir(), filepath.Base(s.File))
	if err != nil {
		return false
	}
	defer file.Close()
	return warc.Padded(io.NewSectionReader(file, s.Offset, s.Length), s.Length)
}

// stampAfter returns the name of the first time stamp of a line or a later one; "" if there is none.
func (a *Archive) stampAfter(seq int64) (name string) {
	names, _ := filepath.Glob(filepath.Join(a.stampsDir(), "*.tsr"))
	first := int64(0)
	for _, path := range names {
		h, err := stampName(filepath.Base(path))
		if err != nil || h.Seq < seq {
			continue
		}
		if first == 0 || h.Seq < first {
			name = filepath.Base(path)
			first = h.Seq
		}
	}
	return name
}

// maxExchangeText bounds the text of a record that is shown, in octets.
const maxExchangeText = 16 << 10

// exchangeTexts returns the records of a span, and an error if its octets have another digest.
func (a *Archive) exchangeTexts(s *Span) (list []ExchangeText, err error) {
	file, _, err := below.Open(a.exchangesDir(), filepath.Base(s.File))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum, err := exchange.Sum(file, s.Offset, s.Length)
	if err == nil && hex.EncodeToString(sum[:]) != s.SHA256 {
		err = store.ErrDigest
	}
	if err != nil {
		return nil, err
	}
	for r := warc.NewReader(io.NewSectionReader(file, s.Offset, s.Length), exchange.MaxBlock); ; {
		rec, _, err := r.Next()
		if err != nil {
			return list, nil // the digest agrees, whatever the octets are
		}
		if rec.Type == warc.Info || rec.ContentType == exchange.EntryType {
			continue
		}
		text := rec.Block
		if head, _, ok := bytes.Cut(text, []byte("\r\n\r\n")); ok && rec.Type != warc.Metadata {
			text = head
		}
		text = bytes.ToValidUTF8(text[:min(len(text), maxExchangeText)], []byte("\uFFFD"))
		list = append(list, ExchangeText{rec.Type, rec.URI, rec.Date, string(text)})
	}
}

// Object opens an object for reading in any order, after its digest was compared.
func (a *Archive) Object(sum string) (*store.Held, error) { return a.objects.Hold(sum) }

// Changed reports whether the ledger has other lines than the Archive.
func (a *Archive) Changed() bool {
	names, err := ledger.Files(a.ledgerDir())
	if err != nil || len(names) == 0 {
		return err != nil
	}
	last := filepath.Join(a.ledgerDir(), names[len(names)-1])
	info, err := os.Stat(last)
	next := a.next()
	return err != nil || next.File != names[len(names)-1] || next.Offset != info.Size()
}

// Captured returns the capture of the reference of a message with a number, counted from 0: the one that which means, or, if
// version is not 0, the first one of the body with that number, counted from 1. It returns nil if there is none.
func (a *Archive) Captured(m *MessageRecord, number, version int, which Which) (*Capture, error) {
	refs, all, err := a.bodiesOf(m)
	if err != nil || number < 0 || number >= len(refs) {
		return nil, err
	}
	k := newAsk(refs[number].Key, refs[number].Expect)
	latest, _ := a.index.ask(k)
	state := all.meant(which, k, latest)
	if version != 0 {
		had := all.had(k, latest)
		if version < 0 || version > len(had) {
			return nil, nil
		}
		state = had[version-1]
	}
	o, err := a.outcome(state)
	return o.Capture, err
}

// Visible makes a text of strangers fit for a page: control characters become spaces, and marks that change the
// direction of the text U+FFFD.
func Visible(s string) string { return visible(s) }
