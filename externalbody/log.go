package externalbody

import (
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// Format implements [fmt.Formatter]. Every verb prints String, so that no URL with a password or a key and
// no parameter gets into a log.
func (r Reference) Format(s fmt.State, verb rune) { redact.Format(s, verb, r.String()) }

// LogValue implements [slog.LogValuer]. It is String.
func (r Reference) LogValue() slog.Value { return slog.StringValue(r.String()) }

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
	return slog.GroupValue(append(attrs, slog.String("verified", r.Verified()))...)
}
