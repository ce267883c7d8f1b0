package mailtext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"

	"github.com/go-extbody/extbody/internal/codec/multimatch"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A piece is a token as tests compare it.
type piece struct {
	kind       TokenKind
	name       string
	attrs      string
	text       string
	start, end int64
	quoted     bool
}

func (p piece) String() string {
	return fmt.Sprintf("%d %s %s %q %d-%d %t", p.kind, p.name, p.attrs, p.text, p.start, p.end, p.quoted)
}

// pieces returns the tokens that walk gives, except ContentTokens, which no other reader has.
func pieces(walk func(emit func(*Token))) []piece {
	var all []piece
	walk(func(t *Token) {
		if t.Kind == ContentToken {
			return
		}
		var attrs strings.Builder
		for _, a := range t.Attrs {
			fmt.Fprintf(&attrs, "%s=%q ", a.Name, a.Value)
		}
		all = append(all, piece{t.Kind, t.Name, attrs.String(), t.Text, t.Start, t.End, t.Quoted})
	})
	return all
}

func htmlPieces(text, label string) []piece {
	return pieces(func(emit func(*Token)) { HTML(&Source{Octets: []byte(text), Charset: label}, emit) })
}

// outline returns the tokens as a text: names of tags, and texts in quotes, with a
// ">" before quoted ones.
func outline(ps []piece) string {
	var b strings.Builder
	for _, p := range ps {
		if p.quoted && p.kind != EndToken {
			b.WriteByte('>')
		}
		switch p.kind {
		case StartTagToken:
			b.WriteString("<" + p.name + " " + p.attrs + ">")
		case EndTagToken:
			b.WriteString("</" + p.name + ">")
		case EndToken:
			b.WriteString("$")
		case LinkToken:
			b.WriteString("{" + p.text + "}")
		case URLToken:
			b.WriteString("[" + p.text + "]")
		default:
			fmt.Fprintf(&b, "%q", p.text)
		}
	}
	return b.String()
}

func TestWalkHTML(t *testing.T) {
	tests := []struct{ name, label, text, want string }{
		{"Empty", "", "", "$"},
		{"Tags", "", "<A HREF='x&amp;y' id=a>t&lt;</A><br/>", `<a href="x&y" id="a" >"t<"</a><br >$`},
		{"UnclosedTag", "", "a<a href='x>y", `"a"$`},
		{"URL", "", "<p>See https://a.example/x?a&amp;b, then http://b.example</p>", `<p >[https://a.example/x?a&b][http://b.example]"See https://a.example/x?a&b, then http://b.example"</p>$`},
		{"Comment", "", "a<!-- <a href=x> -->b", `"a""b"$`},
		{"HiddenFromAllButOutlook", "", "a<!--[if mso]><a href=x>y</a><![endif]-->b", `"a"<a href="x" >"y"</a>"b"$`},
		{"HiddenFromAllButOldOutlook", "", "<!--[if (gte mso 9)|(IE)]><b><![endif]--><!--[if gte vml 1]><i><![endif]-->", `<b ><i >$`},
		{"HiddenFromAll", "", "<!--[if !mso]><b><![endif]--><!--[if IE 6]><i><![endif]--><!--[if mso>]><u><![endif]-->", `$`},
		{"HiddenUnlessBoth", "", "<!--[if (mso)&(!mso)]><b><![endif]--><!--[if (mso)&(gte mso 9)]><i><![endif]-->", `<i >$`},
		{"ConditionHidesNothing", "", "<!--[if mso]><style><![endif]--><b>c</b><!--[if mso]><p title=\"<![endif]--><i title=\"x\">d<!--[if mso]>e--><u>f</u><!--[if mso]><plaintext><![endif]-->g</style>", `<style ><b >"c"</b><p title="<![endif]--><i title=" x"="" ><i title="x" >"d""e-->"<u >"f"</u><plaintext >"g"</style>$`},
		{"ConditionOpensLink", "", "<!--[if mso]><a href=x><![endif]-->b<!--[if mso]></a><![endif]-->", `<a href="x" ></a>"b"</a>$`},
		{"ConditionWithin", "", "<!--[if mso]><!--[if gte mso 9]><b><![endif]--><i>", `<b ><i >$`},
		{"HiddenFromOutlook", "", "<!--[if !mso]><!--><b><!--<![endif]--><!--[if !mso]>--><i><!--<![endif]-->", `<b ><i >$`},
		{"ShownByAllButOutlook", "", "<![if !mso]><p>y<![endif]>", `<p >"y"$`},
		{"CommentsOfOWA", "", "<!--[if lte mso 15 || CheckWebRef]--><p>y<!--[endif]-->", `<p >"y"$`},
		{"Raw", "", "<style>p{}<a></style><script>'<a>'</script><title>a<b></title><p>", `<style ></style><script ></script><title ></title><p >$`},
		{"Noscript", "", "<noscript><a>x</a></noscript>", `<noscript ><a >"x"</a></noscript>$`},
		{"Plaintext", "", "<plaintext><a>", `<plaintext >$`},
		{"CDATA", "", "<![CDATA[<a>x]]>y", `"x]]>y"$`},
		{"UTF8", "utf-8", "<p title='é'>é&eacute;", `<p title="é" >"éé"$`},
		{"BrokenUTF8", "utf-8", "<p title='\xe9'>\xe9", `<p title="�" >"�"$`},
		{"Latin1", "iso-8859-1", "<p title='\xe9&eacute;'>\xe9&eacute;", `<p title="éé" >"éé"$`},
		{"NoCharset", "", "<p title='\xe9'>é", `<p title="é" >"é"$`},
		{"GB18030", "gb2312", "\xce\xc4<p title=\xce\xc4>", `"文"<p title="文" >$`},
		{"ISO2022JP", "iso-2022-jp", "\x1b$B<B$a\x1b(B<p title='\x1b$B46>u\x1b(B'>\x1b$B%a!<%k\r\n<b>x", `"実め"<p title="感状" >"メール\n"<b >"x"$`},
		{"UnknownCharset", "x-none", "\xe9", `"é"$`},
		{"Blockquote", "", "a<blockquote>b<blockquote>c</blockquote>d</blockquote>e", `"a">` + `<blockquote >>"b">` + `<blockquote >>"c">` + `</blockquote>>"d">` + `</blockquote>"e"$`},
		{"GmailQuote", "", "<div><div class='x_gmail_quote y'>b<div>c</div></div>d</div>", `<div >><div class="x_gmail_quote y" >>"b">` + `<div >>"c">` + `</div>>` + `</div>"d"</div>$`},
		{"OutlookQuote", "", "<div id=x_divRplyFwdMsg></div>b", `><div id="x_divRplyFwdMsg" >>` + `</div>>"b"$`},
		{"Separator", "", "a<p>-----Original Message-----<p>b", `"a"<p >>"-----Original Message-----">` + `<p >>"b"$`},
		{"EndTagsWithoutStart", "", "</div></blockquote>a", `</div></blockquote>"a"$`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ps := htmlPieces(tt.text, tt.label)
			if got := outline(ps); got != tt.want {
				t.Errorf("%q:\n%s, want\n%s", tt.text, got, tt.want)
			}
			checkSpans(t, tt.text, ps)
		})
	}
}

// checkSpans checks that tokens are in order, except URLs, and within the text, and
// that the last one is its end. Tokens of several readings may overlap.
func checkSpans(t *testing.T, text string, ps []piece) {
	t.Helper()
	at := int64(0)
	for _, p := range ps {
		if p.start < at || p.end < p.start || p.end > int64(len(text)) {
			t.Fatalf("%q: got %v, want it after %d and within the text", text, p, at)
		}
		if p.kind == URLToken {
			continue // it is in the text that follows
		}
		if at = p.end; branched(text) {
			at = p.start
		}
	}
	if last := ps[len(ps)-1]; last.kind != EndToken || last.end != int64(len(text)) {
		t.Fatalf("%q: got %v last, want the end", text, last)
	}
}

// reference returns the tokens of a text as the tokenizer gives them when it reads
// all at once.
func reference(text string) []piece {
	var all []piece
	z := nethtml.NewTokenizer(strings.NewReader(text))
	at, raw := int64(0), false
	for {
		kind := z.Next()
		end := at + int64(len(z.Raw()))
		p := piece{start: at, end: end}
		at = end
		switch kind {
		case nethtml.ErrorToken:
			return all
		case nethtml.TextToken:
			if raw {
				raw = false
				continue
			}
			p.kind, p.text = TextToken, string(z.Text())
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			name, more := z.TagName()
			p.name = string(name)
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				p.attrs += fmt.Sprintf("%s=%q ", key, value)
			}
			if p.name == "noscript" {
				z.NextIsNotRawText()
			}
		case nethtml.EndTagToken:
			name, _ := z.TagName()
			p.kind, p.name = EndTagToken, string(name)
		}
		raw = rawOf([]byte(p.name)) != markup && p.kind == StartTagToken && p.name != "noscript"
		if kind != nethtml.CommentToken && kind != nethtml.DoctypeToken {
			all = append(all, p)
		}
	}
}

var htmlSeeds = []string{
	"", "a", "<p>a</p>", "<a href='x'>y</a>", "<a\nhref=\"x>y\" b=c/>", "<!-- a -- > b -->c", "<!--->a", "<!---->b", "<!doctype html>a",
	"<style>a</b></style>c", "<script><!--<script></script>--></script>d", "<title>a<b></title>", "<textarea>&lt;</textarea>",
	"<plaintext>a<b>", "<noscript><p></noscript>", "<![CDATA[a]]>", "<?xml a?>b", "</>a</ b>c", "<a =\"x>y\" b>c", "<a b = 'c' d=e>f",
	"a<", "a</", "a<b", "<iframe><a></iframe>", "a&amp;b&", "<a b=&semi;=>", "a<3 b", "<div class=gmail_quote>a</div>b", "</a b='>'>c", "<a/b/c='d'/>",
	"<style>" + strings.Repeat("x", 100) + "</style >y", "<a b='" + strings.Repeat("<", 100) + "'>y", "<!--" + strings.Repeat("-", 100) + ">y",
	strings.Repeat("x", 100) + "<p>", "<a " + strings.Repeat("b", 100) + ">c", "<!" + strings.Repeat("b", 100) + ">c", "</a " + strings.Repeat("b ", 50) + ">c",
	"<a b='x&copy=1&copy;2&copyx&copy &amp&notit;&not&#65&#x42;&semi;&' c=&lt;&LT d=\"\r\n\r\x00\" E=&fjlig; =f g= >", "<a b=1 B=2 c c=3 / d/e=f'g' h=\"i\"j>",
	"a<!--[if mso]><b c=d>e<![endif]-->f<!--[if !mso]><!--><i>g<!--<![endif]-->", "<!--[if mso]><!-- a --><style>b</style>c", "<!--[if mso]><style><![endif]--><b>", "<!--[if mso]><a b='<![endif]--><c d='e'>", "<!--[if mso]><style>a</style><![endif]--><p>b", "<!--[if mso", "<!--[if mso]>",
	"<!--[if " + strings.Repeat("mso ", 30) + "]><b><![endif]-->", "<!--[if mso]><!--[if gte mso 9]>a<![endif]-->b-->c",
	"a<script type=application/ld+json>b<c></script>d", "<p " + strings.Repeat("a%=b ", 10) + ">", "<a" + strings.Repeat(" b c d", 30) + "><style>x</style>",
}

// branches has the starts of text with several readings.
var branches = []string{"<svg", "<math", "<select", "<noscript", "<!--[if", "<base"}

// branched reports whether a text may have several readings.
func branched(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(branches, func(s string) bool { return strings.Contains(text, s) })
}

// FuzzWalkHTML compares with the tokenizer of golang.org/x/net/html, where a text has one
// reading.
func FuzzWalkHTML(f *testing.F) {
	for _, s := range htmlSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ps := htmlPieces(text, "utf-8")
		if branched(text) {
			return
		}
		checkSpans(t, text, ps)
		want := reference(text)
		ps = slices.DeleteFunc(ps, func(p piece) bool { return p.kind == DataToken })
		if len(ps) != len(want)+1 {
			t.Fatalf("%q: %v, want %v", text, ps, want)
		}
		for i, p := range want {
			got := ps[i]
			got.quoted = false
			p.name, p.text = strings.ToValidUTF8(p.name, "\uFFFD"), strings.ToValidUTF8(p.text, "\uFFFD")
			if got.kind != p.kind || got.name != p.name || utf8.ValidString(text) && got.attrs != p.attrs && !strings.Contains(got.attrs, "xlink:href") || got.start != p.start || got.end != p.end || p.kind == TextToken && got.text != p.text {
				t.Fatalf("%q: %v, want %v", text, got, p)
			}
		}
	})
}

// hrefs returns the href of each element of the tree that golang.org/x/net/html builds.
func hrefs(t *testing.T, text string) map[string]int {
	root, err := nethtml.ParseWithOptions(strings.NewReader(text), nethtml.ParseOptionEnableScripting(false))
	if err != nil {
		return nil // too deep
	}
	found := make(map[string]int)
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if n.Type == nethtml.ElementNode && a.Key == "href" {
				found[a.Val]++
			}
		}
	}
	return found
}

// treeSeeds are texts whose tags depend on the tree.
func treeSeeds() []string {
	seeds := []string{
		"<svg><![CDATA[<a href=1>]]><a href=2></svg><![CDATA[<a href=3>]]>", "<svg><desc><style><a href=1></style></desc><style><a href=2>",
		"<math><mi><style><a href=1></style></mi><style><p><a href=2>", "<select><style></select><a href=1>", "<select><textarea></select><a href=1>",
		"<svg><style><a title='</style>' href=1>", "<math><annotation-xml encoding=text/html><title><a href=1></title><a href=2>", "<b><svg></b><style><a href=1>",
		"<table><svg><tr><td><style><a href=1></style><a href=2>", "<svg><script><!--<script></script><a href=1>", "<script><!--<script></script><a href=1>--></script><a href=2>",
		"<svg><title><![CDATA[<a href=1>]]></title><a xlink:href=2>", "<noscript><!--</noscript><a href=1>--><a href=2></noscript>", "<svg></p><style><a href=1>",
		"<frameset><style><a href=1>", "<template><svg><style><a href=1></template><a href=2>", "<svg><foreignObject><iframe><a href=1></iframe><a href=2>",
		"<select><svg><style><a href=1></select><a href=2>", "<svg/><style><a href=1></style><a href=2>", "<svg><a href=1><font size=1><style><a href=2></style>",
		"<svg><style><!--</style><a href=1>--><a href=2>", "<svg><textarea></svg><a href=1></textarea><a href=2>", "<svg><plaintext><a href=1></svg><plaintext><a href=2>",
		"<select><xmp></select><a href=1></xmp><a href=2>", "<svg><desc></svg><style><a href=1></style><a href=2>",
	}
	for _, foreign := range []string{"svg", "math"} {
		for _, raw := range rawElements[1:] {
			seeds = append(seeds, fmt.Sprintf("<%s><%s><p><a href=1>x</a></%s></p><a href=2>", foreign, raw, raw))
		}
	}
	return seeds
}

// FuzzTree looks for each href of the tree among the tokens.
func FuzzTree(f *testing.F) {
	for _, s := range treeSeeds() {
		f.Add(s)
	}
	f.Fuzz(checkTree)
}

func checkTree(t *testing.T, text string) {
	if !utf8.ValidString(text) {
		return
	}
	found := hrefs(t, text)
	HTML(&Source{Octets: []byte(text), Charset: "utf-8"}, func(tok *Token) {
		if href, ok := tok.Attr("href"); ok && tok.Kind == StartTagToken {
			delete(found, href)
		}
	})
	if len(found) > 0 {
		t.Errorf("%q: got no href of %v, want all of the tree", text, found)
	}
}

// TestTree compares with the tree of texts that are put together at random.
func TestTree(t *testing.T) {
	words := []string{
		"<svg>", "</svg>", "<math>", "</math>", "<svg/>", "<select>", "</select>", "<option>", "<p>", "</p>", "<b>", "</b>", "<table>", "</table>", "<td>", "<tr>", "<div>", "</div>",
		"<desc>", "</desc>", "<foreignObject>", "</foreignObject>", "<mi>", "</mi>", "<annotation-xml encoding=text/html>", "<template>", "</template>", "<font color=x>", "<a>", "</a>", "<br>", "</br>",
		"<![CDATA[", "]]>", "<!--", "-->", "--!>", "<!x", ">", "<?x", "'", "\"", "<x y='", "<x y=\"", "<x y=", "<", "</", "&lt;", " ", "text", "<head>", "<body>", "<html>", "<frameset>", "<form>", "<input>", "<image>", "<button>",
	}
	for _, raw := range rawElements[1:] {
		words = append(words, "<"+raw+">", "</"+raw+">", "<"+raw+" ", "</"+raw)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for i := range 2 + r.IntN(16) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "<a href=%d>", i)
			}
		}
		checkTree(t, b.String())
	}
}

// FuzzHTMLNear checks that the tokens near places are a part of the tokens of HTML:
// the tokens at the places, all of the links and tables around them, and the tokens
// that follow.
func FuzzHTMLNear(f *testing.F) {
	for _, s := range htmlSeeds {
		f.Add(s, uint(len(s)/2), uint(3*len(s)/4))
	}
	for _, s := range []string{
		"<p><a href=x><table><tr><td>a<div id=y><a href=x>b</a></div></table></a>c<p>d", "<a>b<div>c<div>d</div>e</div>f</a>g<b>h", "<table><a>b<table>c</table>d</table>e<i>f",
		"<blockquote>a<div class=gmail_quote>b</div><p>c</blockquote><a>d</a>e<p>f", "a<p>-----Original Message-----<p>b<a>c", "<div id=divRplyFwdMsg>a<a>b</div>c", "<img src=a>b<p>c<img src=d>",
		"<a><script><!--<script></script></script>b<p>c", "<p>a<a name=b>c<p>d<a>e</a>f<p>g", "<p>&#97;<p>b", "<style>a</style><a><title>b<a></title>c<p>d",
	} {
		for i := range len(s) {
			f.Add(s, uint(i), uint(len(s)-i/2))
		}
	}
	f.Fuzz(func(t *testing.T, text string, at, too uint) {
		if len(text) == 0 {
			return
		}
		n := uint(len(text))
		first, second := int(min(at%n, too%n)), int(max(at%n, too%n))
		places := []multimatch.Span{{Start: first, End: first + 1}}
		if second > first+1 {
			places = append(places, multimatch.Span{Start: second, End: second + 1})
		}
		whole := htmlPieces(text, "utf-8")
		near := pieces(func(emit func(*Token)) {
			HTMLNear(&Source{Octets: []byte(text), Charset: "utf-8"}, &Near{Places: places, Elements: []string{"a", "table"}}, emit)
		})
		given := make([]bool, len(whole))
		i := 0
		for _, p := range near {
			for i < len(whole) && whole[i] != p && (p.kind != EndToken || whole[i].kind != EndToken) {
				i++
			}
			if i == len(whole) {
				t.Fatalf("%q near %v: got %v, want it in the order of %v", text, places, p, whole)
			}
			given[i] = true
			i++
		}
		if last := near[len(near)-1]; last.kind != EndToken || last.end != int64(len(text)) {
			t.Fatalf("%q near %v: got %v last, want the end", text, places, last)
		}
		for i := range whole {
			if whole[i].kind == EndTagToken || !slices.ContainsFunc(places, func(s multimatch.Span) bool { return int64(s.Start) < whole[i].end && whole[i].start < int64(s.End) }) {
				continue
			}
			from, to := around(whole, i)
			if n := slices.Index(given[from:to], false); n >= 0 {
				t.Fatalf("%q near %v: got no %v, want it as in %v", text, places, whole[from+n], whole)
			}
		}
	})
}

// around returns the tokens that have to be given with the token i.
func around(ps []piece, i int) (from, to int) {
	link, tables, table := -1, 0, 0
	follow := func(j int) {
		switch p := ps[j]; {
		case p.kind == StartTagToken && p.name == "a":
			link = j
		case p.kind == EndTagToken && p.name == "a":
			link = -1
		case p.kind == StartTagToken && p.name == "table":
			if tables == 0 {
				if table = j; j > 0 && ps[j-1].kind == StartTagToken && ps[j-1].name == "a" {
					table--
				}
			}
			tables++
		case p.kind == EndTagToken && p.name == "table":
			tables = max(0, tables-1)
		}
	}
	for j := range i {
		follow(j)
	}
	from = i
	if link >= 0 {
		from = min(from, link)
	}
	if tables > 0 {
		from = min(from, table)
	}
	for to = i; to < len(ps); to++ {
		was := link >= 0 || tables > 0 || to == i
		switch {
		case !was && ps[to].kind == StartTagToken:
			return from, to
		case !was && ps[to].kind == EndTagToken:
			return from, to + 1
		}
		follow(to)
	}
	return from, to
}

// TestWalkHTMLLarge walks large texts, each of them nothing but one thing. The test is that it
// ends soon.
func TestWalkHTMLLarge(t *testing.T) {
	const size = 4 << 20
	tests := []struct{ name, head, unit, tail string }{
		{"UnclosedTags", "", "<div class=a ", ""},
		{"OpenTags", "", "<div>", ""},
		{"UnclosedAnchors", "", "<a href=https://x.example/>", ""},
		{"UnclosedQuote", "<a href='", "x y=\"", ""},
		{"Text", "", "a < b & c ", "<p>"},
		{"Comment", "<!--", "- -- <p>", "--><p>"},
		{"Comments", "", "<!-- x -->", "<p>"},
		{"UnclosedComments", "", "<!--x", ""},
		{"Style", "<style>", "</styl <p>", "</style><p>"},
		{"UnclosedScript", "<script>", "<!-- </scrip", ""},
		{"Plaintext", "<plaintext>", "<p>", ""},
		{"CDATA", "", "<![CDATA[ x ", ""},
		{"Attributes", "", "<a " + strings.Repeat("bb=c ", 100) + ">", "<p>"},
		{"ManyAttributesThenTags", "<a " + attributes(10000) + ">", "<b c>", "<p>"},
		{"Image", "<img src='data:;base64,", "AAAA", "'><p>"},
		{"Quotes", "", "<blockquote><div class=gmail_quote>", ""},
		{"LessThan", "", "<", "<p>"},
		{"EscapedScripts", "", "<script><!--<script></script>", ""},
		{"Scripts", "<svg>", "<script><!--", ""},
		{"DataScripts", "<svg>", "<script type=application/ld+json>", ""},
		{"Styles", "<svg>", "<style>", ""},
		{"AllRaw", "<svg>", "<style><title><xmp><iframe><noembed><noframes><textarea><noscript><script>", ""},
		{"CommentsInStyles", "<svg>", "<style><!--</style>", ""},
		{"QuotesInStyles", "<svg>", "<style><a b=\"</style><title><a b='</title>", ""},
		{"CDATAInStyles", "<svg>", "<style><![CDATA[</style>", ""},
		{"Conditions", "", "<!--[if mso]>", ""},
		{"ConditionsInStyles", "<svg>", "<style><!--[if mso]></style><a b='", ""},
		{"Noscripts", "", "<noscript><!--</noscript>", ""},
		{"Declarations", "<svg>", "<style><!</style><?", ""},
		{"EndTags", "", "</", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.head + strings.Repeat(tt.unit, size/len(tt.unit)) + tt.tail
			last := Token{}
			HTML(&Source{Octets: []byte(text)}, func(tok *Token) {
				if tok.Start < last.Start || tok.Start < last.End && !branched(tt.head+tt.unit) || tok.End-tok.Start > maxToken && tok.Kind == TextToken && tt.unit != "<" && !branched(tt.head) {
					t.Fatalf("got %d-%d after %d, want them in order and bounded", tok.Start, tok.End, last.End)
				}
				if tok.Kind == EndToken {
					if tok.End != int64(len(text)) {
						t.Errorf("ends at %d of %d, want %d", tok.End, len(text), int64(len(text)))
					}
					if tt.tail != "" && last.Name != "p" {
						t.Errorf("got the last token %+v, want p", last)
					}
				}
				last = *tok
			})
		})
	}
}

// TestHTMLCosts reads texts of 1, 4 and 16 units. A time that grows as the square grows 16 times
// with each step.
func TestHTMLCosts(t *testing.T) {
	for _, unit := range []string{
		"<script><!--<script></script>", "<script><!--", "<svg><script><!--<script></script>", "<svg><style><title><xmp><iframe><noscript><script>", "<script type=application/ld+json><!--", "<!--[if mso]><style>", "<!--",
	} {
		testkit.InLinearTime(t, unit, 64<<10/len(unit), func(n int) string { return strings.Repeat(unit, n) }, func(text string) {
			HTML(&Source{Octets: []byte(text)}, func(*Token) {})
		})
	}
}

// attributes returns n different attributes.
func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d ", i)
	}
	return b.String()
}

// A script is a token if it is data, as it stands there, and only then.
func TestDataToken(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Data", `<script type="application/ld+json">{"a": "&amp;<b>"}</script><p>x`, `{"a": "&amp;<b>"}`},
		{"TypeWithParameter", `<SCRIPT TYPE=' Application/LD+JSON; charset=utf-8 '>1</SCRIPT>`, "1"},
		{"Unclosed", `<script type=application/ld+json>1`, "1"},
		{"Empty", `<script type=application/ld+json></script>x`, ""},
		{"OtherType", `<script type=application/json>1</script>`, ""},
		{"NoType", `<script>1</script>`, ""},
		{"OtherElement", `<style type=application/ld+json>1</style><p type=application/ld+json>2`, ""},
		{"Long", `<script type=application/ld+json>` + strings.Repeat("1", maxToken+1) + `</script>`, ""},
		{"LongTag", `<script type=application/ld+json x="` + strings.Repeat("1", maxToken+1) + `">1</script>`, "1"},
		{"InAComment", `<!--<script type=application/ld+json>1</script>-->`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			HTML(&Source{Octets: []byte(c.text)}, func(tok *Token) {
				if tok.Kind == DataToken {
					got += tok.Text
				}
			})
			if got != c.want {
				t.Errorf("got %.60q, want %q", got, c.want)
			}
		})
	}
}

// The content of a style element and of a script is given as it is there, also where it is read as
// markup too. Other elements have no such content.
func TestContentToken(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Style", "<style>a{b:'&amp;'}</style><p>x", "style:a{b:'&amp;'}"},
		{"Unclosed", "<STYLE>a", "style:a"},
		{"Script", "<script>1</script>", "script:1"},
		{"ScriptWithComment", "<script>1<!--<script>2</script>3--></script>4", "script:1<! script:--<script script:>2</script script:>3-->"},
		{"LongData", "<script type=application/ld+json>" + strings.Repeat("1", maxToken+1) + "</script>", "script:" + strings.Repeat("1", maxToken+1)},
		{"Others", "<title>a</title><textarea>b</textarea><!-- <style>c</style> --><iframe>d</iframe>", ""},
		{"InSVG", "<svg><style>a<b></style>", "style:a<b>"},
		{"Noscript", "<noscript><style>a</style></noscript>", "style:a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			HTML(&Source{Octets: []byte(c.text)}, func(tok *Token) {
				if tok.Kind == ContentToken {
					got = append(got, tok.Name+":"+tok.Text)
					if !tok.AsWritten() || c.text[tok.Start:tok.End] != tok.Text {
						t.Errorf("got %d to %d for %q", tok.Start, tok.End, tok.Text)
					}
				}
			})
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %.80q, want %q", got, c.want)
			}
		})
	}
}

// Contents that overlap in several readings are given without their texts beyond four times the
// length of the text.
func TestContentTokenWithheld(t *testing.T) {
	text := "<svg>" + strings.Repeat("<style>", 2000)
	given, withheld := 0, 0
	HTML(&Source{Octets: []byte(text)}, func(tok *Token) {
		if tok.Kind == ContentToken && tok.Text == "" {
			withheld++
		} else if tok.Kind == ContentToken {
			given += len(tok.Text)
		}
	})
	if given > 4*len(text) || withheld == 0 {
		t.Errorf("got %d octets and %d without, want at most %d, and some", given, withheld, 4*len(text))
	}
}

// An attribute that may load something counts wherever it is in a tag and however long it is, and the
// first of its name alone.
func TestLongAttributes(t *testing.T) {
	long := strings.Repeat("x", maxToken)
	var many strings.Builder
	for i := range 2 * maxAttrs {
		fmt.Fprintf(&many, " a%d=b", i)
	}
	for _, c := range []struct{ name, tag, attr, want string }{
		{"Long", "<img src=" + long + "y src=z>", "src", long + "y"},
		{"LongOther", "<img alt=" + long + "y>", "alt", ""},
		{"Many", "<img" + many.String() + " srcset=z srcset=y onload=x>", "srcset", "z"},
		{"ManyHandler", "<img" + many.String() + " onload=x>", "onload", "x"},
		{"ManyAfterFirst", "<img src=a" + many.String() + " src=z>", "src", "a"},
		{"ManyOther", "<img" + many.String() + " alt=z>", "alt", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			HTML(&Source{Octets: []byte(c.tag)}, func(tok *Token) {
				if tok.Kind != StartTagToken {
					return
				}
				if got, _ := tok.Attr(c.attr); got != c.want {
					t.Errorf("got %.40q, want %.40q", got, c.want)
				}
				n := 0
				for _, a := range tok.Attrs {
					if a.Name == c.attr {
						n++
					}
				}
				if n > 1 {
					t.Errorf("got %d of %s", n, c.attr)
				}
			})
		})
	}
}

// loadAttrs are sorted, as the search in them wants.
func TestLoadAttrs(t *testing.T) {
	if !slices.IsSorted(loadAttrs) {
		t.Errorf("got %v", loadAttrs)
	}
}

// TestURLPlaceOfSameLength has a text that is as long as written after it was changed: its
// letters are longer in UTF-8, and its character reference is shorter.
func TestURLPlaceOfSameLength(t *testing.T) {
	const url = "https://h.example/f"
	text := "\xe9\xe9\xe9\xe9 " + url + " &amp;"
	var got []string
	HTML(&Source{Octets: []byte(text), Charset: "iso-8859-1"}, func(k *Token) {
		if k.Kind == URLToken {
			got = append(got, text[k.Start:k.End])
		}
	})
	if fmt.Sprint(got) != "["+url+"]" {
		t.Errorf("got %q, want %q", got, url)
	}
}
