package accountfetch

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/bounded"
)

// A graph is the base of Microsoft Graph, which has the files of OneDrive and SharePoint.
type graph string

// Neither selection has the persons who made the file, or @microsoft.graph.downloadUrl, which gives the octets
// without a login.
const (
	itemFields = "?$select=id,name,size,eTag,cTag,createdDateTime,lastModifiedDateTime," +
		"file,folder,package,bundle,remoteItem,parentReference"
	versionFields = "?$select=id,lastModifiedDateTime,size"
)

// A graphItem is a driveItem of Graph, without the item that it stands for.
type graphItem struct {
	ID, Name, ETag, CTag string
	Size                 int64
	Created              time.Time `json:"createdDateTime"`
	Modified             time.Time `json:"lastModifiedDateTime"`
	File                 *struct {
		MimeType string
		Hashes   struct{ QuickXorHash, Sha1Hash, Sha256Hash string }
	}
	Folder, Package, Bundle *struct{}
	ParentReference         struct{ DriveID string }
}

func (d *graphItem) item() *item {
	it := &item{
		drive:   d.ParentReference.DriveID,
		id:      d.ID,
		name:    d.Name,
		tag:     d.ETag,
		created: d.Created,
		current: version{name: cmp.Or(d.CTag, d.ETag), modified: d.Modified, size: d.Size},
		folder:  d.Folder != nil || d.Bundle != nil,
		native:  d.Package != nil || d.File == nil && d.Folder == nil,
	}
	if d.File == nil {
		return it
	}
	it.mediaType = d.File.MimeType
	hashes := d.File.Hashes
	xor, err := base64.StdEncoding.DecodeString(hashes.QuickXorHash)
	it.current.digests = digests("graph", "quickxor", xor, err)
	for algorithm, text := range map[string]string{"sha-1": hashes.Sha1Hash, "sha-256": hashes.Sha256Hash} {
		sum, err := hex.DecodeString(text)
		it.current.digests = append(it.current.digests, digests("graph", algorithm, sum, err)...)
	}
	return it
}

// find implements [provider]. The Prefer shows a file that the account may see, and does not accept the share
// for good, as redeemSharingLink does.
func (g graph) find(a asker, l *link) (*item, error) {
	text, _, _ := strings.Cut(l.text, "#")
	encoded := base64.RawURLEncoding.EncodeToString([]byte(text))
	share := "u!" + encoded
	a.hide(share)
	a.hide(encoded)
	var d struct {
		graphItem
		RemoteItem *graphItem
	}
	prefer := map[string]string{"Prefer": "redeemSharingLinkIfNecessary"}
	if err := a.get(string(g)+"/shares/"+share+"/driveItem"+itemFields, prefer, &d); err != nil {
		return nil, err
	}
	it := d.item()
	if d.RemoteItem != nil { // a shortcut, which leads to no other
		it = d.RemoteItem.item()
	}
	hasOctets := !it.folder && !it.native
	if hasOctets && (it.drive == "" || it.id == "") {
		return nil, errJSON
	}
	return it, nil
}

// path returns the URL of an item.
func (g graph) path(it *item) string {
	return string(g) + "/drives/" + url.PathEscape(it.drive) + "/items/" + url.PathEscape(it.id)
}

// versions implements [provider]. A page is its URL.
func (g graph) versions(a asker, it *item, page string) (list []version, next string, err error) {
	var answer struct {
		Value []struct {
			ID       string
			Modified time.Time `json:"lastModifiedDateTime"`
			Size     int64
		}
		Next string `json:"@odata.nextLink"`
	}
	if err := a.get(cmp.Or(page, g.path(it)+"/versions"+versionFields), nil, &answer); err != nil {
		return nil, "", err
	}
	for i, v := range answer.Value {
		if page == "" && i == 0 {
			v.ID = "" // the newest one is the present one, which is refused by its number
		}
		list = append(list, version{id: v.ID, name: v.ID, modified: v.Modified, size: v.Size})
	}
	return list, answer.Next, nil
}

// open implements [provider].
func (g graph) open(a asker, it *item, v version) (*fetch.Response, error) {
	if v.id == "" {
		return a.open(g.path(it)+"/content", nil)
	}
	return a.open(g.path(it)+"/versions/"+url.PathEscape(v.id)+"/content", nil)
}

// fault implements [provider].
func (graph) fault(status int, content []byte) (fetch.Kind, string) {
	var answer struct{ Error struct{ Code string } }
	bounded.JSON(content, &answer, maxValues) // text that is not JSON has no word
	switch status {
	case 400: // a personal link, or one that is no share: "The site in the encoded share URI is invalid"
		return fetch.NotFound, answer.Error.Code
	case 423, 509:
		return fetch.Unavailable, answer.Error.Code
	}
	return 0, answer.Error.Code
}

// isBelow reports whether text is a URL below base, at the same origin.
func isBelow(text, base string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	b, err := url.Parse(base)
	if err != nil {
		return false
	}
	sameOrigin := u.Scheme == b.Scheme && u.Host == b.Host && u.User == nil
	return sameOrigin && strings.HasPrefix(u.Path, b.Path+"/") && !strings.Contains(u.Path, "..")
}
