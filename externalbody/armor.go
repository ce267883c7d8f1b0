package externalbody

import (
	"bytes"
	"strings"

	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// The lines that begin the blocks of OpenPGP in texts (RFC 9580 sections 6.2 and 7).
var (
	armorMessage = []byte("-----BEGIN PGP MESSAGE-----")
	armorSigned  = []byte("-----BEGIN PGP SIGNED MESSAGE-----")
)

// hasLine reports whether a line of text starts with want.
func hasLine(text, want []byte) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], want)
		if i < 0 {
			return false
		}
		at += i
		if at == 0 || text[at-1] == '\n' {
			return true
		}
		at += len(want)
	}
}

// hasArmor reports whether a line of a text starts a message of OpenPGP. In HTML a tag may be before it.
func hasArmor(text []byte, mediaType string) bool {
	if mailtext.IsPlain(mediaType) {
		return hasLine(text, armorMessage)
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], armorMessage)
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(text[:at+i], " \t\r")
		if n := len(before); n == 0 || before[n-1] == '\n' || before[n-1] == '>' {
			return true
		}
		at += i + len(armorMessage)
	}
}

// undashed returns a signed text with its dash-escapes undone (RFC 9580 section 7.2), or text itself if it has none.
func undashed(text []byte) []byte {
	if !bytes.Contains(text, []byte("\n- ")) || !hasLine(text, armorSigned) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n- "), []byte("\n"))
}

// fileInBody is fileInText for the body of a part that is not encoded.
func fileInBody(s *source, p *message.Part) (int64, error) {
	const line = maxName + len("\nbegin 0644 ")
	for at := int64(0); at < p.Body.Len(); at += textPiece - int64(line) {
		piece := message.Span{Start: p.Body.Start + at, End: p.Body.End}
		text, err := message.ReadSpan(s.r, piece.First(textPiece))
		if err != nil {
			return -1, err
		}
		if i := fileInText([]byte(text)); i >= 0 {
			return at + int64(i), nil
		}
	}
	return -1, nil
}

// fileInText returns the place of the first line of a uuencoded file in a text, if the file has a name by which mail
// programs open it as HTML. It returns -1 without one.
func fileInText(text []byte) int {
	const begin = "begin "
	for at := 0; ; {
		first := at == 0 && bytes.HasPrefix(text, []byte(begin))
		if !first {
			i := bytes.Index(text[at:], []byte("\n"+begin)) // line ends are rarer than the letter
			if i < 0 {
				return -1
			}
			at += i + 1
		}
		line, _, _ := bytes.Cut(text[at+len(begin):], []byte("\n"))
		mode, name, _ := strings.Cut(strings.TrimSpace(string(line[:min(len(line), maxName)])), " ")
		isMode := len(mode) >= 3 && strings.Trim(mode, "01234567") == ""
		if isMode && message.OpenedAs("", false, []string{name}) == "text/html" {
			return at
		}
		at += len(begin)
	}
}
