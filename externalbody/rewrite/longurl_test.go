package rewrite_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// A vastURL is a message with a data: URL of many lines that is not in memory.
type vastURL struct {
	before, line, after string
	lines               int64
}

func (v *vastURL) size() int64 {
	return int64(len(v.before)) + v.lines*int64(len(v.line)) + int64(len(v.after))
}

func (v *vastURL) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		var text string
		at := off + int64(n)
		inLines := at - int64(len(v.before))
		switch behind := inLines - v.lines*int64(len(v.line)); {
		case inLines < 0:
			text = v.before[at:]
		case behind < 0:
			text = v.line[inLines%int64(len(v.line)):]
		case behind < int64(len(v.after)):
			text = v.after[behind:]
		default:
			return n, io.EOF
		}
		n += copy(p[n:], text)
	}
	return n, nil
}

// A base64Sum digests the lines of base64 of a message, decoded, and counts the
// other octets.
type base64Sum struct {
	sum    hash.Hash
	octets int64
	line   []byte
	other  bytes.Buffer
}

func (b *base64Sum) Write(p []byte) (int, error) {
	for _, c := range p {
		if b.line = append(b.line, c); c == '\n' {
			b.end()
		}
	}
	return len(p), nil
}

func (b *base64Sum) end() {
	text := bytes.TrimRight(b.line, "\r\n")
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err == nil && len(data) > 0 && len(text) >= 8 {
		b.sum.Write(data)
		b.octets += int64(len(data))
	} else {
		b.other.Write(b.line)
	}
	b.line = b.line[:0]
}

// TestInlineVastDataURL puts a file of 8 MB, which is in a data: URL, in its place:
// the octets are right, and the memory does not depend on their number. The
// reference is the message itself, or a part of it.
func TestInlineVastDataURL(t *testing.T) {
	for _, at := range []rewrite.Place{rewrite.Delivery, rewrite.Transit} {
		for _, inside := range []bool{false, true} {
			v := &vastURL{
				before: "Content-Type: message/external-body; access-type=URL;\r\n URL=\"data:application/x-y;base64,",
				line:   "\r\n\t" + strings.Repeat("QUJDREVG", 9),
				after:  "\"\r\nSubject: kept\r\n\r\nContent-Type: application/x-y\r\nContent-ID: <a@h>\r\n\r\n",
				lines:  148_000,
			}
			if inside {
				v.before = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + v.before
				v.after += "\r\n--b--\r\n"
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := externalbody.Open(v, v.size(), &externalbody.OpenOptions{Dialects: dialect.All()})
			if err != nil || m.Incomplete() != nil {
				t.Fatalf("got %v, incomplete %v, want neither", err, m.Incomplete())
			}
			out := &base64Sum{sum: sha256.New()}
			report, err := rewrite.Inline(t.Context(), out, m, &rewrite.InlineOptions{Resolver: (&tally{}).resolver(), At: at, TempDir: t.TempDir()})
			if err != nil || len(report.Items) != 1 || report.Items[0].Err != nil {
				t.Fatalf("at %v, inside %t: got %+v, %v, want one body in its place", at, inside, report.Items, err)
			}
			out.end()
			runtime.ReadMemStats(&after)
			want := sha256.New()
			for range v.lines {
				io.WriteString(want, strings.Repeat("ABCDEF", 9))
			}
			if got := string(out.sum.Sum(nil)); got != string(want.Sum(nil)) || out.octets != v.lines*54 {
				t.Errorf("at %v, inside %t: got %d octets, want %d of another digest", at, inside, out.octets, v.lines*54)
			}
			if !strings.Contains(out.other.String(), "Subject: kept") || strings.Contains(out.other.String(), "external-body") {
				t.Errorf("at %v, inside %t: got around it %q, want the Subject kept and no message/external-body", at, inside, out.other.String())
			}
			if got, most := after.TotalAlloc-before.TotalAlloc, uint64(24<<20); got > most {
				t.Errorf("at %v, inside %t: got %d octets allocated, want at most %d", at, inside, got, most)
			}
		}
	}
}
