package record

import (
	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/show"
)

// A Path is where messages are: a PATH of the command line, or of the mailbox that it
// names the one message of which a record tells.
type Path struct {
	Name string
	UID  uint32 // of a message on an IMAP server; 0 for all that Name stands for
}

// Paths returns the PATHs of the command line, without one that of standard input.
func Paths(args []string) []Path {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var list []Path
	for _, name := range args {
		list = append(list, Path{Name: name})
	}
	return list
}

// A Place says which message of a mailbox is meant.
type Place struct {
	Message string `json:"message"` // the path or URL of the mailbox

	*counted  // of a message in a file
	*numbered // of one on an IMAP server
}

// counted is the place of a message among those of its mailbox.
type counted struct {
	Index int `json:"index"`
}

// numbered is the place of a message on an IMAP server. What is not known is
// absent.
type numbered struct {
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
}

// InFile returns the place of a message in a file.
func InFile(m *mailbox.Message) Place { return Place{Message: m.Path, counted: &counted{m.Index}} }

// OnServer returns the place of a message in a mailbox of an IMAP server. What is not
// known is 0.
func OnServer(mailbox string, uidValidity, uid uint32) Place {
	return Place{Message: mailbox, numbered: &numbered{uidValidity, uid}}
}

// Escaped returns p as a record has it.
func (p Place) Escaped() Place {
	p.Message = show.Escape(p.Message)
	return p
}
