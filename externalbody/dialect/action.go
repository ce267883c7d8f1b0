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
// messages and of actions. The URL may be in target: a text, a list, or an object
// with urlTemplate. Other types of actions confirm, save or answer. They do not count,
// because their URLs do something when they are asked for. A text that is not JSON has
// no such URL.
func actionURLs(text string) []string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	var urls []string
	readActions(v, false, 0, &urls)
	return urls
}

// readActions reads a message, an action of one, or a list of these.
func readActions(v any, offered bool, depth int, urls *[]string) {
	if depth > maxActionDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			readActions(e, offered, depth+1, urls)
		}
	case map[string]any:
		if offered && hasType(v, "ViewAction") {
			addActionURL(v["url"], urls)
			addActionURL(v["target"], urls)
		}
		readActions(v["@graph"], false, depth+1, urls)
		if hasType(v, "EmailMessage") {
			readActions(v["potentialAction"], true, depth+1, urls)
			readActions(v["action"], true, depth+1, urls)
		}
	}
}

// addActionURL adds a URL, a list of URLs, or an object that has one.
func addActionURL(v any, urls *[]string) {
	switch v := v.(type) {
	case string:
		if url, ok := webURL(unescaped(v)); ok && len(*urls) < maxActions && !slices.Contains(*urls, url) {
			*urls = append(*urls, url)
		}
	case []any:
		for _, e := range v[:min(len(v), maxActions)] {
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
