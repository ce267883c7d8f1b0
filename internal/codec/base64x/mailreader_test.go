package base64x

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestMailReader(t *testing.T) {
	tests := []struct {
		name, in, want string
		forgiven       int64
		err            error
	}{
		{"Empty", "", "", 0, nil},
		{"OnlyLineBreaks", "\r\n\r\n", "", 0, nil},
		{"Whole", "YWJj", "abc", 0, nil},
		{"Padded", "YWI=", "ab", 0, nil},
		{"PaddedTwice", "YQ==", "a", 0, nil},
		{"LineBreakInGroup", "YW\r\nJj\r\n", "abc", 0, nil},
		{"BareLineBreaks", "YW\nJ\rj", "abc", 0, nil},
		{"LinearWhiteSpace", " Y W\tI = \r\n", "ab", 0, nil},
		{"BreakInPadding", "YQ=\r\n=\r\n", "a", 0, nil},
		{"NoPadding", "YQ", "a", 1, nil},
		{"NoPaddingThree", "YWI", "ab", 1, nil},
		{"HalfPadding", "YQ=", "a", 1, nil},
		{"TooMuchPadding", "YQ====", "a", 2, nil},
		{"OnlyPadding", "====", "", 4, nil},
		{"PaddingAfterWhole", "YWJj=", "abc", 1, nil},
		{"IllegalCharacters", "Y*W-J_j!", "abc", 4, nil},
		{"Controls", "Y\x00W\fJ\vj\x7f", "abc", 4, nil},
		{"EightBit", "YW\xe9Jj\xff", "abc", 2, nil},
		{"Joined", "YQ==YWI=YWJj", "a", 8, nil},
		{"JoinedHalfPadded", "YQ=YWI=", "a", 5, nil},
		{"JoinedWhole", "YWJj=\r\nYWI=", "abcab", 1, nil},
		{"Footer", "YQ==\r\n_____\r\nlist mailing list\r\n", "a", 20, nil},
		{"FooterOneCharacterTooMany", "YQ==\r\nlists", "a", 5, nil},
		{"FooterHalfPadded", "YQ=\r\nab=", "a", 4, nil},
		{"BlanksAfterwards", "YWI= \t\r\n\n", "ab", 0, nil},
		{"LeftoverBits", "YR==", "a", 1, nil},
		{"LeftoverBitsThree", "YWJ=", "ab", 1, nil},
		{"LeftoverBitsNoPadding", "YR", "a", 2, nil},
		{"OneCharacter", "Y", "", 0, ErrTruncated},
		{"OneCharacterMore", "YWJjY\r\n", "abc", 0, ErrTruncated},
		{"OneCharacterPadded", "YWJjY===", "abc", 0, ErrTruncated},
		{"OneCharacterPaddedInside", "YWJjY===YWJj", "abc", 0, ErrTruncated},
		{"TextAfterwards", "YQ==\r\n--\r\n", "a", 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, wrap := range readers {
				m := NewMailReader(wrap(strings.NewReader(tt.in)))
				got, err := io.ReadAll(m)
				if string(got) != tt.want || err != tt.err || m.Forgiven() != tt.forgiven {
					t.Errorf("%s: got %q, %v, %d forgiven; want %q, %v, %d",
						name, got, err, m.Forgiven(), tt.want, tt.err, tt.forgiven)
				}
				if _, again := m.Read(make([]byte, 1)); again != tt.err && again != io.EOF {
					t.Errorf("%s: then got %v, want %v or EOF", name, again, tt.err)
				}
			}
		})
	}
	if !errors.Is(ErrTruncated, io.ErrUnexpectedEOF) {
		t.Error("ErrTruncated is no io.ErrUnexpectedEOF")
	}
}

// TestPieceReader has texts that go on after their padding.
func TestPieceReader(t *testing.T) {
	tests := []struct {
		name, in, want string
		forgiven       int64
		err            error
	}{
		{"Whole", "YWJj\r\nYWI=\r\n", "abcab", 0, nil},
		{"Joined", "YQ==YWI=YWJj", "aababc", 2, nil},
		{"JoinedHalfPadded", "YQ=YWI=", "aab", 2, nil},
		{"Lines", "YQ==\r\n\r\nYWI=\r\n", "aab", 1, nil},
		{"PaddingOnItsLine", "YQ\r\n==\r\nYWI=", "aab", 1, nil},
		{"TooMuchPadding", "YQ===\nYWI=", "aab", 2, nil},
		{"OneCharacterPadded", "YWJjY===YWJj", "abcabc", 2, nil},
		{"Dashes", "YQ==\r\n--\r\nYWI=", "aab", 3, nil},
		{"NoPaddingAtEnd", "YQ==YWI", "aab", 2, nil},
		{"OneCharacter", "YQ==Y", "a", 1, ErrTruncated},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, wrap := range readers {
				m := NewPieceReader(wrap(strings.NewReader(tt.in)))
				got, err := io.ReadAll(m)
				if string(got) != tt.want || err != tt.err || m.Forgiven() != tt.forgiven {
					t.Errorf("%s: got %q, %v, %d forgiven; want %q, %v, %d", name, got, err, m.Forgiven(), tt.want, tt.err, tt.forgiven)
				}
			}
		})
	}
}

var readers = map[string]func(io.Reader) io.Reader{
	"Plain":   func(r io.Reader) io.Reader { return r },
	"OneByte": iotest.OneByteReader,
	"Half":    iotest.HalfReader,
	"DataErr": iotest.DataErrReader,
}

func TestMailReaderLong(t *testing.T) {
	want := random(200_000)
	text := lines(want)
	for name, wrap := range readers {
		if err := iotest.TestReader(NewMailReader(wrap(bytes.NewReader(text))), want); err != nil {
			t.Errorf("%s: got %v, want what a reader does", name, err)
		}
	}
}

func TestMailReaderError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("YWJjYW"), iotest.ErrReader(iotest.ErrTimeout))
	m := NewMailReader(r)
	for range 2 {
		got, err := io.ReadAll(m)
		if err != iotest.ErrTimeout || len(got) != 0 && string(got) != "abc" {
			t.Errorf("got %q, %v; want %q first and then nothing, %v", got, err, "abc", iotest.ErrTimeout)
		}
	}
	if _, err := NewMailReader(idle{}).Read(make([]byte, 1)); err != io.ErrNoProgress {
		t.Errorf("a reader that returns nothing gives %v, want %v", err, io.ErrNoProgress)
	}
}

// idle is a reader that breaks the contract of io.Reader.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// slowMail decodes as a MailReader does, one character at a time.
func slowMail(text []byte) (out []byte, forgiven int64, err error) {
	bits, chars := 0, 0
	missing, padded := 0, false
	end := func() bool {
		if chars == 1 {
			return false
		}
		if bits&(1<<(2*(4-chars)%8)-1) != 0 && chars > 0 {
			forgiven++
		}
		switch chars {
		case 2:
			out = append(out, byte(bits>>4))
		case 3:
			out = append(out, byte(bits>>10), byte(bits>>2))
		}
		bits, chars = 0, 0
		return true
	}
	for _, c := range text {
		v := strings.IndexByte(alphabet, c)
		switch {
		case padded && c != '=' && strings.IndexByte(" \t\r\n", c) < 0:
			forgiven++
			if missing > 0 {
				forgiven++
			}
			missing = 0
		case v >= 0:
			bits, chars = bits<<6|v, chars+1
			if chars == 4 {
				out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
				bits, chars = 0, 0
			}
		case strings.IndexByte(" \t\r\n", c) >= 0:
		case c == '=' && missing > 0:
			missing--
		case c == '=' && chars > 0:
			padded, missing = true, 4-chars-1
			if !end() {
				return out, forgiven, ErrTruncated
			}
		default:
			forgiven++
		}
	}
	if missing > 0 || chars > 1 {
		forgiven++
	}
	if !end() {
		return out, forgiven, ErrTruncated
	}
	return out, forgiven, nil
}

func FuzzMailReader(f *testing.F) {
	f.Add([]byte("YWJj\r\nYWI=\r\n"), 1)
	f.Add([]byte("YQ==YQ=Y*Q"), 7)
	f.Add(lines(random(500)), 100)
	f.Add(append(lines(random(30_000)), "x-===YY"...), 20_000)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		want, forgiven, wantErr := slowMail(text)
		m := NewMailReader(iotest.HalfReader(bytes.NewReader(text)))
		var got []byte
		buf := make([]byte, max(1, size%20_000))
		var err error
		for err == nil {
			var n int
			n, err = m.Read(buf)
			got = append(got, buf[:n]...)
		}
		if err == io.EOF {
			err = nil
		}
		if !bytes.Equal(got, want) || err != wantErr || m.Forgiven() != forgiven {
			t.Fatalf("%q is read as %q, %v, %d forgiven; want %q, %v, %d",
				text, got, err, m.Forgiven(), want, wantErr, forgiven)
		}
	})
}
