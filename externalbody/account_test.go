package externalbody_test

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
)

// An office is a Fetcher that asks for links with an account, and is led to a host for the octets.
type office struct {
	content string // "https://host"
	asOf    time.Time
}

func (o *office) Account(req *fetch.Request) *record.Account {
	if req.URL.Host != "contoso.sharepoint.com" {
		return nil
	}
	return &record.Account{
		Name: "work", User: "ann@contoso.example", API: "graph.example",
		Contents: []string{"files.example", ".content.example"},
	}
}

func (o *office) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	o.asOf = req.AsOf
	for _, text := range []string{"https://graph.example/v1.0/x", o.content + "/octets"} {
		to, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		if err := driver.Hop(ctx, req, req.URL, to); err != nil {
			return nil, err
		}
	}
	resp := &fetch.Response{URL: req.URL, MediaType: "application/pdf", Size: 5, Body: io.NopCloser(strings.NewReader("%PDF-"))}
	resp.Capture = fetch.CaptureVersion
	driver.OfResponse(resp).Object = &record.Object{Account: "work", Name: "report.pdf", Version: "2.0"}
	return resp, nil
}

const officeLink = "https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT"

func officeReference(t *testing.T) *externalbody.Reference {
	refs := open(t, "Content-Type: text/plain\n\n<"+officeLink+">\n", &externalbody.OpenOptions{Dialects: dialect.All()})
	if len(refs) != 1 {
		t.Fatalf("got %d references, want 1", len(refs))
	}
	return refs[0]
}

// OP-55: one question covers the link, the API and the content hosts of the account. Any other host, a
// neighbour of these and one without TLS is asked about.
func TestConsentAccount(t *testing.T) {
	for content, want := range map[string]int{
		"https://contoso.sharepoint.com": 1,
		"https://files.example":          1,
		"https://a.content.example":      1,
		"https://graph.example":          1,
		"https://content.example":        2,
		"https://xcontent.example":       2,
		"https://a.files.example":        2,
		"https://evil.example":           2,
		"https://files.example:8443":     2,
		"http://files.example":           2,
	} {
		asked := 0
		r := &externalbody.Resolver{Fetcher: &office{content: content}, Approve: func(_ context.Context, p *externalbody.Plan) error {
			asked++
			return nil
		}}
		if _, _, err := readBody(t, r, officeReference(t)); err != nil || asked != want {
			t.Errorf("%s: got %d questions, %v; want %d, nil", content, asked, err, want)
		}
	}
}

// OP-55: the plan names the account, the API and the time, in words and in JSON, and its ID depends on them.
func TestPlanAccount(t *testing.T) {
	ref := officeReference(t)
	o := &office{content: "https://files.example"}
	r := &externalbody.Resolver{Fetcher: o}
	without := (&externalbody.Resolver{Fetcher: &web{}}).Plan(ref)
	now := r.Plan(ref)
	at := time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC)
	r.AsOf = func(*externalbody.Reference) time.Time { return at }
	then := r.Plan(ref)
	if now.ID == without.ID || now.ID == then.ID {
		t.Errorf("got the IDs %s, %s and %s, want them to differ", without.ID, now.ID, then.ID)
	}
	if got, want := now.Summary(), "a file from contoso.sharepoint.com, asked at graph.example as ann@contoso.example (work); its owner can see that"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := then.Summary(), "a file from contoso.sharepoint.com, asked at graph.example as ann@contoso.example (work), as it was on 12 March 2026; its owner can see that"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if text := then.String(); !strings.Contains(text, "\n  may be asked at graph.example as ann@contoso.example (work), as it was on 12 March 2026\n") ||
		!strings.Contains(text, "\n  graph.example learns who asks, and so can the owner of the file\n") {
		t.Errorf("got %s, want it with the account", text)
	}
	if now.Like(without) || now.Like(then) || !now.Like(now) {
		t.Error("got plans with and without an account, or of two times, that are alike; want them apart")
	}
	var members struct {
		Account string    `json:"account"`
		AsOf    time.Time `json:"as_of"`
	}
	text, err := json.Marshal(then)
	must(t, err)
	must(t, json.Unmarshal(text, &members))
	if members.Account != "work" || !members.AsOf.Equal(at) {
		t.Errorf("got %s, want the account and the time", text)
	}
	_, body, err := readBody(t, r, ref)
	must(t, err)
	if !o.asOf.Equal(at) {
		t.Errorf("got a request as of %v, want %v", o.asOf, at)
	}
	report := body.Report()
	if report.Object == nil || report.Object.Version != "2.0" || report.Capture() != fetch.CaptureVersion {
		t.Errorf("got %+v, %s, want the version 2.0", report.Object, report.Capture())
	}
	if got := report.FileName(); got != "report.pdf" {
		t.Errorf("got the name %q, want the one that the host gives it", got)
	}
}
