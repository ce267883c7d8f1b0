package mailbox_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
