package inspect

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A header is the facts in the header of a message.
type header struct {
	id      string // the Message-ID
	from    string // "" if it names no one sender; see [externalbody.Sender]
	results []result

	fields map[string][]string // the values of the other fields that fit, decoded and folded, by the folded name
	seen   map[string][]string // values without the characters that no reader shows, where these differ
	octets int                 // of all
	more   bool                // there are others
}

// maxFieldOctets bounds the values of header fields that are kept, so that many messages fit into memory.
const maxFieldOctets = 64 << 10

func (h *header) keep(f message.Field) {
	name := strings.ToLower(f.Name)
	value := folded(charset.Words(unfolded.Replace(f.Value)))
	n := len(name) + len(value)
	seen := strings.Map(seenAlone, value)
	if seen != value {
		n += len(seen)
	}
	if h.octets+n > maxFieldOctets {
		h.more = true
		return
	}
	h.octets += n
	h.fields[name] = append(h.fields[name], value)
	if seen != value {
		h.seen[name] = append(h.seen[name], seen)
	}
}

// seenAlone returns a character, and -1 for one that no reader shows, such as U+200B.
func seenAlone(c rune) rune {
	if unicode.In(c, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return c
}

// unfolded are the line ends of a value of several lines.
var unfolded = strings.NewReplacer("\r", "", "\n", "")

// A result is an outcome in an Authentication-Results field.
type result struct {
	by     string // the authserv-id
	method string // "" for a field without results
	value  string
	domain string // of the signature, for DKIM; "" if it is not named
}

// results are the outcomes of DKIM, SPF and DMARC (RFC 8601 section 2.7).
var results = []string{"pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"}

// maxResults bounds the results that are read.
const maxResults = 1000

// headerOf reads the header of a message, or returns nil if that is not possible.
func headerOf(m *externalbody.Message) *header {
	index, r := message.IndexOf(m.Reader())
	root := index.Root()
	text, err := message.ReadSpan(r, root.Header.First(maxHeader))
	if err != nil || root.Header.Len() > maxHeader || root.Diag.Has(message.HeaderTooLong) {
		return nil
	}
	h := &header{fields: make(map[string][]string), seen: make(map[string][]string)}
	var from []string
	for f := range message.Fields(text, 0) {
		h.keep(f)
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
		if words := strings.Fields(equals().ReplaceAllLiteralString(rest, "=")); len(words) > 0 && len(list) < maxResults {
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
var equals = lazyregexp.New(`\s*=\s*`)

// statements splits a value at its semicolons. It leaves out comments (RFC 5322 section
// 3.2.2) and quote marks.
func statements(value string) (list []string) {
	var b strings.Builder
	depth := 0
	quoted := false
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
