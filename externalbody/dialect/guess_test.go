package dialect_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A URL in the shape of a share at a host that is not known is listed, and its host is
// not contacted unless that is allowed. A form that names the file needs no guess.
func TestGuessed(t *testing.T) {
	const nextcloud = "https://cloud.uni.example/index.php/s/AbCdEfGhIjKlMnO"
	for _, url := range []string{
		nextcloud,
		"https://uni.example/public.php?service=files&t=0123456789abcdef0123456789abcdef",
		"https://send.uni.example/?s=download&token=2e2f23b0-24b8-4c60-8413-d838396ac562",
		"https://sea.uni.example/f/0123456789abcdef0123/",
	} {
		for _, c := range []textCase{
			{plain: "see " + url + "\n"},
			{html: "<a href=\"" + strings.ReplaceAll(url, "&", "&amp;") + "\">here</a>"},
			{html: "<a href=\"https://eur01.safelinks.protection.outlook.com/?url=" + strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "&", "%26", "=", "%3D").Replace(url) + "&amp;data=x\">here</a>"},
		} {
			refs := open(t, c.message("8bit"))
			if len(refs) != 1 || !slices.Contains(refs[0].Claims, "guessed") {
				t.Errorf("%s%s: got %d references, want one with the claim guessed", c.plain, c.html, len(refs))
				continue
			}
			asked := 0
			r := &externalbody.Resolver{Fetcher: fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) {
				asked++
				return nil, fetch.NotFound
			})}
			if _, err := r.Resolve(t.Context(), refs[0]); !errors.Is(err, fetch.Blocked) || asked > 0 {
				t.Errorf("%s: got %v after %d requests, want Blocked", url, err, asked)
			}
			r.GuessedHosts = true
			if _, err := r.Resolve(t.Context(), refs[0]); errors.Is(err, fetch.Blocked) {
				t.Errorf("%s: got %v with GuessedHosts, want it tried", url, err)
			}
		}
	}
	marked := open(t, part("Content-Type: text/html\nX-Mozilla-Cloud-Part: cloudFile; url="+nextcloud+"; name=b.pdf\n\nx\n"))
	if len(marked) != 1 || slices.Contains(marked[0].Claims, "guessed") {
		t.Errorf("got %d references, want one that is not guessed", len(marked))
	}
}
