package redact

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

const (
	// minSecret is the least length of a secret. Shorter pieces of URLs occur in other
	// words by chance.
	minSecret = 4

	// maxWord is the greatest length of a piece that counts as a word if it has no
	// digit and no capital letter, such as "attachment" or "download".
	maxWord = 11

	// maxSecrets bounds the secrets of a fetch, and with them the time of Cut.
	maxSecrets = 256
)

// Secrets are the secret pieces of the URLs of one fetch: user information, the
// fragment and the values of the query, and of a URL that is a credential as a whole
// also the segments of the path. A piece of fewer than 4 characters is not one, and
// neither is a short word or number. The zero value has no secrets. Several goroutines
// may call Cut and CutHead at once, but not Add.
type Secrets struct {
	list []string // in the form of comparable, the longest first
}

// Add adds the secrets of a URL, absolute or relative. whole says that the URL is a
// credential as a whole, as [Credential] reports for a share link of a known host.
func (s *Secrets) Add(raw string, whole bool) {
	hierarchy, query, fragment := split(trim(raw))
	if fragment != "" {
		s.add(fragment[1:], minSecret)
	}
	if start := len(scheme(hierarchy)); strings.HasPrefix(hierarchy[start:], "//") {
		authority, path, _ := strings.Cut(hierarchy[start+len("//"):], "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			for piece := range strings.SplitSeq(authority[:at], ":") {
				s.add(piece, minSecret)
			}
		}
		hierarchy = path
	}
	link, known := sharelink.Match(raw)
	if known {
		s.add(link.ID, minSecret)
	}
	if whole || known {
		for piece := range strings.SplitSeq(hierarchy, "/") {
			s.add(piece, maxWord+1)
		}
	}
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		_, value, found := strings.Cut(pair, "=")
		if !found {
			value = pair
		}
		s.add(value, minSecret+2)
		if u, err := url.QueryUnescape(value); err == nil && strings.Contains(u, "://") {
			s.Add(u, whole) // a wrapped URL stands alone in the next hop
		}
	}
	if _, token, found := strings.Cut(strings.ToLower(raw), ";urlauth="); found {
		for piece := range strings.SplitSeq(token, ":") {
			s.add(piece, maxWord+1)
		}
	}
}

// add adds a piece of a URL. One that is shorter than long is left out if it has no
// mixture of letters, digits and capital letters.
func (s *Secrets) add(piece string, long int) {
	text, _, _ := comparable(piece)
	if len(text) < minSecret || len(text) < long && !mixed(piece) || len(s.list) == maxSecrets {
		return
	}
	longer := func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) }
	if i, found := slices.BinarySearchFunc(s.list, text, longer); !found {
		s.list = slices.Insert(s.list, i, text)
	}
}

// mixed reports whether s has octets of two of these: capital letters, small letters,
// and digits.
func mixed(s string) bool {
	classes := 0
	for _, set := range []string{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"} {
		if strings.ContainsAny(s, set) {
			classes++
		}
	}
	return classes > 1
}

// Cut returns text with "xxxxx" for each secret that stands in it, also if it is
// percent-encoded or not, in any case of letters, or interrupted by white space and line
// ends, as in a folded field. It takes time linear in the text for each secret.
func (s *Secrets) Cut(text string) string {
	if len(s.list) == 0 {
		return text
	}
	same, starts, ends := comparable(text)
	var out strings.Builder
	done := 0 // the octets of text that were written
	for _, span := range s.spans(same) {
		start, end := starts[span[0]], ends[span[1]-1]
		if start < done {
			done = max(done, end)
			continue
		}
		out.WriteString(text[done:start])
		out.WriteString(hidden)
		done = end
	}
	out.WriteString(text[done:])
	return out.String()
}

// spans returns where secrets are, in order. They may overlap.
func (s *Secrets) spans(text string) [][2]int {
	var spans [][2]int
	for _, secret := range s.list {
		for from := 0; ; {
			i := strings.Index(text[from:], secret)
			if i < 0 {
				break
			}
			spans = append(spans, [2]int{from + i, from + i + len(secret)})
			from += i + len(secret)
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	return spans
}

// comparable returns s in lower case, percent-decoded twice, and without white space and
// "+", and for each octet of the result where it begins and ends in s.
func comparable(s string) (same string, starts, ends []int) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, size := s[i], 1
		for range 2 {
			if c == '%' && i+size+2 <= len(s) && percent.Valid("%"+s[i+size:i+size+2]) {
				c = percent.AppendDecode(nil, "%"+s[i+size:i+size+2])[0]
				size += 2
			}
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '+' {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			out, starts, ends = append(out, c), append(starts, i), append(ends, i+size)
		}
		i += size
	}
	return string(out), starts, ends
}

// CutHead is Cut for a head of HTTP, a request or an answer, to a URL of the fetch. The
// URLs in its fields are URLs of the fetch too. A Location, Content-Location, Referer,
// Link or Refresh that is not a URL is replaced as a whole.
func (s *Secrets) CutHead(head, base string, whole bool) string {
	to, _ := url.Parse(base)
	all := Secrets{list: slices.Clone(s.list)}
	all.Add(base, whole)
	var out strings.Builder
	for rest := head; rest != ""; {
		var line string
		line, rest = field(rest)
		name, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "location", "content-location", "referer":
			target := strings.TrimSpace(unfold(value))
			u, err := url.Parse(target)
			switch {
			case to == nil, err != nil, strings.Contains(target, `\`):
				line = name + ": " + hidden + value[len(strings.TrimRight(value, "\r\n")):]
			default:
				target = to.ResolveReference(u).String()
				all.Add(target, whole || Credential(target))
			}
		default:
			for word := range strings.FieldsFuncSeq(value, func(c rune) bool { return strings.ContainsRune(" \t\r\n<>\"';,", c) }) {
				if _, url, found := strings.Cut(strings.ToLower(word), "url="); found {
					word = word[len(word)-len(url):]
				}
				if strings.Contains(word, "://") {
					all.Add(word, whole || Credential(word))
				}
			}
		}
		out.WriteString(line)
	}
	return all.Cut(out.String())
}

// field returns the first line of a head with the folded lines after it, and the rest.
func field(head string) (line, rest string) {
	for end := 0; ; {
		i := strings.IndexByte(head[end:], '\n')
		if i < 0 {
			return head, ""
		}
		end += i + 1
		if end == len(head) || head[end] != ' ' && head[end] != '\t' {
			return head[:end], head[end:]
		}
	}
}

// unfold returns a value without line ends, and without the white space after them.
func unfold(value string) string {
	var out strings.Builder
	for line := range strings.Lines(value) {
		out.WriteString(strings.Trim(line, " \t\r\n"))
	}
	return out.String()
}
