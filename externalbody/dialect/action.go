package dialect

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
)

const (
	// maxActionDepth bounds the nesting of objects and lists.
	maxActionDepth = 8

	// maxActions bounds the actions that are read from one script.
	maxActions = 16
)

// actionURLs returns where the actions lead that a notice in JSON-LD offers its reader.
// Gmail documents them for its email markup, and Dropbox sends them:
//
//	{"@type": "EmailMessage", "potentialAction": {"@type": "ViewAction", "url": "URL", "name": "..."}}
//
// The property may be action instead of potentialAction, and there may be lists of
// messages and of actions. The URL may be that of target: a text, a list, or an object
// with urlTemplate. Other types of actions confirm, save or answer. They do not count,
// because their URLs do something when they are asked for. A text that is not JSON has
// no such URL.
func actionURLs(text string) []string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	r := new(actionReader)
	r.read(v, 0)
	return r.urls
}

// An actionReader collects the URLs of actions.
type actionReader struct{ urls []string }

// read reads a message, or a list of messages.
func (r *actionReader) read(v any, depth int) {
	r.each(v, depth, func(m map[string]any) {
		r.read(m["@graph"], depth+1)
		if !hasType(m, "EmailMessage") {
			return
		}
		for _, name := range []string{"potentialAction", "action"} {
			r.each(m[name], depth+1, func(action map[string]any) {
				if !hasType(action, "ViewAction") {
					return
				}
				r.add(action["url"])
				r.add(action["target"])
			})
		}
	})
}

// each calls f for an object, or for each object of a list.
func (r *actionReader) each(v any, depth int, f func(map[string]any)) {
	if depth > maxActionDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f(v)
	case []any:
		for _, e := range v {
			r.each(e, depth+1, f)
		}
	}
}

// add adds a URL, a list of URLs, or an object that has one.
func (r *actionReader) add(v any) {
	switch v := v.(type) {
	case string:
		if url, ok := webURL(unescaped(v)); ok && len(r.urls) < maxActions && !slices.Contains(r.urls, url) {
			r.urls = append(r.urls, url)
		}
	case []any:
		for _, e := range v[:min(len(v), maxActions)] {
			if _, list := e.([]any); !list {
				r.add(e)
			}
		}
	case map[string]any:
		if s, ok := v["urlTemplate"].(string); ok {
			r.add(s)
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
		return s == want || s == "http://schema.org/"+want || s == "https://schema.org/"+want || strings.TrimPrefix(s, "schema:") == want
	}
	switch v := m["@type"].(type) {
	case string:
		return is(v)
	case []any:
		return slices.ContainsFunc(v, is)
	}
	return false
}
