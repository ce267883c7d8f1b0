package dialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/testkit"
)

// images returns the URLs of the pictures in a text/html, with a "!" after those that
// track.
func images(t testing.TB, html string) []string {
	t.Helper()
	ds, err := dialect.Named(dialect.RemoteImages)
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, ref := range openWith(t, "Content-Type: text/html; charset=utf-8\n\n"+html, ds) {
		url, _ := ref.Param("url")
		if slices.ContainsFunc(ref.Diags, func(d externalbody.Diag) bool { return d.Code == externalbody.DiagTrackingPixel }) {
			url += "!"
		}
		urls = append(urls, url)
	}
	return urls
}

func TestRemoteImages(t *testing.T) {
	for _, tt := range []struct{ name, html, want string }{
		{"Img", `<img src="https://a.example/1.png" width=600 height=80>`, "https://a.example/1.png"},
		{"Case", `<IMG SRC=https://a.example/1.png>`, "https://a.example/1.png"},
		{"NoScheme", `<img src="//a.example/1.png">`, "https://a.example/1.png"},
		{"Base", `<base href="http://a.example/x/"><img src="1.png"><img src="cid:x@y"><img src="about:blank">`, "http://a.example/x/1.png"},
		{"NoBase", `<img src="1.png"><img src="cid:x@y"><img src="data:image/gif;base64,R0lGODlh">`, ""},
		{"Srcset", `<img srcset="https://a.example/1,2.png 1x, https://a.example/2.png 2x,https://a.example/3.png">`, "https://a.example/1,2.png https://a.example/2.png https://a.example/3.png"},
		{"SrcsetCommas", `<img srcset="https://a.example/1.png, https://a.example/2.png">`, "https://a.example/1.png https://a.example/2.png"},
		{"Source", `<picture><source srcset="https://a.example/1.webp"></picture><video><source src="https://a.example/1.mp4"></video>`, "https://a.example/1.webp"},
		{"Background", `<table background="https://a.example/1.png"><tr><td background='https://a.example/2.png'>x</table>`, "https://a.example/1.png https://a.example/2.png"},
		{"Style", `<td style="background: #fff URL( 'https://a.example/1.png' )">`, "https://a.example/1.png"},
		{"StyleElement", `<style>.a { background: url(https://a.example/1.png) } .b{background:url("https://a.example/2.png")}</style>`, "https://a.example/1.png https://a.example/2.png"},
		{"StyleCase", "<STYLE>.\u0130\xff{background:url(https://a.example/1.png)}</STYLE><p>url(https://a.example/2.png)", "https://a.example/1.png"},
		{"Fonts", `<style>@import url(https://a.example/a.css);@font-face{src:url(https://a.example/1.woff),url(https://a.example/2.woff)} b{background:url(https://a.example/1.png)}</style>`, "https://a.example/1.png"},
		{"Input", `<input type=image src="https://a.example/1.png"><input type=text src="https://a.example/2.png">`, "https://a.example/1.png"},
		{"Poster", `<video poster="https://a.example/1.png" src="https://a.example/1.mp4">`, "https://a.example/1.png"},
		{"SVG", `<svg><image xlink:href="https://a.example/1.png"/><image href="https://a.example/2.png"/></svg>`, "https://a.example/1.png https://a.example/2.png"},
		{"VML", `<!--[if gte mso 9]><v:fill type="tile" src="https://a.example/1.png" /><![endif]-->`, "https://a.example/1.png"},
		{"Scripts", `<script src="https://a.example/1.js"></script><iframe src="https://a.example/"></iframe><a href="https://a.example/1.png">x</a>`, ""},
		{"Reference", `<im&#103; src="x"><img src="https&#58;//a.example/1.png">`, "https://a.example/1.png"},
		{"Once", `<img src="https://a.example/1.png"><img src="https://a.example/1.png">`, "https://a.example/1.png"},
		{"Pixel", `<img src="https://a.example/1.png" width="1" height="1">`, "https://a.example/1.png!"},
		{"PixelStyle", `<img src="https://a.example/1.png" style="width: 1PX; height:0 !important">`, "https://a.example/1.png!"},
		{"PixelHidden", `<img src="https://a.example/1.png" style="DISPLAY:none"><img src="https://a.example/2.png" hidden><img src="https://a.example/3.png" style="visibility:hidden">`, "https://a.example/1.png! https://a.example/2.png! https://a.example/3.png!"},
		{"NoPixel", `<img src="https://a.example/1.png" width="1" height="40"><img src="https://a.example/2.png" width="100%" height="1">`, "https://a.example/1.png https://a.example/2.png"},
		{"Escapes", `<p style="background:u\72l(https\3a//a.example/1.png)"><p style='background:url("https://a.example/2\2e png")'>`, "https://a.example/1.png https://a.example/2.png"},
		{"ImageSet", `<p style="background:image-set('https://a.example/1.png' 1x, url(https://a.example/2.png) 2x)"><style>a{background:-webkit-image-set("https://a.example/3.png" 1x)}</style>`, "https://a.example/1.png https://a.example/2.png https://a.example/3.png"},
		{"Comments", `<style>/* url(https://a.example/1.png) */ a{background:/**/url(/**/https://a.example/2.png)} b{background:url(https://a.example/3.png)/*}</style>`, "https://a.example/3.png"},
		{"Strings", `<style>a{content:"url(https://a.example/1.png)"} b{content:url("https://a.example/2.png")}</style>`, "https://a.example/2.png"},
		{"BrokenURL", `<style>a{background:url(https://a.example/1 x.png)} b{background:url(https://a.example/2.png )}</style>`, "https://a.example/2.png"},
		{"BrokenString", "<style>a{background:url('https://a.example/1\n.png')}\nb{background:url(https://a.example/2.png)}</style>", "https://a.example/2.png"},
		{"AtEnd", `<p style="background:url(https://a.example/1.png"><p style="background:url('https://a.example/2.png">`, "https://a.example/1.png https://a.example/2.png"},
		{"NameSpace", `<style>@namespace url(https://a.example/ns);a{background:url(https://a.example/1.png)}</style>`, "https://a.example/1.png"},
		{"FontInMedia", `<style>@media all{@font-face{src:url(https://a.example/1.woff)} a{background:url(https://a.example/1.png)}}</style>`, "https://a.example/1.png"},
		{"NoFunction", `<p style="background:curl(https://a.example/1.png)">`, ""},
		{"Image", `<image src="https://a.example/1.png" srcset="https://a.example/2.png 2x">`, "https://a.example/1.png https://a.example/2.png"},
		{"Cut", `<style>a{background:url(https://a.example/1.png`, "https://a.example/1.png"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(images(t, tt.html), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// All has no pictures, and a part of a plan names each host and the facts that it
// learns.
func TestRemoteImagesOptIn(t *testing.T) {
	text := "Content-Type: text/html\n\n<img src=https://a.example/1.png width=1 height=1>\n"
	if refs := openWith(t, text, dialect.All()); len(refs) != 0 {
		t.Errorf("all: got %d references, want none", len(refs))
	}
	ds, err := dialect.Named("all", dialect.RemoteImages)
	if err != nil {
		t.Fatal(err)
	}
	refs := openWith(t, text, ds)
	if len(refs) != 1 {
		t.Fatalf("got %d references, want 1", len(refs))
	}
	plan := new(externalbody.Resolver).Plan(refs[0])
	if !slices.Contains(plan.Discloses, externalbody.Disclosure{To: "the sender", What: "reading"}) {
		t.Errorf("got %v, want that the sender learns of the reading", plan.Discloses)
	}
}

// The time is linear in the text, whatever is open in it.
func TestRemoteImagesTime(t *testing.T) {
	for _, piece := range []string{"<style>", "<style></style>", "<svg><style>", "<style>url(x)", "url(", "<img srcset=','>", "<p style='a:url(b)'>"} {
		testkit.InLinearTime(t, piece, 64<<10/len(piece), func(n int) string {
			return strings.Repeat(piece, n) + "<style>" + strings.Repeat(piece, n/16)
		}, func(html string) { images(t, html) })
	}
}

// The octets that are allocated, which follow the work, grow as the text does.
func TestRemoteImagesScale(t *testing.T) {
	for _, tt := range []struct {
		name string
		html func(n int) string
	}{
		{"SrcsetAndStyle", func(n int) string {
			var set strings.Builder
			for i := range n {
				fmt.Fprintf(&set, "https://a.example/%d.png %dw,", i, i+1)
			}
			return `<img srcset="` + set.String() + `" style="` + strings.Repeat("Border-Color:Transparent;", n) + `">`
		}},
		{"StyleAttribute", func(n int) string { return `<p style="` + strings.Repeat("a:url(https://a.example/1.png);", n) + `">` }},
		{"StyleElement", func(n int) string {
			return `<style>` + strings.Repeat("a{b:url(https://a.example/1.png)}", n) + `</style>`
		}},
		{"Elements", func(n int) string {
			return strings.Repeat(`<img src="https://a.example/1.png" style="a:b">`, n)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			testkit.InProportion(t, 400, 0, tt.html, func(html string) { images(t, html) })
		})
	}
}
