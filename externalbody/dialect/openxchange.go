package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// openXchange reads X-Open-Xchange-Share-URL. App Suite puts it into the header of a
// message that shares files or a folder. Its value is the URL alone. The field is also
// in messages whose X-Open-Xchange-Share-Type is not share-created, such as those to
// reset a password, and refers to nothing there. The form is in the sources of App
// Suite.
//
// X-Open-Xchange-Share-Access has a user name and a password, and is not read.
func openXchange() externalbody.Dialect {
	fields := []string{"X-Open-Xchange-Share-URL"}
	return externalbody.Dialect{
		Name:   "open-xchange",
		Fields: fields,
		Read: readFile(fields, func(e *externalbody.Entity, field, value string) *externalbody.Reference {
			if kind := strings.TrimSpace(e.Header.Get("X-Open-Xchange-Share-Type")); kind != "" && !strings.EqualFold(kind, "share-created") {
				return nil
			}
			r := newLink(value, field, "https", "http")
			r.Name = "" // the URL ends with a token
			return r
		}),
	}
}
