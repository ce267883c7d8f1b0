package imapbody_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
)

// Where the size of the message is known, its start stands for the first parts. Size 0 is
// NewSkeleton.
func TestSkeletonItems(t *testing.T) {
	plain, pdf := single("text", "plain"), coded(single("application", "pdf"), "base64")
	pdf.Size = 1 << 20
	csv, png, html := single("text", "csv"), coded(single("image", "png"), "base64"), single("text", "html")
	csv.Size, png.Size, html.Size = 1<<20, 6<<10, 100_000
	novel, log, patch, archive := single("text", "plain"), single("text", "plain"), single("application", "x-patch"), within(plain)
	novel.Size, log.Size, patch.Size, archive.Size = maxText-1, maxText, 8<<10, 2<<20
	const header = 300
	for _, tt := range []struct {
		name string
		bs   imap.BodyStructure
		size int64
		want string
	}{
		{"Nil", nil, 1000, "whole"},
		{"NoSize", multi(plain, pdf), 0, "HEADER 1.MIME 1<0.16384> 2.MIME"},
		{"NegativeSize", multi(plain, pdf), -1, "HEADER 1.MIME 1<0.16384> 2.MIME"},
		{"NoSuchSize", multi(plain, pdf), math.MaxInt64, "HEADER 1.MIME 1<0.16384> 2.MIME"},
		{"NoSuchSizeOfText", plain, math.MaxInt64 - 1, "<0.65536>"},
		{"Message", plain, 85 + header, "<0.512>"},
		{"MessageOf511", plain, 511, "<0.512>"},
		{"MessageOf512", plain, 512, "<0.768>"},
		{"Texts", multi(plain, within(multi(plain, html))), 85 + 85 + 100_000 + header, "<0.131072>"},
		{"Attachment", multi(plain, pdf), 85 + 1<<20 + header, "<0.512>"},
		{"AttachmentAlone", pdf, 1<<20 + header, "<0.512>"},
		{"SmallAttachmentAtTheEnd", multi(plain, png), 85 + 6<<10 + header, "<0.512>"},
		{"SmallAttachmentBefore", multi(plain, png, pdf), 85 + 6<<10 + 1<<20 + header, "<0.8192>"},
		{"Beginning", multi(plain, csv), 85 + 1<<20 + header, "<0.768>"},
		{"Attachments", multi(plain, pdf, csv, plain), 85 + 2<<20 + 85 + header, "<0.512> 3.MIME 3<0.128> 4.MIME 4<0.16384>"},
		{"AttachmentsInMessage", multi(plain, within(multi(plain, pdf, pdf)), pdf), 85 + 85 + 3<<20 + header, "<0.512> 2.3.MIME 3.MIME"},
		{"AttachmentFirst", multi(pdf, multi(plain, html)), 1<<20 + 85 + 100_000 + header, "<0.512> 2.MIME 2.1.MIME 2.1<0.16384> 2.2.MIME 2.2<0.262144>"},
		{"TooSmallASize", multi(plain, pdf), 85 + 1<<20, "HEADER 1.MIME 1<0.16384> 2.MIME"},
		{"HugeHeaders", multi(plain, pdf), 85 + 1<<20 + 2<<20, "HEADER 1.MIME 1<0.16384> 2.MIME"},
		{"LongTexts", multi(novel, novel, pdf), 3<<20 + header, "HEADER 1.MIME 1<0.1048576> 2.MIME 2<0.1048576> 3.MIME"},
		{"Encoded", multi(plain, coded(within(plain), "base64")), 500, "<0.512>"},
		{"LargeEncoded", multi(plain, coded(within(plain), "base64")), 2 << 20, "whole"},
		{"Empty", multi(), 1000, "<0.1024>"},
		{"EmptyAndLarge", multi(), 2 << 20, "whole"},
		{"UnsizedMessage", plain, 0, "<0.65536>"},
		{"UnsizedMessageOfTexts", multi(plain, within(multi(plain, html))), 0, "<0.262144>"},
		{"UnsizedSmallAttachment", multi(plain, patch), 0, "<0.65536>"},
		{"UnsizedParts", multi(plain, pdf, csv), 0, "HEADER 1.MIME 1<0.16384> 2.MIME 3.MIME 3<0.128>"},
		{"UnsizedMessageInMessage", multi(plain, within(multi(plain, pdf))), 0, "HEADER 1.MIME 1<0.16384> 2.MIME 2.HEADER 2.1.MIME 2.1<0.16384> 2.2.MIME"},
		{"UnsizedTextInMessage", multi(within(plain), pdf), 0, "HEADER 1.MIME 1.HEADER 1.1<0.16384> 2.MIME"},
		{"UnsizedLargeText", log, 0, "whole"},
		{"UnsizedEncoded", multi(plain, coded(within(plain), "base64")), 0, "<0.65536>"},
		{"UnsizedLargeEncoded", multi(plain, coded(archive, "base64")), 0, "whole"},
		{"UnsizedEmpty", multi(), 0, "whole"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := itemNames(imapbody.NewSizedSkeleton(tt.bs, tt.size, withDialects())); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	if got := len(imapbody.NewSkeleton(multi(plain, pdf, csv), nil).Items()); got != 5 {
		t.Errorf("got %d items without Dialects, want 5", got)
	}
}

// Where a server leaves something out, or a section does not have the right octets, that
// is reported, and the rest is never taken for the whole.
func TestSkeletonErrors(t *testing.T) {
	const unsized = math.MaxInt64 // NewSkeleton
	const link = `<a href="https://we.tl/t-AbCdEfGh12">x</a>`
	one := crlf(top + mixed("mixed", "b", text, html(link), large("application/pdf", "base64")))
	two := crlf(top + mixed("mixed", "b", text, large("application/pdf", "base64"), large("image/png", "base64")))
	replace := func(old, new string) func(*oracle) {
		return func(o *oracle) { o.sections[""] = bytes.Replace(o.sections[""], []byte(old), []byte(new), 1) }
	}
	for _, tt := range []struct {
		name, text string
		less       int64 // how much smaller than it is the message seems to be
		spoil      func(*oracle)
		want       fetch.Kind
	}{
		{"NoBeginning", one, 0, func(o *oracle) { delete(o.sections, "") }, fetch.Protocol},
		{"NoHeaderAfterIt", two, 0, func(o *oracle) { delete(o.sections, "3.MIME") }, fetch.Protocol},
		{"SizeIsWrong", "X: " + strings.Repeat("x", 2000) + "\r\n" + one, 2000, func(*oracle) {}, fetch.Malformed},
		{"LongerHeader", one, 0, replace("Subject:", "X: "+strings.Repeat("x", 900)+"\r\nSubject:"), fetch.Malformed},
		{"LongerText", one, 0, replace("See below.", strings.Repeat("See below.", 90)), fetch.Malformed},
		{"EndsWithinLastHeader", one, 0, replace("application/pdf\r\n", "application/pdf\r\nX: "+strings.Repeat("x", 900)+"\r\n"), fetch.Malformed},
		{"NoBlankLineInLastPart", one, 0, replace("base64\r\n\r\n", "base64\r\n"), fetch.Malformed},
		{"NoBlankLineInCutPart", two, 0, replace("base64\r\n\r\n", "base64\r\n"), fetch.Malformed},
		{"MorePartsThanSaid", one, 0, replace("See below.", "See\r\n--b\r\n\r\n"), fetch.Malformed},
		{"FewerPartsThanSaid", one, 0, replace("\r\n--b\r\nContent-Type: text/html", "\r\nContent-Type: text/html"), fetch.Malformed},
		{"MorePartsThanSaidBeforeOthers", two, 0, replace("See below.", "See\r\n--b\r\n\r\n"), fetch.Malformed},
		{"NoMultipart", one, 0, replace("multipart/mixed", "text/x-mixed"), fetch.Malformed},
		{"NoMultipartBeforeOthers", two, 0, replace("multipart/mixed", "text/x-mixed"), fetch.Malformed},
		{"TextInPlaceOfAttachment", one, 0, replace("application/pdf", "text/html"), fetch.Malformed},
		{"Closed", one, 0, replace("See below.", "--b--"), fetch.Malformed},
		{"SectionsNoHeader", one, unsized, func(o *oracle) { delete(o.sections, "HEADER") }, fetch.Protocol},
		{"SectionsNoPartHeader", one, unsized, func(o *oracle) { delete(o.sections, "3.MIME") }, fetch.Protocol},
		{"SectionsNoBody", one, unsized, func(o *oracle) { delete(o.sections, "2") }, fetch.Protocol},
		{"SectionsHeaderWithoutEnd", one, unsized, func(o *oracle) { o.sections["2.MIME"] = []byte("Content-Type: text/html\r\n") }, fetch.Malformed},
		{"SectionsEmptyHeader", one, unsized, func(o *oracle) { o.sections["2.MIME"] = []byte{} }, fetch.Malformed},
		{"SectionsOtherBoundary", one, unsized, func(o *oracle) {
			o.sections["1"] = []byte("text\r\n--b\r\n\r\nanother part\r\n")
		}, fetch.Malformed},
		{"SectionsClosingDelimiter", one, unsized, func(o *oracle) { o.sections["1"] = []byte("text\r\n--b--\r\n") }, fetch.Malformed},
		{"SectionsNoMultipart", one, unsized, func(o *oracle) { o.sections["HEADER"] = []byte("Subject: x\r\n\r\n") }, fetch.Malformed},
		{"SectionsMessageInPlaceOfText", one, unsized, func(o *oracle) { o.sections["2.MIME"] = []byte("Content-Type: message/rfc822\r\n\r\n") }, fetch.Malformed},
		{"SectionsTextInPlaceOfAttachment", one, unsized, func(o *oracle) { o.sections["3.MIME"] = []byte("Content-Type: text/plain\r\n\r\n") }, fetch.Malformed},
		{"SectionsNotEncoded", one, unsized, func(o *oracle) { o.sections["3.MIME"] = []byte("Content-Type: image/png\r\n\r\n") }, fetch.Malformed},
		{"SectionsLongerText", one, unsized, func(o *oracle) { o.sections["2"] = bytes.Repeat([]byte("<p>\r\n"), 9000) }, fetch.Malformed},
		{"SectionsNoFieldInHeader", one, unsized, func(o *oracle) { o.sections["2.MIME"] = []byte("Content-Type: text/html\r\nno field\r\n\r\n") }, fetch.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := newOracle(t, tt.text, 0)
			s := imapbody.NewSizedSkeleton(o.structure, int64(len(tt.text))-tt.less, withDialects())
			tt.spoil(o)
			m, err := s.Open(o.find)
			if e, ok := errors.AsType[*fetch.Error](err); !ok || e.Kind != tt.want || m != nil {
				t.Errorf("got %v, %v, want nil, %v", m, err, tt.want)
			}
		})
	}
}
