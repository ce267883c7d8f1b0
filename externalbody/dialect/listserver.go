package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A listServer leaves a text in place of a part that it stores for the readers of a
// list. The text is plain, and ends with a URL of what is stored. Who answers to it may
// quote it as HTML.
type listServer struct {
	name   string
	folder string // the segment of the URLs below which parts are stored

	// reads reports whether a text/plain part can be such a text; nil means that every
	// part can.
	reads func(*externalbody.Entity) bool

	// reader returns the function that reads such a text.
	reader func(found func(*externalbody.Reference)) func(*externalbody.Token)

	// quoted returns the function that reads it in HTML. It may be nil.
	quoted func(found func(*externalbody.Reference)) func(*externalbody.Token)
}

func (s listServer) dialect() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  s.name,
		Hints: pathHints(s.folder),
		Near:  links,
		Text: func(e *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
			if e.MediaType == "text/html" && s.quoted != nil {
				return s.quoted(found)
			}
			if e.MediaType != "text/plain" || s.reads != nil && !s.reads(e) {
				return func(*externalbody.Token) {}
			}
			return s.reader(found)
		},
	}
}

// storedBelow returns the last three segments of the path of a URL. The segment before
// them must be folder, and none of them may be empty.
func storedBelow(url, folder string) (first, second, name string, ok bool) {
	u, ok := weburl.Parse(unwrap.URL(url).URL)
	if !ok {
		return "", "", "", false
	}
	segments := strings.Split(u.Path, "/")
	n := len(segments)
	if n < 5 || segments[n-4] != folder {
		return "", "", "", false
	}
	first, second, name = segments[n-3], segments[n-2], segments[n-1]
	return first, second, name, first != "" && second != "" && name != ""
}
