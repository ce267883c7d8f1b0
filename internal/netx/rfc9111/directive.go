package rfc9111

import (
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// maxAge replaces times that are too long (section 1.2.2): 2^31 s.
const maxAge = (1 << 31) * time.Second

// A Directives is the value of a Cache-Control field (section 5.2). The names
// are in lower case. A name that occurs more than once has several arguments;
// one without an argument has the argument "".
type Directives map[string][]string

// maxDirectives bounds the directives that are read. More count as "no-store", because it
// could be among them.
const maxDirectives = 256

// ParseDirectives parses the lines of a Cache-Control field. Arguments may be
// tokens or quoted strings, whatever form is defined for them. Members that are not
// directives are skipped.
func ParseDirectives(lines []string) Directives {
	if len(lines) == 0 {
		return nil
	}
	d := make(Directives)
	n := 0
	for _, line := range lines {
		for member := range fieldvalue.Members(line) {
			if n++; n > maxDirectives {
				d["no-store"] = append(d["no-store"], "")
				return d
			}
			if name, argument := parseDirective(member); name != "" {
				d[name] = append(d[name], argument)
			}
		}
	}
	return d
}

// parseDirective splits a member of the list. The name is "" if it is not a directive.
func parseDirective(member string) (name, argument string) {
	name, argument, hasArgument := strings.Cut(member, "=")
	name = strings.ToLower(strings.Trim(name, " \t"))
	if !fieldvalue.IsToken(name) {
		return "", ""
	}
	if hasArgument {
		argument = fieldvalue.Unquote(strings.Trim(argument, " \t"))
	}
	return name, argument
}

// Has reports whether the directive name occurs, with or without an argument.
func (d Directives) Has(name string) bool { return len(d[name]) > 0 }

// HasPlain reports whether the directive name occurs without an argument: the
// unqualified form of no-cache and private.
func (d Directives) HasPlain(name string) bool { return slices.Contains(d[name], "") }

// Seconds returns the argument of the directive name, which is a number of
// seconds, and whether the directive occurs. Arguments that are not a number,
// and several that differ, are 0 (section 4.2.1).
func (d Directives) Seconds(name string) (time.Duration, bool) {
	arguments := d[name]
	if len(arguments) == 0 {
		return 0, false
	}
	first, ok := parseSeconds(arguments[0])
	for _, argument := range arguments[1:] {
		if n, valid := parseSeconds(argument); !valid || n != first {
			ok = false
		}
	}
	if !ok {
		return 0, true
	}
	return first, true
}

// parseSeconds parses delta-seconds (section 1.2.2).
func parseSeconds(s string) (time.Duration, bool) {
	if s == "" {
		return 0, false
	}
	n := int64(0)
	for _, c := range []byte(s) {
		if !ascii.IsDigit(c) {
			return 0, false
		}
		n = min(n*10+int64(c-'0'), int64(maxAge/time.Second))
	}
	return time.Duration(n) * time.Second, true
}

// ParseDate parses an HTTP-date in each of its three forms (RFC 9110 section
// 5.6.7), whatever its case. A zone other than GMT makes it invalid (section
// 4.2).
//
// A year of two digits is one of 1969 to 2068. RFC 9110 wants one of the next 50
// years where it can be, so that 70 would be 2070; but who sends 01-Jan-70 means
// that an answer is not fresh.
func ParseDate(s string) (time.Time, bool) {
	s = strings.ToUpper(strings.Trim(s, " \t"))
	if len(s) > len("Wednesday, 06-Nov-94 08:49:37 GMT") {
		return time.Time{}, false
	}
	for _, form := range [...]string{
		"Mon, 02 Jan 2006 15:04:05 GMT",
		"Monday, 02-Jan-06 15:04:05 GMT",
		"Mon Jan _2 15:04:05 2006",
	} {
		// Package time reads the names of days and months whatever their case.
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// date returns the value of a field that is one HTTP-date, and whether the field
// is there at all.
func date(h map[string][]string, name string) (t time.Time, valid, present bool) {
	values := h[name]
	if len(values) == 0 {
		return time.Time{}, false, false
	}
	t, valid = ParseDate(values[0])
	return t, valid && len(values) == 1, true
}
