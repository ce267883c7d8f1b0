package archive

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// ErrShared is the error of a Forget or a release while another folder writes to the same objects. It would remove
// objects that the other one needs, or the other one may remove objects that are held here.
var ErrShared = errors.New("another folder has written to the objects of this archive: keep one of the two, and run " +
	"extbody archive repair with the other one as the copy, or with --accept when the other one is gone; " +
	"extbody archive copy makes an archive with objects of its own")

// maxOthers bounds the lines of other ledgers in a mark.
const maxOthers = 100

// Shared returns ErrShared if another folder has written to the objects of the archive, as far as that was seen when the
// archive was opened for writing and by the runs since.
func (a *Archive) Shared() error {
	if len(a.others) > 0 {
		return ErrShared
	}
	return nil
}

// readMark reads the mark beside the objects in a bucket. It has a line for each folder that writes there, as in its file
// head. There is one folder, unless it was copied by other means than Copy. A run that was killed before it wrote the
// mark has left an earlier line, which its ledger has too.
func (a *Archive) readMark() error {
	text, err := a.objects.Mark()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var others []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		h, err := ledger.ParseHead(line)
		if err != nil {
			continue // no archive wrote it
		}
		own := line == a.marked
		if !own && h.Seq <= a.Head().Seq {
			own, err = a.has(h)
			if err != nil {
				return err
			}
		}
		if own {
			a.marked = line
		} else if len(others) < maxOthers {
			others = append(others, line)
		}
	}
	a.others = others
	return nil
}

// alone reads the mark, and returns ErrShared as Shared does.
func (a *Archive) alone() error {
	if err := a.readMark(); err != nil {
		return err
	}
	return a.Shared()
}

// writeMark writes the mark with the last line of the ledger, and keeps the lines of others.
func (a *Archive) writeMark() error {
	if err := a.readMark(); err != nil {
		return err
	}
	line := a.Head().String()
	lines := append(slices.Clone(a.others), line)
	err := a.objects.SetMark([]byte(strings.Join(lines, "\n") + "\n"))
	if err == nil {
		a.marked = line
	}
	return err
}

// claimMark writes the mark without the lines of others.
func (a *Archive) claimMark() error {
	a.others = nil
	a.marked = a.Head().String()
	return a.objects.SetMark([]byte(a.marked + "\n"))
}
