package loads

import (
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Read calls found for each thing that is loaded when the message is shown, in all texts that externalbody.Open reads
// and in the parts that these load, in the order in which it reads them. The Message that it returns says by Unread
// which parts could not be looked into. The error is from externalbody.Open.
func Read(r io.ReaderAt, size int64, found func(*Load)) (*externalbody.Message, error) {
	parts := &parts{r: r, size: size}
	return externalbody.Open(r, size, &externalbody.OpenOptions{Dialects: []externalbody.Dialect{{
		Name:  "loads",
		Hints: Hints,
		Text: func(e *externalbody.Entity, _ func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
			reader := NewReader(e, found)
			reader.parts = parts
			return reader.Read
		},
	}}})
}

// Opaque returns the section of the first part that a program may show as a document and that is not read, unless it
// is an attachment.
func Opaque(r io.ReaderAt, index *message.Index) (section string, ok bool, err error) {
	for _, p := range index.Parts {
		if p.Type != "application/xhtml+xml" {
			continue
		}
		header, err := message.ReadSpan(r, p.Header)
		if err != nil {
			return "", false, err
		}
		f, _ := message.Lookup(header, "Content-Disposition", 0)
		kind, _, _ := strings.Cut(f.Text(), ";")
		if !strings.EqualFold(strings.TrimSpace(kind), "attachment") {
			return p.Section(), true, nil
		}
	}
	return "", false, nil
}
