package rewrite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// EditOptions are the options of EditTexts.
type EditOptions struct {
	// Edit returns the edits of a text, in order and without overlap. It must be set. mediaType is text/plain or
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
// The package comment has the parts that are left. All edits of a text are made, or none. A text is left as it is
//
//   - if it is in UTF-7, UTF-16 or UTF-32;
//   - if it has more than 32 MiB, or its base64 has no end: it is not shown to Edit then;
//   - if its base64 has other faults, or its transfer encoding cannot be written again;
//   - if an edit is not in ASCII, is not in order, overlaps another one or is not within the text.
//
// The Report, which is never nil, has an Item for each text that has edits or was not shown to Edit: its Action is
// Replaced, or Left with the reason. An error is a [fetch.Error]: Canceled if ctx ended, Local if the source or dst
// failed, Unsupported without Edit. Nothing is written to dst before all texts are decided.
func EditTexts(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *EditOptions) (*Report, error) {
	report := &Report{}
	if opts == nil || opts.Edit == nil {
		return report, forgotten("EditOptions.Edit")
	}
	l := newLayout(m)
	if err := report.authentication(l.r, l.index.Root()); err != nil {
		return report, err
	}
	g := newGuard(m, l.r, opts.At, opts.Nested)
	var edits []edit
	for _, p := range l.index.Parts {
		if err := canceled(ctx); err != nil {
			return report, err
		}
		cuts, reason, err := l.textCuts(p, opts.Edit)
		if err != nil {
			return report, err
		}
		if len(cuts) == 0 && reason == nil {
			continue
		}
		item := Item{Section: p.Section()}
		item.Err, err = g.refuseEntity(p)
		if err != nil {
			return report, err
		}
		item.Err = cmp.Or(item.Err, reason)
		var made []edit
		if item.Err == nil {
			made, item.Err = l.cut(p, cuts)
			if item.Err != nil && fetch.KindOf(item.Err) == fetch.Local {
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

// The reasons why the edits of a text are not made.
var (
	errDamaged  = errors.New("in a text whose transfer encoding is damaged")
	errTooLong  = errors.New("in a text that is longer than 32 MiB")
	errNotASCII = errors.New("an edit that is not in ASCII")
	errRange    = errors.New("an edit that overlaps another one, is not in order, or is not within the text")
)

// textCuts returns the edits of a part as cuts, or the reason why they cannot be made. Other parts than texts that are
// shown have neither. err is an error of the source.
func (l *layout) textCuts(p *message.Part, edit func(string, []byte) []TextEdit) (cuts []cut, reason, err error) {
	if p.Last() != nil || p.Type != "text/plain" && p.Type != "text/html" {
		return nil, nil, nil
	}
	disposition, err := lookup(l.r, p, dispositionField)
	if err != nil || param.Parse(disposition.Value).Type == "attachment" {
		return nil, nil, err
	}
	src := message.NewErrReader(p.Body.Reader(l.r))
	decoded := message.Decode(src, p.Encoding)
	text, damage := io.ReadAll(io.LimitReader(decoded, maxRecoded+1))
	switch {
	case src.Failure() != nil:
		return nil, nil, local(src.Failure())
	case damage != nil:
		return nil, leave(fetch.Malformed, errDamaged), nil
	case len(text) > maxRecoded:
		return nil, leave(fetch.Unsupported, errTooLong), nil
	}
	at := int64(0)
	for _, e := range edit(p.Type, text) {
		if e.Start < at || e.End < e.Start || e.End > int64(len(text)) {
			return nil, leave(fetch.Malformed, errRange), nil
		}
		if strings.ContainsFunc(e.Text, func(c rune) bool { return c >= 0x80 }) {
			return nil, leave(fetch.Unsupported, errNotASCII), nil
		}
		cuts = append(cuts, cut{e.Start, e.End, e.Text})
		at = e.End
	}
	if len(cuts) > 0 && p.Encoding != message.UUEncode && message.DamagesLinks(l.r, p, decoded, nil) {
		return nil, leave(fetch.Malformed, errDamaged), nil
	}
	return cuts, nil, nil
}
