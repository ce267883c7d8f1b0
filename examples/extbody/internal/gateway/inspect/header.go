package inspect

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A header is the facts in the header of a message.
type header struct {
	id      string // the Message-ID
	from    string // "" if it names no one sender; see [externalbody.Sender]
	results []result
}

// Field is the name of the header field with the verdict.
const Field = "X-Extbody"

// maxFieldRefs bounds the references that the header field names.
const maxFieldRefs = 10

// FieldValue returns the value of the header field for a message, in the form of
// Authentication-Results (RFC 8601 section 2.2): the host that reports, the verdict, the
// decision, and the outcome for each of the first ten references, folded by CRLF and a
// tab. It contains no secret. Its only texts from strangers are the names of hosts and
// the scanner's name for what it found. Characters that could end a word or a line are
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

// A factBuilder makes a text of the facts that there are.
type factBuilder struct{ strings.Builder }

// add adds a text, if is is set.
func (b *factBuilder) add(is bool, format string, args ...any) {
	if is {
		fmt.Fprintf(b, format, args...)
	}
}

// token returns a text as one word of a header field.
func token(s string) string {
	return cmp.Or(noToken.ReplaceAllLiteralString(s[:min(len(s), 100)], "_"), "none")
}

// noToken matches the characters that a word does not have.
var noToken = regexp.MustCompile(`[^a-zA-Z0-9._:\[\]-]`)

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
			u.header, u.ours = false, false
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

// A result is an outcome in an Authentication-Results field.
type result struct {
	by     string // the authserv-id
	method string // "" for a field without results
	value  string
	domain string // of the signature, for DKIM; "" if it is not named
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

// outcomes returns the results of a method by the hosts of the list. They are not known
// without a field of such a host, or if h is nil. Without a result of the method, such a
// field means "none".
func (h *header) outcomes(method string, hosts []string) (values []string, known bool) {
	if h == nil {
		return nil, false
	}
	for _, r := range h.results {
		if !slices.Contains(hosts, r.by) {
			continue
		}
		known = true
		if r.method == method {
			values = append(values, r.value)
		}
	}
	if known && len(values) == 0 {
		values = []string{"none"}
	}
	return values, known
}

// signatures returns the results of DKIM by the hosts of the list. known is as for outcomes.
func (h *header) signatures(hosts []string) (list []result, known bool) {
	_, known = h.outcomes("dkim", hosts)
	if !known {
		return nil, false
	}
	for _, r := range h.results {
		if r.method == "dkim" && slices.Contains(hosts, r.by) {
			list = append(list, r)
		}
	}
	return list, true
}

// Authenticated returns the results of a method, "spf", "dkim" or "dmarc", that trusted hosts
// added to a message, each once (RFC 8601). It is empty if no field is by one of the hosts,
// whose names are in lower case.
func Authenticated(m *externalbody.Message, method string, hosts []string) (list []string) {
	values, _ := headerOf(m).outcomes(method, hosts)
	for _, v := range values {
		if slices.Contains(results, v) && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// MessageID returns the Message-ID as the Report of a message has it, or "".
func MessageID(m *externalbody.Message) string { return (&Report{header: headerOf(m)}).MessageID() }

// Domain returns the text after the last @ of an address, in lower case, or "" without an
// @.
func Domain(address string) string {
	i := strings.LastIndexByte(address, '@')
	if i < 0 {
		return ""
	}
	return strings.ToLower(address[i+1:])
}

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
		if words := strings.Fields(equals.ReplaceAllLiteralString(rest, "=")); len(words) > 0 && len(list) < maxResults {
			r := result{by: by, method: strings.ToLower(strings.TrimSpace(method)), value: strings.ToLower(words[0])}
			for _, w := range words[1:] {
				switch name, value, _ := strings.Cut(w, "="); strings.ToLower(name) {
				case "header.d": // RFC 8601 section 2.7.1
					r.domain = strings.ToLower(value)
				case "header.i":
					r.domain = cmp.Or(r.domain, Domain(value))
				}
			}
			list = append(list, r)
		}
	}
	return list
}

// equals matches an equals sign with the space around it.
var equals = regexp.MustCompile(`\s*=\s*`)

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
