package picture

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

func TestType(t *testing.T) {
	for text, want := range map[string]string{
		"\x89PNG\r\n\x1a\n...": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif", "GIF": "", "RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp",
		"RIFF\x00\x00\x00\x00WAVEfmt ": "", "\x00\x00\x00\x1cftypavif": "image/avif", "\x00\x00\x00\x1cftypisom": "", "MZ\x90\x00": "", "%PDF-1.7": "",
		"<html><svg>": "", "<svg>": SVG, "<svg/>": SVG, "<?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE svg><svg:svg xmlns:svg='x'>": SVG, "<svgx>": "", "svg": "", "": "",
		"\xef\xbb\xbf<SVG\nwidth='1'>": SVG, "#!/bin/sh": "", "PK\x03\x04": "",
	} {
		if got := Type([]byte(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestActive(t *testing.T) {
	const around = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for _, quiet := range []string{
		`<rect width="1" height="1" fill="url(#g)" style="stroke:url('#g')"/>`, `<use xlink:href="#a"/>`, `<style>.a{fill:url(#g)}</style><g class="a"/>`,
		`<image href="data:image/png;base64,AAAA"/>`, `<title>https://a.example/ onload=x</title>`, `<animate attributeName="width" from="1" to="2"/>`,
		`<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>`, `<a href="#b"><text>curl(1)</text></a>`,
	} {
		if reason := Active(strings.NewReader(around + quiet + "</svg>")); reason != "" {
			t.Errorf("%s: got %q, want nothing", quiet, reason)
		}
	}
	const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`
	if reason := Active(strings.NewReader("<?xml version='1.0' encoding='UTF-8'?>" + doctype + around + "</svg>")); reason != "" {
		t.Errorf("with a DOCTYPE: got %q, want nothing", reason)
	}
	for _, active := range []string{
		`<script>alert(1)</script>`, `<SCRIPT/>`, `<svg:script/>`, `<g onload="x()"/>`, `<g ONCLICK='x()'/>`, `<a href="javascript:x()"/>`, `<a xlink:href="https://a.example/"/>`,
		`<image href="https://a.example/p.png"/>`, `<image href=" //a.example/p.png"/>`, `<image href="p.png"/>`, `<image href="data:image/svg+xml,%3Csvg onload=x%3E"/>`,
		`<image href="&#104;ttps://a.example/"/>`, `<use href="https://a.example/#a"/>`, `<feImage href="https://a.example/"/>`, `<foreignObject><p/></foreignObject>`,
		`<iframe src="https://a.example/"/>`, `<style>@import "https://a.example/"</style>`, `<style>g{fill:url(https://a.example/)}</style>`, `<style>g{fill:u\72l(https://a.example/)}</style>`,
		`<style><![CDATA[g{fill:url("//a.example/")}]]></style>`, `<style>@font-face{src:url(#a)}</style>`, `<g style="fill:url(https://a.example/)"/>`, `<g filter="url(https://a.example/#f)"/>`,
		`<g mask="URL( 'https://a.example/#f' )"/>`, `<set attributeName="href" to="https://a.example/"/>`, `<animate attributeName="xlink:href" values="javascript:x()"/>`, `<set attributeName="onload" to="x()"/>`,
		`<?xml-stylesheet href="https://a.example/"?>`, `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, `<g xml:base="https://a.example/"/>`, `<g`, `<video src="https://a.example/"/>`,
		`<g style="background:image-set('https://a.example/' 1x)"/>`, `<handler type="x"/>`,
		`<style>g{fill:ur<!-- -->l(https://a.example/)}</style>`, `<style>@im<![CDATA[port "//a.example/"]]></style>`, `<style>g{fill:ur<g/>l(https://a.example/)}`,
		`<set attributeName=" href" to="https://a.example/"/>`,
	} {
		if reason := Active(strings.NewReader(around + active + "</svg>")); reason == "" {
			t.Errorf("%s: got nothing, want a reason", active)
		}
	}
	if Active(strings.NewReader(around+strings.Repeat("<g/>", maxSVG/4)+"</svg>")) == "" {
		t.Error("too long: got nothing, want a reason")
	}
	if Active(strings.NewReader("<?xml version='1.0' encoding='utf-7'?>"+around+"</svg>")) == "" {
		t.Error("another charset: got nothing, want a reason")
	}
}

// TestActiveBounds holds, OP-62: an SVG of 4 MiB takes not much more memory than its longest value.
func TestActiveBounds(t *testing.T) {
	const most = 128 << 20
	for _, tt := range []struct{ name, begin, repeat, end, want string }{
		{"words of a tag", "<svg><g", " a", "/></svg>", "it cannot be read"},
		{"attributes", "<svg><g", ` a=""`, "/></svg>", "it cannot be read"},
		{"elements", "<svg>", "<g/>", "</svg>", ""},
		{"elements within elements", "<svg>", "<g>", "</svg>", ""},
		{"words of a value", `<svg><path d="`, "M 1 2 ", `"/></svg>`, ""},
	} {
		text := tt.begin + strings.Repeat(tt.repeat, (maxSVG-100)/len(tt.repeat)) + tt.end
		var reason string
		got := testkit.Allocated(func() { reason = Active(strings.NewReader(text)) })
		if reason != tt.want || got > most {
			t.Errorf("%s: got %q with %d MiB, want %q with at most %d", tt.name, reason, got>>20, tt.want, most>>20)
		}
	}
}

// Text that has the words of a script or of a URL outside of elements that show texts is active.
func FuzzActive(f *testing.F) {
	f.Add(`<svg><script/></svg>`)
	f.Add(`<svg><g onload="x"/><style>a{b:url(//c)}</style></svg>`)
	f.Add(`<svg><![CDATA[ <script> ]]></svg>`)
	f.Fuzz(func(t *testing.T, text string) {
		if Active(strings.NewReader(text)) != "" {
			return
		}
		// A browser that reads this as HTML finds tags by "<" and a letter; so does a careless reader.
		for _, bad := range []string{"<script", "<iframe", "<foreignobject"} {
			if lower := strings.ToLower(text); strings.Contains(lower, bad+">") && !strings.ContainsAny(text, "!?'\"") {
				t.Errorf("%q: got nothing, want a reason", text)
			}
		}
	})
}
