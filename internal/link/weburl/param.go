package weburl

import "strings"

// Param returns the value of the parameter name of the query, as written. It reports
// false if the parameter is missing or repeated, since servers differ in which one they
// take. Names are compared octet for octet. Only "&" separates parameters.
func (u URL) Param(name string) (value string, ok bool) {
	for field := range strings.SplitSeq(u.Query, "&") {
		n, v, _ := strings.Cut(field, "=")
		if n != name {
			continue
		}
		if ok {
			return "", false
		}
		value, ok = v, true
	}
	return value, ok
}

// SetParam returns text, a URL that Parse accepts, without its fragment and with the
// parameter name set to value. It replaces an existing parameter in place and removes
// later ones of the same name. If there is not one yet, it adds the parameter at the end. All
// other octets stay. name and value are not escaped.
func SetParam(text, name, value string) string {
	text, _, _ = strings.Cut(text, "#")
	head, query, found := strings.Cut(text, "?")
	pair := name + "=" + value
	if !found || query == "" {
		return head + "?" + pair
	}
	var fields []string
	set := false
	for field := range strings.SplitSeq(query, "&") {
		switch n, _, _ := strings.Cut(field, "="); {
		case n != name:
			fields = append(fields, field)
		case !set:
			fields = append(fields, pair)
			set = true
		}
	}
	if !set {
		fields = append(fields, pair)
	}
	return head + "?" + strings.Join(fields, "&")
}
