package mailtext

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func plainPieces(text string, limit int) []piece {
	return pieces(func(emit func(*Token)) {
		w := plainWalker{feed: newFeed(iotest.HalfReader(strings.NewReader(text)), nil), chars: newCharset("utf-8"), emit: emit, limit: limit}
		w.walk()
	})
}

func TestWalkPlain(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Empty", "", "$"},
		{"Lines", "a\r\nb\nc", `"a\r\n""b\n""c"$`},
		{"Link", "x <https://a.example/b> y\n", `{https://a.example/b}"x <https://a.example/b> y\n"$`},
		{"LinkNamed", "f.pdf<HTTP://a.example/b>\n", `{HTTP://a.example/b}"f.pdf<HTTP://a.example/b>\n"$`},
		{"LinkOfAppendixC", "<URL:https://a.example/b>", `{https://a.example/b}"<URL:https://a.example/b>"$`},
		{"Links", "<https://a.example/><https://b.example/>", `{https://a.example/}{https://b.example/}"<https://a.example/><https://b.example/>"$`},
		{"Broken", "<https://a.ex\r\nample/b>\r\n", `{https://a.example/b}"<https://a.ex\r\n""ample/b>\r\n"$`},
		{"BrokenFlowed", "<https://a.ex \n ample/b>\n", `{https://a.example/b}"<https://a.ex \n"" ample/b>\n"$`},
		{"BrokenInQuote", "> x <https://a.ex\n> ample/b>\ny", `>{https://a.example/b}>"> x <https://a.ex\n">"> ample/b>\n""y"$`},
		{"BrokenInDeepQuote", ">> <https://a.ex\n> > ample/b>\n", `>{https://a.example/b}>">> <https://a.ex\n">"> > ample/b>\n"$`},
		{"BrokenQuoteMarksLost", "> <https://a.ex\nample/b>\n", `>{https://a.example/b}>"> <https://a.ex\n""ample/b>\n"$`},
		{"BrokenThrice", "<https://a\n.ex\nam\nple/b>", `{https://a.example/b}"<https://a\n"".ex\n""am\n""ple/b>"$`},
		{"QuoteMarkEnds", "<https://a.example/b\n>c\n", `{https://a.example/b}"<https://a.example/b\n">">c\n"$`},
		{"NoLinkBlank", "<https://a.example/ b>", `[https://a.example/]"<https://a.example/ b>"$`},
		{"NoLinkEmptyLine", "<https://a.example/\n\nb>", `[https://a.example/]"<https://a.example/\n""\n""b>"$`},
		{"NoLinkUnclosed", "<https://a.example/", `[https://a.example/]"<https://a.example/"$`},
		{"NoLinkScheme", "<ftp://a.example/><javascript:x><a@b.example>", `"<ftp://a.example/><javascript:x><a@b.example>"$`},
		{"NoLinkNested", "<https://a<https://b.example/>", `{https://b.example/}[https://a]"<https://a<https://b.example/>"$`},
		{"Bare", "> x https://a.example/b, <https://b.example/> http://c.example/\n", `>{https://b.example/}>[https://a.example/b]>[http://c.example/]>"> x https://a.example/b, <https://b.example/> http://c.example/\n"$`},
		{"BareBroken", "<https://a.example/\nb> https://c.example/\n", `{https://a.example/b}"<https://a.example/\n"[https://c.example/]"b> https://c.example/\n"$`},
		{"FromLine", ">From me\n>from me\n", `">From me\n">">from me\n"$`},
		{"OutlookSeparator", "a\n-----Original Message-----\nb\n", `"a\n">"-----Original Message-----\n">"b\n"$`},
		{"ForwardedInGerman", "a\n-------- Weitergeleitete Nachricht --------\nb\n", `"a\n">"-------- Weitergeleitete Nachricht --------\n">"b\n"$`},
		{"GmailForward", "---------- Forwarded message ---------\nb", `>"---------- Forwarded message ---------\n">"b"$`},
		{"OutlookUnderlines", "a\n________________________________\nVon: x\nb", `"a\n""________________________________\n">"Von: x\n">"b"$`},
		{"OpenPGP", "-----BEGIN PGP SIGNED MESSAGE-----\na", `"-----BEGIN PGP SIGNED MESSAGE-----\n""a"$`},
		{"Ruler", "-----------------\na", `"-----------------\n""a"$`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ps := plainPieces(tt.text, maxToken)
			if got := outline(ps); got != tt.want {
				t.Errorf("%q:\n%s, want\n%s", tt.text, got, tt.want)
			}
		})
	}
}

func TestWalkPlainLarge(t *testing.T) {
	for _, unit := range []string{"<https://", "x", "<https://a.example/\n", "\n", ">", "> ", "<", "-----", "<https://a.example/> "} {
		text := strings.Repeat(unit, 400<<10/len(unit))
		lines := strings.Builder{}
		for _, p := range plainPieces(text, maxToken) {
			if p.kind == TextToken {
				lines.WriteString(p.text)
			}
		}
		if lines.String() != text {
			t.Errorf("many %q: got %d octets of lines, want the %d of the text", unit, lines.Len(), len(text))
		}
	}
}

// FuzzWalkPlain checks that lines are the text, that links lie within it, and that
// links do not depend on how long lines may be.
func FuzzWalkPlain(f *testing.F) {
	for _, s := range []string{
		"", "a\nb", "<https://a.example/b>", "> <https://a\n> b>\n", "<https://a \r\n b>", "<URL:http://a.example>", "<https://a\n>",
		">>> <https://a\n>> > b\n>>>c>\n", "-----Original Message-----\n<https://a.example>", "x<https://aaaaaaa>>>\n<https://b.example/\n", "https://a\nb https://c", "> https://a\n> b\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ps := plainPieces(text, maxToken)
		var lines strings.Builder
		links := func(ps []piece) (links []piece) {
			for _, p := range ps {
				if p.kind == LinkToken {
					p.quoted = false
					links = append(links, p)
				}
			}
			return links
		}
		for _, p := range ps {
			switch p.kind {
			case TextToken:
				if p.start != int64(lines.Len()) || p.text != strings.ToValidUTF8(text[p.start:p.end], "\uFFFD") {
					t.Fatalf("%q: got the text %v, want that of its place", text, p)
				}
				lines.WriteString(text[p.start:p.end])
			case URLToken:
				if raw := text[p.start:p.end]; raw != p.text || strings.ContainsAny(raw, " \r\n<>") {
					t.Fatalf("%q: got the URL %v, want that of its place", text, p)
				}
			case LinkToken:
				if raw := text[p.start:p.end]; raw[0] != '<' || raw[len(raw)-1] != '>' || strings.ContainsAny(p.text, " \r\n<>") {
					t.Fatalf("%q: got the link %v, want one between angle brackets", text, p)
				}
			}
		}
		if lines.String() != text || ps[len(ps)-1].end != int64(len(text)) {
			t.Fatalf("got %q, want %q", lines.String(), text)
		}
		if !strings.Contains(text, ">") || strings.Count(text, ">") == len(links(ps)) {
			if a, b := links(ps), links(plainPieces(text, 8)); !slices.Equal(a, b) {
				t.Fatalf("%q in short lines: got %v, want %v", text, b, a)
			}
		}
	})
}

// A URL without brackets may go on in the next lines.
func TestLonger(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("x", 60)
	for _, tt := range []struct {
		name, text string
		longer     string // after the one in the line, "" for none
		wrapped    bool
	}{
		{"End", long, "", false},
		{"LastLine", long + "\n", "", false},
		{"EmptyLine", long + "\n\nb1", "", false},
		{"Broken", long + "\nb1?c\nd", "b1?c", true},
		{"BrokenCRLF", long + "\r\nb1?c\r\nd", "b1?c", true},
		{"Word", long + "\nthen\n", "then", false},
		{"Words", long + "\nand then\n", "and", false},
		{"Short", "https://a.example/b\nc1\n", "c1", false},
		{"Quoted", "> " + long + "\n> bcdef1 c", "bcdef1", true},
		{"QuotedDeep", ">> " + long + "\n> > b1", "b1", true},
		{"QuoteEnds", "> " + long + "\nb1", "b1", true},
		{"Other", long + "\nhttps://b.example/1", "", false},
		{"Bracket", long + "\n<b1", "", false},
		{"Blank", long + "\n b1", "b1", false},
		{"BlankBefore", long + " \nb1", "b1", false},
		{"TwoBlanks", long + "  \nb1", "", false},
		{"BlankAfterShort", "https://a.example/b\n b1", "", false},
		{"Indented", "   " + long + "\n   b1?c", "b1?c", true},
		{"IndentedMore", "  " + long + "\n   b1?c", "b1?c", false},
		{"IndentedQuoted", ">   " + long + "\n>   b1?c", "b1?c", true},
		{"WordAfter59", long[:59] + "\nthen, b", "", false},
		{"WordAfter60", long[:60] + "\nthen, b", "then", false},
		{"WordAfter80", "a " + long + "\nthen, b", "then", false},
		{"WordAfter81", "an " + long + "\nthen, b", "", false},
		{"LettersAfter59", long[:59] + "\nthEn", "thEn", false},
		{"Sentence", long + ".\nb1", ".b1", true},
		{"TwoLines", long + "\n" + strings.Repeat("y", 70) + "\nz1", strings.Repeat("y", 70) + "z1", false},
		{"TwoLinesOfCode", long + "\n" + strings.Repeat("y", 70) + "1\nz1", strings.Repeat("y", 70) + "1z1", true},
		{"Slash", "https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbb/\nc123456789abcdef\n", "c123456789abcdef", true},
		{"SlashAndWord", "https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbb/\n2026-01-05\n", "2026-01-05", false},
		{"SlashAndWords", "https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbb/\nc123456789abcdef d\n", "c123456789abcdef", false},
		{"Query", "https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbb\n?c=1\n", "?c=1", true},
		{"Parameters", "https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbb?c&\nd=1&\ne=2\n", "d=1&e=2", true},
		{"SentenceEnds", long + "\nb1/.", "b1/", true},
		{"Parameter", long + "\nb=1 c", "b=1", true},
		{"ListItem", long + "\n1. b", "1", false},
		{"Date", long + "\n2026-01-05 b wrote:", "2026-01-05", false},
		{"Quarter", long + "\nQ1 b", "Q1", false},
		{"CompoundWord", long + "\nfollow-up b", "follow-up", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got Token
			w := plainWalker{feed: &feed{buf: []byte(tt.text)}, chars: newCharset("utf-8"), limit: maxToken, emit: func(t *Token) {
				if t.Kind == URLToken && got.Text == "" {
					got = *t
				}
			}}
			w.walk()
			if got.Text != long && strings.Contains(tt.text, long) {
				t.Fatalf("got %q, want %q", got.Text, long)
			}
			longer, _ := strings.CutPrefix(got.Longer, got.Text)
			if longer != tt.longer || got.Wrapped != tt.wrapped {
				t.Errorf("got %q, wrapped %v, want %q, wrapped %v", longer, got.Wrapped, tt.longer, tt.wrapped)
			}
			if tt.longer != "" && !strings.HasSuffix(tt.text[:got.LongerEnd], tt.longer[len(tt.longer)-1:]) {
				t.Errorf("got its end at %q, want it after %q", tt.text[:got.LongerEnd], tt.longer)
			}
		})
	}
}

// A space at the end of a line does not count where it means that the line goes on.
func TestFlowed(t *testing.T) {
	for _, tt := range []struct{ name, text, longer string }{
		{"Broken", "https://a.example/b \nc \nd\n", "https://a.example/bcd"},
		{"BrokenCRLF", "https://a.example/b \r\nc\r\n", "https://a.example/bc"},
		{"Stuffed", "https://a.example/b \n >c\n", ""},
		{"StuffedWord", "https://a.example/b \n c\n", "https://a.example/bc"},
		{"Quoted", ">> https://a.example/b \n>> c d\n", "https://a.example/bc"},
		{"Word", "https://a.example/b  \nc\n", ""},
		{"Hard", "https://a.example/b\nc1\n", "https://a.example/bc1"},
		{"Last", "https://a.example/b \n", ""},
		{"Empty", "https://a.example/b \n\nc\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got Token
			Plain(&Source{Octets: []byte(tt.text), DelSp: true}, func(t *Token) {
				if t.Kind == URLToken && got.Text == "" {
					got = *t
				}
			})
			if got.Longer != tt.longer || tt.longer != "" && got.Wrapped != (tt.name != "Hard") {
				t.Errorf("got %q, wrapped %v, want %q", got.Longer, got.Wrapped, tt.longer)
			}
		})
	}
}

func TestBareURLs(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"None", "a b", ""},
		{"Line", "https://a.example/b\r\n", "https://a.example/b"},
		{"Sentence", "See https://a.example/b, or (http://b.example/).", "https://a.example/b http://b.example/"},
		{"Brackets", "f<https://a.example/b>", "https://a.example/b"},
		{"OtherScheme", "ftp://a xftp://b", ""},
		{"LettersBefore", "x\x81Fhttps://a.example/b", "https://a.example/b"},
		{"Adjacent", "http://a.example/?u=http://b.example/", "http://a.example/?u=http://b.example/"},
		{"Upper", "HTTPS://a.example/", "HTTPS://a.example/"},
		{"NoScheme", "://a ://", ""},
		{"Nothing", "https:// http://. x", ""},
		{"BBCode", "[url=https://a.example/b]c[/url] [url]https://b.example/c[/url]", "https://a.example/b https://b.example/c"},
		{"OpenedHere", "(https://a.example/b(1)) https://a.example/c[2]d https://a.example/{e}.", "https://a.example/b(1) https://a.example/c[2]d https://a.example/{e}"},
		{"Tight", "(https://a.example/b)und{https://a.example/c}x", "https://a.example/b https://a.example/c"},
		{"Commas", "https://a.example/b,https://a.example/c;HTTP://a.example/d|https://a.example/e,f", "https://a.example/b https://a.example/c HTTP://a.example/d https://a.example/e,f"},
		{"Within", "https://a.example/b,c/http://d https://a.example/?u=https://b.example/,x", "https://a.example/b,c/http://d https://a.example/?u=https://b.example/,x"},
		{"Backslash", `https://a.example/b\n\nhttps:\/\/a.example`, "https://a.example/b"},
		{"Underscores", "_https://a.example/b_ https://a.example/c_ x_https://a.example/d_.", "https://a.example/b https://a.example/c_ https://a.example/d"},
		{"EastAsian", "见https://a.example/b。https://b.example/c，好", "https://a.example/b https://b.example/c"},
		{"FullWidthHost", "见https://www.ａ－１.example/b。 https://ａ。example/c https://a．example/d，好", "https://www.ａ－１.example/b https://ａ。example/c https://a．example/d"},
		{"FullWidthSentence", "https://a.example。https://b.example/c https://c.example。见d/e https://d.example，f/g https://e.example。f", "https://a.example https://b.example/c https://c.example https://d.example https://e.example"},
		{"NotUTF8", "https://a.example/b\xa0https://b.example/c\xff", "https://a.example/b https://b.example/c"},
		{"Markdown", "[a](https://a.example/b) **https://b.example/c** | `https://c.example/d`|", "https://a.example/b https://b.example/c https://c.example/d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for start, end := range bareURLs(tt.line) {
				got = append(got, tt.line[start:end])
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The lines that Mailman puts between the parts of a message start no quoted
// message.
func TestNextPart(t *testing.T) {
	for line, want := range map[string]bool{
		"-------------- next part --------------":       false,
		"-------------- nächster Teil --------------":   false,
		"---------------·הקטע הבא·---------------":      false,
		"-------------- Próxima Parte ----------":       false,
		"-------------- 下一部分 --------------":            false,
		"-------------- next parts --------------":      true,
		"-----Original Message-----":                    true,
		"-------- Weitergeleitete Nachricht --------":   true,
		"-----BEGIN PGP SIGNED MESSAGE-----":            false,
		"---------- Forwarded message ---------":        true,
		"-------------- --------------":                 false,
		"-------------- siguiente parte ------------ x": false,
		"---------- siguiente parte ------------":       false,
		"-------------- \u0441\u043b\u0435\u0434\u0443\u044e\u0449\u0430\u044f \u0447\u0430\u0441\u0442\u044c -----------": false,
	} {
		if got := isSeparator(line); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
}
