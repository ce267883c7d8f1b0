package tnef

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

var charsets = map[int]string{
	932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5",
	20127: "us-ascii", 20866: "koi8-r", 21866: "koi8-u",
	50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp",
	51932: "euc-jp", 54936: "gb18030", 65001: "utf-8",
}

// readRTF returns the text of RTF in UTF-8. If the RTF was made from HTML, the text
// is that HTML (MS-OXRTFEX). Otherwise the address of a link is in angle brackets
// before its text.
func readRTF(rtf []byte) (text []byte, isHTML, whole bool) {
	r := &rtfReader{rest: rtf, codepage: 1252}
	r.state.fallback = 1
	for len(r.rest) > 0 {
		r.step()
	}
	r.flush()
	return r.out.Bytes(), r.isHTML, !r.deep
}

// An rtfReader reads RTF (the Rich Text Format Specification, version 1.9.1).
type rtfReader struct {
	rest     []byte
	out      bytes.Buffer
	octets   []byte       // of the text, in the code page, not yet in out
	field    bytes.Buffer // the instruction of a field
	codepage int
	isHTML   bool
	star     bool   // after "\*"
	high     uint16 // the first half of a surrogate pair
	dropped  int    // the number of characters still to skip after "\u"
	state    rtfState
	outer    []rtfState // of the outer groups, at most maxGroups
	deeper   int        // the number of further outer groups, whose states are not kept
	last     rtfState   // of the innermost group with a state, if deeper is not 0
	deep     bool       // deeper was not 0
}

// maxGroups bounds the nested groups whose states are kept.
const maxGroups = 1000

// An rtfState applies to a group and to the groups in it.
type rtfState struct {
	hidden   bool // the group is not text
	tag      bool // the group is a piece of HTML
	replaced bool // the group is RTF that repeats a piece of HTML
	field    bool // the group is the instruction of a field
	fallback int  // the number of characters after a "\u" for readers without Unicode
}

func (r *rtfReader) step() {
	c := r.rest[0]
	r.rest = r.rest[1:]
	switch c {
	case '{':
		r.star = false
		r.dropped = 0
		if len(r.outer) < maxGroups {
			r.outer = append(r.outer, r.state)
		} else if r.deeper++; r.deeper == 1 {
			r.last = r.state
			r.deep = true
		}
	case '}':
		r.close()
	case '\\':
		r.control()
	case '\r', '\n', 0:
	default:
		r.put(c)
	}
}

func (r *rtfReader) close() {
	r.star = false
	r.dropped = 0
	if r.deeper > 0 {
		r.deeper--
		r.state = r.last
		return
	}
	n := len(r.outer) - 1
	if n < 0 {
		return
	}
	ended := r.state.field
	r.state = r.outer[n]
	r.outer = r.outer[:n]
	if ended && !r.state.field {
		r.link(r.field.String())
		r.field.Reset()
	}
}

// link writes the address in the instruction of a field, if the field is a link.
func (r *rtfReader) link(instruction string) {
	_, target, ok := strings.Cut(instruction, "HYPERLINK")
	if !ok || r.isHTML {
		return
	}
	target = strings.TrimLeft(target, " ")
	if quoted, ok := strings.CutPrefix(target, `"`); ok {
		target, _, _ = strings.Cut(quoted, `"`)
	} else {
		target, _, _ = strings.Cut(target, " ")
	}
	if target != "" {
		r.flush()
		r.out.WriteString(" <" + target + "> ")
	}
}

func (r *rtfReader) put(c byte) {
	r.star = false
	switch {
	case r.dropped > 0:
		r.dropped--
	case r.state.field:
		r.field.WriteByte(c)
	case r.shown():
		r.octets = append(r.octets, c)
	}
}

// shown reports whether text is shown here.
func (r *rtfReader) shown() bool { return !r.state.hidden && (r.state.tag || !r.state.replaced) }

func (r *rtfReader) write(text string) {
	r.star = false
	if r.dropped > 0 {
		r.dropped--
	} else if r.shown() && !r.state.field {
		r.flush()
		r.out.WriteString(text)
	}
}

// flush decodes the octets so far and writes them.
func (r *rtfReader) flush() {
	if len(r.octets) == 0 {
		return
	}
	text, err := charset.Text(charsetOf(r.codepage), string(r.octets))
	if err != nil {
		text = strings.ToValidUTF8(string(r.octets), "\uFFFD")
	}
	r.out.WriteString(text)
	r.octets = r.octets[:0]
}

// control reads a control word or symbol, after its backslash.
func (r *rtfReader) control() {
	if len(r.rest) == 0 {
		return
	}
	c := r.rest[0]
	if !ascii.IsLetter(c) {
		r.rest = r.rest[1:]
		r.symbol(c)
		return
	}
	n := 1
	for n < len(r.rest) && n < maxWord && ascii.IsLetter(r.rest[n]) {
		n++
	}
	word := string(r.rest[:n])
	r.rest = r.rest[n:]
	n = 0
	if len(r.rest) > 0 && r.rest[0] == '-' {
		n++
	}
	for n < len(r.rest) && n < maxWord && ascii.IsDigit(r.rest[n]) {
		n++
	}
	number, err := strconv.Atoi(string(r.rest[:n]))
	if err != nil {
		number = 0
	}
	given := err == nil
	r.rest = r.rest[n:]
	if len(r.rest) > 0 && r.rest[0] == ' ' {
		r.rest = r.rest[1:]
	}
	star := r.star
	r.star = false
	r.word(word, number, given, star)
}

// maxWord bounds a control word and its number, in octets.
const maxWord = 32

func (r *rtfReader) symbol(c byte) {
	switch c {
	case '*':
		r.star = true
	case '\'':
		var b [1]byte
		if len(r.rest) < 2 {
			r.rest = nil
		} else if _, err := hex.Decode(b[:], r.rest[:2]); err == nil {
			r.rest = r.rest[2:]
			r.put(b[0])
		}
	case '\\', '{', '}':
		r.put(c)
	case '~':
		r.write("\u00a0")
	case '\r', '\n':
		r.write("\r\n")
	}
}

// word handles a control word. If star is true, the word starts a group that readers
// may skip if they do not know the word.
func (r *rtfReader) word(word string, number int, given, star bool) {
	switch word {
	case "fromhtml":
		r.isHTML = r.isHTML || !given || number != 0
	case "htmltag":
		r.state.tag = star
	case "htmlrtf":
		r.state.replaced = !given || number != 0
	case "fldinst":
		r.state.field = true
	case "fonttbl", "colortbl", "stylesheet", "info", "pict", "pntext", "listtext", "mhtmltag", "nonesttables":
		r.state.hidden = true
	case "ansicpg":
		r.flush()
		r.codepage = number
	case "uc":
		r.state.fallback = max(0, number)
	case "u":
		r.unicode(uint16(number))
	case "bin":
		r.rest = r.rest[min(max(0, number), len(r.rest)):]
	case "par", "line", "row", "sect", "page":
		r.write("\r\n")
	case "tab", "cell":
		r.write("\t")
	default:
		if text := characters[word]; text != "" {
			r.write(text)
		} else if star {
			r.state.hidden = true
		}
	}
}

// characters are the control words that stand for characters.
var characters = map[string]string{
	"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d",
	"bullet": "\u2022", "endash": "\u2013", "emdash": "\u2014", "emspace": "\u2003", "enspace": "\u2002",
}

// unicode handles a UTF-16 code unit.
func (r *rtfReader) unicode(unit uint16) {
	c := rune(unit)
	if utf16.IsSurrogate(c) {
		if pair := utf16.DecodeRune(rune(r.high), c); pair != utf8.RuneError {
			c = pair
			r.high = 0
		} else {
			r.high = unit
			c = -1
		}
	}
	if c >= 0 {
		r.dropped = 0
		r.write(string(c))
	}
	r.dropped = r.state.fallback
}

// dictionary is the initial dictionary of compressed RTF (MS-OXRTFCP section
// 2.1.2.1).
const dictionary = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor ` +
	`MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" +
	`\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// decompress decompresses RTF (MS-OXRTFCP). If the RTF is longer than limit octets,
// it is cut and whole is false. Damaged data are decompressed up to the damage. The
// checksum is ignored.
func decompress(data []byte, limit int64) (rtf []byte, whole bool) {
	const (
		header       = 16
		compressed   = 0x75465A4C
		uncompressed = 0x414C454D
	)
	if len(data) < header {
		return nil, true
	}
	kind := binary.LittleEndian.Uint32(data[8:])
	data = data[header:]
	if kind == uncompressed {
		n := min(int64(len(data)), limit)
		return data[:n], n == int64(len(data))
	}
	if kind != compressed {
		return nil, true
	}
	window := [4096]byte{}
	at := copy(window[:], dictionary)
	put := func(c byte) {
		window[at] = c
		at = (at + 1) % len(window)
		rtf = append(rtf, c)
	}
	for len(data) > 0 {
		flags := data[0]
		data = data[1:]
		for bit := 0; bit < 8 && len(data) > 0; bit++ {
			if int64(len(rtf)) >= limit {
				return rtf[:limit], false
			}
			if flags>>bit&1 == 0 {
				put(data[0])
				data = data[1:]
				continue
			}
			if len(data) < 2 {
				return rtf, true
			}
			token := binary.BigEndian.Uint16(data)
			data = data[2:]
			from := int(token >> 4)
			if from == at {
				return rtf, true // the end
			}
			for range token&0xF + 2 {
				put(window[from])
				from = (from + 1) % len(window)
			}
		}
	}
	return rtf, true
}

// charsetOf returns the name of the charset of a Windows code page.
func charsetOf(codepage int) string {
	switch {
	case charsets[codepage] != "":
		return charsets[codepage]
	case 1250 <= codepage && codepage <= 1258, codepage == 874:
		return fmt.Sprintf("windows-%d", codepage)
	case 28591 <= codepage && codepage <= 28606:
		return fmt.Sprintf("iso-8859-%d", codepage-28590)
	}
	return "windows-1252"
}
