package fetch

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Octets are octets that mostly are text. In JSON they are a string if they are
// UTF-8, and otherwise an object with one member, "base64", so that each of
// them comes back as it was.
type Octets []byte

// octetsJSON is the form of octets that are not UTF-8.
type octetsJSON struct {
	Base64 *string `json:"base64"`
}

// MarshalJSON implements [json.Marshaler].
func (o Octets) MarshalJSON() ([]byte, error) {
	if utf8.Valid(o) {
		return json.Marshal(string(o))
	}
	text := base64.StdEncoding.EncodeToString(o)
	return json.Marshal(octetsJSON{&text})
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
	raw, err := base64.StdEncoding.DecodeString(*coded.Base64)
	if err != nil {
		return errOctets
	}
	*o = raw
	return nil
}
