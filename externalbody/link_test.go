package externalbody_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// secretToken is part of each URL below, where only who the mail is for may know it.
const secretToken = "Secr3tSecr3t"

// secretURLs are URLs whose token is a secret.
var secretURLs = map[string]string{
	"UserInfo":      "ftp://me:" + secretToken + "@h.example/a.txt",
	"Query":         "https://h.example/a.txt?signature=" + secretToken,
	"Fragment":      "https://h.example/a.txt#" + secretToken,
	"URLAUTH":       "imap://me@h.example/INBOX/;UID=20/;SECTION=1.2;URLAUTH=submit+me:internal:" + secretToken,
	"URLAUTHCase":   "imaps://me@h.example/INBOX/;uid=20;urlauth=anonymous:internal:" + secretToken,
	"Dropbox":       "https://www.dropbox.com/s/" + secretToken + "/a.txt?dl=0",
	"DropboxFolded": "https://www.dropbox.com/s/" + secretToken[:5] + " " + secretToken[5:] + "/a.txt",
	"WeTransfer":    "https://we.tl/t-" + secretToken,
	"Drive":         "https://drive.google.com/file/d/" + secretToken + "/view",
	"OneDrive":      "https://1drv.ms/u/s!1a2B3c4D5e" + secretToken,
	"Proton":        "https://drive.proton.me/urls/" + secretToken + "#" + secretToken,
	"Archived":      "https://web.archive.example/2030/https://we.tl/t-" + secretToken,
	"Wrapped":       "https://w.example/v3/https%3A%2F%2Fwe.tl%2Ft-" + secretToken,
	"Data":          "data:text/plain," + secretToken,
}

// TestSecrets: no text for logs or file names has a secret of the URL.
func TestSecrets(t *testing.T) {
	for name, text := range secretURLs {
		t.Run(name, func(t *testing.T) {
			testSecret(t, one(t, `message/external-body; access-type=URL; URL="`+text+`"`, "Content-Type: text/plain\n"))
			if strings.HasPrefix(text, "https:") && !strings.Contains(text, " ") {
				testSecret(t, link(t, "- text/plain "+text))
			}
		})
	}
}

func testSecret(t *testing.T, ref *externalbody.Reference) {
	check := func(what, got string) {
		t.Helper()
		if strings.Contains(got, secretToken) || strings.Contains(got, secretToken[:5]+" ") {
			t.Errorf("%s: got %q, want it without %q", what, got, secretToken)
		}
	}
	check("name", ref.Name)
	check("text", ref.String())
	check("ID", ref.ID)
	r := &externalbody.Resolver{}
	plan := func(what string, p *externalbody.Plan) {
		t.Helper()
		b, err := json.Marshal(p)
		must(t, err)
		check(what, string(b))
		check(what, p.String())
	}
	plan("refused plan", r.Plan(ref))
	u, err := ref.Locate()
	must(t, err)
	check("redacted", ref.Redact(u.String()))
	var w web
	r.Fetcher = &w
	plan("plan", r.Plan(ref))
	r.Approve = func(_ context.Context, p *externalbody.Plan) error {
		plan("plan to approve", p)
		return nil
	}
	req, err := ref.Request()
	must(t, err)
	answers := []page{{err: fetch.NotFound}, {mediaType: "text/html", body: "<html>"}, {mediaType: "text/plain", body: strings.Repeat("x", 9000), size: 9001}}
	if ref.Dialect != "" { // any URL is as secret as the URL of the link
		where := "https://other.example/" + secretToken
		fault := &fetch.Error{Op: "fetch", URL: where, Kind: fetch.NotFound}
		answers = append(answers, page{redirect: where}, page{err: fault}, page{err: &fetch.Error{Op: "x", URL: where, Kind: fetch.NotFound, Err: fault}})
	}
	for _, p := range answers {
		w.pages = map[string]page{req.URL.String(): p}
		_, _, err := readBody(t, r, ref)
		if err == nil {
			t.Fatalf("%+v: got no error, want one", p)
		}
		check("error", err.Error())
	}
	// The same after a redirect from a URL that is not a credential.
	outer := one(t, `message/external-body; access-type=URL; URL="https://h.example/x"`, "Content-Type: text/plain\n")
	r.Fetcher = fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		to, err := url.Parse(u.String())
		if err != nil {
			return nil, err
		}
		if err := req.CheckHop(ctx, req.URL, to); err != nil {
			return nil, err
		}
		return nil, &fetch.Error{Op: "fetch", URL: outer.Redact(to.String()), Kind: fetch.NotFound}
	})
	_, err = r.Resolve(t.Context(), outer)
	check("error behind a redirect", err.Error())
	// The answer of the server.
	r.Fetcher = fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader("x"), breaksOff{}))}, nil
	})
	_, folder := root(t)
	_, rep, err := r.SaveFile(t.Context(), []*externalbody.Reference{ref}, folder)
	check("error of a body", err.Error())
	check("file name", rep.FileName())
	check("final URL", ref.Redact(rep.FinalURL))
}

type breaksOff struct{}

func (breaksOff) Read([]byte) (int, error) { return 0, errors.New("broken") }

// A FileLink that leads to the page of a share of Nextcloud leads to the file below it.
func TestSharePage(t *testing.T) {
	const login = "<!DOCTYPE html><html><head><title>Nextcloud</title></head></html>"
	file := page{mediaType: "application/pdf", body: "%PDF-"}
	html := page{mediaType: "text/html", body: login}
	const filelink = "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url="
	for _, c := range []struct {
		name, field, url string
		pages            map[string]page
		asked            []string
		kind             fetch.Kind
	}{
		{
			"Page", filelink, "https://nc.example/s/Tok3nTok3n",
			map[string]page{"https://nc.example/s/Tok3nTok3n": html, "https://nc.example/s/Tok3nTok3n/download": file},
			[]string{"https://nc.example/s/Tok3nTok3n", "https://nc.example/s/Tok3nTok3n/download"}, 0,
		},
		{
			"InAFolder", filelink, "https://h.example/nc/s/Tok3n/",
			map[string]page{"https://h.example/nc/s/Tok3n/": {redirect: "/nc/index.php/s/Tok3n"}, "https://h.example/nc/index.php/s/Tok3n": html, "https://h.example/nc/index.php/s/Tok3n/download": file},
			[]string{"https://h.example/nc/s/Tok3n/", "https://h.example/nc/index.php/s/Tok3n", "https://h.example/nc/index.php/s/Tok3n/download"}, 0,
		},
		{
			"File", filelink, "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": file}, []string{"https://nc.example/s/Tok3n"}, 0,
		},
		{
			"PageBelowAsWell", filelink, "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": html, "https://nc.example/s/Tok3n/download": html},
			[]string{"https://nc.example/s/Tok3n", "https://nc.example/s/Tok3n/download"}, fetch.Interstitial,
		},
		{
			"NothingBelow", filelink, "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": html}, []string{"https://nc.example/s/Tok3n", "https://nc.example/s/Tok3n/download"}, fetch.Interstitial,
		},
		{
			"OtherShape", filelink, "https://nc.example/file/Tok3n",
			map[string]page{"https://nc.example/file/Tok3n": html}, []string{"https://nc.example/file/Tok3n"}, fetch.Interstitial,
		},
		{
			"Query", filelink, "https://nc.example/s/Tok3n?delete=1",
			map[string]page{"https://nc.example/s/Tok3n?delete=1": html}, []string{"https://nc.example/s/Tok3n?delete=1"}, fetch.Interstitial,
		},
		{
			"LoginPage", filelink, "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": {redirect: "/login"}, "https://nc.example/login": html},
			[]string{"https://nc.example/s/Tok3n", "https://nc.example/login"}, fetch.Interstitial,
		},
		{
			"OtherHost", filelink, "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": {redirect: "https://other.example/s/Tok3n"}, "https://other.example/s/Tok3n": html},
			[]string{"https://nc.example/s/Tok3n", "https://other.example/s/Tok3n"}, fetch.Interstitial,
		},
		{
			"OtherForm", "X-BM-Disposition: filehosting;name=a.pdf;url=", "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": html}, []string{"https://nc.example/s/Tok3n"}, fetch.Interstitial,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			refs := open(t, c.field+c.url+"\n\n", &externalbody.OpenOptions{Dialects: dialect.All()})
			w := &web{pages: c.pages}
			approved := 0
			r := &externalbody.Resolver{Fetcher: w, Approve: func(context.Context, *externalbody.Plan) error { approved++; return nil }}
			if got, _, err := readBody(t, r, refs[0]); fetch.KindOf(err) != c.kind || err == nil && got != "%PDF-" {
				t.Fatalf("got %q, %v, want the file, or %v", got, err, c.kind)
			}
			if hosts := strings.Count(strings.Join(c.asked, " "), "other.example"); approved != 1+hosts {
				t.Errorf("got asked for consent %d times, want once for each host", approved)
			}
			if !slices.Equal(w.asked, c.asked) {
				t.Errorf("got asked %q, want %q", w.asked, c.asked)
			}
		})
	}
}

// A standard part that announces a format of which the start is known is held to
// it, also where the server gives a page the announced type.
func TestPageInPlaceOfPart(t *testing.T) {
	for _, c := range []struct {
		name, announced, body string
		params                string
		kind                  fetch.Kind
	}{
		{"PDF", "application/pdf", "%PDF-1.7\n", "", 0},
		{"Page", "application/pdf", "<!DOCTYPE html><title>Sign in</title>", "", fetch.Interstitial},
		{"PageInUTF16", "image/png", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", "", fetch.Interstitial},
		{"Error", "application/zip", `{"error":"gone"}`, "", fetch.Interstitial},
		{"PageOfTheSize", "application/pdf", "<html>", "; size=6", 0},
		{"NotKnown", "application/x-own", "<html>", "", 0},
		{"Text", "text/plain", "<html>", "", 0},
		{"Other", "image/png", "hello", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := resolve(t, externalbody.Resolver{}, c.params, "Content-Type: "+c.announced+"\n", page{mediaType: c.announced, body: c.body})
			if k := fetch.KindOf(err); err != nil && k != c.kind || err == nil && (c.kind != 0 || got != c.body) {
				t.Errorf("got %q, %v, want %v", got, err, c.kind)
			}
		})
	}
}
