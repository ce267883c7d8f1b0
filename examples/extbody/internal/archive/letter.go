package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// A Letter is a message as people read it.
type Letter struct {
	From, To, Cc, Bcc string // of a journal report, those of the message that it reports

	// Mailboxes are where it was seen, in the order of the ledger.
	Mailboxes []string

	// Text has the first MaxLetter octets of its texts. More is set if there are others.
	Text string
	More bool

	// Err is nil if the message is an object that has its digest. Otherwise To, Cc, Bcc and Text are not known.
	Err error
}

// MaxLetter bounds the text of a [Letter], in octets.
const MaxLetter = 64 << 10

// Errors of a message whose octets are not in the archive.
var (
	errNotStored = errors.New("the archive has the line of the message alone, since it refers to nothing")
	errRemoved   = errors.New("the message was removed from the archive on purpose")
)

// Letter returns a message as people read it. For its Mailboxes it reads the ledger from the line of the message on.
func (a *Archive) Letter(m *MessageRecord) (*Letter, error) {
	l := &Letter{From: charset.Words(m.From)}
	var err error
	l.Mailboxes, err = a.mailboxes(m.SHA256)
	if err != nil {
		return nil, err
	}
	f, err := a.objects.Hold(m.SHA256)
	if err != nil {
		gone := errors.Is(err, fs.ErrNotExist)
		switch {
		case gone && a.index.flags(m.SHA256)&flagForgotten != 0:
			err = errRemoved
		case gone && !m.Stored:
			err = errNotStored
		}
		l.Err = err
		return l, nil
	}
	defer f.Close()
	fields, err := a.described(m)
	if err != nil {
		return nil, err
	}
	l.From = fields.from
	l.To = fields.to
	l.Cc = fields.cc
	l.Bcc = fields.bcc
	text := &beginning{most: MaxLetter}
	w := bufio.NewWriter(text)
	cut, err := writeText(w, f, f.Size())
	if err := errors.Join(err, w.Flush()); err != nil && !text.more {
		return nil, err
	}
	l.Text = strings.ToValidUTF8(text.String(), "") // without half a character at its end
	l.More = text.more || cut
	return l, nil
}

// mailboxes returns where a message was seen, in the order of the ledger: the sources, with the mailboxes of an account.
func (a *Archive) mailboxes(sum string) (list []string, err error) {
	places := a.index.message(sum)
	if len(places) == 0 {
		return nil, nil
	}
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	err = a.read(places[0].place(), a.next(), func(l *ledger.Line) error {
		if l.Kind != kindSighting || !bytes.Contains(l.Text, []byte(sum)) {
			return nil
		}
		s := new(Sighting)
		if err := l.Body(s); err != nil {
			return a.unreadable(l.Place, headOf(l), err)
		}
		if s.Message != sum {
			return nil
		}
		if len(s.Mailboxes) == 0 {
			add(s.Source)
		}
		for _, name := range s.Mailboxes {
			add(s.Source + " " + name)
		}
		return nil
	})
	return list, err
}

// A beginning keeps the first octets that are written, and ends the writing.
type beginning struct {
	bytes.Buffer
	most int
	more bool
}

// Write implements [io.Writer]. It returns errStop after the last octet that is kept.
func (b *beginning) Write(p []byte) (int, error) {
	room := b.most - b.Len()
	if len(p) <= room {
		return b.Buffer.Write(p)
	}
	b.Buffer.Write(p[:room])
	b.more = true
	return 0, errStop
}
