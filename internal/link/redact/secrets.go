package redact

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
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
	Rules Rules

	list []string // in the form of comparable, the longest first
}

// Add adds the secrets of a URL, absolute or relative. whole says that the URL is a
// credential as a whole, although it does not have the shape of one; see [Credential].
func (s *Secrets) Add(raw string, whole bool) {
	whole = whole || s.Rules.Credential(raw)
	hierarchy, query, fragment := split(trim(raw))
	if inner := s.Rules.inner(hierarchy); inner != "" {
		s.Add(inner, true)
	}
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
	s.AddID(raw)
	if whole {
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
	if at := urlAuth().FindStringIndex(raw); at != nil {
		for piece := range strings.SplitSeq(raw[at[1]:], ":") {
			s.add(piece, maxWord+1)
		}
	}
}

// AddID adds the ID of a share link, also of one in the path of another URL, and nothing else.
func (s *Secrets) AddID(raw string) {
	if link, known := s.Rules.Own.Match(raw); known {
		s.add(link.ID, minSecret)
		return
	}
	hierarchy, _, _ := split(trim(raw))
	if link, known := s.Rules.Own.Match(s.Rules.inner(hierarchy)); known {
		s.add(link.ID, minSecret)
	}
}

// inner returns the share link in the path of a URL, or "".
func (r Rules) inner(hierarchy string) string {
	at := r.innerCredential(hierarchy)
	if at < 0 {
		return ""
	}
	if inner := hierarchy[at:]; strings.Contains(inner, "://") {
		return inner
	}
	return string(percent.AppendDecode(nil, first(hierarchy[at:], maxLink)))
}

// add adds a piece of a URL. One that is shorter than long is left out if it has no
// mixture of letters, digits and capital letters.
func (s *Secrets) add(piece string, long int) {
	text, _, _ := comparable(piece)
	if len(text) < minSecret || len(s.list) == maxSecrets {
		return
	}
	if len(text) < long && !mixed(piece) {
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
	for _, set := range []string{ascii.Upper, ascii.Lower, ascii.Digits} {
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
	end := make(map[int]int) // where a secret that starts at an octet of text ends
	for _, secret := range s.list {
		for from := 0; ; {
			i := strings.Index(same[from:], secret)
			if i < 0 {
				break
			}
			start := starts[from+i]
			from += i + len(secret)
			end[start] = max(end[start], ends[from-1])
		}
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if to := end[i]; to > 0 {
			out = append(out, hidden...)
			for ; i < to; i++ {
				to = max(to, end[i])
			}
			continue
		}
		out = append(out, text[i])
		i++
	}
	return string(out)
}

// comparable returns s in lower case, percent-decoded twice, and without white space and
// "+", and for each octet of the result where it starts and ends in s.
func comparable(s string) (same string, starts, ends []int) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		for range 2 {
			if c == '%' && i+size+2 <= len(s) && percent.Valid("%"+s[i+size:i+size+2]) {
				c = percent.AppendDecode(nil, "%"+s[i+size:i+size+2])[0]
				size += 2
			}
		}
		if strings.IndexByte(" \t\r\n+", c) < 0 {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			out = append(out, c)
			starts = append(starts, i)
			ends = append(ends, i+size)
		}
		i += size
	}
	return string(out), starts, ends
}

// CutHead is Cut for a head of HTTP, a request or an answer, to a URL of the fetch. The
// URLs in its fields, also relative and broken ones, are URLs of the fetch too.
func (s *Secrets) CutHead(head, base string, whole bool) string {
	all := Secrets{Rules: s.Rules, list: slices.Clone(s.list)}
	all.Add(base, whole)
	for line := range strings.Lines(unfold.Replace(head)) {
		name, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "location", "content-location", "referer":
			all.Add(value, whole)
			continue
		}
		endsWord := func(c rune) bool { return strings.ContainsRune(" \t\r\n<>\"';,", c) }
		for word := range strings.FieldsFuncSeq(value, endsWord) {
			if i := strings.Index(word, "://"); i >= 0 {
				word = word[max(0, strings.LastIndexByte(word[:i], '=')+1):] // of Refresh
				all.Add(word, whole)
			}
		}
	}
	return all.Cut(head)
}

// unfold removes the ends of lines that a folded field has.
var unfold = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "")

const (
	// maxInner is how many octets of a hierarchy are searched for another URL. Fewer
	// are shown.
	maxInner = 4 * maxHierarchy
	// maxLink is how many octets of a share link are looked at.
	maxLink = 8192
)

// Credential reports whether raw has the shape of a share link of a known host. Such a URL is all
// that a stranger needs to get the file.
func Credential(raw string) bool { return Rules{}.Credential(raw) }

// Credential is the function Credential by these rules.
func (r Rules) Credential(raw string) bool {
	_, is := r.match(raw)
	return is
}

// match is Credential. It also returns the share link if raw is one as it stands.
func (r Rules) match(raw string) (link *sharelink.Link, credential bool) {
	text := first(trim(raw), maxLink)
	if i := strings.IndexAny(text, "<>\"'"); i >= 0 {
		text = text[:i] // the other end of a wrapper
	}
	text = weburl.WithoutUser(text)
	if link, is := r.Own.MatchShape(text); is {
		if text != raw {
			link = nil
		}
		return link, true
	}
	text, _, cut := strings.Cut(text, "#")
	if !cut {
		return nil, false
	}
	_, is := r.Own.MatchShape(text)
	return nil, is
}

// PathHoldsCredential reports whether raw has a URL in its path that is a Credential.
func (r Rules) PathHoldsCredential(raw string) bool {
	hierarchy, _, _ := split(trim(raw))
	return r.innerCredential(hierarchy) >= 0
}

// innerCredential returns the index in hierarchy, the start of a URL that is not a
// credential, at which another URL starts that is one, or -1. The other URL may be
// percent-encoded.
func (r Rules) innerCredential(hierarchy string) int {
	tries := 0
	for start := 1; start < min(len(hierarchy), maxInner) && tries <= maxHierarchy/len("http://"); start++ {
		if hierarchy[start]|0x20 != 'h' {
			continue
		}
		inner := hierarchy[start:]
		rest, ok := cutPrefixFold(inner, "http")
		if !ok {
			continue
		}
		rest, _ = cutPrefixFold(rest, "s")
		switch {
		case strings.HasPrefix(rest, "://"):
		case strings.HasPrefix(rest, "%3A"), strings.HasPrefix(rest, "%3a"):
			inner = string(percent.AppendDecode(nil, first(inner, maxLink)))
		default:
			continue
		}
		if tries++; r.Credential(inner) {
			return start
		}
	}
	return -1
}

// first returns the first n octets of s.
func first(s string, n int) string { return s[:min(len(s), n)] }
