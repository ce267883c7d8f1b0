package externalbody_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
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

// TestSecrets: nothing that is for logs or file names tells a secret of the URL.
func TestSecrets(t *testing.T) {
	for name, text := range secretURLs {
		t.Run(name, func(t *testing.T) {
			ref := one(t, `message/external-body; access-type=URL; URL="`+text+`"`, "Content-Type: text/plain\n")
			check := func(what, got string) {
				t.Helper()
				if strings.Contains(got, secretToken) || strings.Contains(got, secretToken[:5]+" ") {
					t.Errorf("%s: got %q, want it without %q", what, got, secretToken)
				}
			}
			check("name", ref.Name)
			check("ID", ref.ID)
			r := &externalbody.Resolver{}
			plan := func(what string, p *externalbody.Plan) {
				t.Helper()
				b, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				check(what, string(b))
				check(what, p.String())
			}
			plan("refused plan", r.Plan(ref))
			u, err := ref.Locate()
			if err != nil {
				t.Fatal(err)
			}
			check("redacted", ref.Redact(u.String()))
			fail := func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, fetch.NotFound }
			r.Fetcher = fetch.Func(fail)
			plan("plan", r.Plan(ref))
			r.Approve = func(_ context.Context, p *externalbody.Plan) error {
				plan("plan to approve", p)
				return nil
			}
			_, err = r.Resolve(t.Context(), ref)
			check("error", err.Error())
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
			// What is served.
			r.Fetcher = fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader("x"), breaksOff{}))}, nil
			})
			_, folder := root(t)
			_, rep, err := r.SaveFile(t.Context(), []*externalbody.Reference{ref}, folder)
			check("error of a body", err.Error())
			check("file name", rep.FileName())
			check("final URL", ref.Redact(rep.FinalURL))
		})
	}
}

type breaksOff struct{}

func (breaksOff) Read([]byte) (int, error) { return 0, errors.New("broken") }

// TestNamesOfLinks: what a share link says of the name of its file is a name, and what
// allows to read the file is none.
func TestNamesOfLinks(t *testing.T) {
	for text, want := range map[string]string{
		"https://www.dropbox.com/s/a1b2c3d4e5f6g7h/report.pdf?dl=0":        "report.pdf",
		"https://we.tl/t-" + secretToken:                                   "",
		"imap://h.example/INBOX/;UID=20;URLAUTH=anonymous:internal:abcdef": "",
		"https://w.example/https://we.tl/t-" + secretToken:                 "",
		"https://h.example/a/report.pdf":                                   "report.pdf",
	} {
		ref := one(t, `message/external-body; access-type=URL; URL="`+text+`"`, "Content-Type: text/plain\n")
		if ref.Name != want {
			t.Errorf("%s: got %q, want %q", text, ref.Name, want)
		}
	}
}
