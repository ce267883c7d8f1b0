package redact

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// appendHierarchy appends the redacted scheme, host and path. hierarchy is the
// beginning of raw. It reports false if nothing else of raw may be shown.
//
// A segment is the text between two slashes. The first one, and any after "//" or a
// scheme, can have a user name before an "@". That holds in the path too, since a path
// can contain another URL.
func appendHierarchy(dst []byte, hierarchy, raw string) (text []byte, whole bool) {
	lastAt := strings.LastIndexByte(raw, '@')
	hierarchy, hasToken := cutToken(hierarchy)
	p := part{text: dst, max: maxHierarchy}
	previous := ""
	for start := 0; start <= len(hierarchy) && !p.full; {
		end := len(hierarchy)
		if i := strings.IndexByte(hierarchy[start:], '/'); i >= 0 {
			end = start + i
		}
		segment := hierarchy[start:end]
		if start > 0 {
			p.write("/")
		}
		mayHaveHost := previous == "" || strings.HasSuffix(previous, ":")
		if mayHaveHost {
			at := strings.LastIndexByte(segment, '@')
			hasAddress := start == 0 && slices.Contains([]string{"mailto:", "cid:", "mid:"}, strings.ToLower(scheme(segment)))
			isBeforeAt := start > 0 && end < lastAt
			switch {
			case at >= 0 && !hasAddress:
				p.write(hidden)
				segment = segment[at:]
			case at < 0 && isBeforeAt && !numericPort(segment):
				// A password with an unescaped delimiter in it ends at the last "@",
				// wherever that is.
				p.write(hidden)
				return p.text, false
			}
		}
		if start > 0 && mayHaveHost {
			segment = cutHost(segment)
		}
		p.write(segment)
		previous = hierarchy[start:end]
		start = end + 1
	}
	if hasToken {
		p.write(hidden)
	}
	return p.text, true
}

// cutHost cuts the start of a segment that has more than maxHost characters after
// the user information. The end of a host shows its owner.
func cutHost(segment string) string {
	at := strings.LastIndexByte(segment, '@') + 1
	host := segment[at:]
	left := width(host)
	if left <= maxHost {
		return segment
	}
	for left > maxHost-len(cut) {
		_, size := utf8.DecodeRuneInString(host)
		left -= width(host[:size])
		host = host[size:]
	}
	return segment[:at] + cut + host
}

// cutToken cuts hierarchy after ";URLAUTH=" if anything follows it.
func cutToken(hierarchy string) (string, bool) {
	if at := urlAuth().FindStringIndex(hierarchy); at != nil && at[1] < len(hierarchy) {
		return hierarchy[:at[1]], true
	}
	return hierarchy, false
}

var urlAuth = lazyregexp.New("(?i);urlauth=")

// numericPort reports whether only digits follow the last colon of a host, if it has a
// colon outside brackets.
func numericPort(host string) bool {
	host = host[strings.LastIndexByte(host, ']')+1:]
	i := strings.LastIndexByte(host, ':')
	return i < 0 || strings.Trim(host[i+1:], "0123456789") == ""
}

const (
	// maxParsed is how many octets of a query are looked at. Far fewer are shown.
	maxParsed = 4096
	// maxName is the most characters of a name, as written.
	maxName = 64
	// maxBare is the same for a name without a value, which can be a token.
	maxBare = 16
)

// appendQuery appends the redacted query.
func appendQuery(dst []byte, query string) []byte {
	start := len(dst)
	more := len(query) > maxParsed
	if more {
		query = query[:maxParsed]
		// Leave out the last pair, which is not whole, unless it is the only one.
		if i := strings.LastIndexByte(query, '&'); i > 0 {
			query = query[:i]
		}
	}
	if query == "" {
		return dst
	}
	if !utf8.Valid(unescape(query)) {
		query = hidden
	}
	for i, pair := range strings.Split(query, "&") {
		pair = maskPair(pair)
		if i > 0 {
			dst = append(dst, '&')
		}
		if len(dst)-start+len(pair) > maxQuery {
			return append(dst, cut...)
		}
		dst = append(dst, pair...)
	}
	if more {
		dst = append(dst, "&"+cut...)
	}
	return dst
}

// maskPair returns a pair of a query without its value, and without its name if that can be a value.
func maskPair(pair string) string {
	name, value, has := strings.Cut(pair, "=")
	limit := maxName
	if !has {
		limit = maxBare
	}
	plain := string(unescape(name))
	name = string(percent.AppendEncode(nil, plain, &percent.Reserved))
	if len(name) > limit || strings.Contains(plain, "@") {
		name = hidden
	}
	if value != "" {
		value = hidden
	}
	if has {
		name += "="
	}
	return name + value
}

// unescape undoes the escapes of a query.
func unescape(s string) []byte {
	return percent.AppendDecode(nil, strings.ReplaceAll(s, "+", " "))
}

// dataURL returns the redacted form of a data: URL from the text after "data:".
// Its parameters are left out: they can be as long and as secret as the data.
func dataURL(rest string) string {
	head, data, ok := strings.Cut(rest, ",")
	if !ok {
		return "data:" + octets(rest)
	}
	mediaType, parameters, _ := strings.Cut(head, ";")
	mediaType = strings.TrimSpace(mediaType)
	if len(mediaType) > maxType || !param.IsMediaType(mediaType) {
		mediaType = ""
	}
	last := parameters[strings.LastIndexByte(parameters, ';')+1:]
	if strings.EqualFold(strings.TrimSpace(last), "base64") {
		mediaType += ";base64"
	}
	return "data:" + mediaType + "," + octets(data)
}

// octets returns the length of data in words, or data itself if that is such words.
func octets(data string) string {
	if isOctets().MatchString(data) {
		return data
	}
	return "(" + strconv.Itoa(len(data)) + " octets)"
}

var isOctets = lazyregexp.New(`^\([0-9]{1,20} octets\)$`)
