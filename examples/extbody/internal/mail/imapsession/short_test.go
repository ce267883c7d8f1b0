package imapsession

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// sizedText is the structure of a text of that size.
func sizedText(size int) string {
	return strings.Replace(textPlain, " 5 1 ", fmt.Sprintf(" %d 1 ", size), 1)
}

// asked returns how many commands of the log have a text in them.
func (f *fake) asked(text string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, command := range f.log {
		if strings.Contains(command, text) {
			n++
		}
	}
	return n
}

// OP-46: a message ends where the range after it is empty, whatever its size seems to be, unless its
// structure, or its text, goes on.
func TestFetchShort(t *testing.T) {
	const header, body = "Subject: x\r\n\r\n", "hello hello hello hello\r\n"
	long := "X: " + strings.Repeat("x", 300) + "\r\n" + header
	for _, c := range []struct {
		name      string
		text      string // that the server sends
		size      string // RFC822.SIZE
		structure string
		more      string // TEXT
		ranges    int    // of the message
		want      error
	}{
		{"Right", header + body, "39", sizedText(25), body, 1, nil},
		{"SizeMore", header + body, "44", sizedText(25), body, 2, nil},
		{"SizeLess", header + body, "34", sizedText(25), body, 2, nil},
		{"SizeThrice", header + body, "117", sizedText(25), body, 2, nil},
		{"SizeZero", header + body, "0", sizedText(25), body, 2, nil},
		{"SizeNIL", header + body, "NIL", sizedText(25), body, 2, nil},
		{"SizeMoreNoStructure", header + body, "44", "NIL", body, 2, nil},
		{"SizeMoreUnix", header + "hello\nhello\n", "39", sizedText(14), body, 2, nil},
		{"BothMore", header + body, "117", sizedText(30), body, 2, nil},
		{"Header", header, "39", sizedText(25), body, 2, wire.ErrProtocol},
		{"StartOfHeader", header[:5], "39", sizedText(25), body, 2, wire.ErrProtocol},
		{"LessText", long + body[:5], "346", sizedText(25), body, 2, wire.ErrProtocol},
		{"LongHeader", long, "346", sizedText(25), body, 2, wire.ErrProtocol},
		{"Empty", "", "39", sizedText(25), body, 2, wire.ErrProtocol},
		{"EmptyNoStructure", "", "39", "NIL", body, 2, wire.ErrProtocol},
		{"EmptySizeZero", "", "0", sizedText(25), body, 1, wire.ErrProtocol},
		{"EmptyMessage", "", "0", sizedText(0), "", 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fakeMessage{uid: 10, text: c.text, structure: c.structure, sections: map[string]string{"[TEXT]": c.more}}
			announced := fmt.Sprintf("RFC822.SIZE %d", len(c.text))
			f := &fake{messages: []fakeMessage{m}}
			f.tamper = func(_ string, _ uint32, r string) string {
				return strings.Replace(r, announced, "RFC822.SIZE "+c.size, 1)
			}
			var b bytes.Buffer
			n, err := f.open(t).Fetch(t.Context(), 10, &b)
			if !errors.Is(err, c.want) || b.String() != c.text || n != int64(b.Len()) {
				t.Errorf("got %d, %q, %v; want %q, %v", n, b.String(), err, c.text, c.want)
			}
			if got := f.asked("BODY.PEEK[]"); got != c.ranges {
				t.Errorf("got %d ranges, want %d: %q", got, c.ranges, f.log)
			}
		})
	}
}

// OP-46: the start of a message that is shorter than asked for, and than announced, is followed by one
// more range. The message is read as a whole if that is not empty.
func TestSweepShort(t *testing.T) {
	const text = "Subject: x\r\n\r\nhello"
	start := func(_ imap.BodyStructure, _ int64) Wanted {
		return Wanted{Sections: []*imap.FetchItemBodySection{{Peek: true, Partial: &imap.SectionPartial{Size: 512}}}}
	}
	replacing := func(old, new string) func(string, uint32, string) string {
		return func(_ string, uid uint32, r string) string {
			if uid != 20 {
				return r
			}
			return strings.Replace(r, old, new, 1)
		}
	}
	for _, c := range []struct {
		name   string
		tamper func(command string, uid uint32, r string) string
		ranges int
		got    string // of message 20; "whole" if it must be read as a whole
	}{
		{"Right", replacing("", ""), 1, text},
		{"SizeMore", replacing("RFC822.SIZE 19", "RFC822.SIZE 24"), 2, text},
		{"SizeLess", replacing("RFC822.SIZE 19", "RFC822.SIZE 9"), 2, text},
		{"NoSize", replacing("RFC822.SIZE 19", "X 19"), 2, text},
		{"NoSuchSize", replacing("RFC822.SIZE 19", "RFC822.SIZE NIL"), 2, text},
		{"NILAfterIt", func(command string, uid uint32, r string) string {
			if uid == 20 && strings.Contains(command, "<19.") {
				return "* 2 FETCH (UID 20 BODY[] NIL)\r\n"
			}
			return replacing("RFC822.SIZE 19", "RFC822.SIZE 24")(command, uid, r)
		}, 2, text},
		{"Pieces", replacing("BODY[]<0> "+literal(text), "BODY[]<0> "+literal(text[:9])), 2, "whole"},
		{"EmptyFirst", func() func(string, uint32, string) string {
			first := true
			return func(command string, uid uint32, r string) string {
				if uid != 20 || !first || !strings.Contains(command, "BODY.PEEK[]") {
					return r
				}
				first = false
				return strings.Replace(r, literal(text), literal(""), 1)
			}
		}(), 2, "whole"},
		{"Empty", replacing(literal(text), literal("")), 2, ""},
		{"NoAnswer", func(command string, uid uint32, r string) string {
			if uid == 20 && strings.Contains(command, "<9.") {
				return ""
			}
			return replacing(literal(text), literal(text[:9]))(command, uid, r)
		}, 2, "whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{messages: []fakeMessage{plainMessage(10), plainMessage(20), plainMessage(30)}, tamper: c.tamper}
			var got []string
			for m, err := range f.open(t).Sweep(t.Context(), start) {
				switch {
				case err != nil:
					t.Fatal(err)
				case m.Whole:
					got = append(got, "whole")
				default:
					got = append(got, string(m.Section(&imap.FetchItemBodySection{})))
				}
			}
			if want := []string{text, c.got, text}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if got := f.asked("BODY.PEEK[]"); got != c.ranges {
				t.Errorf("got %d commands for ranges, want %d: %q", got, c.ranges, f.log)
			}
		})
	}
}
