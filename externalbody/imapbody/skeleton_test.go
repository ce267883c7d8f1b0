package imapbody_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

func withDialects() *externalbody.OpenOptions {
	return &externalbody.OpenOptions{Dialects: dialect.All()}
}

// A Skeleton of a server gives the same result as Open of the whole message, by all
// Dialects.
func TestSkeletonSameAsOpen(t *testing.T) {
	onServers(t, slices.Concat(wellFormed, malformed, linked), sameSkeleton)
}

// sameSkeleton stores m, and again with an attachment to leave out, where it can
// have one.
func sameSkeleton(t *testing.T, client *imapclient.Client, m sample) {
	t.Helper()
	sameStored(t, client, m)
	const end = "\n--b--\n"
	if text, ok := strings.CutSuffix(m.text, end); ok {
		m.text = text + "\n--b\n" + large("application/pdf", "base64") + end
		m.whole = m.whole || m.alone
		sameStored(t, client, m)
	}
}

func sameStored(t *testing.T, client *imapclient.Client, m sample) {
	t.Helper()
	text := crlf(m.text)
	set := imap.UIDSetNum(store(t, client, text))
	found, err := client.Fetch(set, &imap.FetchOptions{RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	sameSections(t, client, m, set, imapbody.NewSkeleton(found[0].BodyStructure, withDialects()))
	sized := imapbody.NewSizedSkeleton(found[0].BodyStructure, found[0].RFC822Size, withDialects())
	sameSections(t, client, m, set, sized)
}

func sameSections(t *testing.T, client *imapclient.Client, m sample, set imap.UIDSet, s *imapbody.Skeleton) {
	t.Helper()
	if s.Whole {
		if !m.whole {
			t.Error("it has to be fetched whole")
		}
		return
	}
	sections, err := client.Fetch(set, &imap.FetchOptions{BodySection: s.Items()}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Open(sections[0].FindBodySection)
	if err != nil {
		if !m.whole {
			t.Error(err)
		}
		return
	}
	compare(t, got, crlf(m.text))
}

// compare compares a message with the Message that Open makes of text.
func compare(t *testing.T, got *externalbody.Message, text string) {
	t.Helper()
	want, err := externalbody.Open(strings.NewReader(text), int64(len(text)), withDialects())
	if err != nil {
		t.Fatal(err)
	}
	if g, w := looks(got), looks(want); !reflect.DeepEqual(g, w) {
		t.Errorf("got  %+v\nwant %+v", g, w)
	}
	if g, w := choices(got), choices(want); g != w {
		t.Errorf("the choices are %s, want %s", g, w)
	}
	if want.Incomplete() != nil {
		t.Error("it is incomplete")
	}
}

func looks(m *externalbody.Message) []appearance {
	var all []appearance
	for ref := range m.References() {
		a := seen(ref)
		a.Public.Provider = ref.Provider
		all = append(all, a)
	}
	return all
}

func choices(m *externalbody.Message) string {
	var b strings.Builder
	for choice := range m.Choices() {
		b.WriteString("|")
		for _, body := range choice {
			b.WriteString(";")
			for _, ref := range body {
				b.WriteString(" " + ref.ID)
			}
		}
	}
	return b.String()
}

// linked are messages with References of Dialects.
var linked = []sample{
	{name: "ShareLinkInHTML", text: top + mixed("alternative", "b", text, html(`<a href="https://www.dropbox.com/s/abc123def456/report.pdf?dl=0">report.pdf</a>`))},
	{name: "ShareLinkInBoth", text: top + mixed("alternative", "b",
		"Content-Type: text/plain\n\nSee <https://www.dropbox.com/s/abc123def456/report.pdf?dl=0>\n",
		html(`<p><a href="https://www.dropbox.com/s/abc123def456/report.pdf?dl=0">report.pdf</a>`))},
	{name: "ShareLinkInMessage", text: top + "Content-Type: text/plain\n\nSee <https://www.dropbox.com/s/abc123def456/report.pdf?dl=0>\n"},
	{name: "BesideAttachment", text: top + mixed("mixed", "b", mixed("alternative", "c", text, html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`)), large("application/pdf", "base64"), large("application/x-patch", "7bit"))},
	{name: "Forwarded", text: top + mixed("mixed", "b", text, attached(top+mixed("alternative", "c", text, html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`))), large("image/png", "base64"))},
	{name: "ForwardedText", text: top + mixed("mixed", "b", text, attached(top+"Content-Type: text/html\n\n<a href=\"https://we.tl/t-AbCdEfGh12\">x</a>\n"))},
	{name: "Quoted", text: top + mixed("alternative", "b", text, "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<blockquote type=3D\"cite\"><a href=3D\"https://we.tl/=\nt-AbCdEfGh12\">x</a></blockquote>\n")},
	{name: "CloudPart", text: top + mixed("mixed", "b", text, "Content-Type: application/octet-stream; name=\"a.zip\"\nX-Mozilla-Cloud-Part: cloudFile; url=https://files.example/a.zip; name=a.zip\n\n\n")},
	{name: "CloudPartWithLargeBody", text: top + mixed("mixed", "b", text, "X-Mozilla-Cloud-Part: cloudFile; url=https://files.example/a.zip; name=a.zip\n"+large("application/pdf", "base64"))},
	{name: "Detached", text: top + mixed("mixed", "b", text, "Content-Type: application/pdf; name=\"a.pdf\"\nContent-Disposition: attachment; filename=\"a.pdf\"\nX-Mozilla-External-Attachment-URL: https://files.example/a.pdf\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Jun 14 19:13:14 2030\"\n\nYou deleted an attachment from this message.\n")},
	{name: "DetachedBehindBlankLine", text: top + mixed("mixed", "b", text, "Content-Type: application/pdf; name=\"a.pdf\"\n\nX-Mozilla-External-Attachment-URL: https://files.example/a.pdf\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Jun 14 19:13:14 2030\"\n\nYou deleted an attachment from this message.\n")},
	{name: "DetachedButLarge", whole: true, text: top + mixed("mixed", "b", text, "X-Mozilla-External-Attachment-URL: https://files.example/a.pdf\n"+large("application/pdf", "7bit"))},
	{name: "Deleted", text: top + mixed("mixed", "b", text, "Content-Type: text/x-moz-deleted; name=\"Deleted: a.pdf\"\nContent-Transfer-Encoding: 8bit\nX-Mozilla-Altered: AttachmentDeleted; date=\"Thu Jun 14 19:13:14 2030\"\n\nYou deleted an attachment.\n")},
	{name: "DeletedWithLongText", text: top + mixed("mixed", "b", text, "Content-Type: text/x-moz-deleted; name=\"Deleted: a.pdf\"\n\nYou deleted an attachment.\n"+strings.Repeat("It was large.\n", 1500))},
	{name: "DetachedFromTheMessage", alone: true, text: top + "X-Mozilla-External-Attachment-URL: https://files.example/a.pdf\n" + mixed("mixed", "b", text, text)},
	{name: "DocumentReference", text: top + "Document-Reference: https://files.example/personal/a.docx\n" + mixed("mixed", "b", text, large("application/pdf", "base64"))},
	{name: "OpenXchange", text: top + "X-Open-Xchange-Share-URL: https://ox.example/ajax/share/0123456789abcdef\n" + mixed("mixed", "b", text, large("application/pdf", "base64"))},
	{name: "Shortcut", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; name=\"x.url\"\n\n[InternetShortcut]\nURL=https://files.example/a.docx\n")},
	{name: "AttachedShortcut", text: top + mixed("mixed", "b", text, "Content-Type: application/octet-stream; name=\"x.url\"\nContent-Disposition: attachment; filename=\"x.url\"\n\n; "+strings.Repeat("x", 40_000)+"\n[InternetShortcut]\nURL=https://we.tl/t-AbCdEfGh12\n")},
	{name: "TextHoldsDelimiter", text: top + mixed("mixed", "b", mixed("alternative", "c", text, html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`)), large("text/csv", "7bit"))},
	{name: "LargeHTML", text: top + mixed("alternative", "b", text, html(strings.Repeat("<p>All work and no play makes Jack a dull boy.</p>\n", 8000)+`<a href="https://we.tl/t-AbCdEfGh12">x</a>`))},
	{name: "HugeHTML", whole: true, text: top + mixed("alternative", "b", text, html(strings.Repeat("<p>All work and no play makes Jack a dull boy.</p>\n", 40_000)+`<a href="https://we.tl/t-AbCdEfGh12">x</a>`))},
	{name: "EncryptedByName", text: top + mixed("mixed", "b", text, "Content-Type: application/octet-stream; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIIBgAYJKoZIhvcNAQcDoIIB\n"+strings.Repeat("AAAAAAAAAAAAAAAA\n", 3000))},
	{name: "TNEF", text: top + mixed("mixed", "b", text, tnefPart("application/ms-tnef; name=winmail.dat"))},
	{name: "TNEFByName", text: top + mixed("mixed", "b", text, tnefPart("application/octet-stream; name=winmail.dat"))},
	{name: "TNEFAlone", text: top + tnefPart("application/ms-tnef")},
	{name: "Strange", text: top + mixed("mixed", "b", "Content-Type: text/html\nContent-Transfer-Encoding: x-uuencode\n\n<a href=\"https://we.tl/t-AbCdEfGh12\">x</a>\n", html(`<a href="https://we.tl/t-ZZZdEfGh12">x</a>`))},
}

// tnefPart returns a winmail.dat with a text, and with padding.
func tnefPart(mediaType string) string {
	const link = "https://we.tl/t-AbCdEfGh12"
	data := "\x78\x9f\x3e\x22\x01\x00" + "\x01\x0c\x80\x02\x00" + string([]byte{byte(len(link)), 0, 0, 0}) + link + "\x00\x00" +
		"\x02\x0f\x80\x06\x00\x00\x40\x00\x00" + strings.Repeat("\x00", 0x4002)
	return "Content-Type: " + mediaType + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(data)) + "\n"
}

func html(body string) string {
	return "Content-Type: text/html; charset=utf-8\n\n<html><body>" + body + "</body></html>\n"
}

// large returns a part that is left out of a Skeleton.
func large(media, encoding string) string {
	return "Content-Type: " + media + "\nContent-Disposition: attachment\nContent-Transfer-Encoding: " + encoding + "\n\n" +
		strings.Repeat("QWxsIHdvcmsgYW5kIG5vIHBsYXkgbWFrZXMgSmFjayBhIGR1bGwgYm95LgpBbGwgd29yayBhbmQg\n", 200)
}

// A mailbox of one message that has the parts that package message finds in it.
type oracle struct {
	structure imap.BodyStructure
	sections  map[string][]byte
	asked     int    // octets
	more      uint32 // how much larger than they are the bodies of attachments seem to be
}

func newOracle(t *testing.T, text string, more uint32) *oracle {
	t.Helper()
	index, err := message.Scan(strings.NewReader(text), int64(len(text)), message.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if index.Limit != nil {
		t.Skip("a limit was reached")
	}
	o := &oracle{sections: make(map[string][]byte), more: more}
	o.structure = o.add(text, index.Root())
	o.sections[""] = []byte(text)
	return o
}

func (o *oracle) add(text string, p *message.Part) imap.BodyStructure {
	header := "HEADER"
	if p.Parent != nil {
		header = p.Parent.Section() + ".HEADER"
		if strings.HasPrefix(p.Parent.Type, "multipart") {
			header = p.Section() + ".MIME"
		}
	}
	o.sections[header] = []byte(text[p.Header.Start:p.Blank.End])
	children := slices.Collect(p.Children())
	media, sub, _ := strings.Cut(p.Type, "/")
	part := &imap.BodyStructureSinglePart{Type: media, Subtype: sub, Encoding: p.Encoding.String(), Size: uint32(p.Body.Len())}
	if media != "text" && media != "message" {
		part.Size += o.more
	}
	switch {
	case len(children) == 0:
		o.sections[p.Section()] = []byte(text[p.Body.Start:p.Body.End])
	case media == "multipart":
		multi := &imap.BodyStructureMultiPart{Subtype: sub}
		for _, c := range children {
			multi.Children = append(multi.Children, o.add(text, c))
		}
		return multi
	default:
		part.MessageRFC822 = &imap.BodyStructureMessageRFC822{BodyStructure: o.add(text, children[0])}
	}
	return part
}

func (o *oracle) find(item *imap.FetchItemBodySection) []byte {
	name := strings.Trim(strings.Trim(strings.ReplaceAll(fmt.Sprint(item.Part), " ", "."), "[]")+"."+string(item.Specifier), ".")
	data, ok := o.sections[name]
	if !ok {
		return nil
	}
	if item.Partial != nil {
		data = data[:min(int64(len(data)), item.Partial.Size)]
	}
	o.asked += len(data)
	return bytes.Clone(append([]byte{}, data...))
}

// Attachments are not asked for.
func TestSkeletonIsSmall(t *testing.T) {
	for _, m := range linked {
		asked := []string{"LargeHTML", "AttachedShortcut", "DeletedWithLongText", "EncryptedByName"}
		if m.whole || slices.Contains(asked, m.name) || strings.HasPrefix(m.name, "TNEF") {
			continue
		}
		o := newOracle(t, crlf(m.text), 0)
		if _, err := imapbody.NewSkeleton(o.structure, withDialects()).Open(o.find); err != nil || o.asked > 1500 {
			t.Errorf("%s: got %d octets asked for, %v, want at most 1500, nil", m.name, o.asked, err)
		}
	}
}

const maxText = 1 << 20

// A header that a delimiter line ends has no empty line.
func TestSkeletonHeaderWithoutEnd(t *testing.T) {
	for _, end := range []string{"", "\n", "\r\n"} {
		o := newOracle(t, crlf(top+mixed("mixed", "b", "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n", large("application/pdf", "base64"))), 0)
		s := imapbody.NewSkeleton(o.structure, withDialects())
		o.sections["1.MIME"] = []byte("Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"" + end)
		o.sections["1"] = []byte{}
		m, err := s.Open(o.find)
		if err != nil {
			t.Errorf("%q: got error %v, want none", end, err)
			continue
		}
		if refs := slices.Collect(m.References()); len(refs) != 1 || refs[0].ID != "1" {
			t.Errorf("%q: got %v, want 1 of them", end, refs)
		}
	}
}

// A message that has more octets than the server announces, or more References than
// are looked for, is one to be fetched whole.
func TestSkeletonLimits(t *testing.T) {
	o := newOracle(t, crlf("X-Long: "+strings.Repeat("x", 64<<10)+"\n"+top+text), 0)
	if _, err := imapbody.NewSkeleton(o.structure, withDialects()).Open(o.find); fetch.KindOf(err) != fetch.Malformed {
		t.Error(err)
	}
	opts := withDialects()
	opts.MaxReferences = 1
	for _, attachment := range []string{text, large("application/pdf", "base64")} {
		o = newOracle(t, crlf(top+mixed("mixed", "b", url, ftp, attachment)), 0)
		if _, err := imapbody.NewSkeleton(o.structure, opts).Open(o.find); fetch.KindOf(err) != fetch.TooLarge {
			t.Error(err)
		}
	}
}

// A Dialect of a caller's own that reads bodies gets the real ones or none.
func TestSkeletonDialectReadsBody(t *testing.T) {
	sawAll := false
	own := []externalbody.Dialect{{Name: "own", Fields: []string{"X-Own"}, Read: func(e *externalbody.Entity) []*externalbody.Reference {
		sawAll = len(e.Body(1<<20)) > 10_000
		return nil
	}}}
	for _, field := range []string{"X-Own: 1\n", "x-own: 1\n"} {
		o := newOracle(t, crlf(top+mixed("mixed", "b", text, field+large("application/pdf", "7bit"))), 0)
		_, err := imapbody.NewSkeleton(o.structure, &externalbody.OpenOptions{Dialects: own}).Open(o.find)
		if sawAll || fetch.KindOf(err) != fetch.TooLarge {
			t.Errorf("got %v, %v, want false, %v", sawAll, err, fetch.TooLarge)
		}
	}
}

// FuzzSkeleton compares the Skeleton of a message with the message, where a
// server finds the same parts in it.
func FuzzSkeleton(f *testing.F) {
	for _, m := range slices.Concat(wellFormed, malformed, dovecotOnly, linked) {
		if len(m.text) < 20_000 {
			f.Add(crlf(m.text), uint16(0), int16(0))
			f.Add(crlf(m.text), uint16(9000), int16(-3))
		}
	}
	for seed := range uint64(100) {
		f.Add(generated(rand.New(rand.NewPCG(seed, 1)), 0), uint16(seed*200), int16(seed%7)-3)
	}
	f.Fuzz(func(t *testing.T, text string, more uint16, wrong int16) {
		o := newOracle(t, text, uint32(more))
		for _, s := range []*imapbody.Skeleton{
			imapbody.NewSkeleton(o.structure, withDialects()),
			imapbody.NewSizedSkeleton(o.structure, int64(len(text))+int64(wrong), withDialects()),
		} {
			if s.Whole {
				continue
			}
			m, err := s.Open(o.find)
			if err != nil {
				if _, ok := errors.AsType[*fetch.Error](err); !ok {
					t.Error(err)
				}
				continue
			}
			compare(t, m, text)
		}
	})
}

// generated returns a message of random parts.
func generated(r *rand.Rand, depth int) string {
	leaf := func() string {
		m := linked[r.IntN(len(linked))].text
		switch r.IntN(7) {
		case 0:
			return text
		case 1:
			return html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`)
		case 2:
			return large([]string{"application/pdf", "text/csv", "image/png", "text/html"}[r.IntN(4)], []string{"base64", "7bit", "quoted-printable", "x-other"}[r.IntN(4)])
		case 3:
			return []string{url, ftp, mailer}[r.IntN(3)]
		case 4:
			if len(m) < 5000 {
				return attached(m)
			}
		case 5:
			return "X-Mozilla-External-Attachment-URL: https://files.example/a.pdf\n" + text
		}
		return "\nno header\n"
	}
	var parts []string
	for range 1 + r.IntN(4) {
		if depth < 3 && r.IntN(3) == 0 {
			part := strings.ReplaceAll(generated(r, depth+1), "\r\n", "\n")
			if r.IntN(2) == 0 {
				part = attached(part)
			}
			parts = append(parts, part)
			continue
		}
		parts = append(parts, leaf())
	}
	s := mixed([]string{"mixed", "alternative", "digest", "related"}[r.IntN(4)], []string{"b", "bb", "b--", "=_x y"}[r.IntN(4)]+fmt.Sprint(depth), parts...)
	if depth == 0 {
		s = top + s
	}
	return crlf(s)
}

// itemNames writes the Items of a Skeleton in a line.
func itemNames(s *imapbody.Skeleton) string {
	if s.Whole {
		return "whole"
	}
	var names []string
	for _, item := range s.Items() {
		names = append(names, itemName(item))
	}
	return strings.Join(names, " ")
}

// itemName writes a section as IMAP does, without BODY and brackets.
func itemName(item *imap.FetchItemBodySection) string {
	name := strings.Trim(strings.ReplaceAll(fmt.Sprint(item.Part), " ", "."), "[]") + "." + string(item.Specifier)
	name = strings.Trim(name, ".")
	if p := item.Partial; p != nil {
		name += fmt.Sprintf("<%d.%d>", p.Offset, p.Size)
	}
	return name
}
