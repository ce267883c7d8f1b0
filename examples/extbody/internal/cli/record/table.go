package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/wording"
)

// The most columns that cells of a line have, unless the line has room. The name gives way first if a line
// would be too long, and then the place.
const (
	nameCell   = 0
	placeCell  = 3
	mostName   = 32
	mostKind   = 8
	mostPlace  = 32
	leastName  = 16
	leastPlace = 16
	gap        = "  "
)

// A Line has the cells of a reference in a line of [Table], for people.
type Line struct {
	Name, Size, Kind, Place, ID string
	Notes                       []string
}

// NewLine returns the line of a reference, without an ID. Secrets of its URL are not in it.
func NewLine(ref *externalbody.Reference) *Line {
	l := &Line{Name: nameOf(ref), Size: "-", Kind: kind(ref.MediaType), Place: placeOf(ref)}
	if ref.Size >= 0 {
		l.Size = wording.About(ref.Size)
	}
	if !ref.Expiration.IsZero() {
		l.Notes = append(l.Notes, dateWord(ref.AccessType)+ref.Expiration.UTC().Format("2006-01-02"))
	}
	if refused, _ := refusal(ref); refused != "" {
		l.Notes = append(l.Notes, refused)
	}
	for _, d := range ref.Diags {
		l.Notes = append(l.Notes, d.String())
	}
	return l
}

func nameOf(ref *externalbody.Reference) string { return cmp.Or(ref.Name, "(no name)") }

// InList returns the words by which errors and results name a file to people: the number of its line in
// the list, or 0, and its name. They are not escaped.
func InList(number int, ref *externalbody.Reference) string {
	if number == 0 {
		return nameOf(ref)
	}
	return fmt.Sprintf("%d %s", number, nameOf(ref))
}

// kind returns a media type in one short word, or "-".
func kind(mediaType string) string {
	if ext := mediatype.Extension(mediaType); ext != "" && ext != ".bin" {
		return strings.ToUpper(ext[1:])
	}
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case minor == "" || minor == "octet-stream":
		return "-"
	case major == "application" || major == "text" || len(minor) <= mostKind:
		return wording.Begin(strings.TrimPrefix(minor, "x-"), mostKind)
	}
	return major
}

// placeOf returns where the body is, in few words: the host, with the port if the URL has
// one.
func placeOf(ref *externalbody.Reference) string {
	u, err := ref.Locate()
	switch {
	case ref.AccessType == accessDeleted:
		return "deleted"
	case err != nil:
		return strings.TrimSpace(ref.AccessType + " " + New(Place{}, ref, false).where())
	}
	switch u.Scheme {
	case "data", "cid", "mid":
		return "in the message"
	case "file":
		return u.Path
	case "mailto":
		_, host, _ := strings.Cut(u.Opaque, "@")
		host, _, _ = strings.Cut(host, "?")
		return "mail to " + host
	}
	return u.Host
}

// Table returns a line for each reference, the name first, of at most width columns unless a
// cell cannot be cut. Notes that have no room are counted.
func Table(list []*Line, width int) []string {
	cells := make([][]string, len(list))
	var most [5]int
	for i, l := range list {
		cells[i] = []string{show.Line(l.Name), l.Size, show.Line(l.Kind), show.Line(l.Place), show.Line(l.ID)}
		for j, cell := range cells[i] {
			most[j] = max(most[j], wording.Columns(cell))
		}
	}
	fit(&most, notesOf(list), width)
	lines := make([]string, len(list))
	for i, row := range cells {
		row[nameCell] = wording.Name(row[nameCell], most[nameCell])
		row[placeCell] = cutPlace(row[placeCell], most[placeCell])
		var b strings.Builder
		for j, cell := range row {
			if most[j] == 0 {
				continue
			}
			if b.Len() > 0 {
				b.WriteString(gap)
			}
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", most[j]-wording.Columns(cell)))
		}
		lines[i] = addNotes(strings.TrimRight(b.String(), " "), list[i].Notes, width)
	}
	return lines
}

// fit bounds the columns of cells so that a line has at most width of them, with the given columns of notes as
// far as there is room.
func fit(most *[5]int, notes, width int) {
	wanted := *most
	most[nameCell] = min(most[nameCell], mostName)
	most[placeCell] = min(most[placeCell], mostPlace)
	free := width + len(gap)
	for _, n := range most {
		if n > 0 {
			free -= n + len(gap)
		}
	}
	for _, c := range []struct{ column, least int }{{nameCell, leastName}, {placeCell, leastPlace}} {
		if cut := min(-free, most[c.column]-c.least); cut > 0 {
			most[c.column] -= cut
			free += cut
		}
	}
	free -= notes
	for _, column := range []int{nameCell, placeCell} {
		if more := min(free, wanted[column]-most[column]); more > 0 {
			most[column] += more
			free -= more
		}
	}
}

// notesOf returns how many columns the notes of a line have at most.
func notesOf(list []*Line) (most int) {
	for _, l := range list {
		n := 0
		for _, note := range l.Notes {
			n += wording.Columns(gap + show.Line(note))
		}
		most = max(most, n)
	}
	return most
}

// cutPlace returns a place that takes at most the given columns. The end of a host or of a
// path says more than its start, and the start of words more than their end.
func cutPlace(text string, most int) string {
	isWords := strings.ContainsAny(text, " \"")
	switch {
	case wording.Columns(text) <= most:
		return text
	case isWords:
		const mark = "..."
		return wording.Begin(text, most-len(mark)) + mark
	}
	return wording.Host(text, most)
}

// addNotes adds notes to a line as far as there is room.
func addNotes(line string, notes []string, width int) string {
	for i, note := range notes {
		longer := line + gap + show.Line(note)
		if wording.Columns(longer) > width {
			if counted := fmt.Sprintf("%s%s+%d", line, gap, len(notes)-i); wording.Columns(counted) <= width {
				return counted
			}
			return line
		}
		line = longer
	}
	return line
}

// Ranges returns numbers in ascending order as people write them: "1, 3-7".
func Ranges(numbers []int) string {
	var words []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		word := strconv.Itoa(numbers[i])
		if j > i {
			word += "-" + strconv.Itoa(numbers[j])
		}
		words = append(words, word)
		i = j + 1
	}
	return strings.Join(words, ", ")
}

// Numbered is Table with a number before each line.
func Numbered(list []*Line, numbers []int, width int) []string {
	digits := len(strconv.Itoa(slices.Max(append([]int{0}, numbers...))))
	lines := Table(list, width-digits-len(gap))
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%*d%s%s", digits, numbers[i], gap, line)
	}
	return lines
}
