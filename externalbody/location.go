package externalbody

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// A location is a URL as it is fetched, the parts of it that are not sent, and facts
// that a URL cannot hold.
type location struct {
	url          *url.URL
	text         string // for the schemes of fetch.Request.Text, else ""
	long         *longURL
	fragment     string // as written
	hasFragment  bool
	login        fetch.Login
	transferType string
	diags        []Diag
}

// setMode reads MODE. The default is text, whatever the media type.
func (l *location) setMode(r *Reference, modes map[string]mode, text string) error {
	v, ok := r.Param("mode")
	name := strings.ToLower(strings.TrimSpace(v))
	m, known := modes[name]
	if bits, local := strings.CutPrefix(name, "local"); local && !known && l.url.Scheme == "ftp" {
		n, err := strconv.ParseUint(strings.TrimSpace(bits), 10, 8)
		m.transferType = "l" + strconv.FormatUint(n, 10)
		known = err == nil && n > 0
	}
	switch {
	case !ok:
		m.transferType = text
		if !strings.HasPrefix(r.MediaType, "text/") {
			l.diag(diagNoMode, "mode")
		}
	case name == "mail" && l.url.Scheme == "tftp":
		// RFC 1350 section 5: in mode mail the name is a recipient.
		return r.fault(fetch.Unsupported, "mode", errors.New("mail retrieves nothing"))
	case !known:
		return r.fault(fetch.Malformed, "mode", fmt.Errorf("%.20q is no mode of %s", v, l.url.Scheme))
	case m.other:
		l.diag(diagModeName, "mode")
	}
	l.transferType = m.transferType
	return nil
}

func (l *location) diag(code DiagCode, param string) {
	l.diags = append(l.diags, Diag{Code: code, Param: param})
}

// parse sets url and text from the text of an absolute URL without fragment.
func (l *location) parse(scheme, text string) error {
	rest := text[len(scheme)+1:]
	if scheme == "data" {
		// The body must reach its decoder as it is, and without a copy.
		l.url = &url.URL{Scheme: scheme, Opaque: rest}
		l.text = text
		return nil
	}
	if len(text) > fetch.MaxURLBytes {
		return fmt.Errorf("a URL of more than %d octets", fetch.MaxURLBytes)
	}
	if !strings.HasPrefix(rest, "//") {
		if needsHost[scheme] {
			return errors.New("a URL without a host")
		}
		l.url = &url.URL{Scheme: scheme, Opaque: rest}
		return nil
	}
	// net/url refuses a "%" without two hex digits. It also escapes a path anew if that
	// holds a character that must be escaped, which turns %2F into a slash. Both are
	// put right beforehand.
	authority, tail := splitAuthority(rest[2:])
	web := scheme == "http" || scheme == "https"
	if strings.Contains(authority, "@") {
		l.diag(diagURLCredentials, "url")
	} else if name, ok := weburl.DecodeHost(authority); web && ok && name != authority {
		if canonical, _, err := host.Split(name); err == nil && !isAddress(canonical) {
			authority = name // net/url refuses escapes there
		}
	}
	path, query, hasQuery := strings.Cut(tail, "?")
	clean := l.escape(path)
	if hasQuery {
		clean += "?" + l.escape(query)
	}
	u, err := url.Parse(scheme + "://" + authority + clean)
	if err != nil {
		return errSyntax // the text of a url.Error quotes the URL
	}
	if u.Host != "" || needsHost[scheme] {
		host, port, err := host.Split(u.Host)
		if err != nil {
			return fmt.Errorf("the host: %w", err)
		}
		u.Host = joinHost(host, port)
	}
	l.url = u
	if rfc5092.IsScheme(scheme) {
		// RFC 4467 section 6: a URLAUTH token covers the exact text.
		l.text = text
	}
	return nil
}

// escape percent-encodes the octets of a path or query that a URL cannot hold.
func (l *location) escape(s string) string {
	if !percent.Valid(s) {
		l.diag(DiagPercent, "url")
		var b strings.Builder
		for i := range len(s) {
			b.WriteByte(s[i])
			if _, ok := percent.Octet(s[i:]); s[i] == '%' && !ok {
				b.WriteString("25")
			}
		}
		s = b.String()
	}
	if strings.ContainsAny(s, "<>^`{|} ") {
		l.diag(diagURLEscaped, "url")
		s = string(percent.AppendEncode(nil, s, &unsafeInPath))
	}
	return s
}

// retrieves returns an error if the URL names no single object that could be retrieved
// (RFC 2017 section 2).
func (l *location) retrieves() error {
	switch l.url.Scheme {
	case "mailto", "telnet", "rlogin", "tn3270", "sip", "sips", "tel", "sms", "xmpp",
		"javascript", "vbscript", "about", "blob", "urn", "ldap", "ldaps":
		return fmt.Errorf("a %s: URL retrieves nothing", l.url.Scheme)
	case "news", "nntp":
		if !strings.Contains(l.url.Opaque+l.url.Path, "@") && strings.Count(l.url.Path, "/") < 2 {
			return errors.New("the URL of a newsgroup names no single object")
		}
	case "imap", "imaps":
		if !rfc5092.NamesMessage(l.text) {
			return errors.New("an imap: URL without a UID names no single object")
		}
	}
	return nil
}

var errControl = errors.New("has a CR, LF or NUL")

// A mode is the meaning of a MODE. other is true if RFC 2046 does not have that name.
type mode struct {
	transferType string
	other        bool
}

// The modes of ftp, which are representation types of RFC 959 section 3.1.1, apart from
// LOCALn, and the modes of tftp.
var (
	ftpModes = map[string]mode{
		"ascii": {"a", false}, "image": {"i", false}, "ebcdic": {"e", false},
		"binary": {"i", true}, "octet": {"i", true}, "tenex": {"l8", true},
	}
	tftpModes = map[string]mode{
		"netascii": {"netascii", false}, "octet": {"octet", false},
		"image": {"octet", true}, "binary": {"octet", true}, "ascii": {"netascii", true},
	}
)

// isAddrSpec reports whether s looks like one addr-spec (RFC 5322 section
// 3.4.1): a dot-atom, "@" and a domain, in US-ASCII.
func isAddrSpec(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || domain == "" {
		return false
	}
	special := func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>[]:;@\\,\"", c)
	}
	if strings.ContainsFunc(local, special) {
		return false
	}
	return strings.Trim(strings.ToLower(domain), ascii.Lower+ascii.Digits+".-") == ""
}

// segment percent-encodes a literal string, which becomes one segment of a path.
func segment(s string) string { return string(percent.AppendEncode(nil, s, &percent.Reserved)) }

// newLocation returns the location of an encoded path at a canonical host.
func newLocation(scheme, host, path string) *location {
	return &location{
		url: &url.URL{Scheme: scheme, Host: joinHost(host, 0), Path: string(percent.AppendDecode(nil, path)), RawPath: path},
	}
}

// String identifies the Reference in one line that is fit for logs: its ID, access type
// and URL.
func (r *Reference) String() string {
	s := cmp.Or(shown(r.AccessType), "no access type")
	if u := r.redacted(); u != "" {
		s += " " + u
	}
	if r.ID == "" {
		return s
	}
	return fmt.Sprintf("%s: %s", r.ID, s)
}

// open opens the text of the URL. Each error of the text is a [fetch.Error]: Local if the
// message cannot be read, and otherwise Malformed.
func (l *longURL) open() (io.ReadCloser, error) {
	src := message.NewErrReader(l.field.Reader(l.r))
	text := urlaccess.NewReader(param.NewValueReader(src, l.param))
	return io.NopCloser(&faultReader{text, func(err error) error {
		if err == io.EOF {
			return err
		}
		kind := fetch.Malformed
		if src.Failure() != nil {
			kind = fetch.Local
		}
		return &fetch.Error{Kind: kind, Err: err}
	}}), nil
}

// url returns as much of the URL as is held, without any of its data.
func (l *longURL) url() *url.URL {
	_, opaque, _ := strings.Cut(l.head, ":")
	return &url.URL{Scheme: "data", Opaque: opaque}
}

// shown returns the URL fit for logs.
func (l *longURL) shown() string { return redact.URL(l.located().String()) } // of a data: URL

// located returns the URL with the length of its data instead of the data.
func (l *longURL) located() *url.URL {
	u := l.url()
	u.Opaque += fmt.Sprintf(",(%d octets)", l.octets)
	return u
}

// longURL returns the URL of the parameter of that name if it is not held and was not
// replaced. Otherwise it returns nil.
func (r *Reference) longURL(param string) *longURL {
	if r.long == nil || r.long.param != param {
		return nil
	}
	if v, _ := r.Param(param); v != r.long.head {
		return nil
	}
	return r.long
}

type locateOptions struct {
	base    bool // relative URLs are resolved
	anySite bool // SITE may be an address, or a name of one label
}

var (
	errMissing  = errors.New("missing")
	errRelative = errors.New("a relative URL")
	errSyntax   = errors.New("not a URL that can be understood")
)

func isAddress(hostname string) bool {
	_, is := host.Addr(hostname)
	return is
}

// backslashInAuthority reports whether a URL has a backslash before its path.
func backslashInAuthority(text string) bool {
	_, rest, found := strings.Cut(text, ":")
	if !found {
		return false
	}
	rest = strings.TrimLeft(rest, "/ \t\r\n")
	i := strings.IndexAny(rest, `/?#\`)
	return i >= 0 && rest[i] == '\\'
}

// needsHost has the schemes that mean nothing without a server.
var needsHost = map[string]bool{
	"http": true, "https": true, "ftp": true, "ftps": true,
	"tftp": true, "imap": true, "imaps": true,
}

// splitAuthority splits the text after "//" at the end of the authority.
func splitAuthority(s string) (authority, tail string) {
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// unsafeInPath has the octets that may still be in the text of a URL here, although
// net/url does not accept them in an encoded path.
var unsafeInPath = percent.Set{'<': true, '>': true, '^': true, '`': true, '{': true, '|': true, '}': true, ' ': true}

// joinHost writes a canonical host and a port as in an authority.
func joinHost(host string, port uint16) string {
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		host = "[" + host + "]"
	}
	if port == 0 {
		return host
	}
	return host + ":" + strconv.Itoa(int(port))
}

// resolveBase resolves a relative URL (RFC 3986 section 5).
func resolveBase(base, rel string) (string, error) {
	u, err := url.Parse(base)
	if err == nil {
		u, err = u.Parse(rel)
	}
	if err != nil {
		return "", errSyntax
	}
	return u.String(), nil
}

// fault returns the error for a fault of the Reference. param is the parameter to
// blame, or "".
func (r *Reference) fault(kind fetch.Kind, param string, err error) error {
	if param != "" {
		err = fmt.Errorf("parameter %s: %w", param, err)
	}
	return &fetch.Error{Op: "reference", URL: r.redacted(), Kind: kind, Err: err}
}

// Redact makes a URL that belongs to the Reference, such as [Report].FinalURL, fit for
// logs. It removes user information, the values of the query and the fragment. If the
// URL as a whole is a credential, only scheme and host remain. Such a URL is
//
//   - a share link of a known host, wherever it stands,
//   - any URL of a Reference that a Dialect found, unless its own URL names a local file,
//     or whose own URL is a share link.
func (r *Reference) Redact(text string) string {
	switch a := r.url(); {
	case r.secret():
		return redact.Origin(text)
	case text != "" && text == a.text:
		return a.shown
	}
	return r.rules().URL(text)
}

// ShareHosts returns the hosts whose links are share links in the message of the Reference,
// besides the ones that are known; see [Dialect].Hosts. It is the field of that name of its
// Request. The caller must not change it.
func (r *Reference) ShareHosts() map[string]string {
	if r.source == nil {
		return nil
	}
	return r.source.message.hosts
}

// redacted returns the URL parameter fit for logs, or "".
func (r *Reference) redacted() string {
	if l := r.longURL("url"); l != nil {
		return l.shown()
	}
	if r.AccessType != "url" {
		return ""
	}
	a := r.url()
	if a.text != "" && r.secret() {
		return redact.Origin(a.text)
	}
	if len(a.param) > fetch.MaxURLBytes { // it was not analyzed
		if text, err := urlaccess.Decode(a.param); err == nil {
			return r.Redact(text)
		}
	}
	return a.shown
}
