package verbs

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// decode is for the verbs that read an encoding.
func decode(s *Step, v string) (text string, fault Fault) {
	ok := false
	switch s.Op {
	case Percent:
		text, ok = weburl.Decode(v)
	case Base64:
		text, ok = fromBase64(v)
	case Lower:
		return lower(v), OK
	case FindJSON:
		text, ok = findJSON(v, s.Text)
	case FindForm:
		text, ok = findForm(v, s.Text, s.Parts[0].Text)
	}
	if !ok {
		return "", Garbled
	}
	return text, OK
}

func fromBase64(s string) (string, bool) {
	s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	d, err := base64.RawURLEncoding.DecodeString(s)
	return string(d), err == nil
}

// escape percent-encodes all octets except the unreserved ones (RFC 3986 section 2.3).
func escape(s string) string { return string(percent.AppendEncode(nil, s, &percent.Reserved)) }

func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// proofpoint returns the URL between "/v3/__" and the first "__;" of a wrapper. The wrapper
// replaces some octets. One of them becomes "*", and a run of them becomes "**" and
// a letter for their number. The replaced octets follow between "__;" and the next
// "!", in Base64. If they are not as many as the target stands for, its
// numbers count characters.
func proofpoint(text string) (string, Fault) {
	_, target, ok := strings.Cut(text, "/v3/__")
	target, rest, ok2 := strings.Cut(target, "__;")
	encoded, _, ok3 := strings.Cut(rest, "!")
	if !ok || !ok2 || !ok3 {
		return "", Missing
	}
	replaced, ok := fromBase64(encoded)
	if !ok || !utf8.ValidString(replaced) {
		return "", Garbled
	}
	out, ok := restore(target, replaced, func(string) int { return 1 })
	if !ok {
		out, ok = restore(target, replaced, sizeOfFirst)
	}
	if !ok {
		return "", Garbled
	}
	return out, OK
}

// sizeOfFirst returns the number of octets of the first character of s.
func sizeOfFirst(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// restore returns a target with its asterisks undone. size returns the number of octets that the next
// of the replaced units has. restore reports false unless there are as many units as the asterisks stand for.
func restore(target, replaced string, size func(string) int) (string, bool) {
	out := make([]byte, 0, len(target)+len(replaced))
	for {
		plain, marked, found := strings.Cut(target, "*")
		out = append(out, plain...)
		if !found {
			return string(out), replaced == ""
		}
		n := 1
		if len(marked) >= 2 && marked[0] == '*' {
			n = runLength(marked[1])
			if n == 0 {
				return "", false
			}
			marked = marked[2:]
		}
		for range n {
			if replaced == "" {
				return "", false
			}
			end := size(replaced)
			out = append(out, replaced[:end]...)
			replaced = replaced[end:]
		}
		target = marked
	}
}

// runLength returns the number of octets or characters that c stands for after "**", or 0.
func runLength(c byte) int {
	const two = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" // "A" stands for 2
	if i := strings.IndexByte(two, c); i >= 0 {
		return i + 2
	}
	return 0
}

// findJSON returns the property of a JSON text at a path, such as "body.files.0.url": a
// string without its quotes, anything else as it is written, and "" for a property that is missing. It
// reports false if the text is not JSON.
func findJSON(text, path string) (string, bool) {
	at := json.RawMessage(text)
	if !json.Valid(at) {
		return "", false
	}
	for name := range strings.SplitSeq(path, ".") {
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(at, &list) == nil {
			if i >= len(list) {
				return "", true
			}
			at = list[i]
			continue
		}
		if json.Unmarshal(at, &object) != nil || object[name] == nil {
			return "", true
		}
		at = object[name]
	}
	var s string
	if json.Unmarshal(at, &s) == nil {
		return s, true
	}
	return string(at), true
}

// findText returns the text that p finds, which is its group. It fails if p finds none, or texts
// that differ.
func findText(p *Pattern, text string) (string, Fault) {
	found := ""
	for _, m := range p.compiled("", "").FindAllStringSubmatch(text, -1) {
		if m[1] == "" || found != "" && m[1] != found {
			return "", Missing
		}
		found = m[1]
	}
	if found == "" {
		return "", Missing
	}
	return found, OK
}

// formTag and inputTag match the tags of a form of HTML and their attributes.
var (
	formTag  = &Pattern{Text: `(?is)<form\b([^>]*)>(.*?)</form`}
	inputTag = &Pattern{Text: `(?is)<input\b([^>]*)>`}
	attrOf   = &Pattern{Text: `(?is)\b(id|name|value|action)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`}
)

// maxInputs bounds the inputs of a form: setting a parameter takes time linear in the length of the URL.
const maxInputs = 100

// findForm returns the URL that a form of HTML asks for: its action, with a parameter for each of
// its inputs that has a name. base is the URL of the page. A form with more than maxInputs inputs has no URL.
func findForm(page, id, base string) (string, bool) {
	for _, m := range formTag.compiled("", "").FindAllStringSubmatch(page, -1) {
		form := attrsOf(m[1])
		if form["id"] != id {
			continue
		}
		u, ok := weburl.Parse(form["action"])
		if !ok {
			u, ok = relative(base, form["action"])
			if !ok {
				return "", false
			}
		}
		text := u.String()
		inputs := inputTag.compiled("", "").FindAllStringSubmatch(m[2], maxInputs+1)
		if len(inputs) > maxInputs {
			return "", false
		}
		for _, input := range inputs {
			if v := attrsOf(input[1]); v["name"] != "" {
				text = weburl.SetParam(text, escape(v["name"]), escape(v["value"]))
			}
		}
		_, ok = weburl.Parse(text)
		return text, ok
	}
	return "", false
}

// relative returns the URL that a reference stands for in the page at base.
func relative(base, reference string) (weburl.URL, bool) {
	at, err := url.Parse(base)
	if err != nil {
		return weburl.URL{}, false
	}
	at, err = at.Parse(reference)
	if err != nil {
		return weburl.URL{}, false
	}
	return weburl.Parse(at.String())
}

// attrsOf returns attributes, with their character references undone.
func attrsOf(tag string) map[string]string {
	attrs := make(map[string]string)
	for _, m := range attrOf.compiled("", "").FindAllStringSubmatch(tag, -1) {
		attrs[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
	}
	return attrs
}
