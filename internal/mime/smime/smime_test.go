package smime

import (
	"bytes"
	"strings"
	"testing"
)

// der returns an element with a definite length.
func der(tag byte, content ...string) string {
	all := strings.Join(content, "")
	switch n := len(all); {
	case n < 0x80:
		return string([]byte{tag, byte(n)}) + all
	case n < 0x100:
		return string([]byte{tag, 0x81, byte(n)}) + all
	default:
		return string([]byte{tag, 0x83, byte(n >> 16), byte(n >> 8), byte(n)}) + all
	}
}

// ber returns an element with an indefinite length.
func ber(tag byte, content ...string) string {
	return string([]byte{tag, 0x80}) + strings.Join(content, "") + "\x00\x00"
}

// signed returns a signed message with the elements that make makes.
func signed(element func(byte, ...string) string, content string) string {
	return element(tagSequence, der(tagOID, oidSignedData), element(tagContext0, element(tagSequence,
		der(tagInteger, "\x01"), element(tagSet, der(tagSequence, der(tagOID, "\x2b\x0e"))),
		element(tagSequence, der(tagOID, oidData), element(tagContext0, content)),
		element(tagContext0, "certificates"), der(tagSet, "signers"))))
}

// before returns the part of s before text.
func before(s, text string) string {
	head, _, _ := strings.Cut(s, text)
	return head
}

func TestSignedContent(t *testing.T) {
	const text = "Content-Type: text/plain\r\n\r\nx"
	long := strings.Repeat("long ", 20_000)
	other := strings.Replace(signed(der, der(tagOctets, text)), oidSignedData, strings.Replace(oidSignedData, "\x02", "\x03", 1), 1)
	for _, tt := range []struct {
		name, message, want string
		ok                  bool
	}{
		{"DER", signed(der, der(tagOctets, text)), text, true},
		{"LongDER", signed(der, der(tagOctets, long)), long, true},
		{"BER", signed(ber, der(tagOctets, text)), text, true},
		{"Pieces", signed(ber, ber(tagOctetPieces, der(tagOctets, text[:5]), der(tagOctets, ""), der(tagOctets, text[5:]))), text, true},
		{"PiecesOfPieces", signed(der, der(tagOctetPieces, ber(tagOctetPieces, der(tagOctets, text[:5])), der(tagOctets, text[5:]))), text, true},
		{"BrokenOff", before(signed(der, der(tagOctets, text)), "plain"), before(text, "plain"), true},
		{"Empty", signed(der, der(tagOctets)), "", true},
		{"Detached", strings.Replace(signed(der, ""), der(tagContext0, ""), "", 1), "", false},
		{"Enveloped", other, "", false},
		{"NoPiece", signed(der, der(tagOctetPieces, der(tagOctets, "a"), der(tagInteger, "b"))), "a", true},
		{"NoOctets", signed(der, der(tagInteger, "1")), "", false},
		{"Nothing", "", "", false},
		{"LongLength", "\x30\x88\xff\xff\xff\xff\xff\xff\xff\xff", "", false},
		{"DeepPieces", signed(ber, strings.Repeat("\x24\x80", 10_000)), "", true},
		{"DeepSets", strings.Replace(signed(ber, der(tagOctets, text)), "\x31\x80", "\x31\x80"+strings.Repeat("\x31\x80", 10_000), 1), "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok, _ := SignedContent([]byte(tt.message))
			if ok != tt.ok || string(got) != tt.want {
				t.Errorf("got %.60q, %v, want %.60q, %v", got, ok, tt.want, tt.ok)
			}
			if head := tt.message[:min(len(tt.message), HeadBytes)]; tt.ok && !IsSigned([]byte(head)) {
				t.Error("the beginning is taken for that of something else")
			}
		})
	}
}

// TestDamage reads messages that are cut or changed at each octet.
func TestDamage(t *testing.T) {
	const text = "Content-Type: text/plain\r\n\r\nx"
	for _, message := range []string{signed(der, der(tagOctets, text)), signed(ber, ber(tagOctetPieces, der(tagOctets, text[:5]), der(tagOctets, text[5:])))} {
		for n := range len(message) {
			if got, ok, _ := SignedContent([]byte(message[:n])); !strings.HasPrefix(text, string(got)) || !ok && got != nil {
				t.Fatalf("got %q, %v of %d octets, want the beginning of %q", got, ok, n, text)
			}
			for _, c := range []byte{0, 0x7f, 0x80, 0x81, 0xff} {
				changed := []byte(message)
				changed[n] = c
				SignedContent(changed)
			}
		}
	}
}

// TestDepth has sets and pieces at and above the limit.
func TestDepth(t *testing.T) {
	const text = "x"
	for depth, want := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		sets := strings.Replace(signed(ber, der(tagOctets, text)), "\x31\x80", "\x31\x80"+strings.Repeat("\x31\x80", depth)+strings.Repeat("\x00\x00", depth), 1)
		if got, ok, _ := SignedContent([]byte(sets)); ok != want || ok && string(got) != text {
			t.Errorf("%d sets in a set: got %q, %v, want %q, %v", depth, got, ok, text, want)
		}
		pieces := der(tagOctets, text)
		for range depth + 1 {
			pieces = ber(tagOctetPieces, pieces)
		}
		if got, ok, _ := SignedContent([]byte(signed(ber, pieces))); !ok || string(got) == text != want {
			t.Errorf("pieces within %d pieces: got %q, %v, want %q: %v", depth, got, ok, text, want)
		}
	}
}

// TestLength has rows on both sides of the longest length, which must fit an int of 32
// bits and is never negative (X.690 section 8.1.3).
func TestLength(t *testing.T) {
	for _, tt := range []struct {
		name, octets string
		want         int
		ok           bool
	}{
		{"Most", "\x30\x84\x7f\xff\xff\xff", maxLength, true},
		{"More", "\x30\x84\x80\x00\x00\x00", 0, false},
		{"AllOnes", "\x30\x84\xff\xff\xff\xff", 0, false},
		{"FiveOctets", "\x30\x85\x01\x00\x00\x00\x00", 0, false},
		{"EightOctets", "\x30\x88\x80\x00\x00\x00\x00\x00\x00\x00", 0, false},
		{"LeadingZeros", "\x30\x88\x00\x00\x00\x00\x00\x00\x01\x02", 0x102, true},
		{"Indefinite", "\x30\x80", -1, true},
		{"IndefinitePrimitive", "\x04\x80", 0, false},
		{"Cut", "\x30\x82\x01", 0, false},
	} {
		r := reader{rest: []byte(tt.octets)}
		if _, n, ok := r.header(); ok != tt.ok || n != tt.want {
			t.Errorf("%s: got %d, %t, want %d, %t", tt.name, n, ok, tt.want, tt.ok)
		}
	}
}

func TestIsMediaType(t *testing.T) {
	for mediaType, want := range map[string]bool{
		"application/pkcs7-mime": true, "application/x-pkcs7-mime": true,
		"application/pkcs7-signature": false, "pkcs7-mime": false, "": false,
	} {
		if got := IsMediaType(mediaType); got != want {
			t.Errorf("%s: got %v, want %v", mediaType, got, want)
		}
	}
}

// FuzzSignedContent wants content that stands in the message, in pieces that are in
// order, and the same with more after it.
func FuzzSignedContent(f *testing.F) {
	f.Add([]byte(signed(der, der(tagOctets, "abc"))))
	f.Add([]byte(signed(ber, ber(tagOctetPieces, der(tagOctets, "ab"), der(tagOctets, "c")))))
	f.Fuzz(func(t *testing.T, message []byte) {
		before := bytes.Clone(message)
		content, ok, _ := SignedContent(message)
		if !bytes.Equal(before, message) {
			t.Fatal("the message was changed")
		}
		if len(content) > len(message) || !ok && content != nil {
			t.Errorf("got %d octets, %v, of %d; want no more than there are, and none with false", len(content), ok, len(message))
		}
		rest := message
		for _, c := range content {
			i := bytes.IndexByte(rest, c)
			if i < 0 {
				t.Fatalf("got %q, want octets of %q in that order", content, message)
			}
			rest = rest[i+1:]
		}
		if _, signed := enterSignedData(message); ok && !signed {
			t.Error("got content of what is no signed message")
		}
	})
}
