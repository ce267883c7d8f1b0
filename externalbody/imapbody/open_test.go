package imapbody_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
)

func single(typ, subtype string) *imap.BodyStructureSinglePart {
	return &imap.BodyStructureSinglePart{Type: typ, Subtype: subtype, Encoding: "7bit", Size: 85}
}

func multi(children ...imap.BodyStructure) *imap.BodyStructureMultiPart {
	return &imap.BodyStructureMultiPart{Subtype: "mixed", Children: children}
}

func within(bs imap.BodyStructure) *imap.BodyStructureSinglePart {
	p := single("message", "rfc822")
	p.MessageRFC822 = &imap.BodyStructureMessageRFC822{BodyStructure: bs}
	return p
}

func coded(p *imap.BodyStructureSinglePart, encoding string) *imap.BodyStructureSinglePart {
	p.Encoding = encoding
	return p
}

func empty() *imap.BodyStructureSinglePart {
	return &imap.BodyStructureSinglePart{Type: "text", Subtype: "plain", Encoding: "7bit"}
}

// TestMayRefer: without Dialects a message is asked for only if a part may be a message/external-body.
func TestMayRefer(t *testing.T) {
	plain, ext := single("text", "plain"), single("message", "external-body")
	for _, tt := range []struct {
		name string
		bs   imap.BodyStructure
		want bool
	}{
		{"Nil", nil, true},
		{"NilPart", multi(plain, nil), true},
		{"None", multi(plain, within(plain)), false},
		{"Message", ext, true},
		{"Part", multi(plain, ext), true},
		{"UpperCase", multi(plain, single("MESSAGE", "EXTERNAL-BODY")), true},
		{"Deep", multi(plain, multi(plain, multi(ext), plain), plain), true},
		{"MessageInMessage", multi(plain, within(ext)), true},
		{"RootIsMessageOfMessage", within(within(ext)), true},
		{"FieldAsSubtype", multi(single("message", "External-Body; access-type=URL; URL=http://a.example/; size=3")), true},
		{"FieldWithCommentAsSubtype", multi(single("message", "external-body (c); access-type=URL")), true},
		{"LongerSubtype", multi(single("message", "external-bodyguard")), false},
		{"EncodedMessage", multi(plain, coded(within(plain), "BASE64")), true},
		{"MessageWithoutStructure", multi(single("message", "rfc822")), true},
		{"News", multi(single("message", "news")), true},
		{"PartialIsNone", multi(single("message", "partial")), false},
		{"FieldAsMultipart", multi(plain, single("multipart", "mixed; boundary=a:b")), true},
		{"SignedRoot", single("Application", "PKCS7-MIME"), true},
		{"Signature", multi(plain, single("application", "pkcs7-signature")), false},
		{"NoParts", multi(empty()), true},
		{"NoPartsInMessage", multi(plain, within(multi(empty()))), true},
		{"NoChildren", multi(plain, multi()), true},
		{"EmptyAmongOthers", multi(plain, multi(empty(), plain)), false},
	} {
		src := &source{}
		m, err := imapbody.Open(t.Context(), src, imapbody.GoIMAP(tt.bs), 0, nil)
		if asked := len(src.asked) > 0 || src.whole > 0; asked != tt.want {
			t.Errorf("%s: asked for %v, %d times whole, want asked %v", tt.name, src.asked, src.whole, tt.want)
		}
		if (m == nil) != tt.want || (err == nil) == tt.want {
			t.Errorf("%s: got %v, %v, want a Message only if nothing is asked for", tt.name, m, err)
		}
	}
}

// A source has a message, or sections of it.
type source struct {
	find  func(*imap.FetchItemBodySection) []byte // nil: nothing can be had
	text  string                                  // of the whole message; "" is not at hand
	asked []imapbody.Section
	whole int
}

var errSource = errors.New("the server is gone")

func (s *source) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	s.asked = append(s.asked, sections...)
	if s.find == nil {
		return nil, errSource
	}
	var found [][]byte
	for _, section := range sections {
		found = append(found, s.find(section.Item()))
	}
	return found, nil
}

func (s *source) Whole(context.Context) (io.ReaderAt, int64, error) {
	s.whole++
	if s.text == "" {
		return nil, 0, externalbody.ErrWholeMessage
	}
	return strings.NewReader(s.text), int64(len(s.text)), nil
}

// TestOpen: sections are enough or the whole message is asked for, and a Source that has only sections
// gets a Message or the reason.
func TestOpen(t *testing.T) {
	pdf := large("application/pdf", "base64")
	good := crlf(top + mixed("mixed", "b", text, url, pdf))
	into := crlf(top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=content-id\n\nContent-Type: application/pdf\nContent-ID: <c@a.example>\n\n", "Content-ID: <c@a.example>\n"+pdf))
	relative := crlf(top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=\"x/y\"\n\nContent-Type: application/pdf\n\n", pdf))
	hidden := crlf(top + mixed("mixed", "b", text, pdf, pdf, "Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\n"+encodedMultipart))
	for _, c := range []struct {
		name, text string
		spoil      func(*oracle)
		whole      int // how often the message is asked for
		refs       int
		want       fetch.Kind // where only sections can be had
	}{
		{"Sections", good, nil, 0, 1, 0},
		{"IntoMessage", into, nil, 1, 1, 0},
		{"Relative", relative, nil, 1, 1, 0},
		{"NotLookedInto", hidden, hideLast, 1, 1, fetch.Unsupported},
		{"MissingSection", good, func(o *oracle) { delete(o.sections, "1.MIME") }, 1, 1, fetch.Protocol},
		{"OtherStructure", good, func(o *oracle) { o.sections["1"] = []byte("text\r\n--b--\r\n") }, 1, 1, fetch.Malformed},
	} {
		for _, atHand := range []bool{true, false} {
			o := newOracle(t, c.text, 100_000)
			if c.spoil != nil {
				c.spoil(o)
			}
			src := &source{find: o.find}
			if atHand {
				src.text = c.text
			}
			m, err := imapbody.Open(t.Context(), src, imapbody.GoIMAP(o.structure), 0, nil)
			if src.whole != c.whole {
				t.Errorf("%s: asked %d times for the message, want %d", c.name, src.whole, c.whole)
			}
			if !atHand && c.want != 0 {
				if _, ok := errors.AsType[*fetch.Error](err); !ok || fetch.KindOf(err) != c.want || m != nil {
					t.Errorf("%s: got %v, %v from sections alone, want %v", c.name, m, err, c.want)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: got %v, want no error", c.name, err)
				continue
			}
			if refs := slices.Collect(m.References()); len(refs) != c.refs {
				t.Errorf("%s: got %v, want %d", c.name, refs, c.refs)
			}
		}
	}
	if _, err := imapbody.Open(t.Context(), &source{}, imapbody.GoIMAP(multi(single("text", "plain"), single("message", "external-body"))), 0, nil); err != errSource {
		t.Errorf("got %v, want %v as the Source returned it", err, errSource)
	}
}

// hideLast makes the last part a multipart that the server could not look into.
func hideLast(o *oracle) {
	part := coded(single("multipart", "mixed"), "base64")
	part.Size = 2 << 20
	o.structure.(*imap.BodyStructureMultiPart).Children[3] = part
}

// TestSection: a Section is written as IMAP writes it.
func TestSection(t *testing.T) {
	for want, s := range map[string]imapbody.Section{
		"BODY.PEEK[]":                  {},
		"BODY.PEEK[]<0.512>":           {Size: 512},
		"BODY.PEEK[HEADER]":            {Specifier: "HEADER"},
		"BODY.PEEK[1.2.MIME]":          {Part: []int{1, 2}, Specifier: "MIME"},
		"BODY.PEEK[3]<0.16384>":        {Part: []int{3}, Size: 16384},
		"BODY.PEEK[2.HEADER]<0.16384>": {Part: []int{2}, Specifier: "HEADER", Size: 16384},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if item := s.Item(); !item.Peek || "BODY.PEEK["+strings.TrimSuffix(itemName(item), fmt.Sprintf("<0.%d>", s.Size))+"]" != strings.TrimSuffix(want, fmt.Sprintf("<0.%d>", s.Size)) {
			t.Errorf("%s: got the item %s, want the same", want, itemName(item))
		}
	}
}

// A reference that leads into a message which is not at hand is of one Kind, with one
// sentence that names the remedy. See externalbody for one that is read alone.
func TestMessageNotAtHand(t *testing.T) {
	const field = "Content-Type: message/external-body; access-type="
	for _, tt := range []struct{ access, phantom string }{
		{"content-id", "Content-Type: application/pdf\nContent-ID: <c@a.example>\n\n"},
		{"URL; URL=\"cid:c@a.example\"", "Content-Type: application/pdf\n\n"},
	} {
		o := newOracle(t, crlf(top+mixed("mixed", "b", field+tt.access+"\n\n"+tt.phantom, "Content-ID: <c@a.example>\n"+large("application/pdf", "base64"))), 0)
		partial, err := imapbody.NewSkeleton(o.structure, withDialects()).Open(o.find)
		if err != nil {
			t.Fatal(err)
		}
		refs := slices.Collect(partial.References())
		if len(refs) != 1 {
			t.Fatalf("got %d references, want 1", len(refs))
		}
		for _, ref := range refs {
			spool, err := new(externalbody.Resolver).SaveSpool(t.Context(), []*externalbody.Reference{ref}, t.TempDir())
			if err == nil {
				spool.Close()
			}
			if fetch.KindOf(err) != fetch.Unsupported || !strings.Contains(err.Error(), "the message is not at hand: fetch the message and open it") {
				t.Errorf("%q: got %v, want %v and what to do", tt.access, err, fetch.Unsupported)
			}
		}
	}
}
