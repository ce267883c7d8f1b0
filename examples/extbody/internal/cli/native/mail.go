package native

import (
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/wording"
)

// A mail is the message of a session. Each of its files has a number, from 1: the index of its choice.
type mail struct {
	spool   spool.Spool
	whole   bool // all octets are there, and were read
	found   *source.Found
	choices [][][]*externalbody.Reference
	unread  []string
}

var (
	errWhole   = errors.New("the message has ended: want a new session for another one")
	errNotOpen = errors.New("want the message first: open it")
	errPiece   = fmt.Errorf("a piece has at most %d octets", Piece)
)

// add adds octets of the message.
func (m *mail) add(octets []byte, most int64) error {
	switch {
	case m.whole:
		return errWhole
	case len(octets) > Piece:
		return errPiece
	case most >= 0 && m.spool.Size()+int64(len(octets)) > most:
		return fmt.Errorf("the message is longer than --max-message, %s: it is not looked into", wording.About(most))
	}
	_, err := m.spool.Write(octets)
	return err
}

// oneMessage is a name that makes package mailbox read one message, whatever its octets.
const oneMessage = "message.eml"

// read reads the message after its last octets. Parts that could not be looked into are noted, and so
// is an error after which the message has files.
func (m *mail) read(reading *source.Reading) error {
	m.whole = true
	text := m.spool.Section()
	for one, err := range mailbox.Read(oneMessage, text, text.Size()) {
		if err != nil {
			return err
		}
		m.found = &source.Found{Message: one}
		if err := m.found.Read(reading); err != nil {
			if m.found.Whole() == nil {
				return err
			}
			m.unread = append(m.unread, show.Fence(err.Error(), maxText))
		}
		break
	}
	if m.found == nil {
		return nil // it has no octets
	}
	m.choices = m.found.Choices(false)
	for u := range m.found.Whole().Unread() {
		if len(m.unread) == maxUnread {
			break
		}
		part := record.UnreadPart{Section: u.Section, Type: u.MediaType, Reason: string(u.Reason), Detail: show.Escape(u.Detail)}
		m.unread = append(m.unread, show.Fence(part.String(), maxText))
	}
	return nil
}

// The bounds of the texts of an answer.
const (
	maxText   = 500 // octets of a text that a stranger may have written
	maxNotes  = 10  // notes about a file
	maxUnread = 20  // parts that could not be looked into
)

func (m *mail) file(number int, plan *externalbody.Plan) File {
	line := record.NewLine(plan.Ref)
	f := File{
		Number: number,
		Name:   show.Fence(line.Name, maxText),
		Size:   line.Size,
		Kind:   show.Fence(line.Kind, maxText),
		Host:   show.Fence(line.Place, maxText),
	}
	for _, note := range line.Notes[:min(len(line.Notes), maxNotes)] {
		f.Notes = append(f.Notes, show.Fence(note, maxText))
	}
	return f
}

// has reports whether a number is one of a file.
func (m *mail) has(number int) bool { return number >= 1 && number <= len(m.choices) }

// close ends the use of the message.
func (m *mail) close() {
	if m.found != nil {
		m.found.Close()
	}
	m.spool.Close()
}
