// Package record has the program's reports about references: a line of JSON or a
// sentence for each, counts of all, and the records of earlier runs. Secrets in URLs
// are cut out.
package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	filerecord "github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

// The values of Record.Status.
const (
	Listed  = "listed"
	OK      = "ok"
	Failed  = "failed"
	Pending = "pending"
	Skipped = "skipped"
	Done    = "done"    // by a earlier run; see --skip-done
	Unread  = "unread"  // a part of the message
	NotMail = "no-mail" // a file that is no mail
	Loads   = "loads"   // of a rewritten message: it loads something when it is shown, or did
)

// A Record is one line that --json writes: about a reference, about a message that cannot be read,
// or about a part that cannot be looked into. Unknown facts are missing.
type Record struct {
	Place

	*Facts // of a reference

	*Identity // of the message

	Status string `json:"status"`

	Unread *UnreadPart `json:"unread,omitempty"`

	*Outcome // of resolving it, or of reading the message

	Plan     *externalbody.Plan `json:"plan,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`

	Program string `json:"program,omitempty"` // and its version

	Exchanges []*fetch.Exchange `json:"exchanges,omitempty"` // with --trace

	ref   *externalbody.Reference // nil for a message
	brief bool                    // it has the facts of a sentence, and nothing else
}

// An UnreadPart is a part of a message that could not be looked into, although references may
// be in it.
type UnreadPart struct {
	Section string `json:"section"`          // the IMAP section
	Type    string `json:"type"`             // its media type
	Reason  string `json:"reason"`           // as in [externalbody.UnreadPart]
	Detail  string `json:"detail,omitempty"` // the id of a partial message, or the name of an encoding or a charset
}

// String describes the part in a line for people.
func (u *UnreadPart) String() string {
	text := fmt.Sprintf("part %s could not be looked into: %s", u.Section, u.Reason)
	if u.Detail != "" {
		text += fmt.Sprintf(" %q", u.Detail)
	}
	return text
}

// Facts are the facts about a reference in a message.
type Facts struct {
	Part        string      `json:"part"`
	Ref         string      `json:"ref"`
	Dialect     string      `json:"dialect"`
	AccessType  string      `json:"access_type,omitempty"`
	URL         string      `json:"url,omitempty"`
	Params      [][2]string `json:"params,omitempty"`
	Name        string      `json:"name,omitempty"`
	Expiration  string      `json:"expiration,omitempty"`
	Size        *int64      `json:"size,omitempty"`
	Permission  string      `json:"permission,omitempty"`
	ContentType string      `json:"content_type,omitempty"`
	ContentID   string      `json:"content_id,omitempty"`
	Provider    string      `json:"provider,omitempty"`
	Account     string      `json:"account,omitempty"`  // of the settings, which would be used; of list alone
	Claims      []string    `json:"claims,omitempty"`   // facts that only the URL shows
	Promises    []string    `json:"promises,omitempty"` // facts of a dialect that are exact
	Quoted      bool        `json:"quoted"`
	Origins     []origin    `json:"origins,omitempty"` // where it is, if that is not the part
}

// An origin is a place in a message that names a body.
type origin struct {
	Part  string `json:"part"`            // "" is the header of the message
	Field string `json:"field,omitempty"` // of a header
	Start int64  `json:"start,omitempty"` // octets of the decoded part
	End   int64  `json:"end,omitempty"`
}

// An Outcome is the outcome of resolving a reference, or of reading a message.
type Outcome struct {
	Kind     string        `json:"kind"`
	Error    string        `json:"error"`
	RetryAt  string        `json:"retry_at,omitempty"` // before which it makes no sense to try again
	Bytes    *int64        `json:"bytes,omitempty"`
	SHA256   string        `json:"sha256,omitempty"`
	File     string        `json:"file,omitempty"`
	FinalURL string        `json:"final_url,omitempty"`
	Checks   []fetch.Check `json:"checks,omitempty"`
	Verified fetch.Status  `json:"verified,omitempty"` // see externalbody.Report.Verified
	Capture  fetch.Capture `json:"capture,omitempty"`  // see externalbody.Report.Capture

	Object *filerecord.Object `json:"object,omitempty"` // by the API of the host, with an account

	*wire

	fileName string // of the body, as the message, the server or the URL names it
}

// New returns the record of a reference that was found in the message at p.
func New(p Place, ref *externalbody.Reference, exact bool) *Record {
	f := &Facts{
		Ref:         show.Escape(ref.ID),
		Dialect:     ref.Dialect,
		AccessType:  show.Escape(ref.AccessType),
		URL:         location(ref, exact),
		Name:        show.Escape(ref.Name),
		Permission:  show.Escape(ref.Permission),
		ContentType: show.Escape(ref.MediaType),
		ContentID:   show.Escape(ref.ContentID),
		Provider:    ref.Provider,
		Claims:      ref.Claims,
		Promises:    ref.Promises,
		Quoted:      ref.Quoted,
	}
	for _, o := range ref.Origins {
		if ref.Dialect != "" || len(ref.Origins) > 1 {
			f.Origins = append(f.Origins, origin{o.Section, show.Escape(o.Field), o.Start, o.End})
		}
	}
	if len(ref.Origins) > 0 {
		f.Part = ref.Origins[0].Section
	}
	if ref.Size >= 0 {
		f.Size = &ref.Size
	}
	if !ref.Expiration.IsZero() {
		f.Expiration = ref.Expiration.UTC().Format(time.RFC3339)
	}
	for _, p := range ref.Params {
		f.Params = append(f.Params, [2]string{show.Escape(p.Name), show.Escape(shownParam(ref, p, exact))})
	}
	return &Record{
		Place:    p.Escaped(),
		ref:      ref,
		Facts:    f,
		Status:   Listed,
		Warnings: Warnings(nil, ref.Diags),
	}
}

// Brief returns a record with as much about a reference as a sentence needs.
func Brief(ref *externalbody.Reference) *Record {
	return &Record{ref: ref, brief: true, Facts: &Facts{ContentType: show.Escape(ref.MediaType)}}
}

// NewFailure returns the record of a message that cannot be read, or of a file without
// messages.
func NewFailure(p Place, err error) *Record {
	r := &Record{Place: p.Escaped(), Status: Failed}
	r.Outcome = &Outcome{Kind: readKind(err), Error: show.Escape(err.Error())}
	if errors.Is(err, mailbox.ErrNotMail) {
		r.Status = NotMail
	}
	return r
}

// kindChanged is the kind in a record if a mailbox changed after it was read.
const kindChanged = "changed"

// readKind returns the kind for an error of reading a message. A failure of this
// machine has no Kind of a reference: a PATH that does not exist is local, and not
// not-found.
func readKind(err error) string {
	switch {
	case errors.Is(err, mailbox.ErrChanged):
		return kindChanged
	case errors.Is(err, mailbox.ErrNotMail), errors.Is(err, mailbox.ErrUnread), errors.Is(err, mailbox.ErrCR):
		return fetch.Unsupported.String()
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return e.Kind.String()
	}
	return fetch.Local.String()
}

// Planned adds the plan.
func (r *Record) Planned(p *externalbody.Plan) {
	r.Plan = p
	if p.Kind != 0 {
		r.Status = Failed
		r.Outcome = &Outcome{Kind: p.Kind.String(), Error: show.Escape(p.Reason)}
	}
}

// A Result is the outcome of a reference.
type Result struct {
	Report   *externalbody.Report
	Err      error
	File     string
	Skipped  bool     // another reference served instead
	Previous *earlier // of a earlier run that did it; nil if this run did
}

// Resolved adds the outcome.
func (r *Record) Resolved(res *Result, exact bool) {
	r.Outcome = &Outcome{}
	if f := res.Previous; f != nil {
		r.Status = Done
		r.File = f.File
		r.Bytes = f.Bytes
		r.SHA256 = f.SHA256
		r.Verified = f.Verified
		return
	}
	if res.Report != nil {
		if !r.brief {
			r.wire = newWire(r.ref, res.Report, exact)
		}
		r.Checks = res.Report.Checks
		r.Warnings = Warnings(r.Warnings, res.Report.Warnings)
		r.Object = escaped(res.Report.Object)
		r.FinalURL = show.Escape(shownURL(r.ref, res.Report.FinalURL, exact))
	}
	if res.Err != nil {
		kind := fetch.KindOf(res.Err)
		r.Status = Failed
		r.Kind = kind.String()
		r.Error = show.Escape(res.Err.Error())
		if at := fetch.AfterOf(res.Err); !at.IsZero() {
			r.RetryAt = stamp(at)
		}
		if kind == fetch.Pending {
			r.Status = Pending
		}
	}
	if res.Skipped {
		r.Status = Skipped
	}
	if res.File == "" {
		return
	}
	r.Status = OK
	r.File = show.Escape(res.File)
	r.Bytes = &res.Report.Bytes
	if r.brief {
		if ref := r.ref; ref.Name != "" || res.Report.Header.Get("Content-Disposition") != "" {
			r.fileName = res.Report.FileName()
		}
		return
	}
	r.Verified = res.Report.Verified()
	r.Capture = res.Report.Capture()
	r.SHA256 = hex.EncodeToString(res.Report.SHA256)
}

// escaped returns the facts of an object, which may be nil, with texts that can be shown.
func escaped(o *filerecord.Object) *filerecord.Object {
	if o == nil {
		return nil
	}
	c := *o
	c.ID = show.Escape(o.ID)
	c.Name = show.Escape(o.Name)
	c.Version = show.Escape(o.Version)
	return &c
}

// bad reports whether the record makes the exit status 3. A body that is gone for good
// does not, since another try would change nothing. Nor does a body that its sender
// marked as optional.
func (r *Record) bad(ref *externalbody.Reference) bool {
	return r.Status == Failed && r.Kind != fetch.Gone.String() && !ref.Optional()
}

// WriteJSON writes the record as one line.
func (r *Record) WriteJSON(w io.Writer) error { return show.JSON(w, r) }

// Warnings appends diags to list, in the form of records.
func Warnings(list []string, diags []externalbody.Diag) []string {
	for _, d := range diags {
		list = append(list, show.Escape(d.String()))
	}
	return list
}

// location returns the URL of the reference, or "" if it has none.
func location(ref *externalbody.Reference, exact bool) string {
	u, err := ref.Locate()
	if err != nil {
		return ""
	}
	if u.Scheme == "data" && !exact {
		// Redacting needs no copy of the data.
		if req, err := ref.Request(); err == nil && req.Open == nil {
			return redact.URL(req.Text)
		}
	}
	return show.Escape(shownURL(ref, u.String(), exact))
}

// shownPath returns the path of a URL, redacted, for the access type X-HTTP, which
// gives a URL in pieces.
func shownPath(ref *externalbody.Reference, path string) string {
	const host = "http://h/"
	rest, slash := strings.CutPrefix(path, "/")
	site, _ := ref.Param("host")
	where := "http://" + strings.TrimSpace(site) + "/" + rest // if there is a fault elsewhere
	if u, err := ref.Locate(); err == nil {
		where = u.String()
	}
	if rulesOf(ref).Credential(where) {
		return "..."
	}
	shown := strings.TrimPrefix(redact.URL(host+rest), host)
	if slash {
		return "/" + shown
	}
	return shown
}

// shownParam returns the value of a parameter, redacted unless exact is set. If it is a
// URL, the white space at which it is folded is removed.
func shownParam(ref *externalbody.Reference, p externalbody.Field, exact bool) string {
	if p.Name == "url" && slices.Contains(ref.Diags, externalbody.Diag{Code: externalbody.DiagLongURL, Param: p.Name}) {
		return location(ref, exact)
	}
	if exact {
		return p.Value
	}
	if ref.AccessType == "x-http" {
		switch p.Name {
		case "path", "name":
			return shownPath(ref, p.Value)
		case "x-anchor":
			return strings.TrimPrefix(redact.URL("#"+p.Value), "#")
		}
	}
	if p.Name != "url" && !strings.Contains(p.Value, "://") && !strings.Contains(strings.ToLower(p.Value), "%3a%2f%2f") {
		return p.Value
	}
	if text, err := urlaccess.Decode(p.Value); err == nil {
		return ref.Redact(text)
	}
	return ref.Redact(p.Value)
}

// A Path is a PATH of the command line. It can also name the single message of a record.
type Path struct {
	Name    string
	UID     uint32 // of a message on an IMAP server; 0 means all messages of Name
	EmailID string // of a message on a JMAP server; "" means all messages of Name
}

// Paths returns the PATHs of the command line. Without any it returns standard
// input.
func Paths(args []string) []Path {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var list []Path
	for _, name := range args {
		list = append(list, Path{Name: name})
	}
	return list
}

// A Place identifies a message in a mailbox.
type Place struct {
	Message string `json:"message"` // the path or URL of the mailbox

	*counted    // of a message in a file
	*numbered   // of one on an IMAP server
	*identified // of one on a JMAP server
}

// counted is the place of a message in the order of its mailbox.
type counted struct {
	Index int `json:"index"`
}

// numbered is the place of a message on an IMAP server. Unknown numbers are missing.
type numbered struct {
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
}

// identified is the place of a message on a JMAP server. An id that is not known is missing.
type identified struct {
	EmailID string `json:"emailid,omitempty"`
}

// InFile returns the place of a message in a file.
func InFile(m *mailbox.Message) Place { return Place{Message: m.Path, counted: &counted{m.Index}} }

// OnServer returns the place of a message in a mailbox of an IMAP server. Unknown
// numbers are 0.
func OnServer(mailbox string, uidValidity, uid uint32) Place {
	return Place{Message: mailbox, numbered: &numbered{uidValidity, uid}}
}

// InAccount returns the place of a message in an account of a JMAP server. An id that is not
// known is "".
func InAccount(account, id string) Place {
	return Place{Message: account, identified: &identified{id}}
}

// Escaped returns p in the form of records.
func (p Place) Escaped() Place {
	p.Message = show.Escape(p.Message)
	return p
}

// An Identity distinguishes a message from others, wherever it is stored.
type Identity struct {
	Digest    string `json:"message_sha256,omitempty"` // of its octets as they are read; "" if only parts of it were
	MessageID string `json:"message_id,omitempty"`     // these three as in its header, unfolded
	Date      string `json:"date,omitempty"`
	From      string `json:"from,omitempty"`
}

// maxIdentity bounds how much of the header is read, and the value of a field.
const (
	maxIdentityHeader = 256 << 10
	maxIdentityField  = 1 << 10
)

// Identify returns the facts in the header of a message, or none if m is nil. The
// caller adds the digest.
func Identify(m *externalbody.Message) (id Identity) {
	if m == nil {
		return id
	}
	values := HeaderFields(m, "Message-ID", "Date", "From")
	for i, to := range []*string{&id.MessageID, &id.Date, &id.From} {
		*to = show.Escape(values[i])
	}
	return id
}

// HeaderFields returns the value of the first field of each name in the header of a message,
// unfolded and cut to 1 KiB, or "" where there is none.
func HeaderFields(m *externalbody.Message, names ...string) []string {
	values := make([]string, len(names))
	index, r := message.IndexOf(m.Reader())
	span := index.Root().Header
	text := make([]byte, min(span.Len(), maxIdentityHeader))
	n, _ := io.ReadFull(io.NewSectionReader(r, span.Start, span.Len()), text)
	for field := range message.Fields(string(text[:n]), 0) {
		for i, name := range names {
			if values[i] == "" && strings.EqualFold(field.Name, name) {
				value := strings.Join(strings.Fields(field.Value), " ")
				values[i] = value[:min(len(value), maxIdentityField)]
			}
		}
	}
	return values
}

// An earlier is the record of an earlier run about a reference, or about a message that
// could not be read.
type earlier struct {
	Message     string
	Index       *int
	UIDValidity uint32
	UID         uint32
	EmailID     string
	MessageSHA  string `json:"message_sha256"`
	Ref         string

	Status, Kind string
	URL          string
	FinalURL     string    `json:"final_url"`
	RetryAt      time.Time `json:"retry_at"`

	File     string
	Bytes    *int64
	SHA256   string
	Verified fetch.Status
}
