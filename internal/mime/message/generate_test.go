package message

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func quoteInt(n int) string { return strconv.Itoa(n) }

// A generator writes well-formed messages and the index that they have.
type generator struct {
	rand *rand.Rand
	eol  string
	next int
	want []string // section, type and body of each leaf
}

// message returns a message whose parts are numbered after section.
func (g *generator) message(section string, depth int) string {
	body := g.entity(section, true, depth)
	return "Subject: s" + g.eol + body
}

// entity returns the header and body of a part. The parts with that section, or of
// the message with that section, are appended to want.
func (g *generator) entity(section string, root bool, depth int) string {
	kind := g.rand.IntN(4)
	if depth == 0 {
		kind = 3
	}
	single := section
	if root {
		single = join(section, 1)
	}
	switch kind {
	case 0, 1:
		return g.multipart(section, depth)
	case 2:
		return "Content-Type: message/rfc822" + g.eol + g.eol + g.message(single, depth-1)
	}
	header := ""
	typ := "text/plain"
	if g.rand.IntN(2) == 0 {
		typ = "image/x-" + quoteInt(g.rand.IntN(9))
		header = "X-Other: " + g.eol + " fold" + g.eol + "content-type:" + g.eol + "\t" + typ + "; name=\"--x\"" + g.eol
	}
	body := g.body()
	g.want = append(g.want, fmt.Sprintf("%s %s %q", single, typ, body))
	return header + g.eol + body
}

func (g *generator) multipart(section string, depth int) string {
	g.next++
	boundary := []string{"=_", "a", "a b", "x:y", "--"}[g.rand.IntN(5)] + quoteInt(g.next) + "z"
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%q%s%s", boundary, g.eol, g.eol)
	if g.rand.IntN(2) == 0 {
		b.WriteString(g.body() + g.eol)
	}
	for i := range 1 + g.rand.IntN(3) {
		if i > 0 {
			b.WriteString(g.eol)
		}
		b.WriteString("--" + boundary + g.eol)
		b.WriteString(g.entity(join(section, i+1), false, depth-1))
	}
	b.WriteString(g.eol + "--" + boundary + "--")
	if g.rand.IntN(2) == 0 {
		b.WriteString(g.eol + g.body())
	}
	return b.String()
}

// body returns lines that look like delimiter lines but are not.
func (g *generator) body() string {
	var b strings.Builder
	for range g.rand.IntN(6) {
		b.WriteString([]string{"", "text", "--", "-- ", "--a0", "--=_1", "-", "--- ---", "A: b", "\x00\xff", strings.Repeat("x-", 600)}[g.rand.IntN(11)])
		b.WriteString(g.eol)
	}
	return b.String() + "end"
}

func join(section string, n int) string {
	if section == "" {
		return quoteInt(n)
	}
	return section + "." + quoteInt(n)
}

// leaves lists the leaves of an index as a generator does.
func leaves(x *Index, text string) []string {
	var list []string
	for _, p := range x.Parts {
		if p.kind == kindLeaf {
			list = append(list, fmt.Sprintf("%s %s %q", p.Section(), p.Type, text[p.Body.Start:p.Body.End]))
		}
	}
	return list
}

func generate(seed uint64) (text string, want []string) {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 1)), eol: "\r\n"}
	if seed%2 == 1 {
		g.eol = "\n"
	}
	text = g.message("", 4)
	return text, g.want
}

// standardLeaves lists the leaves as mime/multipart and net/mail find them.
func standardLeaves(section string, contentType string, root bool, body io.Reader) ([]string, error) {
	if contentType == "" {
		contentType = "text/plain"
	}
	typ, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(typ, "multipart/") {
		var list []string
		r := multipart.NewReader(body, params["boundary"])
		for n := 1; ; n++ {
			part, err := r.NextRawPart()
			if errors.Is(err, io.EOF) {
				return list, nil
			}
			if err != nil {
				return nil, err
			}
			inner, err := standardLeaves(join(section, n), part.Header.Get("Content-Type"), false, part)
			if err != nil {
				return nil, err
			}
			list = append(list, inner...)
		}
	}
	if root {
		section = join(section, 1)
	}
	if typ == "message/rfc822" {
		m, err := mail.ReadMessage(body)
		if err != nil {
			return nil, err
		}
		return standardLeaves(section, m.Header.Get("Content-Type"), true, m.Body)
	}
	text, err := io.ReadAll(body)
	return []string{fmt.Sprintf("%s %s %q", section, typ, text)}, err
}

func checkGenerated(t *testing.T, seed uint64) {
	t.Helper()
	text, want := generate(seed)
	x := mustScan(t, text, Limits{})
	if got := leaves(x, text); !slices.Equal(got, want) {
		t.Errorf("of %q got\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, p := range x.Parts {
		if p.Diag != 0 {
			t.Errorf("part %q of %q: got %v, want 0", p.Section(), text, p.Diag)
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	standard, err := standardLeaves("", m.Header.Get("Content-Type"), true, m.Body)
	if err != nil {
		t.Fatalf("%q: got error %v, want none", text, err)
	}
	if !slices.Equal(standard, want) {
		t.Errorf("mime/multipart has, of %q,\n%s\nwant\n%s", text, strings.Join(standard, "\n"), strings.Join(want, "\n"))
	}
}

// TestGenerated compares with the writer of the messages and with mime/multipart.
func TestGenerated(t *testing.T) {
	for seed := range uint64(500) {
		checkGenerated(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d: got what differs, want the same as its writer and mime/multipart", seed)
		}
	}
}

func FuzzGenerated(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkGenerated(t, seed) })
}

// pythonHeaders has Python's email read messages, one process for all of them.
const pythonHeaders = `
import base64, email, email.policy, json, sys
for line in sys.stdin:
    m = email.message_from_bytes(base64.b64decode(line), policy=email.policy.compat32)
    print(json.dumps({"names": m.keys(), "type": m.get_content_type(), "body": m.get_payload()}))
`

// TestPythonHeaders: Python's email ends headers where a scan does, and finds the
// same fields, when lines without a field name are among them. A name with a blank
// in it is left out: Python ends the header there, and GMime and nmh do not.
func TestPythonHeaders(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	lines := []string{": x\n", ":\n", ":: y\n", "A: b\n", "Content-Type: image/png;\n", " continued\n", "\t: z\n", "no field\n", "\n", "Subject:\n"}
	r := rand.New(rand.NewPCG(1, 2))
	var texts []string
	var in bytes.Buffer
	for range 400 {
		text := lines[r.IntN(5)]
		for range r.IntN(8) {
			text += lines[r.IntN(len(lines))]
		}
		texts = append(texts, text)
		in.WriteString(base64.StdEncoding.EncodeToString([]byte(text)) + "\n")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", pythonHeaders)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	theirs := json.NewDecoder(bytes.NewReader(out))
	for _, text := range texts {
		var want struct {
			Names      []string
			Type, Body string
		}
		if err := theirs.Decode(&want); err != nil {
			t.Fatal(err)
		}
		p := mustScan(t, text, Limits{}).Root()
		names := []string{}
		for f := range Fields(text[:p.Header.End], 0) {
			if f.Name != "" {
				names = append(names, f.Name)
			}
		}
		body := text[p.Body.Start:p.Body.End]
		if !slices.Equal(names, want.Names) || p.Type != want.Type || body != want.Body {
			t.Errorf("%q: got %q %s %q, want %q %s %q", text, names, p.Type, body, want.Names, want.Type, want.Body)
		}
	}
	if !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, ": x\nContent-Type") }) {
		t.Error("no text has a field after a malformed one")
	}
}
