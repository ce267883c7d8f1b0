package externalbody

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/urlaccess"
)

// unwrap replaces the URL parameter by the URL inside it.
func (r *Reference) unwrap() {
	text, err := urlaccess.Decode(r.Params[1].Value)
	if err != nil {
		return // Request reports it
	}
	u := unwrap.URL(text)
	for i, w := range u.Wrappers {
		code := diagUnwrapped
		switch last := i == len(u.Wrappers)-1; {
		case last && u.Opaque:
			code = DiagOpaqueLink
		case last && u.Err != nil:
			code = diagWrapped
		}
		r.diag(code, w)
	}
	if len(u.Wrappers) > 0 {
		r.Params[1].Value = u.URL
	}
}

func analyze(param string, rules redact.Rules) analysis {
	a := analysis{param: param}
	if len(param) > fetch.MaxURLBytes {
		return a // a data: URL
	}
	text, err := urlaccess.Decode(param)
	if err != nil {
		return a
	}
	a.text = text
	a.shown, a.link, a.credential = rules.Analyze(text)
	a.name = nameIn(&a, rules)
	if scheme, _ := urlaccess.Scheme(text); scheme == "data" {
		a.text = "" // the parameter has the data
	}
	return a
}

// url returns the analysis of the URL parameter, which may have been replaced since the
// Reference was read.
func (r *Reference) url() analysis {
	if v, ok := r.Param("url"); ok && v != r.analyzed.param {
		return analyze(v, r.rules())
	}
	return r.analyzed
}

// secret reports whether the URL as a whole is a credential. The URL of a share link is
// one: anybody who has it has the file. The path of a local file is none.
func (r *Reference) secret() bool {
	if r.Dialect != "" && !isFileURL(r.url().text) {
		return true
	}
	return r.shared || r.analyzed.credential
}

func isFileURL(text string) bool {
	scheme, _ := urlaccess.Scheme(text)
	return scheme == "file"
}

// rules returns the rules by which the share links of the message are recognised.
func (r *Reference) rules() redact.Rules { return r.message().rules() }

// analyzeOwn analyzes the URL by hosts of the caller, which were not known when r was made.
// hosts may be nil.
func (r *Reference) analyzeOwn(hosts *sharelink.Table) {
	was := r.analyzed
	if hosts == nil || was.text == "" {
		return
	}
	r.analyzed = analyze(was.param, redact.Rules{Own: hosts})
	if r.Name == terminal(was.name) {
		r.Name = terminal(r.analyzed.name)
	}
}

// findLink sets link. hosts may be nil.
func (r *Reference) findLink(hosts *sharelink.Table) {
	a := r.url()
	r.link = a.link
	if hosts != nil && a.text != "" {
		r.link, _ = hosts.Match(a.text)
	}
}

// findOwn is findLink for a Reference of a Dialect, which does not know the hosts of other
// Dialects. If the Dialect goes by the shape of URLs alone, any URL of that shape is a link.
// findOwn sets the facts of the link, which were not known when the Reference was made.
func (r *Reference) findOwn(hosts *sharelink.Table) {
	if r.link != nil {
		return
	}
	r.analyzeOwn(hosts)
	if r.findLink(hosts); r.link == nil && r.Dialect == "share-link" {
		a := r.url()
		r.link, _ = hosts.Guess(a.text)
	}
	if r.link == nil {
		return
	}
	if r.Name == terminal(r.urlName()) {
		r.Name = ""
	}
	r.adopt(r.urlFacts())
}

// facts are the statements about a body at one place.
type facts struct {
	name, mediaType, provider, permission string
	size                                  int64
	expiration                            time.Time
}

func (r *Reference) urlFacts() facts {
	if l := r.link; l != nil {
		// The end of such a URL is a credential and not a name.
		return facts{
			name: terminal(l.Name), mediaType: l.MediaType, provider: l.Provider, size: l.Size, expiration: l.Expiration,
		}
	}
	return facts{name: terminal(r.urlName()), size: -1}
}

// adopt sets the facts that are not known yet. It returns the names of the facts that it
// set, and of those that contradict known ones. application/octet-stream is a body of any
// type.
func (r *Reference) adopt(f facts) (set, contradicted []string) {
	choose := func(param string, known bool, same bool) bool {
		if !known {
			set = append(set, param)
		} else if !same {
			contradicted = append(contradicted, param)
		}
		return !known
	}
	if f.name != "" && choose("name", r.Name != "", r.Name == f.name) {
		r.Name = f.name
	}
	switch {
	case f.mediaType == "" || f.mediaType == anyType && r.MediaType != "":
	case r.MediaType == anyType:
		r.MediaType = f.mediaType
	case choose("content-type", r.MediaType != "", r.MediaType == f.mediaType):
		r.MediaType = f.mediaType
	}
	if f.size >= 0 && choose("size", r.Size >= 0, r.Size == f.size) {
		r.Size = f.size
	}
	if !f.expiration.IsZero() && choose("expiration", !r.Expiration.IsZero(), r.Expiration.Equal(f.expiration)) {
		r.Expiration = f.expiration
	}
	if f.provider != "" && choose("provider", r.Provider != "", r.Provider == f.provider) {
		r.Provider = f.provider
	}
	more := f.permission != "" && f.permission != "read"
	if more && (r.Permission == "" || r.Permission == "read") {
		r.Permission = f.permission
	}
	return set, contradicted
}

// placeFacts returns the facts at the place of the Reference that the URL does not
// have.
func (r *Reference) placeFacts() facts {
	f := facts{r.Name, r.MediaType, r.Provider, r.Permission, r.Size, r.Expiration}
	url := r.urlFacts()
	if f.name == url.name {
		f.name = ""
	}
	if f.mediaType == url.mediaType {
		f.mediaType = ""
	}
	if f.size == url.size {
		f.size = -1
	}
	if f.expiration.Equal(url.expiration) {
		f.expiration = time.Time{}
	}
	return f
}

// essential returns the parameters of a query, sorted by name. It leaves out those that
// record where a share link was made, how its page is shown, or that the file is
// wanted. The host may give the file only for the others: a link without them, or with
// other ones, is another link.
func essential(provider, query string) string {
	var kept []string
	for field := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(field, "=")
		if !slices.Contains(cosmetic[provider], name) && !strings.HasPrefix(name, "utm_") && field != "" {
			kept = append(kept, field)
		}
	}
	slices.SortStableFunc(kept, func(a, b string) int {
		a, _, _ = strings.Cut(a, "=")
		b, _, _ = strings.Cut(b, "=")
		return strings.Compare(a, b)
	})
	return strings.Join(kept, "&")
}

// cosmetic has the parameters of a provider that essential leaves out.
var cosmetic = map[string][]string{
	"dropbox":      {"dl", "raw", "st"},
	"sharepoint":   {"e", "at", "web", "csf", "download", "nav"},
	"onedrive":     {"e", "at", "web", "csf", "download", "nav", "ithint"},
	"google-drive": {"usp"},
	"google-docs":  {"usp", "ouid", "pli"},
}

// destination returns a text that is the same for references that lead to the same
// place. section is where the Reference was found. It is used for one that leads
// nowhere.
func (r *Reference) destination(section string) string {
	v, ok := r.Param("url")
	if !ok {
		return "part " + r.Dialect + " " + r.AccessType + " " + section
	}
	text, err := urlaccess.Decode(v)
	if err != nil {
		return "text " + v
	}
	u, ok := weburl.Parse(text)
	if !ok {
		return "url " + text
	}
	l := r.link
	known := l != nil && !l.Guessed
	if known && l.Provider == "netease" && l.ID != "" {
		return "file netease " + l.ID // the download and the preview of a file have one token
	}
	if known && (l.Kind == sharelink.File || l.Kind == sharelink.Native) {
		if direct, ok := weburl.Parse(l.Direct); ok {
			u = direct
		}
		return "file " + l.Provider + " " + strings.TrimPrefix(u.Host, "www.") + " " +
			strings.TrimSuffix(u.Path, "/") + " " + essential(l.Provider, u.Query) + " " + u.Fragment
	}
	// The scheme and the host are compared without regard to case, and an empty path is
	// the same as "/" (RFC 3986 section 6.2.3). The server may distinguish everything
	// else.
	u.Path = cmp.Or(u.Path, "/")
	return "url " + u.String()
}

// conceal returns an error of a fetch without the path of the URL if the URL of the
// Reference is a credential. [fetch.Request].Secret conceals that URL itself. conceal
// does so for the URLs that its server redirects to, which are as secret.
func (r *Reference) conceal(err error) error {
	if !r.secret() {
		return err
	}
	var e *fetch.Error
	if !errors.As(err, &e) || e.URL == "" {
		return err
	}
	c := *e
	c.URL = redact.Origin(e.URL)
	c.Err = r.conceal(e.Err)
	return &c
}

// urlName returns the last segment of the URL's path, decoded, or "" if that is not the name of a file.
func (r *Reference) urlName() string { return r.url().name }
