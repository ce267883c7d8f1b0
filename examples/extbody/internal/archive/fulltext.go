package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/textindex"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// textFile is the name of the index of texts in the folder of an archive.
const textFile = "text"

// newTextFile is the name that it has until it is whole.
const newTextFile = atomicfile.Prefix + "new." + textFile

// maxText bounds the octets of the texts of a message, and of a captured text.
const maxText = 16 << 20

// A fullText is the index of texts of an open archive, if there is one.
type fullText struct {
	notice func(string) // gets sentences for people; may be nil
	tried  bool
	index  *textindex.Index // nil if texts have to be read
	cut    bool             // it was noticed that a text is cut
}

func (x *fullText) say(format string, args ...any) {
	if x.notice != nil {
		x.notice(fmt.Sprintf(format, args...))
	}
}

// noteCut notices the first text of which only the start was read.
func (x *fullText) noteCut(cut bool) {
	if cut && !x.cut {
		x.say("a text is longer than %d MiB: the words after that are not searched", maxText>>20)
	}
	x.cut = x.cut || cut
}

// close closes the index, which is not asked any more.
func (x *fullText) close() error {
	err := x.index.Close()
	x.index = nil
	return err
}

// textRules are the rules by which texts are read and folded.
func textRules(agent string) string {
	return strings.Join(strings.Fields(agent), "_") + " unicode/" + unicode.Version + " norm/" + norm.Version
}

// openTexts opens the index of texts in a folder.
func openTexts(dir, rules string) (*textindex.Index, error) {
	f, size, err := below.Open(dir, textFile)
	if err != nil {
		return nil, err
	}
	return textindex.Open(f, size, rules)
}

// removeTexts removes the index of texts, and an unfinished one of a program that was killed. When it returns nil the
// names are gone on the disk.
func removeTexts(dir string) error {
	removed := false
	for _, name := range []string{textFile, newTextFile} {
		for _, suffix := range []string{"", "-journal", "-wal", "-shm"} { // SQLite has files beside a database
			err := os.Remove(filepath.Join(dir, name+suffix))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			removed = removed || err == nil
		}
	}
	if !removed {
		return nil
	}
	return atomicfile.SyncFolder(dir)
}

func messageName(sum string) textindex.Name { return textName("message", sum, "") }

// bodyName returns the name of the text of a captured body that has a media type. One object can be two texts.
func bodyName(sum, mediaType string) textindex.Name { return textName("body", sum, mediaType) }

func textName(kind, sum, mediaType string) textindex.Name {
	digest := sha256.Sum256([]byte(kind + " " + sum + " " + mediaType))
	return textindex.Name(digest[:len(textindex.Name{})])
}
