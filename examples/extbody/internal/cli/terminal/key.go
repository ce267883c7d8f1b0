package terminal

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"
	"unicode"
)

// The keys that end or change an answer.
const (
	keyInterrupt = 3
	keyEnd       = 4
	keyBackspace = 8
	keyDelete    = 127
)

// answers reads the answers to questions. A question that one key can answer takes that key
// alone, if the terminal gives keys as they are typed.
type answers struct {
	in   *bufio.Reader
	echo io.Writer // shows what is typed; nil if the terminal does
	rest string    // of the word that the last key began: "es" of "yes"
}

// read reads an answer: one of the words, of which the first letter is enough, or a line. An
// empty line and the end of the input are "".
func (a *answers) read(ctx context.Context, words ...string) string {
	var line strings.Builder
	for {
		c, _, err := a.in.ReadRune()
		switch {
		case err != nil, c == keyEnd:
			return ""
		case c == keyInterrupt:
			interrupt()
			<-ctx.Done()
			return ""
		}
		if a.swallow(c) {
			continue
		}
		switch {
		case c == '\r', c == '\n':
			return strings.TrimSpace(line.String())
		case c == keyBackspace, c == keyDelete:
			if text := []rune(line.String()); len(text) > 0 {
				line.Reset()
				line.WriteString(string(text[:len(text)-1]))
				a.show("\b \b")
			}
			continue
		case !unicode.IsPrint(c):
			continue
		}
		a.show(string(c))
		i := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, string(unicode.ToLower(c))) })
		if line.Len() == 0 && i >= 0 {
			a.rest = words[i][1:] + "\n"
			return words[i]
		}
		line.WriteRune(c)
	}
}

// swallow reports whether a key is still a part of the last answer, by people who type the
// whole word, or a line end after a key that needed none.
func (a *answers) swallow(c rune) bool {
	if a.rest == "" {
		return false
	}
	if c == '\r' {
		c = '\n'
	}
	if strings.HasPrefix(a.rest, string(unicode.ToLower(c))) {
		a.rest = a.rest[1:]
		return true
	}
	a.rest = ""
	return c == '\n'
}

func (a *answers) show(text string) {
	if a.echo != nil {
		io.WriteString(a.echo, text)
	}
}
