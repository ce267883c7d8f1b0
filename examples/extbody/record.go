package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/redact"
	"github.com/go-extbody/extbody/internal/show"
	"github.com/go-extbody/extbody/urlaccess"
)

// The values of a record's status.
const (
	statusListed  = "listed"
	statusSaved   = "ok"
	statusFailure = "failed"
	statusPending = "pending"
	statusSkipped = "skipped"
	statusDone    = "done" // by a former run; see --skip-done
)

// A record is one line of what --json writes: a reference, or a message that
// cannot be read. Facts that are not known are absent.
type record struct {
	Message string `json:"message"`
	place

	*facts // of a reference

	*identity // of the message, where references are resolved

	Status string `json:"status"`

	*outcome // of resolving it, or of reading the message

	Plan     *externalbody.Plan `json:"plan,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`

	Program string `json:"program,omitempty"` // and its version

	Exchanges []*fetch.Exchange `json:"exchanges,omitempty"` // with --trace

	ref *externalbody.Reference // nil for a message
}

// facts are what a message says of a reference.
type facts struct {
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
	Claims      []string    `json:"claims,omitempty"`   // facts that are as the URL of a share link says
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

// An outcome is what came of resolving a reference, or of reading a message.
type outcome struct {
	Kind     string        `json:"kind"`
	Error    string        `json:"error"`
	RetryAt  string        `json:"retry_at,omitempty"` // before which it makes no sense to try again
	Bytes    *int64        `json:"bytes,omitempty"`
	SHA256   string        `json:"sha256,omitempty"`
	File     string        `json:"file,omitempty"`
	FinalURL string        `json:"final_url,omitempty"`
	Checks   []fetch.Check `json:"checks,omitempty"`
	Verified string        `json:"verified,omitempty"` // by what the reference promised; see externalbody.Report.Verified
	Capture  fetch.Capture `json:"capture,omitempty"`  // what the body is to what was sent

	*wire
}

// newRecord returns the record of a reference that was found in m.
func newRecord(m *mailbox.Message, ref *externalbody.Reference, exact bool) *record {
	f := &facts{
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
	return &record{
		Message:  show.Escape(m.Path),
		place:    placeOf(m),
		ref:      ref,
		facts:    f,
		Status:   statusListed,
		Warnings: warnings(nil, ref.Diags),
	}
}

// newFailure returns the record of a message that cannot be read, or of a file that
// holds none.
func newFailure(m *mailbox.Message, err error) *record {
	r := &record{Message: show.Escape(m.Path), place: placeOf(m), Status: statusFailure}
	r.outcome = &outcome{Kind: readKind(err), Error: show.Escape(err.Error())}
	if errors.Is(err, mailbox.ErrNotMail) {
		r.Status = statusSkipped
	}
	return r
}

// kindChanged is what a record has for a Kind where a mailbox is not as it was when it
// was read.
const kindChanged = "changed"

// readKind returns the Kind of an error of reading a message. A failure of this machine
// has no Kind of a reference: a PATH that is not there is local, and not not-found.
func readKind(err error) string {
	switch {
	case errors.Is(err, mailbox.ErrChanged):
		return kindChanged
	case errors.Is(err, mailbox.ErrNotMail):
		return fetch.Unsupported.String()
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return e.Kind.String()
	}
	return fetch.Local.String()
}

// plan adds what would be done.
func (r *record) plan(p *externalbody.Plan) {
	r.Plan = p
	if p.Kind != 0 {
		r.Status = statusFailure
		r.outcome = &outcome{Kind: p.Kind.String(), Error: show.Escape(p.Reason)}
	}
}

// resolved adds how the resolution went.
func (r *record) resolved(res *result, exact bool) {
	r.outcome = &outcome{}
	if f := res.former; f != nil {
		r.Status, r.File, r.Bytes, r.SHA256, r.Verified = statusDone, f.File, f.Bytes, f.SHA256, f.Verified
		return
	}
	if res.report != nil {
		r.wire = newWire(r.ref, res.report, exact)
		r.Checks = res.report.Checks
		r.Warnings = warnings(r.Warnings, res.report.Warnings)
		r.FinalURL = show.Escape(shownURL(r.ref, res.report.FinalURL, exact))
	}
	if res.err != nil {
		kind := fetch.KindOf(res.err)
		r.Status, r.Kind, r.Error = statusFailure, kind.String(), show.Escape(res.err.Error())
		if at := fetch.AfterOf(res.err); !at.IsZero() {
			r.RetryAt = stamp(at)
		}
		if kind == fetch.Pending {
			r.Status = statusPending
		}
	}
	if res.skipped {
		r.Status = statusSkipped
	}
	if res.file == "" {
		return
	}
	r.Status = statusSaved
	r.File = show.Escape(res.file)
	r.Bytes = &res.report.Bytes
	r.Verified = res.report.Verified()
	r.Capture = res.report.Capture()
	r.SHA256 = hex.EncodeToString(res.report.SHA256)
}

// stamp returns a time as records have it.
func stamp(t time.Time) string { return t.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano) }

// bad reports whether the record makes the exit status 3. What is gone for good
// does not: trying again would change nothing. Nor does what its sender marked as
// something that the message can do without.
func (r *record) bad(ref *externalbody.Reference) bool {
	return r.Status == statusFailure && r.Kind != fetch.Gone.String() && !ref.Optional()
}

// writeJSON writes the record as one line.
func (r *record) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

func warnings(list []string, diags []externalbody.Diag) []string {
	for _, d := range diags {
		list = append(list, show.Escape(d.String()))
	}
	return list
}

// location returns the URL of the reference; "" if it has none.
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

func shownURL(ref *externalbody.Reference, text string, exact bool) string {
	switch {
	case exact || text == "":
		return text
	case ref == nil:
		return redact.URL(text)
	}
	return ref.Redact(text)
}

// shownPath returns the path of a URL that the access type X-HTTP has in pieces.
func shownPath(ref *externalbody.Reference, path string) string {
	const host = "http://h/"
	rest, slash := strings.CutPrefix(path, "/")
	if u, err := ref.Locate(); err == nil && redact.Credential(u.String()) {
		return "..."
	}
	shown := strings.TrimPrefix(redact.URL(host+rest), host)
	if slash {
		return "/" + shown
	}
	return shown
}

// shownParam returns the value of a parameter. One that is a URL is redacted
// without the white space that it is folded at.
func shownParam(ref *externalbody.Reference, p externalbody.Param, exact bool) string {
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
