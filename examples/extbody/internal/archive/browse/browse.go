// Package browse is a web page that shows an archive: a search by selectors, each message with its files, and
// each file with its proof. It changes nothing, and shows the lines that are written when it is asked, so
// that a run may be under way.
//
// No page has a script or loads anything from elsewhere. A file is shown in the sandbox of package webbody.
package browse

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/wording"
)

//go:embed web
var web embed.FS

// perPage is how many references a page of results has, and maxPages how many pages there are.
const (
	perPage  = 50
	maxPages = 100
)

// A Page is the [http.Handler] of the pages of one archive. Close must be called.
type Page struct {
	dir     string
	opts    *archive.Options
	which   archive.Which // of the captures of a reference, the ones that are shown
	handler http.Handler
	pages   *template.Template

	mu sync.Mutex // guards the fields below, and their use
	ar *archive.Archive
}

// New returns a Page. Of the captures of a reference it shows those that which means, and lists all. The archive is opened
// by the first request.
func New(dir string, opts *archive.Options, which archive.Which) *Page {
	p := &Page{dir: dir, opts: opts, which: which}
	p.pages = template.Must(template.New("").Funcs(template.FuncMap{
		"words": func(s string) string { return visible(charset.Words(s)) }, "plain": visible, "octets": wording.About,
		"span": wording.Span,
		"late": after,
		"time": func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.UTC().Format("2006-01-02 15:04:05 UTC")
		},
	}).ParseFS(web, "web/*.html"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.locked(p.search))
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, web, "web/style.css") })
	mux.HandleFunc("GET /m/{message}", p.locked(p.message))
	mux.HandleFunc("GET /m/{message}/octets", p.locked(p.octets))
	mux.HandleFunc("GET /m/{message}/{file}", p.locked(p.body))
	p.handler = mux
	return p
}

// ServeHTTP implements [http.Handler].
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	webbody.SetPageHeader(w.Header())
	p.handler.ServeHTTP(w, r)
}

// Close closes the archive.
func (p *Page) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ar == nil {
		return nil
	}
	return p.ar.Close()
}

// locked returns a handler that has the archive as it is now, and calls the function that f returns, if any,
// after that.
func (p *Page) locked(f func(ar *archive.Archive, w http.ResponseWriter, r *http.Request) (after func(), err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		after, err := p.with(func(ar *archive.Archive) (func(), error) { return f(ar, w, r) })
		switch {
		case errors.Is(err, archive.ErrNoMessage), errors.Is(err, fs.ErrNotExist):
			p.render(w, http.StatusNotFound, "fault.html", fault{"Not in the archive", err.Error()})
		case err != nil:
			p.render(w, http.StatusInternalServerError, "fault.html", fault{"That cannot be shown", err.Error()})
		case after != nil:
			after()
		}
	}
}

// with calls f with the archive, which it opens again if there are new lines.
func (p *Page) with(f func(ar *archive.Archive) (func(), error)) (func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ar == nil || p.ar.Changed() {
		ar, err := archive.Read(p.dir, p.opts)
		if err != nil {
			return nil, err
		}
		if p.ar != nil {
			p.ar.Close()
		}
		p.ar = ar
	}
	return f(p.ar)
}

func (p *Page) render(w http.ResponseWriter, status int, name string, data any) {
	var b strings.Builder
	if err := p.pages.ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, b.String())
}

// A fault is the content of a page about something that cannot be shown.
type fault struct{ Title, Text string }

// A results is the content of the page of a search.
type results struct {
	Title      string
	Query      string
	Mistake    string
	Found      []archive.Found
	Total      int64
	From, To   int64
	Back, Next string // queries of the pages beside this one; "" for none
	Status     *archive.Status
	Damage     string // of the ledger
	Skipped    string // how much the search could not look into
}

// search shows the newest references that are selected, and without terms the numbers of the archive.
func (p *Page) search(ar *archive.Archive, w http.ResponseWriter, r *http.Request) (func(), error) {
	d := &results{Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(0, min(page, maxPages-1))
	d.Title = "Archive"
	if d.Query != "" {
		d.Title = visible(d.Query) + " - Archive"
	}
	if page > 0 {
		d.Title = "Page " + strconv.Itoa(page+1) + " of " + d.Title
	}
	sel, err := archive.ParseSelector(terms(d.Query))
	if err != nil {
		d.Mistake = err.Error()
		p.render(w, http.StatusBadRequest, "search.html", d)
		return nil, nil
	}
	if d.Query == "" {
		if d.Status, err = ar.Status(); err != nil {
			return nil, err
		}
	}
	sel.Capture = p.which
	// The newest come first, and are the last of the ledger.
	ring := make([]archive.Found, perPage*(page+1))
	err = ar.Search(sel, func(f *archive.Found) error {
		ring[d.Total%int64(len(ring))] = *f
		d.Total++
		return r.Context().Err()
	})
	if err != nil {
		return nil, err
	}
	for i := range int64(perPage) {
		n := d.Total - 1 - int64(page*perPage) - i
		if n < 0 {
			break
		}
		d.Found = append(d.Found, ring[n%int64(len(ring))])
	}
	d.Damage = damage(ar)
	if n := ar.Skipped(); n > 0 {
		d.Skipped = strconv.Itoa(n) + " lost or damaged messages and files may have this too: run archive verify."
	}
	d.From = int64(page*perPage) + 1
	d.To = d.From + int64(len(d.Found)) - 1
	link := func(page int) string { return "/?" + url.Values{"q": {d.Query}, "page": {strconv.Itoa(page)}}.Encode() }
	if page > 0 {
		d.Back = link(page - 1)
	}
	if d.To < d.Total && page+1 < maxPages {
		d.Next = link(page + 1)
	}
	p.render(w, http.StatusOK, "search.html", d)
	return nil, nil
}

// damage returns why a page may lack something; "" if the ledger is whole.
func damage(ar *archive.Archive) string {
	if err := ar.Whole(); err != nil {
		return err.Error()
	}
	return ""
}

// terms splits a query at spaces. Within double quotes a space is part of a term.
func terms(query string) (list []string) {
	var term strings.Builder
	quoted, any := false, false
	for _, c := range query {
		switch {
		case c == '"':
			quoted, any = !quoted, true
		case c == ' ' && !quoted:
			if any {
				list = append(list, term.String())
			}
			term.Reset()
			any = false
		default:
			term.WriteRune(c)
			any = true
		}
	}
	if any {
		list = append(list, term.String())
	}
	return list
}

// A file is a reference on the page of its message.
type file struct {
	*archive.Proof
	Path    string // of the body
	Name    string
	Picture bool
	Text    bool
	Facts   []fact
	Why     []string // of an exception, in words
	Past    []*past  // the bodies that it had, if it had several, or none that is shown
}

// A past is a body that a reference had.
type past struct {
	Path  string
	When  string
	Label string
	Late  string // "" if it is not known
	Facts []fact
	Bad   bool // it is lost or damaged
	Shown bool // it is the one that is shown above
}

// message shows a message with its files.
func (p *Page) message(ar *archive.Archive, w http.ResponseWriter, r *http.Request) (func(), error) {
	m, err := ar.Message(r.PathValue("message"))
	if err != nil {
		return nil, err
	}
	letter, err := ar.Letter(m)
	if err != nil {
		return nil, err
	}
	subject := cmp.Or(visible(charset.Words(m.Subject)), "(no subject)")
	d := struct {
		*archive.MessageRecord
		Letter  *archive.Letter
		Title   string
		Subject string
		Text    string
		Lost    string // why there is no text
		Files   []*file
		Damage  string
		Which   string
	}{
		MessageRecord: m,
		Letter:        letter,
		Title:         subject + " - Archive",
		Subject:       subject,
		Text:          lines(letter.Text),
		Damage:        damage(ar),
		Which:         p.which.String(),
	}
	if letter.Err != nil {
		d.Lost = letter.Err.Error()
	}
	err = ar.Proofs(m, p.which, func(x *archive.Proof) error {
		d.Files = append(d.Files, newFile(x, "/m/"+m.SHA256+"/"+strconv.Itoa(len(d.Files))))
		return r.Context().Err()
	})
	if err != nil {
		return nil, err
	}
	p.render(w, http.StatusOK, "message.html", d)
	return nil, nil
}

func newFile(x *archive.Proof, path string) *file {
	f := &file{Proof: x, Path: path, Name: visible(charset.Words(x.Reference.Name))}
	if c := x.Outcome.Capture; c != nil {
		f.Name = cmp.Or(visible(charset.Words(c.Name)), f.Name)
		if shown, ok := webbody.Shown(c.ContentType); ok && x.Object == nil {
			f.Picture = strings.HasPrefix(shown, "image/")
			f.Text = !f.Picture
		}
	}
	f.Name = cmp.Or(f.Name, "A file without a name")
	f.Facts = facts(x)
	f.Why = because(x)
	for i := range x.Records {
		x.Records[i].URI = visible(redact.Passwords(x.Records[i].URI))
		x.Records[i].Text = lines(redact.Passwords(x.Records[i].Text))
	}
	if len(x.Versions) > 1 || len(x.Versions) > 0 && x.Outcome.Capture == nil {
		f.Past = pasts(x, path)
	}
	return f
}

// pasts returns the bodies that a reference had. The one that is shown is the latest whose line is not after the line of the
// capture: a later line of the same body is in no list.
func pasts(x *archive.Proof, path string) (list []*past) {
	var shown *past
	for i, v := range x.Versions {
		c := v.Outcome.Capture
		if c == nil {
			continue // its line is damaged, which the page names
		}
		o := &past{
			Path:  path + "?version=" + strconv.Itoa(x.Earlier+i+1),
			When:  clock(c.Ended),
			Label: c.Label,
			Facts: facts(v),
			Bad:   v.Object != nil,
		}
		if v.Delay.By != "" {
			o.Late = after(v.Delay.Seconds)
		}
		if x.Outcome.Capture != nil && v.Line <= x.Line {
			shown = o
		}
		list = append(list, o)
	}
	if shown != nil {
		shown.Shown = true
	}
	return list
}

// octets answers with the message as it is in the archive, as a file to save.
func (p *Page) octets(ar *archive.Archive, w http.ResponseWriter, r *http.Request) (func(), error) {
	m, err := ar.Message(r.PathValue("message"))
	if err != nil {
		return nil, err
	}
	return serve(ar, w, r, m.SHA256, &webbody.Content{MediaType: "message/rfc822", FileName: "message-" + m.SHA256[:12] + ".eml"}, true)
}

// errNoFile is the error of a file that is not captured.
var errNoFile = fmt.Errorf("there is no such file: %w", fs.ErrNotExist)

// body answers with a captured body of the reference with a number, which the line of its capture describes: of the one that
// is shown, or of the one that the query names by the number of a version.
func (p *Page) body(ar *archive.Archive, w http.ResponseWriter, r *http.Request) (func(), error) {
	m, err := ar.Message(r.PathValue("message"))
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(r.PathValue("file"))
	if err != nil {
		return nil, errNoFile
	}
	version := 0
	if text := r.URL.Query().Get("version"); text != "" {
		version, err = strconv.Atoi(text)
		if err != nil || version < 1 {
			return nil, errNoFile
		}
	}
	c, err := ar.Captured(m, number, version, p.which)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, errNoFile
	}
	return serve(ar, w, r, c.SHA256, &webbody.Content{MediaType: c.ContentType, FileName: c.Name}, r.URL.Query().Has("save"))
}

// serve returns a function that answers with an object.
func serve(ar *archive.Archive, w http.ResponseWriter, r *http.Request, sum string, c *webbody.Content, save bool) (func(), error) {
	held, err := ar.Object(sum)
	if errors.Is(err, store.ErrDigest) {
		err = fmt.Errorf("the file is damaged, and not shown: %w", err)
	}
	if err != nil {
		return nil, err
	}
	w.Header().Set("ETag", `"`+sum+`"`)
	as := webbody.Inline
	if save {
		as = webbody.Attachment
	}
	return func() {
		defer held.Close()
		webbody.ServeContent(w, r, held.SectionReader, c, as)
	}, nil
}
