package lmtp

import (
	"encoding/hex"
	"strings"
)

// An Origin is what a mail server says of where a message came from, by XFORWARD, an
// extension of Postfix. It is the word of the peer, who is trusted with it.
type Origin struct {
	Address string // of the client that sent the message; "" if that is not known
	QueueID string // of the mail server; "" if it does not say
}

// xforwardKeyword announces what of it is read.
const xforwardKeyword = "XFORWARD ADDR IDENT"

// maxXforward bounds a value, in octets, as Postfix does.
const maxXforward = 255

// parseXforward reads what follows "XFORWARD" into o: "ADDR=192.0.2.1 IDENT=4fXy".
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

// fromXtext undoes the encoding of a value (RFC 3461 section 4). It reports whether
// there is one, of characters that can be printed.
func fromXtext(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '+' {
			if i+2 >= len(s) {
				return "", false
			}
			octet, err := hex.DecodeString(s[i+1 : i+3])
			if err != nil {
				return "", false
			}
			c = octet[0]
			i += 2
		}
		if c < ' ' || c > '~' {
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), b.Len() > 0
}
