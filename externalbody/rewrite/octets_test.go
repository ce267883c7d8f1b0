package rewrite_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// asBase64 returns octets in base64, with that line end.
func asBase64(octets, eol string) string {
	var b strings.Builder
	for enc := base64.StdEncoding.EncodeToString([]byte(octets)); enc != ""; enc = enc[min(76, len(enc)):] {
		b.WriteString(enc[:min(76, len(enc))] + eol)
	}
	return b.String()
}

// asQP returns octets in quoted-printable, with that line end: CRLF as data, LF as
// line ends of the text.
func asQP(octets, eol string) string {
	var b bytes.Buffer
	for i, line := range strings.Split(octets, "\n") {
		if i > 0 {
			b.WriteString(eol)
		}
		w := quotedprintable.NewWriter(&b)
		w.Binary = true
		w.Write([]byte(line))
		w.Close()
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n", eol)
}

// TestOctets: Externalize then Inline gives back the decoded octets of each part,
// whatever the line ends are of the message, of the part and of its text, and
// however it was encoded (RW-7, RW-8).
func TestOctets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a line", "\n", "\r\n", "\n", "\r\n", "", " ", "--b1", "=", "From x", strings.Repeat("long ", 250), "\u0439\u0439\u0439\u0439"}
	odd := []string{"\r", "\x00", "\xff"}
	for n := range 500 {
		var texts []string
		for range 3 {
			eol := []string{"\n", "\r\n", ""}[r.IntN(3)] // "" keeps the line ends of the pieces
			text := ""
			for range r.IntN(8) {
				p := pieces[r.IntN(len(pieces))]
				if r.IntN(20) == 0 {
					p = odd[r.IntN(len(odd))]
				}
				if eol != "" && strings.HasSuffix(p, "\n") {
					p = eol
				}
				text += p
			}
			texts = append(texts, text)
		}
		eol := []string{"\n", "\r\n"}[n%2]
		eight := r.IntN(2) == 0
		var parts []string
		for _, text := range texts {
			mediaType := []string{"text/plain; charset=utf-8", "TEXT/HTML", "text/plain; charset=utf-16", "application/x-own", ""}[r.IntN(5)]
			head := ""
			if mediaType != "" {
				head = "Content-Type: " + mediaType + eol
			}
			switch r.IntN(4) {
			case 0:
				parts = append(parts, head+"Content-Transfer-Encoding: base64"+eol+eol+asBase64(text, eol))
			case 1:
				parts = append(parts, head+"Content-Transfer-Encoding: quoted-printable"+eol+eol+asQP(text, eol))
			default:
				parts = append(parts, head+"Content-Transfer-Encoding: 8bit"+eol+eol+text)
			}
		}
		text := "MIME-Version: 1.0" + eol + "Content-Type: multipart/mixed; boundary=b1" + eol + eol + "--b1" + eol +
			strings.Join(parts, eol+"--b1"+eol) + eol + "--b1--" + eol
		if n%7 == 0 {
			text = "MIME-Version: 1.0" + eol + parts[0]
		}
		if isAmbiguous(t, text) {
			continue // see TestAmbiguousIsLeft
		}
		before := newWeb()
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: before, Select: all, Twin: n%3 == 0})
		back, inlined := inline(t, out, &rewrite.InlineOptions{Resolver: before.resolver(), Transport8bit: eight})
		if strings.Contains(back, "external-body") {
			t.Errorf("%d: got %s; %s,\n%q\nwant no message/external-body left", n, actions(report), actions(inlined), back)
		}
		if a, b := decoded(t, text), decoded(t, back); !slices.Equal(a, b) {
			t.Errorf("%d: got\n%q\nwant\n%q\nof\n%q\n%q\n%q", n, b, a, text, out, back)
		}
		if t.Failed() {
			return
		}
	}
}

// decoded returns the decoded octets of all leaves of a text, as they are stored.
func decoded(t *testing.T, text string) []string {
	t.Helper()
	w := newWeb()
	externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all})
	var all []string
	for i := range w.put {
		all = append(all, w.bodies[fmt.Sprint(w.base, i+1)])
	}
	return all
}

// TestFromLines: no line of a body that is put in is quoted in an mbox.
func TestFromLines(t *testing.T) {
	for _, text := range []string{"From me\n", "a\n\nFrom me\n", ">From me\n", "a\n>>>From me\n", "a\n" + strings.Repeat(">", 20) + "From me\n"} {
		w := newWeb("t", text)
		for _, m := range []string{mixed(ref("t", "Content-Type: text/plain\n")), strings.ReplaceAll(ref("t", "Content-Type: text/plain\n"), "\n", "\r\n")} {
			out, report := inline(t, m, &rewrite.InlineOptions{Resolver: w.resolver()})
			if report.Items[0].Action != rewrite.Replaced {
				t.Fatalf("%q: got %v, want it replaced", text, report.Items[0])
			}
			for line := range strings.Lines(out) {
				if strings.HasPrefix(strings.TrimLeft(line, ">"), "From ") {
					t.Errorf("%q: got the line %q, want none that is quoted", text, line)
				}
			}
		}
	}
}

// isAmbiguous reports whether mail programs disagree about the structure of a message.
func isAmbiguous(t *testing.T, text string) bool {
	for u := range open(t, text).Unread() {
		if u.Reason == externalbody.DiagAmbiguous {
			return true
		}
	}
	return false
}
