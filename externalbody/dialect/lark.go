package dialect

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

const (
	larkFiles = "X-Lark-Large-Attachment"
	larkIDs   = "X-Lms-Large-Attachment-Ids"

	// larkPath is the path of the links to large attachments.
	larkPath = "/mail/page/attachment"

	// maxLarkValues bounds the values of a field, of which each takes a hundred octets.
	maxLarkValues = 10_000
)

// larkHosts are the hosts of these links.
var larkHosts = []string{"www.feishu.cn", "www.larksuite.com"}

// lark reads the forms of Lark Mail, which is Feishu in China, for large attachments. They are in the sources of its
// makers' program for the command line:
//
//   - The block in HTML, with one item for each file:
//
//     <div id="large-file-area-DIGITS">...<div id="large-file-item">... <div>NAME</div><div><span>SIZE</span></div>
//     <a href="https://www.larksuite.com/mail/page/attachment?token=KEY" data-mail-token="KEY">Download</a></div></div>
//
//   - The block in plain text: a title, and for each file its name, its size, and "Download: URL", each in a line. The
//     words are in the language of the sender.
//
//   - X-Lms-Large-Attachment-Ids, which a program sends: base64 of JSON, [{"id":"KEY"}].
//
//   - X-Lark-Large-Attachment, which the server makes of it: base64 of JSON,
//     [{"file_key":"KEY","file_name":"NAME","file_size":OCTETS}].
//
// A field has no URL, and its host depends on the country of the account. It therefore only adds to a link in the text.
// The size in a text is rounded unless it is in octets, and only then a size of a Reference.
func lark() externalbody.Dialect {
	fields := []string{larkFiles, larkIDs}
	return externalbody.Dialect{
		Name:   "lark",
		Fields: fields,
		Read:   readLark,
		Hints:  []string{"large-file-item", larkPath, "mail%2fpage%2fattachment", "mail_page_attachment"},
		Near:   links,
		Text:   larkText,
	}
}

// A larkFile is a file in a field.
type larkFile struct {
	ID   string `json:"id"`
	Key  string `json:"file_key"`
	Name string `json:"file_name"`
	Size int64  `json:"file_size"`
}

func readLark(e *externalbody.Entity) (refs []*externalbody.Reference) {
	for _, f := range e.Header {
		field := larkFiles
		if strings.EqualFold(f.Name, larkIDs) {
			field = larkIDs
		} else if !strings.EqualFold(f.Name, larkFiles) {
			continue
		}
		files, err := larkList(f.Value)
		if err == bounded.ErrMany {
			e.Unread(externalbody.DiagCutShort, "a list of large attachments has more than 10,000 values")
		}
		for _, file := range files {
			refs = append(refs, file.mentions(field)...)
		}
	}
	return refs
}

// larkList returns the files of a field. A field that cannot be read has none.
func larkList(value string) ([]larkFile, error) {
	text := strings.TrimRight(strings.Join(strings.Fields(value), ""), "=")
	octets, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	var files []larkFile
	if err := bounded.JSON(octets, &files, maxLarkValues); err != nil {
		return nil, err
	}
	return files, nil
}

// mentions returns the texts that the field adds to a link to the file, for each host.
func (f *larkFile) mentions(field string) (refs []*externalbody.Reference) {
	key := f.ID
	if key == "" {
		key = f.Key
	}
	if key == "" {
		return nil
	}
	for _, host := range larkHosts {
		r := externalbody.NewMention("https://" + host + larkPath + "?token=" + url.QueryEscape(key))
		r.Origins[0].Field = field
		setName(r, f.Name)
		if f.Size > 0 {
			r.Size = f.Size
		}
		refs = append(refs, r)
	}
	return refs
}

func larkText(e *externalbody.Entity, found finder) func(*externalbody.Token) {
	if e.MediaType == "text/plain" {
		return readLines((&larkReader{found: found}).line)
	}
	return readBlocks(isLarkItem, func(b *block) { larkBlock(b, found) })
}

// isLarkItem reports whether t starts an item of the block.
func isLarkItem(t *externalbody.Token) bool {
	id, _ := t.Attr("id")
	return hasWord(id, "large-file-item")
}

// larkBlock reads an item of the block.
func larkBlock(b *block, found finder) {
	a, r := b.first()
	if a == nil {
		return
	}
	texts := b.texts
	if len(texts) == maxTexts {
		describeLark(r, texts[0], texts[1])
	}
	found(r, b.place()...)
}

// describeLark sets the name and the size of a file as they are shown. Other texts than these are not used.
func describeLark(r *externalbody.Reference, name, size string) {
	number := larkSize().FindStringSubmatch(size)
	if number == nil {
		return
	}
	setName(r, name)
	if n, err := strconv.ParseInt(number[1], 10, 64); err == nil && n > 0 {
		r.Size = n
	}
}

// larkSize matches a size as it is shown. The group is a number of octets.
var larkSize = lazyregexp.New(`^(?:([0-9]{1,4}) B|[0-9]{1,4}\.[0-9] [KMGT]B)$`)

// A larkReader reads the block in a text/plain.
type larkReader struct {
	found finder
	name  string // the line before last
	size  string // the last line
}

func (r *larkReader) line(l *textLine) {
	name := r.name
	size := r.size
	r.name = r.size
	r.size = strings.TrimSpace(l.text[:min(len(l.text), maxText)])
	label, labelled := cutLabel(l.head)
	isItem := labelled && label != "" && strings.TrimSpace(l.tail) == ""
	if !isItem || name == "" || !larkSize().MatchString(size) {
		return
	}
	if u, ok := weburl.InPage(l.url); ok && isLarkLink(u) {
		ref := l.reference(u)
		describeLark(ref, name, size)
		r.found(ref, l.place()...)
	}
}

// isLarkLink reports whether a URL is, or wraps, a link to a large attachment.
func isLarkLink(link string) bool {
	target := unwrap.URL(link).URL
	l, ok := sharelink.Match(target)
	u, isURL := weburl.Parse(target)
	return ok && isURL && l.Provider == "feishu" && u.Path == larkPath
}
