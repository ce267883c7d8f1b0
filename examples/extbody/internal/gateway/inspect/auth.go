package inspect

import (
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
