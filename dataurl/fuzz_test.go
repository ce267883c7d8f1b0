package dataurl_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
)

// slowForgiving is forgiving-base64 decode of the Infra Standard, step by step.
func slowForgiving(data string) ([]byte, bool) {
	data = strings.NewReplacer("\t", "", "\n", "", "\f", "", "\r", "", " ", "").Replace(data)
	if len(data)%4 == 0 {
		if strings.HasSuffix(data, "==") {
			data = data[:len(data)-2]
		} else if strings.HasSuffix(data, "=") {
			data = data[:len(data)-1]
		}
	}
	if len(data)%4 == 1 {
		return nil, false
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var output []byte
	buffer, bits := 0, 0
	for _, c := range []byte(data) {
		n := strings.IndexByte(alphabet, c)
		if n < 0 {
			return nil, false
		}
		buffer, bits = buffer<<6|n, bits+6
		if bits == 24 {
			output = append(output, byte(buffer>>16), byte(buffer>>8), byte(buffer))
			buffer, bits = 0, 0
		}
	}
	switch bits {
	case 12:
		output = append(output, byte(buffer>>4))
	case 18:
		output = append(output, byte(buffer>>10), byte(buffer>>2))
	}
	return output, true
}

// slowSerialize parses and serializes a URL by the URL Standard, without the
// fragment, if it is a data: URL with an opaque path.
func slowSerialize(s string) (rest string, ok bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	if len(s) < 5 || !strings.EqualFold(s[:5], "data:") || strings.HasPrefix(s[5:], "/") {
		return "", false
	}
	s, _, _ = strings.Cut(s[5:], "#")
	var out strings.Builder
	query := false
	for i, c := range []byte(s) {
		switch {
		case c == '?' && !query:
			query = true
			out.WriteByte(c)
		case c < ' ' || c > '~',
			query && strings.IndexByte(" \"#<>", c) >= 0,
			c == ' ' && strings.HasPrefix(s[i+1:], "?"):
			out.WriteString(hexEscape(string([]byte{c})))
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), true
}

// slowDecode is the data: URL processor of the Fetch Standard, step by step.
func slowDecode(input string) (mediaType string, body []byte, ok bool) {
	mediaType, encoded, ok := strings.Cut(input, ",")
	if !ok {
		return "", nil, false
	}
	mediaType = strings.Trim(mediaType, " ")
	for i := 0; i < len(encoded); i++ {
		if encoded[i] == '%' && i+2 < len(encoded) {
			if c, err := url.PathUnescape(encoded[i : i+3]); err == nil {
				body = append(body, c...)
				i += 2
				continue
			}
		}
		body = append(body, encoded[i])
	}
	if strings.HasSuffix(strings.ToLower(mediaType), "base64") {
		prefix := strings.TrimRight(mediaType[:len(mediaType)-6], " ")
		if strings.HasSuffix(prefix, ";") {
			mediaType = strings.TrimSuffix(prefix, ";")
			if body, ok = slowForgiving(string(body)); !ok {
				return "", nil, false
			}
		}
	}
	if strings.HasPrefix(mediaType, ";") {
		mediaType = "text/plain" + mediaType
	}
	mediaType, err := dataurl.ParseMediaType(mediaType)
	if err != nil {
		mediaType = dataurl.DefaultMediaType
	}
	return mediaType, body, true
}

// FuzzDecode holds that Decode keeps to the standards, that a reader does the same
// with buffers of any size, and that what ParseStrict accepts has the same body.
func FuzzDecode(f *testing.F) {
	for _, tt := range duTable {
		f.Add(tt.in, 3, 0)
		f.Add(tt.in, 5000, 9000)
	}
	for _, body := range bodies(random(200)) {
		f.Add("data:a/b"+body, 700, 8100)
	}
	f.Add("data:a/b;base64,QUJD\n\n%0AQUJDQ U%3D%\t3\n\nd=#", 600, 8170)
	f.Add("data:a/b,%4\n1%%\t41#%41", 9000, 8190)
	f.Add("data://a:b@[::1%1]:080/../%2E/,x?y z", 1, 0)
	f.Fuzz(func(t *testing.T, in string, size, more int) {
		// A longer body crosses the limits of one step of decoding.
		if i := strings.IndexByte(in, ','); i >= 0 {
			in = in[:i+1] + strings.Repeat("A", max(0, more%20_000)) + in[i+1:]
		}
		mediaType, data, err := dataurl.Decode(in)
		if rest, ok := slowSerialize(in); ok {
			wantType, want, ok := slowDecode(rest)
			if ok != (err == nil) || ok && (mediaType != wantType || !bytes.Equal(data, want)) {
				t.Fatalf("Decode(%q) = %q, %q, %v; want %q, %q, %t", in, mediaType, data, err, wantType, want, ok)
			}
		}
		checkError(t, err)

		size = max(1, size%10_000)
		dst := append(make([]byte, 0, size), "pre"...)
		appendedType, appended, appendErr := dataurl.AppendDecode(dst, in)
		if (appendErr == nil) != (err == nil) || appendedType != mediaType || string(appended) != "pre"+string(data) {
			t.Fatalf("AppendDecode(%q) = %q, %q, %v, want %q, %q", in, appendedType, appended, appendErr, mediaType, "pre"+string(data))
		}

		u, parseErr := dataurl.Parse(in)
		checkError(t, parseErr)
		if parseErr == nil {
			got, readErr := readAll(u.NewReader(), size)
			checkError(t, readErr)
			if (readErr == nil) != (err == nil) || err == nil && (!bytes.Equal(got, data) || u.MediaType != mediaType) {
				t.Fatalf("a reader of %q: got %q, %v, want %q, %v as of Decode", in, got, readErr, data, err)
			}
			if len(got) > u.DecodedLen() {
				t.Fatalf("a reader of %q: got %d octets, want at most DecodedLen, %d", in, len(got), u.DecodedLen())
			}
		}

		strict, strictErr := dataurl.ParseStrict(in)
		checkError(t, strictErr)
		if strictErr == nil {
			got, readErr := readAll(strict.NewReader(), size)
			if err != nil || readErr != nil || !bytes.Equal(got, data) {
				t.Fatalf("ParseStrict(%q): got %q, %v, want %q, %v as of Decode", in, got, readErr, data, err)
			}
			head, _, _ := strings.Cut(in, ",")
			if strict.MediaType != mediaType && !strings.Contains(head, "%") {
				t.Fatalf("ParseStrict(%q): got type %q, want %q as of Decode", in, strict.MediaType, mediaType)
			}
		}
	})
}

// readAll reads r with a buffer of the given size.
func readAll(r io.Reader, size int) ([]byte, error) {
	var out []byte
	buf := make([]byte, size, size+8)
	guard := buf[size : size+8]
	copy(guard, "untouched")
	for {
		n, err := r.Read(buf)
		out = append(out, buf[:n]...)
		if string(guard) != "untouche" {
			return nil, errors.New("Read writes behind its buffer")
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}

// checkError holds that all errors are of the package's type and quote nothing.
func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	e, ok := errors.AsType[*dataurl.Error](err)
	if !ok || e.Fault().Error() == "unknown error" || e.Offset < 0 {
		t.Fatalf("got error %#v, want an *Error of a Kind with an offset", err)
	}
}

// FuzzForgiving holds that base64 is decoded by the Infra Standard, with all octets
// escaped and with those that may be unescaped.
func FuzzForgiving(f *testing.F) {
	for _, s := range []string{"", "YQ", "YQ=", "YQ==", "YQ===", "Y", " Y\fQ\t=\r\n= ", "YW-_", "=", "\vYQ", "YWJj\x00"} {
		f.Add(s)
	}
	f.Add(wrap(base64.StdEncoding.EncodeToString(random(300)), "\r\n"))
	f.Fuzz(func(t *testing.T, s string) {
		want, ok := slowForgiving(s)
		for _, in := range []string{
			"data:;base64," + hexEscape(s),
			"data:;base64," + strings.NewReplacer("%", "%25", "#", "%23").Replace(s) + "#",
		} {
			_, data, err := dataurl.Decode(in)
			if ok != (err == nil) || !bytes.Equal(data, want) {
				t.Fatalf("Decode(%q) = %q, %v; want %q, %t", in, data, err, want, ok)
			}
		}
	})
}

// FuzzEncode holds that the output of Encode is valid by RFC 2397 and is decoded to
// the same body.
func FuzzEncode(f *testing.F) {
	f.Add("text/plain", []byte("A brief note"))
	f.Add("image/gif", random(300))
	f.Add(`a/b;c="d e";f="\"g\"";h=%41;i="";j=é`, []byte("%"))
	f.Add("a#b/c^d;e|=`", []byte{})
	f.Add("no type", []byte{0})
	f.Fuzz(func(t *testing.T, mediaType string, data []byte) {
		in := dataurl.Encode(mediaType, data)
		want, err := dataurl.ParseMediaType(mediaType)
		checkError(t, err)
		if err != nil {
			want = dataurl.DefaultMediaType
		}
		u, err := dataurl.ParseStrict(in)
		if err != nil || u.MediaType != want {
			t.Fatalf("ParseStrict of Encode(%q, %q), %q: got %+v, %v, want type %q, nil", mediaType, data, in, u, err, want)
		}
		gotType, got, err := dataurl.Decode(in)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("Decode of Encode(%q, %q), %q: got %q, %v, want the data, nil", mediaType, data, in, got, err)
		}
		head, body, _ := strings.Cut(in, ",")
		if !strings.Contains(head, "%") && gotType != want {
			t.Fatalf("Decode of Encode(%q, %q), %q: got type %q, want %q", mediaType, data, in, gotType, want)
		}
		n := base64.StdEncoding.EncodedLen(len(data))
		if strings.HasSuffix(head, ";base64") {
			if escaped := len(url.PathEscape(string(data))); len(body) != n || escaped < n {
				t.Fatalf("Encode(%q, %q): got %q with %d octets of base64, want %d, and no fewer escaped; these are %d", mediaType, data, in, len(body), n, escaped)
			}
		} else if len(body) > n+len(";base64") {
			t.Fatalf("Encode(%q, %q): got %q, want base64, which is shorter", mediaType, data, in)
		}
	})
}

// FuzzParseMediaType holds that the result is stable.
func FuzzParseMediaType(f *testing.F) {
	for _, tt := range mediaTypes {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := dataurl.ParseMediaType(in)
		checkError(t, err)
		if err != nil {
			if got != "" {
				t.Fatalf("ParseMediaType(%q) = %q, %v, want %q", in, got, err, "")
			}
			return
		}
		if again, err := dataurl.ParseMediaType(got); err != nil || again != got {
			t.Fatalf("ParseMediaType(%q): got %q, %v, want %q, nil", got, again, err, got)
		}
	})
}
