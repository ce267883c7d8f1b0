package archive

import (
	"errors"
	"fmt"
	"iter"
	"net/textproto"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// The kinds of lines. ARCHIVE.md explains the members of each.
const (
	kindRun       = "run"
	kindSource    = "source"
	kindMessage   = "message"
	kindSighting  = "sighting"
	kindReference = "reference"
	kindCapture   = "capture"
	kindException = "exception"
	kindChanged   = "changed"
	kindHold      = "hold"
	kindForget    = "forget"
)

// A Run is the start or the end of a run, or the time stamp of its end. Each command that
// writes to the archive is a run. Counts and Why are for the end alone, and Counts is nil unless
// the command resolves. Objects is for the start, Stamp for the stamp, and Gaps for the event accept.
type Run struct {
	Format  int     `json:"format"`
	Event   string  `json:"event"`
	Command string  `json:"command"`
	Version string  `json:"version,omitempty"`
	Rules   string  `json:"rules,omitempty"`
	ReadTo  string  `json:"read_to,omitempty"`
	Counts  *Counts `json:"counts,omitempty"`
	Why     string  `json:"why,omitempty"`
	Objects string  `json:"objects,omitempty"`
	Stamp   *Stamp  `json:"stamp,omitempty"`
	Gaps    []Gap   `json:"gaps,omitempty"`
}

// A Stamp is the file of a time stamp.
type Stamp struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Counts are the numbers of a run.
type Counts struct {
	Messages    int64 `json:"messages"`
	Reread      int64 `json:"reread,omitempty"`
	Refetched   int64 `json:"refetched,omitempty"`
	Sightings   int64 `json:"sightings"`
	References  int64 `json:"references"`
	Captures    int64 `json:"captures"`
	Exceptions  int64 `json:"exceptions"`
	New         int64 `json:"new"`
	Changed     int64 `json:"changed"`
	Left        int64 `json:"left"`
	Unasked     int64 `json:"unasked"`
	Octets      int64 `json:"octets"`
	Requests    int64 `json:"requests"`
	Deferred    int64 `json:"deferred,omitempty"`
	GivenUp     int64 `json:"given_up,omitempty"`
	Quiet       int64 `json:"quiet,omitempty"`
	Delivered   int64 `json:"delivered,omitempty"`
	Unnamed     int64 `json:"unnamed,omitempty"`
	Unaccounted int64 `json:"unaccounted"`
}

// A SourceRecord is the reconciliation of one mailbox, file or folder. Exists is the sum of
// Seen, Excepted and Older, unless something is missing.
type SourceRecord struct {
	Source      string `json:"source"`
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	Exists      int64  `json:"exists"`
	Seen        int64  `json:"seen"`
	Stored      int64  `json:"stored"`
	Excepted    int64  `json:"excepted"`
	Older       int64  `json:"older,omitempty"`
	Error       string `json:"error,omitempty"`
	Rules       string `json:"rules,omitempty"`
	State       string `json:"state,omitempty"`
	Gone        bool   `json:"gone,omitempty"`

	// NoMail is how many files and folders hold no mail by their names. Emptied is set if the source had messages
	// in an earlier run, and has none. No line has these.
	NoMail  int64 `json:"-"`
	Emptied bool  `json:"-"`
}

// A MessageRecord is a message. It has another line if a later run stores it, and whenever a
// run with other rules finds more references in it.
type MessageRecord struct {
	SHA256     string    `json:"sha256"`
	Size       int64     `json:"size"`
	MessageID  string    `json:"message_id,omitempty"`
	Date       string    `json:"date,omitempty"`
	Received   time.Time `json:"received,omitzero"`
	Internal   time.Time `json:"internal_date,omitzero"`
	From       string    `json:"from,omitempty"`
	Subject    string    `json:"subject,omitempty"`
	References int       `json:"references"`
	Stored     bool      `json:"stored"`
	Again      bool      `json:"again,omitempty"`
	Limit      string    `json:"limit,omitempty"`
	Apart      []Apart   `json:"apart,omitempty"`
	UnreadParts
}

// named reports whether a message has a Message-ID, or a digest with these first digits.
func (m *MessageRecord) named(name string) bool {
	if len(name) >= 8 && strings.HasPrefix(m.SHA256, strings.ToLower(name)) {
		return true
	}
	return m.MessageID != "" && strings.Trim(name, "<>") == strings.Trim(m.MessageID, "<> ")
}

// UnreadParts are the first parts of a message that could not be looked into, although references may be in them, and
// how many more there are. That a limit ended the reading is the member Limit of the message, and no part.
type UnreadParts struct {
	Unread     []UnreadPart `json:"unread,omitempty"`
	UnreadLeft int          `json:"unread_left,omitempty"`
}

// maxUnread bounds the parts in a line.
const maxUnread = 100

// An UnreadPart is a part of a message that could not be looked into, as in list --json.
type UnreadPart struct {
	Section string `json:"section,omitempty"`
	Type    string `json:"type,omitempty"`
	Reason  string `json:"reason"`
	Detail  string `json:"detail,omitempty"`
}

// newUnreadParts returns the parts of a message that could not be looked into.
func newUnreadParts(parts iter.Seq[externalbody.UnreadPart]) (u UnreadParts) {
	for p := range parts {
		switch ofMessage := p.Reason == externalbody.DiagCutShort && p.MediaType == ""; {
		case ofMessage:
		case len(u.Unread) == maxUnread:
			u.UnreadLeft++
		default:
			u.Unread = append(u.Unread, UnreadPart{p.Section, fieldText(p.MediaType), string(p.Reason), fieldText(p.Detail)})
		}
	}
	return u
}

// fieldText returns the first octets of a text of a message, as UTF-8.
func fieldText(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxField)], "\uFFFD")
}

// An Apart is a part of a message whose body was not in the file of the message. The octets of the message have
// the body of File, in an encoding of this program; without File they lack it.
type Apart struct {
	Section string `json:"section"`
	Size    int64  `json:"size"`
	File    string `json:"file,omitempty"`
}

// Unaccounted returns how many messages are not seen, excepted or older.
func (s *SourceRecord) Unaccounted() int64 { return s.Exists - s.Seen - s.Excepted - s.Older }

// A Sighting is a place where a message was seen.
type Sighting struct {
	Message     string   `json:"message,omitempty"`
	Source      string   `json:"source"`
	UIDValidity uint32   `json:"uidvalidity,omitempty"`
	UID         uint32   `json:"uid,omitempty"`
	EmailID     string   `json:"emailid,omitempty"`
	Mailboxes   []string `json:"mailboxes,omitempty"`
	File        string   `json:"file,omitempty"`
	Offset      int64    `json:"offset,omitempty"`
	Size        int64    `json:"size,omitempty"`

	UnreadParts // of a message that has no line, since its octets were never read
}

// ofOne reports whether the place is the one of a message or a file, and not of a whole source.
func (s *Sighting) ofOne() bool { return s.File != "" || s.UID != 0 || s.EmailID != "" }

// A ReferenceRecord is a reference of a message.
type ReferenceRecord struct {
	Message     string    `json:"message"`
	Ref         string    `json:"ref"`
	Key         string    `json:"key"`
	Expect      string    `json:"expect,omitempty"`
	Dialect     string    `json:"dialect,omitempty"`
	AccessType  string    `json:"access_type,omitempty"`
	URL         string    `json:"url,omitempty"`
	Login       string    `json:"login,omitempty"`
	Host        string    `json:"host,omitempty"`
	Provider    string    `json:"provider,omitempty"`
	Name        string    `json:"name,omitempty"`
	Size        int64     `json:"size"`
	ContentType string    `json:"content_type,omitempty"`
	ContentID   string    `json:"content_id,omitempty"`
	Expiration  time.Time `json:"expiration,omitzero"`
	Quoted      bool      `json:"quoted,omitempty"`
	Account     string    `json:"account,omitempty"`
	VersionAt   time.Time `json:"version_at,omitzero"`
	Replaces    *string   `json:"replaces,omitempty"`
}

// A Span is the place of the exchanges of one attempt.
type Span = exchange.Span

// Facts describe an attempt with any outcome. In JSON they stand among the members of the
// Capture or Exception.
type Facts struct {
	Key        string               `json:"key,omitempty"`
	Expect     string               `json:"expect,omitempty"`
	Message    string               `json:"message,omitempty"`
	Ref        string               `json:"ref,omitempty"`
	MessageID  string               `json:"message_id,omitempty"`
	URL        string               `json:"url,omitempty"`
	Login      string               `json:"login,omitempty"`
	Host       string               `json:"host,omitempty"`
	FinalURL   string               `json:"final_url,omitempty"`
	Hops       []string             `json:"hops,omitempty"`
	Address    string               `json:"address,omitempty"`
	TLS        *record.TLS          `json:"tls,omitempty"`
	Status     int                  `json:"status,omitempty"`
	Header     textproto.MIMEHeader `json:"header,omitempty"`
	ServedType string               `json:"served_type,omitempty"`
	Started    time.Time            `json:"started,omitzero"`
	Ended      time.Time            `json:"ended,omitzero"`
	Exchanges  *Span                `json:"exchanges,omitempty"`
}

// A Capture is a captured body.
type Capture struct {
	Facts
	SHA256      string        `json:"sha256"`
	Size        int64         `json:"size"`
	Name        string        `json:"name,omitempty"`
	ContentType string        `json:"content_type,omitempty"`
	Label       string        `json:"label"`
	Version     string        `json:"version,omitempty"`
	Checks      []fetch.Check `json:"checks,omitempty"`
	Again       bool          `json:"again,omitempty"`
	NotModified bool          `json:"not_modified,omitempty"`
	Compared    bool          `json:"compared,omitempty"`
	By          string        `json:"by,omitempty"`
	Item        string        `json:"item,omitempty"`
	VersionAt   time.Time     `json:"version_at,omitzero"`
	Modified    time.Time     `json:"modified,omitzero"`
	Until       time.Time     `json:"until,omitzero"`
	History     string        `json:"history,omitempty"`
}

// An Exception is the reason why a reference was not captured, if Key is set. Otherwise it is
// the reason why a file, a message or the rest of a source could not be read.
type Exception struct {
	Facts
	Source   string    `json:"source,omitempty"`
	File     string    `json:"file,omitempty"`
	UID      uint32    `json:"uid,omitempty"`
	EmailID  string    `json:"emailid,omitempty"`
	Resolved bool      `json:"resolved,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Kind     string    `json:"kind,omitempty"`
	Error    string    `json:"error,omitempty"`
	Words    string    `json:"words,omitempty"`
	Attempts int       `json:"attempts,omitempty"`
	First    time.Time `json:"first,omitzero"`
	Spread   int64     `json:"spread,omitempty"`
	Due      time.Time `json:"due,omitzero"`
	GivenUp  bool      `json:"given_up,omitempty"`
}

// An Outcome is the outcome of a reference that counts. Both members are nil if it is open.
type Outcome struct {
	Capture   *Capture   // the latest one
	Exception *Exception // of the latest attempt, if it failed; it counts only if Capture is nil
}

// A Changed is a key that was captured again with another body. Both objects stay.
type Changed struct {
	Key  string `json:"key"`
	URL  string `json:"url,omitempty"`
	From string `json:"from"`
	To   string `json:"to"`
}

// A Hold protects objects and keys from a Forget, or releases them. An object that is held
// twice, for two cases, has to be released twice.
type Hold struct {
	Objects  []string `json:"objects"`
	Keys     []string `json:"keys,omitempty"`
	Selector string   `json:"selector"`
	Reason   string   `json:"reason,omitempty"`
	Release  bool     `json:"release,omitempty"`
}

// A Forget lists removed objects and exchanges.
type Forget struct {
	Objects   []Removed `json:"objects"`
	Exchanges []Removed `json:"exchanges,omitempty"`
	Keys      []string  `json:"keys,omitempty"`
	Selector  string    `json:"selector"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
}

// A Removed is an object or a span that was removed. The last three members are for a span,
// whose octets were overwritten with as many others.
type Removed struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	File   string `json:"file,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Now    string `json:"now,omitempty"`
}

// errStop ends a walk over lines.
var errStop = errors.New("enough")

// newRecord has a function for each kind that returns an empty record.
var newRecord = map[string]func() any{
	kindRun:       func() any { return new(Run) },
	kindSource:    func() any { return new(SourceRecord) },
	kindMessage:   func() any { return new(MessageRecord) },
	kindSighting:  func() any { return new(Sighting) },
	kindReference: func() any { return new(ReferenceRecord) },
	kindCapture:   func() any { return new(Capture) },
	kindException: func() any { return new(Exception) },
	kindChanged:   func() any { return new(Changed) },
	kindHold:      func() any { return new(Hold) },
	kindForget:    func() any { return new(Forget) },
}

// body returns the record of a line, a pointer; nil if its kind is not known.
func body(l *ledger.Line) (record any, err error) {
	if made := newRecord[l.Kind]; made != nil {
		record = made()
		err = l.Body(record)
	}
	return record, err
}

// attempted returns the facts of a capture or exception, and the digest of its object or "".
func attempted(record any) (*Facts, string) {
	if c, ok := record.(*Capture); ok {
		return &c.Facts, c.SHA256
	}
	return &record.(*Exception).Facts, ""
}

// stampName returns the head in the name of a time stamp.
func stampName(name string) (ledger.Head, error) {
	h, err := ledger.ParseHead(strings.Replace(strings.TrimSuffix(name, ".tsr"), "-", " ", 1))
	if err != nil || name != fmt.Sprintf("%d-%x.tsr", h.Seq, h.Digest) {
		return ledger.Head{}, errNoStamp
	}
	return h, nil
}

var errNoStamp = errors.New("is no time stamp")

var (
	errForgotten        = errors.New("the reference was forgotten, and only a retry asks for it again")
	errForgottenMessage = errors.New("the message with the reference was forgotten")
	errLostBody         = errors.New("the captured body is lost, as verify reports")
	errLostMessage      = errors.New("the message with the reference is lost or damaged, as verify reports")
	errNoRef            = errors.New("the reference is not found in its message any more, or leads elsewhere as it is read now")
)

func headOf(l *ledger.Line) ledger.Head { return ledger.Head{Seq: l.Seq, Digest: l.Digest} }
