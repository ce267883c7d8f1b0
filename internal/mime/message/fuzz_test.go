package message

import (
	"slices"
	"strings"
	"testing"
)

// FuzzScan checks that the pieces are the message, that spans nest, that the index
// does not depend on the size of the window, and that octets that are not replaced
// stay.
func FuzzScan(f *testing.F) {
	for seed := range uint64(10) {
		text, _ := generate(seed)
		f.Add(text, uint8(seed))
	}
	for _, text := range []string{
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\r\n\r\n--b--\n",
		"Content-Type: multipart/digest; boundary=b\n\n--b\n\nContent-Type: multipart/x; boundary=b--\n\n--b--\n\n--b----\n--b--",
		"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nFrom x\nContent-Type: message/global\r\n\r\n\r\r\n",
		"Content-Type: multipart/x; boundary=b\nContent-Transfer-Encoding: base64\n\nAA\n--c\n",
		"Content-Type: multipart/x; boundary=b\n\n--b\nContent-Type: multipart/y; boundary=c\n\n--c\n--b\nContent-Type: message/external-body; access-type=x\n--b--",
		"Content-Type: multipart/x; boundary=b\n\n--b\nContent-Type: message/rfc822\n\r\r\n--b--",
	} {
		f.Add(text, uint8(0))
		f.Add(crlf(text), uint8(50))
	}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		var limits Limits
		if n > 0 {
			limits = Limits{Depth: int(n % 7), Parts: int(n % 11), HeaderBytes: int64(n), TotalHeaderBytes: int64(n) * 8}
		}
		x := mustScan(t, text, limits)
		if limits.Parts > 0 && len(x.Parts) > limits.Parts {
			t.Errorf("got %d parts, want at most %d", len(x.Parts), limits.Parts)
		}
		for i, p := range x.Parts {
			if limits.Depth > 0 && p.Depth > limits.Depth {
				t.Errorf("got depth %d, want at most %d", p.Depth, limits.Depth)
			}
			var joined strings.Builder
			var names []string
			header := text[p.Header.Start:p.Header.End]
			for field := range Fields(header, p.Header.Start) {
				joined.WriteString(field.Raw)
				names = append(names, field.Name)
				if text[field.Span.Start:field.Span.End] != field.Raw {
					t.Errorf("at %v: got the field %q, want %q", field.Span, field.Raw, text[field.Span.Start:field.Span.End])
				}
			}
			if got := slices.Collect(Names(header)); !slices.Equal(got, names) {
				t.Errorf("got the names %q, want those of the fields: %q", got, names)
			}
			if joined.String() != header {
				t.Errorf("fields joined: got %q, want %q", joined.String(), header)
			}
			// A header and its body, taken by themselves, is split the same way.
			b, err := Split(strings.NewReader(text), p.Entity(), limits)
			if err != nil {
				t.Fatal(err)
			}
			// The rest of an empty line whose line end belongs to a delimiter is not an
			// empty line.
			cut := p.Blank.Len() > 0 && text[p.Blank.End-1] != '\n'
			if p.Diag&(MissingBlank|MailboxLine) == 0 && !cut && (b.Header != p.Header || b.Blank != p.Blank || b.Body != p.Body) {
				t.Errorf("part %q: split: got %+v, want %v %v %v", p.Section(), b, p.Header, p.Blank, p.Body)
			}
			if p.first == nil && i < 3 {
				y, err := x.ScanContent(p, strings.NewReader(text), int64(len(text)))
				if err != nil {
					t.Fatal(err)
				}
				check(t, y, text)
			}
			if p.Encoded {
				y, err := x.ScanDecoded(p, strings.NewReader(text), int64(len(text)))
				if err != nil {
					t.Fatal(err)
				}
				check(t, y, text)
			}
		}
	})
}
