package mailfetch

import (
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

// parseMailto reads a mailto URL (RFC 6068 section 2) into a request that can be
// sent.
func parseMailto(text string) (*request, error) {
	scheme, rest, _ := strings.Cut(text, ":")
	if !strings.EqualFold(scheme, "mailto") {
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errScheme}
	}
	rest, _, _ = strings.Cut(rest, "#")
	to, fields, _ := strings.Cut(rest, "?")
	r := new(request)
	if err := r.setTo(to); err != nil {
		return nil, err
	}
	if err := r.setFields(fields); err != nil {
		return nil, malformed(err)
	}
	return r, nil
}

// setTo sets the one recipient. A "/" is to be encoded (RFC 6068 section 2), and
// without this rule mailto://a@b would be mail to "//a".
func (r *request) setTo(encoded string) error {
	to, err := decode(encoded)
	if err != nil {
		return malformed(err)
	}
	if r.to, err = parseAddress(to); err != nil || strings.Contains(encoded, "/") {
		return malformed(errAddress)
	}
	if strings.HasPrefix(strings.TrimPrefix(r.to.local, `"`), "-") {
		return malformed(errAddress)
	}
	if host.SingleLabel(r.to.domain) {
		return &fetch.Error{Kind: fetch.Blocked, Err: errLocal}
	}
	return nil
}

// setFields sets the subject and the body.
func (r *request) setFields(fields string) error {
	seen := make(map[string]bool)
	for field := range strings.SplitSeq(fields, "&") {
		if field == "" {
			continue
		}
		encodedName, encodedValue, _ := strings.Cut(field, "=")
		name, err := decode(encodedName)
		if err != nil {
			return err
		}
		value, err := decode(encodedValue)
		if err != nil {
			return err
		}
		name = strings.ToLower(name)
		if seen[name] {
			return errTwice
		}
		seen[name] = true
		switch name {
		case "subject":
			err = r.setSubject(value)
		case "body":
			err = r.setBody(value)
		default:
			err = errField
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decode undoes the percent-encoding. A "+" stands for itself (RFC 6068 section
// 5).
func decode(s string) (string, error) {
	if !percent.Valid(s) {
		return "", errEscape
	}
	return string(percent.AppendDecode(nil, s)), nil
}
