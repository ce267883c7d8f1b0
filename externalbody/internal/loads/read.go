package loads

import (
	"io"

	"github.com/go-extbody/extbody/externalbody"
)

// Read calls found for each thing that is loaded when the message is shown, in all texts that
// externalbody.Open reads, in the order in which it reads them. The Message that it returns says by
// Unread which parts could not be looked into. The error is from externalbody.Open.
func Read(r io.ReaderAt, size int64, found func(*Load)) (*externalbody.Message, error) {
	return externalbody.Open(r, size, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{{
		Name:  "loads",
		Hints: Hints,
		Text: func(e *externalbody.Entity, _ func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
			return NewReader(e, found).Read
		},
	}}})
}
