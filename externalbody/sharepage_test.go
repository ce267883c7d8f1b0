package externalbody_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// A FileLink that leads to the page of a share of Nextcloud leads to the file below it.
func TestSharePage(t *testing.T) {
	const login = "<!DOCTYPE html><html><head><title>Nextcloud</title></head></html>"
	file := page{mediaType: "application/pdf", body: "%PDF-"}
	html := page{mediaType: "text/html", body: login}
	for _, c := range []struct {
		name, field, url string
		pages            map[string]page
		asked            []string
		kind             fetch.Kind
	}{
		{
			"Page", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3nTok3n",
			map[string]page{"https://nc.example/s/Tok3nTok3n": html, "https://nc.example/s/Tok3nTok3n/download": file},
			[]string{"https://nc.example/s/Tok3nTok3n", "https://nc.example/s/Tok3nTok3n/download"}, 0,
		},
		{
			"InAFolder", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://h.example/nc/s/Tok3n/",
			map[string]page{"https://h.example/nc/s/Tok3n/": {redirect: "/nc/index.php/s/Tok3n"}, "https://h.example/nc/index.php/s/Tok3n": html, "https://h.example/nc/index.php/s/Tok3n/download": file},
			[]string{"https://h.example/nc/s/Tok3n/", "https://h.example/nc/index.php/s/Tok3n", "https://h.example/nc/index.php/s/Tok3n/download"}, 0,
		},
		{
			"File", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": file}, []string{"https://nc.example/s/Tok3n"}, 0,
		},
		{
			"PageBelowAsWell", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": html, "https://nc.example/s/Tok3n/download": html},
			[]string{"https://nc.example/s/Tok3n", "https://nc.example/s/Tok3n/download"}, fetch.Interstitial,
		},
		{
			"NothingBelow", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": html}, []string{"https://nc.example/s/Tok3n", "https://nc.example/s/Tok3n/download"}, fetch.Interstitial,
		},
		{
			"OtherShape", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/file/Tok3n",
			map[string]page{"https://nc.example/file/Tok3n": html}, []string{"https://nc.example/file/Tok3n"}, fetch.Interstitial,
		},
		{
			"Query", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n?delete=1",
			map[string]page{"https://nc.example/s/Tok3n?delete=1": html}, []string{"https://nc.example/s/Tok3n?delete=1"}, fetch.Interstitial,
		},
		{
			"LoginPage", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n",
			map[string]page{"https://nc.example/s/Tok3n": {redirect: "/login"}, "https://nc.example/login": html},
			[]string{"https://nc.example/s/Tok3n", "https://nc.example/login"}, fetch.Interstitial,
		},
		{
			"OtherHost", "X-Mozilla-Cloud-Part: cloudFile; name=a.pdf; url=", "https://nc.example/s/Tok3n",
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
			body, err := r.Resolve(t.Context(), refs[0])
			if fetch.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if err == nil {
				defer body.Close()
				if got, err := io.ReadAll(body); err != nil || string(got) != "%PDF-" {
					t.Errorf("got %q, %v, want the file", got, err)
				}
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
