package externalbody

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

// argument returns a parameter that becomes an argument of a command. It refuses a line
// end or NUL, which would start another command.
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
		return "", r.fault(
			fetch.Blocked, "site", fetch.CauseAddress.With(fmt.Errorf("the address %s, where a domain name belongs", hostname)),
		)
	}
	if host.SingleLabel(hostname) {
		return "", r.fault(fetch.Blocked, "site", fetch.CauseName.With(fmt.Errorf("%s is no fully qualified domain name", hostname)))
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
		dir, err = r.argument("directory")
		if err != nil {
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
		if site == "" || strings.Trim(site, ascii.Lower+ascii.Digits+".-_*") != "" {
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
	text, err = urlaccess.Decode(text + path)
	if err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	loc := &location{}
	text, loc.fragment, loc.hasFragment = strings.Cut(text, "#")
	if anchor, ok := r.Param("x-anchor"); ok && !loc.hasFragment {
		loc.fragment = anchor
		loc.hasFragment = true
	}
	if err := loc.parse("http", text); err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	return loc, nil
}

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
//   - Blocked, for an http URL with credentials in it, and for a SITE that is an address or a name of
//     one label (RFC 2046 section 5.2.3.2), which Resolver.AnySite allows,
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
	req.ShareHosts = r.ShareHosts()
	if loc.long != nil {
		req.Open = loc.long.open
	}
	return req, loc.diags, nil
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

// urlLocation reads access-type=URL (RFC 2017 section 3).
func (r *Reference) urlLocation(useBase bool) (*location, error) {
	loc := &location{}
	name := "url"
	param, ok := r.Param(name)
	if !ok {
		name = "uri"
		// In RFC 4483 section 5.4 its name is URI, and in the examples there URL.
		param, ok = r.Param(name)
		if !ok {
			return nil, r.fault(fetch.Malformed, "url", errMissing)
		}
		loc.diag(diagURIParam, "uri")
	}
	if l := r.longURL(name); l != nil {
		loc.url = l.url()
		loc.long = l
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
	text, loc.fragment, loc.hasFragment = strings.Cut(text, "#")
	if loc.hasFragment {
		loc.diag(diagFragment, "url")
	}
	scheme, ok := urlaccess.Scheme(text)
	if !ok && useBase && r.base != "" {
		text, err = resolveBase(r.base, text)
		if err != nil {
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
	if enc := r.encoding(); rfc5092.IsScheme(scheme) && enc.Hides() {
		// The fetched section is encoded as in its own header. The phantom header
		// claims that encoding for the data. It must be undone only once: here.
		loc.transferType = "encoded"
	}
	return loc, nil
}
