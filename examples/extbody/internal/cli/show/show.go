// Package show formats numbers and the texts of strangers for people and records.
// Nothing in a text can move the cursor, hide other text or end a line.
package show

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/wording"
)

// ParseRange reads a number from 1 on, or a range of them such as 3-7, as people write them.
func ParseRange(text string) (from, to int, ok bool) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	for _, digits := range []string{first, last} {
		if strings.Trim(digits, "0123456789") != "" {
			return 0, 0, false
		}
	}
	from, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	to, err = strconv.Atoi(last)
	return from, to, err == nil && 0 < from && from <= to
}

// Escape returns s with each octet that is not part of valid UTF-8 written as
// \xHH.
func Escape(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Line returns s in a form that can be shown on a terminal: characters that are not
// printed, and those that change the direction of writing, are escaped as in a Go
// string.
func Line(s string) string {
	return escapeRunes(Escape(s), wording.Hidden)
}

// escapeRunes escapes the characters for which is returns true as in a Go string.
func escapeRunes(s string, is func(rune) bool) string {
	if strings.IndexFunc(s, is) < 0 {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if !is(c) {
			b.WriteRune(c)
			continue
		}
		q := strconv.QuoteRuneToASCII(c)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// Fence returns the first limit octets of s, or a few less, as [Line] does, and ends with
// "..." if that is not all of s. It also escapes the characters that are never visible,
// although they count as printed: variation selectors, and the others that are to be ignored
// (Unicode, Default_Ignorable_Code_Point). A text that no person sees can be hidden in these.
func Fence(s string, limit int) string {
	s, end := cut(s, limit)
	return strings.Clone(escapeRunes(Escape(s), unseen)) + end
}

// FenceText is Fence for a text of several lines. Line ends and tabs stay.
func FenceText(s string, limit int) string {
	s, end := cut(s, limit)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Clone(escapeRunes(Escape(s), func(c rune) bool { return c != '\n' && c != '\t' && unseen(c) })) + end
}

// Seen returns s without the characters that Fence escapes.
func Seen(s string) string {
	return strings.Map(func(c rune) rune {
		if unseen(c) {
			return -1
		}
		return c
	}, s)
}

// cut returns the first limit octets of s, without a character that is cut in two, and the
// mark that there are more.
func cut(s string, limit int) (text, end string) {
	if len(s) <= limit {
		return s, ""
	}
	for n := limit; n > limit-utf8.UTFMax && n > 0; n-- {
		if utf8.RuneStart(s[n]) {
			limit = n
			break
		}
	}
	return s[:limit], "..."
}

func unseen(c rune) bool {
	return wording.Hidden(c) || unicode.In(c, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Octets returns a number of octets for people: "1,234 octets".
func Octets(n int64) string { return wording.Exact(n) }

// Table returns rows with their cells aligned, each row a line. The last cell
// of a row is not padded, and no column is padded beyond a limit.
func Table(rows [][]string) []string {
	const limit = 40
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := wording.Columns(cell); n <= limit {
				widths[i] = max(widths[i], n)
			}
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			if j > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
			if j < len(row)-1 {
				b.WriteString(strings.Repeat(" ", max(0, widths[j]-wording.Columns(cell))))
			}
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// Lines is Line for each line of a text.
func Lines(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, Line(line))
	}
	return strings.Join(lines, "\n")
}

// Wrap breaks the paragraphs of a text that have lines of more than width characters. A
// line that starts with a blank stays as it is, unless it is an item of a list: a term after
// blanks, two blanks or more, and a text, which goes on below itself. A width of 0 changes
// nothing.
func Wrap(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		isLong := func(line string) bool { return wording.Columns(line) > width }
		lines := strings.Split(p, "\n")
		switch {
		case width <= 0 || !slices.ContainsFunc(lines, isLong):
		case strings.HasPrefix(p, " "), strings.Contains(p, "\n "):
			paragraphs[i] = wrapList(lines, width)
		default:
			paragraphs[i] = Fill(p, width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// item matches the marker and the blanks before the text of an item of a list.
var item = lazyregexp.New(`^ +[^ ]+( [^ ]+)*?  +`)

func wrapList(lines []string, width int) string {
	var b strings.Builder
	for len(lines) > 0 {
		head := item().FindString(lines[0])
		indent := strings.Repeat(" ", wording.Columns(head))
		n := 1
		for head != "" && n < len(lines) && strings.HasPrefix(lines[n], indent) && item().FindString(lines[n]) == "" {
			n++
		}
		isLong := func(line string) bool { return wording.Columns(line) > width }
		if head == "" || !slices.ContainsFunc(lines[:n], isLong) {
			b.WriteString(strings.Join(lines[:n], "\n"))
		} else {
			text := strings.TrimPrefix(strings.Join(lines[:n], " "), head)
			b.WriteString(head + strings.ReplaceAll(Fill(text, max(width-len(indent), minWidth)), "\n", "\n"+indent))
		}
		lines = lines[n:]
		if len(lines) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// minWidth is how many columns a text has at least, however far from the left it is.
const minWidth = 20

// Fill returns the words of a text in lines of at most width columns. A longer word has a line
// of its own.
func Fill(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := wording.Columns(word)
		switch {
		case column > 0 && column+1+n > width:
			b.WriteByte('\n')
			column = 0
		case column > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// JSON writes v as one line of JSON. The characters that [Line] escapes are escaped as in
// JSON (RFC 8259 section 7). So the value is the same, and its author cannot control
// the terminal that shows the line.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// An escaper escapes characters within the strings of JSON. Each Write must be a line.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	line := p
	if text := wording.JSON(p[:len(p)-1]); len(text) != len(p)-1 {
		line = append(text, '\n')
	}
	_, err := e.w.Write(line)
	return len(p), err
}
