package inspect

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// An Action is the fate of a message.
type Action string

// The actions, from the mildest to the strictest.
const (
	Skip       Action = "skip"       // nothing is fetched, and the message passes; a Decision has None
	Capture    Action = "capture"    // bodies are handed over to an archive, and the rules after it decide
	None       Action = "none"       // the message passes, as with Tag if it has references
	Tag        Action = "tag"        // the message passes with a header field
	Inline     Action = "inline"     // the message passes with the bodies in it, or as with Tag if they cannot be put in
	Subject    Action = "subject"    // the message passes with Decision.Subject before its Subject
	Copy       Action = "copy"       // the message passes, and Decision.Copies get it too
	Notice     Action = "notice"     // the message passes with a text instead of the reference
	Strip      Action = "strip"      // the message passes without the reference
	Redirect   Action = "redirect"   // the message goes to Decision.To alone
	Quarantine Action = "quarantine" // the message is held, or passes with a header field by which to hold it
	Hold       Action = "hold"       // the message is held
	Defer      Action = "defer"      // the message is refused for now
	Reject     Action = "reject"     // the message is refused
)

var actions = []Action{Skip, Capture, None, Tag, Inline, Subject, Copy, Notice, Strip, Redirect, Quarantine, Hold, Defer, Reject}

func (a Action) stricter(b Action) bool { return slices.Index(actions, a) > slices.Index(actions, b) }

// changes reports whether a is done to single references.
func (a Action) changes() bool { return a == Inline || a == Notice || a == Strip }

// instead has the action for a front end, or a message, with which another one is not
// possible. For others it is Reject.
var instead = map[Action]Action{Inline: Tag, Subject: Tag, Copy: Subject, Notice: Strip, Strip: Quarantine, Redirect: Quarantine}

// A Mode is how far a rule acts.
type Mode string

// The modes.
const (
	Shadow  Mode = "shadow"  // a match is reported, and the rules after it decide
	TagOnly Mode = "tag"     // the action is Tag, and the one it would be is reported
	Enforce Mode = "enforce" // the action is taken
)

var modes = []Mode{Shadow, TagOnly, Enforce}

// A Decision is the action for a message.
type Decision struct {
	Action Action `json:"action"`
	Rule   string `json:"rule,omitempty"` // the rule that decided; "" if no rule did
	Mode   Mode   `json:"mode,omitempty"` // the mode of that rule; "" if no rule did

	// To is the address that gets the message instead of its recipients; "" unless
	// Action is Redirect.
	To string `json:"to,omitempty"`

	// Subject is the text that is put before the Subject of the message; "" unless Action is
	// Subject or Copy.
	Subject string `json:"subject,omitempty"`

	// Copies are the addresses that get the message too, and of whom the recipients do not
	// learn; nil unless Action is Copy.
	Copies []string `json:"copies,omitempty"`

	// Change has the references, by ID, to which Inline, Notice or Strip is done; nil unless
	// Action is one of these.
	Change map[string]Action `json:"change,omitempty"`

	// Would is the action of the rule if Action is another one, because the rule only
	// tags, or because the action was not possible; see [Decision.Within]. Otherwise it
	// is "".
	Would Action `json:"would,omitempty"`

	// Shadow has the rules in the mode Shadow that matched before the deciding one,
	// with their actions, as "name=action".
	Shadow []string `json:"shadow,omitempty"`
}

// always are the actions that every front end can carry out.
var always = []Action{"", None, Tag, Defer, Reject}

// Within returns a Decision that can be carried out. None, Tag, Defer and Reject always
// can, and can reports whether another Decision can. If d cannot, the next action is tried,
// and Would is the first action. After Notice comes Strip, after Strip and Redirect comes
// Quarantine, and after that Reject. After Copy comes Subject, if there is a text for that, and
// after Inline and Subject comes Tag.
func (d Decision) Within(can func(Decision) bool) Decision {
	first := cmp.Or(d.Would, d.Action)
	for !slices.Contains(always, d.Action) && !can(d) {
		d.Action = cmp.Or(instead[d.Action], Reject)
		d.To = ""
		d.Copies = nil
		d.Would = first
		if d.Action == Subject && d.Subject == "" {
			d.Action = Tag
		}
		if d.Action != Subject {
			d.Subject = ""
		}
		if d.Action != Strip {
			d.Change = nil
		}
		d.Change = maps.Clone(d.Change)
		for id := range d.Change {
			d.Change[id] = Strip
		}
	}
	return d
}

// An Answer is the answer of the front ends for a message, in JSON.
type Answer struct {
	*Report
	Decision

	// Header is the value of the header field called Field for the message, in one
	// line, or "" if the message gets none.
	Header string `json:"header,omitempty"`

	// Message is the message with bodies in it, with references taken out, or with another
	// Subject; nil if Action is not Inline, Notice or Strip, and Subject is "".
	Message []byte `json:"message,omitempty"`

	// RetryAfter is the number of seconds after which more may be known; 0 if there is
	// no such time.
	RetryAfter int `json:"retry_after,omitempty"`
}

// seconds returns a time of more than 0, rounded up to whole seconds.
func seconds(d time.Duration) int { return int((d-1)/time.Second) + 1 }
