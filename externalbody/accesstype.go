package externalbody

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

var errControl = errors.New("has a CR, LF or NUL")

// argument returns a parameter that becomes an argument of a command. It refuses a line
// end or NUL, which would begin another command.
func (r *Reference) argument(name string) (string, error) {
	v, ok := r.Param(name)
	switch {
	case !ok || v == "":
		return "", r.fault(fetch.Malformed, name, errMissing)
	case strings.ContainsAny(v, "\r\n\x00"):
		return "", r.fault(fetch.Malformed, name, errControl)
	}
	return v, nil
}

// site returns the parameter SITE as a host in canonical form: a fully qualified domain
// name (RFC 2046 section 5.2.3.2). It refuses an address, or a name of one label,
// unless the caller has opened the networks in which these mean something.
func (r *Reference) site(o locateOptions) (string, error) {
	v, err := r.argument("site")
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(v, "$%{}") {
		return "", r.fault(fetch.Malformed, "site", errors.New("an unexpanded template"))
	}
	hostname, err := host.Canonical(strings.TrimSpace(v))
	if err != nil {
		return "", r.fault(fetch.Malformed, "site", err)
	}
	if o.anySite {
		return hostname, nil
	}
	if isAddress(hostname) {
		return "", r.fault(fetch.Malformed, "site", errors.New("an address, where a domain name belongs"))
	}
	if host.SingleLabel(hostname) {
		return "", r.fault(fetch.Malformed, "site", errors.New("no fully qualified domain name"))
	}
	return hostname, nil
}

// transferLocation reads the access types FTP, ANON-FTP and TFTP (RFC 2046 sections 5.2.3.2
// and 5.2.3.3).
//
//   - DIRECTORY is the argument of one CWD and NAME the argument of one RETR, literally:
//     each becomes one segment of an ftp: URL.
//   - tftp has no directories: the file is DIRECTORY, a slash and NAME.
func (r *Reference) transferLocation(o locateOptions) (*location, error) {
	host, err := r.site(o)
	if err != nil {
		return nil, err
	}
	name, err := r.argument("name")
	if err != nil {
		return nil, err
	}
	dir, _ := r.Param("directory")
	if dir != "" {
		if dir, err = r.argument("directory"); err != nil {
			return nil, err
		}
	}
	if r.AccessType == "tftp" {
		if dir != "" && !strings.HasSuffix(dir, "/") {
			dir += "/"
		}
		loc := newLocation("tftp", host, "/"+segment(dir+name))
		return loc, loc.setMode(r, tftpModes, "netascii")
	}
	path := "/"
	if dir != "" {
		path += segment(dir) + "/"
	}
	loc := newLocation("ftp", host, path+segment(name))
	loc.login = fetch.LoginRequired
	if r.AccessType == "anon-ftp" {
		loc.login = fetch.LoginAnonymous
	}
	return loc, loc.setMode(r, ftpModes, "a")
}

// A mode is what a MODE means. other is true if RFC 2046 does not have that name.
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

// setMode reads MODE. The default is text, whatever the media type.
func (l *location) setMode(r *Reference, modes map[string]mode, text string) error {
	v, ok := r.Param("mode")
	name := strings.ToLower(strings.TrimSpace(v))
	m, known := modes[name]
	if bits, local := strings.CutPrefix(name, "local"); local && !known && l.url.Scheme == "ftp" {
		n, err := strconv.ParseUint(strings.TrimSpace(bits), 10, 8)
		m.transferType, known = "l"+strconv.FormatUint(n, 10), err == nil && n > 0
	}
	switch {
	case !ok:
		m.transferType = text
		if !strings.HasPrefix(r.MediaType, "text/") {
			l.diag(DiagNoMode, "mode")
		}
	case name == "mail" && l.url.Scheme == "tftp":
		// RFC 1350 section 5: in mode mail the name is a recipient.
		return r.fault(fetch.Unsupported, "mode", errors.New("mail retrieves nothing"))
	case !known:
		return r.fault(fetch.Malformed, "mode", fmt.Errorf("%.20q is no mode of %s", v, l.url.Scheme))
	case m.other:
		l.diag(DiagModeName, "mode")
	}
	l.transferType = m.transferType
	return nil
}

// fileLocation reads the access types LOCAL-FILE (RFC 2046 section 5.2.3.4) and AFS
// (RFC 1521 section 7.3.3.3). SITE is a domain name of the machines that have the file,
// in which "*" stands for any part. It becomes the host of a file: URL.
func (r *Reference) fileLocation() (*location, error) {
	name, err := r.argument("name")
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(name, "/") {
		return nil, r.fault(fetch.Unsupported, "name", errors.New("no absolute path of this system"))
	}
	if r.AccessType == "afs" && !strings.HasPrefix(name, "/afs/") {
		return nil, r.fault(fetch.Malformed, "name", errors.New("not below /afs"))
	}
	site := ""
	if v, ok := r.Param("site"); ok {
		site = strings.ToLower(strings.TrimSpace(v))
		if site == "" || strings.Trim(site, "abcdefghijklmnopqrstuvwxyz0123456789.-_*") != "" {
			return nil, r.fault(fetch.Malformed, "site", errors.New("no domain name or pattern of one"))
		}
	}
	segments := strings.Split(name, "/")
	for i := range segments {
		segments[i] = segment(segments[i])
	}
	return newLocation("file", site, strings.Join(segments, "/")), nil
}

// mailLocation reads the access type MAIL-SERVER (RFC 2046 section 5.2.3.5) as a
// mailto: URL (RFC 6068) with SUBJECT and the phantom body.
func (r *Reference) mailLocation() (*location, error) {
	server, err := r.argument("server")
	if err != nil {
		return nil, err
	}
	server = strings.TrimSpace(server)
	if !isAddrSpec(server) {
		return nil, r.fault(fetch.Malformed, "server", errors.New("not one mail address"))
	}
	local, domain, _ := strings.Cut(server, "@")
	text := segment(local) + "@" + segment(domain)
	sep := "?"
	if subject, ok := r.Param("subject"); ok {
		if strings.ContainsFunc(subject, func(c rune) bool { return c < ' ' || c > '~' }) {
			return nil, r.fault(fetch.Malformed, "subject", errors.New("not printable US-ASCII"))
		}
		text += sep + "subject=" + segment(subject)
		sep = "&"
	}
	if len(r.phantomBody) > 0 {
		body := strings.ReplaceAll(string(r.phantomBody), "\r\n", "\n")
		text += sep + "body=" + segment(strings.ReplaceAll(body, "\n", "\r\n"))
	}
	loc := &location{url: &url.URL{Scheme: "mailto", Opaque: text}, text: "mailto:" + text}
	return loc, nil
}

// isAddrSpec reports whether s looks like one addr-spec (RFC 5322 section
// 3.4.1): a dot-atom, "@" and a domain, in US-ASCII.
func isAddrSpec(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || domain == "" || strings.ContainsFunc(local, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>[]:;@\\,\"", c)
	}) {
		return false
	}
	return strings.Trim(strings.ToLower(domain), "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

// segment percent-encodes a literal string, which becomes one segment of a path.
func segment(s string) string { return string(percent.AppendEncode(nil, s, &percent.Reserved)) }

// newLocation returns the location of an encoded path at a canonical host.
func newLocation(scheme, host, path string) *location {
	return &location{url: &url.URL{Scheme: scheme, Host: joinHost(host, 0), Path: string(percent.AppendDecode(nil, path)), RawPath: path}}
}

func (l *location) diag(code DiagCode, param string) {
	l.diags = append(l.diags, Diag{Code: code, Param: param})
}

// contentIDLocation reads the access type CONTENT-ID (RFC 1873). The part that is meant
// has the Content-ID of the part itself.
func (r *Reference) contentIDLocation() (*location, error) {
	if r.ContentID == "" {
		return nil, r.fault(fetch.Malformed, "content-id", errMissing)
	}
	id := message.BareID(r.ContentID)
	return &location{url: &url.URL{Scheme: "cid", Opaque: segment(id)}}, nil
}

// accessDeleted is the access type by which mutt marks an attachment that its user has
// deleted. The phantom header is the header of the attachment. EXPIRATION is when it
// was deleted, and LENGTH its length in the message. Dialects express the marks of
// other programs in it.
const accessDeleted = "x-mutt-deleted"

// deleted returns the error for an attachment that was deleted.
func (r *Reference) deleted() error {
	err := errors.New("deleted from the message by its recipient")
	if !r.Expiration.IsZero() {
		err = fmt.Errorf("%w at %s", err, r.Expiration.UTC().Format(time.RFC3339))
	}
	return r.fault(fetch.Gone, "", err)
}

// httpLocation reads the access type X-HTTP of 1993, which is older than URL. It has
// HOST, PORT, PATH and X-ANCHOR. QUIRK: one of the two known samples has NAME instead
// of PATH.
func (r *Reference) httpLocation() (*location, error) {
	host, err := r.argument("host")
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(host, "/\\?#@") {
		return nil, r.fault(fetch.Malformed, "host", errSyntax)
	}
	text := "http://" + strings.TrimSpace(host)
	if port, ok := r.Param("port"); ok {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return nil, r.fault(fetch.Malformed, "port", errSyntax)
		}
		text += ":" + port
	}
	path, ok := r.Param("path")
	if !ok {
		path, _ = r.Param("name")
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	if text, err = urlaccess.Decode(text + path); err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	loc := &location{}
	text, loc.fragment, loc.hasFragment = urlaccess.SplitFragment(text)
	if anchor, ok := r.Param("x-anchor"); ok && !loc.hasFragment {
		loc.fragment, loc.hasFragment = anchor, true
	}
	if err := loc.parse("http", text); err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	return loc, nil
}
