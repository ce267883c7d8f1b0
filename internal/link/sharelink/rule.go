package sharelink

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A rule is one shape of URL of one provider.
type rule struct {
	provider string

	// hosts are the hosts of the rule. One that begins with a dot stands for all
	// hosts below it. A rule without hosts is for any host.
	hosts []string

	// port is the port of the hosts, or 0 for the default of the scheme. A rule without
	// hosts is for any port.
	port uint16

	// paths are patterns; the path must match one of them. See [found.match].
	paths []string

	// param is the parameter of the query whose value is the ID. A URL without
	// it, or where it is empty, does not match. param is "" for a rule whose ID is
	// in the path and for one without an ID.
	param string

	// cookies is true if the host sets cookies that it wants back in the next
	// request.
	cookies bool

	kind     Kind
	once     bool
	endToEnd bool

	// refine adds the facts of this shape. It may change the Kind, and it reports
	// false if the URL is not a share link after all. It may be nil.
	refine func(f *found, l *Link) bool

	// direct makes the URL that gives the octets, or returns "". It is called after
	// refine, and not for folders. It is nil if no such URL is known.
	direct func(f *found, l *Link) string

	// needs is why there is no such URL, where direct is nil or returns "".
	needs Need

	// ask makes the URL whose answer has the URL that gives the octets. Without it the
	// link itself is asked. find reads that URL from the answer, or from a warning
	// instead of the octets. It is nil if neither has such a URL.
	ask  func(f *found, l *Link) string
	find func(f *found, answer []byte) string

	// id is a regular expression that the whole ID matches, decoded. min is the least
	// length of an ID that is not a word. A rule without id has the min of 1. See [isWord].
	// With random set, words are IDs too, except names that many hosts give to pages.
	id     string
	min    int
	random bool

	// mark is the hint of a rule instead of its hosts, which are too common or unknown. A
	// URL must contain it as written.
	mark string
}

// read returns the Link that u is if it has the shape of r, and the pieces that the pattern
// found. Otherwise it returns nil. shaped is true without a Link if only the ID is not one of
// r. text is u in its normal form, and its host is one of r.
func (r *rule) read(u weburl.URL, segments []string, text string) (f *found, l *Link, shaped bool) {
	if len(r.hosts) > 0 && u.Port != r.port {
		return nil, nil, false
	}
	for _, pattern := range r.paths {
		try := found{u: u, text: text}
		if !try.match(pattern, segments) {
			continue
		}
		f = new(found) // try stays on the stack
		*f = try
		if r.param != "" {
			f.id, _ = u.Param(r.param)
			if f.id == "" {
				continue
			}
		}
		if r.mark != "" && !strings.Contains(strings.ToLower(text), r.mark) {
			continue // escapes hide it
		}
		l = &Link{Provider: r.provider, Kind: cmp.Or(r.kind, Page), Shape: pattern, ID: f.id, Name: decoded(f.name), Size: -1, Once: r.once, Cookies: r.cookies, EndToEnd: r.endToEnd}
		if r.refine != nil && !r.refine(f, l) {
			continue
		}
		if shaped = true; !r.isID(f.id) {
			continue
		}
		if l.Kind == Folder {
			return f, l, true
		}
		if r.direct != nil {
			l.Direct = r.direct(f, l)
		}
		switch {
		case l.Direct != "" || l.Needs != NeedsNothing:
		case r.ask != nil:
			l.Ask = r.ask(f, l)
		case r.find != nil && r.direct == nil:
			l.Ask = f.text
		}
		if l.Direct == "" && l.Ask == "" && l.Needs == NeedsNothing {
			l.Needs = r.needs
		}
		return f, l, true
	}
	return nil, nil, shaped
}

// isID reports whether an ID is one of the rule. "" means that the URL has no such piece.
func (r *rule) isID(id string) bool {
	if id == "" {
		return true
	}
	if text := decoded(id); text != "" {
		id = text
	}
	if r.id != "" && !patterns()[r.id].MatchString(id) {
		return false
	}
	if r.random {
		return !slices.Contains(pageNames, strings.ToLower(id))
	}
	return r.id != "" && r.min == 0 || len(id) >= r.min && !isWord(id)
}

// pageNames are words that pages have for names, and that are as long as random IDs.
var pageNames = strings.Fields("about aboutus about-us abuse account apps billing blog business careers company contact contact-us contacts cookies copyright dashboard " +
	"default developers dmca docs document documentation documents download downloads enterprise error example examples explore faq favicon features feedback file files " +
	"folder folders forgot form getting-started guide help history home images index install invite jobs join legal login logo logout manage members mobile my-files news notice " +
	"notifications null order pages partners password payment policy premium press pricing privacy privacy-policy product products profile register report report_abuse request " +
	"reset robots rules sample search security settings share shared sign-in sign_up sign-up signin signup sitemap static status support team templates terms terms-of-service " +
	"tools trial undefined unsubscribe upgrade upload uploader uploads user users verify video videos")

// uuid is a pattern of the identifiers of RFC 9562 section 4.
const uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

// mixed is a pattern of short IDs that have capitals or digits beside small letters, as no word has.
const mixed = "[0-9A-Za-z]*([a-z][0-9A-Z]|[0-9A-Z][a-z]|[0-9][A-Z]|[A-Z][0-9])[0-9A-Za-z]*"

var isUUID = regexp.MustCompile("^" + uuid + "$").MatchString

// patterns returns the compiled patterns of IDs.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	compiled := make(map[string]*regexp.Regexp)
	for _, list := range append(slices.Collect(maps.Values(kinds)), rules, guesses) {
		for i := range list {
			if id := list[i].id; id != "" {
				compiled[id] = regexp.MustCompile("^(?:" + id + ")$")
			}
		}
	}
	return compiled
})

// isWord reports whether an ID, up to its first period, may be the name of a page: words of
// ASCII letters with hyphens between, or 12 and more letters with few capitals. Small letters
// alone are not a word if there are 15 or more, or if five consonants are in a row.
func isWord(id string) bool {
	id, _, _ = strings.Cut(id, ".")
	capitals := 0
	for _, c := range []byte(id) {
		if 'A' <= c && c <= 'Z' {
			capitals++
		}
	}
	switch {
	case strings.Trim(id, "abcdefghijklmnopqrstuvwxyz") == "" && (len(id) >= 15 || consonants.MatchString(id)):
		return false
	case len(id) >= 12 && 4*capitals <= len(id)+2:
		return camelWords.MatchString(id)
	}
	return words.MatchString(id)
}

var (
	consonants = regexp.MustCompile("[bcdfghjklmnpqrstvwxz]{5}")
	words      = regexp.MustCompile("^(?:[-_~!]*[A-Z]?[a-z]*)(?:[-_~!]+[A-Z]?[a-z]*)*$")
	camelWords = regexp.MustCompile("^[-_~!]*(?:[A-Z]?[a-z]+[-_~!]*)+$")
)

// hints returns the mark of the rule, or its hosts, or a host named after the program. The
// search for them is slow if one is shorter than eight octets and has no period, or ends
// with a period.
func (r *rule) hints() []string {
	if r.mark != "" || len(r.hosts) == 0 {
		return []string{cmp.Or(r.mark, "//"+r.provider)}
	}
	hints := make([]string, len(r.hosts))
	for i, h := range r.hosts {
		hints[i] = strings.ToLower(strings.TrimPrefix(h, "."))
	}
	return hints
}

// found has the pieces of a URL that a pattern found, as written.
type found struct {
	u     weburl.URL
	text  string
	id    string
	name  string
	owner string
	typ   string
	rest  []string // for "*"
}

// match matches a pattern against the segments of a path. Segments are compared
// octet for octet; one that ends with ".aspx" is compared in any case of letters.
// These segments of a pattern are special:
//
//	{id} {owner} {type}  a token, which is kept
//	{name}               one segment, which is kept
//	{}                   one segment
//	*                    any number of segments, at the end, which are kept
//
// See [isToken] for tokens.
func (f *found) match(pattern string, segments []string) bool {
	if pattern == "/" || pattern == "" {
		return len(segments) == 0
	}
	for want := range strings.SplitSeq(pattern[1:], "/") {
		if want == "*" {
			f.rest = segments
			return true
		}
		if len(segments) == 0 {
			return false
		}
		got := segments[0]
		segments = segments[1:]
		switch want {
		case "{id}":
			f.id = got
		case "{owner}":
			f.owner = got
		case "{type}":
			f.typ = got
		case "{name}":
			f.name = got
			continue
		case "{}":
			continue
		default:
			if got != want && !(strings.HasSuffix(want, ".aspx") && strings.EqualFold(got, want)) {
				return false
			}
			continue
		}
		if !isToken(got) {
			return false
		}
	}
	return len(segments) == 0
}

// split returns the segments of a path that are not empty. It undoes escapes that are
// not needed: "%3Ax%3A" means the same as ":x:", and programs write both. File hosts
// answer "//s/" like "/s/".
func split(path string) []string {
	return strings.FieldsFunc(weburl.Unescape(path), func(c rune) bool { return c == '/' })
}

// isToken reports whether s consists of letters, digits, "-", "_", ".", "!", "~" and
// ":", and is not "", "." or "..". These characters mean the same in every part of a
// URL, so a token can be put into another URL as it is.
func isToken(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("-_.!~:", c) >= 0:
		default:
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}

// decoded returns s with its percent-encoding undone, or "" if that is not valid.
func decoded(s string) string {
	d, _ := weburl.Decode(s)
	return d
}
