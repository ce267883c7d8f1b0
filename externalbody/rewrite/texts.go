package rewrite

import (
	"context"
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// EditOptions are the options of EditTexts.
type EditOptions struct {
	// Edit returns the edits of a text, in order and without overlap. mediaType is text/plain or
	// text/html. The transfer encoding of the text is undone, and its charset is not. Edit must not
	// keep or change it.
	Edit func(mediaType string, text []byte) []TextEdit

	// At is where the message is on its way; the default is Delivery.
	At Place

	// Nested also edits the messages within the message.
	Nested bool
}

// A TextEdit replaces the octets of a text from Start to End.
type TextEdit struct {
	Start, End int64
	Text       string // in ASCII, so that it means the same in the charset of the text
}

// EditTexts writes the message to dst with edits in its texts: in each text/plain and text/html that is
// not an attachment. The transfer encoding of a text stays the same. All other decoded octets do too,
// and without base64 and quoted-printable all other octets. A Content-MD5 of a text that is edited is removed.
//
// The package comment has the parts that are left; a text in UTF-7, UTF-16 or UTF-32 is left too, and one of more than
// 32 MiB. The Report, which is never nil, has an Item for each text that has edits: its Action is Replaced, or Left with the
// reason. An error is a [fetch.Error]: Canceled if ctx ended, Local if the source or dst failed. Nothing is written to
// dst before all texts are decided.
func EditTexts(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *EditOptions) (*Report, error) {
	report, l := &Report{}, newLayout(m)
	if err := report.authentication(l.r, l.index.Root()); err != nil {
		return report, err
	}
	g := newGuard(m, l.r, opts.At, opts.Nested)
	var edits []edit
	for _, p := range l.index.Parts {
		if err := canceled(ctx); err != nil {
			return report, err
		}
		cuts, err := l.textCuts(p, opts.Edit)
		if err != nil {
			return report, err
		}
		if len(cuts) == 0 {
			continue
		}
		item := Item{Section: p.Section()}
		if item.Err, err = g.refuseEntity(p); err != nil {
			return report, err
		}
		var made []edit
		if item.Err == nil {
			if made, item.Err = l.cut(p, cuts); item.Err != nil && fetch.KindOf(item.Err) == fetch.Local {
				return report, item.Err
			}
		}
		if item.Err == nil {
			item.Action = Replaced
			edits = append(edits, made...)
		}
		report.Items = append(report.Items, item)
	}
	return report, splice(ctx, dst, l.r, l.index.Size, edits)
}

// textCuts returns the edits of a part as cuts. Other parts than texts that are shown have none.
func (l *layout) textCuts(p *message.Part, edit func(string, []byte) []TextEdit) (cuts []cut, err error) {
	if p.Last() != nil || p.Type != "text/plain" && p.Type != "text/html" {
		return nil, nil
	}
	disposition, err := lookup(l.r, p, dispositionField)
	if err != nil || param.Parse(disposition.Value).Type == "attachment" {
		return nil, err
	}
	body := io.NewSectionReader(l.r, p.Body.Start, p.Body.Len())
	text, err := io.ReadAll(io.LimitReader(message.Decode(body, p.Encoding), maxRecoded+1))
	if err != nil {
		// A transfer encoding that is broken: the text is left. An error of the source is met again.
		return nil, nil
	}
	if len(text) > maxRecoded {
		return nil, nil
	}
	at := int64(0)
	for _, e := range edit(p.Type, text) {
		if e.Start < at || e.End < e.Start || e.End > int64(len(text)) || strings.ContainsFunc(e.Text, func(c rune) bool { return c >= 0x80 }) {
			continue
		}
		cuts = append(cuts, cut{e.Start, e.End, e.Text})
		at = e.End
	}
	return cuts, nil
}
