package get

import (
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// indexNames are the names of files with --names index.
//
// A name consists of the index of the message, the id of the reference, and the
// extension of the body's own name or media type: "3-1.2.png". Only the extension comes
// from a stranger, and it has only letters and digits. So a name is never hidden, an
// option, a device or a path. If a name is taken, it gets a number: "3-1.2-2.png".
type indexNames struct {
	given map[string]int // how often a stem with an extension was given out
	taken map[string]bool
}

// newIndexNames returns the names for a folder. The names of its files are taken.
func newIndexNames(dir string) (*indexNames, error) {
	n := &indexNames{given: make(map[string]int), taken: make(map[string]bool)}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n.taken[e.Name()] = true
	}
	return n, err
}

// next returns the name for a reference, without the extension, which is known only
// after the body came. Call next in the order of the references, so that the order in
// which bodies come does not matter.
func (n *indexNames) next(index int, ref *externalbody.Reference) string {
	stem := fmt.Sprintf("%d-%s", index, plain(ref.ID))
	ext := extension(&externalbody.Report{Reference: ref, MediaType: ref.MediaType})
	for {
		n.given[stem+ext]++
		name := stem
		if number := n.given[stem+ext]; number > 1 {
			name = fmt.Sprintf("%s-%d", stem, number)
		}
		if !n.taken[name+ext] {
			return name
		}
	}
}

// plain returns s with all characters replaced except letters, digits, "." and "-".
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if isAlphanumeric(c) || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, s)
}

func isAlphanumeric(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// maxExtension is the greatest length of an extension, in characters, without its dot.
const maxExtension = 10

// extension returns the extension, with its dot, of the name of a body, or one for
// its media type.
func extension(rep *externalbody.Report) string {
	ext := strings.TrimPrefix(filepath.Ext(rep.FileName()), ".")
	if ext != "" && len(ext) <= maxExtension && strings.IndexFunc(ext, func(c rune) bool { return !isAlphanumeric(c) }) < 0 {
		return "." + ext
	}
	mediaType, _, _ := mime.ParseMediaType(rep.MediaType)
	return mediatype.Extension(mediaType)
}
