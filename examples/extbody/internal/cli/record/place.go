package record

import (
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// A Path is a PATH of the command line. It can also name the single message of a record.
type Path struct {
	Name string
	UID  uint32 // of a message on an IMAP server; 0 means all messages of Name
}

// Paths returns the PATHs of the command line. Without any it returns standard
// input.
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

// A Place identifies a message in a mailbox.
type Place struct {
	Message string `json:"message"` // the path or URL of the mailbox

	*counted  // of a message in a file
	*numbered // of one on an IMAP server
}

// counted is the place of a message in the order of its mailbox.
type counted struct {
	Index int `json:"index"`
}

// numbered is the place of a message on an IMAP server. Unknown numbers are missing.
type numbered struct {
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
}

// InFile returns the place of a message in a file.
func InFile(m *mailbox.Message) Place { return Place{Message: m.Path, counted: &counted{m.Index}} }

// OnServer returns the place of a message in a mailbox of an IMAP server. Unknown
// numbers are 0.
func OnServer(mailbox string, uidValidity, uid uint32) Place {
	return Place{Message: mailbox, numbered: &numbered{uidValidity, uid}}
}

// Escaped returns p in the form of records.
func (p Place) Escaped() Place {
	p.Message = show.Escape(p.Message)
	return p
}
