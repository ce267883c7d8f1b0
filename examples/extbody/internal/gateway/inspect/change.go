package inspect

import (
	"context"
	"errors"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/spool"
)

var errRemains = errors.New("a reference cannot be taken out of the message")

// Change writes the message to dst, which is empty, as d.Change demands: with a text in the
// place of a reference, or without it. Then it reads the result and looks for the parts that were taken
// out. With an error d cannot be carried out, and dst must not be used; see
// [Decision.Within].
func (in *Inspector) Change(ctx context.Context, dst *spool.Spool, m *Message, d *Decision) error {
	msg, err := externalbody.Open(m.Text, m.Size, in.Reading)
	if err != nil {
		return err
	}
	gone := make(map[string]bool)
	found := 0
	_, err = rewrite.Remove(ctx, dst, msg, &rewrite.RemoveOptions{
		Select: func(ref *externalbody.Reference) bool {
			if d.Change[ref.ID] == "" {
				return false
			}
			gone[target(ref)] = true
			found++
			return true
		},
		Notice: func(ref *externalbody.Reference) string {
			if d.Change[ref.ID] != Notice {
				return ""
			}
			if name := externalbody.FileName(ref.Name); name != "" {
				return "[A file was removed here: " + name + "]"
			}
			return "[A file was removed here]"
		},
	})
	if err != nil {
		return err
	}
	rest, err := externalbody.Open(dst, dst.Size(), in.Reading)
	if err != nil || found != len(d.Change) {
		return errors.Join(err, errRemains)
	}
	for ref := range rest.References() {
		if t := target(ref); t != "" && gone[t] {
			return errRemains
		}
	}
	return rest.Incomplete()
}
