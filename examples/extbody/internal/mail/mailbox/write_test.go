package mailbox

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A memory is a File.
type memory struct{ bytes.Buffer }

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.Bytes()).ReadAt(p, off)
}

// rewritten returns box with the content of each message passed through change.
func rewritten(t testing.TB, path, box string, change func(string) string) (string, error) {
	t.Helper()
	dst := &memory{}
	changed, err := Write(dst, path, strings.NewReader(box), int64(len(box)), func(m *Message) (*io.SectionReader, error) {
		old, err := io.ReadAll(m.Reader())
		out := change(string(old))
		if err != nil || out == string(old) {
			return nil, err
		}
		return text(out), nil
	}, nil)
	if err != nil {
		return "", err
	}
	got := dst.Bytes()
	if !changed {
		if len(got) > 0 {
			t.Errorf("got %d octets written, want none where nothing is changed", len(got))
		}
		return box, nil
	}
	return string(got), nil
}

func TestWrite(t *testing.T) {
	for _, tt := range []struct {
		name, path, box string
		new             string // for the first @ of each message
		want            string
		err             error
	}{
		{"Nothing", "x", envelope + "A: b\n\nc\n", "", envelope + "A: b\n\nc\n", nil},
		{"Quoted", "x", envelope + "A: b\n\n@\n\n" + envelope + "C: d\n\n>From e\n", "From x\n>From y\n From z\nFrom", envelope + "A: b\n\n>From x\n>>From y\n From z\nFrom\n\n" + envelope + "C: d\n\n>From e\n", nil},
		{"KeptQuotes", "x", envelope + "A: b\n\n>From 1\n>>From 2\n>>>From 3\n> From\n@\n", "x", envelope + "A: b\n\n>From 1\n>>From 2\n>>>From 3\n> From\nx\n", nil},
		{"HeaderIsNotQuoted", "x", envelope + ">From uucp\nA: b\n\n@\n", "x", envelope + ">From uucp\nA: b\n\nx\n", nil},
		{"CRLF", "x", strings.ReplaceAll(envelope+"A: b\n\n>From 1\n@", "\n", "\r\n"), "x\r\nFrom y", strings.ReplaceAll(envelope+"A: b\n\n>From 1\nx\n>From y\n", "\n", "\r\n"), nil},
		{"FirstLineOfBody", "x", envelope + "A: b\n\n>From @\n", "x", envelope + "A: b\n\n>From x\n", nil},
		{"Length", "x", envelope + "A: b\nContent-length:  2\nC: d\n\n@\n\n" + envelope + "E: f\n\ng\n", "From x", envelope + "A: b\nContent-length: 8\nC: d\n\n>From x\n\n" + envelope + "E: f\n\ng\n", nil},
		{"WrongLength", "x", envelope + "A: b\nContent-Length: 9\n\n@\n\n" + envelope + "E: f\n\ng\n", "xyz", envelope + "A: b\nContent-Length: 9\n\nxyz\n\n" + envelope + "E: f\n\ng\n", nil},
		{"AllLengths", "x", envelope + "A: b\nContent-Length: 7\n\n>From @\n" + envelope + "E: f\nContent-Length: 2\n\ng\n", "x\n>From y\n", envelope + "A: b\nContent-Length: 16\n\n>From x\n>From y\n\n" + envelope + "E: f\nContent-Length: 2\n\ng\n", nil},
		{"AllLengthsNewLine", "x", envelope + "A: b\nContent-Length: 7\n\n>From @\n" + envelope + "E: f\nContent-Length: 2\n\ng\n", "x\nFrom y\n", "", ErrInDoubt},
		{"AllLengthsKept", "x", envelope + "A: b\nContent-Length: 9\n\nFrom x\n@\n" + envelope + "E: f\nContent-Length: 2\n\ng\n", "y", envelope + "A: b\nContent-Length: 9\n\nFrom x\ny\n" + envelope + "E: f\nContent-Length: 2\n\ng\n", nil},
		{"KeptWithoutQuotes", "x", envelope + "A: b\n\nFrom here\n>From there\n@\nFrom y\n", "From x\n>From there", envelope + "A: b\n\nFrom here\n>From there\n>From x\n>>From there\nFrom y\n", nil},
		{"Dropped", "x", envelope + "A: b\n\nFrom @\n", "\b", "", ErrInDoubt},
		{"InDoubt", "x", envelope + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n@\nFrom - \nA: b\n\n--b\n\nx\n--b--\n", "y", "", ErrInDoubt},
		{"LengthOverTheNext", "x", envelope + "A: b\nContent-Length: 45\n\n@\n\n" + envelope + "C: d\n\ne\n\n" + envelope + "E: f\n", "x", envelope + "A: b\nContent-Length: 45\n\nx\n\n" + envelope + "C: d\n\ne\n\n" + envelope + "E: f\n", nil},
		{"LengthOfOneMessageIsNoEvidence", "x", envelope + "A: b\nContent-Length: 2\n\n@\n", "x\n" + envelope + "C: d\n", envelope + "A: b\nContent-Length: 43\n\nx\n>" + envelope + "C: d\n\n", nil},
		{"NoLineEndAtEnd", "x", envelope + "A: b\n\n@", "x", envelope + "A: b\n\nx\n", nil},
		{"Single", "x.eml", envelope + "A: b\n\n>From @", "x\nFrom y", envelope + "A: b\n\n>From x\nFrom y", nil},
		{"NoEnvelope", "x", "A: b\n\n@", "x\nFrom y", "A: b\n\nx\nFrom y", nil},
		{"MMDF", "x", "\x01\x01\x01\x01\nA: b\n\n@\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nC: d\n\n\x01\x01\x01\x01\n", "From x\n\x01\x01\x01", "\x01\x01\x01\x01\nA: b\n\nFrom x\n\x01\x01\x01\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nC: d\n\n\x01\x01\x01\x01\n", nil},
		{"MMDFDelimiter", "x", "\x01\x01\x01\x01\nA: b\n\n@\n\x01\x01\x01\x01\n", "x\n\x01\x01\x01\x01\ny", "", ErrDelimiter},
		{"AmbiguousSingle", "x", "@: b\n\nc\n", envelope + "A", "", ErrAmbiguous},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rewritten(t, tt.path, tt.box, func(s string) string {
				if tt.new == "\b" { // it removes the line
					return strings.Replace(s, "From @\n", "", 1)
				}
				return strings.Replace(s, "@", tt.new, 1)
			})
			if !errors.Is(err, tt.err) || got != tt.want {
				t.Errorf("got %q, %v\nwant %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

// A length that includes the empty line before the next message does so afterwards: nmh finds
// the next message by that line.
func TestWriteEmptyLine(t *testing.T) {
	for _, tt := range []struct{ name, box, want string }{
		{"InBody", envelope + "A: b\nContent-Length: 3\n\nx\n\n" + envelope + "C: d\n\ne\n", envelope + "A: b\nContent-Length: 3\n\ny\n\n" + envelope + "C: d\n\ne\n"},
		{"CRLF", "From - \r\nA: b\r\nContent-Length: 5\r\n\r\nx\r\n\r\nFrom \r\nC: d\r\n\r\n", "From - \r\nA: b\r\nContent-Length: 5\r\n\r\ny\r\n\r\nFrom \r\nC: d\r\n\r\n"},
		{"WithoutBody", envelope + "A: b\nContent-Length: 0\n\n" + envelope + "C: d\n\ne\n", envelope + "A: b\nContent-Length: 3\n\ny\n\n" + envelope + "C: d\n\ne\n"},
		{"After", envelope + "A: b\nContent-Length: 2\n\nx\n\n" + envelope + "C: d\n\ne\n", envelope + "A: b\nContent-Length: 2\n\ny\n\n" + envelope + "C: d\n\ne\n"},
		{"None", envelope + "A: b\nContent-Length: 2\n\nx\n" + envelope + "C: d\n\ne\n", envelope + "A: b\nContent-Length: 2\n\ny\n" + envelope + "C: d\n\ne\n"},
		{"Last", envelope + "A: b\nContent-Length: 3\n\nx\n\n", envelope + "A: b\nContent-Length: 2\n\ny\n"},
	} {
		got, err := rewritten(t, "x", tt.box, func(s string) string {
			header, _, _ := strings.Cut(s, "\n\n")
			header, _, crlf := strings.Cut(header, "\r\n\r\n")
			switch {
			case !strings.HasPrefix(s, "A: "):
				return s
			case crlf:
				return header + "\r\n\r\ny"
			}
			return header + "\n\ny"
		})
		if got != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// TestWriteRefused leaves the message that cannot be written as it is, and writes the
// others.
func TestWriteRefused(t *testing.T) {
	const line = "\x01\x01\x01\x01\n"
	many := strings.Repeat(">From x\n", maxQuoted+1)
	for _, tt := range []struct {
		name, path, box string
		new             string // of a message with "bad" in it
		want            string
		err             error
	}{
		{"MMDF", "x", line + "A: bad\n\n@\n" + line + line + "C: d\n\n@\n" + line, "x\n" + line + "y", line + "A: bad\n\n@\n" + line + line + "C: d\n\nx\n" + line, ErrDelimiter},
		{"MMDFLast", "x", line + "C: d\n\n@\n" + line + line + "A: bad\n\n@\n" + line, "x\n" + line + "y", line + "C: d\n\nx\n" + line + line + "A: bad\n\n@\n" + line, ErrDelimiter},
		{"MMDFEnvelope", "x", line + "@: bad\n\n" + line + line + "C: d\n\n@\n" + line, "From x\nA", line + "@: bad\n\n" + line + line + "C: d\n\nx\n" + line, ErrAmbiguous},
		{"ManyQuotes", "x", envelope + "A: bad\n\n@\n" + many + "\n" + envelope + "C: d\n\n@\n", "y", envelope + "A: bad\n\n@\n" + many + "\n" + envelope + "C: d\n\nx\n", ErrQuoted},
		{"ManyNewQuotes", "x", envelope + "A: bad\n\n@\n\n" + envelope + "C: d\n\n@\n", many, envelope + "A: bad\n\n@\n\n" + envelope + "C: d\n\nx\n", ErrQuoted},
		{"NoHeaderEnd", "x", envelope + "A: bad\n\n" + envelope + "C: d\n\n@\n", "", envelope + "A: bad\n\n" + envelope + "C: d\n\nx\n", ErrAmbiguous},
		{"OfAllLengths", "x", envelope + "Content-Length: 45\n\n\n@" + envelope + "C: d\n\nx\n" + "\n" + envelope + "A: bad\nContent-Length: 2\n\ny\n", "", envelope + "Content-Length: 45\n\n\nx" + envelope + "C: d\n\nx\n" + "\n" + envelope + "A: bad\nContent-Length: 2\n\ny\n", ErrAmbiguous},
		{"NoMail", "x", "@: bad\n\nc\n", "PK\x03\x04", "@: bad\n\nc\n", ErrAmbiguous},
		{"Format", "x", "@: bad\n\nc\n", envelope + "A", "@: bad\n\nc\n", ErrAmbiguous},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dst := &memory{}
			var refused []error
			changed, err := Write(dst, tt.path, strings.NewReader(tt.box), int64(len(tt.box)), func(m *Message) (*io.SectionReader, error) {
				b, err := io.ReadAll(m.Reader())
				if !strings.Contains(string(b), "bad") {
					return text(strings.Replace(string(b), "@", "x", 1)), err
				}
				if tt.new == "" {
					return text("A: bad\n"), err
				}
				return text(strings.Replace(string(b), "@", tt.new, 1)), err
			}, func(m *Message, err error) error {
				refused = append(refused, err)
				return nil
			})
			got := dst.String()
			if !changed {
				got = tt.box
			}
			if err != nil || len(got) != len(tt.want) || got != tt.want {
				t.Errorf("got %.300q, %v\nwant %.300q", got, err, tt.want)
			}
			if len(refused) != 1 || !errors.Is(refused[0], tt.err) {
				t.Errorf("refused %v, want %v", refused, tt.err)
			}
		})
	}
}

// TestWriteInDoubt is OP-31: both readings of a message in doubt are at hand where its new content is asked for, also
// if lines of it are quoted.
func TestWriteInDoubt(t *testing.T) {
	const first, second = "Content-Type: multipart/mixed; boundary=b\n\n>From 1\n--b\n\n>From 2\n", "A: b\n\n>From 3\n--b--\n"
	for _, box := range []string{envelope + first + "\n" + envelope + second, envelope + ">From 0\n" + first + "\n" + "From - \n" + second} {
		_, between, _ := strings.Cut(box, "2\n")
		want, parts := box[len(envelope):], []string{box[len(envelope) : len(box)-len(between)], second}
		got, err := rewritten(t, "x", box, func(s string) string { return s })
		if got != box || err != nil {
			t.Errorf("got %q, %v, want %q as it is", got, err, box)
		}
		_, err = Write(&memory{}, "x", strings.NewReader(box), int64(len(box)), func(m *Message) (*io.SectionReader, error) {
			if m.Index > 0 {
				return nil, nil
			}
			b, err := io.ReadAll(m.Joined())
			if string(b) != want {
				t.Errorf("got %q, %v joined, want %q", b, err, want)
			}
			var got []string
			for part, err := range m.Split() {
				if err != nil {
					t.Error(err)
					break
				}
				b, _ := io.ReadAll(part.Reader())
				got = append(got, string(b))
			}
			if !slices.Equal(got, parts) {
				t.Errorf("got %q, want %q", got, parts)
			}
			return nil, err
		}, nil)
		if err != nil {
			t.Error(err)
		}
	}
}

func TestJoined(t *testing.T) {
	const want = "abcdef"
	if err := iotest.TestReader(join(text("ab"), text(""), text("cde"), text("f"), text("")), []byte(want)); err != nil {
		t.Error(err)
	}
}

// TestWriteErrors wants the errors of both sides, and no mailbox that was cut.
func TestWriteErrors(t *testing.T) {
	fail := errors.New("fail")
	for _, tt := range []struct {
		name    string
		replace ReplaceFunc
		want    error
	}{
		{"Replace", func(*Message) (*io.SectionReader, error) { return nil, fail }, fail},
		{"Content", func(*Message) (*io.SectionReader, error) {
			return io.NewSectionReader(failing{err: fail}, 0, 10), nil
		}, fail},
		{"ShortContent", func(*Message) (*io.SectionReader, error) {
			return io.NewSectionReader(strings.NewReader("A: b\n\nc\n"), 0, 100), nil
		}, io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Write(&memory{}, "x", strings.NewReader(box), int64(len(box)), tt.replace, nil); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	t.Run("Source", func(t *testing.T) {
		if _, err := Write(&memory{}, "x", failing{err: fail}, 100, nil, nil); !errors.Is(err, fail) {
			t.Errorf("got %v, want %v", err, fail)
		}
	})
}

func TestEdited(t *testing.T) {
	const quoted, plain = ">From 1\n>>From 2\nx\n>From 3", "From 1\n>From 2\nx\nFrom 3"
	for want, e := range map[string]*edited{
		plain:  {text(quoted), []int64{0, 8, 19}, false},
		quoted: {text(plain), []int64{0, 7, 17}, true},
	} {
		if err := iotest.TestReader(io.NewSectionReader(e, 0, int64(len(want))), []byte(want)); err != nil {
			t.Error(err)
		}
		for off := range len(want) {
			for n := range len(want) - off {
				p := make([]byte, n)
				if k, err := e.ReadAt(p, int64(off)); k != n || err != nil || string(p) != want[off:off+n] {
					t.Fatalf("%d octets at %d: got %q, %v; want %q, nil", n, off, p[:k], err, want[off:off+n])
				}
			}
		}
		if n, err := e.ReadAt(make([]byte, 10), int64(len(want))-3); n != 3 || err != io.EOF {
			t.Errorf("at the end: got %d, %v, want 3, %v", n, err, io.EOF)
		}
	}
}

// messages returns the messages of a mailbox with their envelopes and trailers.
func messages(box string) (list []string, err error) {
	for m, err := range Read("x", strings.NewReader(box), int64(len(box))) {
		if err != nil {
			return nil, err
		}
		list = append(list, box[m.Envelope.Start:m.Trailer.End])
	}
	return list, nil
}

// FuzzWrite rewrites the messages of any file. A message that is not replaced comes
// out as it was, and the messages read back are the ones that were written.
func FuzzWrite(f *testing.F) {
	f.Add(envelope+"A: b\n\n>From c\n\n"+envelope+"D: e\nContent-Length: 2\n\nf\n", "From x\n>From y", uint8(0))
	f.Add(envelope+"A: b\nContent-Length: 2\n\nc\n\n"+envelope+"D: e\nContent-Length: 2\n\nf\n", "From x\n", uint8(1))
	f.Add(strings.ReplaceAll(envelope+"A: b\n\nc\n\n"+envelope+"D: e\n\n", "\n", "\r\n"), "x", uint8(1))
	f.Add("\x01\x01\x01\x01\nA: b\n\nc\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nD: e\n\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n", uint8(1))
	f.Add("A: b\n\nc", "From ", uint8(0))
	f.Add("From Thu Jan 1 000: \nb\nContent-Length:2\n\n\n\nFrom Thu Jan 1 00:00\nContent-Length:2\n\n\n", "0", uint8(1))
	f.Fuzz(func(t *testing.T, box, added string, which uint8) {
		before, err := messages(box)
		if err != nil {
			t.Skip(err) // it is not mail
		}
		dst := &memory{}
		n := 0
		changed, err := Write(dst, "x", strings.NewReader(box), int64(len(box)), func(m *Message) (*io.SectionReader, error) {
			if n++; n-1 != int(which) {
				return nil, nil
			}
			old, err := io.ReadAll(m.Reader())
			return text(string(old) + added), err
		}, nil)
		if errors.Is(err, ErrAmbiguous) || errors.Is(err, ErrDelimiter) || errors.Is(err, ErrInDoubt) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if changed != (int(which) < len(before)) {
			t.Fatalf("changed: got %v, with %d messages, want %v", changed, len(before), (int(which) < len(before)))
		}
		if !changed {
			return
		}
		got := dst.Bytes()
		after, err := messages(string(got))
		if err != nil || len(after) != len(before) {
			t.Fatalf("got %d messages, %v, want %d", len(after), err, len(before))
		}
		before[which] = after[which]
		if !slices.Equal(after, before) {
			t.Fatalf("got %q, want %q, but for message %d", after, before, which)
		}
		// Written again as it is, the new message stays the same.
		n = 0
		again := &memory{}
		if _, err := Write(again, "x", bytes.NewReader(got), int64(len(got)), func(m *Message) (*io.SectionReader, error) {
			if n++; n-1 != int(which) {
				return nil, nil
			}
			return m.Reader(), nil
		}, nil); err != nil {
			if errors.Is(err, ErrAmbiguous) || errors.Is(err, ErrDelimiter) || errors.Is(err, ErrInDoubt) {
				return
			}
			t.Fatal(err)
		}
		if !bytes.Equal(again.Bytes(), got) {
			t.Fatalf("again: got %q, want %q", again.Bytes(), got)
		}
	})
}

// FuzzWriteRefused replaces messages of any file. One that cannot be written keeps no
// other envelope it, and is never an error of the file as a whole.
func FuzzWriteRefused(f *testing.F) {
	f.Add(envelope+"A: b\n\n>From c\n\n"+envelope+"D: e\nContent-Length: 2\n\nf\n", "From x\n>From y", uint8(0))
	f.Add(envelope+"A: b\nContent-Length: 2\n\nc\n\n"+envelope+"D: e\nContent-Length: 2\n\nf\n", "From x\n", uint8(1))
	f.Add(envelope+"A: b\n\n"+envelope+"D: e\n\nf\n", "\nG", uint8(1))
	f.Add("\x01\x01\x01\x01\nA: b\n\nc\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nD: e\n\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n", uint8(3))
	f.Add("From x\nA: b\n\nc\n\nFrom y\nD: e\n\n", "From ", uint8(3))
	f.Add("From \n\nFrom \n0:", "0", uint8(53)) // an envelope that separates because of the field after it
	f.Fuzz(func(t *testing.T, box, added string, cut uint8) {
		before, err := messages(box)
		if err != nil {
			t.Skip(err) // it is not mail
		}
		n, refused := len(before), 0
		dst := &memory{}
		changed, err := Write(dst, "x", strings.NewReader(box), int64(len(box)), func(m *Message) (*io.SectionReader, error) {
			b, err := io.ReadAll(m.Reader())
			return text(string(b[:len(b)-min(len(b), int(cut))]) + added), err
		}, func(*Message, error) error {
			refused++
			return nil
		})
		if err != nil {
			t.Fatalf("got %v, want each message that cannot be written to be refused", err)
		}
		if changed != (refused < n) {
			t.Fatalf("changed %v, with %d refused of %d, want %v", changed, refused, n, (refused < n))
		}
	})
}
