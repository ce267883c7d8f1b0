package dialect_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/browser"
)

// pictureForms are ways to name a picture, at §, which browsers load or not.
var pictureForms = []string{
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
}

// urlForms are ways to write a URL of a server at 127.0.0.1, with a path.
var urlForms = []string{
	"http://127.0.0.1:PORT", "HTTP://127.0.0.1:PORT", "http://2130706433:PORT", "http://0x7f.1:PORT", "http://127.0.0.1.:PORT",
	"http://017700000001:PORT", "h&#116;tp://127.0.0.1:PORT", "http&colon;//127.0.0.1:PORT", "//127.0.0.1:PORT",
}

// Each picture that Chromium loads from a mail is found: in generated HTML, 100 mails or with
// EXTBODY_SLOW 2,000.
func TestRemoteImagesInChromium(t *testing.T) {
	b := browser.New(t)
	mails := 100
	if os.Getenv("EXTBODY_SLOW") != "" {
		mails = 2000
	}
	const perPage = 20
	var mu sync.Mutex
	loaded := make(map[string]bool)
	pages := make(map[string]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if page, ok := pages[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
			return
		}
		loaded[r.URL.Path] = true
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)
	}))
	t.Cleanup(s.Close)
	port := s.URL[strings.LastIndex(s.URL, ":")+1:]
	random := rand.New(rand.NewPCG(40, 1))
	mail := func(n int) string {
		var html strings.Builder
		for k := range 8 {
			form := pictureForms[random.IntN(len(pictureForms))]
			at := strings.ReplaceAll(urlForms[random.IntN(len(urlForms))], "PORT", port) + fmt.Sprintf("/p%d.%d", n, k)
			form = strings.ReplaceAll(strings.ReplaceAll(form, "class=c", fmt.Sprintf("class=c%d", k)), ".c", fmt.Sprintf(".c%d", k))
			fmt.Fprintf(&html, "<div>%s</div>\n", strings.ReplaceAll(form, "§", at))
		}
		return html.String()
	}
	found, needless := 0, 0
	for from := 0; from < mails; from += perPage {
		var page strings.Builder
		texts := make(map[int]string)
		mu.Lock()
		clear(loaded)
		for n := from; n < from+perPage; n++ {
			texts[n] = mail(n)
			path := fmt.Sprintf("/mail%d", n)
			pages[path] = texts[n]
			fmt.Fprintf(&page, `<iframe src="%s"></iframe>`, path)
		}
		pages["/page"] = page.String()
		mu.Unlock()
		b.DOM(s.URL + "/page")
		mu.Lock()
		for n, text := range texts {
			urls := images(t, text)
			is := func(path string) bool {
				return slices.ContainsFunc(urls, func(u string) bool { return strings.HasSuffix(strings.TrimSuffix(u, "!"), path) })
			}
			for k := range 8 {
				path := fmt.Sprintf("/p%d.%d", n, k)
				switch {
				case loaded[path] && !is(path):
					t.Errorf("Chromium loads %s, which is not found, from:\n%s", path, strings.Split(text, "<div>")[k+1])
				case loaded[path]:
					found++
				case is(path):
					needless++
					t.Logf("not loaded: %s", strings.Split(text, "<div>")[k+1])
				}
			}
		}
		mu.Unlock()
	}
	if found == 0 {
		t.Error("Chromium has loaded no picture")
	}
	t.Logf("%d pictures are loaded and found, %d are found and not loaded", found, needless)
}
