package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/client"

	"github.com/go-extbody/extbody/externalbody/imapbody"
)

// A part is a BODYSTRUCTURE of go-imap v1 as package imapbody wants it.
type part struct{ *imap.BodyStructure }

func (p part) MediaType() string { return p.MIMEType + "/" + p.MIMESubType }
func (p part) Encoding() string  { return p.BodyStructure.Encoding }
func (p part) Size() int64       { return int64(p.BodyStructure.Size) }

func (p part) FileName() string {
	name, _ := p.Filename()
	return name
}

func (p part) Children() (parts []imapbody.Part) {
	if within := p.BodyStructure.BodyStructure; within != nil { // of a message/rfc822
		return []imapbody.Part{part{within}}
	}
	for _, child := range p.Parts {
		parts = append(parts, part{child})
	}
	return parts
}

// A stored is a message on the server, an imapbody.Source.
type stored struct {
	*client.Client
	uid uint32
}

func (s stored) Sections(_ context.Context, sections []imapbody.Section) (octets [][]byte, err error) {
	var items []imap.FetchItem
	for _, section := range sections {
		items = append(items, imap.FetchItem(section.String()))
	}
	one := new(imap.SeqSet)
	one.AddNum(s.uid)
	found, err := fetch(s.Client, one, items)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(m *imap.Message) bool { return len(m.Body) > 0 }) // others tell of flags
	if i < 0 {
		return nil, errors.New("the message is gone")
	}
	m := found[i]
	for _, item := range items {
		name, err := imap.ParseBodySectionName(item)
		if err != nil {
			return nil, err
		}
		var text []byte
		if body := m.GetBody(name); body != nil {
			text, err = io.ReadAll(body)
			if err != nil {
				return nil, err
			}
		}
		octets = append(octets, text)
	}
	return octets, nil
}

func (s stored) Whole(ctx context.Context) (io.ReaderAt, int64, error) {
	octets, err := s.Sections(ctx, []imapbody.Section{{}})
	if err != nil {
		return nil, 0, err
	}
	return bytes.NewReader(octets[0]), int64(len(octets[0])), nil
}

// fetch returns the data of the server about messages.
func fetch(c *client.Client, uids *imap.SeqSet, items []imap.FetchItem) (found []*imap.Message, err error) {
	answers := make(chan *imap.Message)
	done := make(chan error, 1)
	go func() { done <- c.UidFetch(uids, items, answers) }()
	for m := range answers {
		found = append(found, m)
	}
	return found, <-done
}
