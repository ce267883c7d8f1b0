// Package wording has numbers, and long names, as people read them.
//
// Several goroutines may call all functions at once.
package wording

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Exact returns a number of octets: "1,234,567 octets".
func Exact(n int64) string {
	if n == 1 {
		return "1 octet"
	}
	return Grouped(n) + " octets"
}

// Grouped returns a number with a comma between each three digits.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// About returns a number of octets with at most three digits: "587 octets", "1.2 kB", "34 MB".
// A kB is 1,000 octets, an MB is 1,000 kB, and so on. The result has at most ten characters
// for numbers that are not negative.
func About(n int64) string {
	if n < 1000 {
		return Exact(n)
	}
	value := float64(n)
	unit := 0
	for value >= 999.5 && unit < len(units) {
		value /= 1000
		unit++
	}
	digits := 0
	if value < 9.95 {
		digits = 1
	}
	return strconv.FormatFloat(value, 'f', digits, 64) + " " + units[unit-1]
}

var units = []string{"kB", "MB", "GB", "TB", "PB", "EB"}

// Limit returns a bound on octets, without rounding it: "1 GiB", "25 MB", "1,234,567 octets".
func Limit(n int64) string {
	for i := len(units) - 1; i >= 0 && n > 0; i-- {
		binary := int64(1) << (10 * (i + 1))
		decimal := int64(1)
		for range i + 1 {
			decimal *= 1000
		}
		if n%binary == 0 {
			return Grouped(n/binary) + " " + strings.ToUpper(units[i][:1]) + "iB"
		}
		if n%decimal == 0 {
			return Grouped(n/decimal) + " " + units[i]
		}
	}
	return Exact(n)
}

// Span returns a time in seconds, which is not negative, in words and rounded down: "119 seconds", "2 minutes", "32
// days".
func Span(seconds int64) string {
	n := seconds
	unit := "second"
	switch {
	case seconds >= 2*86400:
		n /= 86400
		unit = "day"
	case seconds >= 2*3600:
		n /= 3600
		unit = "hour"
	case seconds >= 2*60:
		n /= 60
		unit = "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return Grouped(n) + " " + unit
}

// Count returns a number with a noun: "1 message", "0 bodies".
func Count[N number](n N, noun string) string {
	several := noun + "s"
	stem, ok := strings.CutSuffix(noun, "y")
	if ok && !strings.HasSuffix(stem, "a") {
		several = stem + "ies"
	}
	return Choose(n, noun, several)
}

// Choose returns a number with one of two texts: "1 message was", "2 messages were".
func Choose[N number](n N, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + several
}

type number interface{ int | int64 | uint32 }

// Columns returns how many columns of a terminal a text takes. A character of East Asian
// width takes two, and a mark on the character before it takes none.
func Columns(s string) (n int) {
	for _, c := range s {
		n += columns(c)
	}
	return n
}

func columns(c rune) int {
	if c < utf8.RuneSelf {
		return 1
	}
	if unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// mark stands for text that was left out.
const mark = "..."

// maxExtension is the longest extension, in octets with its dot, that stays when a name is cut.
const maxExtension = 8

// Name returns a file name that takes at most the given columns. A longer one loses its
// middle, and keeps its start, and its end with the extension: "yearl...port 7.pdf".
func Name(name string, most int) string {
	if Columns(name) <= most {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > maxExtension || len(ext) < len(".x") || strings.ContainsFunc(ext[1:], isNoPart) {
		ext = ""
	}
	room := most - Columns(mark+ext)
	if room < 1 {
		return Begin(name, most)
	}
	last := end(strings.TrimSuffix(name, ext), room/3) // by which the names of a series differ
	return Begin(name, room-Columns(last)) + mark + last + ext
}

func isNoPart(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// Begin returns as much of the start of a text as takes at most the given columns.
func Begin(s string, most int) string {
	for i, c := range s {
		if most -= columns(c); most < 0 {
			return s[:i]
		}
	}
	return s
}

// end returns as much of the end of a text as takes at most the given columns. It starts with no mark on the
// character before it.
func end(s string, most int) string {
	start := len(s)
	for i := len(s); i > 0 && most >= 0; {
		c, n := utf8.DecodeLastRuneInString(s[:i])
		i -= n
		most -= columns(c)
		if most >= 0 && columns(c) > 0 {
			start = i
		}
	}
	return s[start:]
}

// Host returns a host that takes at most the given columns. A longer one loses its start,
// since its end says whose it is: "...files.cloud.example".
func Host(host string, most int) string {
	if len(host) <= most {
		return host
	}
	return mark + host[len(host)-max(most-len(mark), 0):]
}
