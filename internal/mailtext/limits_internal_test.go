package mailtext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/multimatch"
)

// TestLimits has texts at and above each limit of the readers.
func TestLimits(t *testing.T) {
	rep := strings.Repeat
	html := func(text string) (tokens []string) {
		HTML(&Source{Octets: []byte(text)}, func(tok *Token) { tokens = append(tokens, tok.Name) })
		return tokens
	}
	longer := func(text string) (url string) {
		Plain(&Source{Octets: []byte(text)}, func(tok *Token) {
			if tok.Kind == URLToken && url == "" {
				url = tok.Longer
			}
		})
		return url
	}
	links := func(text string) (n int) {
		Plain(&Source{Octets: []byte(text)}, func(tok *Token) {
			if tok.Kind == LinkToken {
				n++
			}
		})
		return n
	}
	quoted := func(text string) (yes bool) {
		Plain(&Source{Octets: []byte(text + "\nx")}, func(tok *Token) { yes = tok.Quoted })
		return yes
	}
	wrapped := func(n int) (yes bool) {
		Plain(&Source{Octets: []byte("https://we.tl/" + rep("x", n-len("https://we.tl/")) + "\ny1z2\n")}, func(tok *Token) { yes = yes || tok.Wrapped })
		return yes
	}
	near := func(n int) (tokens int) {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("x", i))
		}
		HTMLNear(&Source{Octets: []byte("<b>far</b><i>here</i>")}, &Near{Places: []multimatch.Span{{Start: 13, End: 17}}, Elements: names}, func(*Token) { tokens++ })
		return tokens
	}
	attrs := func(n int) (most int) {
		var b strings.Builder
		for i := range n {
			fmt.Fprint(&b, " x", i, "=1")
		}
		HTML(&Source{Octets: []byte("<b" + b.String() + " href=a>")}, func(tok *Token) { most = max(most, len(tok.Attrs)) })
		return most
	}
	around := func(n int) string {
		var all string
		new(Breaks).Each([]byte("https://"+rep("x", n-len("://"))+"\n"+rep("y", n)+" "), func(joined []byte, _ []int) { all += string(joined) + "\x00" })
		return all
	}
	line := rep("y1", 34) + "-\n" // may be the middle of a URL
	first := "https://we.tl/" + rep("x", 60) + "-\n"
	joined := func(n int) string { return strings.ReplaceAll(first+rep(line, n), "\n", "") }
	const share = "<https://we.tl/"
	blanks := func(n int) string { return "<https://we.tl/a " + rep("b", n-len(" .pdf")) + ".pdf>\n" }
	for _, tt := range []struct {
		name string
		got  any
		want any
	}{
		{"maxCondition", len(html("<!--[if mso" + rep(" ", maxCondition-len(" mso]>")) + "]><a><![endif]-->")), 2},
		{"maxCondition more", len(html("<!--[if mso" + rep(" ", maxCondition+1-len(" mso]>")) + "]><a><![endif]-->")), 3},
		{"maxPieces", longer(first + rep(line, maxPieces)), joined(maxPieces)},
		{"maxPieces more", longer(first + rep(line, maxPieces+1)), joined(maxPieces)},
		{"maxLink", links(share + rep("x", maxLink-len(share+">")) + ">"), 1},
		{"maxLink more", links(share + rep("x", maxLink+1-len(share+">")) + ">"), 0},
		{"maxBlanks", longer(blanks(maxBlanks-1)) != "", true},
		{"maxBlanks more", longer(blanks(maxBlanks)) != "", false},
		{"fullLine", wrapped(fullLine), true},
		{"fullLine less", wrapped(fullLine - 1), false},
		{"maxElements", near(maxElements), 3},
		{"maxElements more", near(maxElements + 1), 7},
		{"maxAttrs", attrs(maxAttrs - 1), maxAttrs},
		{"maxAttrs more", attrs(maxAttrs + 2), maxAttrs + 1}, // with the href
		{"aroundBreak", len(around(aroundBreak)), 2*aroundBreak + 1},
		{"aroundBreak more", len(around(aroundBreak + 1)), 2*aroundBreak + 1},
		{"maxSeparator", quoted("-----" + rep("x", maxSeparator-len("----------\n")) + "-----"), true},
		{"maxSeparator more", quoted("-----" + rep("x", maxSeparator+1-len("----------\n")) + "-----"), false},
	} {
		if got, want := fmt.Sprint(tt.got), fmt.Sprint(tt.want); got != want {
			t.Errorf("%s: got %.300s, want %.300s", tt.name, got, want)
		}
	}
}

// A URL is whole wherever the pieces of a long line meet, and has one token.
func TestLongLine(t *testing.T) {
	const url = "https://a.example/b?u=https://c.example/d"
	for i := range len(url) + 2 {
		text := strings.Repeat("-", maxToken-i-1) + " " + url + " " + url + "."
		for name, read := range map[string]func(*Source, func(*Token)){
			"Plain": Plain,
			"HTML":  HTML,
			"Near": func(s *Source, emit func(*Token)) {
				PlainNear(s, func(line []byte) bool { return bytes.Contains(line, []byte("c.example")) }, emit)
			},
		} {
			var got []string
			read(&Source{Octets: []byte(text)}, func(tok *Token) {
				if tok.Kind == URLToken {
					got = append(got, tok.Text+"|"+text[tok.Start:tok.End])
				}
			})
			if want := []string{url + "|" + url, url + "|" + url}; !slices.Equal(got, want) {
				t.Errorf("%s: %d octets before the end of the piece: got %q, want %q", name, i, got, want)
			}
		}
	}
}

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
