package archive_test

import (
	"context"
	"iter"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// A generated is a mailbox on a server with that many messages, all of them known.
type generated int

const (
	generatedName     = "imaps://ann@imap.example/INBOX"
	generatedValidity = 7
)

func (generated) Name() string              { return generatedName }
func (g generated) Exists() (int64, uint32) { return int64(g), generatedValidity }

// Messages implements [archive.Source].
func (g generated) Messages(_ context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		for uid := range uint32(g) {
			at := archive.Sighting{Source: generatedName, UIDValidity: generatedValidity, UID: uid + 1}
			if known(&at) == archive.Unseen {
				panic("a message is not known")
			}
			if !yield(archive.NewItem(at, nil, nil), nil) {
				return
			}
		}
	}
}
