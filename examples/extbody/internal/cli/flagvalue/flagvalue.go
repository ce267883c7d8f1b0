// Package flagvalue has the values of flags: sizes, spans, times and ranges of
// addresses. Each is a pflag.Value. The error of Set has an example.
package flagvalue

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// Default gives a flag another default than the function did that added it. It panics if the flag
// does not take the value.
func Default(f *pflag.FlagSet, name, value string) {
	flag := f.Lookup(name)
	if err := flag.Value.Set(value); err != nil {
		panic(err)
	}
	flag.DefValue = value
}

// A Limit is the number that the flag with a name was given.
type Limit struct {
	Flag string
	N    int64
}

// AtLeastOne returns an error that names the first flag whose number is less than 1.
func AtLeastOne(limits []Limit) error {
	for _, l := range limits {
		if l.N < 1 {
			return fmt.Errorf("--%s %d: want 1 or more", l.Flag, l.N)
		}
	}
	return nil
}

// A Size is a flag for a number of octets, such as "512", "10MB" or "1.5GiB". "none"
// means no limit, and is -1.
type Size int64

var byteUnits = []struct {
	suffix string
	factor float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// Set implements pflag.Value.
func (b *Size) Set(s string) error {
	if s == "none" {
		*b = -1
		return nil
	}
	number := s
	factor := 1.0
	for _, u := range byteUnits {
		if len(s) > len(u.suffix) && strings.EqualFold(s[len(s)-len(u.suffix):], u.suffix) {
			number = s[:len(s)-len(u.suffix)]
			factor = u.factor
			break
		}
	}
	if n, err := strconv.ParseInt(number, 10, 64); err == nil && factor == 1 && n > 0 {
		*b = Size(n)
		return nil
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if n := f * factor; err == nil && n >= 1 && n < math.MaxInt64 {
		*b = Size(n)
		return nil
	}
	return errors.New(`want a number of octets such as 500000, 10MB, 1GiB or none`)
}

func (b *Size) String() string {
	if *b < 0 {
		return "none"
	}
	for _, u := range slices.Backward(byteUnits[:4]) {
		if n := int64(u.factor); *b > 0 && int64(*b)%n == 0 {
			return strconv.FormatInt(int64(*b)/n, 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type implements pflag.Value.
func (b *Size) Type() string { return "N" }

// Prefixes is a flag for ranges of addresses. It can be repeated.
type Prefixes []netip.Prefix

// Set implements pflag.Value.
func (p *Prefixes) Set(s string) error {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		*p = append(*p, netip.PrefixFrom(addr, addr.BitLen()))
		return nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return errors.New("want a range of addresses such as 10.0.0.0/8 or ::1/128")
	}
	*p = append(*p, prefix.Masked())
	return nil
}

func (p *Prefixes) String() string { return join(*p) }

// Type implements pflag.Value.
func (p *Prefixes) Type() string { return "CIDR" }

// Ports is a flag for port numbers. It can be repeated.
type Ports []uint16

// Set implements pflag.Value.
func (p *Ports) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return errors.New("want a port number from 1 to 65535")
	}
	*p = append(*p, uint16(n))
	return nil
}

func (p *Ports) String() string { return join(*p) }

// Type implements pflag.Value.
func (p *Ports) Type() string { return "N" }

func join[T any](list []T) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ",")
}

// A Choice is a flag that takes one of a few words; see [OneOf].
type Choice struct {
	Value string
	among []string
}

// OneOf returns a Choice among words. Before it is set it is the first of them.
func OneOf(words ...string) Choice { return Choice{words[0], words} }

// Set implements pflag.Value.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.among, s) {
		return fmt.Errorf("want %s", strings.Join(c.among, " or "))
	}
	c.Value = s
	return nil
}

// Words returns the words among which to choose.
func (c *Choice) Words() []string { return c.among }

func (c *Choice) String() string { return c.Value }

// Type implements pflag.Value.
func (c *Choice) Type() string { return strings.Join(c.among, "|") }

// A Proxy is the flag for the URL of a proxy.
type Proxy struct{ *url.URL }

var errProxy = errors.New("want a URL such as http://proxy.example:3128 or socks5://127.0.0.1:1080")

// Set reads a URL. Its error does not contain the text, which may hold a password.
func (p *Proxy) Set(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) {
		return errProxy
	}
	p.URL = u
	return nil
}

func (p *Proxy) String() string {
	if p.URL == nil {
		return ""
	}
	return p.Redacted()
}

// Type implements pflag.Value.
func (p *Proxy) Type() string { return "URL" }

// A Span is a flag for a duration: 90m, 12h, 30d.
type Span time.Duration

// maxDays is 179 years, the most that a time.Duration holds with room to spare.
const maxDays = 65535

var errSpan = errors.New("want a time such as 12h or 30d")

// ParseSpan reads a number of days, such as 30d or 1.5d, or a duration as
// time.ParseDuration reads it. It must be more than zero.
func ParseSpan(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n > 0 && n <= maxDays) {
			return 0, errSpan
		}
		return time.Duration(n * 24 * float64(time.Hour)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errSpan
	}
	return d, nil
}

// Set implements pflag.Value.
func (d *Span) Set(s string) error {
	t, err := ParseSpan(s)
	if err == nil {
		*d = Span(t)
	}
	return err
}

func (d *Span) String() string {
	if t := time.Duration(*d); t%(24*time.Hour) != 0 || t == 0 {
		return t.String()
	}
	return fmt.Sprintf("%dd", time.Duration(*d)/(24*time.Hour))
}

// Type implements pflag.Value.
func (d *Span) Type() string { return "D" }

// An Instant is a flag for a time.
type Instant struct {
	time.Time
	text string
}

// Set implements pflag.Value.
func (i *Instant) Set(s string) error { return i.set(s, ParseInstant) }

func (i *Instant) set(s string, parse func(string, time.Time) (time.Time, error)) error {
	t, err := parse(s, time.Now())
	if err == nil {
		*i = Instant{t, s}
	}
	return err
}

// ParseInstant reads a time of day, which is the next one after now, or a time with a
// date, or a span from now.
func ParseInstant(s string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(d), nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	if c, err := time.Parse("15:04", s); err == nil {
		year, month, day := now.Date()
		t := time.Date(year, month, day, c.Hour(), c.Minute(), 0, 0, now.Location())
		if !t.After(now) {
			t = time.Date(year, month, day+1, c.Hour(), c.Minute(), 0, 0, now.Location())
		}
		return t, nil
	}
	return time.Time{}, errors.New("want a time such as 06:30 or 2030-01-31T06:30:00Z, or a span such as 2h")
}

func (i *Instant) String() string { return i.text }

// Type implements pflag.Value.
func (i *Instant) Type() string { return "TIME" }

// A Since is a flag for a time in the past.
type Since struct{ Instant }

// Set implements pflag.Value.
func (i *Since) Set(s string) error { return i.set(s, ParseSince) }

// ParseSince reads a day, which starts in UTC, or a time with a date, or a span before
// now, which is read by [ParseSpan]. A time after now is an error, since nothing has
// happened since then.
func ParseSince(s string, now time.Time) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t, err = time.Parse(time.RFC3339, s)
	}
	if err != nil {
		var d time.Duration
		d, err = ParseSpan(s)
		if err == nil {
			t = now.Add(-d)
		}
	}
	if err != nil || t.After(now) || t.IsZero() {
		return time.Time{}, errors.New(
			"want a day such as 2026-01-31, a time such as 2026-01-31T06:30:00Z, or a span such as 30d, none of them to come",
		)
	}
	return t, nil
}

// Type implements pflag.Value.
func (i *Since) Type() string { return "DATE" }

// ParseDate reads a date in the form of RFC 3339 or of mail.
func ParseDate(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, _, err := date.Parse(s)
	return t, err
}

// Hosts is a flag for hosts that were agreed to, each exactly that one, with the port if one is
// given. It can be repeated. A host without a scheme is agreed to for every way to it. The keys
// are a host in the form of externalbody.Plan.Host, or such a host after "SCHEME://", and each
// value says where the host was named. The key of an encrypted way has the scheme https.
type Hosts map[string]string

// Set implements pflag.Value.
func (h *Hosts) Set(s string) error { return h.Add(s, "--yes") }

// Add adds a host, with where it was named.
func (h *Hosts) Add(s, where string) error {
	scheme, authority, hasScheme := strings.Cut(s, "://")
	if !hasScheme {
		authority = s
	} else if scheme = strings.ToLower(scheme); !slices.Contains(ways, scheme) {
		return errHost
	}
	name, port, err := host.Split(authority)
	if err != nil {
		return errHost
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if port != 0 {
		name += ":" + strconv.Itoa(int(port))
	}
	if *h == nil {
		*h = make(Hosts)
	}
	if hasScheme {
		name = Way(scheme, name)
	}
	(*h)[name] = where
	return nil
}

var errHost = errors.New("want a host such as cloud.example, cloud.example:8443 or https://cloud.example")

// ways are the schemes by which a host is contacted, the encrypted ones first.
var ways = []string{"https", "ftps", "imaps", "http", "ftp", "imap", "tftp", "mailto"}

func isEncrypted(scheme string) bool { return slices.Contains(ways[:3], scheme) }

// Way returns the key of a host that is agreed to for a scheme alone.
func Way(scheme, host string) string {
	if isEncrypted(scheme) {
		scheme = "https"
	}
	return scheme + "://" + host
}

// Agrees reports whether a contact with a host by a scheme is agreed to, and returns where that
// was said. An agreement for an encrypted way holds for encrypted ways alone. For a way
// that is not encrypted it holds for that scheme and its encrypted form, so that one for http
// holds for https, and never for ftp (OP-57).
func (h Hosts) Agrees(scheme, host string) (where string, yes bool) {
	for _, key := range []string{host, Way(scheme, host), Way(strings.TrimSuffix(scheme, "s"), host)} {
		where, ok := h[key]
		if ok {
			return where, true
		}
	}
	return "", false
}

func (h *Hosts) String() string { return strings.Join(slices.Sorted(maps.Keys(*h)), ",") }

// Type implements pflag.Value.
func (h *Hosts) Type() string { return "HOST" }
