package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
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
	m, ref, err := s.reference(ctx, in.refInput)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.planned.another(m.Title(), ref.ID, m.key) {
		err = errOtherPlan
	}
	s.mu.Unlock()
	var d *download
	if err == nil {
		d, err = s.downloads.begin(ctx, in, m.key, func(ctx context.Context, d *download) {
			defer m.Close()
			d.out, d.file, d.err = s.fetch(ctx, d, m, ref)
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

// fetch gets the file of a reference.
func (s *server) fetch(
	ctx context.Context, d *download, m *named, ref *externalbody.Reference,
) (*sdk.CallToolResult, *getOutput, error) {
	resolver := *s.engine.Resolver
	if s.rulesFile != "" {
		resolver.Judge = externalbody.RefuseSize(resolver.Judge)
	}
	resolver.Progress = d.progress
	single := inspect.Single{Message: m.Whole(), Reference: ref, Plan: resolver.Plan(ref)}
	agreed := false // the user was asked about a contact
	ask := func(ctx context.Context, p *externalbody.Plan) (bool, error) {
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
		return nil, nil, err
	}
	return s.answer(name, &getOutput{
		File: path, Bytes: rep.Bytes, SHA256: r.SHA256, Verified: string(r.Verified), Message: m.id.Digest,
		MediaType: bareType(rep.MediaType), Warnings: warnings(rep.Warnings),
	}, rep)
}

func refusedBy(d inspect.Decision) error {
	return &fetch.Error{Op: "get", Kind: fetch.Denied, Err: refusal("rule " + d.Rule + " of the policy refuses it")}
}

// answer adds the start of a text to the output, and with --embed the file.
func (s *server) answer(
	name string, out *getOutput, rep *externalbody.Report,
) (*sdk.CallToolResult, *getOutput, error) {
	f, err := s.folder.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if strings.HasPrefix(rep.MediaType, "text/") {
		b, err := io.ReadAll(io.LimitReader(f, maxText+1))
		if err != nil {
			return nil, nil, err
		}
		out.Text = show.FenceText(string(b), maxText)
	}
	if rep.Bytes > int64(s.embed) {
		return nil, out, nil
	}
	body, err := io.ReadAll(io.NewSectionReader(f, 0, rep.Bytes))
	if err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(out); err != nil {
		return nil, nil, err
	}
	resource := &sdk.ResourceContents{URI: digestURI(rep.SHA256), MIMEType: bareType(rep.MediaType), Blob: body}
	return &sdk.CallToolResult{Content: []sdk.Content{
		&sdk.TextContent{Text: strings.TrimSpace(text.String())},
		&sdk.EmbeddedResource{Resource: resource},
	}}, out, nil
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

// disclosed are our words for the facts that a host learns.
var disclosed = map[string]string{
	"address":            "the address of this machine",
	"reading":            "that the message is read now",
	"host":               "the name of the host",
	"anonymous-password": "the mail address that anonymous logins have",
	"mail-address":       "your mail address",
}

// contactText returns the question whether a plan is to be carried out.
func contactText(p *externalbody.Plan) string {
	f := new(form)
	f.add("Get this file?")
	f.add("")
	switch {
	case p.Local():
		f.add("contacts: nobody, the file is in the message")
	case p.Host == "":
		f.add("contacts: %s", show.Fence(p.Scheme, maxField))
	default:
		f.add("contacts: %s, by %s", hostText(p.Host), show.Fence(p.Scheme, maxField))
		if p.Direct != "" {
			f.add("also contacts: %s", hostText(p.Direct))
		}
	}
	if p.Hop {
		f.add("reason: %s redirects there", hostText(p.From))
	}
	if !p.Local() && !p.Secure {
		f.add("encrypted: no")
	}
	for _, d := range p.Discloses {
		f.add("%s learns: %s", hostText(d.To), disclosed[d.What])
	}
	if p.Login != "" {
		f.add("login: %s", p.Login)
	}
	if p.Once {
		f.add("uses up one of the downloads that the host allows")
	}
	if len(p.Checks) > 0 {
		f.add("compared with the message: %s", strings.Join(p.Checks, ", "))
	}
	if p.MaxBytes >= 0 {
		f.add("at most: %s", show.Octets(p.MaxBytes))
	}
	if p.Ref.Size >= 0 {
		f.add("announced size: %s", show.Octets(p.Ref.Size))
	}
	f.quote("sender", p.Sender)
	f.quote("name", p.Ref.Name)
	f.quote("media type", p.Ref.MediaType)
	f.quote("URL", p.URL)
	return f.String()
}

// hostText returns the name of a host, in quotation marks if no host can have it.
func hostText(host string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789.-_:[] "
	if strings.Trim(strings.ToLower(host), letters) == "" && strings.Count(host, " ") < 2 {
		return host
	}
	return fmt.Sprintf("%q", show.Fence(host, maxField))
}

// bodyText returns the question whether a body is to be kept.
func bodyText(rep *externalbody.Report, differs bool) string {
	f := new(form)
	if differs {
		f.add("Keep this file? It is of another kind than the message announced.")
	} else {
		f.add("Keep this file? No rule of the policy allows it as it came.")
	}
	f.add("")
	f.add("size: %s", show.Octets(rep.Bytes))
	f.add("sha-256: %x", rep.SHA256)
	f.quote("name, by the message", rep.Reference.Name)
	f.quote("media type, by the message", rep.Reference.MediaType)
	f.quote("header, by the host", rep.Header.Get("Content-Disposition"))
	f.quote("media type, by the host", rep.ServedType)
	f.quote("URL", rep.Reference.Redact(rep.FinalURL))
	return f.String()
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
