package fetch

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
)

// Format implements [fmt.Formatter]. No verb shows a password, an account or a token, and none shows the
// user either, which can be a token. [encoding/json] writes all of it: that is an answer to a Challenge.
func (u Userinfo) Format(s fmt.State, verb rune) { redact.Format(s, verb, u.parts()) }

// LogValue implements [slog.LogValuer]. It returns the text that Format prints.
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

// LogValue implements [slog.LogValuer]. It is a group of the URL, fit for logs, and the announced facts.
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

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (r Request) MarshalJSON() ([]byte, error) { return redact.JSON(r.LogValue()) }

// Format implements [fmt.Formatter]. Every verb prints the status, the media type, and the host of the URL.
func (r Response) Format(s fmt.State, verb rune) {
	text := origin(r.URL)
	if r.Status != 0 {
		text += fmt.Sprintf(": %d", r.Status)
	}
	redact.Format(s, verb, strings.TrimSpace(text+" "+r.MediaType))
}

// LogValue implements [slog.LogValuer]. It is a group of the main facts. Of URLs it has the hosts alone: a Response
// does not know whether its Request was Secret.
func (r Response) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("url", origin(r.URL)), slog.String("media_type", r.MediaType), slog.Int64("size", r.Size),
	}
	if r.Status != 0 {
		attrs = append(attrs, slog.Int("status", r.Status))
	}
	if r.RemoteAddr != (netip.AddrPort{}) {
		attrs = append(attrs, slog.String("remote", r.RemoteAddr.String()))
	}
	if len(r.Hops) > 0 {
		attrs = append(attrs, slog.Int("hops", len(r.Hops)))
	}
	return slog.GroupValue(attrs...)
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (r Response) MarshalJSON() ([]byte, error) { return redact.JSON(r.LogValue()) }

// origin returns the scheme and the host of a URL, or "".
func origin(u *url.URL) string {
	if u == nil {
		return ""
	}
	return redact.Origin(u.String())
}

// Format implements [fmt.Formatter]. Every verb prints the host of the URL and the validators.
func (c Conditions) Format(s fmt.State, verb rune) {
	redact.Format(s, verb, strings.Join(
		strings.Fields(fmt.Sprint(redact.Origin(c.URL), " ", c.ETag, " ", c.LastModified, " ", c.Offset)), " ",
	))
}

// LogValue implements [slog.LogValuer]. It is a group of the fields but Session, with the host of the URL alone.
func (c Conditions) LogValue() slog.Value {
	return slog.GroupValue(slog.String("url", redact.Origin(c.URL)), slog.String("etag", c.ETag),
		slog.String("last_modified", c.LastModified), slog.Int64("offset", c.Offset), slog.Int64("size", c.Size))
}

// MarshalJSON implements [json.Marshaler]. It is LogValue.
func (c Conditions) MarshalJSON() ([]byte, error) { return redact.JSON(c.LogValue()) }

// Format implements [fmt.Formatter]. Every verb prints Error.
func (e Error) Format(s fmt.State, verb rune) { redact.Format(s, verb, e.Error()) }

// LogValue implements [slog.LogValuer]. It is Error.
func (e Error) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// MarshalJSON implements [json.Marshaler]. It is an object of the operation, the URL, the Kind, and the text of Error.
func (e Error) MarshalJSON() ([]byte, error) {
	attrs := []slog.Attr{
		slog.String("op", e.Op), slog.String("url", e.URL), slog.String("kind", e.Kind.Error()), slog.String("error", e.Error()),
	}
	if !e.After.IsZero() {
		attrs = append(attrs, slog.Time("after", e.After))
	}
	return redact.JSON(slog.GroupValue(attrs...))
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
