// Package unwrap recovers the URLs that mail gateways and mail programs have
// wrapped. It does so from the text of the wrapping URL alone and contacts no server:
// a gateway that is asked may count that as a click and report it.
//
// The result is the URL that was wrapped, octet for octet, as far as the wrapper
// kept it. If the text does not contain it, the wrapper stays.
//
// Several goroutines may call all functions at once.
package unwrap

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// maxNested bounds wrappers within wrappers. Mail that was forwarded through several
// companies has three. Each level takes time linear in the length of the text.
const maxNested = 8

// The reasons why a wrapper stays.
var (
	// ErrNoTarget means that the part of the wrapper that should hold the wrapped
	// URL is missing, or that there are two of them.
	ErrNoTarget = errors.New("the wrapper has no target in it")

	// ErrEncoding means that this part is not encoded as the wrapper does it.
	ErrEncoding = errors.New("the target is not encoded as this wrapper does it")

	// ErrTarget means that the wrapped text is not an absolute http or https URL;
	// see [weburl.Parse].
	ErrTarget = errors.New("the target is no http URL")

	// ErrNested means that there are more than 8 wrappers within one another.
	ErrNested = errors.New("too many wrappers within one another")
)

// errOpaque is returned by undo for a wrapper that has a token instead of the
// wrapped URL.
var errOpaque = errors.New("opaque")

// A Result is the URL inside others.
type Result struct {
	// URL is the innermost URL that was found. It is the text itself if that is
	// not a wrapper.
	URL string

	// Wrappers are the names of the wrappers that were found, outermost first. All
	// of them were undone, with one exception: if Opaque is set or Err is ErrNoTarget,
	// ErrEncoding or ErrTarget, URL is the last one. If Err is ErrNested, URL is one
	// more wrapper, which is not named.
	Wrappers []string

	// Opaque is true if URL is a wrapper that only its maker can undo.
	Opaque bool

	// Err is the reason why URL is a wrapper that could not be undone: ErrNoTarget,
	// ErrEncoding, ErrTarget or ErrNested. It is nil otherwise, and if Opaque is set.
	Err error
}

// URL undoes the wrappers around text, which is a URL as written in a message, with
// the character references of HTML decoded. A text that is not a URL is returned
// unchanged.
func URL(text string) Result {
	r := Result{URL: text}
	for {
		u, ok := weburl.Parse(r.URL)
		if !ok {
			return r
		}
		w := find(u)
		if w == nil {
			return r
		}
		if len(r.Wrappers) == maxNested {
			r.Err = ErrNested
			return r
		}
		r.Wrappers = append(r.Wrappers, w.name)
		target, err := w.undo(u, r.URL)
		target = strings.ReplaceAll(target, " ", "%20") // as browsers do
		if _, ok := weburl.Parse(target); err == nil && !ok {
			err = ErrTarget
		}
		switch {
		case err == errOpaque:
			r.Opaque = true
			return r
		case err != nil:
			r.Err = err
			return r
		}
		r.URL = target
	}
}

// A wrapper is one form of wrapping and how to undo it.
type wrapper struct {
	// name is the name in Result.Wrappers.
	name string

	// hosts are the hosts that have the form. One that begins with a dot stands
	// for all hosts below it. Without hosts, any host may have it.
	hosts []string

	// paths are the paths that have the form. One that ends with "/" stands for
	// all paths that begin with it. Without paths, any path may have it.
	paths []string

	// is reports whether u has the form, for a u whose host and path do. It may be
	// nil.
	is func(u weburl.URL) bool

	// undo returns the URL that u wraps. text is u as written.
	undo func(u weburl.URL, text string) (string, error)
}

// find returns the wrapper whose form u has, or nil.
func find(u weburl.URL) *wrapper {
	var buf [8]int
	for _, i := range wrappersByHost.AppendRows(buf[:0], u.Host) {
		if w := &wrappers[i]; w.match(u) {
			return w
		}
	}
	return nil
}

// MayWrap reports whether [URL] may find a wrapper in a URL at a host. host is in
// canonical form, and rest is the text of the URL after it, or the beginning of that.
func MayWrap(host string, rest []byte) bool {
	if wrappersByHost.Has(host) {
		return true
	}
	for i, c := range rest {
		if c <= ' ' || c == '?' || c == '#' {
			break
		}
		if i > 0 && rest[i-1] == '/' && (c == '.' || c == '%') {
			return true // perhaps a dot segment
		}
	}
	return slices.ContainsFunc(anyHost, func(path []byte) bool { return bytes.HasPrefix(rest, path) })
}

// anyHost has the paths of the wrappers for any host.
var anyHost = func() (paths [][]byte) {
	for _, w := range wrappers {
		if len(w.hosts) == 0 {
			for _, p := range w.paths {
				paths = append(paths, []byte(p))
			}
		}
	}
	return paths
}()

// wrappersByHost has the rows of wrappers by host.
var wrappersByHost = weburl.NewHosts(wrappers, func(w wrapper) []string { return w.hosts })

// match reports whether u, whose host is one of w, has the form.
func (w *wrapper) match(u weburl.URL) bool { return w.hasPath(u.Path) && (w.is == nil || w.is(u)) }

func (w *wrapper) hasPath(path string) bool {
	for _, p := range w.paths {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return len(w.paths) == 0
}

// wrappers is the table of known wrappers. The first row that matches a URL counts. A
// comment above each row has the source of the form:
//
//   - mail: links in public mail archives
//   - saved messages: links in messages that were saved as files
//   - maker: the maker's own program or documentation
//   - programs: independent programs that undo it
var wrappers = []wrapper{
	// Mail, programs. The first label of the host is a region such as eur01. The path of
	// links to Office documents begins with /ap/w-59584e83/. The last host is for the cloud of
	// governments.
	{name: "safelinks", hosts: []string{".safelinks.protection.outlook.com", "safelinks.protection.outlook.com", ".safelinks.protection.office365.us"}, undo: param("url")},
	// Programs. Teams shows it instead of a link.
	{name: "safelinks", hosts: []string{"statics.teams.cdn.office.net"}, paths: []string{"/evergreen-assets/safelinks/"}, undo: param("url")},
	// Maker's documentation: the address of a file in a channel of Teams. QUIRK: mail and
	// the documentation write the parameter in different cases.
	{name: "teams", hosts: []string{"teams.microsoft.com"}, paths: []string{"/l/file/"}, undo: param("objectUrl", "objectURL")},
	// Maker: its decoder for versions 1 to 3.
	{name: "proofpoint-v1", hosts: proofpoint, paths: []string{"/v1/url"}, undo: proofpointV1},
	{name: "proofpoint-v2", hosts: proofpoint, paths: []string{"/v2/url"}, undo: proofpointV2},
	{name: "proofpoint-v3", hosts: proofpoint, paths: []string{"/v3/"}, undo: proofpointV3},
	// Mail.
	{name: "barracuda", hosts: []string{"linkprotect.cudasvc.com"}, paths: []string{"/url"}, undo: param("a")},
	// Mail. Search results have the target in url and the search words in q.
	{name: "google", paths: []string{"/url"}, is: isGoogle, undo: google},
	// Saved messages. Gmail shows images from its proxy. The fragment is the image's own
	// URL.
	{name: "google-image-proxy", hosts: []string{".googleusercontent.com"}, paths: []string{"/proxy/", "/meips/"}, is: hostIs(`^ci[0-9]\.`), undo: fragment},
	// Mail.
	{name: "fireeye", hosts: []string{"protect2.fireeye.com", "protect.fireeye.com"}, paths: []string{"/v1/url", "/url"}, undo: param("u")},
	// Mail. Each customer has a host below a domain of the maker.
	{name: "trendmicro", hosts: []string{".trendmicro.com", ".asiainfo-sec.com"}, paths: []string{"/wis/clicktime/v1/query"}, undo: param("url")},
	// Files in public repositories.
	{name: "symantec", hosts: []string{"clicktime.symantec.com"}, undo: param("u")},
	// Mail, programs. An older form has a token in q and no u.
	{name: "sophos", hosts: []string{".protection.sophos.com"}, is: isRoot, undo: sophos},
	// Mail. The first segment of the path is a token, and the rest is the target.
	{name: "cisco", hosts: []string{"secure-web.cisco.com"}, undo: cisco},
	// Files in public repositories. From r02 on, letters may be shifted in version 2. The
	// target is then not an http URL, and the wrapper stays.
	{name: "checkpoint", hosts: []string{"url.avanan.click", "protect.checkpoint.com", ".url-protection.com"}, paths: []string{"/v2/"}, undo: checkpoint},
	{name: "checkpoint", hosts: []string{".url-protection.com"}, paths: []string{"/v1/"}, undo: param("o")},
	// Programs.
	{name: "esva", hosts: []string{"urlsand.esvalabs.com"}, undo: param("u")},
	// Mail, programs. Click tracking of Amazon's mail service.
	{name: "awstrack", hosts: []string{".awstrack.me"}, paths: []string{"/L0/"}, undo: awstrack},
	// Mail in list archives and newsletters: the same at a host of the sender.
	{name: "awstrack", paths: []string{"/L0/", "/CL0/"}, is: isTrack, undo: awstrack},
	// Mail in list archives. The gateway runs at a host of the customer.
	{name: "fortimail", paths: []string{"/fmlurlsvc/"}, undo: param("url")},
	// Mail. Outlook on the web at an organisation's own Exchange wraps the links in quoted text.
	{name: "owa", paths: []string{"/owa/redir.aspx", "/OWA/redir.aspx", "/exchweb/bin/redir.asp"}, undo: param("URL")},
	// Saved messages. The path begins with /safeproxy/ for customers of Microsoft or
	// Google.
	{name: "vadesecure", hosts: []string{".vadesecure.com"}, paths: []string{"/v3", "/v4", "/safeproxy/v3", "/safeproxy/v4"}, undo: param("u")},
	// Files in public repositories. The same maker has the second host (programs).
	{name: "edgepilot", hosts: []string{"link.edgepilot.com", "link.zixcentral.com"}, paths: []string{"/s/", "/x/", "/u/"}, undo: param("u")},
	// Mail in list archives. It also encodes the full stops.
	{name: "trustwave", hosts: []string{"scanmail.trustwave.com"}, undo: param("u")},
	// Files in public repositories for the first, programs for the second.
	{name: "proofpoint-isolation", hosts: []string{"urlisolation.com"}, paths: []string{"/browser"}, undo: param("url")},
	{name: "titanhq", hosts: []string{"linklock.titanhq.com"}, paths: []string{"/analyse"}, undo: param("url")},
	// Files in public repositories. A form without u has only a token.
	{name: "hornetsecurity", hosts: []string{"atpscan.global.hornetsecurity.com"}, undo: paramOrToken("u")},
	// Saved messages: notices of Microsoft's services.
	{name: "azure", hosts: []string{".safelink.emails.azure.net"}, paths: []string{"/redirect/"}, undo: param("destination")},
	// Mail. The webmail of GMX, WEB.DE, 1&1 and mail.com wraps the links in quoted text.
	{name: "deref", hosts: []string{"deref-gmx.net", "deref-gmx.com", "deref-web.de", "deref-web-02.de", "deref-mail.com", "deref-1und1.de"}, paths: []string{"/mail/client/"}, undo: param("redirectUrl")},
	// Programs. The webmail of Mail.ru, Yandex and QQ does the same.
	{name: "mail.ru", hosts: []string{"checklink.mail.ru", "click.mail.ru", "clicker.mail.ru"}, paths: []string{"/proxy", "/redir"}, undo: param("url", "u")},
	{name: "yandex", hosts: []string{"sba.yandex.net"}, paths: []string{"/redirect"}, undo: param("url")},
	{name: "qq", hosts: []string{"wx.mail.qq.com", "mail.qq.com", "exmail.qq.com"}, paths: []string{"/xmspamcheck/xmsafejump", "/cgi-bin/mail_spam", "/cgi-bin/readtemplate"}, undo: param("gourl", "url")},
	// Files in public repositories. People copy such links from these services into mail.
	{name: "facebook", hosts: []string{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "l.messenger.com"}, paths: []string{"/l.php"}, undo: param("u")},
	{name: "instagram", hosts: []string{"l.instagram.com"}, undo: param("u")},
	{name: "linkedin", hosts: []string{"www.linkedin.com", "linkedin.com"}, paths: []string{"/redir/redirect", "/safety/go"}, undo: param("url")},
	{name: "slack", hosts: []string{"slack-redir.net"}, paths: []string{"/link"}, undo: param("url")},
	{name: "vk", hosts: []string{"vk.com", "m.vk.com", "vk.ru"}, paths: []string{"/away.php"}, undo: param("to")},
	// Files in public repositories. These pages show a file from anywhere.
	{name: "viewer", hosts: []string{"docs.google.com", "drive.google.com", "view.officeapps.live.com"}, paths: []string{"/viewer", "/gview", "/viewerng/viewer", "/op/view.aspx", "/op/embed.aspx"}, is: func(u weburl.URL) bool { return strings.Contains(u.Query, "=http") }, undo: param("url", "src")},
	// Saved messages. Click tracking of mail services. Postmark leaves out the scheme.
	{name: "postmark", hosts: []string{"click.pstmrk.it"}, undo: postmark},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click/"}, undo: mandrill},
	{name: "mandrill", hosts: []string{"mandrillapp.com"}, paths: []string{"/track/click.php"}, undo: param("url")},
	// Maker's documentation. The token is a key in the maker's database. A region follows the
	// first word of the host.
	{name: "mimecast", hosts: []string{".mimecast.com", ".mimecastprotect.com"}, paths: []string{"/s/"}, is: hostIs(`^protect(-[^.]*)?\.|protect\.com$`), undo: opaque},
}

// proofpoint are the hosts of all versions. urldefense.us is for the cloud of
// governments, seen in mail.
var proofpoint = []string{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}

// Join puts together a URL that was broken over lines in running text, and perhaps
// quoted. text is the text between "<" and ">", where white space is not part of a URL
// (RFC 3986 appendix C). Join removes
//
//   - all spaces, tabs and line ends,
//   - the quote marks ">" at the beginning of each line after the first.
func Join(text string) string {
	if !strings.ContainsAny(text, " \t\r\n") {
		return text
	}
	return broken.ReplaceAllString(text, "")
}

var broken = regexp.MustCompile("[\r\n][\r\n\t >]*|[\t ]+")
