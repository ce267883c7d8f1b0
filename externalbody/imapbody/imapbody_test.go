package imapbody_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// What the sections of a server give is what Open gives of the whole message,
// IDs and Diags included (IM-19).
func TestSameAsOpen(t *testing.T) {
	onServers(t, slices.Concat(wellFormed, malformed), func(t *testing.T, client *imapclient.Client, m sample) { same(t, client, m.text) })
}

func same(t *testing.T, client *imapclient.Client, text string) {
	t.Helper()
	text = crlf(text)
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Collect(m.References())
	got, err := sweep(client, store(t, client, text))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if g, w := seen(got[i]), seen(want[i]); !reflect.DeepEqual(g, w) {
			t.Errorf("got  %.2000v\nwant %.2000v", g, w)
		}
	}
}

// sweep is what a client does for one message.
func sweep(client *imapclient.Client, uid imap.UID) ([]*externalbody.Reference, error) {
	set := imap.UIDSetNum(uid)
	found, err := client.Fetch(set, &imap.FetchOptions{BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}).Collect()
	if err != nil {
		return nil, err
	}
	var refs []*externalbody.Reference
	for c := range imapbody.Candidates(found[0].BodyStructure) {
		sections, err := client.Fetch(set, &imap.FetchOptions{BodySection: c.Items()}).Collect()
		if err != nil {
			return nil, err
		}
		more, err := c.References(sections[0].FindBodySection)
		if err != nil {
			return nil, err
		}
		refs = append(refs, more...)
	}
	return refs, nil
}

// An appearance is all that a caller can see of a Reference.
type appearance struct {
	Public  externalbody.Reference
	Phantom string
	Asked   string
}

func seen(ref *externalbody.Reference) appearance {
	a := appearance{Phantom: string(ref.PhantomBody())}
	if req, err := ref.Request(); err != nil {
		a.Asked = err.Error()
	} else {
		a.Asked = req.URL.String() + " " + req.MediaType
	}
	a.Public = externalbody.Reference{
		ID: ref.ID, Dialect: ref.Dialect, AccessType: ref.AccessType, Params: ref.Params,
		Header: ref.Header, MediaType: ref.MediaType, ContentID: ref.ContentID, Name: ref.Name,
		Expiration: ref.Expiration, Size: ref.Size, Permission: ref.Permission,
		Origins: ref.Origins, Quoted: ref.Quoted, Diags: ref.Diags,
	}
	return a
}

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
