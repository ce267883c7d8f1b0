package archive

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// Export writes the content of the archive to out, which must not exist. It makes a file for
// csv, mbox, warc and wacz, and a folder for eml and maildir. It writes the same octets
// each time, as long as nothing is written to the archive. It returns the number of messages
// it wrote, of records for warc and wacz, of references for csv, and of documents for load.
// The error is ErrNothing if the Selector selects nothing.
//
// load is a folder with the load files load.dat (Concordance, UTF-8) and load.xml (EDRM XML
// 1.2), and the messages and bodies in the folder natives.
func (a *Archive) Export(ctx context.Context, out string, o *ExportOptions) (int64, error) {
	sel := new(Selector)
	var c *choice // nil for everything
	if o.Selector != nil && !o.Selector.all() {
		sel = o.Selector
		var err error
		if c, err = a.choose(sel); err != nil {
			return 0, err
		}
		if len(c.messages) == 0 {
			return 0, ErrNothing
		}
	}
	switch o.As {
	case "load":
		return a.loadFiles(ctx, out, o, sel)
	case "eml":
		return a.folder(ctx, out, o, c, "%s.eml")
	case "maildir":
		return a.folder(ctx, out, o, c, "cur/%s:2,S", "cur", "new", "tmp")
	case "csv", "mbox", "warc", "wacz":
	default:
		return 0, fmt.Errorf("%.20q is no form of an export: want csv, eml, load, maildir, mbox, warc or wacz", o.As)
	}
	return exportFile(out, func(w io.Writer) (int64, error) {
		switch o.As {
		case "csv":
			return a.WriteCSV(w, sel)
		case "mbox":
			return a.messages(ctx, o, c, func(_ *MessageRecord, r io.Reader) error { return writeMbox(w, r) })
		case "warc":
			e := &warcExport{a: a, o: o, c: c, w: w}
			err := e.write(ctx)
			return e.n, err
		}
		return a.wacz(ctx, w, o, c)
	})
}

// exportFile writes a new file, which gets its name when it is whole.
func exportFile(out string, write func(io.Writer) (int64, error)) (n int64, err error) {
	err = atomicfile.PublishFile(out, func(w io.Writer) (err error) {
		n, err = write(w)
		return err
	})
	return n, err
}

// newFolder makes a folder with others in it. It makes nothing in a folder that is there.
func newFolder(out string, in ...string) error {
	for _, sub := range append([]string{""}, in...) {
		if err := os.Mkdir(filepath.Join(out, sub), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// folder writes each message into a file of a new folder that has the folders in. name is
// the path of the file, with a verb for the digest of the message.
func (a *Archive) folder(ctx context.Context, out string, o *ExportOptions, c *choice, name string, in ...string) (int64, error) {
	if err := newFolder(out, in...); err != nil {
		return 0, err
	}
	return a.messages(ctx, o, c, func(m *MessageRecord, r io.Reader) error {
		_, err := exportFile(filepath.Join(out, fmt.Sprintf(name, m.SHA256)), func(w io.Writer) (int64, error) { return io.Copy(w, r) })
		return err
	})
}

// messages calls write with each message that is an object, in the order of the ledger.
func (a *Archive) messages(ctx context.Context, o *ExportOptions, c *choice, write func(*MessageRecord, io.Reader) error) (n int64, err error) {
	text := new(spool.Spool)
	defer text.Close()
	err = a.lines(func(_ *ledger.Line, record any) error {
		m := record.(*MessageRecord)
		if !m.Stored || m.Again || c != nil && c.messages[m.SHA256] == nil {
			return nil
		}
		f, _, err := a.objects.Reader(m.SHA256)
		if errors.Is(err, os.ErrNotExist) && (o.lose(a, m.SHA256) || a.index.flags(m.SHA256)&flagForgotten != 0) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		var r io.Reader = f
		if o.Inline {
			if r, err = a.inlined(ctx, o, m, f, text); err != nil {
				return fmt.Errorf("message %s: %w", m.SHA256, err)
			}
		}
		if err := write(m, r); err != nil {
			return err
		}
		n++
		return ctx.Err()
	}, kindMessage)
	return n, err
}

// writeMbox writes a message in the form mboxrd. A line that begins with any number of
// ">" and then "From " gets one more ">".
func writeMbox(w io.Writer, r io.Reader) error {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriter(w)
	out.WriteString("From extbody@localhost Thu Jan  1 00:00:00 1970\n")
	start := true // of a line
	for {
		piece, err := in.ReadSlice('\n')
		if start && strings.HasPrefix(strings.TrimLeft(string(piece[:min(len(piece), 4096)]), ">"), "From ") {
			out.WriteByte('>')
		}
		if out.Write(piece); len(piece) > 0 {
			start = piece[len(piece)-1] == '\n'
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
	if !start {
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
	return out.Flush()
}

// loadColumns are the fields of a document in load files. The names that begin with "#" are
// those of EDRM XML for the same.
var loadColumns = [][2]string{
	{"DOCID", ""}, {"PARENTID", ""}, {"CUSTODIAN", ""}, {"FROM", "#From"}, {"SUBJECT", "#Subject"}, {"DATESENT", "#DateSent"}, {"MESSAGEID", "#MessageID"},
	{"URL", "URL"}, {"FILENAME", "#FileName"}, {"MEDIATYPE", ""}, {"FILESIZE", "#FileSize"}, {"SHA256", ""}, {"STATE", "State"}, {"REASON", "Reason"}, {"CAPTURED", "Captured"}, {"NATIVELINK", ""},
}

const (
	loadID = iota
	loadParent
	loadCustodian
	loadMediaType = 9
	loadSize      = 10
	loadSum       = 11
	loadNative    = 15
)

// A loader writes the load files of an export.
type loader struct {
	a         *Archive
	o         *ExportOptions
	out       string // the folder
	dat, xml  *bufio.Writer
	n         int64             // documents
	parents   map[string]string // documents by the digest of a message
	relations strings.Builder
}

// loadFiles writes a folder with load.dat (Concordance, UTF-8), load.xml (EDRM XML 1.2) and the
// objects in the folder natives. A message with selected references is a document, and so is
// each of these references, whose parent it is.
func (a *Archive) loadFiles(ctx context.Context, out string, o *ExportOptions, sel *Selector) (int64, error) {
	sources, err := a.custodians()
	if err == nil {
		err = newFolder(out, "natives")
	}
	if err != nil {
		return 0, err
	}
	l := &loader{a: a, o: o, out: out, parents: make(map[string]string)}
	return exportFile(filepath.Join(out, "load.dat"), func(dat io.Writer) (int64, error) {
		return exportFile(filepath.Join(out, "load.xml"), func(text io.Writer) (int64, error) {
			l.dat, l.xml = bufio.NewWriter(dat), bufio.NewWriter(text)
			l.dat.WriteString("\ufeff")
			var names []string
			for _, c := range loadColumns {
				names = append(names, c[0])
			}
			l.line(names)
			fmt.Fprint(l.xml, xml.Header, `<Root MajorVersion="1" MinorVersion="2" DataInterchangeType="Update"><Batch><Documents>`)
			err := a.matches(sel, func(r *Row) error { return errors.Join(l.reference(r, sources[shortSum(r.Message.SHA256)]), ctx.Err()) })
			fmt.Fprintf(l.xml, "</Documents>\n<Relationships>%s</Relationships></Batch></Root>\n", l.relations.String())
			return l.n, errors.Join(err, l.dat.Flush(), l.xml.Flush())
		})
	})
}

// reference writes the document of a reference, after the one of its message.
func (l *loader) reference(r *Row, custodian string) error {
	m, ref := r.Message, r.Reference
	sent := ""
	if t, _, err := date.Parse(m.Date); err == nil {
		sent = stampOf(t)
	}
	if l.parents[m.SHA256] == "" {
		row := []string{"", "", custodian, charset.Words(m.From), charset.Words(m.Subject), sent, m.MessageID, "", "", "message/rfc822", number(m.Size), m.SHA256, "", "", "", ""}
		if err := l.document(row, ".eml"); err != nil {
			return err
		}
		l.parents[m.SHA256] = row[loadID]
	}
	o, err := l.a.outcome(r.state)
	if err != nil {
		return err
	}
	c, reason := cmp.Or(o.Capture, new(Capture)), ""
	if o.Capture == nil && o.Exception != nil {
		reason = o.Exception.Reason
	}
	name := path.Base(strings.ReplaceAll(c.Name, `\`, "/"))
	if c.Name == "" {
		name = ref.Name
	}
	row := []string{"", l.parents[m.SHA256], custodian, charset.Words(m.From), charset.Words(m.Subject), sent, m.MessageID, ref.URL, name, c.ContentType, number(c.Size), c.SHA256, state(o), reason, stampOf(c.Ended), ""}
	return l.document(row, path.Ext(name))
}

// document writes a document with its object, if that is here, and sets its number.
func (l *loader) document(row []string, ext string) error {
	l.n++
	row[loadID] = fmt.Sprintf("EXT%08d", l.n)
	if len(ext) > 12 || strings.Trim(strings.ToLower(ext), ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		ext = ""
	}
	body, _, err := l.a.objects.Reader(row[loadSum])
	switch {
	case err == nil:
		defer body.Close()
		name := row[loadID] + ext
		row[loadNative] = `natives\` + name
		if _, err := exportFile(filepath.Join(l.out, "natives", name), func(w io.Writer) (int64, error) { return io.Copy(w, body) }); err != nil {
			return err
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	case row[loadSum] != "":
		l.o.lose(l.a, row[loadSum])
	}
	for i := range row {
		row[i] = visible(row[i])
	}
	l.line(row)
	l.element(row)
	return nil
}

// line writes a line of the Concordance file. Values cannot have its delimiters.
func (l *loader) line(row []string) {
	for i, v := range row {
		if i > 0 {
			l.dat.WriteByte(0x14)
		}
		l.dat.WriteString("þ" + strings.NewReplacer("þ", "th", "®", "(R)").Replace(v) + "þ")
	}
	l.dat.WriteString("\r\n")
}

// element writes a document of EDRM XML.
func (l *loader) element(row []string) {
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
	if row[loadParent] == "" {
		kind = "Message"
	} else {
		fmt.Fprintf(&l.relations, "\n<Relationship Type=\"Attachment\" ParentDocID=\"%s\" ChildDocID=\"%s\"/>", row[loadParent], row[loadID])
	}
	l.xml.WriteByte('\n')
	write("Document", attrs{"DocID", row[loadID], "DocType", kind, "MimeType", row[loadMediaType]}, "><Tags>")
	for i, c := range loadColumns {
		if c[1] != "" && row[i] != "" {
			write("Tag", attrs{"TagName", c[1], "TagValue", row[i], "TagDataType", "Text"}, "/>")
		}
	}
	l.xml.WriteString("</Tags>")
	if name, ok := strings.CutPrefix(row[loadNative], `natives\`); ok {
		write(`Files><File FileType="Native"><ExternalFile`, attrs{"FilePath", "natives", "FileName", name, "FileSize", row[loadSize], "Hash", row[loadSum], "HashType", "SHA-256"}, "/></File></Files>")
	}
	l.xml.WriteString("<Locations><Location><Custodian>")
	xml.EscapeText(l.xml, []byte(row[loadCustodian]))
	l.xml.WriteString("</Custodian></Location></Locations></Document>")
}
