package terminal

import (
	"bufio"
	"cmp"
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
	keyEscape    = 27
	keyDelete    = 127
)

// quit is the answer that ends the questions.
const quit = "quit"

// answers reads the answers to questions. A question that one key can answer takes that key
// alone, if the terminal gives keys as they are typed.
type answers struct {
	in   *bufio.Reader
	echo io.Writer // shows the characters that are typed; nil if the terminal does
	rest []string  // of the words that the last key began: "es" of "yes"
}

// read reads an answer: one of the words, of which the first letter is enough, or a line. An
// empty line and the end of the input are "". Escape is the word quit if that is one of them.
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
		case c == keyEscape && a.in.Buffered() > 0:
			a.skipSequence()
			continue
		case c == keyEscape && slices.Contains(words, quit):
			return quit
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
		if line.Len() == 0 {
			if word := a.begins(c, words); word != "" {
				return word
			}
		}
		line.WriteRune(c)
	}
}

// begins returns the first of the words that starts with a key, or "".
func (a *answers) begins(c rune, words []string) (first string) {
	for _, word := range words {
		if rest, ok := strings.CutPrefix(word, string(unicode.ToLower(c))); ok {
			first = cmp.Or(first, word)
			a.rest = append(a.rest, rest+"\n")
		}
	}
	return first
}

// skipSequence reads the rest of a key that is several characters, such as an arrow (ECMA-48
// section 5.4).
func (a *answers) skipSequence() {
	c, _, err := a.in.ReadRune()
	isSequence := c == '[' || c == 'O'
	for err == nil && isSequence && a.in.Buffered() > 0 {
		c, _, err = a.in.ReadRune()
		if '@' <= c && c <= '~' {
			return
		}
	}
}

// swallow reports whether a key is still a part of the last answer, by people who type the
// whole word, or a line end after a key that needed none.
func (a *answers) swallow(c rune) bool {
	if len(a.rest) == 0 {
		return false
	}
	if c == '\r' {
		c = '\n'
	}
	var left []string
	for _, rest := range a.rest {
		if rest, ok := strings.CutPrefix(rest, string(unicode.ToLower(c))); ok {
			left = append(left, rest)
		}
	}
	a.rest = slices.DeleteFunc(left, func(rest string) bool { return rest == "" })
	return len(left) > 0 || c == '\n'
}

func (a *answers) show(text string) {
	if a.echo != nil {
		io.WriteString(a.echo, text)
	}
}
