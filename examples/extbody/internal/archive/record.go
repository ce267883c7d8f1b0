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

// A Run is the beginning or the end of a run. Each command that writes to the archive is a
// run.
type Run struct {
	Format  int    `json:"format"`
	Event   string `json:"event"` // "begin" or "end"
	Command string `json:"command"`
	Version string `json:"version,omitempty"` // of the program

	// Rules say how the run reads messages: they are a digest of the version of the
	// program, and of what it looks for. "" if the run reads none.
	//
	// In the line of an end they say that messages which are objects have been read by
	// these rules, up to the place ReadTo in the ledger: those before it, and those of
	// runs with the same rules.
	Rules  string `json:"rules,omitempty"`
	ReadTo string `json:"read_to,omitempty"` // the name of a file, ":" and an offset

	// These are for the end alone. Counts is nil for a command that does not resolve.
	Counts *Counts `json:"counts,omitempty"`
	Why    string  `json:"why,omitempty"` // why the run ended before everything was done
}

// Counts say what a run did.
type Counts struct {
	Messages    int64 `json:"messages"`           // new ones
	Reread      int64 `json:"reread,omitempty"`   // messages that were told before, and were read again by other rules
	Sightings   int64 `json:"sightings"`          // new ones
	References  int64 `json:"references"`         // new ones
	Captures    int64 `json:"captures"`           // bodies captured
	Exceptions  int64 `json:"exceptions"`         // of references, files and messages, in this run
	New         int64 `json:"new"`                // exceptions of references that were open, and of files and messages that had none
	Changed     int64 `json:"changed"`            // captured bodies that differ from the one before
	Left        int64 `json:"left"`               // references that are due and were not tried
	Unasked     int64 `json:"unasked"`            // references that are due and that the policy does not resolve
	Octets      int64 `json:"octets"`             // received
	Requests    int64 `json:"requests"`           // sent
	Deferred    int64 `json:"deferred,omitempty"` // references that are due and were not asked for, because their hosts want that later
	GivenUp     int64 `json:"given_up,omitempty"` // references that were given up
	Unaccounted int64 `json:"unaccounted"`        // messages of sources that are not seen, excepted or older
}

// A SourceRecord is the reconciliation of one mailbox, file or folder. Exists is the sum
// of Seen, Excepted and Older. If it is not, something is not accounted for.
type SourceRecord struct {
	Source      string `json:"source"`
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	Exists      int64  `json:"exists"` // as the server announces it; else the messages that were found, and the files that are not mail
	Seen        int64  `json:"seen"`
	Stored      int64  `json:"stored"` // of those seen, those whose octets are an object, or were one that was forgotten
	Excepted    int64  `json:"excepted"`
	Older       int64  `json:"older,omitempty"` // received before the time that was asked for, and so not read
	Error       string `json:"error,omitempty"` // why it was not read to its end

	// Rules are those of the run, if all messages that were seen in the source, now or
	// before, and are no objects, have been read by them.
	Rules string `json:"rules,omitempty"`
}

// A MessageRecord is a message. It is told once. It is told once more if the message is
// stored by a later run only, and whenever a run with other rules finds more references.
type MessageRecord struct {
	SHA256     string `json:"sha256"`
	Size       int64  `json:"size"`
	MessageID  string `json:"message_id,omitempty"`
	Date       string `json:"date,omitempty"` // the field Date, as its sender wrote it
	From       string `json:"from,omitempty"`
	Subject    string `json:"subject,omitempty"`
	References int    `json:"references"`      // those that are told with this line
	Stored     bool   `json:"stored"`          // its octets are an object
	Again      bool   `json:"again,omitempty"` // they were one before this line
	Limit      string `json:"limit,omitempty"` // the limit because of which it was not read whole, so that references may be missing
}

// Unaccounted returns how many messages are not seen, excepted or older.
func (s *SourceRecord) Unaccounted() int64 { return s.Exists - s.Seen - s.Excepted - s.Older }

// A Sighting is a place where a message was seen.
type Sighting struct {
	Message     string `json:"message,omitempty"` // the digest; "" for a message that was not read whole, because its structure holds no references
	Source      string `json:"source"`            // the mailbox, file or folder
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
	File        string `json:"file,omitempty"`   // the path; in a Maildir without "cur", "new" and the flags; for a line of references with ":" and its number
	Offset      int64  `json:"offset,omitempty"` // where the message begins in the file
	Size        int64  `json:"size,omitempty"`   // of the message; 0 if it was not read
}

// A ReferenceRecord is a reference of a message. It is told once.
type ReferenceRecord struct {
	Message     string    `json:"message"`
	Ref         string    `json:"ref"`              // its ID in the message
	Key         string    `json:"key"`              // see the package comment
	Expect      string    `json:"expect,omitempty"` // its expectation, see the package comment
	Dialect     string    `json:"dialect,omitempty"`
	AccessType  string    `json:"access_type,omitempty"`
	URL         string    `json:"url,omitempty"`   // exact; "" for a body in the message
	Login       string    `json:"login,omitempty"` // the user who logs in; "" if nobody does
	Host        string    `json:"host,omitempty"`
	Provider    string    `json:"provider,omitempty"`
	Name        string    `json:"name,omitempty"`
	Size        int64     `json:"size"` // announced; -1 if not
	ContentType string    `json:"content_type,omitempty"`
	ContentID   string    `json:"content_id,omitempty"`
	Expiration  time.Time `json:"expiration,omitzero"`
	Quoted      bool      `json:"quoted,omitempty"`
}

// A Span is where the exchanges of one attempt are. Its octets are whole gzip members, and
// SHA256 is their digest.
type Span struct {
	File   string `json:"file"` // its name in the folder exchanges
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"`
}

// Facts are what is known of an attempt, whatever its outcome. In JSON they stand among
// the members of the Capture or Exception.
type Facts struct {
	Key        string               `json:"key,omitempty"`
	Expect     string               `json:"expect,omitempty"`
	Message    string               `json:"message,omitempty"` // the digest of the message whose reference was resolved
	Ref        string               `json:"ref,omitempty"`
	MessageID  string               `json:"message_id,omitempty"`
	URL        string               `json:"url,omitempty"`   // exact
	Login      string               `json:"login,omitempty"` // the user who logged in; "" if nobody did
	Host       string               `json:"host,omitempty"`
	FinalURL   string               `json:"final_url,omitempty"`
	Hops       []string             `json:"hops,omitempty"`    // the URLs that redirected, in order
	Address    string               `json:"address,omitempty"` // of the server, with the port
	TLS        *fetch.TLS           `json:"tls,omitempty"`
	Status     int                  `json:"status,omitempty"`
	Header     textproto.MIMEHeader `json:"header,omitempty"`
	ServedType string               `json:"served_type,omitempty"`
	Started    time.Time            `json:"started,omitzero"`
	Ended      time.Time            `json:"ended,omitzero"`
	Exchanges  *Span                `json:"exchanges,omitempty"` // nil if nothing was said on the wire
}

// A Capture is a body that was captured.
type Capture struct {
	Facts
	SHA256      string        `json:"sha256"` // of the object
	Size        int64         `json:"size"`
	Name        string        `json:"name,omitempty"`
	ContentType string        `json:"content_type,omitempty"`
	Label       string        `json:"label"`             // declared, version, current, rendition, unknown
	Version     string        `json:"version,omitempty"` // a field of the answer that tells versions apart, with its name
	Checks      []fetch.Check `json:"checks,omitempty"`

	// Again says that the key was captured before, and that the object of that
	// capture was here. NotModified says that the server answered that the body
	// is still the same. SHA256 is then that of the capture before.
	Again       bool `json:"again,omitempty"`
	NotModified bool `json:"not_modified,omitempty"`

	// Compared says that nobody was asked. The body that was captured for another
	// reference with the same key was compared with what this one promises.
	Compared bool `json:"compared,omitempty"`
}

// An Exception says why a reference was not captured, if Key is set. Otherwise it says why
// a file, a message or the rest of a source could not be read.
type Exception struct {
	Facts
	Source   string    `json:"source,omitempty"`   // of a file or message, as in a Sighting
	File     string    `json:"file,omitempty"`     // as in a Sighting
	UID      uint32    `json:"uid,omitempty"`      // as in a Sighting
	Resolved bool      `json:"resolved,omitempty"` // the file can be read now, and the exception before is over
	Reason   string    `json:"reason,omitempty"`   // one of the codes of this package, such as PermissionDenied
	Kind     string    `json:"kind,omitempty"`     // the fetch.Kind of the error
	Error    string    `json:"error,omitempty"`
	Words    string    `json:"words,omitempty"`    // the beginning of what the server said
	Attempts int       `json:"attempts,omitempty"` // with this one
	First    time.Time `json:"first,omitzero"`     // the time of the first attempt
	Spread   int64     `json:"spread,omitempty"`   // over how many seconds attempts were made; more than eight days between two of them count as one day
	Due      time.Time `json:"due,omitzero"`       // when a run asks again for the reference; zero if only a retry does
	GivenUp  bool      `json:"given_up,omitempty"` // it is not due again because attempts were made for so long
}

// A Changed says that a key was captured again with another body. Both objects stay.
type Changed struct {
	Key  string `json:"key"`
	URL  string `json:"url,omitempty"`
	From string `json:"from"` // the digest of the object of the latest capture before
	To   string `json:"to"`   // the digest of the new object
}

// A Hold protects objects and keys from a Forget, or releases them. What was held twice,
// for two cases, has to be released twice.
type Hold struct {
	Objects  []string `json:"objects"`
	Keys     []string `json:"keys,omitempty"` // of references: all that is told of them, also later, is held
	Selector string   `json:"selector"`
	Reason   string   `json:"reason,omitempty"`
	Release  bool     `json:"release,omitempty"`
}

// A Forget says what was removed.
type Forget struct {
	Objects   []Removed `json:"objects"`
	Exchanges []Removed `json:"exchanges,omitempty"`
	Keys      []string  `json:"keys,omitempty"` // of references that are not asked for again, unless a retry selects them
	Selector  string    `json:"selector"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"` // the WARC-Date of the records that take the place of the exchanges
}

// A Removed is an object or a span that was removed. The last three members are for a
// span, whose octets were overwritten with as many others.
type Removed struct {
	SHA256 string `json:"sha256"` // of what was removed
	Size   int64  `json:"size"`
	File   string `json:"file,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Now    string `json:"now,omitempty"` // the digest of the octets that are there now
}
