package mcp

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit/jmapserver"
)

// TestJMAP: the mail of an account is listed, planned and had by the URLs that list gives, and no other account is reached, nor the
// same one as another user.
func TestJMAP(t *testing.T) {
	url, asked, flags := files(t)
	mail := jmapserver.New(t)
	mail.Add(messageTo(url + "/a"))
	mail.Add("From: x@y.example\n\nno reference\n")
	mail.Add(messageTo(url + "/b"))
	netrc := filepath.Join(t.TempDir(), "netrc")
	text := "machine 127.0.0.1 login " + jmapserver.User + " password " + jmapserver.Password + "\n"
	if err := os.WriteFile(netrc, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{jmapserver.User + "@", ""} {
		t.Run("User"+user, func(t *testing.T) {
			server := "jmap+http://" + user + mail.Host() + "/"
			questions := 0
			cs := session(t, func(string) string { questions++; return "accept" },
				append([]string{"--server", server, "--netrc", netrc, "--allow-plaintext"}, flags...)...)
			tool := func(name string, args any) (string, string) { return call(t, cs, name, args) }
			for path, n := range map[string]int{server: 2, server + "Inbox": 2, server + "?id=M3": 1, server + "?id=M2": 0} {
				l := list(t, tool, path)
				if len(l.References) != n || len(l.Errors) != 0 {
					t.Errorf("list %s: got %+v, want %d references", path, l, n)
				}
				for _, r := range l.References {
					args := map[string]any{"path": r.Path, "ref": r.Ref}
					before := asked.Load()
					plan, fault := tool("plan", args)
					if fault != "" || !strings.Contains(plan, `"message_sha256":"`) || r.Index != nil {
						t.Errorf("plan %v: got %s %q, want one with the digest of the message", args, plan, fault)
					}
					if _, fault := tool("get", args); fault != "" || asked.Load() != before+1 {
						t.Errorf("get %v: got %q after %d requests, want the file after 1", args, fault, asked.Load()-before)
					}
				}
			}
			if questions != 5 {
				t.Errorf("got %d questions, want one for each of 5 downloads", questions)
			}
			logins := mail.Asked("")
			other := map[bool]string{true: "", false: jmapserver.User + "@"}[user != ""]
			for _, path := range []string{
				"jmap+http://" + other + mail.Host() + "/", "jmap+http://bob@" + mail.Host() + "/", "jmap://" + user + mail.Host() + "/",
				server + "?account=C1", "imap://" + user + mail.Host() + "/", "jmap+http://" + user + "localhost" + mail.Host()[strings.LastIndex(mail.Host(), ":"):] + "/",
			} {
				if answer, fault := tool("list", map[string]any{"path": path}); !strings.Contains(fault, string(errServer)) {
					t.Errorf("list %s: got %s %q, want %q", path, answer, fault, errServer)
				}
			}
			for _, path := range []string{server, server + "Inbox"} {
				if answer, fault := tool("get", map[string]any{"path": path, "index": 1, "ref": "1"}); !strings.Contains(fault, string(errNoUID)) {
					t.Errorf("get in %s: got %s %q, want %q", path, answer, fault, errNoUID)
				}
			}
			if got := mail.Asked(""); got != logins {
				t.Errorf("got %d requests to the mail server for refused paths, want none", got-logins)
			}
			answer, _ := tool("list", map[string]any{"path": server + "?id=M99"})
			var l listed
			json.Unmarshal([]byte(answer), &l)
			if len(l.Errors) != 1 || strings.Contains(answer, jmapserver.Password) {
				t.Errorf("a message that is gone: got %s, want one error", answer)
			}
		})
	}
}

// TestServerFlag: a --server that cannot be one, or that names a mailbox, is a mistake at the start.
func TestServerFlag(t *testing.T) {
	for _, server := range []string{
		"https://mail.example/", "imaps://", "imaps://ann:pw@mail.example/", "jmap://ann:pw@mail.example/", "imaps://ann@mail.example/INBOX",
		"jmap://ann@mail.example/Inbox", "jmap://ann@mail.example/?id=M1",
	} {
		cmd := Command()
		cmd.SetArgs([]string{"--server", server})
		cmd.SetIn(strings.NewReader(""))
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		err := cmd.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), "--server") || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: got %v, want an error about --server", server, err)
		}
	}
}
