package dialect

import (
	"bytes"
	"errors"
	"html"
	"index/suffixarray"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/urlaccess"
)

// shareLink reads the links of HTML and the URLs in texts. It finds those whose URL has
// the shape of a share link of a file host that package sharelink knows, or wraps such a
// URL. The text of a link is the name of the file if it can be one. If the link leads to
// a gateway with a token for the URL, and its text is such a URL, the text counts.
// So does such a URL in the JSON-LD of a notice; see actionURLs.
//
// An address that a reader sees and can follow is a link. One that loads without the
// reader, or acts when it is sent, is not a link. These are links:
//
//   - The href of an a, of an area, and of a shape of VML, which Outlook draws instead of
//     buttons. It also counts if a comment hides it from all programs but Outlook, and
//     where some programs read markup and others the content of a style or the like. In
//     SVG, xlink:href is an href.
//   - An href without a scheme ("//host/path"), or also without the slashes
//     ("www.host/path"). Mail programs take these for web addresses.
//   - A relative href that a base element makes whole.
//   - Where a meta element leads by itself. Pages instead of a file have one.
//   - In a text, also a URL without a scheme, as people type it.
//   - A URL in any property of a text/calendar.
//
// These are not links:
//
//   - Pictures, backgrounds, iframe, object, embed, link and ping. They load without the
//     reader, if a mail program lets them.
//   - The action of a form or a button. To send something there is an act.
//   - URLs in style, title, textarea and other elements that show no link.
//   - The pieces of a URL in a text of HTML that elements, such as wbr, separate.
//
// table has the hosts of the caller as well. It may be nil.
func shareLink(table *sharelink.Table, hosts map[string]string) externalbody.Dialect {
	hints := slices.Clone(knownHints())
	if table != nil {
		hints = shareHints(table)
	}
	return externalbody.Dialect{
		Name:  shareLinkName,
		Hosts: hosts,
		Hints: hints,
		Near:  links,
		Types: []string{"text/calendar"},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			var refs []*externalbody.Reference
			for url, l := range calendarLinks(e) {
				if r := (&shareReader{table: table, entity: e}); r.isLink(url) {
					refs = append(refs, l.reference(url))
				}
			}
			return refs
		},
		Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
			r := &shareReader{table: table, entity: e, found: found}
			r.anchors.done = r.anchor
			return r.read
		},
	}
}

const shareLinkName = "share-link"

// A shareReader reads the share links of a text.
type shareReader struct {
	table   *sharelink.Table
	entity  *externalbody.Entity
	found   finder
	anchors anchorReader
	script  externalbody.Token // the last start tag of a script
	base    weburl.Base        // of relative links
	until   int64              // where the last URL with a scheme ends, over line ends too
}

func (r *shareReader) read(t *externalbody.Token) {
	switch t.Kind {
	case externalbody.DataToken:
		script := r.script
		r.script = externalbody.Token{}
		urls, bound := actionURLs(t.Text)
		if bound != "" {
			r.entity.Unread(externalbody.DiagCutShort, bound)
		}
		if len(urls) > maxActions {
			r.entity.Unread(externalbody.DiagCutShort, "16 actions of a script were read")
		}
		for _, url := range urls[:min(len(urls), maxActions)] {
			if r.isLink(url) {
				r.add(url, &script, t)
			}
		}
		return
	case externalbody.EndTagToken:
		if t.Name == "script" && isData(&r.script) && t.Start > r.script.End {
			r.entity.Unread(externalbody.DiagCutShort, "the data of a script was not read: it has more than 64 KiB, or a comment")
		}
	case externalbody.LinkToken:
		r.until = max(r.until, t.End)
		if url, ok := weburl.InPage(t.Text); ok && r.isLink(url) {
			r.add(url, t)
		}
		return
	case externalbody.URLToken:
		r.until = max(r.until, t.End, t.LongerEnd)
		if !r.anchors.open || t.Ambiguous {
			r.standing(t)
		}
		return
	case externalbody.TextToken:
		if !r.anchors.open || t.Ambiguous {
			r.readTyped(t)
		}
	case externalbody.StartTagToken:
		if t.Name == "script" {
			r.script = *t
		}
		r.readTag(t)
	}
	r.anchors.read(t)
}

// add passes on the Reference of a URL in these tokens.
func (r *shareReader) add(url string, tokens ...*externalbody.Token) {
	ref := externalbody.NewReference(url)
	ref.Quoted = tokens[len(tokens)-1].Quoted
	r.found(ref, tokens...)
}

// readTag reads the elements that are links without an end.
func (r *shareReader) readTag(t *externalbody.Token) {
	switch {
	case t.Name == "area", strings.HasPrefix(t.Name, "v:"):
		a := anchor{element: newElement(t)}
		if url := r.link(&a); url != "" {
			r.add(url, t)
		}
	case t.Name == "base":
		href, _ := t.Attr("href")
		if !r.base.Set(href) {
			r.entity.Unread(externalbody.DiagCutShort, "a base of more than 256 octets was not read")
		}
	case t.Name == "meta":
		if url := refreshURL(t); r.isLink(url) {
			r.add(url, t)
		}
	}
}

// isData reports whether t is the start tag of a script in JSON-LD.
func isData(t *externalbody.Token) bool {
	kind, _ := t.Attr("type")
	kind, _, _ = strings.Cut(kind, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/ld+json")
}

// refreshURL returns where a meta element leads (HTML section 4.2.5.3), or "" if it leads
// nowhere.
func refreshURL(t *externalbody.Token) string {
	if kind, _ := t.Attr("http-equiv"); !strings.EqualFold(strings.TrimSpace(kind), "refresh") {
		return ""
	}
	content, _ := t.Attr("content")
	m := refresh().FindStringSubmatch(content)
	if m == nil {
		return ""
	}
	url, ok := weburl.InPage(m[1] + m[2] + m[3])
	if !ok {
		return ""
	}
	return url
}

// refresh matches the content of such an element: the time, a separator, and the URL, with
// or without "url=" and quotes.
var refresh = lazyregexp.New(`(?is)^\s*(?:[\d.]+(?:\s*[;,]|\s)|[;,])\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))`)

// anchor reads a link of HTML.
func (r *shareReader) anchor(a *anchor) {
	if url := r.link(a); url != "" {
		ref := a.reference(url, &a.element)
		setName(ref, a.fileName())
		r.found(ref, a.place()...)
		return
	}
	if text, ok := weburl.InPage(a.text); ok && r.isLink(text) {
		ref := a.element.reference(text)
		diag(ref, externalbody.DiagLinkText, "href")
		r.found(ref, a.place()...)
	}
}

// link returns the share link that an element leads to, or "" if it leads to none.
func (r *shareReader) link(a *anchor) string {
	if url, ok := a.url(); ok {
		url = weburl.WithoutUser(url)
		if r.isLink(url) {
			return url
		}
		return ""
	}
	href := strings.TrimSpace(a.attr("href"))
	if scheme, ok := urlaccess.Scheme(href); href == "" || ok && !strings.Contains(scheme, ".") {
		return "" // a host with a port looks like a scheme
	}
	if url, ok := weburl.InPage("https://" + href); ok && r.isLink(url) {
		return url
	}
	if url, ok := r.base.Whole(href); ok && r.isLink(url) {
		return url
	}
	return ""
}

// standing adds the share link in a text. Of two readings of a broken line, the one with a
// whole key counts, and otherwise the more likely one. It has a Diag, unless the shorter one
// has a whole key or the longer one is certain.
func (r *shareReader) standing(t *externalbody.Token) {
	short, found := r.guess(t.Text)
	long, ok := r.guess(t.Longer)
	joined := t.Wrapped || !found
	keyed := ok && found && short.Cut != long.Cut
	if keyed {
		joined = short.Cut
	}
	link := t
	if ok && joined {
		link = t.Joined()
	} else if !found {
		return
	}
	ref := externalbody.NewReference(link.Text)
	ref.Quoted = t.Quoted
	mayBeOther := joined || !keyed
	if ok && mayBeOther && !t.Certain {
		diag(ref, externalbody.DiagLineEnd, "url")
	}
	r.found(ref, link)
}

// guess returns the share link that a URL is or wraps. It records that a URL is too long to be one, or a link of a
// gateway whose target cannot be read.
func (r *shareReader) guess(url string) (*sharelink.Link, bool) {
	if len(url) > weburl.MaxBytes {
		r.entity.Unread(externalbody.DiagCutShort, "a URL of more than 64 KiB was not read")
	}
	u := unwrap.URL(url)
	if errors.Is(u.Err, unwrap.ErrNested) {
		r.entity.Unread(externalbody.DiagCutShort, "8 wrappers of a link were undone")
	} else if u.Gateway != "" {
		r.entity.Unread(externalbody.DiagOpaqueLink, u.Gateway)
	}
	return r.table.Guess(u.URL)
}

func (r *shareReader) isLink(url string) bool {
	_, ok := r.guess(url)
	return ok
}

// knownHints returns the Hints without hosts of a caller. They are the same each time, and
// to find which of them contain others takes long.
var knownHints = sync.OnceValue(func() []string { return shareHints(nil) })

// shareHints returns the Hints of share links, including wrapped ones. Wrappers encode
// everything except letters, digits, periods and hyphens. A second and a third one encode the
// percent signs. Proofpoint writes asterisks for them, or in version 2 also encodes hyphens.
// Sophos and Mandrill encode the whole URL, and Trustwave and LinkedIn the periods.
func shareHints(table *sharelink.Table) []string {
	v2 := strings.NewReplacer("-", "-2d", "_", "-5f", "%", "-25", "/", "_", "?", "-3f", "=", "-3d")
	hints := append(table.Hints(), "mandrillapp.com", "linkedin.com/redir/")
	for _, host := range unwrap.Gateways() {
		hints = append(hints, strings.TrimPrefix(host, "."))
	}
	for _, h := range hints {
		if wrapped := strings.ToLower(url.QueryEscape(h)); wrapped != h {
			for _, percent := range []string{"%", "%25", "%2525", "*", "%2a"} {
				hints = append(hints, strings.ReplaceAll(wrapped, "%", percent))
			}
		}
		if strings.ContainsFunc(h, func(c rune) bool { return c != '.' && !ascii.IsAlphanumeric(c) }) {
			hints = append(hints, v2.Replace(h), v2.Replace(v2.Replace(h)), v2.Replace(strings.ToLower(url.QueryEscape(h))))
		}
	}
	// A hint that is contained in another one serves for both.
	all := []byte(strings.Join(hints, "\n"))
	index := suffixarray.New(all)
	longer := make(map[string]bool)
	for _, h := range hints {
		for _, at := range index.Lookup([]byte(h), -1) {
			begin := bytes.LastIndexByte(all[:at], '\n') + 1
			end := at + len(h)
			if n := bytes.IndexByte(all[end:], '\n'); n >= 0 {
				end += n
			} else {
				end = len(all)
			}
			if o := string(all[begin:end]); o != h {
				longer[o] = true
			}
		}
	}
	return slices.DeleteFunc(hints, func(h string) bool { return longer[h] })
}

// readTyped reads the share links in a text that have no scheme, as people type them and
// as hosts show them: "we.tl/t-AbCdEfGhIj". Such a link is a host with a dot in it, a
// slash, and more. It starts after white space or an opening bracket or quote, and ends
// as a URL does. https is its scheme.
func (r *shareReader) readTyped(t *externalbody.Token) {
	for pos := 0; pos < len(t.Text); {
		n := strings.IndexByte(t.Text[pos:], '/')
		if n < 0 {
			return
		}
		start := pos + n
		end := pos + n + 1
		for start > pos && !separates[t.Text[start-1]] {
			start--
		}
		for end < len(t.Text) && !separates[t.Text[end]] {
			end++
		}
		host := t.Text[start : pos+n]
		pos = end
		word := strings.TrimRight(t.Text[start:end], ".,;:!?*")
		if !strings.Contains(host, ".") || strings.HasPrefix(word[min(len(word), len(host)+1):], "/") {
			continue
		}
		if typed := t.Cut(start, start+len(word)); typed.Start >= r.until && r.isLink("https://"+word) {
			r.add("https://"+word, typed)
		}
	}
}

// separates has the octets that can be before or after a typed link. Octets outside ASCII are
// never in one.
var separates = percent.NewSet(func(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("<>()[]{}\"'`|", c) >= 0
})

const (
	// maxActionDepth bounds the nesting of objects and lists.
	maxActionDepth = 8

	// maxActions bounds the actions that are read from one script.
	maxActions = 16

	// maxActionValues bounds the values of a script, of which each takes a hundred octets.
	maxActionValues = 10_000
)

// actionURLs returns where the actions lead that a notice in JSON-LD offers its reader.
// Gmail documents them for its email markup, and Dropbox sends them:
//
//	{"@type": "EmailMessage", "potentialAction": {"@type": "ViewAction", "url": "URL", "name": "..."}}
//
// The property may be action instead of potentialAction, and there may be lists of
// messages and of actions. The URL may be in target: a text, a list, or an object
// with urlTemplate. Other types of actions confirm, save or answer. They do not count,
// because their URLs do something when they are asked for. A text that is not JSON has
// no such URL.
//
// It returns at most one more than maxActions, and the sentence about the bound that ended the reading.
func actionURLs(text string) (urls []string, bound string) {
	var v any
	err := bounded.JSON([]byte(text), &v, maxActionValues)
	if err == bounded.ErrMany {
		return nil, "a script has more than 10,000 values"
	}
	if err != nil {
		return nil, ""
	}
	if !readActions(v, false, 0, &urls) {
		return urls, "8 levels of a script were read"
	}
	return urls, ""
}

// readActions reads a message, an action of one, or a list of these. It reports whether it read all of it.
func readActions(v any, offered bool, depth int, urls *[]string) (whole bool) {
	whole = true
	inner := func(v any, offered bool) { whole = readActions(v, offered, depth+1, urls) && whole }
	switch v := v.(type) {
	case []any:
		if depth > maxActionDepth {
			return false
		}
		for _, e := range v {
			inner(e, offered)
		}
	case map[string]any:
		if depth > maxActionDepth {
			return false
		}
		if offered && hasType(v, "ViewAction") {
			addActionURL(v["url"], urls)
			addActionURL(v["target"], urls)
		}
		inner(v["@graph"], false)
		if hasType(v, "EmailMessage") {
			inner(v["potentialAction"], true)
			inner(v["action"], true)
		}
	}
	return whole
}

// addActionURL adds a URL, a list of URLs, or an object that has one.
func addActionURL(v any, urls *[]string) {
	switch v := v.(type) {
	case string:
		if url, ok := weburl.InPage(unescaped(v)); ok && len(*urls) <= maxActions && !slices.Contains(*urls, url) {
			*urls = append(*urls, url)
		}
	case []any:
		for _, e := range v[:min(len(v), maxActions+1)] {
			if _, list := e.([]any); !list {
				addActionURL(e, urls)
			}
		}
	case map[string]any:
		if s, ok := v["urlTemplate"].(string); ok {
			addActionURL(s, urls)
		}
	}
}

// unescaped returns a URL of JSON-LD without the character references of HTML. QUIRK: a
// script has none (HTML section 13.2.5.4), but Dropbox writes them there for each octet
// that is not a letter, a digit, "-", "_" or ".". Gmail undoes them.
func unescaped(url string) string {
	if strings.Contains(url, "&#") {
		return html.UnescapeString(url)
	}
	return strings.ReplaceAll(url, "&amp;", "&")
}

// hasType reports whether an object is of a type of schema.org.
func hasType(m map[string]any, want string) bool {
	is := func(v any) bool {
		s, _ := v.(string)
		for _, vocabulary := range [...]string{"", "http://schema.org/", "https://schema.org/", "schema:"} {
			if s == vocabulary+want {
				return true
			}
		}
		return false
	}
	switch v := m["@type"].(type) {
	case string:
		return is(v)
	case []any:
		return slices.ContainsFunc(v, is)
	}
	return false
}
