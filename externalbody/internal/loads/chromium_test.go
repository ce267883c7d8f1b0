package loads_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/internal/loads"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// forms are ways to name a file, at § or, where character references have no meaning, at ¤, which browsers
// load or not.
var forms = []string{
	`<img src="§">`, `<img src=§>`, `<IMG SRC='§'>`, "<img src=\" \t\n§ \">", `<img/src="§"/>`, `<image src="§">`,
	`<img srcset="§ 1x">`, `<img srcset="§">`, `<img srcset=", § 1x, ">`, `<img srcset="x 2x, §">`,
	`<picture><source srcset="§"><img></picture>`, `<input type=image src="§">`, `<input type=IMAGE src=§>`, `<video poster="§"></video>`,
	`<table background="§"><tr><td>x</table>`, `<table><tr><td background=§>x</table>`,
	`<svg width=9 height=9><image href="§" width=9 height=9 /></svg>`, `<svg width=9 height=9><image xlink:href="§" width=9 height=9 /></svg>`,
	`<p style="background:url(§)">x`, `<p style="background: url( '§' )">x`, `<p style='background:URL("§")'>x`, `<p style="background:u\72l(§)">x`,
	`<p style="background:\75rl(§">x`, `<p style="background:url('§">x`, `<p style="background:url(&quot;§&quot;)">x`,
	`<p style="background:image-set('§' 1x)">x`, `<p style="background:-webkit-image-set(url(§) 1x)">x`, `<p style="background:image-set(url('§') 1x, '§' 2x)">x`,
	`<p style="/* ' */background:url(§)/* */">x`, `<p style="content:'(';background:url(§)">x`, `<p style="content:'\'';background:url(§)">x`,
	`<p style="background:url(§) /*">x`, `<p style="a:url(x y);background:url(§)">x`, `<p style="a:url(x'y);background:url(§)">x`,
	`<p style="list-style-image:url(§);display:list-item">x`, `<p style="border:9px solid;border-image:url(§) 1">x`,
	`<style>.c{background:url(§)}</style><p class=c>x`, `<style>@media all{.c{background:url("§")}}</style><p class=c>x`,
	`<style>.c:before{content:url(§)}</style><p class=c>x`, `<style>/**/.c{a:"}";background:url(§)}</style><p class=c>x`,
	"<style>.c{a:'x\n;background:url(z)}\n.c{background:url(§)}</style><p class=c>x", `<style><!-- .c{background:url(§)} --></style><p class=c>x`,
	`<style>.c{--x:url(§);background:var(--x)}</style><p class=c>x`, `<style>.c{& p{background:url(§)}}</style><div class=c><p>x</div>`,
	`<style>@charset "x"; @namespace x "y"; .c{background:url(§)}</style><p class=c>x`, `<style>.c{background:url(§)</style><p class=c>x`,
	`<!-- <img src="§"> -->`, `<p title='<img src="§">'>x`, `<style>/*.c{background:url(§)}*/</style><p class=c>x`, `<p style="a:'url(§)'">x`,
	`<a href="§">x</a>`, `<textarea><img src="§"></textarea>`, `<p style="background:curl(§)">x`, `<p style="background:url(§ x)">x`,

	// Media, frames and scripts.
	`<video src="§"></video>`, `<audio src="§" controls></audio>`, `<video><source src="§"></video>`, `<audio controls><source src="§"></audio>`,
	`<video src=x><track default src="§"></video>`, `<iframe src="§"></iframe>`, `<iframe src=" §"></iframe>`, `<embed src="§">`, `<embed code="§">`,
	`<object data="§"></object>`, `<object data="§" type=text/html></object>`, `<object><param name=src value="§"></object>`, `<object data=x><img src="§"></object>`,
	`<iframe srcdoc='<img src="§">'></iframe>`, `<iframe srcdoc="&lt;p style=&quot;background:url(§)&quot;>x"></iframe>`, `<iframe srcdoc="<iframe srcdoc='<img src=§>'></iframe>"></iframe>`,
	`<iframe src="data:text/html,<img src='§'>"></iframe>`, `<object data="data:text/html,<img src='§'>"></object>`, `<iframe><img src="§"></iframe>`,
	`<iframe src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='§'/></svg>"></iframe>`,
	`<script src="§"></script>`, `<script src=§ type=module></script>`, `<script type=text/plain src="§"></script>`, `<svg><script href="§"></script></svg>`,
	`<script>'<img src="§">'</script><p>x`, `<script><!--<script></script><img src="§">--></script>`, `<frameset><frame src="§"></frameset>`,

	// Links and hints.
	`<link rel=stylesheet href="§">`, `<LINK REL="Alternate StyleSheet" title=x href=§>`, `<link rel="x stylesheet" href="§">`, `<link rel=icon href="§">`, `<link rel=preload as=image href="§">`,
	`<link rel=preload as=image imagesrcset="§ 1x">`, `<link rel=modulepreload href="§">`, `<link rel=prefetch href="§">`, `<link rel=canonical href="§">`, `<link rel=manifest href="§">`,
	`<link rel=stylesheet href="data:text/css,@import '§'">`, `<link rel=stylesheet href="data:text/css,.c{background:url(§)}"><p class=c>x`, `<p title=x><link rel=stylesheet href="§">`,

	// SVG and other foreign content.
	`<svg><image href="x" xlink:href="§" width=9 height=9 /></svg>`, `<svg><use href="§#a" /></svg>`, `<svg><use xlink:href="§#a" /></svg>`, `<svg><filter id=f><feImage href="§" /></filter><rect filter="url(#f)" width=9 height=9 /></svg>`,
	`<svg><a href="§"><text y=9>x</text></a></svg>`, `<svg width=9 height=9><rect width=9 height=9 fill="url(§#a)" /></svg>`, `<svg><rect width=9 height=9 mask="url(§#a)" /></svg>`,
	`<svg><rect width=9 height=9 filter="url(§#a)" /></svg>`, `<svg><rect width=9 height=9 clip-path="url(§#a)" /></svg>`, `<svg><path d="M0 0L9 9" marker-start="url(§#a)" /></svg>`, `<svg cursor="url(§), auto"><rect width=9 height=9 /></svg>`,
	`<svg><image width=9 height=9><set attributeName=href to="§" /></image></svg>`, `<svg><image width=9 height=9><animate attributeName=href values="x;§" dur=1s /></image></svg>`,
	`<svg><image width=9 height=9><animate attributeName="xlink:href" from="§" to=x dur=1s /></image></svg>`, `<svg><rect width=9 height=9><set attributeName=mask to="url(§#a)" /></rect></svg>`,
	`<svg><style>.c{background:url(&#104;ttp://127.0.0.1:PORT/PATH)}</style></svg><p class=c>x`, `<svg><style><![CDATA[.c{background:url(§)}]]></style></svg><p class=c>x`,
	`<svg><style>.c{back<!-- -->ground:url(§)}</style></svg><p class=c>x`, `<svg><style>.c{a:"<img src='§'>"}</style></svg>`, `<svg><title><img src="§"></title></svg>`, `<svg><desc><style>.c{background:url(§)}</style></desc></svg><p class=c>x`,
	`<svg><foreignObject><img src="§"></foreignObject></svg>`, `<svg><g><img src="§">`, `<math><mi><img src="§"></mi></math>`, `<math><annotation-xml encoding=text/html><img src="§"></annotation-xml></math>`,
	`<math><mglyph src="§" /></math>`, `<svg><image src="§" width=9 height=9 /></svg>`, `<image href="§">`, `<svg><textarea><img src="§"></textarea></svg>`, `<select><img src="§"></select>`,
	`<svg></svg><textarea><img src="§"></textarea>`, `<math><style><img src="§"></style></math>`, `<svg><p><style>.c{background:url(§)}</style></svg><p class=c>x`,

	// Styles.
	`<style>@import "§";</style>`, `<style>@import url(§) screen;</style>`, `<style>@import u\72l("§");</style>`, `<style>@\69mport '§';</style>`, `<style>/**/@import/**/'§'</style>`, `<style>@import url("§") layer(x) supports(display:block);</style>`,
	`<style>.c{} @import "§";</style>`, `<style>@font-face{font-family:f§;src:url(x)}</style><p style="font-family:f§">x`, `<style>@font-face{font-family:ff;src:url(§)}</style><p style="font-family:ff">x`,
	`<style>.c{--x:'¤';background:image-set(var(--x) 1x)}</style><p class=c>x`, `<style>.c{--x : '¤' 1x;background:-webkit-image-set(var(--x))}</style><p class=c>x`, `<p style="--x:url(§);background:var(--x)">x`,
	`<p style="background:src('§')">x`, `<p style="background:image-set(url(§) type('image/svg+xml'))">x`, `<p style="background:cross-fade(url(§), url(x), 50%)">x`, `<p style="cursor:url(§), auto">x`,
	`<p style="mask:url(§#a)">x`, `<p style="filter:url(§#a)">x`, `<p style="clip-path:url(§#a)">x`, `<p style="shape-outside:url(§);float:left">x`, `<p style="-webkit-mask-box-image:url(§)">x`, `<p style="content:url(§)">x`,
	"<style>.c{background:url(§\x00)}</style><p class=c>x", "<style>.c{background:url(\n§\n)}</style><p class=c>x", "<style>.c{background:url('\\\n§')}</style><p class=c>x", `<style>.c{background:url(§`,
	`<style>@property --p{syntax:"<image>";inherits:false;initial-value:url(§)} .c{background:var(--p)}</style><p class=c>x`, `<style>@counter-style d{system:cyclic;symbols:url(§)} .c{list-style:d;display:list-item}</style><p class=c>x`,
	`<style>@supports(display:block){.c{background:url(§)}}</style><p class=c>x`, `<style>@layer a{.c{background:url(§)}}</style><p class=c>x`, `<style>@media all{@import "§";}</style>`, `<style media=print>.c{background:url(§)}</style><p class=c>x`,
	`<style>a[href="url(§)"]{}</style>`, `<style>.c{background:url("§"crossorigin(anonymous))}</style><p class=c>x`, `<ul style="list-style:url(§)"><li>x</ul>`, `<style></styl><img src="§"></style>`,

	`<style>@import ¤</style>`, `<style>@import ¤;</style>`, `<style>@import src("§");</style>`, `<style>@impor\74 "§";</style>`, `<svg><use href="" /></svg>`, `<svg><filter id=f><feImage href="" /></filter><rect filter="url(#f)" width=9 height=9 /></svg>`,
	`<p style="background:url(#)">x`, `<img src="#">`, `<svg><image href="#" width=9 height=9 /></svg>`, `<embed src="#">`, `<iframe src="#"></iframe>`, `<svg><linearGradient id=g href="§#a" /><rect fill="url(#g)" width=9 height=9 /></svg>`,

	// Where nothing is shown, or only by programs without scripts.
	`<template><img src="§"></template>`, `<template><template></template><img src="§"></template>`, `<template><svg><template></template><img src="§"></template>`, `<div><template shadowrootmode=open><img src="§"></template></div>`,
	`<template></template><img src="§">`, `<template><svg></template><img src="§">`, `<svg><template><image href="§" width=9 height=9 /></template></svg>`, `<template><!--[if mso]><template><![endif]--></template><img src="§">`,
	`<svg><!--[if mso]></svg><![endif]--><template><image href="§" width=9 height=9 /></template></svg>`, `<template><style>.c{background:url(§)}</style></template><p class=c>x`,
	`<noscript><img src="§"></noscript>`, `<noscript><!-- </noscript><img src="§">--></noscript>`, `<noscript><style>.c{background:url(§)}</style></noscript><p class=c>x`,
	`<title><img src="§"></title>`, `<xmp><img src="§"></xmp>`, `<noembed><img src="§"></noembed>`, `<noframes><img src="§"></noframes>`, `<!--><img src="§">-->`, `<!--x--!><img src="§">-->`, `<![CDATA[<img src="§">]]>`,
	`<p title="<img src='§'>">x`, `<img alt="><img src=§>">`, `<img src=""src="§">`, `<img src="x" SRC="§">`, `<img x=">" src="§">`, `<img/onerror=x/src="§">`, `<img src="§"`, `<img src=§//>`, "<img src=\"\x0c§\">", "<img\x0csrc=§>",
	`<div background="§">x</div>`, `<body background="§">`, `<tr background="§">`, `<table><col background="§"><tr><td>x</table>`, `<input src="§">`, `<a ping="§" href=x>x</a>`,
	`<img LONG src="§">`, `<img MANY src="§">`, `<img MANY style="x:LONGVALUE" srcset="§">`, `<p MANY style="/*LONGVALUE*/background:url(§)">x`, `<img attributionsrc="§">`, `<bgsound src="§">`, `<html manifest="§">`,
	`<input type="image" MANY src=§>`, `<input src="§" type=ImAgE>`, `<picture><source srcset="x, § 2x"><img></picture>`, `<img srcset="§ 1x (a,b), x 2x">`, `<img sizes=9px srcset="§ 9w, x 9999w">`,
}

// refreshes are forms that replace the page, so that each is alone in it.
var refreshes = []string{
	`<meta http-equiv=refresh content="0;url=§">`, `<META HTTP-EQUIV="Refresh" CONTENT=" 0 , URL = '§' x">`, `<meta http-equiv=refresh content="0 §">`, `<meta http-equiv=refresh content=".5;§">`, `<svg><meta http-equiv=refresh content="0;url=§">`,
	`<meta http-equiv=refresh content="x;url=§">`, `<template><meta http-equiv=refresh content="0;url=§"></template>`, `<meta name=refresh content="0;url=§">`,
}

// urlForms are ways to write a URL of a server at 127.0.0.1, with a path.
var urlForms = []string{
	"http://127.0.0.1:PORT", "HTTP://127.0.0.1:PORT", "http://2130706433:PORT", "http://0x7f.1:PORT", "http://127.0.0.1.:PORT",
	"http://017700000001:PORT", "h&#116;tp://127.0.0.1:PORT", "http&colon;//127.0.0.1:PORT", "//127.0.0.1:PORT",
}

// A generator makes mails of forms.
type generator struct {
	random *rand.Rand
	port   string
}

// perMail is the number of forms in a mail, each in a line of its own.
const perMail = 8

// A mail is a generated mail.
type mail struct {
	html  string
	lines []string // by the number of the form
	forms []string
}

// mail returns the mail n, with a base element or not, in which the file of the form k is "/pN.k".
func (g *generator) mail(n int) mail {
	var m mail
	add := func(form string, based bool) {
		line := g.fill(form, n, len(m.forms), based)
		m.forms, m.lines = append(m.forms, form), append(m.lines, line)
		m.html += "<div>" + line + "</div>\n"
	}
	if n%10 == 9 {
		add(refreshes[g.random.IntN(len(refreshes))], false)
		return m
	}
	based := n%5 == 4
	if based {
		m.html = fmt.Sprintf(`<base href="http://127.0.0.1:%s/b/c">`, g.port)
	}
	for range perMail {
		add(forms[g.random.IntN(len(forms))], based)
	}
	return m
}

// fill returns a form with a URL of the file "/pN.k".
func (g *generator) fill(form string, n, k int, based bool) string {
	path := fmt.Sprintf("p%d.%d", n, k)
	at := strings.ReplaceAll(urlForms[g.random.IntN(len(urlForms))], "PORT", g.port) + "/" + path
	if based && g.random.IntN(2) == 0 {
		at = []string{"../" + path, "/" + path, `\` + path, "?/" + path}[g.random.IntN(4)]
	}
	var many strings.Builder
	if strings.Contains(form, "MANY") {
		for i := range 300 {
			fmt.Fprintf(&many, " a%d", i)
		}
	}
	long := ""
	if strings.Contains(form, "LONG") {
		long = strings.Repeat("x", 70<<10)
	}
	return strings.NewReplacer("§", at, "¤", "http://127.0.0.1:"+g.port+"/"+path, "PORT", g.port, "PATH", path, "class=c", fmt.Sprint("class=c", k), ".c", fmt.Sprint(".c", k),
		"MANY", many.String(), "LONGVALUE", long, "LONG", "alt="+long).Replace(form)
}

// A site serves mails to Chromium and notes the files that it asks for.
type site struct {
	*httptest.Server
	browser *browser.Browser
	mu      sync.Mutex
	pages   map[string]string
	loaded  map[string]string // to the page that asked
}

func newSite(t *testing.T) *site {
	s := &site{browser: browser.New(t), pages: make(map[string]string), loaded: make(map[string]string)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if page, ok := s.pages[r.URL.Path]; ok {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
		return
	}
	for _, path := range []string{r.URL.Path, r.URL.RawQuery} {
		s.loaded[path[strings.LastIndex(path, "/")+1:]] = r.Referer()
	}
	mediaType, body := "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="a"/></svg>`
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "style":
		mediaType, body = "text/css", "x{}"
	case "script":
		mediaType, body = "text/javascript", "0"
	case "document", "iframe", "frame", "embed", "object":
		mediaType, body = "text/html", "x"
	case "track":
		mediaType, body = "text/vtt", "WEBVTT\n"
	}
	w.Header().Set("Content-Type", mediaType)
	fmt.Fprint(w, body)
}

// perPage is the number of mails that Chromium shows together.
const perPage = 20

// show returns the files that Chromium asks for, each with the page that asks, when it shows mails, in frames that run scripts or not.
func (s *site) show(mails map[int]string) map[string]string {
	var page strings.Builder
	s.mu.Lock()
	clear(s.loaded)
	for n, text := range mails {
		path := fmt.Sprintf("/mail%d", n)
		s.pages[path] = text
		fmt.Fprintf(&page, `<iframe src="%s"></iframe><iframe sandbox src="%s"></iframe>`, path, path)
	}
	s.pages["/page"] = page.String()
	s.mu.Unlock()
	s.browser.DOM(s.URL + "/page")
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.loaded)
}

// manyMails returns how many mails are generated.
func manyMails() int {
	if os.Getenv("EXTBODY_SLOW") != "" {
		return 2000
	}
	return 200
}

// Each file that Chromium asks for when it shows a mail is found, and after rewrite.Seal it asks for none.
func TestInChromium(t *testing.T) {
	s := newSite(t)
	g := &generator{rand.New(rand.NewPCG(40, 1)), s.URL[strings.LastIndex(s.URL, ":")+1:]}
	kinds, asked, needless := make(map[loads.Kind]int), make(map[string]int), make(map[string]int)
	for from := 0; from < manyMails(); from += perPage {
		mails, texts := make(map[int]mail), make(map[int]string)
		for n := from; n < from+perPage; n++ {
			mails[n] = g.mail(n)
			texts[n] = mails[n].html
		}
		loaded := s.show(texts)
		for n, m := range mails {
			texts[n] = sealed(t, m.html)
		}
		after := s.show(texts)
		delete(after, "")
		delete(after, "favicon.ico")
		for path, page := range after {
			n := 0
			fmt.Sscanf(page, s.URL+"/mail%d", &n)
			t.Errorf("Chromium loads %s after Seal, from\n%.2000s\nof\n%.2000s", path, texts[n], mails[n].html)
		}
		for n, m := range mails {
			all := read(t, m.html)
			for k, form := range m.forms {
				path := fmt.Sprintf("p%d.%d", n, k)
				_, loaded := loaded[path]
				i := slices.IndexFunc(all, func(l loads.Load) bool { return strings.HasSuffix(l.URL, path) || strings.Contains(l.URL, path+"#") })
				switch {
				case loaded && i < 0:
					t.Errorf("Chromium loads %s, which is not found, from:\n%.500s", path, m.lines[k])
				case loaded:
					asked[form]++
					kinds[all[i].Kind]++
				case i >= 0 && all[i].Kind == loads.Picture && !all[i].Within:
					needless[form]++
				}
			}
		}
	}
	if len(kinds) < 9 { // all but a ping, which waits for a reader
		t.Errorf("Chromium has loaded %v, want some of each kind", kinds)
	}
	t.Logf("loaded and found: %v", kinds)
	for _, form := range slices.Sorted(maps.Keys(needless)) {
		if asked[form] == 0 {
			t.Logf("found as a picture and not loaded, %d times: %s", needless[form], form)
		}
	}
}

// sealed returns a text/html after rewrite.Seal.
func sealed(t testing.TB, html string) string {
	t.Helper()
	const header = "Content-Type: text/html; charset=utf-8\n\n"
	text := header + html
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := rewrite.Seal(t.Context(), &b, m, nil); err != nil {
		t.Fatalf("%v, of\n%.2000s", err, html)
	}
	return strings.TrimPrefix(b.String(), header)
}

// read returns the things that a text/html loads.
func read(t testing.TB, html string) (all []loads.Load) {
	t.Helper()
	text := "Content-Type: text/html; charset=utf-8\n\n" + html
	if _, err := loads.Read(strings.NewReader(text), int64(len(text)), func(l *loads.Load) { all = append(all, *l) }); err != nil {
		t.Fatal(err)
	}
	return all
}
