package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// maxProbes is how many objects a run looks for after it missed one.
const maxProbes = 10

// probe looks for an object of the ledger that is drawn by lot, and for those that earlier runs
// missed. One that is lost is an exception. The error is ErrGone if more of them are drawn, and
// none is there.
func (s *syncer) probe() error {
	if err := s.a.objects.Abort(); err != nil {
		return err
	}
	for _, name := range s.a.index.lost() {
		switch there, err := s.there(strings.TrimPrefix(name, lostPrefix)); {
		case err != nil:
			return err
		case there:
			s.add(kindException, &Exception{File: name, Resolved: true})
		default:
			s.res.Lost = append(s.res.Lost, name)
		}
	}
	seen := make(map[string]bool)
	for n := 0; n <= maxProbes; n++ {
		sum, err := s.a.drawn()
		if err != nil {
			return err
		}
		if sum == "" {
			break // nothing is stored
		}
		there, err := s.there(store.Name(sum))
		if err != nil {
			return err
		}
		if there {
			return s.flush()
		}
		if name := lostPrefix + filepath.ToSlash(store.Name(sum)); !seen[name] {
			seen[name] = true
			s.missing(name)
		}
	}
	if err := s.flush(); err != nil || len(seen) == 0 {
		return err
	}
	return ErrGone
}

func (s *syncer) there(name string) (bool, error) {
	_, err := s.a.objects.Stat(filepath.FromSlash(name))
	if errors.Is(err, ErrAway) {
		return false, err
	}
	return err == nil, nil
}

// missing writes the exception of an object that is lost, unless it has one.
func (s *syncer) missing(name string) {
	s.res.Exceptions++
	e := &Exception{
		File:     name,
		Reason:   Unknown,
		Kind:     "local",
		Error:    "the object is lost",
		Attempts: 1,
		First:    s.a.now().UTC().Truncate(time.Second),
	}
	if _, known := s.a.index.ask(fileAsk(e)); known {
		return
	}
	s.res.New++
	s.res.Lost = append(s.res.Lost, name)
	s.add(kindException, e)
}

// source brings the archive up to one source.
func (s *syncer) source(src Source) error {
	rec := &SourceRecord{Source: src.Name()}
	s.batch.messages = make(map[string]bool)
	s.fixed = make(map[ask]*Exception)
	s.outdated = string(s.a.index.get(sourceKey(rec.Source))) != s.rules
	s.missed = false
	read := false // to its end
	s.back = ""
	if f, ok := src.(*files); ok {
		f.opened = func(path string) { s.opened(rec.Source, path) }
	}
	s.looks = s.a.looksAt(src, s.o.All)
	if s.outdated || s.o.VerifySources {
		s.looks.distrust()
	}
	defer func() { s.looks.end(read) }()
	before := s.resume(src)
	broken, err := s.items(src, rec)
	if err != nil {
		return err
	}
	s.looks.count(rec)
	s.res.Unopened += s.looks.total()
	if broken == nil {
		s.readAgain(&Sighting{Source: rec.Source})
	}
	for _, e := range s.fixed {
		if e != nil {
			s.add(kindException, e)
		}
	}
	s.marked(src, before, rec, broken == nil)
	err = s.sourceLine(src, rec, broken)
	read = err == nil && broken == nil
	return err
}

// items takes the messages of a source. broken is the reason why the source cannot be read to its end, and err ends
// the run.
func (s *syncer) items(src Source, rec *SourceRecord) (broken, err error) {
	for it, err := range src.Messages(s.ctx, s.known) {
		if s.ctx.Err() != nil {
			it.Close()
			return nil, errors.Join(s.flush(), context.Cause(s.ctx))
		}
		if err != nil && !it.ofOne() {
			it.Close()
			return err, nil
		}
		if s.onlyCounts(it, rec, err) {
			it.Close()
			continue
		}
		err = s.takeItem(it, rec, err)
		it.Close()
		if err != nil {
			return nil, errors.Join(err, s.flush())
		}
		if s.batch.isFull(s.a.now()) {
			if err := s.flush(); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// onlyCounts counts an item, which could not be read if err is not nil. It reports whether that is all: the message
// has left the source, or is older than the ones that are wanted.
func (s *syncer) onlyCounts(it *Item, rec *SourceRecord, err error) (done bool) {
	if it.File != "" && mayHoldMail(err) {
		s.res.NotRead = append(s.res.NotRead, it.File+": "+err.Error())
	}
	if it.Gone {
		s.removed(it, rec)
		return true
	}
	if it.Joined == nil {
		rec.Exists++
	}
	if it.Refetched {
		s.res.Refetched++
	}
	if err != nil || !it.Older {
		return false
	}
	rec.Older++
	s.looks.add(it, lookOlder)
	return true
}

// takeItem takes an item, which could not be read if err is not nil. The error that it returns is one of this machine.
func (s *syncer) takeItem(it *Item, rec *SourceRecord, err error) error {
	if err == nil {
		if it.Joined == nil {
			err = s.item(it, rec)
		} else {
			err = s.joined(it)
		}
		if l, ok := errors.AsType[*localError](err); ok {
			return l.error
		}
	}
	switch {
	case err != nil:
		s.unread(it, err)
		if it.Joined == nil {
			rec.Excepted++
		}
	case it.Joined == nil:
		rec.Seen++
		s.looks.add(it, s.lookState(it))
	}
	return nil
}

// sourceLine completes the record of a source, and writes it unless it is quiet. broken is the reason why the source
// could not be read to its end.
func (s *syncer) sourceLine(src Source, rec *SourceRecord, broken error) error {
	announced, validity := src.Exists()
	rec.UIDValidity = validity
	if announced >= 0 {
		rec.Exists = announced
	}
	presence := s.a.index.presence(rec.Source)
	if broken != nil && presence == sourceGone && rec.Exists == 0 {
		rec.Gone = true
		s.res.Sources = append(s.res.Sources, *rec)
		return s.flush()
	}
	if n, ok := src.(interface{ NoMail() int64 }); ok {
		rec.NoMail = n.NoMail()
	}
	if broken == nil && rec.Seen+rec.Excepted+rec.Older == 0 {
		rec.Emptied = presence == sourceHasMail || presence == sourceHadMail
		s.res.NewlyEmptied = s.res.NewlyEmptied || presence == sourceHasMail
	}
	if broken != nil {
		rec.Error = broken.Error()
		s.unread(&Item{Sighting: Sighting{Source: rec.Source}}, broken)
	}
	// Where nothing is, a disk may not be mounted.
	if broken == nil && !s.missed && rec.Seen > 0 {
		rec.Rules = s.rules
	}
	s.res.Unaccounted += max(0, rec.Unaccounted())
	if s.a.index.quiet(rec) {
		s.res.Quiet++
	} else {
		s.add(kindSource, rec)
	}
	s.res.Sources = append(s.res.Sources, *rec)
	return s.flush()
}

// mayHoldMail reports whether an error is one of a file or folder that may hold mail, and that another run will not read
// either.
func mayHoldMail(err error) bool {
	_, ofReference := errors.AsType[*fetch.Error](err) // a line of references
	passes := ofReference || errors.Is(err, mailbox.ErrChanged)
	return err != nil && !passes && !errors.Is(err, mailbox.ErrNotMail)
}

// gone writes that a source has gone. Its exception is over.
func (s *syncer) gone(name string) {
	e := &Exception{Source: name, Resolved: true}
	if _, had := s.a.index.ask(fileAsk(e)); had {
		s.add(kindException, e)
	}
	s.add(kindSource, &SourceRecord{Source: name, Gone: true})
}

// resume lets a source yield the changes alone since the run that saw all of its messages, and returns the
// record of that run. It returns nil if all messages have to be looked at: they were read by other rules, or
// some are not stored that should be.
func (s *syncer) resume(src Source) *SourceRecord {
	r, ok := src.(Resumable)
	if !ok || s.outdated {
		return nil
	}
	before := s.a.index.state(src.Name())
	if before == nil || s.o.All && before.Stored != before.Seen {
		return nil
	}
	r.Resume(Mark{before.State, before.Seen})
	return before
}

// removed takes a message that has left a source out of the counts.
func (s *syncer) removed(it *Item, rec *SourceRecord) {
	rec.Exists--
	rec.Seen--
	if s.sawStored(s.a.index.get(sightingKey(&it.Sighting))) {
		rec.Stored--
	}
}

// marked completes the record of a source. It has a state if the source was read to its end and all messages
// were seen.
func (s *syncer) marked(src Source, before, rec *SourceRecord, ended bool) {
	r, ok := src.(Resumable)
	if !ok {
		return
	}
	state, resumed := r.State()
	if resumed {
		rec.Exists += before.Exists
		rec.Seen += before.Seen
		rec.Stored += before.Stored
	}
	allSeen := rec.Excepted == 0 && rec.Older == 0 && rec.Exists == rec.Seen
	if ended && !s.missed && allSeen {
		rec.State = state
	}
}

// known implements the function of [Source].Messages. With All, a message that is not an
// object counts as not seen.
func (s *syncer) known(at *Sighting) Known {
	m := s.a.index.get(sightingKey(at))
	switch {
	case m == nil && s.movedHere(at):
		return Elsewhere
	case m == nil:
		return Unseen
	case s.sawStored(m):
		return Seen
	case s.o.All:
		return Unseen
	case s.outdated:
		return Outdated
	}
	return Seen
}

// movedHere reports whether a message with the EmailID of a place was seen at another one, and need not be read: it
// is stored, or the rules of now found no references in it.
func (s *syncer) movedHere(at *Sighting) bool {
	message, rules := s.a.index.email(at)
	if message != "" && s.stored(message) {
		return true
	}
	return rules == s.rules && !s.o.All
}

// unread counts a file or message that cannot be read, and writes an exception if it has
// none yet.
func (s *syncer) unread(it *Item, err error) {
	kind := fetch.KindOfFetch(err)
	switch {
	case errors.Is(err, mailbox.ErrNotMail), errors.Is(err, mailbox.ErrUnread),
		errors.Is(err, mailbox.ErrCR), errors.Is(err, mailbox.ErrInflated):
		kind = fetch.Unsupported
	}
	e := &Exception{
		Source:   it.Source,
		File:     it.File,
		UID:      it.UID,
		EmailID:  it.EmailID,
		Reason:   reason(kind, 0),
		Kind:     kind.Error(),
		Error:    err.Error(),
		Attempts: 1,
		First:    s.a.now().UTC().Truncate(time.Second),
	}
	s.fixed[fileAsk(e)] = nil
	s.res.Exceptions++
	if _, known := s.a.index.ask(fileAsk(e)); known {
		return
	}
	s.res.New++
	s.missed = true
	s.looks.remove()
	s.add(kindException, e)
}

// readAgain notes that a file, a message or all of a source can be read, and reports whether
// it has an exception.
func (s *syncer) readAgain(at *Sighting) bool {
	e := &Exception{Source: at.Source, File: at.File, UID: at.UID, EmailID: at.EmailID, Resolved: true}
	a := fileAsk(e)
	if _, noted := s.fixed[a]; !noted {
		if _, had := s.a.index.ask(a); !had {
			return false
		}
		s.fixed[a] = e
	}
	return s.fixed[a] != nil
}

// opened notes that a file or folder of a source can be opened. If the source was read by other rules meanwhile, the
// messages in it were not.
func (s *syncer) opened(source, path string) {
	at := &Sighting{Source: source, File: pathText(sightedFile(path))}
	if !s.readAgain(at) || s.isBack(at.File) {
		return
	}
	if isMaildirFile(filepath.Join(path, "x")) {
		path = filepath.Dir(path)
	}
	s.back = strings.TrimSuffix(pathText(path), `"`)
}

// isBack reports whether a file is in a folder or archive that an earlier run could not open.
func (s *syncer) isBack(file string) bool { return s.back != "" && strings.HasPrefix(file, s.back) }

// item takes a message. A *localError ends the run. Another error concerns the message
// alone.
func (s *syncer) item(it *Item, rec *SourceRecord) error {
	excepted := s.readAgain(&it.Sighting)
	if it.Content == nil {
		s.countUnread(slices.Values(it.Unread))
		switch s.known(&it.Sighting) {
		case Outdated:
			s.res.Reread++
			return nil
		case Elsewhere:
			it.Message, _ = s.a.index.email(&it.Sighting)
			if it.Message != "" && s.stored(it.Message) {
				rec.Stored++
			}
			s.add(kindSighting, &it.Sighting)
			s.res.Sightings++
			return nil
		case Unseen:
			it.UnreadParts = newUnreadParts(slices.Values(it.Unread))
			s.add(kindSighting, &it.Sighting)
			s.res.Sightings++
			return nil
		}
		if s.sawStored(s.a.index.get(sightingKey(&it.Sighting))) {
			rec.Stored++
		}
		return nil
	}
	r, err := it.Content()
	if err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	it.Message = hex.EncodeToString(h.Sum(nil))
	it.Size = r.Size()
	stored := s.stored(it.Message)
	short := shortSum(it.Message)
	isLatest := string(s.a.index.get(sightingKey(&it.Sighting))) == short
	sighted := isLatest || s.a.index.get(fileKey(&it.Sighting, short)) != nil
	// At another place, and in a file that could not be read or had other octets for a while, the message may have been
	// read by other rules than the source.
	wasAway := excepted || s.isBack(it.File) || !isLatest && it.Offset == 0
	otherRules := s.outdated || s.o.VerifySources || !sighted || wasAway
	if !stored && (s.o.All || otherRules) {
		stored, err = s.message(it, r)
		if err != nil {
			return err
		}
	}
	if stored {
		rec.Stored++
	}
	if !sighted {
		s.add(kindSighting, &it.Sighting)
		s.res.Sightings++
	}
	return nil
}

// joined takes the other reading of a message, if it has references that the messages in
// its octets do not have. It is stored with them.
func (s *syncer) joined(it *Item) error {
	r, err := it.Content()
	if err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	it.Message = hex.EncodeToString(h.Sum(nil))
	it.Size = r.Size()
	if s.stored(it.Message) {
		return nil
	}
	only, err := OnlyJoined(it.Joined, func(r *io.SectionReader) (*externalbody.Message, error) {
		return externalbody.Open(r, r.Size(), s.o.Open)
	})
	if err != nil || len(only) == 0 {
		return err
	}
	m, refs, err := s.parse(it.Message, r, it.Arrived)
	if err != nil {
		return err
	}
	ids := make(map[string]bool)
	for _, ref := range only {
		ids[ref.ID] = true
	}
	refs = slices.DeleteFunc(refs, func(r *ReferenceRecord) bool { return !ids[r.Ref] })
	if err := s.store(it.Message, r); err != nil {
		return err
	}
	m.Stored = true
	s.addMessage(m, refs)
	s.add(kindSighting, &it.Sighting)
	s.res.Sightings++
	return nil
}

// stored reports whether the octets of a message are an object, or were one that was
// forgotten. A message that was forgotten is not stored again because it is seen again.
func (s *syncer) stored(sum string) bool {
	return s.a.index.flags(sum)&flagStored != 0 || s.batch.messages[sum]
}

func (s *syncer) lookState(it *Item) lookState {
	if s.stored(it.Message) {
		return lookStored
	}
	return lookRead
}

// sawStored reports whether the message of a sighting in the index was stored.
func (s *syncer) sawStored(sighting []byte) bool {
	return parseObject(s.a.index.get("o"+string(sighting))).flags&flagStored != 0
}

// parse returns the records of a message and of its references. internal is when it came to its mailbox, or zero.
func (s *syncer) parse(sum string, r *io.SectionReader, internal time.Time) (*MessageRecord, []*ReferenceRecord, error) {
	msg, err := externalbody.Open(r, r.Size(), s.o.Open)
	if err != nil {
		return nil, nil, err
	}
	s.countUnread(msg.Unread())
	m := describeMessage(sum, r)
	m.UnreadParts = newUnreadParts(msg.Unread())
	if m.Received.IsZero() {
		m.Internal = internal
	}
	if err := msg.Incomplete(); err != nil {
		m.Limit = err.Error()
	}
	var refs []*ReferenceRecord
	for ref := range msg.References() {
		record := s.describe(sum, ref)
		if record.Account != "" {
			record.askAsOf(record.Account, m)
		}
		refs = append(refs, record)
	}
	return m, refs, nil
}

func (s *syncer) countUnread(parts iter.Seq[externalbody.UnreadPart]) {
	for p := range parts {
		s.res.Unread[p.Reason]++
	}
}

func (s *syncer) addMessage(m *MessageRecord, refs []*ReferenceRecord) {
	m.References = len(refs)
	s.batch.messages[m.SHA256] = m.Stored
	s.add(kindMessage, m)
	for _, r := range refs {
		s.add(kindReference, r)
		if s.a.index.keyForgotten(shortSum(r.Key)) {
			s.res.New++ // nobody asks for it again
		}
	}
	s.res.References += int64(len(refs))
}

// message stores a message that is not an object, if it has references, was not read to its
// end, or all are wanted, and writes its lines.
func (s *syncer) message(it *Item, r *io.SectionReader) (stored bool, err error) {
	sum := it.Message
	m, refs, err := s.parse(sum, r, it.Arrived)
	if err != nil {
		return false, err
	}
	for _, p := range it.Apart {
		file := ""
		if p.File != "" {
			file = pathText(p.File)
		}
		m.Apart = append(m.Apart, Apart{p.Section, p.Size, file})
	}
	m.Stored = s.o.All || len(refs) > 0 || m.Limit != ""
	known := s.a.index.get(messageKey(sum)) != nil
	if m.Stored {
		if err := s.store(sum, r); err != nil {
			return false, err
		}
	}
	if _, told := s.batch.messages[sum]; told {
		return m.Stored, nil // the same message is in this batch already
	}
	if known { // it has a line, and there was no reason then to store it
		if s.outdated {
			s.res.Reread++
		}
		if !m.Stored {
			return false, nil
		}
	} else {
		s.res.Messages++
	}
	s.addMessage(m, refs)
	return m.Stored, nil
}

// store makes an object of a message.
func (s *syncer) store(sum string, r *io.SectionReader) error {
	if err := s.space(); err != nil {
		return &localError{err}
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sync, err := put(s.a.objects, r, sum)
	if err != nil {
		return err
	}
	s.batch.syncs = append(s.batch.syncs, sync)
	s.batch.octets += r.Size()
	return nil
}

// rules returns a digest of everything that decides which references are found in a message:
// the version of the program, the forms that it looks for, its limits, and the hosts of accounts.
//
// Two builds whose version is "(devel)" differ only in the table of hosts and the forms.
func rules(agent string, o *externalbody.OpenOptions, accountHosts []string) string {
	c := *cmp.Or(o, new(externalbody.OpenOptions))
	type form struct {
		Name                                             string
		Fields, Types, Extensions, Prefixes, Hints, Near []string
		Hosts                                            map[string]string
	}
	forms := make([]form, 0, len(c.Dialects))
	for _, d := range c.Dialects {
		forms = append(forms, form{d.Name, d.Fields, d.Types, d.Extensions, d.Prefixes, d.Hints, d.Near, d.Hosts})
	}
	h := sha256.New()
	if len(accountHosts) > 0 {
		fmt.Fprintf(h, "%q\n", slices.Sorted(slices.Values(accountHosts)))
	}
	err := json.NewEncoder(h).Encode(map[string]any{
		"agent": agent, "forms": forms, "hosts": sharelink.Fingerprint(),
		"splitter": 3, // of mailboxes
		"limits":   []int64{int64(c.MaxDepth), int64(c.MaxParts), int64(c.MaxReferences), c.MaxHeaderBytes, c.MaxDecodedBytes},
	})
	if err != nil {
		panic(err) // texts and numbers can be encoded
	}
	return hex.EncodeToString(h.Sum(nil))[:maxRules]
}

// reread reads the stored messages that were read by other rules, and records the references
// that the ledger lacks. If the run ends before all are read, the next run with the same
// rules goes on where this one ended.
func (s *syncer) reread() error {
	s.batch.messages = make(map[string]bool)
	s.found = make(map[ask]bool)
	from := s.a.index.readTo(s.rules)
	by := ""
	ended := false // before all was read
	s.readTo = from
	err := s.a.read(from, s.a.next(), func(l *ledger.Line) error {
		ended = s.ctx.Err() != nil || s.late()
		if ended {
			return errStop
		}
		record, err := body(l)
		if err != nil {
			return s.a.unreadable(l.Place, headOf(l), err)
		}
		switch r := record.(type) {
		case *Run:
			by = ""
			if r.Event == "begin" {
				by = r.Rules
			}
		case *MessageRecord:
			if _, told := s.batch.messages[r.SHA256]; r.Stored && by != s.rules && !told {
				if err := s.again(r); err != nil {
					return err
				}
			}
		}
		s.readTo = l.End()
		if len(s.batch.items) < maxBatch {
			return nil
		}
		return s.flush()
	})
	if ferr := s.flush(); ferr != nil || err != nil {
		s.readTo = from
		return errors.Join(err, ferr)
	}
	s.res.Spent = s.res.Spent || ended
	if !ended {
		s.readTo = s.a.next() // the run wrote these lines by its own rules
	}
	return context.Cause(s.ctx)
}

// late reports whether the time of the run is over.
func (s *syncer) late() bool {
	until := s.o.Budget.Left().Until
	return !until.IsZero() && !time.Now().Before(until)
}

// again parses a stored message again and records the references that the ledger lacks.
func (s *syncer) again(before *MessageRecord) error {
	sum := before.SHA256
	text, err := s.a.objects.Hold(sum)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrDigest):
		return nil // it was forgotten, or Verify reports it
	case err != nil:
		return err
	}
	defer text.Close()
	m, refs, err := s.parse(sum, text.SectionReader, before.Internal)
	if err != nil {
		return err
	}
	s.res.Reread++
	told := make(map[string]bool) // by key and ID, by key and expectation, and by ID and URL
	err = s.a.referencesOf(sum, func(r *ReferenceRecord) error {
		told[r.Key+" "+r.Ref] = true
		told[r.Key+" "+r.Expect+" "] = true
		if r.URL != "" {
			told[r.Ref+" "+r.URL] = true // another user may log in now, who is part of the key
		}
		return nil
	})
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(refs, func(r *ReferenceRecord) bool {
		return told[r.Key+" "+r.Ref] || told[r.Key+" "+r.Expect+" "] || told[r.Ref+" "+r.URL]
	})
	if len(fresh) == 0 {
		return nil
	}
	m.Stored = true
	m.Again = true
	m.Apart = before.Apart
	s.addMessage(m, fresh)
	for _, r := range fresh {
		if k := newAsk(r.Key, r.Expect); s.a.index.get(askKey(k)) == nil {
			s.found[k] = true
		}
	}
	return nil
}
