package record

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/fetch"
)

// Sentence returns a sentence about the saved body.
func (r *Record) Sentence() string {
	s := r.File + ": "
	if r.fileName != "" && r.fileName != filepath.Base(r.File) {
		s += fmt.Sprintf("%q, ", r.fileName)
	}
	s += show.Octets(*r.Bytes)
	if r.ContentType != "" {
		s += " of " + r.ContentType
	}
	if r.FinalURL != "" {
		s += " from " + r.FinalURL
	}
	var notes []string
	for _, c := range r.Checks {
		notes = append(notes, checkWords(c))
	}
	notes = append(notes, r.Warnings...)
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	return show.Line(s)
}

// checkWords returns the outcome of a comparison in words.
func checkWords(c fetch.Check) string {
	switch c.Status {
	case fetch.Match:
		return c.Name + " matches"
	case fetch.Mismatch:
		return c.Name + " differs"
	}
	return c.Name + " cannot be read"
}

// Row returns the cells of a line of list: id, access type, media type, size, location,
// and notes.
func (r *Record) Row() []string {
	access := cmp.Or(r.AccessType, "?")
	size := "-"
	if r.Size != nil {
		size = show.Octets(*r.Size)
	}
	where := r.URL
	if where == "" {
		where = r.where()
	}
	var notes []string
	if r.Dialect != "" {
		notes = append(notes, r.Dialect)
	}
	if r.Name != "" && !strings.HasSuffix(r.URL, "/"+r.Name) {
		notes = append(notes, fmt.Sprintf("name %q", r.Name))
	}
	if r.Expiration != "" {
		notes = append(notes, "until "+r.Expiration)
	}
	notes = append(notes, r.Warnings...)
	if len(notes) > 0 {
		where += "  (" + strings.Join(notes, ", ") + ")"
	}
	row := []string{r.Ref, access, r.ContentType, size, where}
	for i := range row {
		row[i] = show.Line(row[i])
	}
	return row
}

// where returns the parameters that locate a reference without a URL.
func (r *Record) where() string {
	var words []string
	for _, p := range r.Params {
		switch p[0] {
		case "access-type", "size", "expiration", "permission":
		default:
			words = append(words, fmt.Sprintf("%s=%q", p[0], p[1]))
		}
	}
	return strings.Join(words, " ")
}
