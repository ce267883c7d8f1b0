//go:build unix

package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// listed is the answer of list, as a client has it.
type listed struct {
	References []struct {
		Path  string
		Index *int
		Ref   string
	}
	Messages []struct {
		Path           string
		SHA256         string `json:"message_sha256"`
		Authentication *authentication
		Untrusted      header
	}
	Errors []struct{ Path, Error string }
	More   bool
}

func list(t *testing.T, call func(tool string, args any) (string, string), path string) (l listed) {
	t.Helper()
	answer, fault := call("list", map[string]any{"path": path})
	if fault != "" {
		t.Fatalf("list %q: %s", path, fault)
	}
	if err := json.Unmarshal([]byte(answer), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// messageTo returns a message with a reference to a URL.
func messageTo(url string) string {
	return "From: a@b.example\nMIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL=\"" + url + "\"\n\nContent-Type: text/plain\n\n"
}

// A message is named by its file and its number in it. Less than that never leads to another
// message, and the names from list lead back to each message (OP-32).
func TestNames(t *testing.T) {
	url, _, flags := files(t)
	root := t.TempDir()
	const from = "From a@b.example Mon Jan  2 15:04:05 2006\n"
	put(t, filepath.Join(root, "folder/a.eml"), messageTo(url+"/a"))
	put(t, filepath.Join(root, "folder/b.eml"), messageTo(url+"/b"))
	put(t, filepath.Join(root, "folder/\u202elme.c.eml"), messageTo(url+"/c"))
	put(t, filepath.Join(root, "folder/not-\xff.eml"), messageTo(url+"/d"))
	put(t, filepath.Join(root, "one/a.eml"), messageTo(url+"/e"))
	put(t, filepath.Join(root, "box"), from+messageTo(url+"/f")+"\n"+from+messageTo(url+"/g"))
	put(t, filepath.Join(root, "maildir/cur/1.h:2,S"), messageTo(url+"/h"))
	put(t, filepath.Join(root, "maildir/new/2.i"), messageTo(url+"/i"))
	var shown string
	cs := session(t, func(text string) string { shown = text; return "accept" }, append([]string{"--root", root}, flags...)...)
	tool := func(name string, args any) (string, string) { return call(t, cs, name, args) }
	for _, path := range []string{".", "folder", "one", "box", "maildir", root} {
		n := map[string]int{".": 9, root: 9, "folder": 4, "one": 1, "box": 2, "maildir": 2}[path]
		l := list(t, tool, path)
		if len(l.References) != n || len(l.Messages) != n {
			t.Fatalf("list %q: got %d references and %d messages, want %d", path, len(l.References), len(l.Messages), n)
		}
		for i, r := range l.References {
			args := map[string]any{"path": r.Path, "index": *r.Index, "ref": r.Ref, "message_sha256": l.Messages[i].SHA256}
			plan, fault := tool("plan", args)
			if fault != "" {
				t.Fatalf("plan %v: %s", args, fault)
			}
			var p struct {
				SHA256    string `json:"message_sha256"`
				Untrusted struct{ URL string }
			}
			json.Unmarshal([]byte(plan), &p)
			if _, fault := tool("get", args); fault != "" || p.SHA256 != l.Messages[i].SHA256 || !strings.Contains(shown, p.Untrusted.URL) {
				t.Errorf("get %v: got %q and a question about %q, want the file that was planned, %s", args, fault, shown, plan)
			}
		}
	}
	for _, tt := range []struct {
		name, path string
		index      any
		want       refusal // "" is an answer
	}{
		{"OneMessage", "one/a.eml", nil, ""},
		{"FolderOfOne", "one", nil, ""},
		{"FolderOfOneByNumber", "one", 0, ""},
		{"Folder", "folder", nil, errManyFiles},
		{"FolderByNumber", "folder", 0, errManyFiles},
		{"FolderByNumberOfNone", "folder", 7, errManyFiles},
		{"All", ".", 0, errManyFiles},
		{"Mailbox", "box", nil, errManyMessages},
		{"MailboxByNumber", "box", 1, ""},
		{"MailboxByNumberOfNone", "box", 2, errNoMessage},
		{"Maildir", "maildir", 0, errManyFiles},
		{"MaildirFile", "maildir/new/2.i", nil, ""},
	} {
		args := map[string]any{"path": tt.path, "ref": "1"}
		if tt.index != nil {
			args["index"] = tt.index
		}
		answer, fault := tool("plan", args)
		if (fault == "") != (tt.want == "") || !strings.Contains(fault, string(tt.want)) {
			t.Errorf("%s: got %s %q, want %q", tt.name, answer, fault, tt.want)
		}
	}
}

// A file that was replaced since it was planned is not had, nor is one whose digest is not
// the one of the call.
func TestOtherMessage(t *testing.T) {
	url, asked, flags := files(t)
	root := t.TempDir()
	path := filepath.Join(root, "a.eml")
	put(t, path, messageTo(url+"/harmless"))
	questions := 0
	cs := session(t, func(string) string { questions++; return "accept" }, append([]string{"--root", root}, flags...)...)
	args := map[string]any{"path": "a.eml", "ref": "1"}
	if _, fault := call(t, cs, "plan", args); fault != "" {
		t.Fatal(fault)
	}
	put(t, path, messageTo(url+"/evil"))
	if _, fault := call(t, cs, "get", args); !strings.Contains(fault, string(errOtherPlan)) || questions != 0 {
		t.Errorf("got %q and %d questions, want %q and none", fault, questions, errOtherPlan)
	}
	args["message_sha256"] = strings.Repeat("0", 64)
	for _, tool := range []string{"plan", "get"} {
		if _, fault := call(t, cs, tool, args); !strings.Contains(fault, string(errOtherDigest)) || questions != 0 {
			t.Errorf("%s: got %q and %d questions, want %q and none", tool, fault, questions, errOtherDigest)
		}
	}
	delete(args, "message_sha256")
	call(t, cs, "plan", args)
	if _, fault := call(t, cs, "get", args); fault != "" || asked.Load() != 1 {
		t.Errorf("planned again: got %q and %d requests, want the file", fault, asked.Load())
	}
}

// Nothing outside of the roots is read, and answers have no word about it (OP-34). A path
// that is neither a file nor a folder is an error at once.
func TestOutside(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	put(t, filepath.Join(outside, "secret.eml"), messageTo("http://secret.example/x"))
	put(t, filepath.Join(outside, "cur/1.a"), messageTo("http://secret.example/x"))
	put(t, filepath.Join(root, "a.eml"), messageTo("http://a.example/x"))
	for name, to := range map[string]string{
		"out.eml": filepath.Join(outside, "secret.eml"), "none.eml": filepath.Join(outside, "none.eml"),
		"maildir/cur": filepath.Join(outside, "cur"), "dir": outside, "up.eml": "../" + filepath.Base(outside) + "/secret.eml",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(root, "maildir/new/1.b"), messageTo("http://a.example/y"))
	if err := syscall.Mkfifo(filepath.Join(root, "fifo.eml"), 0o600); err != nil {
		t.Fatal(err)
	}
	cs := session(t, nil, "--root", root)
	tool := func(name string, args any) (string, string) { return call(t, cs, name, args) }
	l := list(t, tool, ".")
	if len(l.References) != 2 || len(l.Errors) != 6 {
		t.Errorf("got %+v, want 2 references and 6 errors", l)
	}
	for _, e := range l.Errors {
		if strings.Contains(e.Error+e.Path, "secret") || strings.Contains(e.Error+e.Path, outside) {
			t.Errorf("got the error %+v, want one that says nothing of the other folder", e)
		}
	}
	faults := make(map[string]string)
	for _, path := range []string{
		"out.eml", "none.eml", "up.eml", "dir", "dir/secret.eml", "dir/none.eml", "maildir/cur/1.a", "maildir/cur/1.z", "fifo.eml", "missing.eml",
		"../" + filepath.Base(outside) + "/secret.eml", filepath.Join(outside, "secret.eml"), filepath.Join(outside, "none.eml"), outside, "/",
		filepath.Join(root, "..", filepath.Base(outside), "secret.eml"), "-", "", "http://127.0.0.1/", "imaps://h.example/", "/dev/zero",
	} {
		for name, args := range map[string]any{"list": map[string]any{"path": path}, "plan": map[string]any{"path": path, "ref": "1"}} {
			answer, fault := tool(name, args)
			if fault == "" || strings.Contains(fault, outside) || strings.Contains(fault, "secret") {
				t.Errorf("%s %q: got %s %q, want an error that says nothing of the other folder", name, path, answer, fault)
			}
			faults[name+" "+path] = fault
		}
	}
	// Whether something exists outside cannot be found out.
	for a, b := range map[string]string{"out.eml": "none.eml", "dir/secret.eml": "dir/none.eml", "maildir/cur/1.a": "maildir/cur/1.z", filepath.Join(outside, "secret.eml"): filepath.Join(outside, "none.eml")} {
		if faults["list "+a] != faults["list "+b] || faults["plan "+a] != faults["plan "+b] {
			t.Errorf("%s and %s: got %q and %q, want the same", a, b, faults["list "+a], faults["list "+b])
		}
	}
}
