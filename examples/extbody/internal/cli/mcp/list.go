package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// maxWarnings bounds the warnings about one reference.
const maxWarnings = 20

// list is the tool of this name.
func (s *server) list(
	ctx context.Context, _ *sdk.CallToolRequest, in listInput,
) (*sdk.CallToolResult, *listOutput, error) {
	p, err := s.place(in.Path)
	if err != nil {
		return nil, nil, newFault(err)
	}
	out := &lister{server: s, place: p, left: maxShort}
	out.filter, err = newFilter(&in)
	if err != nil {
		return nil, nil, newFault(err)
	}
	out.References = []entry{}
	out.Messages = []messageFact{}
	if in.Limit > 0 {
		out.left = maxAnswer
	}
	if err := out.read(ctx, &in); err != nil {
		return nil, nil, newFault(err)
	}
	text, err := out.page(&in)
	if err != nil {
		return nil, nil, newFault(err)
	}
	text += out.rest()
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, &out.listOutput, nil
}

// rest returns the last line of the text of an answer: some clients give the text alone to the agent. It is "" if the
// lines of files are all.
func (l *listOutput) rest() string {
	hidden := len(l.Errors) + len(l.Unread)
	if hidden == 0 && !l.More && len(l.References) > 0 {
		return ""
	}
	b, err := json.Marshal(struct {
		Total  int    `json:"total"`
		Next   string `json:"next,omitempty"`
		More   bool   `json:"more,omitempty"`
		Errors int    `json:"errors,omitempty"`
		Unread int    `json:"unread,omitempty"`
	}{l.Total, l.Next, l.More, len(l.Errors), len(l.Unread)})
	if err != nil {
		return ""
	}
	return string(b) + "\n"
}

// A lister makes the answer of list.
type lister struct {
	listOutput
	server  *server
	place   *place
	filter  *filter
	matches findings
	left    int // octets of JSON
}

// read reads the messages of a place.
func (l *lister) read(ctx context.Context, in *listInput) error {
	var uid uint32
	if in.Index != nil && l.place.at != nil {
		n, err := l.server.find(ctx, in.Path, in.Index)
		if err != nil {
			return err
		}
		uid = n.UID()
		n.Close()
	}
	for m, err := range l.server.messages(ctx, l.place, uid) {
		skip := in.Index != nil && l.place.at == nil && m.Index != *in.Index
		if !skip {
			l.add(m, err)
		}
		m.Close()
		nothing := l.matches.count+len(l.Unread) == 0
		named := l.place.root != nil && m.Path == l.place.path
		if err != nil && nothing && named {
			return err
		}
	}
	return context.Cause(ctx)
}

// add adds a message. Errors, and parts that could not be looked into, leave a quarter of the answer to references.
func (l *lister) add(m *source.Found, err error) {
	at := where{l.place.name(m), numberOf(m)}
	if err != nil {
		if e := (failedPath{at, *newFault(err)}); l.fits(e, maxShort/4) {
			l.Errors = append(l.Errors, e)
		}
	}
	if whole := m.Whole(); whole != nil {
		for u := range whole.Unread() {
			e := unreadPart{at, fence(u.Section), string(u.Reason)}
			if !l.fits(e, maxShort/4) {
				break
			}
			l.Unread = append(l.Unread, e)
		}
	}
	if len(m.Refs) == 0 {
		return
	}
	if x := l.found(at, m); x != nil {
		l.matches.add(x)
	}
}

// fits reports whether v has room in the answer, beside octets that are kept. If not there is more.
func (l *lister) fits(v any, kept int) bool {
	b, err := json.Marshal(v)
	if err != nil || len(b)+1+kept > l.left {
		l.More = true
		return false
	}
	l.left -= len(b) + 1
	return true
}

// page fills the answer from where the cursor of in is, and returns its text.
func (l *lister) page(in *listInput) (string, error) {
	l.matches.sort()
	l.Total = l.matches.total
	at, err := l.matches.position(in)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	limit := cmp.Or(in.Limit, defaultLimit)
	number := 0
	for _, x := range l.matches.list {
		shown := false
		for i := range x.files {
			number++
			if number <= at {
				continue
			}
			e := &x.files[i]
			say := line(&x.fact, x.when, e)
			first := number == at+1
			full := len(l.References) == limit || !shown && !l.fits(x.fact, 0) || !l.fits(e, len(say)*2)
			if full && !first {
				l.More = true
				l.Next = cursor{in.asked(), short(l.matches.print), number - 1}.String()
				return text.String(), nil
			}
			if !shown {
				l.Messages = append(l.Messages, x.fact)
				shown = true
			}
			l.left -= len(say)
			l.References = append(l.References, *e)
			text.WriteString(say)
		}
	}
	if l.matches.gone {
		l.More = true
		if len(l.References) == 0 {
			return "", errOldMail
		}
	}
	return text.String(), nil
}

func (s *server) fact(at where, m *source.Found) messageFact {
	f := messageFact{where: at}
	if id, _, err := m.Identify(); err == nil {
		f.SHA256 = id.Digest
	}
	whole := m.Whole()
	if whole == nil {
		return f
	}
	words := record.HeaderFields(whole, "Message-ID", "Date", "From", "Subject")
	for i, to := range []*string{&f.Untrusted.MessageID, &f.Untrusted.Date, &f.Untrusted.From, &f.Untrusted.Subject} {
		*to = fence(charset.Words(words[i]))
	}
	a := &authentication{
		SPF:   inspect.Authenticated(whole, "spf", s.trusted),
		DKIM:  inspect.Authenticated(whole, "dkim", s.trusted),
		DMARC: inspect.Authenticated(whole, "dmarc", s.trusted),
	}
	if len(a.SPF)+len(a.DKIM)+len(a.DMARC) > 0 {
		f.Authentication = a
	}
	return f
}

func newEntry(at where, m *source.Found, ref *externalbody.Reference) entry {
	e := entry{where: at, Ref: fence(ref.ID), Dialect: cmp.Or(ref.Dialect, inspect.Standard)}
	if ref.Size >= 0 {
		e.Size = &ref.Size
	}
	if !ref.Expiration.IsZero() {
		e.Expiration = ref.Expiration.UTC().Format(time.RFC3339)
	}
	e.Untrusted = refWords{
		AccessType:  fence(ref.AccessType),
		ContentType: fence(ref.MediaType),
		Name:        fence(ref.Name),
		URL:         fence(record.New(m.Place(), ref, false).URL),
		Warnings:    warnings(ref.Diags),
	}
	return e
}

func warnings(diags []externalbody.Diag) (list []string) {
	for _, d := range diags {
		if len(list) == maxWarnings {
			break
		}
		list = append(list, fence(d.String()))
	}
	return list
}

// found returns a message that fits, or nil.
func (l *lister) found(at where, m *source.Found) *found {
	whole := m.Whole()
	when := dated(whole)
	if !l.filter.takes(whole, when) {
		return nil
	}
	var files []entry
	for _, ref := range m.Refs {
		if l.filter.takesFile(ref) && len(files) < maxList {
			files = append(files, newEntry(at, m, ref))
		}
	}
	if len(files) == 0 {
		return nil
	}
	return &found{when: when, fact: l.server.fact(at, m), files: files}
}
