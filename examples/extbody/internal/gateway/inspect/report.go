package inspect

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/wording"
)

// A Report is the result of an inspection.
type Report struct {
	Verdict Verdict  `json:"verdict"`
	Symbols []string `json:"symbols"`
	Refs    []Ref    `json:"refs"`

	// Unread are the parts that could not be looked into, at most 100. Beyond them
	// are only parts whose Reason is a new one. A bound of reading the message is among them.
	Unread []Unread `json:"unread,omitempty"`

	// Failure is why the message could not be looked at in full; 0 if it could.
	Failure fetch.Kind `json:"failure,omitempty"`

	// RetryAfter is when more may be known; the zero Time if no host gave a time.
	RetryAfter time.Time `json:"-"`

	// Key is the same for messages that refer to the same things. It does not reveal
	// them.
	Key string `json:"-"`

	header *header // nil if it is not known
	known  map[*term][]outcome
}

// Nothing reports whether the message was looked at in full and has no references.
func (r *Report) Nothing() bool { return len(r.Refs) == 0 && len(r.Unread) == 0 && r.Failure == 0 }

// MessageID returns the Message-ID, which its sender chose, or "" if it is not known. It is
// not known for a message without references.
func (r *Report) MessageID() string {
	if r.header == nil {
		return ""
	}
	return r.header.id
}

// UnreadReasons returns the reasons of Unread, each once.
func (r *Report) UnreadReasons() (list []string) {
	for _, u := range r.Unread {
		if !slices.Contains(list, u.Reason) {
			list = append(list, u.Reason)
		}
	}
	return list
}

// addUnread adds u to Unread, which is bounded.
func (r *Report) addUnread(u Unread) {
	if len(r.Unread) >= maxUnread && !u.Whole() && slices.Contains(r.UnreadReasons(), u.Reason) {
		return
	}
	r.Unread = append(r.Unread, u)
}

// Bound returns the bound that ended the reading of the message, or "".
func (r *Report) Bound() string {
	for _, u := range r.Unread {
		if u.Whole() {
			return u.Detail
		}
	}
	return ""
}

// whole reports whether the message was looked at in full.
func (r *Report) whole() bool { return r.Failure == 0 && r.Bound() == "" }

// Untried reports whether there was no room to look for one of the bodies.
func (r *Report) Untried() bool {
	return slices.ContainsFunc(r.Refs, func(ref Ref) bool { return ref.State == StillToCome && ref.untried })
}

// items returns the references on which the rules of a Policy are tried. Each part that
// could not be looked into, and Failure, counts as a reference that could not be had.
func (r *Report) items() (list []*Ref) {
	for i := range r.Refs {
		list = append(list, &r.Refs[i])
	}
	for _, u := range r.Unread {
		ref := &Ref{ID: u.Section, Section: u.Section, Said: u.Type, Size: -1, unread: u.Reason, finding: finding{State: Failed}}
		if u.Whole() {
			ref.failure = true
			ref.Kind = fetch.TooLarge
		}
		list = append(list, ref)
	}
	if r.Failure != 0 {
		list = append(list, &Ref{Size: -1, failure: true, finding: finding{State: Failed, Kind: r.Failure}})
	}
	return list
}

// conclude makes the Verdict, the symbols and RetryAfter from the items.
func (r *Report) conclude() {
	r.Verdict = Clean
	r.Symbols = []string{}
	add := func(s string) {
		if s != "" && !slices.Contains(r.Symbols, s) {
			r.Symbols = append(r.Symbols, s)
		}
	}
	left := false
	for _, ref := range r.items() {
		if v := ref.Judge(); v.worse(r.Verdict) {
			r.Verdict = v
		}
		add(ref.symbol())
		if ref.failure && ref.unread != "" {
			add(SymbolUnavailable) // as for a part that a bound cut short
		}
		mayPass := ref.State == Failed && ref.Kind.Transient() && !ref.After.IsZero()
		if mayPass && (r.RetryAfter.IsZero() || ref.After.Before(r.RetryAfter)) {
			r.RetryAfter = ref.After
		}
		left = left || ref.State == Left
	}
	if r.Verdict == Clean && len(r.Refs) > 0 && !left {
		add(SymbolClean)
	}
	slices.Sort(r.Symbols)
}

// An Unread is a part of a message that could not be looked into, or a bound that ended the reading of
// the message. Such a bound is the same at the next try.
type Unread struct {
	Section string `json:"section"`          // the IMAP section of the part
	Type    string `json:"type"`             // its media type; "" for a bound of the message
	Reason  string `json:"reason"`           // as in [externalbody.UnreadPart], such as "encrypted"
	Detail  string `json:"detail,omitempty"` // as there, such as the bound; a text that a stranger may have chosen
}

// Whole reports whether u is a bound that ended the reading of the message.
func (u *Unread) Whole() bool { return u.Type == "" && u.Reason == string(externalbody.DiagCutShort) }

// maxUnread bounds Report.Unread.
const maxUnread = 100

// A Ref is a reference of the message, with the facts about it.
type Ref struct {
	ID       string   `json:"ref"`
	Section  string   `json:"section"` // the IMAP section of the part that has it; "" for the message itself
	Dialect  string   `json:"dialect"` // "standard" for a message/external-body part
	Access   string   `json:"access_type,omitempty"`
	Scheme   string   `json:"scheme,omitempty"`
	Host     string   `json:"host,omitempty"`
	Name     string   `json:"name,omitempty"` // as in the message; "" if that is a piece of a URL that is a credential
	Said     string   `json:"said,omitempty"` // media type, by the message
	Size     int64    `json:"size"`           // announced; -1 if not
	Warnings []string `json:"warnings,omitempty"`

	finding

	// Cached is set if the outcome was known before this message came.
	Cached bool `json:"cached,omitempty"`

	extensions []string // of the names in the message, even if Name is ""
	names      fileNames
	said       []string // extensions that the announced type stands for
	link       string   // a digest of the URL, for [Pool.Differ]; "" for a body in the message
	unread     string   // the Reason of an Unread; "" for a reference
	failure    bool     // it stands for the Failure of the Report, or for a bound of the message
	promised   bool     // the body must have the announced type and size
}

// Text returns the outcome for a reference in one line, for people.
func (r *Ref) Text() string {
	var b factBuilder
	b.add(true, "%s %s: %s", r.Dialect, r.Host, r.State)
	b.add(r.Kind != 0, ", %s", r.Kind)
	b.add(r.Mismatch, ", mismatch: said %q, served %q, is %q", r.Said, r.Served, r.Sniffed)
	b.add(r.Disguise != "", ", disguised: %s", r.Disguise)
	b.add(r.Redirected, ", redirected to another site")
	b.add(r.Encrypted, ", encrypted")
	b.add(r.Within != "", ", not all in it was looked into: %s", r.Within)
	b.add(r.Changed, ", other octets than before")
	b.add(r.Cloaked, ", another body for browsers")
	b.add(r.Scan != Unscanned, ", scan %s", r.Scan)
	b.add(r.Signature != "", " %q", r.Signature)
	b.add(r.Oversize, " (longer than the scanner takes)")
	b.add(r.SHA256 != "", ", %s, sha256 %s", wording.Count(r.Octets, "octet"), r.SHA256)
	return b.String()
}

// Judge returns the Verdict of one reference or part.
func (r *Ref) Judge() Verdict {
	switch {
	case r.Scan == Infected:
		return Malware
	case r.Mismatch, r.Changed, r.Cloaked, r.Disguise != "":
		return Suspicious
	case r.State == StillToCome, r.ours():
		return Pending
	case r.unread == string(externalbody.DiagEncrypted):
		return Encrypted
	case r.State == Failed, r.Scan == ScanFailed:
		return Unavailable
	}
	return Clean
}

// StoredBody is the part of which [Ref.Fault] reports that a stored copy of a body was damaged.
const StoredBody = "the store of bodies"

// FleetFetcher is the part of which [Ref.Fault] reports that no fetcher of a fleet took the request.
const FleetFetcher = "the fetcher of the fleet"

// Fault returns the part of our own that did not do its work, and the reason; "" for none.
func (r *Ref) Fault() (part, reason string) { return r.part, r.reason }

// symbol returns the symbol of one reference or part, or "" if it has none.
func (r *Ref) symbol() string {
	v := r.Judge()
	ours := r.failure || r.Scan == ScanFailed || r.Kind == fetch.Local
	if ours && (v == Unavailable || v == Pending) {
		return SymbolFail
	}
	return symbols[v]
}

// wrapped reports whether the link is one of a gateway whose target could not be read.
func (r *Ref) wrapped() bool {
	opaque := string(externalbody.DiagOpaqueLink)
	return r.unread == opaque || slices.Contains(r.Warnings, opaque) || slices.Contains(r.Warnings, "wrapped-link")
}

// A State is how much is known about a reference.
type State string

const (
	Known       State = "known"   // its body was had, and verified
	Failed      State = "failed"  // its body could not be had
	StillToCome State = "pending" // it is being fetched, or there was no room to begin
	Left        State = "left"    // no host was contacted
)

// Standard is the dialect of a message/external-body part in a Ref.
const Standard = "standard"

// listed returns the facts about a reference that are known without fetching.
func listed(outer *outerHeaders, ref *externalbody.Reference, p *externalbody.Plan) Ref {
	names := append(announcedNames(ref), outer.names(ref)...)
	r := Ref{
		ID: ref.ID, Dialect: cmp.Or(ref.Dialect, Standard), Access: brief(ref.AccessType),
		Scheme: brief(p.Scheme), Host: brief(p.Host), Name: shownName(ref, p), Said: brief(ref.MediaType), Size: ref.Size,
		extensions: extensionsOf(names), names: namesOf(names), said: filekind.Implied(nil, "", nil, ref.MediaType),
	}
	if text, ok := ref.Param("url"); ok && r.Host == "" {
		u := withoutUser(text)
		r.Scheme = cmp.Or(r.Scheme, brief(u.Scheme))
		r.Host = brief(u.Host)
	}
	if len(ref.Origins) > 0 {
		r.Section = ref.Origins[0].Section
	}
	for _, d := range ref.Diags {
		if code := string(d.Code); !slices.Contains(r.Warnings, code) {
			r.Warnings = append(r.Warnings, code)
		}
	}
	return r
}

// withoutUser returns a URL without userinfo. A URL with it is not fetched, and browsers open it.
func withoutUser(text string) weburl.URL {
	u, err := url.Parse(text)
	if err != nil {
		return weburl.URL{}
	}
	u.User = nil
	found, _ := weburl.Parse(u.String())
	return found
}

// target returns the URL of a reference, or "".
func target(ref *externalbody.Reference) string {
	if u, err := ref.Locate(); err == nil {
		return u.String()
	}
	return ""
}

// brief returns a copy of a text of a stranger, cut for display.
func brief(s string) string {
	const most = 255
	if len(s) <= most {
		return strings.Clone(s)
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// shownName returns the name that a message gives a body. It returns "" if the name was
// taken from a URL that is a credential as a whole, whose path a Plan does not show, unless the
// link has a part that is a name.
func shownName(ref *externalbody.Reference, p *externalbody.Plan) string {
	name := externalbody.FileName(ref.Name)
	if p.Path != "" {
		return name
	}
	u, err := ref.Locate()
	if err != nil {
		return ""
	}
	if link, _ := sharelink.MatchShape(u.String()); link != nil && link.Name == ref.Name {
		return name
	}
	if strings.Contains(u.Path+u.RawQuery+u.Fragment, ref.Name) || strings.Contains(u.String(), ref.Name) {
		return ""
	}
	return name
}

// The symbols of a Report, as rspamd has them.
const (
	SymbolClean       = "EXTBODY_CLEAN"       // there are references, and all are known and clean
	SymbolPending     = "EXTBODY_PENDING"     // something is not known yet
	SymbolMalware     = "EXTBODY_MALWARE"     // the scanner found something
	SymbolMismatch    = "EXTBODY_MISMATCH"    // a body has not the announced type or digest, or other octets than before or for a browser
	SymbolUnavailable = "EXTBODY_UNAVAILABLE" // a body could not be had
	SymbolEncrypted   = "EXTBODY_ENCRYPTED"   // a part is encrypted
	SymbolFail        = "EXTBODY_FAIL"        // we, or the scanner, could not do our part
)

// symbols are the symbols of verdicts on one reference or part.
var symbols = map[Verdict]string{
	Malware: SymbolMalware, Suspicious: SymbolMismatch, Pending: SymbolPending, Unavailable: SymbolUnavailable, Encrypted: SymbolEncrypted,
}

// Failure returns the Report of a message that could not be looked at.
func Failure(kind fetch.Kind) *Report {
	r := &Report{Refs: []Ref{}, Failure: kind}
	r.conclude()
	return r
}

// TooLong returns the Report of a message that is longer than is looked at.
func TooLong() *Report { return cutShort("the message is longer than --max-message") }

// cutShort returns the Report of a message that a bound kept from being read.
func cutShort(bound string) *Report {
	r := &Report{Refs: []Ref{}}
	r.addUnread(Unread{Reason: string(externalbody.DiagCutShort), Detail: bound})
	r.conclude()
	return r
}

// A Verdict is the judgement on a message: the worst of its references.
type Verdict string

func (v Verdict) worse(w Verdict) bool { return slices.Index(verdicts, v) > slices.Index(verdicts, w) }

// The verdicts, from the best to the worst.
const (
	Clean       Verdict = "clean"       // nothing speaks against the references, or there are none
	Encrypted   Verdict = "encrypted"   // apart from encrypted parts, which only the recipient can read, it is clean
	Unavailable Verdict = "unavailable" // something could not be had, read or scanned
	Pending     Verdict = "pending"     // something is not known yet, or a part of our own did not do its work
	Suspicious  Verdict = "suspicious"  // something differs from the announcement, or from before
	Malware     Verdict = "malware"     // the scanner found something
)

var verdicts = []Verdict{Clean, Encrypted, Unavailable, Pending, Suspicious, Malware}

// A finding is the facts about a body, for every message that refers to it.
type finding struct {
	State   State         `json:"state"`
	Kind    fetch.Kind    `json:"kind,omitempty"`    // why it could not be had
	After   time.Time     `json:"after,omitzero"`    // when to ask again, if that is known
	Served  string        `json:"served,omitempty"`  // media type, by the server
	Sniffed string        `json:"sniffed,omitempty"` // media type, by the first octets
	Octets  int64         `json:"octets,omitempty"`
	SHA256  string        `json:"sha256,omitempty"`
	Capture fetch.Capture `json:"capture,omitempty"`

	// Mismatch is set if the type or the digest of the body differs from the announced
	// one.
	Mismatch bool `json:"mismatch,omitempty"`

	// Encrypted is set if the body, or a file in it, needs a password. Within is why not all files
	// in it were seen, as in [filekind.Inside]; "" if all were.
	Encrypted bool   `json:"encrypted,omitempty"`
	Within    string `json:"within,omitempty"`

	// Disguise is "zip-headers-differ" or "file-in-page" if the body is made to show programs
	// different things; see [filekind.Inside] and [filekind.Smuggles]. Otherwise it is "".
	Disguise string `json:"disguise,omitempty"`

	// Redirected is set if the body came from another site than the one of the link, unless the
	// link is one of a known host of files.
	Redirected bool `json:"redirected,omitempty"`

	// Changed is set if the server gave other octets before, however long ago, while the outcomes
	// for the body were remembered, or gave others when the body was put into a message.
	Changed bool `json:"changed,omitempty"`

	// Cloaked is set if a browser gets another body than a program. The other facts are
	// about the body that a browser gets, unless only the other one is malware.
	Cloaked bool `json:"cloaked,omitempty"`

	scanned

	hops       int      // URLs that redirected
	part       string   // of our own that failed, in words, if that is known
	reason     string   // why it did
	untried    bool     // there was no room to look for the body
	known      string   // the SHA256 of the body when it was last had
	extensions []string // of the names that the server and the URL give the body
	served     []string // of the names that the server gives it
	implied    []string // extensions that the octets and the served type stand for
	members    []string // extensions of the files in it

	names       fileNames // that the server and the URL give the body
	memberNames fileNames // of the files in it
}

// size returns about how many octets of memory a finding has.
func (f *finding) size() int64 {
	n := 600 + len(f.part) + len(f.reason) + len(f.Served) + len(f.Sniffed) + len(f.Signature) + len(f.version)
	for _, ext := range slices.Concat(f.extensions, f.served, f.implied, f.members) {
		n += 16 + len(ext)
	}
	return int64(n) + f.names.size() + f.memberNames.size()
}

// answered reports whether a server answered for good, with a body or without.
func (f *finding) answered() bool {
	kinds := []fetch.Kind{fetch.NotFound, fetch.Gone, fetch.Forbidden, fetch.Interstitial, fetch.TypeMismatch, fetch.DigestMismatch,
		fetch.SizeMismatch, fetch.TooLarge}
	return f.State == Known || f.State == Failed && slices.Contains(kinds, f.Kind)
}

// unaffordable reports whether the budget of the message that asked was spent.
func (f *finding) unaffordable() bool {
	return f.State == StillToCome && f.Kind == fetch.Deferred && f.After.IsZero()
}

// ours reports whether a part of our own did not do its work, such as the scanner, the disk or
// the fleet. That may pass, and it says nothing about the file (OP-40).
func (f *finding) ours() bool {
	return f.Kind == fetch.Local || f.Scan == ScanFailed && !f.Oversize
}

// compare sets Changed. before is the finding before this one, or nil. A body that has changed
// once stays so as long as its findings are remembered: it may be the other one for the next
// reader. A rendition is made for each request, so its octets differ.
func (f *finding) compare(before *finding) {
	if before != nil {
		f.known = cmp.Or(f.SHA256, before.known)
		f.Changed = before.Changed || before.known != "" && f.known != before.known && f.Capture != fetch.CaptureRendition
	} else {
		f.known = f.SHA256
	}
}

// noRoom returns the finding of a body that was not looked for.
func noRoom() *finding {
	return &finding{State: StillToCome, Kind: fetch.Deferred, After: time.Now().Add(againLater), untried: true}
}

// A factBuilder makes a text of the facts that there are.
type factBuilder struct{ strings.Builder }

// add adds a text, if is is set.
func (b *factBuilder) add(is bool, format string, args ...any) {
	if is {
		fmt.Fprintf(b, format, args...)
	}
}

// MessageID returns the Message-ID as the Report of a message has it, or "".
func MessageID(m *externalbody.Message) string { return (&Report{header: headerOf(m)}).MessageID() }

// The times after which something is tried again.
const (
	againSoon  = 5 * time.Second  // after our own fault, or the scanner's
	againLater = 30 * time.Second // after a transient failure
)
