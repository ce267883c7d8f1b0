package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mimescan"
	"github.com/go-extbody/extbody/internal/show"
)

// An identity is what tells a message from others wherever it lies.
type identity struct {
	Digest    string `json:"message_sha256,omitempty"` // of its octets as they are read; "" if only parts of it were
	MessageID string `json:"message_id,omitempty"`     // this and what follows as in its header, unfolded
	Date      string `json:"date,omitempty"`
	From      string `json:"from,omitempty"`
}

// maxIdentity bounds the header that is looked at, and the value of a field.
const (
	maxIdentityHeader = 256 << 10
	maxIdentityField  = 1 << 10
)

// identify returns the identity of a message, and a stem for the names of its files,
// which depends on nothing but the message, or for one on a server of which only parts
// were read, on its place.
func (f *found) identify() (id identity, stem string, err error) {
	id.readHeader(f.whole)
	h := sha256.New()
	switch {
	case f.at == nil:
		err = hashAll(h, f.Reader())
	case f.spool != nil && f.whole != nil:
		err = hashAll(h, f.whole.Reader())
	default:
		io.WriteString(h, f.title())
		return id, fileStem(h.Sum(nil)), nil
	}
	if err != nil {
		return id, "", err
	}
	sum := h.Sum(nil)
	id.Digest = hex.EncodeToString(sum)
	return id, fileStem(sum), nil
}

// hashAll gives all of r to h, through a buffer that is no larger than r.
func hashAll(h io.Writer, r *io.SectionReader) error {
	_, err := io.Copy(h, io.LimitReader(r, r.Size()))
	return err
}

// fileStem returns the beginning of the names of the files of a message: 64 bits of a
// digest. Who makes two messages with the same ones gets numbers in names.
func fileStem(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// readHeader reads the header of a message, nil if it is not at hand.
func (id *identity) readHeader(m *externalbody.Message) {
	if m == nil {
		return
	}
	index, r := mimescan.IndexOf(m.Reader())
	span := index.Root().Header
	text := make([]byte, min(span.Len(), maxIdentityHeader))
	n, _ := io.ReadFull(io.NewSectionReader(r, span.Start, span.Len()), text)
	for field := range mimescan.Fields(string(text[:n]), 0) {
		for _, want := range []struct {
			name string
			to   *string
		}{{"Message-ID", &id.MessageID}, {"Date", &id.Date}, {"From", &id.From}} {
			if *want.to == "" && strings.EqualFold(field.Name, want.name) {
				value := strings.Join(strings.Fields(field.Value), " ")
				*want.to = show.Escape(value[:min(len(value), maxIdentityField)])
			}
		}
	}
}
