package inspect

import (
	"fmt"
	"slices"
)

// A Verdict is the judgement on a message: the worst of its references.
type Verdict string

// The verdicts, from the best to the worst.
const (
	Clean       Verdict = "clean"       // nothing speaks against the references, or there are none
	Encrypted   Verdict = "encrypted"   // apart from encrypted parts, which only the recipient can read, it is clean
	Unavailable Verdict = "unavailable" // something could not be had, read or scanned
	Pending     Verdict = "pending"     // something is not known yet
	Suspicious  Verdict = "suspicious"  // something differs from the announcement, or from before
	Malware     Verdict = "malware"     // the scanner found something
)

var verdicts = []Verdict{Clean, Encrypted, Unavailable, Pending, Suspicious, Malware}

// worse reports whether v is worse than w.
func (v Verdict) worse(w Verdict) bool { return slices.Index(verdicts, v) > slices.Index(verdicts, w) }

// An Action is the fate of a message.
type Action string

// The actions, from the mildest to the strictest.
const (
	None       Action = "none"       // the message passes, as with Tag if it has references
	Tag        Action = "tag"        // the message passes with a header field
	Inline     Action = "inline"     // the message passes with the bodies in it, or as with Tag if they cannot be put in
	Notice     Action = "notice"     // the message passes with a text in the place of the reference
	Strip      Action = "strip"      // the message passes without the reference
	Redirect   Action = "redirect"   // the message goes to Decision.To alone
	Quarantine Action = "quarantine" // the message is held, or passes with a header field by which to hold it
	Hold       Action = "hold"       // the message is held
	Defer      Action = "defer"      // the message is refused for now
	Reject     Action = "reject"     // the message is refused
)

var actions = []Action{None, Tag, Inline, Notice, Strip, Redirect, Quarantine, Hold, Defer, Reject}

// stricter reports whether a is stricter than b.
func (a Action) stricter(b Action) bool { return slices.Index(actions, a) > slices.Index(actions, b) }

// next returns the action for a front end, or a message, with which a is not possible.
func (a Action) next() Action {
	switch a {
	case Inline:
		return Tag
	case Notice:
		return Strip
	case Strip, Redirect:
		return Quarantine
	}
	return Reject
}

// A Mode is how far a rule acts.
type Mode string

// The modes.
const (
	Shadow  Mode = "shadow"  // a match is reported, and the rules after it decide
	TagOnly Mode = "tag"     // the action is Tag, and the one it would be is reported
	Enforce Mode = "enforce" // the action is taken
)

var modes = []Mode{Shadow, TagOnly, Enforce}

// A Scan is the outcome of a scan for malware.
type Scan string

// The outcomes.
const (
	Unscanned   Scan = ""         // without a scanner, or without a body
	ScanClean   Scan = "clean"    // the scanner said so, literally
	Infected    Scan = "infected" // the scanner found something
	ScanFailed  Scan = "failed"   // the scanner did not answer clearly
	unscannedIn      = "none"     // Unscanned in a policy
)

// oneOf returns the value that s stands for.
func oneOf[T ~string](s string, values []T) (T, error) {
	if i := slices.Index(values, T(s)); i >= 0 {
		return values[i], nil
	}
	return "", fmt.Errorf("%q is none of %v", s, values)
}
