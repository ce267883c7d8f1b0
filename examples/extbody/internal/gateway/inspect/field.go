package inspect

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// Field is the name of the header field with the verdict.
const Field = "X-Extbody"

// maxFieldRefs bounds the references that the header field names.
const maxFieldRefs = 10

// FieldValue returns the value of the header field for a message, in the form of
// Authentication-Results (RFC 8601 section 2.2): the host that reports, the verdict, the
// decision, and the outcome for each of the first ten references, folded by CRLF and a
// tab. It contains no secret. Its only texts from strangers are the names of hosts and
// the scanner's name for its finding. Characters that could end a word or a line are
// replaced. The action copy is written as tag, without its rule: the recipients do not learn of it.
//
// by is the name of the host that reports.
func FieldValue(by string, rep *Report, d *Decision) string {
	var b factBuilder
	if d.Action == Copy || d.Would == Copy {
		d = &Decision{Action: Tag}
	}
	b.add(true, "%s; extbody=%s action=%s", token(by), rep.Verdict, d.Action)
	b.add(d.Rule != "", " rule=%s mode=%s", token(d.Rule), d.Mode)
	b.add(d.Would != "", " would=%s", d.Would)
	b.add(true, " refs=%d", len(rep.Refs))
	reasons := rep.UnreadReasons()
	b.add(len(reasons) > 0, " unread=%s", strings.Join(reasons, ","))
	b.add(rep.Failure != 0, " failure=%s", rep.Failure)
	for _, r := range rep.Refs[:min(len(rep.Refs), maxFieldRefs)] {
		b.add(true, ";\r\n\tref=%s host=%s state=%s", token(r.Dialect), token(r.Host), r.State)
		b.add(r.Kind != 0, " kind=%s", r.Kind)
		b.add(r.Mismatch, " mismatch=yes")
		b.add(r.Scan != Unscanned, " scan=%s", r.Scan)
		b.add(r.Signature != "", " signature=%s", token(r.Signature))
		b.add(r.SHA256 != "", "\r\n\t octets=%d sha256=%s", r.Octets, r.SHA256)
	}
	return b.String()
}

// token returns a text as one word of a header field.
func token(s string) string {
	return cmp.Or(noToken().ReplaceAllLiteralString(s[:min(len(s), 100)], "_"), "none")
}

// noToken matches the characters that a word does not have.
var noToken = lazyregexp.New(`[^a-zA-Z0-9._:\[\]-]`)

// WithoutOurFields returns a reader of the octets of the message r without the fields
// called Field in its header. They are not ours: strangers wrote them. It holds little of
// the message in memory.
//
// A first line that starts with "From " or ">From " does not belong to the header.
func WithoutOurFields(r io.Reader) io.Reader {
	return &unmarked{r: bufio.NewReader(r), header: true, begin: true, first: true}
}

type unmarked struct {
	r      *bufio.Reader
	piece  []byte // to be given, in the buffer of r
	err    error  // of r, after the piece
	header bool   // the header has not ended
	begin  bool   // at the start of a line
	first  bool   // in the first line
	ours   bool   // in a field of ours
}

// Read implements io.Reader.
func (u *unmarked) Read(p []byte) (int, error) {
	for len(u.piece) == 0 {
		switch {
		case u.err != nil:
			return 0, u.err
		case !u.header:
			return u.r.Read(p)
		}
		u.next()
	}
	n := copy(p, u.piece)
	u.piece = u.piece[n:]
	return n, nil
}

// next reads a line of the header, or as much of one as fits into the buffer.
func (u *unmarked) next() {
	line, err := u.r.ReadSlice('\n')
	if u.begin && len(line) > 0 {
		switch {
		case line[0] == '\r' || line[0] == '\n':
			u.header = false
			u.ours = false
		case u.first || line[0] != ' ' && line[0] != '\t':
			u.ours = isOurs(line)
		}
		u.first = false
	}
	u.begin = err == nil
	if err != bufio.ErrBufferFull {
		u.err = err
	}
	if !u.ours {
		u.piece = line
	}
}

// isOurs reports whether a line starts a field called Field. White space before the
// colon counts as part of the name, since some programs ignore it. The colon may be
// after the octets that are read, or in the next line.
func isOurs(line []byte) bool {
	name, _, _ := bytes.Cut(line, []byte(":"))
	return strings.EqualFold(string(bytes.TrimRight(name, " \t\r\n")), Field)
}
