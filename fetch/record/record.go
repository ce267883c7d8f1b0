// Package record has the facts that an Exchange of package fetch records: names and addresses, the
// security of a connection, lines and octets. A program that keeps or shows the exchange with
// servers reads them. Their forms in JSON are stable: fields may be added.
package record

import (
	"encoding/json"
	"errors"
	"net/netip"
	"unicode/utf8"
)

// A Lookup is a name that was resolved.
type Lookup struct {
	Host    string   `json:"host"`
	Answers []Answer `json:"answers,omitempty"`
	Omitted int      `json:"omitted,omitempty"` // answers that are not in Answers, which has at most 64
	Error   string   `json:"error,omitempty"`   // if there is no answer
}

// An Answer is an address that a name has.
type Answer struct {
	Addr    netip.Addr `json:"addr"`
	Refused string     `json:"refused,omitempty"` // why package netguard refuses it; "" if it does not
}

// A Dial is an attempt to connect.
type Dial struct {
	Addr  netip.AddrPort `json:"addr"`
	Error string         `json:"error,omitempty"` // "" for the connection that was made
}

// A Content describes octets that are not kept themselves.
type Content struct {
	Octets int64  `json:"octets"`
	SHA256 string `json:"sha256,omitempty"` // in hexadecimal digits; "" in a brief Exchange
}

// A Line is one line of a dialogue, without its end.
type Line struct {
	Sent bool   `json:"sent,omitempty"` // by us
	Text Octets `json:"text"`
}

// A TLS describes the security of a connection.
type TLS struct {
	Version string `json:"version"`        // such as "TLS 1.3"
	Cipher  string `json:"cipher"`         // the cipher suite, by its registered name
	ALPN    string `json:"alpn,omitempty"` // the protocol that was agreed on; "" if none

	// ServerName is the name for which the certificate was asked for.
	ServerName string `json:"server_name,omitempty"`

	// Certificates are the SHA-256 digests, in hexadecimal digits, of the
	// certificates in DER that the server sent, its own first.
	Certificates []string `json:"certificates,omitempty"`

	// Verified is set if the chain was verified for the ServerName.
	Verified bool `json:"verified"`
}

// Octets are octets that mostly are text. In JSON they are a string if they are
// UTF-8, and otherwise an object with one member, "base64", so that each of
// them comes back as it was.
type Octets []byte

// octetsJSON is the form of octets that are not UTF-8.
type octetsJSON struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON implements [json.Marshaler].
func (o Octets) MarshalJSON() ([]byte, error) {
	if utf8.Valid(o) {
		return json.Marshal(string(o))
	}
	return json.Marshal(octetsJSON{o})
}

var errOctets = errors.New("neither a string nor base64")

// UnmarshalJSON accepts the results of MarshalJSON.
func (o *Octets) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*o = Octets(text)
		return nil
	}
	var coded octetsJSON
	if err := json.Unmarshal(data, &coded); err != nil || coded.Base64 == nil {
		return errOctets
	}
	*o = coded.Base64
	return nil
}
