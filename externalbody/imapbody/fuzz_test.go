package imapbody_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// The sections of a message that is a message/external-body give what Open
// gives of it.
func FuzzReferences(f *testing.F) {
	for _, m := range slices.Concat(wellFormed, malformed) {
		header, body, _ := strings.Cut(crlf(m.text), "\r\n\r\n")
		f.Add(header, body)
	}
	candidates := slices.Collect(imapbody.Candidates(single("message", "external-body")))
	f.Fuzz(func(t *testing.T, header, body string) {
		// A server ends a header where Open does.
		header = strings.Trim(strings.ReplaceAll(header, "\r", ""), "\n")
		for strings.Contains(header, "\n\n") {
			header = strings.ReplaceAll(header, "\n\n", "\n")
		}
		header += "\n\n"
		got, err := candidates[0].References(func(item *imap.FetchItemBodySection) []byte {
			if item.Specifier == imap.PartSpecifierHeader {
				return []byte(header)
			}
			return []byte(body)
		})
		if err != nil {
			if k := fetch.KindOf(err); k != fetch.Malformed && k != fetch.Protocol {
				t.Fatal(err)
			}
			return
		}
		text := header + body
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if index, _ := message.IndexOf(m.Reader()); index.Root().Diag.Has(message.MissingBlank) {
			t.Skip("a line that is no field ended the header")
		}
		want := slices.Collect(m.References())
		if len(want) != len(got) {
			t.Fatalf("%d references, want %d", len(got), len(want))
		}
		if g, w := seen(got[0]), seen(want[0]); !reflect.DeepEqual(g, w) {
			t.Errorf("got  %+v\nwant %+v", g, w)
		}
	})
}
