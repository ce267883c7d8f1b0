package fetch

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// Format implements [fmt.Formatter]. No verb shows a password, an account or a token, and none shows the
// user either, which can be a token. [encoding/json] writes all of it: that is an answer to a Challenge.
func (u Userinfo) Format(s fmt.State, verb rune) { redact.Format(s, verb, u.parts()) }

// LogValue implements [slog.LogValuer]. It is what Format prints.
func (u Userinfo) LogValue() slog.Value { return slog.StringValue(u.parts()) }

// parts names the fields that are set.
func (u Userinfo) parts() string {
	var set []string
	for _, f := range [][2]string{{"user", u.User}, {"password", u.Password}, {"account", u.Account}, {"token", u.Token}} {
		if f[1] != "" {
			set = append(set, f[0])
		}
	}
	return "(" + cmp.Or(strings.Join(set, ", "), "no login") + ")"
}

// Format implements [fmt.Formatter]. Every verb prints the URL fit for logs, as it is in an [Error].
func (r Request) Format(s fmt.State, verb rune) { redact.Format(s, verb, r.shown()) }

// LogValue implements [slog.LogValuer]. It is a group of the URL, fit for logs, and what is announced.
func (r Request) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("url", r.shown())}
	if r.MediaType != "" {
		attrs = append(attrs, slog.String("media_type", r.MediaType))
	}
	if r.Size > 0 {
		attrs = append(attrs, slog.Int64("size", r.Size))
	}
	return slog.GroupValue(attrs...)
}

// Format implements [fmt.Formatter]. Every verb prints the protocol, the URL fit for logs, and the outcome.
func (x Exchange) Format(s fmt.State, verb rune) {
	text := x.Protocol + " " + x.shown()
	if x.Status != 0 {
		text += fmt.Sprintf(": %d", x.Status)
	}
	if x.Kind != 0 {
		text += ": " + x.Kind.Error()
	}
	redact.Format(s, verb, strings.TrimSpace(text))
}

// LogValue implements [slog.LogValuer]. It is a group of the main facts: the heads and the dialogue are left
// out, and the URL is fit for logs. [encoding/json] writes all of it.
func (x Exchange) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("protocol", x.Protocol), slog.String("url", x.shown())}
	if x.Remote != (netip.AddrPort{}) {
		attrs = append(attrs, slog.String("remote", x.Remote.String()))
	}
	if x.Status != 0 {
		attrs = append(attrs, slog.Int("status", x.Status))
	}
	attrs = append(attrs, slog.Int64("octets_in", x.OctetsIn), slog.Int64("octets_out", x.OctetsOut))
	if x.Kind != 0 {
		attrs = append(attrs, slog.String("kind", x.Kind.Error()), slog.String("error", x.Error))
	}
	return slog.GroupValue(attrs...)
}

// shown returns the URL fit for logs.
func (x *Exchange) shown() string {
	if x.Secret {
		return redact.Origin(x.URL)
	}
	return redact.URL(x.URL)
}
