package rewrite

import (
	"fmt"
	"log/slog"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// Format implements [fmt.Formatter]. Every verb prints the kind, and the URL fit for logs.
func (l Load) Format(s fmt.State, verb rune) { redact.Format(s, verb, l.Kind+" "+redact.URL(l.URL)) }

// LogValue implements [slog.LogValuer]. It is a group of the fields, with the URL fit for logs.
func (l Load) LogValue() slog.Value {
	return slog.GroupValue(slog.String("kind", l.Kind), slog.String("url", redact.URL(l.URL)), slog.String("element", l.Element),
		slog.String("attr", l.Attr), slog.String("section", l.Section), slog.Int64("start", l.Start), slog.Int64("end", l.End))
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (l Load) MarshalJSON() ([]byte, error) { return redact.JSON(l.LogValue()) }
