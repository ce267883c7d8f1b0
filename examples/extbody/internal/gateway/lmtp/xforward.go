package lmtp

import (
	"net/url"
	"strings"
)

// An Origin is where a mail server got a message from. The mail server sends it by
// XFORWARD, an extension of Postfix, and is trusted with it.
type Origin struct {
	Address string // of the client that sent the message to it; "" if that is not known
	QueueID string // the mail server's identifier for the message; "" if it gives none
}

// xforwardKeyword announces the attributes of XFORWARD that are read.
const xforwardKeyword = "XFORWARD ADDR IDENT"

// maxXforward bounds a value, in octets, as Postfix bounds it.
const maxXforward = 255

// parseXforward reads the arguments of XFORWARD into o, for example "ADDR=192.0.2.1
// IDENT=4fXy". With an error, o may have been changed.
func parseXforward(o *Origin, arg string) error {
	fields := strings.Fields(arg)
	if len(fields) == 0 {
		return ErrProtocol
	}
	for _, f := range fields {
		name, text, _ := strings.Cut(f, "=")
		value, ok := fromXtext(text)
		if !ok || len(value) > maxXforward {
			return ErrProtocol
		}
		if strings.EqualFold(value, "[UNAVAILABLE]") || strings.EqualFold(value, "[TEMPUNAVAIL]") {
			value = ""
		}
		switch strings.ToUpper(name) {
		case "ADDR":
			if len(value) > 5 && strings.EqualFold(value[:5], "IPV6:") {
				value = value[5:]
			}
			o.Address = value
		case "IDENT":
			o.QueueID = value
		default:
			return ErrProtocol
		}
	}
	return nil
}

// fromXtext decodes a value (RFC 3461 section 4). It reports whether the value is well
// formed, is not empty, and has only printable characters.
func fromXtext(s string) (string, bool) {
	text, err := url.PathUnescape(strings.NewReplacer("%", "%25", "+", "%").Replace(s))
	return text, err == nil && text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
