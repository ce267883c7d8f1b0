package mailtext

import (
	"strings"
	"testing"
)

// TestSpan has places in values of attributes as they are written.
func TestSpan(t *testing.T) {
	for _, tt := range []struct{ name, charset, html, attr, value, want string }{
		{"Whole", "utf-8", `<img alt=x src="a b">`, "src", "a b", "a b"},
		{"NoQuotes", "utf-8", `<img src=a/b>`, "src", "a/b", "a/b"},
		{"Single", "utf-8", `<img src = 'a"b' alt="">`, "src", `"b`, `"b`},
		{"First", "utf-8", `<img src=a src=b>`, "src", "b", ""},
		{"Case", "utf-8", `<IMG SRC=a>`, "src", "a", "a"},
		{"References", "utf-8", `<p style="url(&quot;a?b&amp;c&#x22;)">`, "style", "a?b&c", "a?b&amp;c"},
		{"NoReference", "utf-8", `<p style="a?b&copy=1 x">`, "style", "a?b&copy=1", "a?b&copy=1"},
		{"LineEnds", "utf-8", "<img srcset='a 1x,\r\nb 2x'>", "srcset", "b", "b"},
		{"UTF8", "utf-8", "<p style='caf\u00e9 x b'>", "style", "x", "x"},
		{"NoCharset", "", "<p style='caf\xe9 x b'>", "style", "x", "x"},
		{"ShiftJIS", "shift_jis", "<p style=\"'\x83e\x83X' (a) b\">", "style", "a", "a"},
		{"EscapeSequence", "iso-2022-jp", "<p style=\"'\x1b$B%F\x1b(B' (a) b\">", "style", "a", ""},
		{"InPiece", "utf-8", `<p style="abc">`, "style", "b", ""},
		{"NUL", "utf-8", "<p style='\x00 a b'>", "style", "a", "a"},
		{"XLink", "utf-8", `<image xlink:href="a">`, "href", "a", "a"},
		{"Missing", "utf-8", `<img src=a>`, "alt", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			HTML(&Source{Octets: []byte(tt.html), Charset: tt.charset}, func(k *Token) {
				if k.Kind != StartTagToken {
					return
				}
				value, _ := k.Attr(tt.attr)
				at := strings.Index(value, tt.value)
				got := ""
				if start, end, ok := k.Span(tt.attr, at, at+len(tt.value)); ok {
					got = tt.html[start:end]
				}
				if got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}
