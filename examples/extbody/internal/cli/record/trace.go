package record

import (
	"fmt"
	"io"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// A wire is the record of the traffic for a reference.
type wire struct {
	Started      string         `json:"started,omitempty"`
	Ended        string         `json:"ended,omitempty"`
	ServerStatus int            `json:"server_status,omitempty"` // of the last answer, such as 200 or 404
	Hops         []string       `json:"hops,omitempty"`          // URLs that redirected, in order
	Address      netip.AddrPort `json:"address,omitzero"`        // that the body came from
	TLS          *record.TLS    `json:"tls,omitempty"`
	ServedType   string         `json:"served_type,omitempty"` // the media type by the server
	ETag         string         `json:"etag,omitempty"`
	LastModified string         `json:"last_modified,omitempty"`
}

// newWire returns the wire of a Report, or nil if no server was contacted.
func newWire(ref *externalbody.Reference, rep *externalbody.Report, exact bool) *wire {
	if rep.Started.IsZero() {
		return nil
	}
	cut := func(s string) string { return show.Escape(s) }
	if !exact {
		secrets := secretsOf(ref, append(slices.Clip(rep.Hops), rep.FinalURL)...)
		cut = func(s string) string { return show.Escape(secrets.Cut(s)) }
	}
	w := &wire{
		Started:      stamp(rep.Started),
		ServerStatus: rep.Status,
		Address:      rep.RemoteAddr,
		TLS:          rep.TLS,
		ServedType:   cut(rep.ServedType),
		ETag:         cut(rep.Header.Get("ETag")),
		LastModified: cut(rep.Header.Get("Last-Modified")),
	}
	if !rep.Ended.IsZero() {
		w.Ended = stamp(rep.Ended)
	}
	for _, h := range rep.Hops {
		w.Hops = append(w.Hops, show.Escape(shownURL(ref, h, exact)))
	}
	return w
}

// version is the version of the program.
const version = "0.1.0"

// Version returns the name of the program, its version, and the commit if it is known.
func Version() string {
	v := "extbody " + version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			v += "+modified"
		}
	}
	return v
}

// A Tracer keeps, or writes, the traffic on the wire: --trace. It leaves out
// credentials, and redacts URLs as in records.
type Tracer struct {
	exact bool
	json  bool
	to    io.Writer // text, without json

	mu   sync.Mutex
	kept map[*externalbody.Reference][]*fetch.Exchange // with json

	secrets map[*externalbody.Reference]*redact.Secrets
}

// NewTracer returns a tracer. With json it keeps exchanges for records; otherwise it
// writes them to w as text.
func NewTracer(w io.Writer, json, exact bool) *Tracer {
	return &Tracer{
		exact: exact, json: json, to: w,
		kept:    make(map[*externalbody.Reference][]*fetch.Exchange),
		secrets: make(map[*externalbody.Reference]*redact.Secrets),
	}
}

// Observe is for the field Observe of a Resolver.
func (t *Tracer) Observe(ref *externalbody.Reference, x *fetch.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x = t.shown(ref, x)
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
	delete(t.secrets, ref)
	return list
}

// shown returns a copy of x without secrets and bodies.
func (t *Tracer) shown(ref *externalbody.Reference, x *fetch.Exchange) *fetch.Exchange {
	c := *x
	c.Beginning = nil
	if t.exact {
		return &c
	}
	secrets := t.secretsOf(ref, x)
	c.URL = shownURL(ref, x.URL, false)
	c.RequestHead = record.Octets(secrets.CutHead(string(x.RequestHead), x.URL, x.Secret))
	c.ResponseHead = record.Octets(secrets.CutHead(string(x.ResponseHead), x.URL, x.Secret))
	c.Error = secrets.Cut(x.Error)
	c.Dialogue = nil
	for _, l := range x.Dialogue {
		c.Dialogue = append(c.Dialogue, record.Line{Sent: l.Sent, Text: record.Octets(secrets.Cut(string(l.Text)))})
	}
	return &c
}

// secretsOf returns the secrets of the URLs of a reference and of the exchanges for it so
// far, with x. The caller has the lock.
func (t *Tracer) secretsOf(ref *externalbody.Reference, x *fetch.Exchange) *redact.Secrets {
	s := t.secrets[ref]
	if s == nil {
		if len(t.secrets) >= maxSecrets {
			clear(t.secrets)
		}
		s = secretsOf(ref)
		t.secrets[ref] = s
	}
	s.Add(x.URL, x.Secret)
	return s
}

// maxSecrets bounds the references whose secrets are kept.
const maxSecrets = 1000

// secretsOf returns the secrets of the URL of a reference and of others of its fetch.
func secretsOf(ref *externalbody.Reference, urls ...string) *redact.Secrets {
	s := &redact.Secrets{Rules: rulesOf(ref)}
	if ref != nil {
		if u, err := ref.Locate(); err == nil && u.Scheme != "data" {
			urls = append(urls, u.String())
		}
	}
	for _, u := range urls {
		s.Add(u, false)
	}
	return s
}

// rulesOf returns the rules by which share links are secret in the message of ref, which may be
// nil.
func rulesOf(ref *externalbody.Reference) redact.Rules {
	if ref == nil {
		return redact.Rules{}
	}
	own, _ := sharelink.NewTable(ref.ShareHosts()) // Open has checked them
	return redact.Rules{Own: own}
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

// stamp returns a time in the form of records.
func stamp(t time.Time) string { return t.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano) }

func shownURL(ref *externalbody.Reference, text string, exact bool) string {
	switch {
	case exact || text == "":
		return text
	case ref == nil:
		return redact.URL(text)
	}
	return ref.Redact(text)
}
