package message

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// FileNames returns the names of the file that a part is, by its header: each filename of a Content-Disposition
// and each name of a Content-Type, with encoded-words decoded. Programs differ in which of several they use.
func FileNames(header string) (names []string) {
	for f := range Fields(header, 0) {
		attribute := ""
		switch {
		case strings.EqualFold(f.Name, "Content-Disposition"):
			attribute = "filename"
		case strings.EqualFold(f.Name, "Content-Type"):
			attribute = "name"
		default:
			continue
		}
		for _, p := range param.Parse(f.Value).Params {
			if p.Name == attribute && p.Value != "" {
				names = append(names, charset.Words(p.Value))
			}
		}
	}
	return names
}

// HasExtension reports whether one of some file names ends in one of some extensions, such as ".url". It ignores case, and
// the blanks and periods after a name, which Windows drops.
func HasExtension(names, extensions []string) bool {
	for _, name := range names {
		name = strings.ToLower(strings.TrimRight(name, " .\t\r\n"))
		for _, e := range extensions {
			if strings.HasSuffix(name, strings.ToLower(e)) {
				return true
			}
		}
	}
	return false
}
