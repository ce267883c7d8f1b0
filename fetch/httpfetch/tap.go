package httpfetch

import (
	"bytes"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// A tap sees the octets of one exchange on its connection. It counts them, and
// keeps the heads if they are wanted.
type tap struct {
	full bool
	call *call // nil unless the request is a driver.Request.Call

	mu      sync.Mutex
	out, in int64
	request []byte // all that was sent, since a GET request has no content
	answer  []byte // the head of the final answer, as far as it arrived
	whole   bool   // the answer's head is at its end
	cut     bool   // there was more
}

// maxHead bounds a head that is kept.
const maxHead = 256 << 10

func (t *tap) wrote(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out += int64(len(p))
	if t.full {
		t.request = t.keep(t.request, p)
	}
}

func (t *tap) read(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in += int64(len(p))
	if !t.full || t.whole || len(p) == 0 {
		return
	}
	from := len(t.answer)
	t.answer = t.keep(t.answer, p)
	for !t.whole {
		end := headEnd(t.answer, from)
		if end < 0 {
			return
		}
		if !interim(t.answer[:end]) {
			t.answer = t.answer[:end:end]
			t.whole = true
			return
		}
		t.answer = t.answer[end:]
		from = 0
	}
}

// report copies the counts and the heads, without secrets, to x.
func (t *tap) report(x *fetch.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x.OctetsOut = t.out
	x.OctetsIn = t.in
	x.RequestHead = record.Octets(t.call.shown(withoutSecrets(t.request)))
	x.ResponseHead = record.Octets(t.call.shown(withoutSecrets(t.answer)))
	x.Cut = x.Cut || t.cut
}

// keep appends p to head as far as there is room.
func (t *tap) keep(head, p []byte) []byte {
	if room := maxHead - len(head); len(p) > room {
		p = p[:room]
		t.cut = true
	}
	return append(head, p...)
}

// headEnd returns where the head that b starts with ends, after its empty line,
// or -1 if that is not in b. It has been looked for up to from. As net/http
// does, it takes lines that end in LF alone (RFC 9112 section 2.2).
func headEnd(b []byte, from int) int {
	from = max(from-3, 0)
	end := -1
	for _, empty := range []string{"\n\r\n", "\n\n"} {
		if i := bytes.Index(b[from:], []byte(empty)); i >= 0 && (end < 0 || from+i+len(empty) < end) {
			end = from + i + len(empty)
		}
	}
	return end
}

// interim reports whether a head belongs to an answer before the final one (RFC 9110
// section 15.2). 101 is final.
func interim(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	_, rest, _ := bytes.Cut(line, []byte(" "))
	return len(rest) >= 3 && rest[0] == '1' && !bytes.HasPrefix(rest, []byte("101"))
}
