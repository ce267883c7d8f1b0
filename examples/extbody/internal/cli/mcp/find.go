package mcp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/date"
)

const (
	errSince     refusal = "since: want a date such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z"
	errBefore    refusal = "before: want a date such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z"
	errLimit     refusal = "limit: want a number from 1 to 500"
	errCursor    refusal = "cursor: it is not one that list gave: call list without it"
	errOther     refusal = "cursor: it is of a list with other arguments: use those, or call list without it"
	errNewMail   refusal = "cursor: the mail has changed since: call list without it"
	errOldMail   refusal = "cursor: only the newest 2000 messages are listed: use since, before, from, subject or name"
	maxKept              = 2000 // messages that a list keeps, the newest ones
	defaultLimit         = 25   // files of an answer
)

// A filter has the conditions by which messages and files are listed.
type filter struct {
	from, subject, name string // parts of the texts, in the form of fold; "" fits all
	since, before       time.Time
}

// fold returns a text in the form in which texts are compared.
func fold(text string) string { return strings.ToLower(text) }

func newFilter(in *listInput) (*filter, error) {
	f := &filter{from: fold(in.From), subject: fold(in.Subject), name: fold(in.Name)}
	var err error
	f.since, err = moment(in.Since)
	if err != nil {
		return nil, errSince
	}
	f.before, err = moment(in.Before)
	if err != nil {
		return nil, errBefore
	}
	if in.Limit < 0 || in.Limit > maxList {
		return nil, errLimit
	}
	return f, nil
}

// moment returns the time that a text names, of a date its beginning in UTC; the zero time for "".
func moment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, text)
}

// dated returns the time of the field Date; the zero time if it has none.
func dated(whole *externalbody.Message) time.Time {
	if whole == nil {
		return time.Time{}
	}
	when, _, err := date.Parse(record.HeaderFields(whole, "Date")[0])
	if err != nil {
		return time.Time{}
	}
	return when.UTC()
}

// takes reports whether a message fits. One without a date fits no bound of time.
func (f *filter) takes(whole *externalbody.Message, when time.Time) bool {
	early := !f.since.IsZero() && when.Before(f.since)
	late := !f.before.IsZero() && (when.IsZero() || !when.Before(f.before))
	if early || late {
		return false
	}
	if f.from == "" && f.subject == "" {
		return true
	}
	if whole == nil {
		return false
	}
	words := record.HeaderFields(whole, "From", "Subject")
	has := func(text, part string) bool { return strings.Contains(fold(charset.Words(text)), part) }
	return has(words[0], f.from) && has(words[1], f.subject)
}

// takesFile reports whether a file of a message that fits does.
func (f *filter) takesFile(ref *externalbody.Reference) bool {
	return f.name == "" || strings.Contains(fold(ref.Name), f.name)
}

// A found is a message that fits, with its files.
type found struct {
	when  time.Time
	order int
	fact  messageFact
	files []entry
}

// A findings has the newest messages that fit. The fingerprint of all is in print: it does not depend on their order.
type findings struct {
	list  []*found
	total int // files, of all messages that fit
	print [sha256.Size]byte
	gone  bool // messages were left out
	count int
}

func (f *findings) add(x *found) {
	x.order = f.count
	f.count++
	f.total += len(x.files)
	text, _ := json.Marshal([]any{x.fact.where, x.fact.SHA256, len(x.files)})
	for i, c := range sha256.Sum256(text) {
		f.print[i] ^= c
	}
	f.list = append(f.list, x)
	if len(f.list) >= 2*maxKept {
		f.sort()
	}
}

// sort puts the newest message first, and those without a date last, and keeps maxKept of them.
func (f *findings) sort() {
	slices.SortFunc(f.list, func(a, b *found) int {
		return cmp.Or(b.when.Compare(a.when), cmp.Compare(a.order, b.order))
	})
	if len(f.list) > maxKept {
		f.gone = true
		clear(f.list[maxKept:])
		f.list = f.list[:maxKept]
	}
}

// A cursor is where an answer of list ended.
type cursor struct {
	Asked string `json:"a"` // the digest of the arguments
	Mail  string `json:"m"` // the digest of all that fit
	At    int    `json:"n"` // files that were listed
}

func short(sum [sha256.Size]byte) string { return base64.RawURLEncoding.EncodeToString(sum[:12]) }

// asked returns the digest of the arguments that choose the list.
func (in listInput) asked() string {
	in.Cursor = ""
	in.Limit = 0
	text, _ := json.Marshal(in)
	return short(sha256.Sum256(text))
}

func (c cursor) String() string {
	text, _ := json.Marshal(c)
	return base64.RawURLEncoding.EncodeToString(text)
}

// position returns where the list of a call begins, in files.
func (f *findings) position(in *listInput) (int, error) {
	if in.Cursor == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	if err != nil {
		return 0, errCursor
	}
	var c cursor
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil || c.At < 0 {
		return 0, errCursor
	}
	switch {
	case c.Asked != in.asked():
		return 0, errOther
	case c.Mail != short(f.print):
		return 0, errNewMail
	}
	return c.At, nil
}

// line is the text of a file in an answer: one line of JSON, so that the words of strangers are in fields of their own.
func line(fact *messageFact, when time.Time, e *entry) string {
	l := struct {
		where
		Ref       string   `json:"ref"`
		Date      string   `json:"date,omitempty"`
		Size      *int64   `json:"size,omitempty"`
		Untrusted lineText `json:"untrusted"`
	}{where: e.where, Ref: e.Ref, Size: e.Size, Untrusted: lineText{e.Untrusted.Name, fact.Untrusted.From}}
	if !when.IsZero() {
		l.Date = when.Format(time.DateOnly)
	}
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	j.Encode(l)
	return b.String()
}

type lineText struct {
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`
}
