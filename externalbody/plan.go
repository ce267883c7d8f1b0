package externalbody

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/wording"
)

// A Plan lists the consequences of resolving a Reference: the hosts that it would
// contact, the facts that they would learn, and how the result would be verified (RFC
// 2046 section 5.2.3.6). It consists of facts and codes and can be marshaled as JSON.
// String puts it in words. Making a Plan uses no network.
type Plan struct {
	// ID is a digest of everything that decides which body is fetched and accepted: the
	// exact request, all parameters, the phantom header with its digests, and the
	// settings of the Resolver except its functions, Fetcher and time limits. If the
	// body is in the message around the Reference, ID covers the octets of that
	// message, and Plan reads them.
	//
	// Plans with the same ID ask the same of the same hosts, and accept the same
	// bodies. A program may keep a decision about a Plan, or a fetched body, under the
	// ID. Sender is not part of the ID. Plans for the same body may have different IDs.
	// An ID does not reveal the URL, but it confirms a URL that was guessed.
	ID string `json:"id"`

	// Ref is the Reference, with all that the message says of the body: its name, media type, size, provider
	// and expiration. It is nil only in a Plan that no Resolver made. In JSON these facts are
	// members of the Plan.
	Ref *Reference `json:"-"`

	// Sender is the address that the message around the Reference is from, as returned
	// by the function Sender. It is "" if that is not known. It is also "" for a
	// message within the message: forwarding a reference is not sending it, and the
	// forwarded header can have any address. Reference.Sender is only the one that a caller set.
	Sender string `json:"sender,omitempty"`

	// URL is the URL to ask for, fit for logs. Scheme, Host and Path are its parts. Host
	// is canonical, with the port if the URL has one. If the URL as a whole is a
	// credential, such as a share link, URL has only the host, and Path is "".
	URL    string `json:"url,omitempty"`
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"`
	Path   string `json:"path,omitempty"`

	// Hop is true if a server redirected to this URL. From is the host of that server.
	Hop  bool   `json:"hop,omitempty"`
	From string `json:"from,omitempty"`

	// Direct is the host, with the port if the URL has one, that has the file of a
	// share link, if that is known and not Host. A fetcher that knows the link asks
	// Direct instead of Host. That counts as a redirect, so Approve is asked again with
	// a Plan whose Host is Direct; a Consent that has allowed this Plan allows that one
	// without a question.
	Direct string `json:"direct,omitempty"`

	// Login is how we would log in: "" not at all, "anonymous", "url" with credentials
	// in the URL, "credentials" with those that Resolver.Credentials returns.
	Login string `json:"login,omitempty"`

	// Account is the account at a file host with which the link may be asked for, or nil. The
	// API of the host is then asked, and leads to the octets; the consent to this Plan covers the hosts
	// that Account has. Approve is asked again about any other host. In JSON it is the name of
	// the account. See package accountfetch.
	Account *record.Account `json:"-"`

	// AsOf is the time of the version of the file that is asked for with Account; zero for the present one.
	AsOf time.Time `json:"as_of,omitzero"`

	// Discloses lists the facts that others would learn.
	Discloses []Disclosure `json:"discloses,omitempty"`

	// Secure is true if the transport is encrypted and the server identified.
	Secure bool `json:"secure"`

	// Capture is how the body would relate to the one that the message refers to, if
	// that is known beforehand; see Report.Capture.
	Capture fetch.Capture `json:"capture,omitempty"`

	// Once is true if each fetch uses up one of the downloads that the host allows.
	Once bool `json:"once,omitempty"`

	MaxBytes int64 `json:"max_bytes"`         // negative: no limit
	Expired  bool  `json:"expired,omitempty"` // the Expiration of the Reference is over

	// Checks names the facts that the body would be compared with: "media-type",
	// "size", "md5", and so on. A body that differs is an error, but for the size: that
	// is a warning unless Resolver.Judge refuses it, or with Strict.
	Checks []string `json:"checks,omitempty"`

	// Kind and Reason describe the error with which resolving would fail at once.
	// Kind is 0 if the outcome depends on the network or on Approve. Cause is the
	// fetch.Cause of Kind Blocked, in one word, or "".
	Kind   fetch.Kind `json:"kind,omitempty"`
	Cause  string     `json:"cause,omitempty"`
	Reason string     `json:"reason,omitempty"`

	// NeedsMessage is true if Kind is Unsupported because the body is in the message and
	// only a piece of the message is at hand; see ErrWholeMessage.
	NeedsMessage bool `json:"needs_message,omitempty"`

	// Diags are those of the Reference, and the faults of asking for it.
	Diags []Diag `json:"warnings,omitempty"`

	// allowed has the Consents that allowed a Plan with Direct. Its redirects share it.
	// announced is true for the redirect to Direct.
	allowed   *sync.Map
	announced bool

	err     error
	anyType bool     // the media type that is only the default counts for nothing
	strict  bool     // another size is an error
	judged  bool     // Judge decides about another size
	secret  bool     // the URL as a whole is a credential
	address bool     // a mail address is the password of anonymous logins
	message *Message // the one that the Reference is in; nil if it is not known
}

// A Disclosure is a fact that a host would learn.
type Disclosure struct {
	To string `json:"to"` // a host, "dns" for those who resolve names, or "the sender" of a remote image
	// What is the kind of the fact:
	//   - "address": our address
	//   - "reading": that and when the message is processed
	//   - "host": the name that is asked for
	//   - "anonymous-password", "mail-address": the configured mail address
	//   - "account": the account that asks, which the owner of the file can see
	What string `json:"what"`
}

// setLink fills in the facts about a share link, which may be nil.
func (p *Plan) setLink(l *sharelink.Link) {
	switch {
	case p.Scheme == "data", within(p.Scheme):
		p.Capture = fetch.CaptureDeclared
	case l != nil && l.Rendition:
		p.Capture = fetch.CaptureRendition
	}
	if l == nil {
		return
	}
	p.Once = l.Once
	// A fetcher that knows the host asks for the file itself, which can be on another
	// host.
	direct, err := url.Parse(cmp.Or(l.Direct, l.Ask))
	if err != nil || direct.Host == "" || direct.Hostname() == (&url.URL{Host: p.Host}).Hostname() {
		return
	}
	p.Direct = direct.Host
	p.allowed = new(sync.Map)
	p.Discloses = append(p.Discloses, Disclosure{direct.Hostname(), "address"}, Disclosure{direct.Hostname(), "reading"})
}

// setAccount fills in the facts about an account, which may be nil.
func (p *Plan) setAccount(a *record.Account, asOf time.Time) {
	if a == nil {
		return
	}
	p.Account = a
	p.AsOf = asOf
	p.Discloses = append(p.Discloses, Disclosure{a.API, "account"})
}

// accountName returns the name of Account, or "".
func (p *Plan) accountName() string {
	if p.Account == nil {
		return ""
	}
	return p.Account.Name
}

// asks returns the end of a sentence about Account.
func (p *Plan) asks() string {
	a := p.Account
	who := shown(a.Name)
	if a.User != "" {
		who = shown(a.User) + " (" + who + ")"
	}
	text := ", asked at " + shown(a.API) + " as " + who
	if !p.AsOf.IsZero() {
		text += ", as it was on " + p.AsOf.UTC().Format("2 January 2006")
	}
	return text
}

// covers reports whether the consent to a Plan with Account is about a URL that a redirect leads to.
func (p *Plan) covers(to *url.URL) bool {
	if p.Account == nil || to.Scheme != "https" {
		return false
	}
	return to.Host == p.Account.API || slices.ContainsFunc(p.Account.Contents, func(h string) bool {
		return to.Host == h || strings.HasPrefix(h, ".") && strings.HasSuffix(to.Host, h)
	})
}

func (p *Plan) refuse(err error) {
	p.err = err
	p.NeedsMessage = errors.Is(err, ErrWholeMessage)
	p.Kind = fetch.KindOf(err)
	p.Cause = fetch.CauseOf(err).String()
	p.Reason = err.Error()
}

// setURL fills in the facts that follow from the URL.
func (p *Plan) setURL(req *fetch.Request, known analysis) {
	u := req.URL
	p.Scheme = u.Scheme
	p.Host = u.Host
	text := req.RawURL()
	if text != known.text {
		known.shown, _, known.credential = p.message.rules().Analyze(text)
	}
	p.URL = known.shown
	p.Path = pathOf(p.URL)
	if u.Scheme != "data" && (p.secret || known.credential) {
		p.URL = redact.Origin(text)
		p.Path = ""
	}
	p.Secure = slices.Contains([]string{"https", "ftps", "imaps", "data"}, u.Scheme) // data: is not transported
	p.Login = ""
	switch {
	case req.Login == fetch.LoginRequired:
		p.Login = "credentials"
	case u.User != nil:
		p.Login = "url"
	case u.Scheme == "ftp" || u.Scheme == "ftps":
		p.Login = "anonymous"
	}
	p.Discloses = nil
	switch {
	case u.Scheme == "mailto":
		server, _, _ := strings.Cut(u.Opaque, "?")
		_, p.Host, _ = strings.Cut(server, "@")
		p.Discloses = []Disclosure{{p.Host, "mail-address"}, {p.Host, "reading"}}
		return
	case u.Scheme == "file", u.Host == "":
		return
	}
	host := u.Hostname()
	p.Discloses = []Disclosure{{host, "address"}, {host, "reading"}}
	if strings.ContainsFunc(host, func(c rune) bool { return c >= 'a' && c <= 'z' }) && !strings.Contains(host, ":") {
		p.Discloses = append(p.Discloses, Disclosure{"dns", "host"})
	}
	if p.address && (p.Login == "anonymous" || isAnonymous(u.User)) {
		p.Discloses = append(p.Discloses, Disclosure{host, "anonymous-password"})
	}
}

// pathOf returns the path of a redacted URL, or "" if the URL has no "//".
func pathOf(text string) string {
	_, rest, _ := strings.Cut(text, "://")
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	_, path, found := strings.Cut(rest, "/")
	if !found {
		return ""
	}
	return "/" + path
}

func (p *Plan) redirected(from, to *url.URL) *Plan {
	c := *p
	c.Hop = true
	c.From = from.Host
	c.Direct = ""
	c.Account = nil
	c.AsOf = time.Time{}
	direct := p.Direct != "" && to.Host == p.Direct
	c.announced = direct && to.Scheme == "https" && from.Host == p.Host
	c.setURL(&fetch.Request{URL: to}, analysis{})
	h := identifier{sha256.New()}
	h.add("redirect", p.ID, to.String())
	c.ID = h.String()
	return &c
}

// noReference is the Reference of a Plan without one.
var noReference = &Reference{Size: -1}

// ref returns the Reference, never nil.
func (p *Plan) ref() *Reference { return cmp.Or(p.Ref, noReference) }

// mediaType returns the announced media type; "" for any.
func (p *Plan) mediaType() string {
	if p.anyType {
		return ""
	}
	return p.ref().MediaType
}

// MarshalJSON implements [json.Marshaler]. The facts of the Reference are members of the Plan.
func (p Plan) MarshalJSON() ([]byte, error) {
	type plan Plan // without this method
	ref := p.ref()
	return json.Marshal(struct {
		ID         string `json:"id"`
		Reference  string `json:"ref"`
		Dialect    string `json:"dialect,omitempty"`
		AccessType string `json:"access_type"`
		plan
		Account    string    `json:"account,omitempty"`
		Provider   string    `json:"provider,omitempty"`
		MediaType  string    `json:"content_type,omitempty"`
		Name       string    `json:"name,omitempty"`
		Size       int64     `json:"size"`
		Expiration time.Time `json:"expiration,omitzero"`
	}{p.ID, ref.ID, ref.Dialect, ref.AccessType, plan(p), p.accountName(), ref.Provider, p.mediaType(), ref.Name, ref.Size, ref.Expiration})
}

// Local reports whether the body is in mail at hand, so that resolving contacts nobody
// and reads no file. The schemes data, cid and mid are local.
func (p *Plan) Local() bool { return p.Scheme == "data" || within(p.Scheme) }

// String describes the Plan in a few lines for a terminal, with all facts; see
// [Plan.Summary] for one sentence. The last line has no line end.
func (p *Plan) String() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, format, args...)
	}
	part := ""
	if p.ref().ID != "" {
		part = "part " + p.ref().ID + ": "
	}
	switch {
	case p.Hop:
		line("%s%s redirects to %s", part, shown(p.From), p.URL)
	case p.URL != "":
		line("%sget %s", part, p.URL)
	default:
		line("%saccess type %s", part, quoted(p.ref().AccessType))
	}
	if p.Kind != 0 {
		line("  refused (%s): %s", p.Kind, p.Reason)
		return b.String()
	}
	switch {
	case p.Scheme == "mailto":
		line("  sends mail to %s, and waits for the answer", shown(p.Host))
	case p.Scheme == "file":
		line("  reads a file of this machine")
	case p.Local():
		line("  contacts nobody: the body is in the message")
	case p.Secure && p.Direct != "":
		line("  contacts %s or %s, which has its files, encrypted", shown(p.Host), shown(p.Direct))
	case p.Secure:
		line("  contacts %s, encrypted", shown(p.Host))
	default:
		line("  contacts %s, not encrypted", shown(p.Host))
	}
	if p.Account != nil {
		line("  may be%s", strings.TrimPrefix(p.asks(), ","))
	}
	for _, d := range p.Discloses {
		line("  %s learns %s", shown(d.To), disclosureText[d.What])
	}
	switch p.Login {
	case "anonymous":
		line("  logs in as anonymous")
	case "url":
		line("  logs in with the credentials in the URL")
	case "credentials":
		line("  logs in with your credentials for %s", shown(p.Host))
	}
	line("  expects %s", p.expected())
	if slices.ContainsFunc(p.Diags, func(d Diag) bool { return d.Code == DiagTrackingPixel }) {
		line("  is a tracking pixel: it shows nothing")
	}
	if p.Once {
		line("  uses up one of the downloads that the host allows")
	}
	if p.Capture == fetch.CaptureRendition {
		line("  gets what the host makes of the document, which has no octets of its own")
	}
	verified := slices.DeleteFunc(slices.Clone(p.Checks), func(c string) bool { return c == "size" && !p.strict })
	if len(verified) > 0 {
		line("  verifies %s", strings.Join(verified, ", "))
	}
	switch {
	case len(verified) == len(p.Checks):
	case p.judged:
		line("  compares size, and the program decides if it differs")
	default:
		line("  compares size, and warns if it differs")
	}
	if p.Expired {
		line("  was guaranteed to exist until %s only", p.ref().Expiration.UTC().Format(time.RFC3339))
	}
	return b.String()
}

// expected describes the body: its name, media type and size, as far as they are
// announced, and the limit.
func (p *Plan) expected() string {
	var facts []string
	if p.ref().Name != "" {
		facts = append(facts, quoted(p.ref().Name))
	}
	switch {
	case p.mediaType() == "":
		facts = append(facts, "a body of any type")
	case param.IsMediaType(p.mediaType()):
		facts = append(facts, shown(p.mediaType()))
	default:
		facts = append(facts, quoted(p.mediaType()))
	}
	if p.ref().Size >= 0 {
		facts = append(facts, wording.Exact(p.ref().Size))
	}
	if p.MaxBytes >= 0 {
		facts = append(facts, "at most "+wording.Limit(p.MaxBytes))
	}
	return strings.Join(facts, ", ")
}

var disclosureText = map[string]string{
	"address":            "the address of this machine",
	"reading":            "that the message is processed now",
	"host":               "the name that is looked up",
	"anonymous-password": "the mail address that is sent with anonymous logins",
	"mail-address":       "the mail address of whoever asks",
	"account":            "who asks, and so can the owner of the file",
}

// isAnonymous reports whether a URL has the user name of anonymous logins, and no
// password.
func isAnonymous(user *url.Userinfo) bool {
	_, has := user.Password()
	name := strings.ToLower(user.Username())
	return !has && (name == "anonymous" || name == "ftp")
}

// An identifier is a hash over lists of texts.
type identifier struct{ hash.Hash }

// add adds a list. No two sequences of lists add the same octets.
func (h identifier) add(what string, texts ...string) {
	fmt.Fprintf(h, "%s %d\n", what, len(texts))
	for _, s := range texts {
		fmt.Fprintf(h, "%d:", len(s))
		io.WriteString(h, s)
	}
}

func (h identifier) String() string { return hex.EncodeToString(h.Sum(nil)) }
