package inline

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// TestOpenOnce wants a message without files to be read once by a run that counts files, and one with a link to
// be read for the rewriting by the standard form alone.
func TestOpenOnce(t *testing.T) {
	for _, row := range []struct {
		name, text string
		once       bool
	}{
		{"Plain", "Content-Type: text/plain\n\nhello\n", true},
		{"Link", "Content-Type: text/plain\n\nhttps://www.dropbox.com/s/abcdefghijklmno/a.pdf?dl=0\n", false},
		{"Unread", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB\n", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			n := new(flags)
			w := n.newRun(new(cobra.Command), new(externalbody.Resolver))
			n.left = new(left)
			for m, err := range mailbox.Read("mail.eml", strings.NewReader(row.text), int64(len(row.text))) {
				if err != nil {
					t.Fatal(err)
				}
				got, err := w.Open(m)
				if err != nil {
					t.Fatal(err)
				}
				listed, err := n.Reading.OpenListed(m)
				if err != nil {
					t.Fatal(err)
				}
				if once := got == listed; once != row.once {
					t.Errorf("got read once %v, want %v", once, row.once)
				}
			}
		})
	}
}
