package dialect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// sizeUnits are the units of sizes in the lists that a listReader reads, from the
// translations of Thunderbird. Those of Breton and Kaqchikel, and the Chinese ones for
// more than octets, are left out: they are letters and words of other languages.
var sizeUnits = []string{
	"byte", "bytes", "kb", "mb", "gb", "tb",
	"octet", "octets", "ko", "mo", "go", "to", // French
	"tavua", "kt", "mt", "gt", "tt", // Finnish
	"kib", "mib", "gib", // Estonian
	"bait", "baiti", "bayt", "beit", "bita", "bajtova", "bajtov", "bajtow", "bajte", "bájt", "bajtů", "byți", "bæti",
	"байт", "байта", "байтов", "байтів", "байтаў", "бајтова", "КБ", "МБ", "ГБ", "ТБ", // Cyrillic
	"բայթ", "ԿԲ", "ՄԲ", "ԳԲ", "ՏԲ", // Armenian
	"ბაიტი", "კბ", "მბ", "გბ", "ტბ", // Georgian
	"بايت", "كيلوبايت", "ميغابايت", "غيغابايت", // Arabic
	"בתים", "ק״ב", "מ״ב", "ג״ב", "ט״ב", // Hebrew
	"បៃ", "គីឡូបៃ", "ជីកាបី", // Khmer
	"ไบต์", "バイト", "바이트", "字节", "位元組",
}

// oldUnits are units in Cyrillic, in the charsets that Russian mail had before UTF-8:
// windows-1251 and KOI8-R.
var oldUnits = []string{
	"\xe1\xe0\xe9\xf2", "\xca\xc1", "\xcc\xc1", "\xc3\xc1", "\xd2\xc1",
	"\xc2\xc1\xca\xd4", "\xeb\xe2", "\xed\xe2", "\xe7\xe2", "\xf4\xe2",
}

// sizeLabels are the labels of sizes in the list of today, the English one first.
var sizeLabels = []string{
	"size", "gr\u00f6\u00dfe", "taille", "tama\u00f1o", "dimension", "grootte", "rozmiar", "storlek",
	"\u0440\u0430\u0437\u043c\u0435\u0440", "\u30b5\u30a4\u30ba", "\u5927\u5c0f",
}

func listHints() []string {
	var hints []string
	for _, unit := range slices.Concat(sizeUnits, oldUnits) {
		hints = append(hints, unit+")")
	}
	// The labels of sizes in the list of today. A Hint below eight octets makes the search
	// slow, and the label in English alone is in "font-size: ".
	hints = append(hints, "  size: ", "\r\nsize: ", "\n size: ", "> size: ", "\u00a0size: ", ">size: <")
	for _, digit := range "0123456789" {
		hints = append(hints, "\nsize: "+string(digit), "\tsize: "+string(digit), ">size: "+string(digit))
	}
	for _, label := range sizeLabels[1:] {
		hints = append(hints, label+": ")
	}
	hints = append(hints, "taille :", "taille\u00a0:", "taille\xa0:", "taille\u202f:", "dimension")
	return hints
}

// maxItem bounds the lines of an item of a list.
const maxItem = 4

// A listReader reads the list of files that Thunderbird put into a text/plain, up to
// version 90:
//
//	I've linked 1 file to this email:
//
//	* NAME (SIZE) hosted on PROVIDER: URL
//
// Some versions indent the items.
// The form is in its sources and tests. The words are in the sender's language, and
// only the unit of the size must be a known one. So the shape counts: a line that ends
// with a colon, and below it items. An item has a name, a size in parentheses, words up
// to a colon, and the URL, which is its end. It may be broken over lines, usually
// before the URL.
type listReader struct {
	found  finder
	fields fieldsReader
	headed bool   // a line that ends with a colon is above
	item   string // the item that is being read; "" outside of one
	n      int    // the number of its lines
}

func (r *listReader) line(l *textLine) {
	if ref := r.fields.line(l); ref != nil {
		r.item = ""
		r.headed = false
		r.found(ref, l.place()...)
		return
	}
	switch {
	case strings.TrimSpace(l.text) == "":
		r.item = ""
		return
	case r.headed && strings.HasPrefix(strings.TrimLeft(l.text, " "), "* "):
		r.item = ""
		r.n = 0
	case r.item == "":
		_, r.headed = cutLabel(l.text)
		r.headed = r.headed && l.url == ""
		return
	default:
		r.item += " "
	}
	r.item += strings.TrimSpace(l.head)
	if r.n++; r.n > maxItem || len(r.item) > maxText {
		r.item = ""
		r.headed = false
		return
	}
	if l.url == "" {
		return
	}
	name := listedName(r.item)
	r.item = ""
	if url, ok := weburl.InPage(l.url); ok && name != "" && strings.TrimSpace(l.tail) == "" {
		ref := l.reference(url)
		ref.Name = name
		r.found(ref, l.place()...)
	}
}

// A fieldsReader reads an item of the list that Thunderbird writes since version 91. The
// labels are in the language of the sender:
//
//   - NAME
//     Size: 12 KB
//     Link: URL
//
// The URL may also be in the line below its label.
type fieldsReader struct {
	name  string // "" outside of an item
	sized bool
	n     int    // lines after the name
	label string // the line before, if it is a label alone
}

// line reads a line, and returns the Reference to the file if it is the last of an item.
func (r *fieldsReader) line(l *textLine) *externalbody.Reference {
	text := strings.TrimSpace(l.text)
	if name, ok := strings.CutPrefix(text, "* "); ok && l.url == "" {
		*r = fieldsReader{name: strings.TrimSpace(name)}
		return nil
	}
	if r.n++; r.name == "" || r.n > maxItem+2 {
		r.name = ""
		return nil
	}
	if _, value, ok := cutField(text); ok && l.url == "" && isShownSize(value) {
		r.sized = true
	}
	label, labelled := cutLabel(l.head)
	if strings.TrimSpace(l.head) == "" && r.label != "" {
		label = r.label
		labelled = true
	}
	r.label = ""
	if l.url == "" && labelled {
		r.label = label
	}
	url, ok := weburl.InPage(l.url)
	if l.url == "" || !ok || strings.TrimSpace(l.tail) != "" {
		return nil
	}
	if !r.sized || !labelled || label == "" {
		return nil
	}
	ref := l.reference(url)
	ref.Name = r.name
	r.name = ""
	return ref
}

// listedName returns the name in an item, "* NAME (SIZE) WORDS:", or "" if text is not
// such an item.
func listedName(item string) string {
	text, labelled := cutLabel(item)
	text, listed := strings.CutPrefix(text, "* ")
	if !labelled || !listed || text == "" {
		return ""
	}
	for at := 0; ; {
		i := strings.Index(text[at:], " (")
		if i < 0 {
			return ""
		}
		name := strings.TrimSpace(text[:at+i])
		rest := text[at+i+len(" ("):]
		at += i + len(" (")
		size, words, closed := strings.Cut(rest[:min(len(rest), 256)], ")")
		isItem := closed && isShownSize(size) && strings.TrimSpace(words) != ""
		if isItem && name != "" {
			return name
		}
	}
}

// isShownSize reports whether text is a size as people read it: a number and a unit.
func isShownSize(text string) bool {
	if text == "" || !ascii.IsDigit(text[0]) {
		return false
	}
	unit := strings.TrimLeft(text, "0123456789., \u00a0\u202f")
	return slices.ContainsFunc(sizeUnits, func(known string) bool { return strings.EqualFold(known, unit) })
}

// isSizeLabel reports whether label starts with one of sizeLabels.
func isSizeLabel(label string) bool {
	label = strings.ToLower(label)
	return slices.ContainsFunc(sizeLabels, func(known string) bool { return strings.HasPrefix(label, known) })
}
