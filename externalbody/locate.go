package externalbody

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/urlaccess"
)

// Locate returns the URL of the Reference with its fragment, for people and logs. It
// may be a URL that cannot be fetched.
//
// The URL may hold secrets. The Opaque field of a data: URL shares the memory of the
// parameter, and its String method copies the data. If Params do not have the data, the
// URL has its length in its place.
//
// The error is a [fetch.Error] of Kind Malformed, or Unsupported for an access type
// that is not known.
func (r *Reference) Locate() (*url.URL, error) {
	loc, err := r.location(locateOptions{anySite: true})
	if err != nil {
		return nil, err
	}
	u := *loc.url
	if loc.long != nil {
		u = *loc.long.located()
	}
	if loc.hasFragment {
		u.RawFragment = loc.fragment
		u.Fragment = string(percent.AppendDecode(nil, loc.fragment))
	}
	return &u, nil
}

// Request returns how to ask for the body: its URL as it is sent, and the other facts of
// the access type. The host of the URL is in canonical form, and there is no fragment.
// Limits and callbacks are left to the caller. Request uses no network.
//
// The error is a [fetch.Error] of one of these Kinds:
//
//   - Malformed, if the part lacks a parameter or contradicts itself, or if the URL is
//     relative,
//   - Unsupported, for an access type that is not known, and for a URL that retrieves
//     nothing, such as mailto: (RFC 2017 section 2),
//   - Blocked, for an http URL with credentials in it,
//   - Gone, for access type x-mutt-deleted, by which mail programs mark attachments
//     that their user has deleted.
func (r *Reference) Request() (*fetch.Request, error) {
	req, _, err := r.request(locateOptions{})
	return req, err
}

// usable returns why the Reference may not be resolved, whatever it refers to. If strict
// is true, a Diag is a reason.
func (r *Reference) usable(strict bool) error {
	if d, ok := r.firstDiag(); ok && (strict || r.strict) {
		return r.fault(fetch.Malformed, "", fmt.Errorf("strict: %s", d))
	}
	if r.conflict != "" {
		return r.fault(fetch.Malformed, r.conflict, errors.New("given twice, with different values"))
	}
	return nil
}

type locateOptions struct {
	base    bool // relative URLs are resolved
	anySite bool // SITE may be an address, or a name of one label
}

func (r *Reference) request(o locateOptions) (*fetch.Request, []Diag, error) {
	if err := r.usable(false); err != nil {
		return nil, nil, err
	}
	loc, err := r.location(o)
	if err != nil {
		return nil, nil, err
	}
	if err := loc.retrieves(); err != nil && r.AccessType == "url" {
		return nil, nil, r.fault(fetch.Unsupported, "url", err)
	}
	if loc.url.User != nil && (loc.url.Scheme == "http" || loc.url.Scheme == "https") {
		// RFC 9110 section 4.2.4.
		return nil, nil, r.fault(fetch.Blocked, "url", fetch.CauseCredentials.With(errors.New("credentials in an http URL")))
	}
	req := &fetch.Request{
		URL:          loc.url,
		Text:         loc.text,
		Secret:       r.secret(),
		MediaType:    r.MediaType,
		Name:         r.Name,
		Size:         max(r.Size, 0),
		ContentID:    r.ContentID,
		Login:        loc.login,
		TransferType: loc.transferType,
	}
	if loc.long != nil {
		req.Open = loc.long.open
	}
	return req, loc.diags, nil
}

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

// location finds the URL of the Reference. Each access type has its branch.
func (r *Reference) location(o locateOptions) (*location, error) {
	switch r.AccessType {
	case "":
		return nil, r.fault(fetch.Malformed, "access-type", errMissing)
	case "url":
		return r.urlLocation(o.base)
	case "ftp", "anon-ftp", "tftp":
		return r.transferLocation(o)
	case "local-file", "afs":
		return r.fileLocation()
	case "mail-server":
		return r.mailLocation()
	case "content-id":
		return r.contentIDLocation()
	case "x-http", "http":
		return r.httpLocation()
	case accessDeleted:
		return nil, r.deleted()
	}
	return nil, r.fault(fetch.Unsupported, "", fmt.Errorf("access type %.40q", r.AccessType))
}

var (
	errMissing  = errors.New("missing")
	errRelative = errors.New("a relative URL")
	errSyntax   = errors.New("not a URL that can be understood")
)

// urlLocation reads access-type=URL (RFC 2017 section 3).
func (r *Reference) urlLocation(useBase bool) (*location, error) {
	loc := &location{}
	name := "url"
	param, ok := r.Param(name)
	if !ok {
		name = "uri"
		// In RFC 4483 section 5.4 its name is URI, and in the examples there URL.
		if param, ok = r.Param(name); !ok {
			return nil, r.fault(fetch.Malformed, "url", errMissing)
		}
		loc.diag(DiagURIParam, "uri")
	}
	if l := r.longURL(name); l != nil {
		loc.url, loc.long = l.url(), l
		return loc, nil
	}
	text, repairs, err := urlaccess.DecodeReport(param)
	if err != nil {
		return nil, r.fault(fetch.Malformed, "url", err)
	}
	if slices.Contains(repairs, urlaccess.BackslashEncoded) && backslashInAuthority(param) {
		// Browsers end the host at a backslash, and other parsers take it for a user name.
		return nil, r.fault(fetch.Malformed, "url", errors.New("a backslash in the host"))
	}
	for _, rep := range repairs {
		loc.diag(DiagCode(rep), "url")
	}
	// The fragment is not sent (RFC 3986 section 3.5).
	text, loc.fragment, loc.hasFragment = urlaccess.SplitFragment(text)
	if loc.hasFragment {
		loc.diag(DiagFragment, "url")
	}
	scheme, ok := urlaccess.Scheme(text)
	if !ok && useBase && r.base != "" {
		if text, err = resolveBase(r.base, text); err != nil {
			return nil, r.fault(fetch.Malformed, "url", err)
		}
		scheme, ok = urlaccess.Scheme(text)
	}
	if !ok {
		// RFC 1738 section 2.1.
		return nil, r.fault(fetch.Malformed, "url", errRelative)
	}
	if err := loc.parse(scheme, text); err != nil {
		return nil, r.fault(fetch.Malformed, "url", err)
	}
	if enc := r.encoding(); strings.HasPrefix(scheme, "imap") && enc.Hides() {
		// The fetched section is encoded as in its own header. The phantom header
		// claims that encoding for the data. It must be undone only once: here.
		loc.transferType = "encoded"
	}
	return loc, nil
}

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

// parse sets url and text from the text of an absolute URL without fragment.
func (l *location) parse(scheme, text string) error {
	rest := text[len(scheme)+1:]
	if scheme == "data" {
		// The body must reach its decoder as it is, and without a copy.
		l.url, l.text = &url.URL{Scheme: scheme, Opaque: rest}, text
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
	if strings.Contains(authority, "@") {
		l.diag(DiagURLCredentials, "url")
	} else if name, ok := weburl.DecodeHost(authority); ok && name != authority && (scheme == "http" || scheme == "https") {
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
	if scheme == "imap" || scheme == "imaps" {
		// RFC 4467 section 6: a URLAUTH token covers the exact text.
		l.text = text
	}
	return nil
}

// needsHost has the schemes that mean nothing without a server.
var needsHost = map[string]bool{
	"http": true, "https": true, "ftp": true, "ftps": true,
	"tftp": true, "imap": true, "imaps": true,
}

// splitAuthority splits what follows "//" at the end of the authority.
func splitAuthority(s string) (authority, tail string) {
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// unsafeInPath has the octets that may still be in the text of a URL here, although
// net/url does not accept them in an encoded path.
var unsafeInPath = percent.Set{'<': true, '>': true, '^': true, '`': true, '{': true, '|': true, '}': true, ' ': true}

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
		l.diag(DiagURLEscaped, "url")
		s = string(percent.AppendEncode(nil, s, &unsafeInPath))
	}
	return s
}

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
		if !strings.Contains(strings.ToLower(l.text), "/;uid=") {
			return errors.New("an imap: URL without a UID names no single object") // RFC 5092 section 4
		}
	}
	return nil
}

// fault returns the error for a fault of the Reference. param is the parameter to
// blame, or "".
func (r *Reference) fault(kind fetch.Kind, param string, err error) error {
	if param != "" {
		err = fmt.Errorf("parameter %s: %w", param, err)
	}
	return &fetch.Error{Op: "reference " + r.ID, URL: r.redacted(), Kind: kind, Err: err}
}

// secret reports whether the URL as a whole is a credential. The URL of a share link is
// one: anybody who has it has the file.
func (r *Reference) secret() bool { return r.Dialect != "" || r.shared || r.analyzed.credential }

// Redact makes a URL that belongs to the Reference, such as [Report].FinalURL, fit for
// logs. It removes user information, the values of the query and the fragment. If the
// URL as a whole is a credential, only scheme and host remain. Such a URL is
//
//   - a share link of a known host, wherever it stands,
//   - any URL of a Reference that a Dialect found, or whose own URL is a share link.
func (r *Reference) Redact(text string) string {
	switch a := r.url(); {
	case r.secret():
		return redact.Origin(text)
	case text != "" && text == a.text:
		return a.shown
	}
	return redact.URL(text)
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
