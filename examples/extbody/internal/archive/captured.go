package archive

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/wording"
)

// ExportOptions are for [Archive.Export].
type ExportOptions struct {
	// As is the form: csv, eml, load, maildir, mbox, warc or wacz.
	As string

	// Selector selects references, and the messages with them; nil selects everything.
	Selector *Selector

	// Inline puts captured bodies into the messages of eml, maildir and mbox, instead
	// of the references. It contacts no host.
	Inline bool

	// Lost is called with the name of each object that is lost or damaged, and of each file of exchanges that is lost, and
	// the rest is exported. If it is nil, a message that is lost or damaged is an error.
	Lost func(name string)

	// Left is called with each captured reference that stays in its message with Inline, and the reason; nil is no
	// function.
	Left func(m *MessageRecord, ref *externalbody.Reference, err error)

	versions *versions // of the captures that are put in; nil for the latest
	bare     int       // references for which no capture is meant, of the messages with Inline
}

// lose calls Lost for an object that was not forgotten. It returns false if there is no Lost.
func (o *ExportOptions) lose(a *Archive, sum string) bool {
	if o.Lost == nil {
		return false
	}
	if a.index.flags(sum)&flagForgotten == 0 {
		o.Lost(lostPrefix + filepath.ToSlash(store.Name(sum)))
	}
	return true
}

// exportFile writes a new file, which gets its name when it is whole.
func exportFile(out string, write func(io.Writer) (int64, error)) (n int64, err error) {
	err = atomicfile.PublishFile(out, func(w io.Writer) (err error) {
		n, err = write(w)
		return err
	})
	return n, err
}

// newFolder makes a folder with others in it. It makes nothing in a folder that is there.
func newFolder(out string, in ...string) error {
	for _, sub := range append([]string{""}, in...) {
		if err := os.Mkdir(filepath.Join(out, sub), 0o700); err != nil {
			return err
		}
	}
	return nil
}

var errNotModified = errors.New("the object has not changed")

// An asker is a Fetcher for a body that was captured before. If ask is set, it asks Next
// whether the body has changed; otherwise it contacts no host.
//
// If object is set and Next was not asked, or answered 304, the asker returns the object.
// The caller then compares it with the promises of a reference.
type asker struct {
	driver.Layer
	ask        bool
	conditions *fetch.Conditions // nil if the server gave no validator
	object     *Capture
	objects    store.Objects
	at         time.Time // of the version, if the object is the one that was in force then
	encoding   string    // the transfer encoding that the reference gives its body
	unmodified bool      // Next has said that nothing has changed
}

// conditions returns the Conditions for asking whether a captured body has changed; nil if
// its server gave no validator.
func conditions(c *Capture) *fetch.Conditions {
	k := &fetch.Conditions{URL: c.FinalURL, ETag: c.Header.Get("ETag"), LastModified: c.Header.Get("Last-Modified")}
	if k.ETag == "" && k.LastModified == "" {
		return nil
	}
	return k
}

// Fetch implements [fetch.Fetcher].
func (k *asker) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if !k.ask {
		return k.give(req)
	}
	c := *req
	c.Conditions = k.conditions
	resp, err := k.Layer.Fetch(ctx, &c)
	if err != nil || !resp.NotModified {
		return resp, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	driver.End(driver.OfResponse(resp).Exchange, nil)
	k.unmodified = true
	if k.object == nil {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: errNotModified}
	}
	given, err := k.give(req)
	if err == nil {
		given.URL = resp.URL
		given.Status = resp.Status
	}
	return given, err
}

// give returns the object as if it had been fetched.
func (k *asker) give(req *fetch.Request) (*fetch.Response, error) {
	f, size, err := k.objects.Reader(k.object.SHA256)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Local, Err: err}
	}
	resp := &fetch.Response{
		URL:       req.URL,
		MediaType: k.object.ServedType,
		Size:      size,
		Body:      f,
		Capture:   fetch.Capture(k.object.Label),
		Header:    k.object.Header,
	}
	if !k.at.IsZero() {
		resp.Capture = fetch.CaptureVersion
		driver.OfResponse(resp).Object = k.object.object()
	}
	if enc := message.ParseEncoding(k.encoding); enc.Hides() {
		// The object has the octets after the encoding was undone, which is undone of
		// all that is fetched.
		resp.Body = encode(f, enc)
		resp.Size = -1
	}
	return resp, nil
}

// encode returns the octets of src in a transfer encoding. Its Close ends the reading of src.
func encode(src io.ReadCloser, enc message.Encoding) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		q := quotedprintable.NewWriter(w)
		q.Binary = true
		var e io.WriteCloser = q
		if enc == message.Base64 {
			e = base64.NewEncoder(base64.StdEncoding, w)
		}
		_, err := io.Copy(e, src)
		if err == nil {
			err = e.Close()
		}
		src.Close()
		w.CloseWithError(err)
	}()
	return r
}

// captured returns askers for the captured bodies of the references of a message, by exact
// URL. The value is nil if references with one URL have different bodies, because a request
// does not name the reference. A body that is lost or damaged is left out if o has a function for that.
func (a *Archive) captured(o *ExportOptions, m *MessageRecord) (map[string]*asker, error) {
	bodies := make(map[string]*asker)
	err := a.referencesOf(m.SHA256, func(r *ReferenceRecord) error {
		k := newAsk(r.Key, r.Expect)
		state, _ := a.index.ask(k)
		out, err := a.outcome(o.versions.states(k, state)[0])
		if err == nil && out.Capture == nil {
			o.bare++
		}
		if err == nil && out.Capture != nil && r.URL != "" {
			if o.Lost != nil {
				switch err := a.objects.Check(out.Capture.SHA256); {
				case errors.Is(err, ErrAway):
					return err
				case isLost(err):
					o.lose(a, out.Capture.SHA256)
					if o.Left != nil {
						ref := &externalbody.Reference{ID: r.Ref, Dialect: r.Dialect, Provider: r.Provider}
						o.Left(m, ref, &fetch.Error{Op: "read", Kind: fetch.Local, Err: errLostBody})
					}
					return nil
				}
			}
			k := &asker{object: out.Capture, objects: a.objects, encoding: r.encoding()}
			if had, ok := bodies[r.URL]; ok {
				differs := had == nil || had.object.SHA256 != k.object.SHA256 || had.encoding != k.encoding
				if differs {
					k = nil
				}
			}
			bodies[r.URL] = k
		}
		return err
	})
	return bodies, err
}

// inlined returns the message with captured bodies instead of references, which it writes to
// text.
func (a *Archive) inlined(
	ctx context.Context, o *ExportOptions, m *MessageRecord, unchanged io.Reader, text *spool.Spool,
) (io.Reader, error) {
	bodies, err := a.captured(o, m)
	if err != nil || len(bodies) == 0 {
		return unchanged, err
	}
	f, err := a.objects.Hold(m.SHA256)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	msg, err := externalbody.Open(f, f.Size(), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return nil, err
	}
	resolver := &externalbody.Resolver{
		MaxBytes: -1,
		AnySite:  true,
		Judge: func(_ context.Context, o *externalbody.Objection) error {
			if o.Check == "type" {
				return nil
			}
			return o.Err
		},
		MessageBudget: func(*externalbody.Message) *fetch.Budget { return nil },
		Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			k, ok := bodies[req.RawURL()]
			if ok && k == nil {
				return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errSeveral}
			}
			if k == nil {
				return nil, &fetch.Error{Kind: fetch.NotFound, Err: errNotHere}
			}
			return k.Fetch(ctx, req)
		}),
	}
	if err := text.Reset(); err != nil {
		return nil, err
	}
	opts := &rewrite.InlineOptions{Resolver: resolver, Attach: true}
	report, err := rewrite.Inline(ctx, text, msg, opts)
	if err != nil {
		return nil, fmt.Errorf("inline: %w", err)
	}
	for _, item := range report.Items {
		if o.Left == nil || item.Err == nil || errors.Is(item.Err, errNotHere) {
			continue
		}
		for _, ref := range item.References {
			o.Left(m, ref, item.Err)
		}
	}
	return text.Section(), nil
}

var (
	errNotHere = errors.New("it was not captured")
	errSeveral = errors.New("references of the message with its URL have different bodies")
)

// noticeBare notices how many references stay in their messages because no capture is meant.
func (a *Archive) noticeBare(o *ExportOptions, which Which) {
	if a.notice == nil || o.bare == 0 {
		return
	}
	why := "it was not captured"
	if o.bare > 1 {
		why = "they were not captured"
	}
	if !which.latest() {
		why += ", or not as --capture " + which.String() + " means"
	}
	a.notice(wording.Choose(o.bare, "reference stays in its message", "references stay in their messages") + ": " + why)
}
