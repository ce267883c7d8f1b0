package externalbody_test

import (
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A standard part that announces a format of which the beginning is known is held to
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
