package record

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Tracer keeps, or writes, what was said on the wire: --trace. It leaves out
// credentials, and redacts URLs as in records.
type Tracer struct {
	exact bool
	json  bool
	to    io.Writer // text, without json

	mu   sync.Mutex
	kept map[*externalbody.Reference][]*fetch.Exchange // with json
}

// NewTracer returns a tracer. With json it keeps exchanges for records; otherwise it
// writes them to w as text.
func NewTracer(w io.Writer, json, exact bool) *Tracer {
	return &Tracer{exact: exact, json: json, to: w, kept: make(map[*externalbody.Reference][]*fetch.Exchange)}
}

// Observe is for the field Observe of a Resolver.
func (t *Tracer) Observe(ref *externalbody.Reference, x *fetch.Exchange) {
	x = t.shown(ref, x)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.json {
		t.kept[ref] = append(t.kept[ref], x)
		return
	}
	io.WriteString(t.to, traceText(x))
}

// Take returns the exchanges of a reference, and no longer keeps them.
func (t *Tracer) Take(ref *externalbody.Reference) []*fetch.Exchange {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.kept[ref]
	delete(t.kept, ref)
	return list
}

// shown returns a copy of x with what may be shown. It leaves out bodies.
func (t *Tracer) shown(ref *externalbody.Reference, x *fetch.Exchange) *fetch.Exchange {
	c := *x
	c.Beginning = nil
	if t.exact {
		return &c
	}
	c.URL = shownURL(ref, x.URL, false)
	c.RequestHead = redactHead(ref, x.RequestHead, x.URL)
	c.ResponseHead = redactHead(ref, x.ResponseHead, x.URL)
	c.Dialogue = nil
	for _, l := range x.Dialogue {
		c.Dialogue = append(c.Dialogue, fetch.Line{Sent: l.Sent, Text: redactLine(ref, l.Text)})
	}
	return &c
}

// redactHead redacts the target of the request line, and URLs in fields.
func redactHead(ref *externalbody.Reference, head fetch.Octets, base string) fetch.Octets {
	if len(head) == 0 {
		return nil
	}
	var b strings.Builder
	first := true
	for line := range strings.Lines(string(head)) {
		text := strings.TrimRight(line, "\r\n")
		end := line[len(text):]
		name, value, isField := strings.Cut(text, ":")
		switch words := strings.Split(text, " "); {
		case first && len(words) == 3 && strings.HasPrefix(words[2], "HTTP/"):
			words[1] = target(ref, words[1], base)
			text = strings.Join(words, " ")
		case isField && !first && strings.ContainsAny(value, "/?"):
			switch strings.ToLower(name) {
			case "location", "content-location", "referer", "link", "refresh", "origin", "set-cookie":
				text = name + ": " + target(ref, strings.TrimSpace(value), base)
			default:
				text = name + ":" + string(redactLine(ref, fetch.Octets(value)))
			}
		}
		first = false
		b.WriteString(text + end)
	}
	return fetch.Octets(b.String())
}

// target redacts a URL that may be relative to base.
func target(ref *externalbody.Reference, text, base string) string {
	if strings.Contains(text, "://") {
		return shownURL(ref, text, false)
	}
	u, err := url.Parse(base)
	if err != nil {
		return "..."
	}
	to, err := u.Parse(text)
	if err != nil {
		return "..."
	}
	shown := shownURL(ref, to.String(), false)
	return strings.TrimPrefix(shown, to.Scheme+"://"+to.Host)
}

// redactLine redacts the URLs in a text.
func redactLine(ref *externalbody.Reference, text fetch.Octets) fetch.Octets {
	words := strings.Split(string(text), " ")
	for i, w := range words {
		if strings.Contains(w, "://") {
			words[i] = shownURL(ref, w, false)
		}
	}
	return fetch.Octets(strings.Join(words, " "))
}

// traceText returns an exchange as lines for people.
func traceText(x *fetch.Exchange) string {
	var b strings.Builder
	say := func(mark, text string) { fmt.Fprintf(&b, "%s %s\n", mark, show.Line(text)) }
	say("*", fmt.Sprintf("%s %s %s", stamp(x.Started), x.Protocol, x.URL))
	for _, l := range x.Lookups {
		var answers []string
		for _, a := range l.Answers {
			word := a.Addr.String()
			if a.Refused != "" {
				word += " (" + a.Refused + ")"
			}
			answers = append(answers, word)
		}
		say("*", fmt.Sprintf("lookup %s: %s %s", l.Host, strings.Join(answers, ", "), l.Error))
	}
	for _, d := range x.Dials {
		say("*", strings.TrimSpace(fmt.Sprintf("dial %s %s", d.Addr, d.Error)))
	}
	if t := x.TLS; t != nil {
		say("*", fmt.Sprintf("%s %s %s verified %t", t.Version, t.Cipher, t.ServerName, t.Verified))
	}
	for line := range strings.Lines(string(x.RequestHead)) {
		say(">", strings.TrimRight(line, "\r\n"))
	}
	for line := range strings.Lines(string(x.ResponseHead)) {
		say("<", strings.TrimRight(line, "\r\n"))
	}
	for _, l := range x.Dialogue {
		mark := "<"
		if l.Sent {
			mark = ">"
		}
		say(mark, string(l.Text))
	}
	end := fmt.Sprintf("%s %s sent, %s received", stamp(x.Ended), show.Octets(x.OctetsOut), show.Octets(x.OctetsIn))
	if x.Error != "" {
		end += ": " + x.Kind.String() + ": " + x.Error
	}
	say("*", end)
	return b.String()
}
