package source

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// A sweep finds in messages of random parts the same references as in these messages
// as files. Half of them are stored with bare LF, which the server makes CRLF.
func TestIMAPSameAsOpenGenerated(t *testing.T) {
	const n = 120
	messages := make([][]byte, n)
	server := dovecot.Start(t, func(maildir string) {
		for i := range messages {
			stored := []byte((&generator{rand.New(rand.NewPCG(uint64(i), 3))}).message())
			messages[i] = bytes.ReplaceAll(stored, []byte("\n"), []byte("\r\n"))
			if i%2 == 0 {
				stored = messages[i]
			}
			if err := os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%06d.example:2,", i)), stored, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, tt := range []struct {
		dialects string
		resolve  bool
	}{{"all", false}, {"all", true}, {"none", false}, {"none", true}, {"share-link", false}} {
		t.Run(fmt.Sprintf("%s/%t", tt.dialects, tt.resolve), func(t *testing.T) {
			sameAsOpen(t, server, tt.dialects, tt.resolve, false, messages)
		})
	}
}

// A generator makes messages, with LF.
type generator struct{ *rand.Rand }

// one returns one of several texts.
func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

// message returns a message: header fields, and a body of random parts.
func (g *generator) message() string {
	var b strings.Builder
	b.WriteString("From: ann@a.example\n")
	for range g.IntN(3) {
		b.WriteString(g.one(
			"Subject: "+strings.Repeat("a long subject\n ", g.IntN(200))+".\n",
			"X-Open-Xchange-Share-URL: https://ox.example/ajax/share/0123456789abcdef\n",
			"Document-Reference: https://files.example/personal/a.docx\n",
			"Content-External: text/plain; url=\"https://files.example/c.txt\"; size=5\n",
			"X-Padding: "+strings.Repeat("x", g.IntN(3000))+"\n",
			"Content-ID: <"+fmt.Sprint(g.IntN(3))+"@a.example>\n",
		))
	}
	b.WriteString("MIME-Version: 1.0\n")
	return b.String() + g.entity(0)
}

// entity returns the fields of MIME and a body.
func (g *generator) entity(depth int) string {
	switch n := g.IntN(10); {
	case depth < 4 && n < 5:
		return g.multipart(depth)
	case depth < 4 && n == 5:
		return g.one("Content-Type: message/rfc822\n", "Content-Type: message/rfc822\nContent-Disposition: attachment\n", "Content-Type: message/global\n") + "\n" + g.message()
	case n == 6:
		return g.attachment()
	case n == 7:
		return g.reference()
	}
	return g.text()
}

func (g *generator) multipart(depth int) string {
	boundary := fmt.Sprintf("%s%d", g.one("b", "bb", "=_x", "b--"), depth)
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=\"%s\"\n\n%s", g.one("mixed", "mixed", "alternative", "related", "digest", "report"), boundary, g.one("", "preamble\n", strings.Repeat("a long preamble\n", 100)))
	parts := 1 + g.IntN(5)
	for range parts {
		b.WriteString("--" + boundary + g.one("\n", "\n", "\n", " \n"))
		b.WriteString(g.entity(depth+1) + "\n")
	}
	if g.IntN(10) > 0 {
		b.WriteString("--" + boundary + "--\n" + g.one("", "", "epilogue\n", strings.Repeat("a long epilogue\n", 300)))
	}
	return b.String()
}

func (g *generator) attachment() string {
	fields := "Content-Type: " + g.one("application/pdf; name=a.pdf", "image/png", "application/octet-stream", "application/octet-stream; name=winmail.dat", "text/csv", "APPLICATION/x-zip") + "\n" +
		g.one("", "", "Content-ID: <"+fmt.Sprint(g.IntN(3))+"@a.example>\n", "X-Mozilla-Cloud-Part: cloudFile; url=https://files.example/a.zip; name=a.zip\n",
			"X-Mozilla-External-Attachment-URL: https://files.example/a.pdf\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Jun 14 19:13:14 2030\"\n")
	octets := make([]byte, []int{0, 3, 300, 3000, 9000, 40_000}[g.IntN(6)])
	for i := range octets {
		octets[i] = byte(g.Uint32())
	}
	return fields + g.one("Content-Transfer-Encoding: base64\n", "Content-Transfer-Encoding: base64\n", "", "Content-Transfer-Encoding: x-other\n") + "\n" + encoded(octets)
}

// encoded returns octets as lines of base64.
func encoded(octets []byte) string {
	var b strings.Builder
	for line := range slices.Chunk(octets, 57) {
		b.WriteString(base64.StdEncoding.EncodeToString(line) + "\n")
	}
	return b.String()
}

func (g *generator) reference() string {
	return g.one(
		"Content-Type: message/external-body; access-type=URL;\n URL=\"http://files.example/a%20b/\n\tc.png\"; size=1234\nContent-ID: <outer@a.example>\n\nContent-Type: image/png\nContent-ID: <c@a.example>\n\n",
		"Content-Type: message/external-body; access-type=ANON-FTP;\n site=ftp.example; directory=pub; name=\"r.txt\"\n\nContent-Type: text/plain\nContent-ID: <r@a.example>\n\n",
		"content-type: Message/External-Body; access-type=mail-server; server=\"s@a.example\"\n\nContent-Type: text/plain\n\nget rfc 1\nquit\n"+strings.Repeat("more\n", g.IntN(2)*900),
		"Content-Type: message/external-body; access-type=content-id\n\nContent-Type: text/plain\nContent-ID: <1@a.example>\n\n",
		"Content-Type: message/external-body; access-type=URL; URL=\"sub/x\"\nContent-Location: http://files.example/base/\n\n\n",
		"Content-Type: message/external-body; access-type=URL; URL=http://files.example/no quotes\n",
	)
}

func (g *generator) text() string {
	var body strings.Builder
	isHTML := g.IntN(2) == 0
	for range g.IntN(4) {
		link := g.one("https://www.dropbox.com/s/abc123def456/report.pdf?dl=0", "https://we.tl/t-AbCdEfGh12", "https://files.example/a", "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=sharing")
		body.WriteString(g.one("All work and no play makes Jack a dull boy.\n", strings.Repeat("All work and no play makes Jack a dull boy.\n", 1<<g.IntN(10)), "--b\n", "From here\n", "é ü 漢\n"))
		if isHTML {
			link = "<p><a href=\"" + link + "\">report</a></p>"
		} else if g.IntN(2) == 0 {
			link = "<" + link + ">"
		}
		body.WriteString(link + "\n")
	}
	body.WriteString(g.one("", "A non-text attachment was scrubbed...\nName: a.pdf\nType: application/pdf\nSize: 1234 bytes\nDesc: not available\nURL: <https://lists.example/pipermail/l/attachments/20300614/0123abcd/attachment.pdf>\n",
		"X-Mozilla-External-Attachment-URL: https://files.example/a.pdf\n", "cid:1@a.example\n"))
	fields := g.one("Content-Type: text/plain; charset=utf-8\n", "Content-Type: text/plain\n", "", "Content-Type: text/plain; broken\n")
	if isHTML {
		fields = g.one("Content-Type: text/html; charset=utf-8\n", "Content-Type: TEXT/HTML\n", "Content-Type: text/html; charset=iso-8859-1\n")
	}
	switch g.IntN(5) {
	case 0:
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(body.String()))
		w.Close()
		return fields + "Content-Transfer-Encoding: quoted-printable\n\n" + strings.ReplaceAll(b.String(), "\r\n", "\n")
	case 1:
		return fields + "Content-Transfer-Encoding: base64\n\n" + encoded([]byte(body.String()))
	}
	return fields + "\n" + body.String()
}
