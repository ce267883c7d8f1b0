package archive

import (
	"net/textproto"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// The kinds of lines.
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

// A Run is the beginning or the end of a run.
type Run struct {
	Format  int    `json:"format"`
	Event   string `json:"event"` // "begin" or "end"
	Command string `json:"command"`
	Version string `json:"version,omitempty"` // of the program

	// At the end.
	Counts *Counts `json:"counts,omitempty"`
	Why    string  `json:"why,omitempty"` // why it ended before it was done
}

// Counts are what a run did.
type Counts struct {
	Messages    int64 `json:"messages"`    // new ones
	Sightings   int64 `json:"sightings"`   // new ones
	References  int64 `json:"references"`  // new ones
	Captures    int64 `json:"captures"`    // bodies captured
	Exceptions  int64 `json:"exceptions"`  // outcomes that are no capture, of this run
	New         int64 `json:"new"`         // of these, those that had no exception before
	Changed     int64 `json:"changed"`     // bodies that are others than before
	Left        int64 `json:"left"`        // references that are due and were not tried
	Unasked     int64 `json:"unasked"`     // references that the policy does not resolve
	Octets      int64 `json:"octets"`      // that came
	Requests    int64 `json:"requests"`    // that were sent
	Unaccounted int64 `json:"unaccounted"` // messages of sources that are neither seen nor excepted
}

// A SourceRecord is the reconciliation of one mailbox, file or folder: Exists is the
// sum of Seen, Excepted and Older, or else something was lost.
type SourceRecord struct {
	Source      string `json:"source"`
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	Exists      int64  `json:"exists"` // messages that the server announces or that were found, and files that are no mail
	Seen        int64  `json:"seen"`
	Stored      int64  `json:"stored"` // of those seen, those whose octets are in the archive
	Excepted    int64  `json:"excepted"`
	Older       int64  `json:"older,omitempty"` // received before what was wanted, and so neither read nor stored
	Error       string `json:"error,omitempty"` // why it was not read to its end
}

// A MessageRecord is a message, told once.
type MessageRecord struct {
	SHA256     string `json:"sha256"`
	Size       int64  `json:"size"`
	MessageID  string `json:"message_id,omitempty"`
	Date       string `json:"date,omitempty"` // as the message says
	From       string `json:"from,omitempty"`
	Subject    string `json:"subject,omitempty"`
	References int    `json:"references"`
	Stored     bool   `json:"stored"` // its octets are an object
	Limit      string `json:"limit,omitempty"`
}

// Unaccounted returns how many messages are neither seen nor excepted nor older.
func (s *SourceRecord) Unaccounted() int64 { return s.Exists - s.Seen - s.Excepted - s.Older }

// A Sighting is a place where a message was seen.
type Sighting struct {
	Message     string `json:"message,omitempty"` // the digest; "" for one that was not read whole, because its structure holds no references
	Source      string `json:"source"`            // the mailbox, file or folder
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
	File        string `json:"file,omitempty"` // in a Maildir the unique name; of a line of references the number follows after a colon
	Offset      int64  `json:"offset,omitempty"`
	Size        int64  `json:"size,omitempty"`
}

// A ReferenceRecord is a reference of a message, told once.
type ReferenceRecord struct {
	Message     string    `json:"message"`
	Ref         string    `json:"ref"`
	Key         string    `json:"key"`
	Expect      string    `json:"expect,omitempty"`
	Dialect     string    `json:"dialect,omitempty"`
	AccessType  string    `json:"access_type,omitempty"`
	URL         string    `json:"url,omitempty"` // exact; "" for what is in the message
	Login       string    `json:"login,omitempty"`
	Host        string    `json:"host,omitempty"`
	Provider    string    `json:"provider,omitempty"`
	Name        string    `json:"name,omitempty"`
	Size        int64     `json:"size"` // announced; -1 if not
	ContentType string    `json:"content_type,omitempty"`
	ContentID   string    `json:"content_id,omitempty"`
	Expiration  time.Time `json:"expiration,omitzero"`
	Quoted      bool      `json:"quoted,omitempty"`
}

// A Span is where the exchanges of one attempt are: octets of a file, which are
// whole gzip members.
type Span struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"`
}

// Facts are what is known of an attempt, whatever its outcome.
type Facts struct {
	Key        string               `json:"key,omitempty"`
	Expect     string               `json:"expect,omitempty"`
	Message    string               `json:"message,omitempty"` // for which it was made
	Ref        string               `json:"ref,omitempty"`
	MessageID  string               `json:"message_id,omitempty"`
	URL        string               `json:"url,omitempty"` // asked for, exact
	Login      string               `json:"login,omitempty"`
	Host       string               `json:"host,omitempty"`
	FinalURL   string               `json:"final_url,omitempty"`
	Hops       []string             `json:"hops,omitempty"`
	Address    string               `json:"address,omitempty"`
	TLS        *fetch.TLS           `json:"tls,omitempty"`
	Status     int                  `json:"status,omitempty"`
	Header     textproto.MIMEHeader `json:"header,omitempty"`
	ServedType string               `json:"served_type,omitempty"`
	Started    time.Time            `json:"started,omitzero"`
	Ended      time.Time            `json:"ended,omitzero"`
	Exchanges  *Span                `json:"exchanges,omitempty"`
}

// A Capture is a body that was captured.
type Capture struct {
	Facts
	SHA256      string        `json:"sha256"`
	Size        int64         `json:"size"`
	Name        string        `json:"name,omitempty"`
	ContentType string        `json:"content_type,omitempty"`
	Label       string        `json:"label"` // declared, version, current, rendition, unknown
	Version     string        `json:"version,omitempty"`
	Checks      []fetch.Check `json:"checks,omitempty"`

	// Again says that the key was captured before, and NotModified that the
	// server said so itself.
	Again       bool `json:"again,omitempty"`
	NotModified bool `json:"not_modified,omitempty"`

	// Compared says that nobody was asked: the body that was captured for another
	// reference was compared with what this one promises.
	Compared bool `json:"compared,omitempty"`
}

// An Exception is why something was not captured: a reference, or, with File, a file
// or message that could not be read.
type Exception struct {
	Facts
	Source   string    `json:"source,omitempty"`
	File     string    `json:"file,omitempty"`
	UID      uint32    `json:"uid,omitempty"`
	Resolved bool      `json:"resolved,omitempty"` // the file can be read now
	Reason   string    `json:"reason,omitempty"`   // a code
	Kind     string    `json:"kind,omitempty"`
	Error    string    `json:"error,omitempty"`
	Words    string    `json:"words,omitempty"` // the beginning of what the server said
	Attempts int       `json:"attempts,omitempty"`
	First    time.Time `json:"first,omitzero"` // attempt
	Due      time.Time `json:"due,omitzero"`   // zero: final until somebody asks
}

// A Changed tells that a key was captured again and is another body. The first stays.
type Changed struct {
	Key  string `json:"key"`
	URL  string `json:"url,omitempty"`
	From string `json:"from"`
	To   string `json:"to"`
}

// A Hold keeps objects, and what is told of references, from being forgotten, or releases
// them. What was held twice, for two cases, has to be released twice.
type Hold struct {
	Objects  []string `json:"objects"`
	Keys     []string `json:"keys,omitempty"` // of the references: what is told of them, and will be, is held too
	Selector string   `json:"selector"`
	Reason   string   `json:"reason,omitempty"`
	Release  bool     `json:"release,omitempty"`
}

// A Forget tells what was removed.
type Forget struct {
	Objects   []Removed `json:"objects"`
	Exchanges []Removed `json:"exchanges,omitempty"`
	Keys      []string  `json:"keys,omitempty"` // of the references; nobody asks for them again, unless a retry names them
	Selector  string    `json:"selector"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"` // which the octets in the place of the exchanges name
}

// A Removed is an object or a span that was removed. In the place of the octets of a
// span stand as many others, whose digest is Now.
type Removed struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	File   string `json:"file,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Now    string `json:"now,omitempty"`
}
