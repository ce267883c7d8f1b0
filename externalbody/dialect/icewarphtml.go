package dialect

import (
	"github.com/go-extbody/extbody/externalbody"
)

// icewarpText reads the block that an IceWarp server puts into the text of a message
// with such files. It is an element of class icewarp_smartattach. The web client of
// IceWarp hides it, since it shows the files from the header. The class is known from
// that client and from a description by the makers of eM Client. No sample of the
// inside is public. A link counts if its text is the name of a file, or if all links of
// the block lead to the same place.
func icewarpText(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
	return readBlocks(func(t *externalbody.Token) bool {
		return marked(t, "class", "icewarp_smartattach")
	}, func(b *block) {
		only := filelinkAnchor(b.anchors)
		for i := range b.anchors {
			a := &b.anchors[i]
			url, ok := a.url()
			name := a.fileName()
			if !ok || name == "" && a != only {
				continue
			}
			r := a.reference(url, a.start, a.end)
			r.Quoted = b.quoted
			setName(r, name)
			found(r)
		}
	})
}
