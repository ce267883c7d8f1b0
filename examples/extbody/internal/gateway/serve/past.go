package serve

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// A Past is a decision that is shown to the operator: one on a message that has
// references or could not be looked at in full. Its texts of strangers are Plain.
type Past struct {
	Time      time.Time
	Front     string
	QueueID   string
	MessageID string
	Client    string
	Verdict   inspect.Verdict
	Action    inspect.Action
	Rule      string
	Reasons   []string // for each reference; after ten, how many more there are
	Find      string   // what Has looks in: the texts in lower case, with spaces between
}

// newPast returns the Past of a decision.
func newPast(c *Checked, d inspect.Decision) Past {
	rep := c.Report
	p := Past{
		Time: time.Now(), Front: c.mail.Front, QueueID: Plain(c.mail.QueueID), MessageID: Plain(rep.MessageID()), Client: Plain(c.mail.Client),
		Verdict: rep.Verdict, Action: d.Action, Rule: d.Rule, Reasons: reasons(rep),
	}
	words := []string{p.QueueID, p.MessageID, p.Client}
	for _, of := range []func(inspect.Ref) string{refHost, refName, refDigest, refSignature} {
		words = append(words, distinct(rep.Refs, of)...)
	}
	p.Find = strings.ToLower(strings.Join(words, " "))
	return p
}

// Has reports whether the message, or a file that it refers to, has a text in its queue
// ID, Message-ID, client, host, name, SHA-256 or signature, whatever the case.
func (p *Past) Has(text string) bool { return strings.Contains(p.Find, strings.ToLower(text)) }

// octets returns about how much memory p has.
func (p *Past) octets() int {
	n := 300 + len(p.MessageID) + len(p.Find)
	for _, r := range p.Reasons {
		n += 16 + len(r)
	}
	return n
}

// remember keeps the last decisions.
func (e *Engine) remember(p Past) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = append(e.last, p)
	e.octets += p.octets()
	n := 0
	for ; len(e.last)-n > maxPast || e.octets > maxPastOctets; n++ {
		e.octets -= e.last[n].octets()
	}
	e.last = slices.Delete(e.last, 0, n)
}

// Last returns the last decisions, the newest first: at most 1,000, and those that have
// 4 MiB of memory.
func (e *Engine) Last() []Past {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.last)
	slices.Reverse(list)
	return list
}

// reasons returns the outcome for each reference, in words.
func reasons(rep *inspect.Report) []string {
	var list []string
	if rep.Failure != 0 {
		list = append(list, "not looked at in full: "+rep.Failure.String())
	}
	for _, reason := range rep.UnreadReasons() {
		list = append(list, "not looked into: "+reason)
	}
	for i := range rep.Refs {
		if len(list) == 10 {
			return append(list, fmt.Sprintf("and %d more", len(rep.Refs)-i))
		}
		list = append(list, Plain(rep.Refs[i].Text()))
	}
	return list
}
