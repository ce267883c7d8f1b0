package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// maxTables bounds the nesting of the tables in which a block is looked for.
const maxTables = 64

// owa reads the blocks that Outlook on the web puts into mail for files in OneDrive and
// SharePoint. The form comes from messages that mailing lists received:
//
//	<div id="OwaReferenceAttachments">... <a href="URL"><table>...
//	    <div id="OwaReferenceAttachmentFileName2"><a href="URL">NAME</a></div>
//	...</table></a> ...<div id="OwaReferenceAttachmentsEnd"></div>
//
// There is one such table for each file, with a running number or none. The comments
// around it look like those that Outlook hides, but hide nothing.
func owa() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "owa",
		Hints: []string{"owareferenceattachmentfilename"},
		Near:  []string{"a", "table"},
		Text: func(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
			o := &owaReader{found: found}
			o.blocks = readBlocks(isOwaFile, o.block)
			return o.read
		},
	}
}

// isOwaFile reports whether t begins the element with the name of a file.
func isOwaFile(t *externalbody.Token) bool {
	id, _ := t.Attr("id")
	return strings.HasSuffix(strings.TrimRight(id, "0123456789"), "OwaReferenceAttachmentFileName")
}

// An owaReader extends the element with the name of a file to the table around it, and
// to the link around that.
type owaReader struct {
	found  func(*externalbody.Reference)
	blocks func(*externalbody.Token)

	tables []owaTable // the open ones, the innermost last
	deeper int        // open tables that are not in tables
	link   int64      // where the link begins that is directly before this place
	linked bool       // there is one

	pending *externalbody.Reference
	depth   int  // of the table around pending; 0 without a table
	closed  bool // that table has ended
	around  bool // there is a link around it
}

// An owaTable is where a table begins.
type owaTable struct {
	start  int64
	linked bool // with the link around it
}

func (o *owaReader) read(t *externalbody.Token) {
	o.blocks(t)
	blank := t.Kind == externalbody.TextToken && strings.TrimSpace(t.Text) == ""
	if blank {
		return
	}
	if o.pending != nil && (o.closed || o.depth == 0) {
		if o.around && t.Kind == externalbody.EndTagToken && t.Name == "a" {
			o.pending.Origins[0].End = t.End
		}
		o.flush()
	}
	linked, link := o.linked, o.link
	o.linked = t.Kind == externalbody.StartTagToken && t.Name == "a"
	if o.linked {
		o.link = t.Start
	}
	switch {
	case t.Kind == externalbody.EndToken:
		o.flush()
	case t.Name != "table":
	case t.Kind == externalbody.StartTagToken:
		if len(o.tables) == maxTables {
			o.deeper++
			return
		}
		start := t.Start
		if linked {
			start = link
		}
		o.tables = append(o.tables, owaTable{start, linked})
	case o.deeper > 0:
		o.deeper--
	case len(o.tables) > 0:
		if o.pending != nil && o.depth == len(o.tables) {
			top := o.tables[len(o.tables)-1]
			o.pending.Origins[0].Start, o.pending.Origins[0].End = top.start, t.End
			o.closed, o.around = true, top.linked
		}
		o.tables = o.tables[:len(o.tables)-1]
	}
}

// block reads the element with the name of a file.
func (o *owaReader) block(b *block) {
	o.flush()
	a, r := b.first()
	if a == nil {
		return
	}
	o.pending = r
	setName(r, a.text)
	o.depth, o.closed, o.around = 0, false, false
	if o.deeper == 0 {
		o.depth = len(o.tables)
	}
}

// flush passes on the Reference that is pending.
func (o *owaReader) flush() {
	if r := o.pending; r != nil {
		o.pending = nil
		o.found(r)
	}
}
