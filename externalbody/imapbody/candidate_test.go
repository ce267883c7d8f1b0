package imapbody_test

import (
	"errors"
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

func TestCandidates(t *testing.T) {
	plain, ext := single("text", "plain"), single("message", "external-body")
	for _, tt := range []struct {
		name string
		bs   imap.BodyStructure
		want string
	}{
		{"Nil", nil, ""},
		{"None", multi(plain, within(plain)), ""},
		{"Message", ext, "1: HEADER 1<0.524288>"},
		{"Part", multi(plain, ext), "2: 2.MIME 2<0.524288>"},
		{"UpperCase", multi(plain, single("MESSAGE", "EXTERNAL-BODY")), "2: 2.MIME 2<0.524288>"},
		{"Deep", multi(plain, multi(plain, multi(ext), ext), ext), "2.2.1: 2.2.1.MIME 2.2.1<0.524288>|2.3: 2.3.MIME 2.3<0.524288>|3: 3.MIME 3<0.524288>"},
		{"MessageInMessage", multi(plain, within(ext)), "2.1: 2.HEADER 2.1<0.524288>"},
		{"PartInMessage", multi(plain, within(multi(plain, ext))), "2.2: 2.2.MIME 2.2<0.524288>"},
		{"RootIsMessage", within(multi(ext)), "1.1: 1.1.MIME 1.1<0.524288>"},
		{"RootIsMessageOfMessage", within(within(ext)), "1.1.1: 1.1.HEADER 1.1.1<0.524288>"},
		{"FieldAsSubtype", multi(single("message", "External-Body; access-type=URL; URL=http://a.example/; size=3")), "1: 1.MIME 1<0.524288>"},
		{"FieldWithCommentAsSubtype", multi(single("message", "external-body (c); access-type=URL")), "1: 1.MIME 1<0.524288>"},
		{"LongerSubtype", multi(single("message", "external-bodyguard")), ""},
		{"EncodedMessage", multi(plain, coded(within(ext), "BASE64")), "2 whole: 2.MIME 2"},
		{"RootIsEncodedMessage", coded(within(ext), "base64"), "1 whole: "},
		{"EncodedMessageInMessage", multi(within(coded(within(ext), "quoted-printable"))), "1.1 whole: 1"},
		{"MessageWithoutStructure", multi(single("message", "rfc822")), "1 whole: 1.MIME 1"},
		{"News", multi(single("message", "news")), "1 whole: 1.MIME 1"},
		{"PartialIsNone", multi(single("message", "partial")), ""},
		{"FieldAsMultipart", multi(plain, single("multipart", "mixed; boundary=a:b")), "2 whole: 2.MIME 2"},
		{"SignedRoot", single("Application", "PKCS7-MIME"), "1 whole: "},
		{"SignedPart", multi(plain, single("application", "x-pkcs7-mime")), "2 whole: 2.MIME 2"},
		{"Signature", multi(plain, single("application", "pkcs7-signature")), ""},
		{"NoParts", multi(empty()), " whole: "},
		{"NoPartsWithin", multi(plain, multi(empty())), "2 whole: 2.MIME 2"},
		{"NoPartsInMessage", multi(plain, within(multi(empty()))), "2 whole: 2"},
		{"NoChildren", multi(plain, multi()), "2 whole: 2.MIME 2"},
		{"EmptyAmongOthers", multi(plain, multi(empty(), ext)), "2.2: 2.2.MIME 2.2<0.524288>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for c := range imapbody.Candidates(tt.bs) {
				got = append(got, describe(c))
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("got  %q\nwant %q", s, tt.want)
			}
		})
	}
}

// describe writes a Candidate in a line, and checks that every item peeks.
func describe(c *imapbody.Candidate) string {
	s := c.Section
	if c.Whole {
		s += " whole"
	}
	s += ":"
	for _, item := range c.Items() {
		s += " " + itemName(item)
		if !item.Peek {
			s += " without PEEK"
		}
	}
	return s
}

func TestCandidatesStops(t *testing.T) {
	ext := single("message", "external-body")
	n := 0
	for range imapbody.Candidates(multi(ext, multi(ext, within(ext)), ext)) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("got %d candidates, want 2", n)
	}
}

func TestItemsAreCopies(t *testing.T) {
	for c := range imapbody.Candidates(multi(single("message", "external-body"))) {
		before := describe(c)
		for _, item := range c.Items() {
			item.Part[0], item.Peek = 7, false
			if item.Partial != nil {
				item.Partial.Size = 1
			}
		}
		if after := describe(c); after != before {
			t.Errorf("got %s, want %s as before", after, before)
		}
	}
}

// What a server does not send is an error, and never no reference.
func TestReferencesMissing(t *testing.T) {
	const header = "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\r\n\r\n"
	bodies := func(sections ...[]byte) func(*imap.FetchItemBodySection) []byte {
		return func(*imap.FetchItemBodySection) []byte {
			s := sections[0]
			sections = sections[1:]
			return s
		}
	}
	candidates := slices.Collect(imapbody.Candidates(multi(single("message", "external-body"))))
	for _, tt := range []struct {
		name string
		find func(*imap.FetchItemBodySection) []byte
		want fetch.Kind
	}{
		{"Good", bodies([]byte(header), []byte("\r\n")), 0},
		{"EmptyBody", bodies([]byte(header), []byte{}), 0},
		{"NoHeader", bodies(nil, []byte("\r\n")), fetch.Protocol},
		{"NoBody", bodies([]byte(header), nil), fetch.Protocol},
		{"EmptyHeader", bodies([]byte("\r\n"), []byte("\r\n")), fetch.Protocol},
		{"AnotherType", bodies([]byte("Content-Type: text/plain\r\n\r\n"), []byte("\r\n")), fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refs, err := candidates[0].References(tt.find)
			if fetch.KindOf(err) != tt.want || (err == nil) != (len(refs) == 1) {
				t.Errorf("got %v, %v, want %v", refs, err, tt.want)
			}
			if e, ok := errors.AsType[*fetch.Error](err); err != nil && (!ok || !strings.Contains(e.Error(), "part 1")) {
				t.Errorf("got error %v, want one that tells the part", err)
			}
		})
	}
}

// A reference that leads into a message which is not at hand is of one Kind, with one
// sentence that says what to do. See externalbody for one that is read alone.
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
