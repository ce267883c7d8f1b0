package dialect_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/qp"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A mailbox is a list of messages. Each has a text in HTML and the same in text/plain.
type mailbox struct {
	messages []string
	texts    []encodedText
	size     int64
}

// An encodedText is the body of a text part.
type encodedText struct{ encoding, body string }

// newMailbox returns a mailbox of about size octets, like the mailbox of a person. A third
// of the messages are newsletters, with much markup and many links. The others are letters
// that quote the letter before. Every nth message has a file as a link, in one of the
// forms that are read. If nth is 0, no message has one.
func newMailbox(size, nth int) *mailbox {
	r := rand.New(rand.NewPCG(7, 8))
	m := new(mailbox)
	for i := 0; m.size < int64(size); i++ {
		html, plain := letter(r)
		if i%3 == 0 {
			html, plain = newsletter(r)
		}
		if nth > 0 && i%nth == 0 {
			html = strings.Replace(html, "<body>", "<body>"+chip(r, i/nth), 1)
		}
		encoding := []string{"quoted-printable", "base64"}[i%2]
		m.add(encoding, plain, html)
	}
	return m
}

func (m *mailbox) add(encoding, plain, html string) {
	texts := []encodedText{{encoding, encode(encoding, plain)}, {encoding, encode(encoding, html)}}
	m.texts = append(m.texts, texts...)
	message := fmt.Sprintf("From: a@b.example\r\nTo: c@d.example\r\nSubject: s\r\nDate: Fri, 21 Nov 2025 10:00:00 +0000\r\nMessage-ID: <%d@b.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"=_b\"\r\n\r\n", m.size) +
		"--=_b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n" + texts[0].body +
		"\r\n--=_b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n" + texts[1].body + "\r\n--=_b--\r\n"
	m.messages = append(m.messages, message)
	m.size += int64(len(message))
}

func encode(encoding, text string) string {
	var b strings.Builder
	if encoding == "quoted-printable" {
		w := quotedprintable.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	s := base64.StdEncoding.EncodeToString([]byte(text))
	for ; len(s) > 76; s = s[76:] {
		b.WriteString(s[:76] + "\r\n")
	}
	return b.String() + s
}

// prose appends n random words.
func prose(b *strings.Builder, r *rand.Rand, n int) {
	for range n {
		for range 1 + r.IntN(9) {
			b.WriteByte("eeeeetttaaaooiinnsshhrrddlucmwfgypbvk"[r.IntN(37)])
		}
		if r.IntN(40) == 0 {
			b.WriteString("é")
		}
		b.WriteByte(' ')
	}
}

func newsletter(r *rand.Rand) (html, plain string) {
	var h, p strings.Builder
	h.WriteString("<!DOCTYPE html><html><head><style>\r\n")
	for range 60 {
		fmt.Fprintf(&h, ".c%d { font-family: Arial, sans-serif; padding: %dpx %dpx; color: #%06x }\r\n", r.IntN(999), r.IntN(40), r.IntN(40), r.IntN(1<<24))
	}
	h.WriteString("</style></head><body><!--[if mso]><table><tr><td><![endif]-->\r\n")
	for range 60 + r.IntN(60) {
		link := fmt.Sprintf("https://click.news-%d.example.com/?qs=%016x%016x&u=%d", r.IntN(9), r.Uint64(), r.Uint64(), r.IntN(99))
		fmt.Fprintf(&h, "<table role=\"presentation\" width=\"100%%\" cellpadding=\"0\" cellspacing=\"0\" style=\"border-collapse:collapse;background:#%06x\"><tr><td align=\"left\" class=\"c%d\" style=\"padding:0 %dpx;font-size:%dpx\">", r.IntN(1<<24), r.IntN(999), r.IntN(30), r.IntN(30))
		fmt.Fprintf(&h, "<a href=\"%s\" target=\"_blank\" style=\"color:#%06x\"><img src=\"https://images.example.com/%016x.png\" width=\"%d\" alt=\"\"></a>&nbsp;", strings.ReplaceAll(link, "&", "&amp;"), r.IntN(1<<24), r.Uint64(), r.IntN(600))
		n := r.IntN(40)
		prose(&h, r, n)
		prose(&p, r, n)
		h.WriteString("&#8217;&copy;</td></tr></table>\r\n")
		p.WriteString("\r\n" + link + "\r\n")
	}
	h.WriteString("</body></html>")
	return h.String(), p.String()
}

func letter(r *rand.Rand) (html, plain string) {
	var h, p strings.Builder
	h.WriteString("<html><body>")
	for range 5 + r.IntN(100) {
		fmt.Fprintf(&h, "<p class=\"MsoNormal\"><span style=\"font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif;color:#%06x\">", r.IntN(1<<24))
		n := r.IntN(80)
		prose(&h, r, n)
		prose(&p, r, n)
		h.WriteString("<o:p></o:p></span></p>\r\n")
		p.WriteString("\r\n> ")
	}
	h.WriteString("</body></html>")
	return h.String(), p.String()
}

func chip(r *rand.Rand, i int) string {
	id := fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())
	switch i % 4 {
	case 0:
		return `<div class="gmail_chip gmail_drive_chip"><a href="https://drive.google.com/file/d/` + id + `/view?usp=drive_web" aria-label="a.pdf"><img src="https://drive-thirdparty.googleusercontent.com/16/type/application/pdf">&nbsp;<span dir="ltr">a.pdf</span></a></div>`
	case 1:
		return `<li class="cloudAttachmentItem" data-content-location="https://nc.example/s/` + id + `"><a class="cloudfile-name" href="https://nc.example/s/` + id + `">a.pdf</a></li>`
	case 2:
		return `<a href="https://www.dropbox.com/s/` + id + `/a.pdf?dl=0">a.pdf</a>`
	}
	return `<div id="OwaReferenceAttachmentFileName2"><a href="https://1drv.ms/u/s!1a2B3c4D5e` + id + `">a.pdf</a></div>`
}

// BenchmarkOpenDialects measures how fast messages that are mostly HTML are read: with all
// Dialects, without Dialects, and with nothing but the decoders on the same parts. With
// Dialects, no message has a file as a link, or one in ten, or each.
func BenchmarkOpenDialects(b *testing.B) {
	for _, nth := range []int{0, 10, 1} {
		m := newMailbox(8<<20, nth)
		suffix := map[int]string{0: "NoFiles", 10: "FilesInTenth", 1: "FilesInAll"}[nth]
		want := 0
		if nth > 0 {
			want = (len(m.messages) + nth - 1) / nth
		}
		b.Run("All"+suffix, func(b *testing.B) { benchmarkOpen(b, m, dialect.All(), want) })
		if nth != 0 {
			continue
		}
		b.Run("None", func(b *testing.B) { benchmarkOpen(b, m, nil, 0) })
		b.Run("BareDecode", func(b *testing.B) {
			b.SetBytes(m.size)
			b.ReportAllocs()
			buf := make([]byte, 64<<10)
			begin := testkit.CPUTime()
			for b.Loop() {
				for _, t := range m.texts {
					var r io.Reader = strings.NewReader(t.body)
					if t.encoding == "base64" {
						r = base64x.NewMailReader(r)
					} else {
						r = qp.NewReader(r)
					}
					if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, buf); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(testkit.CPUTime()-begin)/float64(b.N), "cpu-ns/op")
		})
	}
}

func benchmarkOpen(b *testing.B, m *mailbox, dialects []externalbody.Dialect, want int) {
	b.SetBytes(m.size)
	b.ReportAllocs()
	opts := &externalbody.OpenOptions{Dialects: dialects}
	readers := make([]*bytes.Reader, len(m.messages))
	for i, text := range m.messages {
		readers[i] = bytes.NewReader([]byte(text))
	}
	begin := testkit.CPUTime()
	for b.Loop() {
		found := 0
		for _, r := range readers {
			msg, err := externalbody.Open(r, r.Size(), opts)
			if err != nil {
				b.Fatal(err)
			}
			for range msg.References() {
				found++
			}
		}
		if found != want {
			b.Fatalf("%d references, want %d", found, want)
		}
	}
	b.ReportMetric(float64(testkit.CPUTime()-begin)/float64(b.N), "cpu-ns/op")
}
