package externalbody

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
		{"NoLinkBlank", "<https://a.example/ b>", `"<https://a.example/ b>"$`},
		{"NoLinkEmptyLine", "<https://a.example/\n\nb>", `"<https://a.example/\n""\n""b>"$`},
		{"NoLinkUnclosed", "<https://a.example/", `"<https://a.example/"$`},
		{"NoLinkScheme", "<ftp://a.example/><javascript:x><a@b.example>", `"<ftp://a.example/><javascript:x><a@b.example>"$`},
		{"NoLinkNested", "<https://a<https://b.example/>", `{https://b.example/}"<https://a<https://b.example/>"$`},
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
			t.Errorf("the lines of many %q are not the text", unit)
		}
	}
}

// FuzzWalkPlain checks that lines are the text, that links lie within it, and that
// links do not depend on how long lines may be.
func FuzzWalkPlain(f *testing.F) {
	for _, s := range []string{
		"", "a\nb", "<https://a.example/b>", "> <https://a\n> b>\n", "<https://a \r\n b>", "<URL:http://a.example>", "<https://a\n>",
		">>> <https://a\n>> > b\n>>>c>\n", "-----Original Message-----\n<https://a.example>", "x<https://aaaaaaa>>>\n<https://b.example/\n",
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
					t.Fatalf("%q: %v", text, p)
				}
				lines.WriteString(text[p.start:p.end])
			case LinkToken:
				if raw := text[p.start:p.end]; raw[0] != '<' || raw[len(raw)-1] != '>' || strings.ContainsAny(p.text, " \r\n<>") {
					t.Fatalf("%q: %v", text, p)
				}
			}
		}
		if lines.String() != text || ps[len(ps)-1].end != int64(len(text)) {
			t.Fatalf("%q became %q", text, lines.String())
		}
		if !strings.Contains(text, ">") || strings.Count(text, ">") == len(links(ps)) {
			if a, b := links(ps), links(plainPieces(text, 8)); !slices.Equal(a, b) {
				t.Fatalf("%q: %v, in short lines %v", text, a, b)
			}
		}
	})
}

func TestBareURLs(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"None", "a b", ""},
		{"Line", "https://a.example/b\r\n", "https://a.example/b"},
		{"Sentence", "See https://a.example/b, or (http://b.example/).", "https://a.example/b http://b.example/"},
		{"Brackets", "f<https://a.example/b>", "https://a.example/b"},
		{"OtherScheme", "ftp://a xhttps://b", ""},
		{"Adjacent", "http://a.example/?u=http://b.example/", "http://a.example/?u=http://b.example/"},
		{"Upper", "HTTPS://a.example/", "HTTPS://a.example/"},
		{"NoScheme", "://a ://", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for start, end := range bareURLs(tt.line) {
				got = append(got, tt.line[start:end])
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%q", got)
			}
		})
	}
}
