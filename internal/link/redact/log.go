package redact

import (
	"bytes"
	"encoding/json"
	"log/slog"
)

// JSON returns the value of a log as JSON, for a method MarshalJSON that shows the same as LogValue. A group is an
// object with its members in their order. An error is its text.
func JSON(v slog.Value) ([]byte, error) {
	v = v.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		return group(v.Group())
	case slog.KindAny:
		if err, ok := v.Any().(error); ok {
			return json.Marshal(err.Error())
		}
	}
	return json.Marshal(v.Any())
}

func group(attrs []slog.Attr) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, a := range attrs {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(a.Key)
		if err != nil {
			return nil, err
		}
		value, err := JSON(a.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
