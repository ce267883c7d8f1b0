package sharelink

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// itself is for links that give the octets.
func itself(f *found, _ *Link) string {
	text, _, _ := strings.Cut(f.text, "#")
	return text
}

// set is for links that give the octets with a parameter set to a value.
func set(name, value string) func(*found, *Link) string {
	return func(f *found, _ *Link) string { return weburl.SetParam(f.text, name, value) }
}

// to is for links whose octets are at another URL, made from template. There,
// "{host}" stands for the host of the link, and "{id}" and "{owner}" for the pieces
// that the pattern found. Parameters of the link whose names are in keep are copied as they
// are.
func to(template string, keep ...string) func(*found, *Link) string {
	return func(f *found, l *Link) string {
		if !isToken(f.id) || f.owner == "" && strings.Contains(template, "{owner}") {
			return ""
		}
		text := strings.ReplaceAll(template, "{host}", f.u.Host)
		text = strings.ReplaceAll(strings.ReplaceAll(text, "{id}", f.id), "{owner}", f.owner)
		for _, name := range keep {
			if value, ok := f.u.Param(name); ok && value != "" {
				text = weburl.SetParam(text, name, value)
			}
		}
		return text
	}
}

// site returns the address of download.aspx in the site that a page or document
// belongs to.
func (f *found) site() string {
	path := f.u.Path
	if segments := split(path); len(segments) > 2 && strings.HasPrefix(segments[0], ":") && segments[1] == "r" {
		path = "/" + strings.Join(segments[2:], "/")
	}
	base, _, ok := strings.Cut(path, "/_layouts/")
	if !ok {
		base = ""
		if segments := split(path); len(segments) > 1 {
			base = "/" + segments[0] + "/" + segments[1]
		}
	}
	return "https://" + f.u.Host + base + "/_layouts/15/download.aspx"
}

// sharePointShare is for a share that the ID is a guest's token for.
func sharePointShare(f *found, _ *Link) string {
	if !isToken(f.id) {
		return ""
	}
	return f.site() + "?share=" + f.id
}

// sharePointUnique is for the address of an editor, which names a document by its
// ID or by its path.
func sharePointUnique(f *found, l *Link) string {
	id := decoded(f.id)
	if strings.HasPrefix(id, "/") {
		return sharePointSource(f, l)
	}
	id = strings.TrimSuffix(strings.TrimPrefix(id, "{"), "}")
	if !isToken(id) {
		return ""
	}
	return f.site() + "?UniqueId=" + id
}

// sharePointSource is for a document whose path on its server is known.
func sharePointSource(f *found, _ *Link) string {
	path := serverPath(f.id)
	if f.id == "" {
		path = serverPath(strings.ReplaceAll(f.u.Path, "+", "%2B"))
	}
	if path == "" {
		return ""
	}
	return f.site() + "?SourceUrl=" + escaped(path)
}

// boxShared is for a file whose share is known.
func boxShared(f *found, _ *Link) string {
	token, _ := f.u.Param("s")
	if !isToken(token) {
		return ""
	}
	return "https://" + f.u.Host + "/index.php?rm=box_download_shared_file&shared_name=" + token + "&file_id=f_" + f.id
}

// boxPage reads the number of the file from the page of a share, in the data for
// the page's script. A page with several numbers, or with a number of another kind,
// is the page of a folder and gives "".
func boxPage(param string) func(*found, []byte) string {
	return func(f *found, page []byte) string {
		number := ""
		for _, m := range boxID.FindAllSubmatch(page, -1) {
			n, ok := strings.CutPrefix(string(m[1]), "f_")
			if !ok || len(n) > 32 || !isDecimal(n) || number != "" && n != number {
				return ""
			}
			number = n
		}
		if number == "" || !isToken(f.id) {
			return ""
		}
		return "https://" + f.u.Host + "/index.php?rm=box_download_shared_file&" + param + "=" + f.id + "&file_id=f_" + number
	}
}

var boxID = regexp.MustCompile(`"typedID":"([^"]{0,40})`)

func isDecimal(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// escaped returns a value for a URL: all octets except the unreserved ones (RFC 3986 section
// 2.3) are percent-encoded.
func escaped(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
