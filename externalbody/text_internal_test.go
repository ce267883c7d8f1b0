package externalbody

import (
	"testing"

	"github.com/go-extbody/extbody/internal/mailtext"
)

// The kinds of tokens are those of the package that reads texts.
func TestTokenKinds(t *testing.T) {
	for kind, want := range map[TokenKind]mailtext.TokenKind{
		StartTagToken: mailtext.StartTagToken, EndTagToken: mailtext.EndTagToken, TextToken: mailtext.TextToken,
		LinkToken: mailtext.LinkToken, URLToken: mailtext.URLToken, EndToken: mailtext.EndToken,
	} {
		if mailtext.TokenKind(kind) != want {
			t.Errorf("got %d, want %d", kind, want)
		}
	}
}
