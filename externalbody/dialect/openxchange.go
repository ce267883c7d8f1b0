package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// openXchange reads X-Open-Xchange-Share-URL, which App Suite puts into the
// header of a message that shares files or a folder. Its value is the URL alone.
// Messages of another X-Open-Xchange-Share-Type than share-created, such as
// those to reset a password, have the field too, and refer to nothing. The form
// is that of the sources of App Suite.
//
// X-Open-Xchange-Share-Access has a user name and a password, and is not read.
func openXchange() externalbody.Dialect {
	const field = "X-Open-Xchange-Share-URL"
	return externalbody.Dialect{
		Name:   "open-xchange",
		Fields: []string{field},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			if kind := strings.TrimSpace(e.Header.Get("X-Open-Xchange-Share-Type")); kind != "" && !strings.EqualFold(kind, "share-created") {
				return nil
			}
			var refs []*externalbody.Reference
			for _, f := range e.Header {
				if strings.EqualFold(f.Name, field) && f.Value != "" {
					r := newLink(f.Value, field, "https", "http")
					r.Name = "" // the URL ends with a token
					refs = append(refs, r)
				}
			}
			contradict(refs)
			return refs
		},
	}
}
