package inspect

import (
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"golang.org/x/text/unicode/norm"
)

// announcedNames returns the names that a message gives a body. Which of them a program
// uses depends on the program.
func announcedNames(ref *externalbody.Reference) []string {
	names := []string{ref.Name}
	for _, f := range ref.Header {
		if name := nameParams[strings.ToLower(f.Name)]; name != "" {
			names = append(names, fieldParams(f.Value, name)...)
		}
	}
	for _, p := range ref.Params {
		if strings.EqualFold(p.Name, "name") {
			names = append(names, charset.Words(p.Value))
		}
	}
	if u, err := ref.Locate(); err == nil {
		names = append(names, path.Base(u.Path))
	}
	return names
}

// nameParams are the parameters of fields that name a file.
var nameParams = map[string]string{"content-disposition": "filename", "content-type": "name"}

// fieldParams returns the values of a parameter of a field, each of which a program may take
// for the only one.
func fieldParams(value, name string) (list []string) {
	for _, p := range param.Parse(value).Params {
		if p.Name == name {
			list = append(list, charset.Words(p.Value))
		}
	}
	return list
}

// outerHeaders are the headers of the parts of a message, outside of phantom headers. A nil
// *outerHeaders has none.
type outerHeaders struct {
	r        io.ReaderAt
	sections map[string]*message.Part
}

func outerHeadersOf(m *externalbody.Message) *outerHeaders {
	if m == nil {
		return nil
	}
	index, r := message.IndexOf(m.Reader())
	return &outerHeaders{r, index.Sections()}
}

// names returns the names in the header of the part that a reference of the standard form is. Some
// programs show these.
func (o *outerHeaders) names(ref *externalbody.Reference) (names []string) {
	if o == nil || ref.Dialect != "" || o.sections[ref.ID] == nil {
		return nil
	}
	text, err := message.ReadSpan(o.r, o.sections[ref.ID].Header.First(maxHeader))
	if err != nil {
		return nil
	}
	for f := range message.Fields(text, 0) {
		if name := nameParams[strings.ToLower(f.Name)]; name != "" {
			names = append(names, fieldParams(f.Value, name)...)
		}
	}
	return names
}

// maxExtensions bounds the extensions of one body.
const maxExtensions = 100

// extensionsOf returns the extensions that the names have, in lower case without the
// dot, each as any system may see it. If no name has one, they are those that go with the
// media types: programs add one.
func extensionsOf(names []string, types ...string) (list []string) {
	add := func(ext string) {
		if ext != "" && len(list) < maxExtensions && !slices.Contains(list, ext) {
			list = append(list, strings.Clone(ext))
		}
	}
	seen := make(map[string]bool) // most names are the same, and long ones take time
	for _, name := range names {
		for _, n := range []string{name, norm.NFKC.String(dots.Replace(name)), strings.Trim(name, "\"'")} {
			if seen[n] {
				continue
			}
			seen[n] = true
			add(extension(externalbody.FileName(n)))
			// A name may have nothing before its only dot.
			if base := n[strings.LastIndexAny(n, `/\`)+1:]; strings.HasPrefix(base, ".") {
				add(extension(externalbody.FileName("x" + base)))
			}
			// On Windows a colon starts the name of a stream. To other programs a NUL
			// ends a name.
			if i := strings.IndexAny(n, ":\x00"); i >= 0 {
				add(extension(externalbody.FileName(n[:i])))
			}
		}
	}
	if len(list) == 0 {
		for _, t := range types {
			add(strings.TrimPrefix(mediatype.Extension(t), "."))
			add(filekind.Active(t))
		}
	}
	return list
}

// dots replaces the dots of other scripts that some programs take for a dot, and that
// NFKC keeps. It removes the variation selectors of emoji.
var dots = strings.NewReplacer("\u3002", ".", "\uff61", ".", "\ufe0e", "", "\ufe0f", "")

// extension returns the text after the last dot of a safe name, in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}

// maxHeader bounds a header that is read, in octets.
const maxHeader = 1 << 20
