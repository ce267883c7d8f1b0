package archive

import (
	"slices"
	"strings"
	"testing"
)

// TestPhrase: words are found folded, whole, one after the other, and in scripts without spaces.
func TestPhrase(t *testing.T) {
	for _, row := range []struct{ phrase, text, want string }{
		{"settlement", "The Settlement.", "Settlement"},
		{"SETTLEMENT", "a settlement", "settlement"},
		{"settlement", "settlements", ""},
		{"settle*", "the settlements", "settlements"},
		{"tle*", "the settlements", ""},
		{"settlement agreement", "our settlement,\r\n> Agreement of May", "settlement,\r\n> Agreement"},
		{"settlement agreement", "settlement of the agreement", ""},
		{"a a b", "a a a b", "a a b"},
		{"straße", "STRASSE 5", "STRASSE"},
		{"strasse", "Die Straße", "Straße"},
		{"prüfung", "PRU\u0308FUNG", "PRU\u0308FUNG"},
		{"ﬁnal", "FINAL", "FINAL"},
		{"settlement", "settle\u00adment", "settle\u00adment"},
		{"2026", "２０２６年", "２０２６"},
		{"和解", "本和解書", "和解"},
		{"解和", "本和解書", ""},
		{"İ", "i\u0307", "i\u0307"},
		{"ꭰ", "Ꭰ", "Ꭰ"},
		{"*", "a word", ""},
	} {
		from, to := newPhrase(row.phrase).find(row.text)
		if got := row.text[from:to]; got != row.want {
			t.Errorf("%q in %q: got %q, want %q", row.phrase, row.text, got, row.want)
		}
	}
}

// TestSnippet: a snippet is one line of whole characters around the words.
func TestSnippet(t *testing.T) {
	text := "ä"
	for range 200 {
		text += "ä"
	}
	text += " \r\n\tword " + text
	from, to := newPhrase("word").find(text)
	got := snippet(text, from, to)
	if len(got) > 300 || got[:2] != "ä" || got[len(got)-2:] != "ä" {
		t.Errorf("got %q, want whole characters", got)
	}
	if f, _ := newPhrase("word").find(got); f == 0 || got[f-1] != ' ' {
		t.Errorf("got %q, want the word after one space", got)
	}
}

// FuzzFoldedWords holds: where a phrase is found in a text, its words follow each other in the words of the text for
// the index of texts, as the tokenizer "ascii" of FTS5 splits both.
func FuzzFoldedWords(f *testing.F) {
	for _, row := range [][2]string{
		{"settle*", "the settle\u00adments"}, {"和解", "本和解書"}, {"\u2474a*", "\u2474abc"}, {"\u037ax", "\u037aX"}, {"İ", "i\u0307"}, {"½*", "½x"}, {"\ufdfa", "\ufdfa"},
		{"\u1fb3", "\u0391\u0345"}, {"ß*", "SSX"}, {"\uab70", "\u13a0"}, {"ς", "Σ"}, {"a\xffb", "A \xff b"}, {"*", "a"},
	} {
		f.Add(row[0], row[1])
	}
	tokens := func(words string) []string {
		return strings.FieldsFunc(words, func(c rune) bool {
			isWord := c >= 0x80 || c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z'
			return !isWord
		})
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		p := newPhrase(query)
		if _, to := p.find(text); len(p.words) == 0 || to == 0 {
			return
		}
		want := tokens(strings.Join(p.words, " "))
		got := tokens(foldedWords(text))
		for i := range got {
			if i+len(want) > len(got) {
				break
			}
			piece := slices.Clone(got[i : i+len(want)])
			if n := len(want) - 1; n >= 0 && p.start {
				piece[n] = piece[n][:min(len(piece[n]), len(want[n]))]
			}
			if slices.Equal(piece, want) {
				return
			}
		}
		t.Errorf("%q is in %q, and %q is not in %q", query, text, want, got)
	})
}
