package inspect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Field is the name of the header field with the verdict.
const Field = "X-Extbody"

// maxFieldRefs bounds the references that the header field names.
const maxFieldRefs = 10

// FieldValue returns the value of the header field for a message, in the form of
// Authentication-Results (RFC 8601 section 2.2): the host that reports, the verdict, the
// decision, and the outcome for each of the first ten references, folded by CRLF and a
// tab. It contains no secret. Its only texts from strangers are the names of hosts and
// the scanner's name for what it found. Characters that could end a word or a line are
// replaced.
//
// by is the name of the host that reports.
func FieldValue(by string, rep *Report, d *Decision) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; extbody=%s action=%s", token(by), rep.Verdict, d.Action)
	if d.Rule != "" {
		fmt.Fprintf(&b, " rule=%s mode=%s", token(d.Rule), d.Mode)
	}
	if d.Would != "" {
		fmt.Fprintf(&b, " would=%s", d.Would)
	}
	fmt.Fprintf(&b, " refs=%d", len(rep.Refs))
	if reasons := rep.UnreadReasons(); len(reasons) > 0 {
		fmt.Fprintf(&b, " unread=%s", strings.Join(reasons, ","))
	}
	if rep.Failure != 0 {
		fmt.Fprintf(&b, " failure=%s", rep.Failure)
	}
	for i := range rep.Refs {
		if i == maxFieldRefs {
			break
		}
		r := &rep.Refs[i]
		fmt.Fprintf(&b, ";\r\n\tref=%s host=%s state=%s", token(r.Dialect), token(r.Host), r.State)
		if r.Kind != 0 {
			fmt.Fprintf(&b, " kind=%s", r.Kind)
		}
		if r.Mismatch {
			b.WriteString(" mismatch=yes")
		}
		if r.Scan != Unscanned {
			fmt.Fprintf(&b, " scan=%s", r.Scan)
		}
		if r.Signature != "" {
			fmt.Fprintf(&b, " signature=%s", token(r.Signature))
		}
		if r.SHA256 != "" {
			fmt.Fprintf(&b, "\r\n\t octets=%d sha256=%s", r.Octets, r.SHA256)
		}
	}
	return b.String()
}

// token returns a text as one word of a header field.
func token(s string) string {
	const most = 100
	if s == "" {
		return "none"
	}
	var b strings.Builder
	for i, c := range []byte(s) {
		switch {
		case i == most:
			return b.String()
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._:[]", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// WithoutOurFields returns a reader of the octets of the message r without the fields
// called Field in its header. They are not ours: strangers wrote them. It holds little of
// the message in memory.
//
// A first line that begins with "From " or ">From " does not belong to the header.
func WithoutOurFields(r io.Reader) io.Reader {
	return &unmarked{r: bufio.NewReader(&sticky{r: r}), header: true, begin: true, first: true}
}

type unmarked struct {
	r      *bufio.Reader
	piece  []byte // to be given, in the buffer of r
	header bool   // the header has not ended
	begin  bool   // at the beginning of a line
	first  bool   // in the first line
	ours   bool   // in a field of ours
}

// Read implements io.Reader.
func (u *unmarked) Read(p []byte) (int, error) {
	for len(u.piece) == 0 {
		if !u.header {
			return u.r.Read(p)
		}
		if err := u.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.piece)
	u.piece = u.piece[n:]
	return n, nil
}

// next reads a line of the header, or as much of one as fits into the buffer.
func (u *unmarked) next() error {
	if u.begin {
		head, err := u.r.Peek(headBytes)
		if len(head) == 0 {
			return err
		}
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			head = head[:i+1]
		}
		switch {
		case head[0] == '\r' || head[0] == '\n':
			u.header = false
			return nil
		case u.first || head[0] != ' ' && head[0] != '\t':
			u.ours = isOurs(head)
		}
		u.first = false
	}
	line, err := u.r.ReadSlice('\n')
	u.begin = err == nil
	if !u.ours {
		u.piece = line
	}
	if len(line) > 0 {
		return nil // the error comes again
	}
	return err
}

// A sticky gives its first error again and again.
type sticky struct {
	r   io.Reader
	err error
}

func (s *sticky) Read(p []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.r.Read(p)
	}
	return n, s.err
}

// isOurs reports whether a line begins a field called Field. White space before the
// colon counts as part of the name, since some programs ignore it. The colon may be
// after the octets that are read, or in the next line.
func isOurs(line []byte) bool {
	name, _, _ := strings.Cut(string(line), ":")
	return strings.EqualFold(strings.TrimRight(name, " \t\r\n"), Field)
}

// headBytes is how many octets of a line are read.
const headBytes = 64

// A header is the facts in the header of a message.
type header struct {
	id      string // the Message-ID
	from    string // "" if it names no one sender; see [externalbody.Sender]
	results []result
}

// A result is an outcome in an Authentication-Results field.
type result struct {
	by     string // the authserv-id
	method string // "" for a field without results
	value  string
}

// results are the outcomes of DKIM, SPF and DMARC (RFC 8601 section 2.7).
var results = []string{"pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"}

// The bounds of a header that is read.
const (
	maxHeader  = 1 << 20
	maxResults = 1000
)

// headerOf reads the header of a message, or returns nil if that is not possible.
func headerOf(m *externalbody.Message) *header {
	index, r := message.IndexOf(m.Reader())
	root := index.Root()
	text, err := message.ReadSpan(r, root.Header.First(maxHeader))
	if err != nil || root.Header.Len() > maxHeader || root.Diag.Has(message.HeaderTooLong) {
		return nil
	}
	h := new(header)
	var from []string
	for f := range message.Fields(text, 0) {
		switch {
		case strings.EqualFold(f.Name, "Message-ID") && h.id == "":
			h.id = strings.TrimSpace(f.Value)
		case strings.EqualFold(f.Name, "From"):
			from = append(from, f.Value)
		case strings.EqualFold(f.Name, "Authentication-Results") && len(h.results) < maxResults:
			h.results = append(h.results, readResults(f.Value)...)
		}
	}
	h.from = externalbody.Sender(from...)
	return h
}

// MessageID returns the Message-ID as the Report of a message has it, or "".
func MessageID(m *externalbody.Message) string { return (&Report{header: headerOf(m)}).MessageID() }

// readResults reads the value of an Authentication-Results field (RFC 8601 section 2.2). The
// first result has no method. A field of another version than 1 has no results.
func readResults(value string) (list []result) {
	parts := statements(value)
	head := strings.Fields(parts[0])
	if len(head) == 0 || len(head) > 1 && head[1] != "1" {
		return nil
	}
	by := strings.ToLower(head[0])
	list = []result{{by: by}}
	for _, p := range parts[1:] {
		method, rest, _ := strings.Cut(p, "=")
		method, _, _ = strings.Cut(method, "/")
		if words := strings.Fields(rest); len(words) > 0 && len(list) < maxResults {
			list = append(list, result{by, strings.ToLower(strings.TrimSpace(method)), strings.ToLower(words[0])})
		}
	}
	return list
}

// statements splits a value at its semicolons. It leaves out comments (RFC 5322 section
// 3.2.2) and quote marks.
func statements(value string) (list []string) {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\' && (quoted || depth > 0):
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
		case quoted:
			if c != ' ' && c != ';' {
				b.WriteByte(c)
			}
		case c == '(':
			depth++
			b.WriteByte(' ')
		case c == ')' && depth > 0:
			depth--
		case depth > 0:
		case c == ';':
			list = append(list, b.String())
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	return append(list, b.String())
}

// authentication returns the results of a method by the hosts that the policy trusts. They
// are not known without a field of such a host. Without a result of the method, such a
// field means "none".
func (q *query) authentication(method string) facts {
	f := facts{open: true}
	if q.rep.header == nil {
		return f
	}
	for _, r := range q.rep.header.results {
		if !slices.Contains(q.policy.AuthservIDs, r.by) {
			continue
		}
		f.open = false
		if r.method == method {
			f.values = append(f.values, r.value)
		}
	}
	if !f.open && len(f.values) == 0 {
		f.values = []string{"none"}
	}
	return f
}
