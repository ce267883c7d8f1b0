package share

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/weburl"
)

// A rule is one shape of URL of one provider.
type rule struct {
	provider string

	// hosts are those it is recognised by, one beginning with a dot for any
	// host below it. None means any host.
	hosts []string

	// port is that of the host, 0 for that of the scheme.
	port uint16

	// paths are the patterns of which the path has to match one, see
	// [found.match].
	paths []string

	// param is the parameter of the query whose value is the ID; "" for a rule
	// that has the ID in its path or none. The value must not be empty.
	param string

	// cookies says that the host's answers set cookies that the next request
	// wants.
	cookies bool

	kind     Kind
	once     bool
	endToEnd bool

	// refine, if not nil, adds what only this shape says, or reports false if
	// it is no share link after all. It may change the Kind.
	refine func(f *found, l *Link) bool

	// direct makes the URL that gives the octets, after refine and not for
	// folders; nil if none is known.
	direct func(f *found, l *Link) string

	// needs says why direct is nil.
	needs Need

	// find reads that URL in the page that the link leads to; nil if the page
	// does not have it.
	find func(f *found, page []byte) string

	// mark is a hint for a rule without hosts, in place of its paths.
	mark string
}

// read returns the Link if u, whose text is text, has the shape of r, and what its
// pattern found.
func (r *rule) read(u weburl.URL, segments []string, text string) (*found, *Link) {
	if !r.hasHost(u) {
		return nil, nil
	}
	for _, pattern := range r.paths {
		f := &found{u: u, text: text}
		if !f.match(pattern, segments) {
			continue
		}
		if r.param != "" {
			f.id, _ = u.Param(r.param)
			if f.id == "" {
				continue
			}
		}
		l := &Link{Provider: r.provider, Kind: r.kind, ID: f.id, Name: decoded(f.name), Size: -1, Once: r.once, Cookies: r.cookies, EndToEnd: r.endToEnd}
		if r.refine != nil && !r.refine(f, l) || isPageName(l.ID) {
			continue
		}
		if l.Kind == Folder {
			return f, l
		}
		if r.direct != nil {
			l.Direct = r.direct(f, l)
		}
		if l.Direct == "" {
			l.Needs = r.needs
			l.Page = r.find != nil
		}
		return f, l
	}
	return nil, nil
}

// isPageName reports whether what should be an ID is the name of a page that hosts have at
// such places: no token is such a word.
func isPageName(id string) bool {
	word, _, _ := strings.Cut(strings.ToLower(id), ".")
	return slices.Contains(pages, word)
}

// pages are the names of such pages, and of their pictures.
var pages = []string{
	"about", "account", "admin", "app", "apps", "blog", "business", "careers", "confirm", "contact", "dashboard", "download", "downloads",
	"faq", "favicon", "features", "feedback", "forgot", "form", "forms", "help", "home", "index", "install", "intl", "invite", "jobs",
	"legal", "login", "logo", "logout", "manage", "news", "notice", "notifications", "oauth", "plans", "pricing", "privacy", "profile",
	"referrals", "register", "reset", "search", "security", "settings", "share", "signin", "signup", "sitemap", "subscribe", "support",
	"terms", "unsubscribe", "upload", "upgrade", "verify", "welcome",
}

func (r *rule) hasHost(u weburl.URL) bool {
	if u.Port != r.port {
		return false
	}
	for _, h := range r.hosts {
		if u.HostIs(h) {
			return true
		}
	}
	return len(r.hosts) == 0
}

// hints returns the hosts or, for a rule without, its mark or the paths.
func (r *rule) hints() []string {
	from := r.hosts
	switch {
	case r.mark != "":
		return []string{r.mark}
	case len(from) == 0:
		from = r.paths
	}
	hints := make([]string, len(from))
	for i, h := range from {
		hints[i] = strings.ToLower(strings.TrimPrefix(h, "."))
	}
	return hints
}

// found is what a pattern found in a URL, as it stands there.
type found struct {
	u     weburl.URL
	text  string
	id    string
	name  string
	owner string
	typ   string
	rest  []string // what "*" stands for
}

// match matches a pattern against the segments of a path. A segment of the
// pattern is compared octet for octet, one that ends with ".aspx" without regard
// to case. There are these others:
//
//	{id} {owner} {type}  a token, which is kept
//	{name}               one segment, which is kept
//	{}                   one segment
//	*                    any number of segments, at the end, which are kept
//
// None of these matches an empty segment. An id has only characters that mean
// the same in every part of a URL, so that it can go into another one.
func (f *found) match(pattern string, segments []string) bool {
	if pattern == "/" || pattern == "" {
		return len(segments) == 0
	}
	for want := range strings.SplitSeq(pattern[1:], "/") {
		if want == "*" {
			f.rest = segments
			return true
		}
		if len(segments) == 0 || segments[0] == "" {
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

// split returns the segments of a path, in which what needs no escape has none: a path
// is the same with "%3Ax%3A" as with ":x:", and programs write both. A slash at its end
// does not count.
func split(path string) []string {
	path = strings.TrimSuffix(strings.TrimPrefix(weburl.Unescape(path), "/"), "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// isToken reports whether s has but letters, digits and "-", "_", ".", "!",
// "~" and ":", and is not "." or "..".
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

// decoded returns s with its percent-encoding undone, "" if it has none that
// is valid.
func decoded(s string) string {
	d, _ := weburl.Decode(s)
	return d
}
