package imapbody_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
)

// A reference that leads into a message which is not at hand is of one Kind, with
// one sentence that says what to do, however it was read.
func TestMessageNotAtHand(t *testing.T) {
	const field = "Content-Type: message/external-body; access-type="
	for _, tt := range []struct{ access, phantom string }{
		{"content-id", "Content-Type: application/pdf\nContent-ID: <c@a.example>\n\n"},
		{"URL; URL=\"cid:c@a.example\"", "Content-Type: application/pdf\n\n"},
	} {
		raw, err := externalbody.ReadRaw([]byte(crlf(field+tt.access+"\n\n")), []byte(crlf(tt.phantom)))
		if err != nil {
			t.Fatal(err)
		}
		o := newOracle(t, crlf(top+mixed("mixed", "b", field+tt.access+"\n\n"+tt.phantom, "Content-ID: <c@a.example>\n"+large("application/pdf", "base64"))), 0)
		partial, err := imapbody.NewSkeleton(o.structure, withDialects()).Open(o.find)
		if err != nil {
			t.Fatal(err)
		}
		refs := append([]*externalbody.Reference{raw}, slices.Collect(partial.References())...)
		if len(refs) != 2 {
			t.Fatalf("got %d references, want 2", len(refs))
		}
		for i, ref := range refs {
			var r externalbody.Resolver
			spool, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, t.TempDir())
			if err == nil {
				spool.Close()
			}
			if fetch.KindOf(err) != fetch.Unsupported || !strings.Contains(err.Error(), "the message is not at hand: fetch the message and open it") {
				t.Errorf("%q, read in way %d: got %v, want %v and what to do", tt.access, i, err, fetch.Unsupported)
			}
		}
		if p := new(externalbody.Resolver).Plan(raw); p.Kind != fetch.Unsupported {
			t.Errorf("%q: got a Plan with %v, want %v", tt.access, p.Kind, fetch.Unsupported)
		}
	}
}
