package archive

import "testing"

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
