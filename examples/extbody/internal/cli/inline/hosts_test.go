package inline

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// A host of --yes stands for the host that its provider's row names for the files, of that share link alone.
func TestYesNamesFiles(t *testing.T) {
	const mail = "Content-Type: text/html\n\n" +
		`<a href="https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view">plan.pdf</a>` +
		`<a href="https://www.dropbox.com/s/abcdefghijklmno/slides.pdf?dl=0">slides.pdf</a>`
	msg, err := externalbody.Open(strings.NewReader(mail), int64(len(mail)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	const files = "drive.usercontent.google.com"
	for _, tt := range []struct {
		name, yes, ref, scheme, host string
		want                         bool
	}{
		{"Files", "drive.google.com", "plan.pdf", "https", files, true},
		{"NotEncrypted", "drive.google.com", "plan.pdf", "http", files, false},
		{"OtherHost", "drive.google.com", "plan.pdf", "https", "other.google.com", false},
		{"OtherLink", "drive.google.com", "slides.pdf", "https", files, false},
		{"OtherYes", "www.dropbox.com", "plan.pdf", "https", files, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var h hosts
			if err := h.yes.Set(tt.yes); err != nil {
				t.Fatal(err)
			}
			limited, _ := h.limited(new(externalbody.Resolver), msg)
			for ref := range msg.References() {
				p := limited.Plan(ref)
				limited.Approve(t.Context(), p)
				if ref.Name != tt.ref {
					continue
				}
				hop := *p
				hop.Hop = true
				hop.From = p.Host
				hop.Direct = ""
				hop.Scheme = tt.scheme
				hop.Host = tt.host
				if err := limited.Approve(t.Context(), &hop); (err == nil) != tt.want || err != nil && !errors.Is(err, fetch.Denied) {
					t.Errorf("got %v, want agreement %t", err, tt.want)
				}
			}
		})
	}
}
