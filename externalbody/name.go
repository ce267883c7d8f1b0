package externalbody

import (
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/mimeparam"
	"github.com/go-extbody/extbody/urlaccess"
)

// maxName bounds a file name in octets; most file systems allow 255.
const maxName = 200

// findName returns the name that the phantom header, the parameters or the URL
// propose for the body (RFC 2183 section 2.3; RW-24).
func (r *Reference) findName() string {
	candidates := []func() string{
		func() string { return headerParam(r.Header, "Content-Disposition", "filename") },
		func() string { return headerParam(r.Header, "Content-Type", "name") },
		func() string { v, _ := r.Param("name"); return v },
		r.urlName,
	}
	for _, c := range candidates {
		if name := terminal(c()); name != "" {
			return name
		}
	}
	return ""
}

// headerParam returns a parameter of a structured field. QUIRK: many mailers
// put encoded-words into file names, against RFC 2047 section 5.
func headerParam(h Header, field, param string) string {
	v, ok := h.lookup(field)
	if !ok {
		return ""
	}
	name, _ := mimeparam.Parse(v).Get(param)
	if strings.Contains(name, "=?") {
		if decoded, err := new(mime.WordDecoder).DecodeHeader(name); err == nil {
			return decoded
		}
	}
	return name
}

// urlName returns the last segment of the URL's path, decoded.
func (r *Reference) urlName() string {
	v, ok := r.Param("url")
	if !ok {
		return ""
	}
	text, err := urlaccess.Decode(v)
	if err != nil {
		return ""
	}
	text, _, _ = urlaccess.SplitFragment(text)
	scheme, ok := urlaccess.Scheme(text)
	if !ok || scheme == "data" {
		return ""
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
	return last
}

// terminal returns the last component of a path of any system, fit for people:
// valid UTF-8 without characters that are not printed or that turn the
// direction of writing.
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

// reserved has the names that Windows takes for devices, whatever their
// extension.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// FileName turns a name from a stranger into one that is safe to create in a
// folder on any system: one component of at most 200 octets, without
// characters that a system, a shell or a terminal gives a meaning, no hidden
// file, no option, no device (RFC 2183 section 5). It returns "" if nothing is left of
// it. Whether such a file exists is the caller's matter.
func FileName(name string) string {
	name = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>:"|?*`+"`$;&'", c) {
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
	stem, _, _ := strings.Cut(name, ".")
	if reserved[strings.ToLower(strings.TrimSpace(stem))] {
		name = "_" + name
	}
	if len(name) <= maxName {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	stem = name[:maxName-len(ext)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return stem + ext
}
