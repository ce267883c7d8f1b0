package loads_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody/internal/loads"
	"github.com/go-extbody/extbody/internal/testkit"
)

// outline returns the things that a text loads: kind, URL and place of each.
func outline(all []loads.Load) string {
	var b strings.Builder
	for _, l := range all {
		fmt.Fprintf(&b, "%v %s %s", l.Kind, l.Element, l.Attr)
		if l.URL != "" {
			b.WriteString(" " + l.URL)
		}
		if l.Relative {
			b.WriteString(" relative")
		}
		if l.Within {
			b.WriteString(" within")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Each thing that is loaded has its kind, its URL by the URL Standard and its place.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, html, want string }{
		{"Picture", `<img src=" http://a.example/1.png ">`, "picture img src http://a.example/1.png"},
		{"URL", "<img src='HTTP:\\\\a.example\\1 2\n.png'>", "picture img src HTTP://a.example/1%202.png"},
		{"Schemes", `<img src=cid:x><img src=data:image/gif,x><img src=mid:x><img src=about:blank><img src=ftp://a.example/><img src=x-y:z>`, "picture img src ftp://a.example/"},
		{"Files", `<img src=file:///C:/x><img src=file:///x><img src=file://h/x><img src="file:\\h\x"><img src=file://///h/x><img src=file://localhost/x><img src=file://C:/x>`, "picture img src file://h/x\npicture img src file:\\\\h\\x\npicture img src file://///h/x"},
		{"NoScheme", `<img src=//a.example/1><img src="\\a.example\1"><img src="/\a.example/1">`, strings.TrimSuffix(strings.Repeat("picture img src https://a.example/1\n", 3), "\n")},
		{"Relative", `<img src=x.png><img src="#x"><img src="">`, "picture img src x.png relative"},
		{"Base", `<base href=http://a.example/b/c><img src=x.png><img src="#x"><svg><use href="#x"/></svg>`, "picture img src http://a.example/b/x.png\npicture img src http://a.example/b/c#x"},
		{"Fragments", `<base href=http://a.example/b><p style="background:url(#x)"><svg><use href=""/><rect fill="url(#x)"/><use href="#x"/></svg><img src="">`, "other p style http://a.example/b#x\nother use href http://a.example/b"},
		{"BareImport", `<style>@import http://a.example/1</style><style>@import u\72l("http://a.example/2");@import url(http://a.example/3)</style>`, "style style  http://a.example/1\nstyle style  u\\72l(\"http://a.example/2\") relative\nstyle style  http://a.example/2\nstyle style  http://a.example/3"},
		{"LongBase", `<base href=http://a.example/` + strings.Repeat("b", 300) + `/><img src=x.png>`, "picture img src x.png"},
		{"Set", `<img srcset="http://a.example/1 1x (a,b), http://a.example/2">`, "picture img srcset http://a.example/1\npicture img srcset http://a.example/2"},
		{"Media", `<video src=http://a.example/1 poster=http://a.example/2><source src=http://a.example/3><track src=http://a.example/4></video><audio src=http://a.example/5>`, "media video src http://a.example/1\npicture video poster http://a.example/2\nmedia source src http://a.example/3\nmedia track src http://a.example/4\nmedia audio src http://a.example/5"},
		{"Frames", `<iframe src=http://a.example/1></iframe><embed src=cid:x><object data=x></object><frame src=about:blank><iframe src=javascript:x></iframe>`, "frame iframe src http://a.example/1\nframe embed src\nframe object data x relative\nscript iframe src\nframe iframe src"},
		{"Srcdoc", `<iframe srcdoc="<img src='http://a.example/1'><iframe srcdoc=&quot;<img src=http://a.example/2>&quot;></iframe>"></iframe>`, "frame iframe srcdoc\npicture iframe srcdoc http://a.example/1 within\nframe iframe srcdoc within\npicture iframe srcdoc http://a.example/2 within"},
		{"Data", `<object data="data:text/html;base64,PGltZyBzcmM9aHR0cDovL2EuZXhhbXBsZS8xPg=="></object><link rel=stylesheet href="data:text/css,@import'http://a.example/2'">`, "frame object data\npicture object data http://a.example/1 within\nstyle link href http://a.example/2 within"},
		{"Scripts", `<script src=http://a.example/1></script><script>1</script><script type=application/json src=http://a.example/2>1</script><p onclick=x on=y><a href=" java&#10;script:x">x</a><svg><script href=http://a.example/3></script></svg>`, "script script src http://a.example/1\nscript script \nscript p onclick\nscript a href\nscript script href http://a.example/3"},
		{"Links", `<link rel="x StyleSheet" href=http://a.example/1><link rel=icon href=http://a.example/2><link rel=canonical href=http://a.example/3><link rel=preload imagesrcset="http://a.example/4 1x"><link rel=dns-prefetch href=//a.example>`, "style link href http://a.example/1\nhint link href http://a.example/2\nhint link imagesrcset http://a.example/4\nhint link href https://a.example"},
		{"Refresh", `<meta http-equiv=refresh content="0;url=http://a.example/1"><meta http-equiv=Refresh content="5"><meta http-equiv=refresh content="x"><meta name=refresh content="0;url=http://a.example/2">`, "refresh meta content http://a.example/1\nrefresh meta content"},
		{"Ping", `<a ping="http://a.example/1 http://a.example/2" href=http://a.example/3>`, "ping a ping http://a.example/1\nping a ping http://a.example/2"},
		{"CSS", `<style>@import "http://a.example/1";@font-face{src:url(http://a.example/2)}p{background:url(http://a.example/3);--x:'http://a.example/4' a;color:red}@namespace "http://a.example/5";q{--y:a;content:"http://a.example/6"}</style>`, "style style  http://a.example/1\nfont style  http://a.example/2\npicture style  http://a.example/3\nother style  http://a.example/4"},
		{"SVG", `<svg><image href=http://a.example/1 /><use href=http://a.example/2#a /><feImage xlink:href=http://a.example/3 /><rect fill="url(http://a.example/4#a)" mask="url(http://a.example/5#a)"/><set attributeName=href to=http://a.example/6 /><animate attributeName=mask values="none;url(http://a.example/7)"/></svg>`,
			"picture image href http://a.example/1\nother use href http://a.example/2#a\npicture feimage href http://a.example/3\nother rect fill http://a.example/4#a\npicture rect mask http://a.example/5#a\nother set to http://a.example/6\nother animate values http://a.example/7"},
		{"SVGStyle", `<svg><style>p{b:url(&#104;ttp://a.example/1)}<!-- -->q{c:u<!-- -->rl(http://a.example/2)}</style></svg>`, "picture style  &#104;ttp://a.example/1 relative\npicture style  http://a.example/1\npicture style  http://a.example/2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(read(t, tt.html)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Things that no program shows are not loaded, also after an svg element has ended.
func TestNotLoaded(t *testing.T) {
	const img = `<img src="http://a.example/1">`
	for _, html := range []string{
		"<template>" + img + "</template>", "<template><template></template>" + img + "</template>", "<template><style>p{b:url(http://a.example/1)}</style></template>",
		"<textarea>" + img + "</textarea>", "<title>" + img + "</title>", "<xmp>" + img + "</xmp>", "<noembed>" + img + "</noembed>", "<noframes>" + img + "</noframes>",
		"<iframe>" + img + "</iframe>", "<!-- " + img + " -->", "<![CDATA[" + img, "<style>" + img + "</style>", `<p title='` + img + `'>`, "<plaintext>" + img,
		`<a href="http://a.example/1">`, `<form action="http://a.example/1">`, `<div background="http://a.example/1">`, `<image href="http://a.example/1">`, `<p fill="url(http://a.example/1)">`,
		`<img data-src="http://a.example/1" longdesc="http://a.example/1">`, `<input src="http://a.example/1">`, `<p style="/*url(http://a.example/1)*/">`, `<p style="b:'url(http://a.example/1)'">`,
		`<script type="application/ld+json">{"@id": "http://a.example/1"}</script>`, `<base href="http://a.example/1">`, `<blockquote cite="http://a.example/1">`, `<meta property=og:image content="http://a.example/1">`,
	} {
		for _, before := range []string{"", "<svg><g><path/></g><style>a{}</style></svg>", "<select><option>x</select>"} {
			if got := read(t, before+html); len(got) != 0 {
				t.Errorf("%s: got\n%s\nwant nothing", before+html, outline(got))
			}
		}
	}
}

// After the Cut of each thing the text loads it no more, and nothing else has changed.
func TestCut(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, " on%d=x", i)
	}
	for _, tt := range []struct{ name, html, want string }{
		{"Quoted", `<img alt=x src="http://a.example/1">`, `<img alt=x src="">`},
		{"Bare", `<img src=http://a.example/1 alt=x>`, `<img src="" alt=x>`},
		{"Set", `<img srcset="http://a.example/1 1x, http://a.example/2 2x">`, `<img srcset="">`},
		{"CSS", `<p style="color:red;background:url(http://a.example/1)">`, `<p style="color:red;background:url(about:blank)">`},
		{"StyleElement", `<style>p{background:u\72l("http://a.example/1")}</style>`, `<style>p{background:u\72l("about:blank")}</style>`},
		{"Drawing", `<svg><use href=http://a.example/1#a /><use href="http://a.example/1#a"/></svg>`, `<svg><use href="#" /><use href="#"/></svg>`},
		{"EmptyDrawing", `<base href=http://a.example/><svg><use href="" /></svg>`, `<base href=http://a.example/><svg><use></svg>`},
		{"BareImport", `<style>@import u\72l("http://a.example/1");p{}</style>`, `<style>@import about:blank;p{}</style>`},
		{"Script", `<script>x</script>`, `<script></script>`},
		{"Refresh", `<meta http-equiv=refresh content="0;url=http://a.example/1">`, `<meta http-equiv=refresh content="">`},
		{"Many", "<p" + many.String() + ">", "<p>"},
		{"Letter", "<x\u00e9" + many.String() + ">", "<x>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cut(t, tt.html); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// cut makes the Cuts of a text until it loads nothing.
func cut(t testing.TB, html string) string {
	t.Helper()
	for range 10 {
		all := read(t, html)
		if len(all) == 0 {
			return html
		}
		var ok bool
		if html, ok = loads.Apply(html, cuts(all)); !ok {
			t.Fatalf("%q: cannot be cut", html)
		}
	}
	t.Errorf("got %q after 10 cuts, which loads\n%s", html, outline(read(t, html)))
	return html
}

func cuts(all []loads.Load) (list []loads.Cut) {
	for _, l := range all {
		list = append(list, l.Cut)
	}
	return list
}

// The octets that are allocated, which follow the work, grow as the text does.
func TestScale(t *testing.T) {
	repeat := func(head, unit, tail string) func(n int) string {
		return func(n int) string { return head + strings.Repeat(unit, n) + tail }
	}
	for _, tt := range []struct {
		name string
		html func(n int) string
	}{
		{"Handlers", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, " on%d=x", i)
			}
			return "<p" + b.String() + ">"
		}},
		{"Ping", repeat(`<a ping="`, "http://a.example/1 ", `">`)},
		{"Values", repeat(`<svg><animate attributeName=href values="`, "http://a.example/1;", `">`)},
		{"Presentation", repeat(`<svg><rect mask="`, "url(http://a.example/1),", `">`)},
		{"SVGStyle", repeat("<svg><style>", "p{b:url(http://a.example/1)}<!-- -->", "</style>")},
		{"SVGStyles", repeat("<svg>", "<style>p{b:url(http://a.example/1)}", "")},
		{"Srcdoc", repeat(`<iframe srcdoc="`, "<img src=http://a.example/1>", `">`)},
		{"Srcdocs", repeat("", "<iframe/srcdoc=", "")},
		{"DataStyle", repeat(`<link rel=stylesheet href="data:text/css,`, "@import 'http://a.example/1';", `">`)},
		{"DataStyles", repeat(`<style>`, "@import \"data:text/css,", "")},
		{"Templates", repeat("", "<template><svg><template>", "")},
		{"Scripts", repeat("", "<script>x<!--<script>", "")},
		{"Custom", repeat("<style>p{", "--x:'http://a.example/1';", "}")},
		{"Open", repeat("<style>", "{--x:(", "")},
		{"Strings", repeat("<p style='", `--"\`, "'>")},
		{"Refresh", repeat("<meta http-equiv=refresh content='0", " ;", "url=http://a.example/1'>")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			testkit.InProportion(t, 2000, 1<<20, tt.html, func(html string) { read(t, html) })
		})
	}
}

// FuzzRead: after the Cuts nothing is loaded, and the octets outside of them are the same.
func FuzzRead(f *testing.F) {
	for _, form := range append(forms, refreshes...) {
		f.Add(strings.ReplaceAll(strings.ReplaceAll(form, "§", "http://a.example/1"), "¤", "//a.example/2"))
	}
	f.Fuzz(func(t *testing.T, html string) {
		all := read(t, html)
		for _, l := range all {
			if c := l.Cut; c.Start < 0 || c.End < c.Start || c.End > int64(len(html)) {
				t.Fatalf("got the cut %v of %d octets", c, len(html))
			}
		}
		cut(t, html)
	})
}
