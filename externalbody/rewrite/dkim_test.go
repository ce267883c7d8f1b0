package rewrite_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// TestDKIM: a signature holds after a message was passed in transit, and is
// told, and broken, by a rewriting at delivery (RW-14).
func TestDKIM(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	verified := func(text string) bool {
		found, err := dkim.VerifyWithOptions(strings.NewReader(text), &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
		}})
		return err == nil && len(found) == 1 && found[0].Err == nil
	}
	for _, canonical := range []dkim.Canonicalization{dkim.CanonicalizationSimple, dkim.CanonicalizationRelaxed} {
		var b bytes.Buffer
		part := "Content-Type: image/png\n\n" + strings.Repeat("x", 1000)
		if err := dkim.Sign(&b, strings.NewReader(mixed(ref("x", "Content-Type: image/png\n"), part)), &dkim.SignOptions{
			Domain: "a.example", Selector: "s", Signer: private, HeaderCanonicalization: canonical, BodyCanonicalization: canonical,
		}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		w := newWeb("x", "hello")
		if !verified(text) {
			t.Fatalf("%s: got a signature that does not verify, want one that does", canonical)
		}
		for place, want := range map[rewrite.Place]bool{rewrite.Transit: true, rewrite.Delivery: false} {
			in, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), At: place})
			if verified(in) != want || report.Changed() == want || !slices.Equal(report.Signatures, []string{"DKIM-Signature"}) {
				t.Errorf("%s: inlined at %d: got verified %t, changed %t, signatures %q, want %t, %t, DKIM-Signature", canonical, place, verified(in), report.Changed(), report.Signatures, want, !want)
			}
			if !want && !report.Items[0].Unsigned {
				t.Errorf("%s: got the body counted as signed, want it unsigned", canonical)
			}
			out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, MinSize: 1000, At: place})
			if verified(out) != want || report.Changed() == want || len(report.Signatures) != 1 {
				t.Errorf("%s: externalized at %d: got verified %t, changed %t, signatures %q, want %t, %t, 1 of them", canonical, place, verified(out), report.Changed(), report.Signatures, want, !want)
			}
		}
	}
}
