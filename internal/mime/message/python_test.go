package message

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

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
