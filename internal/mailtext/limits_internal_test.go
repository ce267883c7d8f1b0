package mailtext

import (
	"fmt"
	"strings"
	"testing"
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
		{"maxCondition more", len(html("<!--[if mso" + rep(" ", maxCondition+1-len(" mso]>")) + "]><a><![endif]-->")), 1},
		{"maxPieces", longer(first + rep(line, maxPieces)), joined(maxPieces)},
		{"maxPieces more", longer(first + rep(line, maxPieces+1)), joined(maxPieces)},
		{"maxLink", links(share + rep("x", maxLink-len(share+">")) + ">"), 1},
		{"maxLink more", links(share + rep("x", maxLink+1-len(share+">")) + ">"), 0},
		{"maxBlanks", longer(blanks(maxBlanks-1)) != "", true},
		{"maxBlanks more", longer(blanks(maxBlanks)) != "", false},
		{"maxSeparator", quoted("-----" + rep("x", maxSeparator-len("----------\n")) + "-----"), true},
		{"maxSeparator more", quoted("-----" + rep("x", maxSeparator+1-len("----------\n")) + "-----"), false},
	} {
		if got, want := fmt.Sprint(tt.got), fmt.Sprint(tt.want); got != want {
			t.Errorf("%s: got %.300s, want %.300s", tt.name, got, want)
		}
	}
}
