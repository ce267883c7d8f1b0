// Package unwrap recovers the URLs that mail gateways and mail programs have
// wrapped. It does so from the text of the wrapping URL alone and contacts no server:
// a gateway that is asked may count that as a click and report it.
//
// The result is the URL that was wrapped, octet for octet, as far as the wrapper
// kept it. If the text does not contain it, the wrapper stays.
//
// The wrappers are data, the list in examples/list, of which the table here is generated.
//
// Several goroutines may call all functions at once.
package unwrap

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// maxNested bounds wrappers within wrappers. Mail that was forwarded through several
// companies has three. Each level takes time linear in the length of the text.
const maxNested = 8

// The reasons why a wrapper stays.
var (
	// ErrNoTarget means that the part of the wrapper that should hold the wrapped
	// URL is missing, or that there are two of them.
	ErrNoTarget = errors.New("the wrapper has no target in it")

	// ErrEncoding means that this part is not encoded as the wrapper does it.
	ErrEncoding = errors.New("the target is not encoded as this wrapper does it")

	// ErrTarget means that the wrapped text is not an absolute http or https URL;
	// see [weburl.Parse].
	ErrTarget = errors.New("the target is no http URL")

	// ErrNested means that there are more than 8 wrappers within one another.
	ErrNested = errors.New("too many wrappers within one another")
)

// A Result is the URL inside others.
type Result struct {
	// URL is the innermost URL that was found. It is the text itself if that is
	// not a wrapper.
	URL string

	// Wrappers are the names of the wrappers that were found, outermost first. All
	// of them were undone, with one exception: if Opaque is set or Err is ErrNoTarget,
	// ErrEncoding or ErrTarget, URL is the last one. If Err is ErrNested, URL is one
	// more wrapper, which is not named.
	Wrappers []string

	// Opaque is true if URL is a wrapper that only its maker can undo.
	Opaque bool

	// Gateway is the name of the wrapper that URL is, if it could not be undone and its maker checks the links of
	// mail. Nobody but the maker can read where such a link leads.
	Gateway string

	// Err is the reason why URL is a wrapper that could not be undone: ErrNoTarget,
	// ErrEncoding, ErrTarget or ErrNested. It is nil otherwise, and if Opaque is set.
	Err error
}

// URL undoes the wrappers around text, which is a URL as written in a message, with
// the character references of HTML decoded. A text that is not a URL is returned
// unchanged.
func URL(text string) Result {
	r := Result{URL: text}
	for {
		u, ok := weburl.Parse(r.URL)
		if !ok {
			return r
		}
		w := find(u, r.URL)
		if w == nil {
			return r
		}
		if w.gateway {
			r.Gateway = w.name
		}
		if len(r.Wrappers) == maxNested {
			r.Err = ErrNested
			return r
		}
		r.Wrappers = append(r.Wrappers, w.name)
		e := verbs.Env{At: u, Written: r.URL, Defs: w.take}
		if w.opaque || w.clear != nil && !e.Holds(w.clear) {
			r.Opaque = true
			return r
		}
		target, err := w.undo(&e)
		if err != nil {
			r.Err = err
			return r
		}
		target = strings.ReplaceAll(target, " ", "%20") // as browsers do
		if _, ok := weburl.Parse(target); !ok {
			r.Err = ErrTarget
			return r
		}
		r.URL = target
		r.Gateway = ""
	}
}

// undo returns the URL that the wrapper has in it.
func (w *wrapper) undo(e *verbs.Env) (string, error) {
	for _, name := range w.params {
		if value, ok := e.At.Param(name); ok && value != "" {
			value, ok = weburl.Decode(value)
			if !ok {
				return "", ErrEncoding
			}
			return value, nil
		}
	}
	target, fault := e.Value(w.target)
	switch fault {
	case verbs.Missing:
		return "", ErrNoTarget
	case verbs.Garbled:
		return "", ErrEncoding
	}
	if w.oneSlash {
		target = lostSlash(target)
	}
	return target, nil
}

// lostSlash restores the "//" after the scheme. Some servers make one slash of it,
// because to them it is a doubled slash in a path.
func lostSlash(s string) string {
	for _, scheme := range [...]string{"http:/", "https:/"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) && s[len(scheme)] != '/' {
			return s[:len(scheme)] + "/" + s[len(scheme):]
		}
	}
	return s
}

// Gateways returns the hosts of gateways, in lower case. One that starts with a dot stands for
// all hosts below it.
func Gateways() (hosts []string) {
	for i := range wrappers {
		if w := &wrappers[i]; w.gateway {
			hosts = append(hosts, w.hosts...)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// find returns the wrapper whose form u has, or nil. text is u as written.
func find(u weburl.URL, text string) *wrapper {
	var buf [8]int
	for _, i := range wrappersByHost.AppendRows(buf[:0], u.Host) {
		if w := &wrappers[i]; w.match(u, text) {
			return w
		}
	}
	return nil
}

// MayWrap reports whether [URL] may find a wrapper in a URL at a host. host is in
// canonical form, and rest is the text of the URL after it, or the start of that.
func MayWrap(host string, rest []byte) bool {
	if wrappersByHost.Has(host) {
		return true
	}
	for i, c := range rest {
		if c <= ' ' || c == '?' || c == '#' {
			break
		}
		mayBeDot := c == '.' || c == '%'
		if mayBeDot && i > 0 && rest[i-1] == '/' {
			return true // perhaps a dot segment
		}
	}
	return slices.ContainsFunc(anyHost, func(path string) bool {
		return len(rest) >= len(path) && string(rest[:len(path)]) == path
	})
}

// match reports whether u, whose host is one of w, has the form. text is u as written.
func (w *wrapper) match(u weburl.URL, text string) bool {
	if !w.hasPath(u.Path) {
		return false
	}
	if w.when == nil && w.unless == nil {
		return true
	}
	e := verbs.Env{At: u, Written: text, Defs: w.take}
	fails := func(a verbs.Any) bool { return !e.Holds(a) }
	return !slices.ContainsFunc(w.when, fails) && !slices.ContainsFunc(w.unless, e.Holds)
}

func (w *wrapper) hasPath(path string) bool {
	for _, p := range w.paths {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return len(w.paths) == 0
}

// Join puts together a URL that was broken over lines in running text, and perhaps
// quoted. text is the text between "<" and ">", where white space is not part of a URL
// (RFC 3986 appendix C). Join removes
//
//   - all spaces, tabs and line ends,
//   - the quote marks ">" at the start of each line after the first.
func Join(text string) string {
	if !strings.ContainsAny(text, " \t\r\n") {
		return text
	}
	return broken().ReplaceAllString(text, "")
}

var broken = lazyregexp.New("[\r\n][\r\n\t >]*|[\t ]+")
