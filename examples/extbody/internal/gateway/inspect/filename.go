package inspect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"golang.org/x/text/unicode/norm"
)

// fileNames are different names of files, in lower case, as a condition compares them.
type fileNames struct {
	shown  []string // as they are written
	others []string // the same, as some systems may see them
	more   bool     // there are more than fit

	seen   map[string]bool // nil after the last one
	octets int64
	most   int64 // octets
}

// The bounds of the names of one body, and of the names in it.
const (
	maxNameOctets   = 4 << 10
	maxMemberOctets = 512 << 10
	maxNames        = 20_000
)

func namesOf(list []string) fileNames {
	f := fileNames{most: maxNameOctets}
	for _, name := range list {
		f.add(name)
	}
	f.seen = nil
	return f
}

// add adds a name, or the last component of a path.
func (f *fileNames) add(name string) {
	name = strings.Trim(name[strings.LastIndexAny(name, `/\`)+1:], " \"'")
	f.put(&f.shown, norm.NFC.String(name))
	f.put(&f.others, norm.NFKC.String(dots.Replace(name)))
	f.put(&f.others, externalbody.FileName(name))
	// On Windows a colon starts the name of a stream. To other programs a NUL ends a name.
	if i := strings.IndexAny(name, ":\x00"); i >= 0 {
		f.put(&f.others, name[:i])
	}
}

// put adds a name to a list of f, unless it is in one of them.
func (f *fileNames) put(list *[]string, name string) {
	name = strings.ToLower(name)
	switch {
	case name == "", f.seen[name]:
		return
	case len(f.seen) == maxNames, f.octets+int64(len(name)) > f.most:
		f.more = true
		return
	case f.seen == nil:
		f.seen = make(map[string]bool)
	}
	name = strings.Clone(name)
	f.seen[name] = true
	f.octets += int64(len(name))
	*list = append(*list, name)
}

// size returns about how many octets of memory the names have.
func (f *fileNames) size() int64 { return f.octets + 16*int64(len(f.shown)+len(f.others)) }

// written returns the names that are written with an extension, or all if none is. The last component of a URL is
// often no name.
func (f *fileNames) written() (list []string) {
	for _, name := range f.shown {
		if strings.Contains(strings.Trim(name, "."), ".") {
			list = append(list, name)
		}
	}
	if list == nil {
		return f.shown
	}
	return list
}

func (f *fileNames) all() []string { return slices.Concat(f.shown, f.others) }
