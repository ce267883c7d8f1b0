package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// maxShortcut bounds the octets that are read of a .url file.
const maxShortcut = 64 << 10

// internetShortcut reads a message/external-body part without an access type whose body
// is a .url file. Outlook sends an attached link so:
//
//	Content-Type: message/external-body; name="draft.url"
//	Content-Transfer-Encoding: base64
//
//	[InternetShortcut]
//	URL=ftp://ftp.example/draft.txt
//
// The form comes from messages on IETF mailing lists of 2010. Base64 is not allowed for
// such a part (RFC 2046 section 5.2.3), and the result is not a phantom header.
func internetShortcut() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "internet-shortcut",
		Types: []string{"message/external-body"},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			start, end, url := findShortcut(string(e.Body(maxShortcut)))
			if url == "" {
				return nil
			}
			r := newLink(url, "", "https", "http", "ftp", "ftps")
			r.Origins[0].Start, r.Origins[0].End = int64(start), int64(end)
			if r.Name == "" {
				r.Name = strings.TrimSuffix(fileName(e.Header), ".url")
			}
			return []*externalbody.Reference{r}
		},
	}
}

// findShortcut returns the value of URL in the section [InternetShortcut], and where
// its line is.
func findShortcut(text string) (start, end int, url string) {
	in := false
	for line := range strings.Lines(text) {
		start, end = end, end+len(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF"))
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(line, "[InternetShortcut]")
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if in && ok && strings.EqualFold(strings.TrimSpace(name), "URL") {
			return start, end, strings.TrimSpace(value)
		}
	}
	return 0, 0, ""
}
