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

// An answering is a Source of a server that answers with a text of its own for ranges of the
// message, and counts the questions.
type answering struct {
	*oracle
	text   string // of ranges of the message
	whole  string // of the whole message; "" is not at hand
	drops  int    // so many ranges of the message are empty first
	ranges int
	wholes int
}

func (a *answering) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	var octets [][]byte
	for _, s := range sections {
		if len(s.Part) > 0 || s.Specifier != "" {
			octets = append(octets, a.find(s.Item()))
			continue
		}
		a.ranges++
		text := a.text
		if a.drops > 0 {
			a.drops--
			text = ""
		}
		text = text[min(s.Offset, int64(len(text))):]
		octets = append(octets, []byte(text[:min(s.Size, int64(len(text)))]))
	}
	return octets, nil
}

func (a *answering) Whole(context.Context) (io.ReaderAt, int64, error) {
	a.wholes++
	if a.whole == "" {
		return nil, 0, externalbody.ErrWholeMessage
	}
	return strings.NewReader(a.whole), int64(len(a.whole)), nil
}

// OP-46: a message is whole if it is as long as announced or a range after it is empty, unless its
// structure contradicts. Only then the message is fetched whole, once.
func TestShortAnswers(t *testing.T) {
	const link = `<a href="https://we.tl/t-AbCdEfGh12">x</a>`
	pdf := large("application/pdf", "base64")
	one := crlf(top + html(link))
	two := crlf(top + mixed("mixed", "b", text, url, pdf, pdf, html(link)))
	long := crlf(top + "X-Long: " + strings.Repeat("x", 300) + "\n" + html(link))
	header := func(text string) string { return text[:strings.Index(text, "\r\n\r\n")+4] }
	for _, c := range []struct {
		name, text     string
		size           int    // the error of RFC822.SIZE
		answer         string // of ranges of the message
		whole          string // of Whole
		drops          int
		ranges, wholes int
		refs           int // -1 for an error
	}{
		{"Right", one, 0, one, one, 0, 1, 0, 1},
		{"RightMultipart", two, 0, two, two, 0, 1, 0, 2},
		{"SizeMore", one, 5, one, one, 0, 2, 0, 1},
		{"SizeLess", one, -5, one, one, 0, 2, 0, 1},
		{"SizeThrice", one, 2 * len(one), one, one, 0, 2, 0, 1},
		{"SizeHuge", one, 1_621_078, one, one, 0, 0, 0, 1}, // by its sections
		{"NoSize", one, -len(one), one, one, 0, 2, 0, 1},
		{"Unix", one, 0, strings.ReplaceAll(one, "\r\n", "\n"), one, 0, 2, 0, 1},
		{"Start", two, 0, two[:300], two, 0, 2, 1, 2},
		{"StartAndSizeMore", two, 5, two[:300], two, 0, 2, 1, 2},
		{"StartOfHeader", one, 0, one[:50], one, 0, 2, 1, 1},
		{"Header", two, 0, header(two), two, 0, 2, 1, 2},
		{"HeaderOfLittle", one, 0, header(one), one, 0, 2, 1, 1},
		{"LongHeaderAndLessText", long, 0, long[:len(long)-40], long, 0, 2, 1, 1},
		{"Empty", one, 0, "", one, 0, 2, 1, 1},
		{"EmptyFirst", one, 0, one, one, 1, 2, 1, 1},
		{"EmptyWhole", one, 0, "", "", 0, 2, 1, -1},
		{"NothingButTheStart", two, 0, two[:300], two[:300], 0, 2, 1, -1},
		{"SizeMoreNotAtHand", one, 5, one, "", 0, 2, 0, 1},
		{"StartNotAtHand", two, 0, two[:300], "", 0, 2, 1, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := &answering{oracle: newOracle(t, c.text, 0), text: c.answer, whole: c.whole, drops: c.drops}
			m, err := imapbody.Open(t.Context(), src, imapbody.GoIMAP(src.structure), int64(len(c.text)+c.size), withDialects())
			if src.ranges != c.ranges || src.wholes != c.wholes {
				t.Errorf("got %d ranges and %d times the message, want %d and %d", src.ranges, src.wholes, c.ranges, c.wholes)
			}
			if c.refs < 0 {
				if _, ok := errors.AsType[*fetch.Error](err); !ok || m != nil {
					t.Errorf("got %v, %v, want a fetch.Error", m, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if refs := slices.Collect(m.References()); len(refs) != c.refs {
				t.Errorf("got %v, want %d references", refs, c.refs)
			}
		})
	}
}

// OP-46: the section of a part that has fewer octets than the structure announces is not the
// whole section.
func TestShortSections(t *testing.T) {
	good := crlf(top + mixed("mixed", "b", text, html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`), large("application/pdf", "base64")))
	for _, c := range []struct {
		name   string
		spoil  func([]byte) []byte
		wholes int
	}{
		{"Right", func(b []byte) []byte { return b }, 0},
		{"Unix", func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "\r\n", "\n")) }, 0},
		{"Short", func(b []byte) []byte { return b[:20] }, 1},
		{"Empty", func([]byte) []byte { return []byte{} }, 1},
	} {
		src := &answering{oracle: newOracle(t, good, 0), whole: good}
		src.sections["2"] = c.spoil(src.sections["2"])
		m, err := imapbody.Open(t.Context(), src, imapbody.GoIMAP(src.structure), 0, withDialects())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if refs := slices.Collect(m.References()); src.wholes != c.wholes || len(refs) != 1 {
			t.Errorf("%s: got %d references and %d times the message, want 1 and %d", c.name, len(refs), src.wholes, c.wholes)
		}
	}
}

// A server whose structure is of another message has said nothing about this one.
func TestShortOtherStructure(t *testing.T) {
	pdf := coded(single("application", "pdf"), "base64")
	pdf.Size = 1 << 20
	whole := crlf(top + mixed("mixed", "b", text, html(`<a href="https://we.tl/t-AbCdEfGh12">x</a>`)))
	for _, bs := range []imap.BodyStructure{multi(pdf, pdf), multi(single("text", "plain"), pdf)} {
		src := &answering{oracle: newOracle(t, whole, 0), text: whole, whole: whole}
		m, err := imapbody.Open(t.Context(), src, imapbody.GoIMAP(bs), int64(len(whole)), withDialects())
		if err != nil {
			t.Fatal(err)
		}
		if refs := slices.Collect(m.References()); len(refs) != 1 || src.wholes != 1 {
			t.Errorf("got %v and %d times the message, want one share link and 1", refs, src.wholes)
		}
	}
}

// A Section after the first octet is written as IMAP writes it.
func TestSectionOffset(t *testing.T) {
	s := imapbody.Section{Offset: 300, Size: 212}
	item := s.Item()
	if got := s.String(); got != "BODY.PEEK[]<300.212>" {
		t.Errorf("got %s, want BODY.PEEK[]<300.212>", got)
	}
	if got := fmt.Sprint(*item.Partial); got != "{300 212}" {
		t.Errorf("got the range %s, want {300 212}", got)
	}
}
