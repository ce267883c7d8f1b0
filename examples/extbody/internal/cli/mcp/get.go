package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// get is the tool of this name.
func (s *server) get(
	ctx context.Context, req *sdk.CallToolRequest, in getInput,
) (*sdk.CallToolResult, *getOutput, error) {
	d, err := s.resume(req, in)
	if err == nil && d == nil {
		d, err = s.begin(ctx, in)
	}
	if err != nil {
		return nil, nil, newFault(err)
	}
	res, out, err := s.await(ctx, req, d)
	if err != nil {
		return nil, nil, newFault(err)
	}
	return res, out, nil
}

// A client has the abilities of the client of a call.
type client struct{ elicits, later bool }

func (s *server) client(req *sdk.CallToolRequest) client {
	v := s.version.of(req.Session)
	c := client{later: v >= askLater}
	var can *sdk.ClientCapabilities
	if c.later {
		can = req.ClientCapabilities() // each request has them
	} else if p := req.Session.InitializeParams(); p != nil {
		can = p.Capabilities
	}
	if v >= askFirst && can != nil && can.Elicitation != nil {
		c.elicits = can.Elicitation.Form != nil || can.Elicitation.URL == nil
	}
	return c
}

// resume returns the download to whose question a call has the answer, nil if it has none.
func (s *server) resume(req *sdk.CallToolRequest, in getInput) (*download, error) {
	answers := req.Params.InputResponses
	if len(answers) == 0 {
		return nil, nil
	}
	if c := s.client(req); !c.later || !c.elicits || len(answers) > 1 {
		return nil, errNotAsked
	}
	for id, answer := range answers {
		a, err := s.downloads.take(id)
		if err != nil {
			return nil, err
		}
		result, ok := answer.(*sdk.ElicitResult)
		if !ok || !a.of.args.same(in) {
			a.of.cancel(errNotAsked)
			return nil, errNotAsked
		}
		s.downloads.reply(a, result)
		return a.of, nil
	}
	return nil, nil
}

// begin starts the download that in names.
func (s *server) begin(ctx context.Context, in getInput) (*download, error) {
	ids, err := in.wanted()
	if err != nil {
		return nil, err
	}
	m, refs, err := s.references(ctx, in.messageInput, ids)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	for _, ref := range refs {
		if s.planned.another(m.Title(), ref.ID, m.key) {
			err = errOtherPlan
		}
	}
	s.mu.Unlock()
	var d *download
	if err == nil {
		d, err = s.downloads.begin(ctx, in, m.key, func(ctx context.Context, d *download) {
			defer m.Close()
			if in.Ref != "" {
				d.out, d.file, d.err = s.fetchOne(ctx, d, m, refs[0])
			} else {
				d.out, d.file, d.err = s.fetchAll(ctx, d, m, refs)
			}
		})
	}
	if err != nil {
		m.Close()
	}
	return d, err
}

// await returns the outcome of a download, or its next question if the client calls again
// with the answer.
func (s *server) await(
	ctx context.Context, req *sdk.CallToolRequest, d *download,
) (*sdk.CallToolResult, *getOutput, error) {
	d.setNotify(progress(ctx, req))
	defer d.setNotify(nil)
	for {
		select {
		case <-d.done:
			return d.out, d.file, d.err
		case <-ctx.Done():
			d.cancel(context.Cause(ctx))
			<-d.done
			return nil, nil, cmp.Or(d.err, context.Cause(ctx))
		case q := <-d.asks:
			c := s.client(req)
			if !c.elicits {
				q.reply <- errCannotAsk
				continue
			}
			id, err := s.downloads.put(d, q)
			if err != nil {
				q.reply <- err
				continue
			}
			if c.later {
				asks := sdk.InputRequestMap{id: elicitation(q.text)}
				return &sdk.CallToolResult{InputRequests: asks}, nil, nil
			}
			asking, stop := context.WithTimeout(ctx, questionTime)
			answer, err := req.Session.Elicit(asking, elicitation(q.text))
			stop()
			switch a, gone := s.downloads.take(id); {
			case gone != nil: // the time was over
			case err != nil:
				q.reply <- errNoAnswer
			default:
				s.downloads.reply(a, answer)
			}
		}
	}
}

// elicitation returns a question without fields to fill in.
func elicitation(text string) *sdk.ElicitParams {
	none := map[string]any{"type": "object", "properties": map[string]any{}}
	return &sdk.ElicitParams{Message: text, RequestedSchema: none}
}

// fetchOne gets the file of a call with one reference.
func (s *server) fetchOne(
	ctx context.Context, d *download, m *named, ref *externalbody.Reference,
) (*sdk.CallToolResult, *getOutput, error) {
	c := &content{text: maxText, embed: int64(s.embed)}
	got, err := s.fetch(ctx, d, m, wanted{Reference: ref}, c)
	if err != nil {
		return nil, nil, err
	}
	out := &getOutput{gotFile: *got, Message: m.id.Digest}
	res, err := c.result(out)
	return res, out, err
}

// fetchAll gets the files of several references, one after the other. Before the first contact it asks
// about all of them together that no rule decides about. A failure is the failure of its file alone; the
// call fails if the user's answer leaves no file.
func (s *server) fetchAll(
	ctx context.Context, d *download, m *named, refs []*externalbody.Reference,
) (*sdk.CallToolResult, *getOutput, error) {
	list, answer := s.askTogether(ctx, d, m, refs)
	out := &getOutput{Message: m.id.Digest, Files: []gotRef{}}
	c := &content{text: maxShort, embed: int64(s.embed)}
	saved := false
	for _, want := range list {
		one := gotRef{Ref: fence(want.ID)}
		err := context.Cause(ctx)
		if err == nil {
			var got *gotFile
			got, err = s.fetch(ctx, d, m, want, c)
			if err == nil {
				one.gotFile = *got
				saved = true
				d.add(*got.Bytes)
			}
		}
		if err != nil {
			one.Failed = newFault(err)
		}
		out.Files = append(out.Files, one)
	}
	if answer != nil && !saved {
		return nil, nil, answer
	}
	res, err := c.result(out)
	return res, out, err
}

// askTogether asks the user about the first contacts of several references, and returns each with the
// answer. An agreement is to the Plans that were shown. A decline is about all.
func (s *server) askTogether(
	ctx context.Context, d *download, m *named, refs []*externalbody.Reference,
) ([]wanted, error) {
	var list []wanted
	var plans []*externalbody.Plan
	for _, ref := range refs {
		p := s.engine.Plan(ref)
		decision := s.rules.DecideAnnounced(&inspect.Single{Message: m.Whole(), Reference: ref, Plan: p})
		want := wanted{Reference: ref}
		decided := allows(decision) || refuses(decision)
		if p.Kind == 0 && !decided {
			want.agreed = p.ID
			plans = append(plans, p)
		}
		list = append(list, want)
	}
	if len(plans) == 0 {
		return list, nil
	}
	err := d.ask(ctx, togetherText(plans))
	if err == nil {
		return list, nil
	}
	if ctx.Err() == nil {
		err = &fetch.Error{Op: "get", Kind: fetch.Denied, Err: err}
	}
	for i, want := range list {
		if want.agreed != "" || errors.Is(err, errDeclined) {
			list[i].denied = err
		}
		list[i].agreed = ""
	}
	return list, err
}

// A wanted is a reference whose file is wanted.
type wanted struct {
	*externalbody.Reference
	agreed string // the ID of its Plan, if the user agreed to that already
	denied error  // the answer of the user, if it was another
}

// fetch saves the file of a reference. It adds the parts that may be shown to a content.
func (s *server) fetch(ctx context.Context, d *download, m *named, want wanted, c *content) (*gotFile, error) {
	ref := want.Reference
	resolver := *s.engine.Resolver
	if s.rulesFile != "" {
		resolver.Judge = externalbody.RefuseSize(resolver.Judge)
	}
	resolver.Progress = d.progress
	single := inspect.Single{Message: m.Whole(), Reference: ref, Plan: resolver.Plan(ref)}
	agreed := false // the user was asked about a contact
	ask := func(ctx context.Context, p *externalbody.Plan) (bool, error) {
		if want.agreed == p.ID { // a redirect has an ID of its own
			agreed = true
			return true, nil
		}
		err := d.ask(ctx, contactText(p))
		agreed = agreed || err == nil
		return err == nil, err
	}
	consent := &externalbody.Consent{Ask: ask}
	resolver.Approve = func(ctx context.Context, p *externalbody.Plan) error {
		hop := single
		hop.Plan = p
		switch decision := s.rules.DecideAnnounced(&hop); {
		case refuses(decision):
			return refusedBy(decision)
		case want.denied != nil:
			return want.denied
		case allows(decision):
			return nil
		case p.Local():
			_, err := ask(ctx, p)
			return err
		}
		return consent.Approve(ctx, p)
	}
	folder := &externalbody.Folder{Root: s.folder}
	folder.Name = func(rep *externalbody.Report) string { return show.Seen(rep.FileName()) }
	folder.Accept = func(ctx context.Context, rep *externalbody.Report, body *io.SectionReader) error {
		decision, differs, err := s.rules.DecideBody(&single, rep, body)
		switch {
		case err != nil:
			return &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
		case refuses(decision):
			return refusedBy(decision)
		case allows(decision), agreed && !differs:
			return nil
		}
		return d.ask(ctx, bodyText(rep, differs))
	}
	defer folder.Close()
	name, rep, err := folder.Save(ctx, &resolver, []*externalbody.Reference{ref})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	path := ""
	if name != "" {
		path = filepath.Join(s.output, name)
	}
	r := record.New(m.Place(), ref, false)
	r.Identity = &m.id
	r.Resolved(&record.Result{Report: rep, Err: err, File: path}, false)
	if err := cmp.Or(err, s.record(r)); err != nil {
		return nil, err
	}
	got := &gotFile{
		File: path, Bytes: &rep.Bytes, SHA256: r.SHA256, Verified: string(r.Verified),
		MediaType: bareType(rep.MediaType), Warnings: warnings(rep.Warnings),
	}
	return got, s.show(name, got, rep, c)
}

func refusedBy(d inspect.Decision) error {
	return &fetch.Error{Op: "get", Kind: fetch.Denied, Err: refusal("rule " + d.Rule + " of the policy refuses it")}
}

// A content has the facts of files that an answer may show, and the files that it embeds.
type content struct {
	text, embed int64 // octets that are left
	files       []sdk.Content
}

// show adds the start of a text to the facts of a file, and with --embed the file to the content.
func (s *server) show(name string, got *gotFile, rep *externalbody.Report, c *content) error {
	f, err := s.folder.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if most := min(c.text, maxText); strings.HasPrefix(rep.MediaType, "text/") && most > 0 {
		b, err := io.ReadAll(io.LimitReader(f, most+1))
		if err != nil {
			return err
		}
		got.Text = show.FenceText(string(b), int(most))
		c.text -= int64(len(got.Text))
	}
	if rep.Bytes > c.embed {
		return nil
	}
	body, err := io.ReadAll(io.NewSectionReader(f, 0, rep.Bytes))
	if err != nil {
		return err
	}
	c.embed -= rep.Bytes
	resource := &sdk.ResourceContents{URI: digestURI(rep.SHA256), MIMEType: bareType(rep.MediaType), Blob: body}
	c.files = append(c.files, &sdk.EmbeddedResource{Resource: resource})
	return nil
}

// result returns the result for an output, nil for one of the output alone.
func (c *content) result(out *getOutput) (*sdk.CallToolResult, error) {
	if len(c.files) == 0 {
		return nil, nil
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(out); err != nil {
		return nil, err
	}
	first := &sdk.TextContent{Text: strings.TrimSpace(text.String())}
	return &sdk.CallToolResult{Content: append([]sdk.Content{first}, c.files...)}, nil
}

// digestURI returns a name of octets that leads nowhere (RFC 6920 section 3).
func digestURI(sha256 []byte) string {
	return "ni:///sha-256;" + base64.RawURLEncoding.EncodeToString(sha256)
}

// bareType returns the media type of a body without parameters.
func bareType(mediaType string) string {
	if t := param.Parse(mediaType).Type; param.IsMediaType(t) {
		return t
	}
	return "application/octet-stream"
}

// record appends the record of a get.
func (s *server) record(r *record.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.WriteJSON(s.records); err != nil {
		return err
	}
	return s.records.Sync()
}

// progressStep is how many octets of a body lie between two notifications.
const progressStep = 1 << 20

// progress returns a function that notifies the client of the activity of a download, if it
// asked for that: when it starts, and then of the octets. QUIRK: a client of the TypeScript SDK
// loses a notification that it reads together with the result of the call (its issue 2580), such
// as the only one about the octets of a short body.
//
// A failed notification does not fail the get: the client is gone then, and the session ends.
func progress(ctx context.Context, req *sdk.CallToolRequest) func(fetch.Event) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	next := int64(1)
	begun := false
	return func(e fetch.Event) {
		if begun && e.Octets < next {
			return
		}
		begun = true
		if e.Octets >= next {
			next = e.Octets + progressStep
		}
		req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(e.Octets), Total: float64(max(e.Total, 0)), Message: string(e.Phase),
		})
	}
}
