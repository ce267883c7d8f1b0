package archive

import (
	"bufio"
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// A loadColumn is a field of a document in load files.
type loadColumn struct {
	name string
	tag  string // the name of a tag of EDRM XML; "" if the XML has it elsewhere. One with "#" is of the standard
	typ  string // the TagDataType; "" is Text
}

// loadColumns are the fields of a document, in the order of load.dat.
var loadColumns = []loadColumn{
	{"DOCID", "", ""}, {"PARENTID", "", ""}, {"BEGATTACH", "BegAttach", ""}, {"ENDATTACH", "EndAttach", ""}, {"RELATIONSHIP", "Relationship", ""},
	{"CUSTODIAN", "", ""}, {"ALLCUSTODIANS", "AllCustodians", ""},
	{"FROM", "#From", ""}, {"TO", "#To", ""}, {"CC", "#CC", ""}, {"BCC", "#BCC", ""}, {"SUBJECT", "#Subject", ""},
	{"DATESENT", "#DateSent", "DateTime"}, {"DATERECEIVED", "#DateReceived", "DateTime"}, {"MESSAGEID", "#MessageID", ""},
	{"URL", "URL", ""}, {"FILENAME", "#FileName", ""}, {"MEDIATYPE", "", ""}, {"FILESIZE", "#FileSize", "LongInteger"},
	{"SHA256", "", ""}, {"SHA1", "SHA1", ""}, {"MD5", "MD5", ""},
	{"FIRSTSHA256", "FirstSHA256", ""}, {"CHECKS", "Checks", ""},
	{"STATE", "State", ""}, {"REASON", "Reason", ""}, {"RETRIES", "Retries", "LongInteger"}, {"CAPTURED", "Captured", "DateTime"},
	{"FORGOTTEN", "Forgotten", ""},
	{"LABEL", "Label", ""}, {"VERSION", "Version", ""}, {"DELAY", "Delay", "LongInteger"}, {"DELAYFROM", "DelayFrom", ""},
	{"LASTMODIFIED", "#DateModified", "DateTime"}, {"ETAG", "ETag", ""}, {"ASSENT", "AsSent", ""},
	{"LOGIN", "Login", ""}, {"VERSIONAT", "VersionAt", "DateTime"}, {"VERSIONFROM", "VersionFrom", "DateTime"}, {"VERSIONUNTIL", "VersionUntil", "DateTime"},
	{"HISTORY", "History", ""},
	{"NATIVELINK", "", ""}, {"TEXTPATH", "", ""},
}

// A loadDocument has the values of a document by the names of the columns.
type loadDocument map[string]string

// linkedFile is the relation of a file to the message that links to it. It is no attachment.
const linkedFile = "LinkedFile"

// assembledLabel is the label of a message whose octets are not those that were sent; see [Apart].
const assembledLabel = "assembled"

// A loader writes the load files of an export.
type loader struct {
	a         *Archive
	o         *ExportOptions
	out       string // the folder
	dat, xml  *bufio.Writer
	files     *csv.Writer // of the manifest
	relations strings.Builder
	manifest  loadManifest
	sources   map[string][]string // the mailboxes of a message, by shortSum
	more      map[string][]*Row   // the references of a message that stand in several places of the ledger
}

// A loadManifest is the content of manifest.json.
type loadManifest struct {
	Program       string   `json:"program"`
	Head          string   `json:"head"` // of the ledger
	Selector      string   `json:"selector,omitempty"`
	Relationship  string   `json:"relationship"` // of each child to its parent
	Columns       []string `json:"columns"`
	Documents     int64    `json:"documents"`
	Messages      int64    `json:"messages"`
	LinkedFiles   int64    `json:"linked_files"`
	Captured      int64    `json:"captured"`
	Exceptions    int64    `json:"exceptions"`
	Open          int64    `json:"open"`
	WithoutNative int64    `json:"without_native"` // documents whose octets are not in the export
	Files         int64    `json:"files"`          // lines of manifest.csv after the first
	FilesSHA256   string   `json:"files_sha256"`   // of manifest.csv

	// Replaced counts the characters that no value has in the load files, by their names, such as U+00FE. Those of
	// [concordanceWords] are replaced in load.dat alone.
	Replaced map[string]int64 `json:"replaced,omitempty"`
}

// loadFiles writes a folder with load.dat (Concordance, UTF-8), load.xml (EDRM XML 1.2), the objects in the folder
// natives, and the texts of messages in the folder text. A message with selected references is a document, and so is
// each of these references, for each capture that sel means. They are a family: their numbers follow the number of
// the message. manifest.csv lists each file with its digest, and manifest.json counts the documents.
func (a *Archive) loadFiles(ctx context.Context, out string, o *ExportOptions, sel *Selector) (int64, error) {
	l := &loader{a: a, o: o, out: out, more: make(map[string][]*Row), manifest: loadManifest{
		Program: a.agent, Head: a.Head().String(), Selector: sel.String(), Relationship: linkedFile, Replaced: make(map[string]int64)}}
	var err error
	l.sources, err = a.allCustodians()
	if err != nil {
		return 0, err
	}
	err = a.meant(sel, func(r *Row) error {
		if sum := r.Message.SHA256; len(a.index.message(sum)) > 1 {
			l.more[sum] = append(l.more[sum], r)
		}
		return ctx.Err()
	})
	if err == nil {
		err = newFolder(out, "natives", "text")
	}
	if err != nil {
		return 0, err
	}
	list := sha256.New()
	_, err = exportFile(filepath.Join(out, "manifest.csv"), func(w io.Writer) (int64, error) {
		l.files = csv.NewWriter(io.MultiWriter(w, list))
		l.files.UseCRLF = true
		l.files.Write([]string{"path", "size", "sha256"})
		err := l.write(ctx, sel)
		l.files.Flush()
		return 0, errors.Join(err, l.files.Error())
	})
	if err != nil {
		return 0, err
	}
	l.manifest.FilesSHA256 = hex.EncodeToString(list.Sum(nil))
	_, err = exportFile(filepath.Join(out, "manifest.json"), func(w io.Writer) (int64, error) {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return 0, enc.Encode(&l.manifest)
	})
	return l.manifest.Documents, err
}

// write writes load.dat and load.xml, and the files that they name.
func (l *loader) write(ctx context.Context, sel *Selector) error {
	var dat, text *listed
	err := l.file("load.dat", &dat, func() error {
		return l.file("load.xml", &text, func() error {
			l.dat = bufio.NewWriter(dat)
			l.xml = bufio.NewWriter(text)
			l.dat.WriteString("\ufeff")
			names := make(loadDocument)
			for _, c := range loadColumns {
				names[c.name] = c.name
				l.manifest.Columns = append(l.manifest.Columns, c.name)
			}
			l.line(names)
			fmt.Fprint(l.xml, xml.Header, `<Root MajorVersion="1" MinorVersion="2" DataInterchangeType="Update"><Batch><Documents>`)
			err := l.families(ctx, sel)
			fmt.Fprintf(l.xml, "</Documents>\n<Relationships>%s</Relationships></Batch></Root>\n", l.relations.String())
			return errors.Join(err, l.dat.Flush(), l.xml.Flush())
		})
	})
	return err
}

// A listed is a file of the manifest while it is written.
type listed struct {
	w    io.Writer
	sum  hash.Hash
	size int64
}

// Write implements [io.Writer].
func (f *listed) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.sum.Write(p[:n])
	f.size += int64(n)
	return n, err
}

// file writes a file of the export by a function, which writes to *to, and puts it into the manifest.
func (l *loader) file(name string, to **listed, write func() error) error {
	f := &listed{sum: sha256.New()}
	_, err := exportFile(filepath.Join(l.out, filepath.FromSlash(name)), func(w io.Writer) (int64, error) {
		f.w = w
		*to = f
		return 0, write()
	})
	if err != nil {
		return err
	}
	l.manifest.Files++
	return l.files.Write([]string{name, fmt.Sprint(f.size), hex.EncodeToString(f.sum.Sum(nil))})
}

// families writes the documents of each message together.
func (l *loader) families(ctx context.Context, sel *Selector) error {
	var family []*Row
	written := make(map[string]bool) // those of more
	end := func() error {
		rows := family
		family = nil
		if len(rows) == 0 {
			return nil
		}
		sum := rows[0].Message.SHA256
		if more := l.more[sum]; more != nil {
			rows = more
			if written[sum] {
				return nil
			}
			written[sum] = true
		}
		return l.family(rows)
	}
	err := l.a.meant(sel, func(r *Row) error {
		if len(family) > 0 && family[0].Message.SHA256 != r.Message.SHA256 {
			if err := end(); err != nil {
				return err
			}
		}
		family = append(family, r)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return end()
}

// docID returns the number of the document that is the n-th after the latest.
func (l *loader) docID(n int) string { return fmt.Sprintf("EXT%08d", l.manifest.Documents+int64(n)) }

// family writes a message and the files that it links to.
func (l *loader) family(rows []*Row) error {
	m := rows[0].Message
	mail, err := l.a.described(m)
	if err != nil {
		return err
	}
	sources := l.sources[shortSum(m.SHA256)]
	first := l.docID(1)
	last := l.docID(1 + len(rows))
	about := func(fields loadDocument) loadDocument {
		fields["BEGATTACH"] = first
		fields["ENDATTACH"] = last
		fields["CUSTODIAN"] = strings.Join(sources[:min(1, len(sources))], "")
		fields["ALLCUSTODIANS"] = strings.Join(sources, "; ")
		fields["FROM"] = mail.from
		fields["TO"] = mail.to
		fields["CC"] = mail.cc
		fields["BCC"] = mail.bcc
		fields["SUBJECT"] = charset.Words(mail.subject)
		fields["MESSAGEID"] = mail.id
		fields["DATERECEIVED"] = stampOf(m.Received)
		if t, ok := sensible(mail.date); ok {
			fields["DATESENT"] = stampOf(t)
		}
		return fields
	}
	letter := about(loadDocument{"MEDIATYPE": "message/rfc822", "FILESIZE": fmt.Sprint(m.Size), "SHA256": m.SHA256,
		"FORGOTTEN": mark(l.a.index.flags(m.SHA256)&flagForgotten != 0)})
	if len(m.Apart) > 0 {
		letter["LABEL"] = assembledLabel
	}
	if err := l.document(letter, ".eml"); err != nil {
		return err
	}
	l.manifest.Messages++
	for _, r := range rows {
		fields, ext, err := l.linked(r)
		if err != nil {
			return err
		}
		fields["PARENTID"] = first
		fields["RELATIONSHIP"] = linkedFile
		if err := l.document(about(fields), ext); err != nil {
			return err
		}
	}
	return nil
}

// linked returns the values of a file that a message links to, and the extension of its name.
func (l *loader) linked(r *Row) (loadDocument, string, error) {
	o, err := l.a.outcome(r.state)
	if err != nil {
		return nil, "", err
	}
	c := cmp.Or(o.Capture, new(Capture))
	ref := r.Reference
	name := path.Base(strings.ReplaceAll(c.Name, `\`, "/"))
	if c.Name == "" {
		name = ref.Name
	}
	typ, _, _ := strings.Cut(c.ContentType, ";")
	fields := loadDocument{
		"URL":          l.a.shown(ref.URL),
		"FILENAME":     charset.Words(name),
		"MEDIATYPE":    strings.ToLower(strings.TrimSpace(typ)),
		"SHA256":       c.SHA256,
		"FORGOTTEN":    mark(l.a.forgets(ref, c)),
		"CHECKS":       checked(c.Checks),
		"STATE":        state(o),
		"CAPTURED":     stampOf(c.Ended),
		"LABEL":        c.Label,
		"VERSION":      c.Version,
		"ETAG":         c.Header.Get("ETag"),
		"ASSENT":       asSent(r.Message, c),
		"LOGIN":        c.Login,
		"VERSIONAT":    stampOf(ref.VersionAt),
		"VERSIONFROM":  stampOf(c.Modified),
		"VERSIONUNTIL": stampOf(c.Until),
		"HISTORY":      c.History,
	}
	l.manifest.LinkedFiles++
	switch {
	case o.Capture != nil:
		l.manifest.Captured++
		first, err := l.a.firstCapture(ref.Key)
		if err != nil {
			return nil, "", err
		}
		fields["FIRSTSHA256"] = first.SHA256
		fields["FILESIZE"] = fmt.Sprint(c.Size)
		fields["RETRIES"] = fmt.Sprint(r.state.attempts)
		if d := l.a.delay(r); d.By != "" {
			fields["DELAY"] = fmt.Sprint(d.Seconds)
			fields["DELAYFROM"] = d.By
		}
		if t, ok := sensible(c.Header.Get("Last-Modified")); ok {
			fields["LASTMODIFIED"] = stampOf(t)
		}
	case o.Exception != nil:
		l.manifest.Exceptions++
		fields["REASON"] = o.Exception.Reason
		fields["RETRIES"] = fmt.Sprint(max(0, o.Exception.Attempts-1))
	default:
		l.manifest.Open++
	}
	return fields, path.Ext(name), nil
}

// document writes a document with its object, if that is here, and sets its number, the names of its files and
// its digests.
func (l *loader) document(d loadDocument, ext string) error {
	l.manifest.Documents++
	id := l.docID(0)
	d["DOCID"] = id
	if len(ext) > 12 || strings.Trim(strings.ToLower(ext), ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		ext = ""
	}
	body, _, err := l.a.objects.Reader(d["SHA256"])
	switch {
	case err == nil:
		defer body.Close()
		sum1 := sha1.New()
		sum5 := md5.New()
		var to *listed
		err := l.file("natives/"+id+ext, &to, func() error {
			_, err := io.Copy(io.MultiWriter(to, sum1, sum5), body)
			return err
		})
		if errors.Is(err, store.ErrDigest) && l.o.lose(l.a, d["SHA256"]) {
			l.manifest.WithoutNative++
			break
		}
		if err != nil {
			return err
		}
		d["NATIVELINK"] = `natives\` + id + ext
		d["SHA1"] = hex.EncodeToString(sum1.Sum(nil))
		d["MD5"] = hex.EncodeToString(sum5.Sum(nil))
		if d["PARENTID"] == "" {
			if err := l.text(d, "natives/"+id+ext); err != nil {
				return err
			}
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	default:
		l.manifest.WithoutNative++
		if d["SHA256"] != "" {
			l.o.lose(l.a, d["SHA256"])
		}
	}
	for _, c := range loadColumns {
		d[c.name] = l.shown(d[c.name])
	}
	l.line(d)
	l.element(d)
	return nil
}

// text writes the text of a message that is a file of the export.
func (l *loader) text(d loadDocument, native string) error {
	f, err := os.Open(filepath.Join(l.out, filepath.FromSlash(native)))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	d["TEXTPATH"] = `text\` + d["DOCID"] + ".txt"
	var to *listed
	return l.file("text/"+d["DOCID"]+".txt", &to, func() error {
		out := bufio.NewWriter(to)
		for _, name := range []string{"FROM", "TO", "CC", "BCC", "SUBJECT", "DATESENT"} {
			if d[name] != "" {
				fmt.Fprintf(out, "%s: %s\n", name, visible(d[name]))
			}
		}
		out.WriteByte('\n')
		_, err := writeText(out, f, info.Size())
		return errors.Join(err, out.Flush())
	})
}

// shown returns a value as [visible] does, and counts the characters that are replaced.
func (l *loader) shown(value string) string {
	clean := visible(value)
	if clean == value {
		return clean
	}
	for _, c := range value {
		if visible(string(c)) != string(c) {
			l.manifest.Replaced[fmt.Sprintf("U+%04X", c)]++
		}
	}
	return clean
}

// concordanceWords has the delimiters of Concordance that [visible] leaves, and their words in load.dat. An importer
// takes the thorn for the end of a value, and the sign of a registered trademark for an end of a line.
var concordanceWords = map[rune]string{'\u00fe': "th", '\u00ae': "(R)"}

// line writes a line of the Concordance file. Values have none of its delimiters: U+0014 between values, U+00FE
// around them, U+00AE for a line end in them, and the line ends.
func (l *loader) line(d loadDocument) {
	for i, c := range loadColumns {
		if i > 0 {
			l.dat.WriteByte(0x14)
		}
		l.dat.WriteString("\u00fe")
		for _, r := range d[c.name] {
			word, delimits := concordanceWords[r]
			if !delimits {
				l.dat.WriteRune(r)
				continue
			}
			l.manifest.Replaced[fmt.Sprintf("U+%04X", r)]++
			l.dat.WriteString(word)
		}
		l.dat.WriteString("\u00fe")
	}
	l.dat.WriteString("\r\n")
}

// element writes a document of EDRM XML.
func (l *loader) element(d loadDocument) {
	type attrs = []string // names and values, one after the other
	write := func(name string, list attrs, end string) {
		fmt.Fprintf(l.xml, "<%s", name)
		for i := 0; i < len(list); i += 2 {
			fmt.Fprintf(l.xml, ` %s="`, list[i])
			xml.EscapeText(l.xml, []byte(list[i+1]))
			l.xml.WriteByte('"')
		}
		l.xml.WriteString(end)
	}
	kind := "File"
	if d["PARENTID"] == "" {
		kind = "Message"
	} else {
		fmt.Fprintf(&l.relations, "\n<Relationship Type=\"%s\" ParentDocID=\"%s\" ChildDocID=\"%s\"/>",
			linkedFile, d["PARENTID"], d["DOCID"])
	}
	l.xml.WriteByte('\n')
	write("Document", attrs{"DocID", d["DOCID"], "DocType", kind, "MimeType", d["MEDIATYPE"]}, "><Tags>")
	for _, c := range loadColumns {
		if c.tag != "" && d[c.name] != "" {
			write("Tag", attrs{"TagName", c.tag, "TagValue", d[c.name], "TagDataType", cmp.Or(c.typ, "Text")}, "/>")
		}
	}
	l.xml.WriteString("</Tags>")
	if name, ok := strings.CutPrefix(d["NATIVELINK"], `natives\`); ok {
		file := attrs{
			"FilePath", "natives", "FileName", name, "FileSize", d["FILESIZE"],
			"Hash", d["SHA256"], "HashType", "SHA-256",
		}
		write(`Files><File FileType="Native"><ExternalFile`, file, "/></File>")
		if name, ok := strings.CutPrefix(d["TEXTPATH"], `text\`); ok {
			write(`File FileType="Text"><ExternalFile`, attrs{"FilePath", "text", "FileName", name}, "/></File>")
		}
		l.xml.WriteString("</Files>")
	}
	l.xml.WriteString("<Locations>")
	for name := range strings.SplitSeq(d["ALLCUSTODIANS"], "; ") {
		l.xml.WriteString("<Location><Custodian>")
		xml.EscapeText(l.xml, []byte(name))
		l.xml.WriteString("</Custodian></Location>")
	}
	l.xml.WriteString("</Locations></Document>")
}
