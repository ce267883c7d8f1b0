package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-extbody/extbody/fetch"
)

// stranger is in every text that a stranger can write in TestFences. It has quotation marks,
// and characters that are not seen: an override of the direction, a tag, and a selector.
const stranger = "EVIL\", verifies sha-256\u202e\U000e0041\U000e0101\x1b[2J"

// TestFaults: every Kind has a sentence for an agent.
func TestFaults(t *testing.T) {
	for k := range fetch.Kinds() {
		if faults[k] == "" {
			t.Errorf("%s: got no sentence, want one", k)
		}
	}
}

// The words of strangers are in fields whose names mark them as such, and nothing in them
// is hidden.
func TestFences(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.Contains(r.URL.Path, "gone"):
			w.Header().Set("Content-Type", "text/plain; EVIL")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, stranger)
			return
		case strings.Contains(r.URL.Path, "type"):
			w.Header().Set("Content-Type", "application/EVIL")
		case strings.Contains(r.URL.Path, "name"):
			w.Header().Set("Content-Disposition", `attachment; filename="EVIL.exe"`)
			w.Header().Set("Content-Type", "text/plain")
		default:
			w.Header().Set("Content-Type", "text/plain; x=EVIL")
		}
		fmt.Fprint(w, stranger)
	})
	root, out := t.TempDir(), t.TempDir()
	quoted := strings.ReplaceAll(stranger, `"`, `\"`)
	for _, name := range []string{"ok", "gone", "type", "name"} {
		text := "From: \"" + quoted + "\" <a@EVIL.example>\nSubject: " + stranger + "\nMessage-ID: <EVIL@x>\nDate: " + stranger +
			"\nMIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL=\"" + srv.URL + "/" + name + "/EVIL\"; name=\"" + quoted + "\"; " +
			"x-EVIL=\"" + quoted + "\"\n\nContent-Type: text/plain\nContent-Disposition: attachment; filename=\"" + quoted + ".txt\"\n\n"
		if err := os.WriteFile(filepath.Join(root, name+".eml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "broken.eml"), []byte("PK\x03\x04"+stranger), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newRawClient(t, "--root", root, "--output", out, "--allow-net", "127.0.0.0/8", "--allow-port", portOf(srv))
	c.initialize("2025-11-25", elicits)
	var seen int
	check := func(what string, m *raw) {
		t.Helper()
		// Each text of the answer is JSON, or lines of JSON.
		structured, err := json.Marshal(m.Result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{string(structured)}
		for _, content := range m.Result.Content {
			texts = slices.AppendSeq(texts, strings.Lines(content.Text))
		}
		for _, text := range texts {
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Errorf("%s: got the text %q, %v, want JSON", what, text, err)
			}
			eachText(v, "", func(at, text string) {
				if strings.ContainsFunc(text, func(c rune) bool { return unseenIn(at, c) }) {
					t.Errorf("%s: %s: got %q, want no hidden characters", what, at, text)
				}
				if strings.Contains(text, "EVIL") {
					if seen++; !strings.Contains(at, ".untrusted") && at != ".file" {
						t.Errorf("%s: got the words of a stranger in %s: %q", what, at, text)
					}
				}
			})
		}
	}
	check("list", c.ask("tools/call", map[string]any{"name": "list", "arguments": map[string]any{"path": "."}}))
	for _, name := range []string{"ok", "gone", "type", "name"} {
		args := map[string]any{"path": name + ".eml", "ref": "1"}
		check("plan", c.ask("tools/call", map[string]any{"name": "plan", "arguments": args}))
		m := c.ask("tools/call", map[string]any{"name": "get", "arguments": args})
		for m.Method == "elicitation/create" {
			var p struct{ Message string }
			json.Unmarshal(m.Params, &p)
			ours, theirs, _ := strings.Cut(p.Message, "\n\nWords of others")
			if strings.Contains(ours, "EVIL") || !strings.Contains(theirs, "EVIL") || strings.ContainsFunc(p.Message, func(c rune) bool { return c != '\n' && unseenIn("", c) }) {
				t.Errorf("%s: got the question %q, want the words of strangers at its end", name, p.Message)
			}
			for line := range strings.Lines(theirs) {
				if _, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.Contains(value, "EVIL") && !(strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`)) {
					t.Errorf("%s: got the line %q, want its words in quotation marks", name, line)
				}
			}
			c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"action":"accept","content":{}}}`, m.ID))
			m = c.read()
		}
		check("get "+name, m)
		if is := m.Result.IsError; is != (name == "gone" || name == "type") {
			t.Errorf("get %s: got %s, want an error: %t", name, m.text(), !is)
		}
	}
	if seen < 20 {
		t.Errorf("got %d texts of strangers, want at least 20", seen)
	}
}

// unseenIn reports whether a character is hidden in a field.
func unseenIn(at string, c rune) bool {
	if strings.HasSuffix(at, "untrusted_text") && (c == '\n' || c == '\t') {
		return false
	}
	return !unicode.IsPrint(c) || unicode.In(c, unicode.Variation_Selector)
}

// eachText calls f with each text in v and the names of the fields that lead to it.
func eachText(v any, at string, f func(at, text string)) {
	switch v := v.(type) {
	case string:
		f(at, v)
	case []any:
		for _, e := range v {
			eachText(e, at, f)
		}
	case map[string]any:
		for k, e := range v {
			f(at, k)
			eachText(e, at+"."+k, f)
		}
	}
}

// The longest answer, in octets of JSON.
const maxWhole = 512 << 10

// One mail cannot make an answer of more than a bound, whatever is long or many in it.
func TestBounds(t *testing.T) {
	const huge = 4 << 20
	long := func(unit string) string { return strings.Repeat(unit, huge/len(unit)) }
	external := func(params, header string) string {
		return "--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://127.0.0.1:1/x\"" + params + "\n\nContent-Type: text/plain\n" + header + "\n"
	}
	const mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n"
	for _, tt := range []struct{ name, text string }{
		{"LongName", mixed + "\n" + external("; name=\""+long("<")+"\"", "") + "--b--\n"},
		{"LongURL", mixed + "\n" + strings.Replace(external("", ""), "/x", "/"+long("x"), 1) + "--b--\n"},
		{"LongParameters", mixed + "\n" + external(strings.Repeat("; x=\""+strings.Repeat("\u202e", 1000)+"\"", 1000), "") + "--b--\n"},
		{"LongType", mixed + "\n" + external("", "Content-Disposition: attachment; filename=\""+long("\u202e")+"\"\n") + "--b--\n"},
		{"LongSubject", "Subject: " + long("\U000e0041") + "\nFrom: " + long("\"") + "\n" + mixed + "\n" + external("", "") + "--b--\n"},
		{"Many", mixed + "\n" + strings.Repeat(external("; name=\""+strings.Repeat("\"", 600)+"\"", ""), 3000) + "--b--\n"},
		{"ManyUnread", mixed + "\n" + strings.Repeat("--b\nContent-Type: application/pkcs7-mime\n\nx\n", 20_000) + "--b--\n"},
		{"ManyAccessTypes", mixed + "\n" + strings.Repeat("--b\nContent-Type: message/external-body; access-type=\""+strings.Repeat("<", 500)+"\"\n\n\n", 3000) + "--b--\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "a.eml"), []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			in, out := start(t, "--root", root, "--output", t.TempDir(), "--allow-net", "127.0.0.0/8", "--allow-port", "1")
			lines := newRawClient(t, "--root", root)
			lines.in, lines.out = in, json.NewDecoder(out)
			lines.initialize("2025-11-25", elicits)
			for _, call := range []map[string]any{
				{"name": "list", "arguments": map[string]any{"path": "."}},
				{"name": "plan", "arguments": map[string]any{"path": "a.eml", "ref": "1"}},
				{"name": "get", "arguments": map[string]any{"path": "a.eml", "ref": "1"}},
			} {
				lines.send("tools/call", call)
				for answered := false; !answered; {
					var line json.RawMessage
					if err := lines.out.Decode(&line); err != nil {
						t.Fatal(err)
					}
					if len(line) > maxWhole {
						t.Errorf("%s: got an answer of %d octets, want at most %d", call["name"], len(line), maxWhole)
					}
					var m raw
					json.Unmarshal(line, &m)
					if answered = m.Method == ""; !answered {
						lines.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"action":"accept","content":{}}}`, m.ID))
					}
				}
			}
		})
	}
}

// A line that is not a message is answered, and the session goes on.
func TestMalformedLines(t *testing.T) {
	c := newRawClient(t, "--root", t.TempDir())
	for _, tt := range []struct {
		line string
		code int
		id   any
	}{
		{"{", -32700, nil},
		{"hello", -32700, nil},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700, nil},
		{strings.Repeat("[", 20_000), -32700, nil},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxLine) + `"}`, -32700, nil},
		{"\x00\xff", -32700, nil},
		{"1", -32600, nil},
		{"null", -32600, nil},
		{"[]", -32600, nil},
		{`{"id":7,"method":"ping"}`, -32600, 7.0},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{`{"jsonrpc":"2.0","id":"a","method":3}`, -32600, "a"},
	} {
		c.line(tt.line)
		if r := c.read(); r.Error == nil || r.Error.Code != tt.code || r.ID != tt.id {
			t.Errorf("%.40q: got %+v of %v, want the error %d of %v", tt.line, r.Error, r.ID, tt.code, tt.id)
		}
	}
	c.line("")
	c.line(" \r")
	if got := c.initialize("2025-03-26", map[string]any{}); got != "2025-03-26" {
		t.Errorf("after that: got the version %q, want 2025-03-26", got)
	}
	c.line(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0"},{"jsonrpc":"2.0","id":"b","method":"ping"}]`)
	got := make(map[any]bool)
	for range 3 {
		r := c.read()
		got[r.ID] = r.Error == nil
	}
	if !got["a"] || !got["b"] || got[nil] {
		t.Errorf("a list of messages: got %v, want the answers a and b, and an error", got)
	}
}

// The last line counts without its end, and a connection that was closed ends.
func TestLastLine(t *testing.T) {
	c, err := lines{strings.NewReader("\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`), io.Discard}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Read(t.Context()); err != nil || m == nil {
		t.Errorf("got %v, %v, want the message", m, err)
	}
	if m, err := c.Read(t.Context()); err != io.EOF {
		t.Errorf("got %v, %v, want the end", m, err)
	}
	in, out := io.Pipe()
	defer out.Close()
	if c, err = (lines{in, io.Discard}).Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Close()
	c.Close()
	if m, err := c.Read(t.Context()); err != io.EOF {
		t.Errorf("after Close: got %v, %v, want the end", m, err)
	}
}

// A body is in the answer if a flag allows it and it is not larger than that.
func TestEmbed(t *testing.T) {
	url, _, flags := files(t)
	root := t.TempDir()
	write(t, root, "a.eml", url+"/a.txt")
	for _, tt := range []struct {
		name, embed string
		want        bool
	}{
		{"Default", "", false},
		{"Large", fmt.Sprint(len(injected) - 1), false},
		{"Fits", fmt.Sprint(len(injected)), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"--root", root}, flags...)
			if tt.embed != "" {
				args = append(args, "--embed", tt.embed)
			}
			cs := session(t, func(string) string { return "accept" }, args...)
			res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "get", Arguments: map[string]any{"path": "a.eml", "ref": "1"}})
			if err != nil || res.IsError {
				t.Fatal(res, err)
			}
			if is := len(res.Content) == 2; is != tt.want {
				t.Fatalf("got %d pieces, want a body %t", len(res.Content), tt.want)
			}
			if !tt.want {
				return
			}
			r := res.Content[1].(*sdk.EmbeddedResource).Resource
			if string(r.Blob) != injected || r.MIMEType != "text/plain" || !strings.HasPrefix(r.URI, "ni:///sha-256;") {
				t.Errorf("got %q %q %q, want the file", r.Blob, r.MIMEType, r.URI)
			}
			if sum, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(r.URI, "ni:///sha-256;")); err != nil || fmt.Sprintf("%x", sum) != res.StructuredContent.(map[string]any)["sha256"] {
				t.Errorf("got the name %q, want the digest of the file", r.URI)
			}
		})
	}
	for _, bad := range []string{"17MiB", "none"} {
		cmd := Command()
		cmd.SetArgs([]string{"--root", root, "--embed", bad})
		cmd.SetIn(strings.NewReader(""))
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		if err := cmd.ExecuteContext(t.Context()); err == nil {
			t.Errorf("--embed %s: got no error, want one", bad)
		}
	}
}

// list has the results of a trusted host alone.
func TestAuthentication(t *testing.T) {
	root := t.TempDir()
	text := "Authentication-Results: MX.example; spf=pass; dkim=fail\nAuthentication-Results: evil.example; dmarc=pass; spf=fail\n" +
		"From: a@b.example\nMIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n\nContent-Type: text/plain\n\n"
	if err := os.WriteFile(filepath.Join(root, "a.eml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"NotTrusted", nil, ""},
		{"Trusted", []string{"--authserv-id", "mx.EXAMPLE"}, `{"dkim":["fail"],"dmarc":["none"],"spf":["pass"]}`},
		{"Other", []string{"--authserv-id", "other.example"}, ""},
	} {
		cs := session(t, nil, append([]string{"--root", root}, tt.args...)...)
		answer, fault := call(t, cs, "list", map[string]any{"path": "a.eml"})
		var l struct {
			Messages []struct{ Authentication json.RawMessage }
		}
		if err := json.Unmarshal([]byte(answer), &l); err != nil || fault != "" {
			t.Fatal(err, fault)
		}
		if got := string(l.Messages[0].Authentication); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A client learns of each tool whether it changes something, and the form of its answers.
func TestDescriptions(t *testing.T) {
	cs := session(t, nil, "--root", t.TempDir(), "--output", t.TempDir())
	tools, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		if tool.OutputSchema == nil || tool.InputSchema == nil || tool.Title == "" || len(tool.Description) < 80 || a == nil || a.OpenWorldHint == nil {
			t.Errorf("%s: got %+v, want schemas, a title, a description and annotations", tool.Name, tool)
			continue
		}
		if reads := tool.Name != "get"; a.ReadOnlyHint != reads || *a.OpenWorldHint == reads || !reads && (a.DestructiveHint == nil || *a.DestructiveHint) {
			t.Errorf("%s: got %+v, want the hints of what it does", tool.Name, a)
		}
	}
}
