package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// several returns a message with a part of the standard form for each URL. A URL may be followed by more parameters.
func several(urls ...string) string {
	text := "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	for i, url := range urls {
		url, params, _ := strings.Cut(url, " ")
		text += fmt.Sprintf("--b\nContent-Type: message/external-body; access-type=URL; URL=\"%s\"%s\n\n", url, params)
		text += fmt.Sprintf("Content-Type: text/plain\nContent-ID: <%d@y>\nContent-Disposition: attachment; filename=\"%d.txt\"\n\n", i, i)
	}
	return text + "--b--\n"
}

// counted returns a server of files that counts the requests of each path, and the flags with which it may be asked. /hop
// leads to the same server by another name, and /program is not of the type that was announced.
func counted(t *testing.T) (url string, asked func() map[string]int, flags []string) {
	t.Helper()
	needsLocalhost(t)
	var mu sync.Mutex
	count := make(map[string]int)
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		count[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/hop":
			http.Redirect(w, r, strings.Replace("http://"+r.Host+"/target", "127.0.0.1", "localhost", 1), http.StatusFound)
			return
		case "/program":
			fmt.Fprint(w, "MZ\x90\x00"+strings.Repeat("\x00", 60)+"PE\x00\x00")
			return
		}
		fmt.Fprint(w, "hello")
	})
	asked = func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(count)
	}
	return srv.URL, asked, []string{"--output", t.TempDir(), "--allow-net", "127.0.0.0/8", "--allow-net", "::1/128", "--allow-port", portOf(srv)}
}

// TestTogether: one question is about several files of a message. The agreement is for exactly these downloads, once each and in this
// call: a redirect and a file of another kind are asked about alone, and the next call asks anew (OP-33).
func TestTogether(t *testing.T) {
	for _, version := range []string{"2025-11-25", askLater} {
		t.Run(version, func(t *testing.T) {
			url, asked, flags := counted(t)
			root := t.TempDir()
			text := several(url+"/a ; size=5", url+"/hop", url+"/program", url+"/left")
			if err := os.WriteFile(filepath.Join(root, "a.eml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var questions []string
			answer := func(string) string { return "accept" }
			cs := sessionIn(t, version, func(text string) string { questions = append(questions, text); return answer(text) }, append([]string{"--root", root}, flags...)...)
			get := func(refs ...string) (getOutput, string) {
				questions = nil
				text, fault := call(t, cs, "get", map[string]any{"path": "a.eml", "refs": refs})
				var out getOutput
				json.Unmarshal([]byte(text), &out)
				return out, fault
			}
			out, fault := get("1", "2", "3", "1")
			if fault != "" || len(out.Files) != 3 || len(questions) != 3 {
				t.Fatalf("got %+v, %q after the questions %q, want 3 files after 3", out, fault, questions)
			}
			for i, want := range []string{"1. 127.0.0.1:", "contacts: localhost:", "Keep this file?"} {
				if !strings.Contains(questions[i], want) {
					t.Errorf("question %d: got %q, want %q", i, questions[i], want)
				}
			}
			for _, want := range []string{"Get these 3 files?", "5 octets", "2. 127.0.0.1:", "size unknown", "not encrypted", `"0.txt"`, `"2.txt"`, "learns: the address of this machine"} {
				if strings.Count(questions[0], want) == 0 {
					t.Errorf("got the question %q, want %q", questions[0], want)
				}
			}
			if strings.Count(questions[0], "learns: the address of this machine") != 1 {
				t.Errorf("got the question %q, want each fact about a host once", questions[0])
			}
			for i, f := range out.Files {
				if b, err := os.ReadFile(f.File); err != nil || int64(len(b)) != *f.Bytes || f.Ref != fmt.Sprint(i+1) || f.SHA256 == "" {
					t.Errorf("file %d: got %+v, %v, want it with its size", i, f, err)
				}
			}
			want := map[string]int{"/a": 1, "/hop": 1, "/target": 1, "/program": 1}
			if got := asked(); !maps.Equal(got, want) {
				t.Errorf("got the requests %v, want %v", got, want)
			}
			// The next call asks anew, for the same files and for one of them.
			if _, fault := get("1", "4"); fault != "" || len(questions) != 1 {
				t.Errorf("again: got %q and %d questions, want 1", fault, len(questions))
			}
			if _, fault := get("1"); fault != "" || len(questions) != 1 || !strings.Contains(questions[0], "Get this file?") {
				t.Errorf("one of them: got %q and the questions %q, want one about one file", fault, questions)
			}
			// A file whose redirect is declined fails alone.
			answer = func(text string) string {
				if strings.Contains(text, "redirects there") {
					return "decline"
				}
				return "accept"
			}
			out, fault = get("2", "4")
			if fault != "" || len(out.Files) != 2 || len(questions) != 2 {
				t.Fatalf("got %+v, %q after the questions %q, want 2 outcomes after 2", out, fault, questions)
			}
			if first := out.Files[0].Failed; first == nil || first.Kind != "denied" || first.Text != string(errDeclined) || out.Files[0].File != "" {
				t.Errorf("got %+v, want the file with the redirect denied", out.Files[0])
			}
			if out.Files[1].Failed != nil || out.Files[1].File == "" {
				t.Errorf("got %+v, want the other file", out.Files[1])
			}
			if _, fault = get("1", "4"); !strings.Contains(fault, string(errDeclinedIt)) || len(questions) != 0 {
				t.Errorf("after a decline: got %q and %d questions, want none", fault, len(questions))
			}
		})
	}
}

// A decline of several files contacts none of their hosts, also none that a rule allows. Without a client that can ask,
// those come that a rule allows.
func TestTogetherDenied(t *testing.T) {
	url, asked, flags := counted(t)
	root := t.TempDir()
	rules := filepath.Join(root, "policy.toml")
	local := strings.Replace(url, "127.0.0.1", "localhost", 1)
	for name, text := range map[string]string{
		"a.eml": several(url+"/a", local+"/b", url+"/c"), "policy.toml": "[[rule]]\nname = 'r'\nhost = 'localhost'\naction = 'none'\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"--root", root, "--policy", rules}, flags...)
	refs := map[string]any{"path": "a.eml", "refs": []string{"1", "2", "3"}}
	shown := ""
	cs := session(t, func(text string) string { shown = text; return "decline" }, args...)
	if answer, fault := call(t, cs, "get", refs); !strings.Contains(fault, string(errDeclined)) || len(asked()) != 0 {
		t.Errorf("got %s %q and the requests %v, want a refusal and none", answer, fault, asked())
	}
	if !strings.Contains(shown, "Get these 2 files?") || strings.Contains(shown, "localhost") {
		t.Errorf("got the question %q, want one about the files that no rule allows", shown)
	}
	records, err := os.ReadFile(filepath.Join(flags[1], "records.jsonl"))
	if err != nil || strings.Count(string(records), `"kind":"denied"`) != 3 {
		t.Errorf("got the records %s, %v, want 3 that are denied", records, err)
	}
	cs = session(t, nil, args...)
	answer, fault := call(t, cs, "get", refs)
	var out getOutput
	json.Unmarshal([]byte(answer), &out)
	if fault != "" || len(out.Files) != 3 || out.Files[1].File == "" || !maps.Equal(asked(), map[string]int{"/b": 1}) {
		t.Fatalf("got %s %q and the requests %v, want the file that a rule allows", answer, fault, asked())
	}
	for _, i := range []int{0, 2} {
		if f := out.Files[i].Failed; f == nil || f.Text != string(errCannotAsk) {
			t.Errorf("file %d: got %+v, want %q", i, out.Files[i], errCannotAsk)
		}
	}
}

// sendersBox writes 5000 mails to the file box in a folder, the newest first, an hour apart. Each thousandth, from the first on, is of one
// sender and has three files, whose URLs are below url.
func sendersBox(t *testing.T, root, url string, newest time.Time) {
	t.Helper()
	var box strings.Builder
	for i := range 5000 {
		from := "bob@other.example"
		urls := []string{fmt.Sprintf("%s/bob%d", url, i)}
		if i%1000 == 0 {
			from = "ann@sender.example"
			urls = []string{fmt.Sprintf("%s/ann%d/1 ; size=5", url, i), fmt.Sprintf("%s/ann%d/2", url, i), fmt.Sprintf("%s/ann%d/3", url, i)}
		}
		date := newest.Add(-time.Duration(i) * time.Hour).Format(time.RFC1123Z)
		text := strings.Replace(several(urls...), "From: a@b.example", "From: "+from+"\nDate: "+date, 1)
		fmt.Fprintf(&box, "From a@b.example Mon Jan  2 15:04:05 2006\n%s\n", text)
	}
	if err := os.WriteFile(filepath.Join(root, "box"), []byte(box.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newestMail is the time of the newest mail of sendersBox in tests.
var newestMail = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// maxOctets is 5000 tokens of four octets.
const maxOctets = 4 * 5000

// TestFewCalls: an agent has the files of one sender's mail of a week, out of 5000 mails, in two calls, with one question and fewer
// than 5000 tokens of four octets.
func TestFewCalls(t *testing.T) {
	url, asked, flags := counted(t)
	root := t.TempDir()
	sendersBox(t, root, url, newestMail)
	questions := 0
	cs := session(t, func(string) string { questions++; return "accept" }, append([]string{"--root", root}, flags...)...)
	octets := 0
	tool := func(name string, args map[string]any, to any) {
		res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		if err != nil || res.IsError {
			t.Fatalf("%s: got %+v, %v, want an answer", name, res, err)
		}
		b, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		octets += len(b)
		b, err = json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, to); err != nil {
			t.Fatal(err)
		}
	}
	var l listed
	tool("list", map[string]any{"path": "box", "from": "ann@sender.example", "since": "2026-11-13"}, &l)
	if len(l.References) != 3 {
		t.Fatalf("got %+v, want the 3 files of the newest mail of the sender", l)
	}
	var refs []string
	for _, r := range l.References {
		refs = append(refs, r.Ref)
	}
	var out getOutput
	tool("get", map[string]any{"path": l.References[0].Path, "index": *l.References[0].Index, "refs": refs}, &out)
	if len(out.Files) != 3 || questions != 1 || !maps.Equal(asked(), map[string]int{"/ann0/1": 1, "/ann0/2": 1, "/ann0/3": 1}) {
		t.Errorf("got %+v after %d questions and the requests %v, want 3 files after one", out, questions, asked())
	}
	if octets > maxOctets {
		t.Errorf("got %d octets of answers, want at most %d", octets, maxOctets)
	}
	t.Logf("2 calls, %d octets", octets)
}

// TestForeignAgent: an agent on npm's SDK, which TestForeignClient has too, gets these files in at most four calls, and reads at most
// 5000 tokens, the list of the tools with them.
func TestForeignAgent(t *testing.T) {
	client, program := foreign(t)
	url, asked, flags := counted(t)
	root := t.TempDir()
	sendersBox(t, root, url, newestMail)
	args := []string{"testdata/agent.mjs", client, "ann@sender.example", "2026-11-13", program, "mcp", "--root", root, "--output", t.TempDir()}
	cmd := exec.CommandContext(t.Context(), "node", append(args, flags...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, out)
	}
	var got struct {
		Calls, Octets, Tools int
		Files, Questions     []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Calls > 4 || got.Octets+got.Tools > maxOctets {
		t.Errorf("got %d octets of answers to %d calls, and %d of tools, want at most %d to 4", got.Octets, got.Calls, got.Tools, maxOctets)
	}
	if !maps.Equal(asked(), map[string]int{"/ann0/1": 1, "/ann0/2": 1, "/ann0/3": 1}) || len(got.Questions) != 1 || len(got.Files) != 3 {
		t.Errorf("got %s and the requests %v, want 3 files after one question", out, asked())
	}
	for _, file := range got.Files {
		if text, err := os.ReadFile(file); err != nil || len(text) == 0 {
			t.Errorf("got %q, %v, want the file of its answer", text, err)
		}
	}
	t.Logf("%d calls, %d octets of answers, %d of tools", got.Calls, got.Octets, got.Tools)
}

// The words of strangers are at the end of the question about several files. Together these fill an answer no more than one file
// does with --embed, and their texts a short one.
func TestTogetherBounds(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, strings.Repeat("x", 6000))
	})
	root := t.TempDir()
	var urls []string
	for i := range 6 {
		urls = append(urls, fmt.Sprintf("%s/EVIL%d ; name=\"EVIL\"", srv.URL, i))
	}
	text := strings.ReplaceAll(several(urls...), "filename=\"", "filename=\"EVIL")
	if err := os.WriteFile(filepath.Join(root, "a.eml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := ""
	cs := session(t, func(text string) string { shown = text; return "accept" },
		"--root", root, "--output", t.TempDir(), "--embed", "13KB", "--allow-net", "127.0.0.0/8", "--allow-port", portOf(srv))
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "get", Arguments: map[string]any{"path": "a.eml", "refs": []string{"1", "2", "3", "4", "5", "6"}}})
	if err != nil || res.IsError {
		t.Fatalf("got %+v, %v, want 6 files", res, err)
	}
	ours, theirs, _ := strings.Cut(shown, "\n\nWords of others")
	if strings.Contains(ours, "EVIL") || !strings.Contains(theirs, "6. name: \"EVIL5.txt\"") {
		t.Errorf("got the question %q, want the words of others at its end", shown)
	}
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var out getOutput
	json.Unmarshal(b, &out)
	texts := 0
	for _, f := range out.Files {
		texts += strings.Count(f.Text, "x")
	}
	fills := texts <= maxShort && texts > maxShort-20 // each cut has a mark
	if len(out.Files) != 6 || len(res.Content) != 1+2 || !fills {
		t.Errorf("got %d files, %d contents and %d octets of text, want 6, 2 embedded files and nearly %d octets", len(out.Files), len(res.Content), texts, maxShort)
	}
}

// The arguments of get name one reference or several, and an answer counts for exactly those that its question listed.
func TestTogetherArguments(t *testing.T) {
	url, asked, flags := counted(t)
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.eml"), []byte(several(url+"/a", url+"/b", url+"/c")), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newRawClient(t, append([]string{"--root", root}, flags...)...)
	for _, tt := range []struct {
		name string
		args map[string]any
		want refusal
	}{
		{"None", map[string]any{}, errRefs},
		{"Both", map[string]any{"ref": "1", "refs": []string{"2"}}, errRefs},
		{"Empty", map[string]any{"refs": []string{}}, errRefs},
		{"TooMany", map[string]any{"refs": slices.Repeat([]string{"1"}, maxRefs+1)}, errManyRefs},
		{"NotThere", map[string]any{"refs": []string{"1", "9"}}, errNoReference},
	} {
		tt.args["path"] = "a.eml"
		if r := c.ask("tools/call", answers(tt.args, later(elicits), nil)); !strings.Contains(r.text(), string(tt.want)) {
			t.Errorf("%s: got %s, want %q", tt.name, r.text(), tt.want)
		}
	}
	two := map[string]any{"path": "a.eml", "refs": []string{"1", "2"}}
	for _, other := range []map[string]any{
		{"path": "a.eml", "refs": []string{"1", "3"}}, {"path": "a.eml", "refs": []string{"1", "2", "3"}}, {"path": "a.eml", "ref": "1"},
	} {
		r := c.ask("tools/call", answers(two, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		if len(id) != 1 {
			t.Fatalf("got %s, want a question", r.text())
		}
		if r := c.ask("tools/call", answers(other, later(elicits), accept(id...))); !strings.Contains(r.text(), string(errNotAsked)) {
			t.Errorf("%v: got %s, want %q", other, r.text(), errNotAsked)
		}
	}
	if len(asked()) != 0 {
		t.Errorf("got the requests %v, want none", asked())
	}
}
