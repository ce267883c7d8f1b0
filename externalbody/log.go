package externalbody

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// Format implements [fmt.Formatter]. Every verb prints String, so that no URL with a password or a key and
// no parameter gets into a log.
func (r Reference) Format(s fmt.State, verb rune) { redact.Format(s, verb, r.String()) }

// LogValue implements [slog.LogValuer]. It is String.
func (r Reference) LogValue() slog.Value { return slog.StringValue(r.String()) }

// MarshalJSON implements [json.Marshaler]. It is an object of the main facts, with the URL fit for logs. Of the
// parameters and fields it has none, since each may be a key.
func (r Reference) MarshalJSON() ([]byte, error) {
	attrs := []slog.Attr{slog.String("id", r.ID), slog.String("access_type", r.AccessType)}
	for _, a := range []slog.Attr{
		slog.String("dialect", r.Dialect), slog.String("url", r.redacted()), slog.String("provider", r.Provider),
		slog.String("content_type", r.MediaType), slog.String("name", r.Name),
	} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	if r.Size >= 0 {
		attrs = append(attrs, slog.Int64("size", r.Size))
	}
	if !r.Expiration.IsZero() {
		attrs = append(attrs, slog.Time("expiration", r.Expiration))
	}
	return redact.JSON(slog.GroupValue(attrs...))
}

// Format implements [fmt.Formatter]. Every verb prints String.
func (a Alternatives) Format(s fmt.State, verb rune) { redact.Format(s, verb, a.String()) }

// LogValue implements [slog.LogValuer]. It is String.
func (a Alternatives) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalJSON implements [json.Marshaler]. It is an array of the References as they are in JSON.
func (a Alternatives) MarshalJSON() ([]byte, error) { return json.Marshal([]*Reference(a)) }

// Format implements [fmt.Formatter]. Every verb prints the name and the value, a URL fit for logs.
func (f Field) Format(s fmt.State, verb rune) { redact.Format(s, verb, f.Name+": "+f.shown()) }

// LogValue implements [slog.LogValuer]. It is a group of the name and the value, a URL fit for logs.
func (f Field) LogValue() slog.Value {
	return slog.GroupValue(slog.String("name", f.Name), slog.String("value", f.shown()))
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (f Field) MarshalJSON() ([]byte, error) { return redact.JSON(f.LogValue()) }

// shown returns the value with each URL in it fit for logs.
func (f Field) shown() string {
	if !strings.Contains(f.Value, ":/") {
		return f.Value
	}
	return redact.URL(f.Value)
}

// Format implements [fmt.Formatter]. Every verb prints the kind and the element of the token, and not the text of the
// message, in which keys of links are.
func (t Token) Format(s fmt.State, verb rune) {
	redact.Format(s, verb, fmt.Sprintf("%d %s [%d,%d]", t.Kind, t.Name, t.Start, t.End))
}

// LogValue implements [slog.LogValuer]. It returns the facts that Format prints, as a group.
func (t Token) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("kind", int(t.Kind)), slog.String("name", t.Name), slog.Int64("start", t.Start), slog.Int64("end", t.End),
	)
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (t Token) MarshalJSON() ([]byte, error) { return redact.JSON(t.LogValue()) }

// Format implements [fmt.Formatter]. Every verb prints the Reference and the error.
func (f Failure) Format(s fmt.State, verb rune) {
	redact.Format(s, verb, fmt.Sprintf("%v: %v", f.Reference, f.Err))
}

// LogValue implements [slog.LogValuer]. It is a group of the Reference, the error and the Report.
func (f Failure) LogValue() slog.Value {
	var attrs []slog.Attr
	if f.Reference != nil {
		attrs = append(attrs, slog.Any("reference", f.Reference))
	}
	if f.Err != nil {
		attrs = append(attrs, slog.String("error", f.Err.Error()))
	}
	if f.Report != nil {
		attrs = append(attrs, slog.Any("report", f.Report))
	}
	return slog.GroupValue(attrs...)
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (f Failure) MarshalJSON() ([]byte, error) { return redact.JSON(f.LogValue()) }

// Format implements [fmt.Formatter]. Every verb prints the Reference and the difference.
func (o Objection) Format(s fmt.State, verb rune) {
	redact.Format(s, verb, fmt.Sprintf("%v: %s %s, and not %s", o.Ref, o.Check, o.Actual, o.Announced))
}

// LogValue implements [slog.LogValuer]. It is a group of the fields.
func (o Objection) LogValue() slog.Value {
	var attrs []slog.Attr
	if o.Ref != nil {
		attrs = append(attrs, slog.Any("reference", o.Ref))
	}
	attrs = append(attrs, slog.String("check", o.Check), slog.String("announced", o.Announced), slog.String("actual", o.Actual),
		slog.Bool("promised", o.Promised))
	if o.Err != nil {
		attrs = append(attrs, slog.String("error", o.Err.Error()))
	}
	return slog.GroupValue(attrs...)
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (o Objection) MarshalJSON() ([]byte, error) { return redact.JSON(o.LogValue()) }

// Format implements [fmt.Formatter]. Every verb prints String.
func (r Report) Format(s fmt.State, verb rune) { redact.Format(s, verb, r.String()) }

// LogValue implements [slog.LogValuer]. It is a group of the main facts. URLs are fit for logs.
func (r Report) LogValue() slog.Value {
	var attrs []slog.Attr
	if ref := r.Reference; ref != nil {
		attrs = append(attrs, slog.Any("reference", ref))
		if r.FinalURL != "" {
			attrs = append(attrs, slog.String("final_url", ref.Redact(r.FinalURL)))
		}
	}
	if r.RemoteAddr != (netip.AddrPort{}) {
		attrs = append(attrs, slog.String("remote", r.RemoteAddr.String()))
	}
	if r.Status != 0 {
		attrs = append(attrs, slog.Int("status", r.Status))
	}
	attrs = append(attrs, slog.String("media_type", r.MediaType), slog.Int64("bytes", r.Bytes))
	if r.SHA256 != nil {
		attrs = append(attrs, slog.String("sha256", fmt.Sprintf("%x", r.SHA256)))
	}
	return slog.GroupValue(append(attrs, slog.String("verified", string(r.Verified())))...)
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (r Report) MarshalJSON() ([]byte, error) { return redact.JSON(r.LogValue()) }
