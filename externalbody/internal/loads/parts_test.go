package loads_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/internal/loads"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// A related is a message of a page and the parts that it may load. § is the URL of a file, and every "cid:" URL
// leads to the part whose number follows it.
type related struct {
	name  string
	page  string
	parts []relatedPart

	loaded bool // a browser asks for the file
	kept   bool // it loads nothing, and stays as it is
}

type relatedPart struct{ mediaType, location, text string }

// style returns a part with a style sheet.
func style(text string) relatedPart { return relatedPart{"text/css", "", text} }

// wide returns a text in UTF-16 with a byte order mark.
func wide(text string) string {
	b := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(text)) {
		b = append(b, byte(c), byte(c>>8))
	}
	return string(b)
}

const (
	linked  = `<link rel=stylesheet href="cid:0"><p class=c>x`
	painted = `.c{background:url(§)}`
	drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>@import "§";</style><g id="a"><image href="§" width="9" height="9"/></g>` +
		`<filter id="f"><feImage href="§"/></filter><mask id="m"><image href="§" width="9" height="9"/></mask></svg>`
)

func relateds() []related {
	svg := relatedPart{"image/svg+xml", "", drawing}
	return []related{
		{name: "Link", page: linked, parts: []relatedPart{style(painted)}, loaded: true},
		{name: "LinkImport", page: linked, parts: []relatedPart{style(`@import "§";`)}, loaded: true},
		{name: "ImportInStyle", page: `<style>@import "cid:0";</style><p class=c>x`, parts: []relatedPart{style(painted)}, loaded: true},
		{name: "ImportInSVG", page: `<svg><style>@import "cid:0";</style></svg><p class=c>x`, parts: []relatedPart{style(painted)}, loaded: true},
		{name: "ImportOfImport", page: linked, parts: []relatedPart{style(`@import "cid:1";`), style(painted)}, loaded: true},
		{name: "Circle", page: linked, parts: []relatedPart{style(`@import "cid:0"; @import "cid:1";`), style(`@import "cid:0";` + painted)}, loaded: true},
		{name: "Data", page: `<link rel=stylesheet href='data:text/css,@import "§";'>`, loaded: true},
		{name: "DataWide", page: `<link rel=stylesheet href="data:text/css;charset=utf-16le,` + percent(wide(`@import "§";`)[2:]) + `">`, loaded: true},
		{name: "DataMarked", page: `<link rel=stylesheet href="data:text/css,` + percent(wide(`@import "§";`)) + `">`, loaded: true},
		{name: "Wide", page: linked, parts: []relatedPart{{"text/css; charset=utf-16le", "", wide(painted)}}, loaded: true},
		{name: "Marked", page: linked, parts: []relatedPart{style(wide(painted))}, loaded: true},
		{name: "Location", page: `<link rel=stylesheet href="s.css"><p class=c>x`, parts: []relatedPart{{"text/css", "s.css", painted}}, loaded: true},
		{name: "LocationImport", page: `<style>@import url(s.css);</style><p class=c>x`, parts: []relatedPart{{"text/css", "s.css", painted}}, loaded: true},
		{name: "Quirks", page: linked, parts: []relatedPart{{"text/plain", "", painted}}, loaded: true},
		{name: "Frame", page: `<iframe src="cid:0"></iframe>`, parts: []relatedPart{svg}, loaded: true},
		{name: "FrameHTML", page: `<iframe src="cid:0"></iframe>`, parts: []relatedPart{{"text/html", "", `<img src="§">`}}, loaded: true},
		{name: "Object", page: `<object data="cid:0"></object>`, parts: []relatedPart{svg}, loaded: true},
		{name: "Piece", page: `<svg><use href="cid:0#a"/></svg>`, parts: []relatedPart{svg}, loaded: true},
		{name: "Filter", page: `<svg><rect width=9 height=9 filter="url(cid:0#f)"/></svg>`, parts: []relatedPart{svg}},
		{name: "Mask", page: `<p style="mask:url(cid:0#m)">x`, parts: []relatedPart{svg}},
		{name: "Picture", page: `<img src="cid:0">`, parts: []relatedPart{svg}, kept: true},
		{name: "Background", page: `<p style="background:url(cid:0)">x`, parts: []relatedPart{svg}, kept: true},
		{name: "Clean", page: linked, parts: []relatedPart{style(`p{color:red;background:url(cid:1)}`), {"image/png", "", "x"}}, kept: true},
		{name: "CleanUTF8", page: linked, parts: []relatedPart{{"text/css; charset=utf-8", "", `p{content:"é"}`}}, kept: true},
	}
}

// percent escapes every octet.
func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// mail returns the message, with a file of the server at url.
func (m *related) mail(url string) string {
	fill := func(text string) string {
		text = strings.ReplaceAll(text, "§", url)
		if strings.HasPrefix(text, "\xff\xfe") {
			return wide(strings.ReplaceAll(narrow(text), "§", url))
		}
		return text
	}
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n" + m.filled(url) + "\n")
	for i, p := range m.parts {
		fmt.Fprintf(&b, "--b\nContent-Type: %s\nContent-ID: <%d>\n", p.mediaType, i)
		if p.location != "" {
			b.WriteString("Content-Location: " + p.location + "\n")
		}
		b.WriteString("\n" + fill(p.text) + "\n")
	}
	return b.String() + "--b--\n"
}

// narrow undoes wide.
func narrow(text string) string {
	var units []uint16
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i])|uint16(text[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// filled returns the page with the URL, also where octets are escaped.
func (m *related) filled(url string) string {
	page := strings.ReplaceAll(m.page, "§", url)
	return strings.ReplaceAll(page, percent(wide("§")[2:]), percent(wide(url)[2:]))
}

// A relatedSite shows messages as a webmail does: a part has a URL of the site, which takes the place of its cid: URL.
type relatedSite struct {
	*httptest.Server
	mu    sync.Mutex
	parts map[string]relatedPart // by path
	asked map[string]bool        // the files, by the name of the message
}

func (s *relatedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := strings.CutPrefix(r.URL.Path, "/asked/"); ok {
		s.asked[name] = true
		w.Header().Set("Content-Type", "image/svg+xml")
		return
	}
	if p, ok := s.parts[r.URL.Path]; ok {
		w.Header().Set("Content-Type", p.mediaType)
		io.WriteString(w, p.text)
	}
}

// add adds a message, and returns the path of its page.
func (s *relatedSite) add(t *testing.T, name, mail string) string {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(mail), int64(len(mail)), nil)
	if err != nil {
		t.Fatal(err)
	}
	index, r := message.IndexOf(m.Reader())
	dir := "/" + name + "/"
	page := dir + "page"
	for i, p := range slices.Collect(index.Root().Children()) {
		header, err := message.ReadSpan(r, p.Header)
		if err != nil {
			t.Fatal(err)
		}
		field := func(name string) string {
			f, _ := message.Lookup(header, name, 0)
			return f.Text()
		}
		body, err := io.ReadAll(p.Body.Reader(r))
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.ReplaceAll(body, []byte("cid:"), []byte(dir))
		part := relatedPart{mediaType: field("Content-Type"), text: string(body)}
		if i == 0 {
			s.parts[page] = part
			continue
		}
		s.parts[fmt.Sprint(dir, i-1)] = part
		if location := field("Content-Location"); location != "" {
			s.parts[dir+location] = part
		}
	}
	return page
}

// show returns the names of the messages of which Chromium asks for the file.
func (s *relatedSite) show(b *browser.Browser, pages []string) map[string]bool {
	var frames strings.Builder
	for _, p := range pages {
		fmt.Fprintf(&frames, `<iframe src="%s"></iframe>`, p)
	}
	s.mu.Lock()
	clear(s.asked)
	s.parts["/all"] = relatedPart{mediaType: "text/html", text: frames.String()}
	s.mu.Unlock()
	b.DOM(s.URL + "/all")
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

// TestPartsInChromium holds: each file that Chromium asks for because of a part of the message is found, and after
// rewrite.Seal it asks for none. Style sheets that load nothing stay (OP-60).
func TestPartsInChromium(t *testing.T) {
	s := &relatedSite{parts: make(map[string]relatedPart), asked: make(map[string]bool)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	b := browser.New(t)
	var before, after []string
	for _, m := range relateds() {
		mail := m.mail(s.URL + "/asked/" + m.name)
		before = append(before, s.add(t, m.name, mail))
		after = append(after, s.add(t, m.name+"-sealed", sealedMail(t, mail)))
	}
	asked := s.show(b, before)
	for _, m := range relateds() {
		if asked[m.name] != m.loaded {
			t.Errorf("%s: got %t, want that Chromium asks for the file: %t", m.name, asked[m.name], m.loaded)
		}
	}
	for name := range s.show(b, after) {
		t.Errorf("%s: Chromium asks for the file after Seal", name)
	}
}

// TestParts holds: a file that a browser asks for because of a part is reported, and Seal cuts the link that leads
// there. A message that loads nothing stays as it is (OP-60).
func TestParts(t *testing.T) {
	for _, m := range relateds() {
		t.Run(m.name, func(t *testing.T) {
			const url = "https://a.example/asked"
			mail := m.mail(url)
			var told, unknown bool
			_, err := loads.Read(strings.NewReader(mail), int64(len(mail)), func(l *loads.Load) {
				told = told || strings.HasPrefix(l.URL, url)
				unknown = unknown || l.URL == "" && l.Kind == loads.Style
			})
			if err != nil {
				t.Fatal(err)
			}
			if m.loaded && !told && !unknown {
				t.Error("got nothing told, want the file that is loaded")
			}
			if got := sealedMail(t, mail); m.kept != (got == mail) {
				t.Errorf("got %q, want it unchanged: %t", got, m.kept)
			}
		})
	}
}

// TestOpaque holds: a message with XHTML that may be shown is not sealed, and one with an attachment is.
func TestOpaque(t *testing.T) {
	const xhtml = "Content-Type: application/xhtml+xml\n\n<html/>\n"
	for text, want := range map[string]bool{
		xhtml: false,
		"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nx\n--b\n" + xhtml + "--b--\n":                                        false,
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Disposition: Attachment; filename=x\n" + xhtml + "--b--\n": true,
		"Content-Type: text/x-amp-html\n\n<p>x\n": true,
	} {
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rewrite.Seal(t.Context(), io.Discard, m, nil); (err == nil) != want {
			t.Errorf("got %v, want it sealed: %t, of\n%s", err, want, text)
		}
	}
}

// TestManyParts holds: the octets that are read from parts are bounded, however often they are loaded, and a link
// beyond that is cut.
func TestManyParts(t *testing.T) {
	page := strings.Repeat(`<link rel=stylesheet href=cid:0>`, 100)
	m := related{page: page, parts: []relatedPart{style("/*" + strings.Repeat("x", 1<<20) + "*/")}}
	got := sealedMail(t, m.mail(""))
	if n := strings.Count(got, "href=cid:0"); n < 10 || n > 20 {
		t.Errorf("got %d links, want the ones up to 16 MiB", n)
	}
}

// sealedMail returns a message after rewrite.Seal.
func sealedMail(t *testing.T, mail string) string {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(mail), int64(len(mail)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := rewrite.Seal(t.Context(), &b, m, nil); err != nil {
		t.Fatalf("%v, of\n%.2000s", err, mail)
	}
	return b.String()
}
