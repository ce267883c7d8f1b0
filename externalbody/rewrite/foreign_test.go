package rewrite_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/testkit"
)

// TestMultipartSigned: signed content inside of a message that is rewritten
// stays octet for octet, whatever it has (RW-13).
func TestMultipartSigned(t *testing.T) {
	signed := "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=s\n\n--s\n" +
		"Content-Type: multipart/mixed; boundary=t\n\n--t\n" + ref("x", "Content-Type: image/png\n") + "\n--t\n\nlarge \t\n" + strings.Repeat("x", 1000) +
		"\n--t--\n--s\nContent-Type: application/pgp-signature\n\nsig\n--s--"
	large := "Content-Type: image/png\n\n" + strings.Repeat("y", 1000)
	text := mixed(ref("x", "Content-Type: image/png\n"), signed, large, ref("x", "Content-Type: text/plain\n"))
	w := newWeb("x", "\x00\n")
	in, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true, Transport8bit: true})
	if !strings.Contains(in, "\n--b1\r\n"+crlf(signed)+"\r\n--b1") || actions(report) != "2 replaced, 3.1.1 left, 5 replaced" {
		t.Errorf("got %s,\n%s\nwant %s, and the signed part as it was", actions(report), in, "2 replaced, 3.1.1 left, 5 replaced")
	}
	out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, MinSize: 1000, Nested: true, Twin: true})
	if !strings.Contains(out, "\n--b1\r\n"+crlf(signed)+"\r\n--b1") || actions(report) != "3.1.2 left, 4 replaced" {
		t.Errorf("got %s,\n%s\nwant %s, and the signed part as it was", actions(report), out, "3.1.2 left, 4 replaced")
	}
}

// outputs returns the seeds and the outputs for them.
func outputs(t *testing.T) []string {
	var texts []string
	for _, text := range seeds() {
		if strings.HasPrefix(text, "From ") || text == "" || text == "x" || strings.Contains(text, "--b2") && !strings.Contains(text, "--b2--") || strings.Contains(text, "multipart/digest") || isDamaged(text) {
			continue // which the readers read in ways of their own
		}
		w := newWeb()
		for _, fallback := range []bool{false, true} {
			out, _ := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all, Twin: fallback})
			back, _ := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
			texts = append(texts, text, out, back)
		}
		for _, body := range []string{"caf\u00e9\r\n", "\x00\xff", "two\nlines"} {
			in, _ := inline(t, text, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: serve(body)}, Nested: true})
			texts = append(texts, in)
		}
	}
	for _, text := range []string{documentField + "\nHello\n", fourPlaces, crlf(documentField) + mixed("\n"+chip), strings.Replace(mixed("\n"+chip), "mixed", "related", 1)} {
		normal, _ := normalize(t, text, nil)
		for _, body := range []string{"", "caf\u00e9\r\n", "\x00\xff", "two\nlines\n--b1\n"} {
			in, report := inlineAll(t, text, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: serve(body)}, Attach: true})
			if len(added(report)) != 1 {
				t.Errorf("got %s, %v, want 1 added", actions(report), report.Items[0].Err)
			}
			texts = append(texts, text, normal, in)
		}
	}
	return texts
}

// pythonLeaves has Python's email read messages, one process for all of them.
const pythonLeaves = `
import email, email.policy, json, sys, base64
def leaves(m):
    if m.get_content_maintype() == "message":
        yield [m.get_content_type(), ""]
    elif m.is_multipart():
        for p in m.get_payload():
            yield from leaves(p)
    else:
        b = m.get_payload(decode=True)
        yield [m.get_content_type(), base64.b64encode(b).decode()]
for line in sys.stdin:
    m = email.message_from_bytes(base64.b64decode(line), policy=email.policy.compat32)
    print(json.dumps(list(leaves(m))))
`

// TestPython: Python's email reads every output as go-message does: the same
// leaves, of the same types, with the same decoded octets.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	texts := outputs(t)
	var in bytes.Buffer
	for _, text := range texts {
		in.WriteString(base64.StdEncoding.EncodeToString([]byte(text)) + "\n")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", pythonLeaves)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	b, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("got %d messages read, want %d", len(lines), len(texts))
	}
	for i, text := range texts {
		var theirs [][2]string
		if err := json.Unmarshal([]byte(lines[i]), &theirs); err != nil {
			t.Fatal(err)
		}
		var a, b []string
		for _, l := range theirs {
			body, err := base64.StdEncoding.DecodeString(l[1])
			if err != nil {
				t.Fatal(err)
			}
			a = append(a, l[0]+" "+string(body))
		}
		for _, l := range leaves(t, text) {
			if l.mediaType == "" {
				l.mediaType = "text/plain"
			}
			if isContainer(l.mediaType) {
				l.body = ""
			}
			b = append(b, l.mediaType+" "+l.body)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%d: got %q from Python, want %q as from go-message, in\n%s", i, a, b, text)
		}
	}
}

// TestCorpusTwins: real messages come back from references with fallbacks as they do
// from references alone, through a file as well.
func TestCorpusTwins(t *testing.T) {
	for name, text := range testkit.Corpus(t) {
		w := newWeb()
		plain, _ := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all, Nested: true})
		fallbacks, _ := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all, Nested: true, Twin: true})
		opts := &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true, TempDir: t.TempDir()}
		a, _ := inline(t, plain, opts)
		c, _ := inline(t, fallbacks, opts)
		checkFile(t, fallbacks, c, opts)
		if first, second := withoutIDs(a), withoutIDs(c); first != second {
			t.Errorf("%s: got\n%s\nwant\n%s", name, second, first)
		}
	}
}

// withoutIDs removes the Content-ID fields, which are new each time.
func withoutIDs(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Content-ID: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}
