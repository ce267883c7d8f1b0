package dialect

import (
	"github.com/go-extbody/extbody/externalbody"
)

// icewarpText reads the block that an IceWarp server puts into the text of a
// message with such files: an element of class icewarp_smartattach, which its web
// client hides since it shows the files by the header. The class is that of a web
// client of IceWarp and of a description by the makers of eM Client; no sample of
// what is inside is public. A link counts if its text is the name of a file, or if
// all links of the block lead to the same place.
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
