package httpfetch_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// Each method that is offered is known, and a realm is fit for people.
func FuzzOffered(f *testing.F) {
	f.Add(`Basic realm="a\"b,c", Bearer realm=y`)
	f.Add(`Newauth title="x, Basic", type=1,Basic`)
	f.Fuzz(func(t *testing.T, line string) {
		methods, realm := httpfetch.Offered([]string{line})
		for _, m := range methods {
			if m != "basic" && m != "bearer" || !strings.Contains(strings.ToLower(line), m) {
				t.Errorf("%q: got method %q, want basic or bearer, if it is there", line, m)
			}
		}
		if len(methods) > 2 || strings.ContainsAny(realm, "\r\n\x00") {
			t.Errorf("%q: got %q and realm %q, want at most 2 methods and no control characters", line, methods, realm)
		}
	})
}

// A value that is read is written again as it was.
func FuzzContentRange(f *testing.F) {
	f.Add("bytes 4-9/10")
	f.Add("bytes */10")
	f.Fuzz(func(t *testing.T, s string) {
		first, last, complete, ok := httpfetch.ParseContentRange(s, 0)
		if !ok {
			return
		}
		if first < 0 || last < first || complete <= last {
			t.Errorf("got %d-%d/%d, want a range within its object", first, last, complete)
		}
		a, b, c, ok := httpfetch.ParseContentRange(fmt.Sprintf("bytes %d-%d/%d", first, last, complete), 0)
		if !ok || a != first || b != last || c != complete {
			t.Errorf("got %d-%d/%d again, want %d-%d/%d", a, b, c, first, last, complete)
		}
	})
}

// A head is kept the same however it is cut into pieces, and has no secrets.
func FuzzHead(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nSet-Cookie: s3cr3t\r\n s3cr3t\r\nLocation: //s3cr3t@h/\r\n\r\nbody"), 3)
	f.Add([]byte("HTTP/1.1 100 Go\n\nHTTP/1.1 200 OK\n\nbody"), 1)
	f.Add([]byte("\n\n 100"), 3)
	f.Add([]byte("HTTP/1.1 204 No\r\ncookie : s3cr3t\r\n\r\n"), 2)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		whole := httpfetch.AnswerHead(data, len(data)+1)
		if pieces := httpfetch.AnswerHead(data, max(1, n&0xff)); !bytes.Equal(pieces, whole) {
			t.Errorf("got %q in pieces, want %q", pieces, whole)
		}
		clean := httpfetch.WithoutSecrets(whole)
		if again := httpfetch.WithoutSecrets(clean); !bytes.Equal(again, clean) {
			t.Errorf("got %q again, want %q", again, clean)
		}
		for line := range bytes.Lines(clean) {
			name, value, ok := bytes.Cut(line, []byte(":"))
			if ok && strings.EqualFold(string(bytes.TrimSpace(name)), "Set-Cookie") && !bytes.HasPrefix(line, []byte(" ")) &&
				!bytes.HasPrefix(clean, line) && string(bytes.TrimSpace(value)) != "(cut)" {
				t.Errorf("got %q, want its value cut out", line)
			}
		}
	})
}
