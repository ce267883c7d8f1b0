package mailbox

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/message"
)

func TestHasDate(t *testing.T) {
	tests := []struct {
		name string
		line string
		want bool
	}{
		{"Asctime", "From a@b Thu Jan  1 00:00:00 1970\n", true},
		{"WithZone", "From a@b Thu Jan  1 00:00:00 UTC 1970\n", true},
		{"ZoneBehind", "From a@b Thu Jan  1 00:00:00 1970 +0100\n", true},
		{"NoSeconds", "From a@b Thu Jan 1 0:00 1970\n", true},
		{"NoEnd", "From a@b Thu Jan  1 00:00:00 1970", true},
		{"RFC5322", "From a@b Thu, 1 Jan 1970 00:00:00 +0000\r\n", true},
		{"SenderWithSpaces", "From \"Thu x\"@b Thu Jan  1 00:00:00 1970\n", true},
		{"NoWeekday", "From a@b Jan  1 00:00:00 1970\n", false},
		{"NoYear", "From a@b Thu Jan  1 00:00:00\n", false},
		{"NoTime", "From a@b Thu Jan  1 1970 1970\n", false},
		{"NoMonth", "From a@b Thu 1 1 00:00:00 1970\n", false},
		{"NameWithin", "From a@b onT hJa 1 00:00:00 1970\n", false},
		{"OnNextLine", "From a@b\nThu Jan  1 00:00:00 1970\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hasDate([]byte(tt.line)); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

// The fast ways to read a line find nothing that the slow ones do not.
func FuzzFastLines(f *testing.F) {
	for _, line := range []string{
		"From a@b Thu Jan  1 00:00:00 1970", "From a@b Thu Jan 11 00:00:00 1970\r", "From a@b Thu Jan  1 00:00:0 1970", "From - Thx Jan  1 00:00:00 1970",
		"Content-Type: multipart/mixed; boundary=b", "Content-Type:Multipart/mixed;\r\n\tboundary=\"b c\"; x=y\r\n", "Content-Type: multipart/mixed; x=y;\n boundary=b;\n",
		"Content-Type: multipart/mixed; x=\"; boundary=c\"; boundary=b", "Content-Type: multipart/mixed (; boundary=c); boundary=b", "Content-Type: multipart/mixed;\nboundary=b",
		"Content-Type: multipart/mixed boundary=b", "Content-Type: multipart/mixed; boundary=\"b\\\"c\"", "Content-Type: multipart/mixed; boundary=\"b \"", "Content-Type: multipart/mixed; boundary=",
		"Content-Type: multipart/; boundary=b", "Content-Type: multipart/x y; boundary=b", "Content-Type: multipart/x; boundary=b(c)", "Content-Type: multipart/x; y; boundary=b", "Content-Type: multipart/x; boundary=b c",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		line, _, _ := bytes.Cut(b, []byte("\n"))
		if isAsctime(line) && !matchesDate(line) {
			t.Errorf("got a date in %q, want none", line)
		}
		got, plain := plainBoundary(b)
		if mediaType, want := typeOf(b); plain && (!bytes.Equal(got, want) || !message.IsMultipart(mediaType)) {
			t.Errorf("%q: got the boundary %q, want %q of %s", b, got, want, mediaType)
		}
	})
}

func FuzzIndexFrom(f *testing.F) {
	for pad := range textRun + 16 {
		f.Add([]byte(" \nFrom  \nFrom x"), pad)
		f.Add([]byte(" "+strings.Repeat("x", pad)+" \nFrom  \nFrom "), 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, pad int) {
		// The padding moves b over the end of a run of text.
		b = append(bytes.Repeat([]byte(" "), max(0, min(pad, 2*textRun))), b...)
		if got, want := indexFrom(b), bytes.Index(b, fromLine); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}

// mail returns an mbox of n octets with as much base64 as mail with attachments
// has.
func mail(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	b := make([]byte, 0, n+200<<10)
	for len(b) < n {
		b = append(b, "From a@example.com Thu Jan  1 00:00:00 1970\n"...)
		for range 20 {
			b = append(b, "X-Field: some words that are not long, and some more\n"...)
		}
		b = append(b, '\n')
		for range 1 + rng.IntN(40) {
			b = append(b, "Some prose of a message, in lines of the usual length, as it is.\n"...)
		}
		for range rng.IntN(2000) {
			for range 76 {
				b = append(b, digits[rng.IntN(64)])
			}
			b = append(b, '\n')
		}
		b = append(b, '\n')
	}
	return b
}

func BenchmarkIndexFrom(b *testing.B) {
	text := bytes.ReplaceAll(mail(16<<20), []byte("\nFrom "), []byte("\n>rom "))
	for name, index := range map[string]func([]byte) int{
		"Ours":  indexFrom,
		"Bytes": func(p []byte) int { return bytes.Index(p, fromLine) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if index(text) >= 0 {
					b.Fatal("found")
				}
			}
		})
	}
}

// BenchmarkRead splits a mailbox of large messages, and one of small ones.
func BenchmarkRead(b *testing.B) {
	const small = "From a@example.com Thu Jan  1 00:00:00 1970\nReceived: from b by a\nSubject: x\nContent-Type: multipart/alternative; boundary=\"b\"\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n<p>x\n--b--\n\n"
	for name, box := range map[string]string{"Large": string(mail(16 << 20)), "Small": strings.Repeat(small, 20_000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(box)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range Read("x", strings.NewReader(box), int64(len(box))) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
