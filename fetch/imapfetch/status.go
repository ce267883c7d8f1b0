package imapfetch

import (
	"errors"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// A status is how a command ended (RFC 3501 section 7.1).
type status struct {
	result string // "OK", "NO" or "BAD"
	code   string // in capitals, without arguments; "" if none
}

func parseStatus(text string) (status, error) {
	result, text, _ := strings.Cut(text, " ")
	st := status{result: strings.ToUpper(result)}
	switch st.result {
	case "OK", "NO", "BAD":
	default:
		return status{}, fault(fetch.Protocol, errNotIMAP)
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if i := strings.IndexAny(inner, " ]"); i >= 0 && sendable(inner[:i]) {
			st.code = strings.ToUpper(inner[:min(i, 40)])
		}
	}
	return st, nil
}

// err returns the error that st stands for, nil for OK. A NO without a code
// that says more is of Kind refused. The text of the server is left out: it may
// repeat what the URL has.
func (st status) err(refused fetch.Kind) error {
	if st.result == "OK" {
		return nil
	}
	kind := refused
	switch st.code {
	case "NONEXISTENT":
		kind = fetch.NotFound
	case "NOPERM":
		kind = fetch.Forbidden
	case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED":
		kind = fetch.Credentials
	case "PRIVACYREQUIRED":
		kind = fetch.Untrusted
	case "UNAVAILABLE", "SERVERBUG", "INUSE", "LIMIT", "CONTACTADMIN":
		kind = fetch.Unavailable
	}
	if st.result == "BAD" {
		kind = fetch.Protocol
	}
	text := "the server said " + st.result
	if st.code != "" {
		text += " [" + st.code + "]"
	}
	return fault(kind, errors.New(text))
}
