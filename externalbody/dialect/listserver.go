package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

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
