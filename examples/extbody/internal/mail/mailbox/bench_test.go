package mailbox_test

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gomessage "github.com/emersion/go-message"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// list counts the references of the messages in a mailbox.
func list(tb testing.TB, path string) int {
	n := 0
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			tb.Fatal(err)
		}
		n += len(references(tb, m))
		m.Close()
	}
	return n
}

func references(tb testing.TB, m *mailbox.Message) []*externalbody.Reference {
	msg, err := externalbody.Open(m.Reader(), m.Content.Len(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.Collect(msg.References())
}

// goMessage counts the references of the messages in a mailbox with go-message.
func goMessage(tb testing.TB, path string) int {
	n := 0
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			tb.Fatal(err)
		}
		e, err := gomessage.Read(m.Reader())
		if err != nil && e == nil {
			tb.Fatal(err)
		}
		err = e.Walk(func(_ []int, e *gomessage.Entity, err error) error {
			if err == nil {
				if t, _, _ := e.Header.ContentType(); t == "message/external-body" {
					n++
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		m.Close()
	}
	return n
}

// readAll reads a file as fast as it can be read.
func readAll(tb testing.TB, path string) int {
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for off := int64(0); ; off += int64(len(buf)) {
		if _, err := f.ReadAt(buf, off); errors.Is(err, io.EOF) {
			return 0
		}
	}
}

// ripgrep counts the lines that name the type.
func ripgrep(tb testing.TB, path string) int {
	rg, err := exec.LookPath("rg")
	if err != nil {
		tb.Skip("rg is not installed")
	}
	// No match is an exit status of 1.
	if out, err := exec.Command(rg, "-a", "-c", "-i", "-j1", "external-body", path).Output(); err != nil && len(out) > 0 {
		tb.Fatal(err)
	}
	return 0
}

func BenchmarkList(b *testing.B) {
	g := newGenerator(1)
	boxes := []struct {
		name    string
		size    int64
		message func(io.Writer)
	}{
		{"Attachments", 1500 << 20, g.attachments},
		{"HTML", 256 << 20, g.newsletter},
	}
	for _, box := range boxes {
		b.Run(box.name, func(b *testing.B) {
			g.refs = 0
			path := g.mbox(b, box.size, box.message)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			bench(b, "Walk", info.Size(), g.refs, func() int { return list(b, path) })
			bench(b, "Read", info.Size(), 0, func() int { return readAll(b, path) })
			bench(b, "Ripgrep", info.Size(), 0, func() int { return ripgrep(b, path) })
			bench(b, "GoMessage", info.Size(), g.refs, func() int { return goMessage(b, path) })
		})
	}
}

func BenchmarkListMaildir(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("the names of a Maildir have colons")
	}
	g := newGenerator(1)
	for _, kind := range []struct {
		name    string
		message func(io.Writer)
	}{
		{"Attachments", g.attachments},
		{"HTML", g.newsletter},
	} {
		b.Run(kind.name, func(b *testing.B) {
			g.refs = 0
			path, size := g.maildir(b, 20_000, kind.message)
			bench(b, "Walk", size, g.refs, func() int { return list(b, path) })
			bench(b, "GoMessage", size, g.refs, func() int { return goMessage(b, path) })
			bench(b, "Read", size, 0, func() int { return readFiles(b, filepath.Join(path, "cur")) })
		})
	}
}

// readFiles reads the files of a folder.
func readFiles(tb testing.TB, path string) int {
	files, err := os.ReadDir(path)
	if err != nil {
		tb.Fatal(err)
	}
	buf := make([]byte, 1<<20)
	for _, file := range files {
		f, err := os.Open(filepath.Join(path, file.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Read(buf); err != nil {
			tb.Fatal(err)
		}
		f.Close()
	}
	return 0
}

// bench times list, which has to find want references.
func bench(b *testing.B, name string, size int64, want int, list func() int) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if n := list(); n != want {
				b.Fatalf("%d references, want %d", n, want)
			}
		}
	})
}

// A generator writes mail like that of an archive, the same for the same seed.
type generator struct {
	rand  *rand.Rand
	lines string // base64 in lines of 76
	refs  int    // how many references were written
	n     int    // how many messages were written
}

func newGenerator(seed uint64) *generator {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 2))}
	var b strings.Builder
	octets := make([]byte, 57)
	for range 4 << 20 / 77 {
		for i := range octets {
			octets[i] = byte(g.rand.Uint32())
		}
		b.WriteString(base64.StdEncoding.EncodeToString(octets) + "\n")
	}
	g.lines = b.String()
	return g
}

// base64 writes about size octets.
func (g *generator) base64(w io.Writer, size int) {
	for lines := size / 77; lines > 0; {
		start := g.rand.IntN(len(g.lines)/77 - 1)
		n := min(lines, len(g.lines)/77-start)
		io.WriteString(w, g.lines[start*77:(start+n)*77])
		lines -= n
	}
}

const words = `the of and to in that it was he for on are with as his they at be this from have or by one had not but
what all were when we there can an your which their said if do will each about how up out them then she many some so these
would other into has more her two like him see time could no make than first been its who now people my made over did down
well-known e-mail on-line From -- long-term re-use`

func (g *generator) prose(w io.Writer, lines int) {
	list := strings.Fields(words)
	for range lines {
		for n := g.rand.IntN(70); n > 0; {
			word := list[g.rand.IntN(len(list))]
			n -= len(word) + 1
			io.WriteString(w, word+" ")
		}
		io.WriteString(w, "\n")
	}
}

// html writes tables with styles, as newsletters have them.
func (g *generator) html(w io.Writer, lines int) {
	styles := []string{"font-family:Arial,Helvetica,sans-serif", "margin-top:0", "line-height:20px", "background-color:#fafafa",
		"padding:4px", "color:#202020", "text-align:left", "width:100%", "border:0", "mso-table-lspace:0pt"}
	tags := []string{"td", "p", "span", "div", "a href=\"http://click.example.com/x/%x?u=1&amp;l=%x\"", "img alt=\"\" src=\"http://img.example.com/%x/%x.png\""}
	for range lines {
		tag := tags[g.rand.IntN(len(tags))]
		if strings.Contains(tag, "%") {
			tag = fmt.Sprintf(tag, g.rand.Uint64(), g.rand.Uint64())
		}
		fmt.Fprintf(w, "%*s<%s style=\"%s;%s;%s\">", g.rand.IntN(12), "", tag,
			styles[g.rand.IntN(len(styles))], styles[g.rand.IntN(len(styles))], styles[g.rand.IntN(len(styles))])
		g.prose(w, 1)
	}
}

// head writes the header that messages have in common, without Content-Type.
func (g *generator) head(w io.Writer) {
	g.n++
	for range 3 {
		fmt.Fprintf(w, "Received: from mx-%d.example.com (mx-%[1]d.example.com [192.0.2.7])\n\tby mail.example.net (Postfix) with ESMTPS id %X\n\tfor <a@example.net>; Thu, 20 Jun 2024 10:00:%02d +0000 (UTC)\n",
			g.rand.IntN(99), g.rand.Uint64(), g.n%60)
	}
	fmt.Fprintf(w, "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=k1;\n\tbh=%x=; b=%x%x\n", g.rand.Uint64(), g.rand.Uint64(), g.rand.Uint64())
	fmt.Fprintf(w, "Message-ID: <%d.%x@example.com>\nDate: Thu, 20 Jun 2024 10:00:00 +0000\nFrom: B <b@example.com>\nTo: a@example.net\nSubject: message %[1]d\nMIME-Version: 1.0\n", g.n, g.rand.Uint64())
}

// attachments writes a message of about 78 KB, nearly all of it in base64. Every
// 50th has references, too.
func (g *generator) attachments(w io.Writer) {
	g.head(w)
	boundary := fmt.Sprintf("----=_Part_%d_%x", g.n, g.rand.Uint64())
	fmt.Fprintf(w, "Content-Type: multipart/mixed;\n\tboundary=\"%s\"\n\n--%[1]s\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n", boundary)
	g.prose(w, 10+g.rand.IntN(40))
	fmt.Fprintf(w, "--%s\nContent-Type: application/pdf; name=\"a.pdf\"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"a.pdf\"\n\n", boundary)
	g.base64(w, 30_000+g.rand.IntN(90_000))
	if g.n%50 == 0 {
		for range 1 + g.n/50%3 {
			g.refs++
			fmt.Fprintf(w, "--%s\nContent-Type: message/external-body; access-type=URL;\n\tURL=\"http://files.example.com/%d/%x\"\n\nContent-Type: image/png\nContent-ID: <%[2]d.%d@example.com>\n\n", boundary, g.n, g.rand.Uint64(), g.refs)
		}
	}
	fmt.Fprintf(w, "--%s--\n", boundary)
}

// newsletter writes a message of about 50 KB of text and HTML.
func (g *generator) newsletter(w io.Writer) {
	g.head(w)
	boundary := fmt.Sprintf("=_%x", g.rand.Uint64())
	fmt.Fprintf(w, "Content-Type: multipart/alternative; boundary=\"%s\"\n\n--%[1]s\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n", boundary)
	g.prose(w, 60)
	fmt.Fprintf(w, "\n--%s\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n", boundary)
	g.html(w, 100+g.rand.IntN(400))
	fmt.Fprintf(w, "\n--%s--\n", boundary)
}

// mbox writes messages up to a size, and returns the path.
func (g *generator) mbox(tb testing.TB, size int64, message func(io.Writer)) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "box")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w := &counter{w: bufio.NewWriterSize(f, 1<<20)}
	for w.n < size {
		fmt.Fprintf(w, "From b@example.com Thu Jun 20 10:00:00 2024\n")
		message(w)
		io.WriteString(w, "\n")
	}
	if err := w.w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// maildir writes n messages, and returns the path and their size.
func (g *generator) maildir(tb testing.TB, n int, message func(io.Writer)) (path string, size int64) {
	tb.Helper()
	path = tb.TempDir()
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.Mkdir(filepath.Join(path, sub), 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range n {
		f, err := os.Create(filepath.Join(path, "cur", fmt.Sprintf("17%08d.M%dP1.host:2,S", i, i)))
		if err != nil {
			tb.Fatal(err)
		}
		w := &counter{w: bufio.NewWriter(f)}
		message(w)
		if err := w.w.Flush(); err != nil {
			tb.Fatal(err)
		}
		size += w.n
		f.Close()
	}
	return path, size
}

// A counter counts what is written.
type counter struct {
	w *bufio.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}
