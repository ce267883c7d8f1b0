package externalbody

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// maxName bounds a file name in octets; most file systems allow 255.
const maxName = 200

// findName returns the name that the phantom header or the parameters propose for the body
// (RFC 2183 section 2.3; RW-24). readable may be nil.
func (r *Reference) findName(readable func(name string) string) string {
	names := []string{
		headerParam(r.Header, "Content-Disposition", "filename"), headerParam(r.Header, "Content-Type", "name"),
		r.nameParam(),
	}
	for _, name := range names {
		if readable != nil {
			name = readable(name)
		}
		name = terminal(name)
		if name != "" {
			return name
		}
	}
	return ""
}

// maxNameTexts bounds the texts whose charsets are tried for a name.
const maxNameTexts = 8

// readable returns a name in the header of p as UTF-8. QUIRK: some mailers write the octets of the charset of their
// texts into the header, which RFC 5322 section 2.2 forbids. If these are not UTF-8, they are in the charset of the
// first text of the same message that can have them.
func (s *source) readable(p *message.Part, name string) string {
	if utf8.ValidString(name) {
		return name
	}
	texts := 0
	for _, o := range s.parts {
		if o.Message() != p.Message() || !strings.HasPrefix(o.Type, "text/") {
			continue
		}
		if texts++; texts > maxNameTexts {
			break
		}
		ct, err := s.contentType(o)
		if err != nil {
			break // the octets are asked for again, and the error is told there
		}
		if label, ok := ct.Get("charset"); ok {
			if text, err := charset.Text(label, name); err == nil {
				return text
			}
		}
	}
	return name
}

// nameParam returns NAME with its encoded-words decoded. Of an x-http reference without
// PATH it is the path of a URL, without query and fragment.
func (r *Reference) nameParam() string {
	name, _ := r.Param("name")
	name = charset.Words(name)
	if _, hasPath := r.Param("path"); r.AccessType == "x-http" && !hasPath {
		if i := strings.IndexAny(name, "?#"); i >= 0 {
			name = name[:i]
		}
	}
	return name
}

// headerParam returns a parameter of a structured field. QUIRK: many mailers and
// servers put encoded-words into file names, against RFC 2047 section 5.
func headerParam(h Fields, field, prm string) string {
	v, ok := h.lookup(field)
	if !ok {
		return ""
	}
	name, _ := param.Parse(v).Get(prm)
	return charset.Words(name)
}

// nameIn is urlName for a URL. A URL that has the shape of a share link, also at a host that is not known, has no name
// but the one that its shape gives it.
func nameIn(a *analysis, rules redact.Rules) string {
	switch {
	case a.link != nil:
		return a.link.Name // the end of such a URL is a credential
	case a.credential, rules.PathHoldsCredential(a.text):
		return ""
	}
	text, _, _ := strings.Cut(a.text, "#")
	scheme, ok := urlaccess.Scheme(text)
	switch {
	case !ok, scheme == "data":
		return ""
	case rfc5092.IsScheme(scheme):
		return "" // the end of such a URL is a section, or a token (RFC 5092 section 6)
	}
	rest, hasAuthority := strings.CutPrefix(text[len(scheme)+1:], "//")
	if !hasAuthority {
		return ""
	}
	p, _, _ := strings.Cut(rest, "?")
	slash := strings.LastIndexByte(p, '/')
	if slash < 0 {
		return ""
	}
	last := p[slash+1:]
	if scheme == "ftp" || scheme == "ftps" {
		if i := strings.LastIndex(strings.ToLower(last), ";type="); i >= 0 {
			last = last[:i] // RFC 1738 section 3.2.2
		}
	}
	if decoded, err := url.PathUnescape(last); err == nil {
		last = decoded
	}
	if !hasExtension(last) {
		return "" // it may be the token of a share
	}
	return last
}

// hasExtension reports whether a segment of a path is the name of a file: it has an extension of at most maxExt
// octets. A token can have dots too, and the text after the last one is then longer.
func hasExtension(name string) bool {
	ext := path.Ext(name)
	return len(ext) > len(".") && len(ext) <= maxExt && ext != name
}

// terminal returns the last component of a path of any system, fit to be shown to
// people. It is valid UTF-8 and has no characters that are not printed or that change
// the direction of writing.
func terminal(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), `/\`)
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(name, "_"))
	name = strings.TrimSpace(name)
	if name == "." || name == ".." {
		return ""
	}
	return name
}

// isDevice reports whether Windows takes a name for a device, whatever its extension.
// To Windows a superscript digit in the name of a port is that digit.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem = strings.ToLower(strings.TrimSpace(stem)); stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	port := strings.TrimLeft(stem, "complt")
	device := strings.TrimSuffix(stem, port)
	if device != "com" && device != "lpt" {
		return false
	}
	return utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789\u00b9\u00b2\u00b3", port)
}

// FileName turns a name from a stranger into one that is safe to create in a folder on
// any system (RFC 2183 section 5). The result is one component of at most 200 octets.
// It has no characters with a meaning for a system, a shell or a terminal, except that an
// apostrophe stays, which many names have. It is not a
// hidden file, an option or a device. FileName returns "" if nothing is left of the
// name. It does not check whether such a file exists.
func FileName(name string) string {
	name = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>:"|?*`+"`$;&", c) {
			return '_'
		}
		return c
	}, terminal(name))
	name = strings.TrimRight(name, ". ")
	if name == "" {
		return ""
	}
	if name[0] == '.' || name[0] == '-' || name[0] == '~' {
		name = "_" + name[1:]
	}
	if isDevice(name) {
		name = "_" + name
	}
	if len(name) <= maxName {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > maxExt {
		ext = ""
	}
	return cutName(name, maxName-len(ext)) + ext
}

// maxExt bounds the octets of an extension that is kept when a name is cut.
const maxExt = 20

// cutName cuts name to at most n octets, between characters.
func cutName(name string, n int) string {
	if len(name) <= n {
		return name
	}
	name = name[:n]
	for !utf8.ValidString(name) {
		name = name[:len(name)-1]
	}
	return name
}
