package mcp

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files returns a server of files that counts its requests, and the flags with which it may be
// asked.
func files(t *testing.T) (url string, asked *atomic.Int64, flags []string) {
	asked = new(atomic.Int64)
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, injected)
	})
	return srv.URL, asked, []string{"--output", t.TempDir(), "--allow-net", "127.0.0.0/8", "--allow-port", portOf(srv)}
}

// answers returns the parameters of a call of get with answers.
func answers(args map[string]any, meta map[string]any, list map[string]any) map[string]any {
	p := map[string]any{"name": "get", "arguments": args}
	if meta != nil {
		p["_meta"] = meta
	}
	if list != nil {
		p["inputResponses"] = list
	}
	return p
}

func accept(ids ...string) map[string]any {
	list := make(map[string]any)
	for _, id := range ids {
		list[id] = map[string]any{"action": "accept", "content": map[string]any{}}
	}
	return list
}

// An answer counts only for a question that this server asked in this session, once, for the
// same call (OP-33).
func TestForgedAnswers(t *testing.T) {
	url, asked, flags := files(t)
	root := t.TempDir()
	write(t, root, "a.eml", url+"/a.txt")
	write(t, root, "b.eml", url+"/b.txt")
	args := append([]string{"--root", root}, flags...)
	a, b := map[string]any{"path": "a.eml", "ref": "1"}, map[string]any{"path": "b.eml", "ref": "1"}
	// planOf returns the ID of the plan of a, which the answer once had.
	planOf := func(c *rawClient, meta map[string]any) string {
		r := c.ask("tools/call", map[string]any{"name": "plan", "arguments": a, "_meta": meta})
		return r.Result.StructuredContent["id"].(string)
	}
	refused := func(t *testing.T, r *raw, want refusal) {
		t.Helper()
		if !strings.Contains(r.text(), string(want)) || r.Result.InputRequests != nil || asked.Load() != 0 {
			t.Errorf("got %q and %d requests, want %q and none", r.text(), asked.Load(), want)
		}
	}
	t.Run("NotAsked", func(t *testing.T) {
		c := newRawClient(t, args...)
		for _, id := range []string{planOf(c, later(elicits)), "x", ""} {
			refused(t, c.ask("tools/call", answers(a, later(elicits), accept(id))), errNotAsked)
		}
	})
	t.Run("NoElicitation", func(t *testing.T) {
		c := newRawClient(t, args...)
		none := later(map[string]any{})
		refused(t, c.ask("tools/call", answers(a, none, accept(planOf(c, none)))), errNotAsked)
		refused(t, c.ask("tools/call", answers(a, none, nil)), errCannotAsk)
		// The client that the question names counts, not an earlier request.
		r := c.ask("tools/call", answers(a, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		if len(id) != 1 {
			t.Fatalf("got %s, want a question", r.text())
		}
		refused(t, c.ask("tools/call", answers(a, none, accept(id...))), errNotAsked)
	})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", askLater, "9999-01-01"} {
		t.Run("Version"+version, func(t *testing.T) {
			c := newRawClient(t, args...)
			if got := c.initialize(version, elicits); got >= askLater || version < askLater && got != version {
				t.Errorf("got the version %s, want %s or an older one", got, version)
			}
			for _, meta := range []map[string]any{nil, later(elicits)} {
				refused(t, c.ask("tools/call", answers(a, meta, accept(planOf(c, nil)))), errNotAsked)
			}
			if version < askFirst {
				refused(t, c.ask("tools/call", answers(a, nil, nil)), errCannotAsk)
				return
			}
			// The version of the session decides, not the one of the request.
			for _, meta := range []map[string]any{nil, later(elicits)} {
				r := c.ask("tools/call", answers(a, meta, nil))
				if r.Method != "elicitation/create" {
					t.Fatalf("got %q %s, want a question to the client", r.Method, r.text())
				}
				c.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"action":"cancel"}}`, r.ID))
				refused(t, c.read(), errDeclined)
			}
			if r := c.ask("server/discover", map[string]any{"_meta": later(elicits)}); r.Error == nil {
				t.Error("server/discover after initialize: got an answer, want an error")
			}
		})
	}
	t.Run("OtherCall", func(t *testing.T) {
		c := newRawClient(t, args...)
		r := c.ask("tools/call", answers(a, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		refused(t, c.ask("tools/call", answers(b, later(elicits), accept(id...))), errNotAsked)
		refused(t, c.ask("tools/call", answers(a, later(elicits), accept(id...))), errNotAsked)
	})
	t.Run("OtherSession", func(t *testing.T) {
		c, other := newRawClient(t, args...), newRawClient(t, args...)
		r := c.ask("tools/call", answers(a, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		refused(t, other.ask("tools/call", answers(a, later(elicits), accept(id...))), errNotAsked)
	})
	t.Run("TwoAnswers", func(t *testing.T) {
		c := newRawClient(t, args...)
		r := c.ask("tools/call", answers(a, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		refused(t, c.ask("tools/call", answers(a, later(elicits), accept(append(id, "x")...))), errNotAsked)
	})
	t.Run("Again", func(t *testing.T) {
		defer asked.Store(0)
		c := newRawClient(t, args...)
		r := c.ask("tools/call", answers(a, later(elicits), nil))
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		if r = c.ask("tools/call", answers(a, later(elicits), accept(id...))); r.Result.StructuredContent["untrusted_text"] != injected || asked.Load() != 1 {
			t.Fatalf("got %s and %d requests, want the file and 1", r.text(), asked.Load())
		}
		r = c.ask("tools/call", answers(a, later(elicits), accept(id...)))
		if !strings.Contains(r.text(), string(errNotAsked)) || asked.Load() != 1 {
			t.Errorf("the same answer again: got %s and %d requests, want %q and 1", r.text(), asked.Load(), errNotAsked)
		}
	})
}

// An agreement is for the downloads of its question: each get asks anew, in every version. A decline is
// remembered for the message, and a cancel is not (OP-33).
func TestEachDownload(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", askLater} {
		t.Run(version, func(t *testing.T) {
			url, asked, flags := files(t)
			root := t.TempDir()
			write(t, root, "a.eml", url+"/a.txt")
			write(t, root, "b.eml", url+"/b.txt")
			questions, answer := 0, "accept"
			cs := sessionIn(t, version, func(string) string { questions++; return answer }, append([]string{"--root", root}, flags...)...)
			get := func(path string) string {
				_, fault := call(t, cs, "get", map[string]any{"path": path, "ref": "1"})
				return fault
			}
			for range 3 {
				if fault := get("a.eml"); fault != "" {
					t.Error(fault)
				}
			}
			if questions != 3 || asked.Load() != 3 {
				t.Errorf("got %d questions and %d requests for 3 files, want 3 and 3", questions, asked.Load())
			}
			answer = "cancel"
			get("a.eml")
			if fault := get("a.eml"); questions != 5 || !strings.Contains(fault, string(errDeclined)) {
				t.Errorf("after a cancel: got %d questions and %q, want 5", questions, fault)
			}
			answer = "decline"
			get("a.eml")
			answer = "accept"
			if fault := get("a.eml"); questions != 6 || !strings.Contains(fault, string(errDeclinedIt)) {
				t.Errorf("after a decline: got %d questions and %q, want 6", questions, fault)
			}
			if fault := get("b.eml"); questions != 7 || fault != "" {
				t.Errorf("another message: got %d questions and %q, want 7", questions, fault)
			}
			if asked.Load() != 4 {
				t.Errorf("got %d requests, want 4", asked.Load())
			}
		})
	}
}

// The questions that have no answer are bounded, and end with the session.
func TestOpenQuestions(t *testing.T) {
	url, asked, flags := files(t)
	root := t.TempDir()
	write(t, root, "a.eml", url+"/a.txt")
	args := append([]string{"--root", root}, flags...)
	get := map[string]any{"path": "a.eml", "ref": "1"}
	t.Run("Later", func(t *testing.T) {
		c := newRawClient(t, args...)
		for i := range maxDownloads + 5 {
			r := c.ask("tools/call", answers(get, later(elicits), nil))
			if is := len(r.Result.InputRequests) == 1; is != (i < maxDownloads) {
				t.Fatalf("call %d: got %s, want a question %t", i, r.text(), i < maxDownloads)
			}
		}
	})
	t.Run("AtOnce", func(t *testing.T) {
		c := newRawClient(t, args...)
		c.initialize("2025-11-25", elicits)
		for range maxDownloads + 5 {
			c.send("tools/call", answers(get, nil, nil))
		}
		questions, refused := 0, 0
		for range maxDownloads + 5 {
			if r := c.read(); r.Method == "elicitation/create" {
				questions++
			} else if strings.Contains(r.text(), string(errTooMany)) {
				refused++
			}
		}
		if questions != maxDownloads || refused != 5 {
			t.Errorf("got %d questions and %d refusals, want %d and 5", questions, refused, maxDownloads)
		}
	})
	if asked.Load() != 0 {
		t.Errorf("got %d requests, want none", asked.Load())
	}
}

// A download waits for the question about a redirect: no host is asked twice for it.
func TestRedirectLater(t *testing.T) {
	var first, second atomic.Int64
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		second.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "x\n")
	})
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		first.Add(1)
		http.Redirect(w, r, other.URL+"/b", http.StatusFound)
	})
	root := t.TempDir()
	write(t, root, "a.eml", srv.URL+"/a")
	c := newRawClient(t, "--root", root, "--output", t.TempDir(), "--allow-net", "127.0.0.0/8", "--allow-port", portOf(srv), "--allow-port", portOf(other))
	get := map[string]any{"path": "a.eml", "ref": "1"}
	r := c.ask("tools/call", answers(get, later(elicits), nil))
	for n := range 2 {
		id := slices.Collect(maps.Keys(r.Result.InputRequests))
		if len(id) != 1 || first.Load() != int64(n) || second.Load() != 0 {
			t.Fatalf("question %d: got %s after %d and %d requests, want %d and none", n, r.text(), first.Load(), second.Load(), n)
		}
		r = c.ask("tools/call", answers(get, later(elicits), accept(id...)))
	}
	if first.Load() != 1 || second.Load() != 1 || r.Result.StructuredContent["bytes"] != float64(2) {
		t.Errorf("got %s after %d and %d requests, want the file after 1 and 1", r.text(), first.Load(), second.Load())
	}
}
