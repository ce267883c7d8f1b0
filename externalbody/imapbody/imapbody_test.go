package imapbody_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
)

// The sections of a server give the same result as Open of the whole message, IDs
// and Diags included (IM-19).
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
	got, err := sweep(client, store(t, client, text), text)
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

// sweep does the work of a client for one message.
func sweep(client *imapclient.Client, uid imap.UID, text string) ([]*externalbody.Reference, error) {
	set := imap.UIDSetNum(uid)
	found, err := client.Fetch(set, &imap.FetchOptions{RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}).Collect()
	if err != nil {
		return nil, err
	}
	src := &source{find: func(item *imap.FetchItemBodySection) []byte {
		sections, err := client.Fetch(set, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{item}}).Collect()
		if err != nil {
			return nil
		}
		return sections[0].FindBodySection(item)
	}, text: text}
	m, err := imapbody.Open(context.Background(), src, imapbody.GoIMAP(found[0].BodyStructure), found[0].RFC822Size, nil)
	if err != nil {
		return nil, err
	}
	return slices.Collect(m.References()), nil
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
