package rewriting

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// An unzipping has the names of the files for the messages of zip archives.
type unzipping struct {
	path  string // a zip archive, or a folder with some
	to    string // the new folder
	taken map[string]bool
}

// newName returns the path of a new file for a message. It is below the new folder, whatever the names in the
// archive are.
func (z *unzipping) newName(m *mailbox.Message) (string, error) {
	archive, inside, _ := mailbox.CutZip(m.Path)
	dir := z.to
	if archive != z.path {
		rel, err := filepath.Rel(z.path, archive)
		if err != nil {
			return "", err
		}
		dir = filepath.Join(z.to, rel)
	}
	name := strings.ReplaceAll(inside, mailbox.InZip, "/")
	if !isPlain(name) {
		name = "message.eml"
	}
	stem := strings.TrimSuffix(name, oneMessage)
	if !m.IsFile() {
		stem = fmt.Sprintf("%s-%d", stem, m.Index+1)
	}
	if z.taken == nil {
		z.taken = make(map[string]bool)
	}
	next := filepath.Join(dir, filepath.FromSlash(stem)) + oneMessage
	for n := 2; z.taken[strings.ToLower(next)]; n++ {
		next = filepath.Join(dir, filepath.FromSlash(stem)) + fmt.Sprintf("-%d%s", n, oneMessage)
	}
	z.taken[strings.ToLower(next)] = true
	return next, nil
}

// isPlain reports whether a file can have a name in an archive on any system.
func isPlain(name string) bool {
	const reserved = `\<>:"|?*`
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart || strings.HasPrefix(part, ".") || strings.TrimRight(part, " .") != part {
			return false
		}
	}
	isStrange := func(c rune) bool { return c < ' ' || c == 0x7F || strings.ContainsRune(reserved, c) }
	isLocal := fs.ValidPath(name) && filepath.IsLocal(filepath.FromSlash(name))
	return isLocal && !strings.ContainsFunc(name, isStrange)
}

// maxPart bounds a name, so that it has room for the ending of a new one.
const maxPart = 200

// unzipped writes a message of a zip archive to a file of its own.
func (w *Run) unzipped(ctx context.Context, m *mailbox.Message, z *unzipping) error {
	name, err := z.newName(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	o := output.At(name, 0o600)
	defer o.Close()
	content, err := w.inMailbox(ctx)(m)
	if err != nil {
		return err
	}
	if content == nil {
		return o.Copy(ctx, m.Reader())
	}
	f, err := o.Create()
	if err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := output.CopyTo(f, content); err != nil {
		return err
	}
	return o.Commit(ctx)
}
