package rewrite_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// A memFile is a destination in memory that takes back its octets.
type memFile struct {
	b    []byte
	most int // the longest that it was
}

func (f *memFile) Write(p []byte) (int, error) {
	f.b = append(f.b, p...)
	f.most = max(f.most, len(f.b))
	return len(p), nil
}

func (f *memFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart && offset != int64(len(f.b)) || whence != io.SeekStart && offset != 0 {
		return 0, errBroken
	}
	return int64(len(f.b)), nil
}

func (f *memFile) Truncate(size int64) error {
	f.b = f.b[:size]
	return nil
}

// newFile returns a file that starts with head.
func newFile(t testing.TB, head string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := io.WriteString(f, head); err != nil {
		t.Fatal(err)
	}
	return f
}

// content returns the octets of a file.
func content(t testing.TB, f *os.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFile: a file gets the same as any other destination (RW-20).
func TestFile(t *testing.T) {
	const other = "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n"
	png := "Content-Type: image/png\n"
	id := "Content-ID: <x@a.example>\n"
	large := random(300_000)
	w := newWeb("1", large, "2", large[1:], "text", "hello\n", "binary.txt", "a\x00\n", "7bit", "{}", "b64", base64.StdEncoding.EncodeToString([]byte(large)), "utf8", "\u00e9\n")
	for _, c := range []struct {
		name  string
		parts []string
		opts  rewrite.InlineOptions
	}{
		{name: "One", parts: []string{ref("1", png)}},
		{name: "Two", parts: []string{ref("1", png), "\nbetween", ref("2", png)}},
		{name: "Missing", parts: []string{ref("1", png), ref("none", png), ref("2", png)}},
		{name: "Other", parts: []string{ref("1", png+other), ref("2", png), ref("1", other+png)}},
		{name: "Notice", parts: []string{ref("1", png+other), ref("2", png)}, opts: rewrite.InlineOptions{Notice: true}},
		{name: "FirstAlternative", parts: []string{ref("1", png+id), "\nbetween", ref("2", png+id)}},
		{name: "AllBut1Alternative", parts: []string{ref("1", png+id), ref("2", png+id+other), ref("2", png+id)}},
		{name: "SizeIsKnown", parts: []string{ref("1", png+"Content-Disposition: attachment; size=7\n")}},
		{name: "SizeIsNotKnown", parts: []string{ref("b64", png+"Content-Transfer-Encoding: base64\nContent-Disposition: attachment; size=300000\n")}},
		{name: "LastOfTransport8bit", parts: []string{ref("1", png)}, opts: rewrite.InlineOptions{Transport8bit: true}},
		{name: "Transport8bit", parts: []string{ref("1", png), ref("utf8", "Content-Type: text/plain; charset=utf-8\n")}, opts: rewrite.InlineOptions{Transport8bit: true}},
		{name: "LaterAlternative", parts: []string{ref("1", png+id+other), "\nbetween", ref("2", png+id)}},
		{name: "Text", parts: []string{ref("text", "Content-Type: text/plain\n"), ref("1", png)}},
		{name: "BinaryText", parts: []string{ref("binary.txt", "Content-Type: text/plain\n"), ref("1", png)}},
		{name: "7bit", parts: []string{ref("7bit", "Content-Type: application/json\n"), ref("1", png)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, eol := range []string{"\r\n", "\n"} {
				text := strings.ReplaceAll(mixed(c.parts...), "\r\n", eol)
				opts := c.opts
				opts.Resolver = w.resolver()
				want, wantReport := inline(t, text, &opts)
				f := newFile(t, "before")
				report, err := rewrite.Inline(t.Context(), f, open(t, text), &opts)
				if err != nil {
					t.Fatalf("%q: got error %v, want none", eol, err)
				}
				if got := content(t, f); got != "before"+want || actions(report) != actions(wantReport) {
					t.Errorf("%q: %s, got\n%.3000q\nwant %s\n%.3000q", eol, actions(report), got, actions(wantReport), want)
				}
			}
		})
	}
}

// TestFileStays: a file is as long as it was if there is an error, and is not
// truncated where writing does not start at its end.
func TestFileStays(t *testing.T) {
	text := mixed(ref("1", "Content-Type: image/png\n"), ref("2", "Content-Type: image/png\n"))
	w := newWeb("1", random(300_000), "2", random(300_000))
	ctx, cancel := context.WithCancel(t.Context())
	resolver := w.resolver()
	resolver.Progress = func(ref *externalbody.Reference, e fetch.Event) {
		if ref.ID == "3" && e.Octets > 0 {
			cancel()
		}
	}
	f := newFile(t, "before")
	if _, err := rewrite.Inline(ctx, f, open(t, text), &rewrite.InlineOptions{Resolver: resolver}); fetch.KindOf(err) != fetch.Canceled {
		t.Errorf("canceled: got %v, want %v", err, fetch.Canceled)
	}
	if got := content(t, f); got != "before" {
		t.Errorf("after an error: got %d octets, want %q", len(got), "before")
	}
	if n, err := f.WriteString(" and after"); err != nil || content(t, f) != "before and after" {
		t.Errorf("%d, %v: %q, want nil, %q", n, err, content(t, f), "before and after")
	}

	f = newFile(t, "0123456789")
	f.Seek(2, io.SeekStart)
	opts := &rewrite.InlineOptions{TempDir: t.TempDir() + "/none", Resolver: w.resolver()}
	if _, err := rewrite.Inline(t.Context(), f, open(t, text), opts); fetch.KindOf(err) != fetch.Local {
		t.Errorf("in the middle: got %v, want %v", err, fetch.Local)
	}
	if got := content(t, f); got != "0123456789" {
		t.Errorf("in the middle: got %.100q, want %.100q", got, "0123456789")
	}
}

// A fullFile cannot take more than a number of octets.
type fullFile struct {
	memFile
	room int
}

func (f *fullFile) Write(p []byte) (int, error) {
	if len(f.b)+len(p) > f.room {
		return 0, errBroken
	}
	return f.memFile.Write(p)
}

// TestFullFile: an error of the file is one of the call, wherever it arises, and
// everything is taken back.
func TestFullFile(t *testing.T) {
	text := mixed(strings.Repeat("x", 100_000), ref("1", "Content-Type: image/png\n"), "Content-Type: x/y\n\n"+strings.Repeat("y", 100_000))
	w := newWeb("1", random(300_000))
	for _, room := range []int{0, 50_000, 200_000, 520_000} {
		f := &fullFile{room: room}
		_, err := rewrite.Inline(t.Context(), f, open(t, text), &rewrite.InlineOptions{Resolver: w.resolver(), TempDir: t.TempDir()})
		if !errors.Is(err, errBroken) || fetch.KindOf(err) != fetch.Local || len(f.b) > 0 {
			t.Errorf("room for %d: got %v, %d octets, want %v as %v, 0", room, err, len(f.b), errBroken, fetch.Local)
		}
	}
}

// checkFile wants a file to get the octets of out.
func checkFile(t testing.TB, text, out string, opts *rewrite.InlineOptions) {
	t.Helper()
	var f memFile
	if _, err := rewrite.Inline(t.Context(), &f, open(t, text), opts); err != nil || !bytes.Equal(f.b, []byte(out)) {
		t.Fatalf("got %v, in a file\n%q\nwant nil, as elsewhere\n%q", err, f.b, out)
	}
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
			const lines = 148_000
			text := "Content-Type: message/external-body; access-type=URL;\r\n URL=\"data:application/x-y;base64," +
				strings.Repeat("\r\n\t"+strings.Repeat("QUJDREVG", 9), lines) +
				"\"\r\nSubject: kept\r\n\r\nContent-Type: application/x-y\r\nContent-ID: <a@h>\r\n\r\n"
			if inside {
				text = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + text + "\r\n--b--\r\n"
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
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
			for range lines {
				io.WriteString(want, strings.Repeat("ABCDEF", 9))
			}
			if got := string(out.sum.Sum(nil)); got != string(want.Sum(nil)) || out.octets != lines*54 {
				t.Errorf("at %v, inside %t: got %d octets, want %d of another digest", at, inside, out.octets, lines*54)
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
