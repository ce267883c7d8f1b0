package imapsession

import "strings"

// A status is how a command ended (RFC 3501 section 7.1). It is an error that
// leaves the text of the server out, which may say anything.
type status struct {
	result string // "OK", "NO" or "BAD"
	code   string // in capitals, without arguments; "" if none
}

func parseStatus(text string) (*status, error) {
	result, text, _ := strings.Cut(text, " ")
	st := &status{result: strings.ToUpper(result)}
	switch st.result {
	case "OK", "NO", "BAD":
	default:
		return nil, newFault(ErrProtocol, errNotIMAP)
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if i := strings.IndexAny(inner, " ]"); i >= 0 && sendable(inner[:i]) {
			st.code = strings.ToUpper(inner[:min(i, 40)])
		}
	}
	return st, nil
}

func (st *status) Error() string {
	if st.code == "" {
		return "the server said " + st.result
	}
	return "the server said " + st.result + " [" + st.code + "]"
}

// transient reports whether a later try may go better (RFC 5530 section 3).
func (st *status) transient() bool {
	switch st.code {
	case "UNAVAILABLE", "SERVERBUG", "INUSE", "LIMIT":
		return true
	}
	return false
}

// sendable reports whether s can be sent as a quoted string (RFC 3501 section
// 9).
func sendable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// quoted returns s as a quoted string.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
