package dataurl_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/internal/testkit"
)

// random returns n octets that are the same in each run.
func random(n int) []byte {
	r := rand.NewChaCha8([32]byte{7})
	b := make([]byte, n)
	r.Read(b)
	return b
}

// wrap returns text with line breaks after each 76 characters.
func wrap(text, lineBreak string) string {
	var b strings.Builder
	for text != "" {
		n := min(76, len(text))
		b.WriteString(text[:n])
		b.WriteString(lineBreak)
		text = text[n:]
	}
	return b.String()
}

// bodies returns data encoded in several ways, with the text before it.
func bodies(data []byte) map[string]string {
	plain := base64.StdEncoding.EncodeToString(data)
	escape := strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D")
	var all, some, breaks strings.Builder
	for i, c := range data {
		fmt.Fprintf(&all, "%%%02x", c)
		switch {
		case c >= 0x80 || c < '0':
			fmt.Fprintf(&some, "%%%02X", c)
			fmt.Fprintf(&breaks, "%%\n%X\t%X", c>>4, c&0x0F)
		default:
			some.WriteByte(c)
			breaks.WriteByte(c)
		}
		if i%50 == 0 {
			breaks.WriteString("\r\n")
		}
	}
	return map[string]string{
		"Clean":        ";base64," + plain,
		"Unpadded":     ";base64," + strings.TrimRight(plain, "="),
		"LF":           ";base64," + wrap(plain, "\n"),
		"CRLF":         ";base64," + wrap(plain, "\r\n"),
		"Escapes":      ";base64," + escape.Replace(wrap(plain, "%0D%0A")),
		"Spaces":       ";base64," + wrap(plain, " \f\t"),
		"EndsEscaped":  ";base64," + strings.Replace(plain, "=", "%3D", 2) + "#fragment",
		"LateBreak":    ";base64," + plain[:len(plain)/2] + "\n" + plain[len(plain)/2:],
		"EarlyBreak":   ";base64,\n" + plain,
		"Base64Hex":    ";base64," + hexEscape(plain),
		"PercentAll":   "," + all.String(),
		"PercentSome":  "," + some.String() + "#fragment",
		"PercentBreak": "," + breaks.String(),
	}
}

func hexEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// text returns n octets of random text. Of the octets it stands for, share are
// escaped: with 1/8 and 3/10 escapes are 30 and 56 percent of the text.
func text(n int, share float64) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < n {
		if r.Float64() < share {
			fmt.Fprintf(&b, "%%%02X", r.IntN(256))
		} else {
			b.WriteByte("abcdefghijklmnop0123456789-_.ABC"[r.IntN(32)])
		}
	}
	return b.String()
}

// bench measures do, which reads or writes n octets.
func bench(b *testing.B, name string, n int, do func() error) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(n))
		b.ReportAllocs()
		begin := testkit.CPUTime()
		for b.Loop() {
			if err := do(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(testkit.CPUTime()-begin)/float64(b.N), "cpu-ns/op")
	})
}

func BenchmarkAppendDecode(b *testing.B) {
	plain := base64.StdEncoding.EncodeToString(random(1 << 20))
	escape := strings.NewReplacer("+", "%2B", "=", "%3D")
	small := base64.StdEncoding.EncodeToString(random(64))
	buf := make([]byte, 0, 3<<19)
	// peers do as much as is needed to decode such bodies, and no more.
	decode64 := func(s string) error {
		_, s, _ = strings.Cut(s, ",")
		_, err := base64.StdEncoding.AppendDecode(buf, []byte(s))
		return err
	}
	unescape64 := func(s string) error {
		_, s, _ = strings.Cut(s, ",")
		s, err := url.PathUnescape(s)
		if err != nil {
			return err
		}
		_, err = base64.StdEncoding.AppendDecode(buf, []byte(s))
		return err
	}
	unescape := func(s string) error {
		_, s, _ = strings.Cut(s, ",")
		_, err := url.PathUnescape(s)
		return err
	}
	for _, bb := range []struct {
		name, in string
		peer     func(string) error
	}{
		{"Clean", "data:image/png;base64," + plain, decode64},
		{"Clean64", "data:image/png;base64," + small, decode64},
		{"LF", "data:image/png;base64," + wrap(plain, "\n"), decode64},
		{"Escapes", "data:image/png;base64," + escape.Replace(wrap(plain, "%0D%0A")), unescape64},
		{"Escaped30", "data:text/plain," + text(1<<20, 0.125), unescape},
		{"EscapedHalf", "data:text/plain," + text(1<<20, 0.3), unescape},
		{"AllEscaped", "data:text/plain," + strings.Repeat("%41", 1<<20/3), unescape},
		{"Plain", "data:text/plain," + text(1<<20, 0), unescape},
		{"Plain64", "data:text/plain," + text(64, 0), unescape},
	} {
		bench(b, bb.name+"/dataurl", len(bb.in), func() error {
			_, _, err := dataurl.AppendDecode(buf, bb.in)
			return err
		})
		bench(b, bb.name+"/std", len(bb.in), func() error { return bb.peer(bb.in) })
	}
}

func BenchmarkReader(b *testing.B) {
	data := random(1 << 20)
	buf := make([]byte, 32<<10)
	for name, text := range bodies(data) {
		u, err := dataurl.Parse("data:a/b" + text)
		noError(b, err)
		bench(b, name, len(u.Encoded), func() error {
			r := u.NewReader()
			for {
				if _, err := r.Read(buf); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	data := random(1 << 20)
	ascii := []byte(text(1<<20, 0))
	for i := range ascii {
		if i%8 == 0 {
			ascii[i] = ' '
		}
	}
	for _, bb := range []struct {
		name string
		data []byte
		peer func([]byte) string
	}{
		{"Base64", data, func(p []byte) string {
			return "data:image/png;base64," + base64.StdEncoding.EncodeToString(p)
		}},
		{"Percent", ascii, func(p []byte) string { return "data:image/png," + url.PathEscape(string(p)) }},
		{"Short", []byte("A brief note"), func(p []byte) string { return "data:image/png," + url.PathEscape(string(p)) }},
	} {
		bench(b, bb.name+"/dataurl", len(bb.data), func() error {
			dataurl.Encode("image/png", bb.data)
			return nil
		})
		bench(b, bb.name+"/std", len(bb.data), func() error {
			bb.peer(bb.data)
			return nil
		})
	}
}
