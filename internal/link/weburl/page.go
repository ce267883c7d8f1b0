package weburl

import (
	"strings"

	"github.com/go-extbody/extbody/internal/link"
)

// InPage returns the absolute http or https URL in an attribute, as browsers read it
// (URL Standard section 4.4): without line ends and tabs, without blanks and controls
// around it, with "//" after the scheme whatever slashes are there, and with escapes for
// octets that weburl refuses. Anything else, such as a script, a data: URL or a relative
// URL, refers to nothing.
func InPage(value string) (string, bool) {
	value = toEscape.Replace(strings.TrimFunc(value, isControl))
	scheme, ok := link.Scheme(value)
	if !ok || scheme != "http" && scheme != "https" {
		return value, false
	}
	rest := value[len(scheme)+len(":"):]
	end := len(rest)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		end = i
	}
	if !strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "///") || strings.Contains(rest[:end], `\`) {
		path := strings.ReplaceAll(rest[:end], `\`, "/")
		rest = "//" + strings.TrimLeft(path, "/") + rest[end:]
	}
	return value[:len(scheme)] + ":" + strings.ReplaceAll(rest, `\`, "%5C"), strings.TrimLeft(rest, "/") != ""
}

// withoutScheme returns the URL of https that a text which starts with two slashes stands for. Browsers
// take a backslash for a slash.
func withoutScheme(text string) (string, bool) {
	if len(text) < 2 || strings.Trim(text[:2], `/\`) != "" {
		return "", false
	}
	return InPage("https:" + text)
}

func isControl(c rune) bool { return c <= ' ' }

// toEscape replaces the octets of an attribute that a URL cannot have.
var toEscape = strings.NewReplacer("\t", "", "\r", "", "\n", "", " ", "%20", "<", "%3C", ">", "%3E", `"`, "%22", "\x7f", "%7F")

// maxBase bounds the URL of a base element in octets.
const maxBase = 256

// A Base makes relative URLs whole (URL Standard section 4.4). The zero value is the base of a text
// without a base element.
type Base struct {
	url string // "" for none; it has no query and no fragment, and at least "/" as its path
}

// Set takes the href of a base element (HTML section 4.2.3). The first one with a URL counts. A
// URL of more than 256 octets before its query does not, because it is read again for each relative one; Set then
// returns false.
func (b *Base) Set(href string) bool {
	if b.url == "" && len(href) > MaxBytes {
		return false
	}
	href, ok := InPage(href)
	if !ok {
		href, ok = withoutScheme(href)
	}
	if !ok || b.url != "" {
		return true
	}
	url := WithoutUser(href)
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	if len(url) > maxBase {
		return false
	}
	if strings.Count(url, "/") == len("//") {
		url += "/"
	}
	b.url = url
	return true
}

// Whole returns the web URL that href stands for. Without a base, a URL without a scheme
// ("//host/path") is one of https.
func (b *Base) Whole(href string) (string, bool) {
	if b.url == "" || len(href) > MaxBytes {
		return withoutScheme(toEscape.Replace(strings.TrimFunc(href, isControl)))
	}
	path := toEscape.Replace(strings.TrimFunc(href, isControl))
	rest := ""
	if _, ok := link.Scheme(path); ok {
		return "", false
	}
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		rest = path[i:]
		path = path[:i]
	}
	parts := strings.SplitN(b.url, "/", 4) // the scheme, "", the host and the path
	switch path = strings.ReplaceAll(path, `\`, "/"); {
	case strings.HasPrefix(path, "//"):
		path = parts[0] + path
	case strings.HasPrefix(path, "/"):
		path = strings.Join(parts[:3], "/") + path
	case path == "":
		path = b.url
	default:
		path = b.url[:strings.LastIndexByte(b.url, '/')+1] + path
	}
	return InPage(path + rest)
}
