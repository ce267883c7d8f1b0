package mailbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A tree is a folder with messages, and the account of it.
type tree struct {
	name     string
	messages []string          // paths of files with one message
	files    map[string]string // other files; a path that ends in "/" is a folder
	links    map[string]string

	alsoRead []string // of files, with "#" and the index of a message after the first
	unread   []string
	noMail   int

	mu, notmuch int // how many of the messages these programs read
}

var trees = []tree{
	{
		name:     "EmptyNewLost",
		messages: []string{"cur/1700000001.a.h:2,S", ".Sent/cur/1700000002.a.h:2,S", ".Drafts/new/1700000003.a.h", ".A/cur/4", ".A/tmp/5"},
		noMail:   1, mu: 4, notmuch: 5,
	},
	{
		name:     "NamesOfOthers",
		messages: []string{"Local/cur/a.eml", "Local/cur/b", "Local/new/c"},
		mu:       3, notmuch: 3,
	},
	{
		name:     "FoldersInCur",
		messages: []string{"cur/1700000001.a.h:2,S", "cur/old/1700000002.a.h:2,S", "cur/old/3.eml", "new/more/new/1700000004.a.h"},
		files:    map[string]string{"tmp/": ""},
		mu:       2, notmuch: 4,
	},
	{
		name:     "BesideCur",
		messages: []string{"cur/1700000001.a.h:2,S", "new/1700000002.a.h", "saved.eml", "saved/b.eml", ".saved/c.eml"},
		files:    map[string]string{"box": fromA + "N: 0\n\nx\n\n" + fromB + "N: 1\n\ny\n", "tmp/": ""},
		alsoRead: []string{"box", "box#1"},
		mu:       2, notmuch: 5,
	},
	{
		name:     "LevelsDown",
		messages: []string{"cur/1700000001.a.h:2,S", "Archive/2025/cur/1700000002.a.h:2,S", "Archive/2025/March/new/1700000003.a.h", ".B/cur/.deep/4.eml"},
		files:    map[string]string{"new/": "", "tmp/": ""},
		mu:       3, notmuch: 4,
	},
	{
		name:     "MailboxesInNew",
		messages: []string{"old/new/1700000001.a.h"},
		files:    map[string]string{"old/new/list": fromA + "N: 0\n\nx\n\n" + fromB + "N: 1\n\ny\n", "old/cur/2024.mbox": fromA + "N: 2\n\nx\n\n" + fromB + "N: 3\n\ny\n", "b/new/2023.mbox": fromA + "N: 4\n\nx\n\n" + fromB + "N: 5\n\ny\n", "b/new/plain": fromA + "N: 6\n\nx\n\n" + fromB + "N: 7\n\ny\n"},
		alsoRead: []string{"old/new/list", "old/cur/2024.mbox", "old/cur/2024.mbox#1", "b/new/2023.mbox", "b/new/2023.mbox#1", "b/new/plain", "b/new/plain#1"},
	},
	{
		name:     "Indexes",
		messages: []string{"cur/1700000001.a.h:2,S", ".Sent/cur/1700000002.a.h:2,S", "subscriptions.eml", "lists/subscriptions"},
		files: map[string]string{
			"new/": "", "tmp/": "", "dovecot-uidlist": "3 V1 N2\n1 :1\n", "dovecot-uidvalidity.5f3b1c2a": "", "dovecot.index.log": "\x01", "dovecot.list.index.log.2": "\x01",
			"subscriptions": "V\t2\n\nSent\n", "maildirfolder": "", ".Sent/dovecot-keywords": "0 a\n", "courierimapsubscribed": "INBOX\n", ".Sent/courierimapkeywords/x": "y\n",
			".mbsyncstate": "FarUidValidity 1\n", ".Sent/.uidvalidity": "1\n2\n", ".notmuch/xapian/x": "y\n", ".noindex": "", "Inbox.msf": "// <!--", "filterlog.html": "<html>",
			"Inbox.cmeta": "\x00", "Inbox.ibex.index": "\x00", ".git/HEAD": "ref: x\n", ".git/objects/ab/x": "y", ".gitignore": "x\n", "sub/CVS/Root": "x\n", ".DS_Store": "\x00", "cur/.nfs01": "x",
			"box" + BackupSuffix: "N: 1\n",
		},
		noMail: 23, mu: 2, notmuch: 4,
	},
	{
		name:     "Links",
		messages: []string{"in/cur/1700000001.a.h:2,S", "real/a.eml"},
		files:    map[string]string{"in/new/": "", "in/tmp/": ""},
		links:    map[string]string{"all": ".", "again": "real", "in/cur/sub": "../../real", "a-in": "in", "../out/x": ".", "one.eml": "real/a.eml", "none": "nowhere"},
		alsoRead: []string{"one.eml"}, unread: []string{"none"}, // notmuch follows the links without an end
	},
	{
		name:     "LinkedFolder",
		messages: []string{"in/cur/1700000001.a.h:2,S", "real/new/1700000002.a.h"},
		links:    map[string]string{"again": "real"},
		mu:       2, notmuch: 2,
	},
	{
		name:     "LinksOut",
		messages: []string{"cur/1700000001.a.h:2,S"},
		files:    map[string]string{"../out/secret/cur/1700000002.a.h:2,S": "N: 1\n", "../out/a.eml": "N: 2\n", ".git/x.eml": "N: 3\n"},
		links:    map[string]string{"new": "../out/secret/cur", ".Out": "../out/secret", "up": "..", "a.eml": "../out/a.eml", "g": ".git"},
		alsoRead: []string{"a.eml"}, unread: []string{"new", ".Out", "up", "g"}, noMail: 1,
	},
	{
		name:     "OtherForms",
		messages: []string{"a.eml"},
		files:    map[string]string{"store.pst": "!BDN\x00\x00", "picture.png": "\x89PNG\r\n\x1A\n"},
		unread:   []string{"store.pst", "picture.png"}, notmuch: 1,
	},
}

// make writes the tree to a new folder.
func (f *tree) make(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "mail")
	for i, name := range f.messages {
		writeText(t, filepath.Join(root, name), fmt.Sprintf("From: a@example.org\nTo: b@example.org\nDate: Mon, 2 Nov 2026 10:00:%02d +0000\nSubject: %d\nMessage-ID: <%d@example.org>\n\nx\n", i, i, i))
	}
	for name, text := range f.files {
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		writeText(t, filepath.Join(root, name), text)
	}
	for name, to := range f.links {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Skip(err)
		}
	}
	return root
}

// TestFolders holds: each file and folder below a path is read, holds no mail by its name, or is an error (OP-47).
func TestFolders(t *testing.T) {
	for _, tt := range trees {
		t.Run(tt.name, func(t *testing.T) {
			needColons(t)
			root := tt.make(t)
			var read, unread []string
			w := new(Walker)
			for m, err := range w.Walk(root) {
				name, _ := filepath.Rel(root, m.Path)
				name = filepath.ToSlash(name)
				if err != nil {
					unread = append(unread, name)
					continue
				}
				if _, err := io.Copy(io.Discard, m.Reader()); err != nil {
					t.Error(err)
				}
				if m.Index > 0 {
					name += fmt.Sprint("#", m.Index)
				}
				read = append(read, name)
				m.Close()
			}
			var want []string
			for _, name := range slices.Concat(tt.messages, tt.alsoRead) {
				if !strings.Contains(name, "tmp/") {
					want = append(want, name)
				}
			}
			slices.Sort(want)
			slices.Sort(read)
			if !slices.Equal(read, want) {
				t.Errorf("read %q, want %q", read, want)
			}
			slices.Sort(unread)
			slices.Sort(tt.unread)
			if !slices.Equal(unread, tt.unread) {
				t.Errorf("unread are %q, want %q", unread, tt.unread)
			}
			if w.NoMail != tt.noMail {
				t.Errorf("%d hold no mail by their names, want %d", w.NoMail, tt.noMail)
			}
		})
	}
}

// TestFoldersAmongOthers holds: no file is left out that mu or notmuch reads (OP-47).
func TestFoldersAmongOthers(t *testing.T) {
	for _, program := range []struct {
		name  string
		files func(t *testing.T, root string) []string
		want  func(*tree) int
	}{
		{"mu", filesOfMu, func(tt *tree) int { return tt.mu }},
		{"notmuch", filesOfNotmuch, func(tt *tree) int { return tt.notmuch }},
	} {
		t.Run(program.name, func(t *testing.T) {
			if _, err := exec.LookPath(program.name); err != nil {
				t.Skip(err)
			}
			for _, tt := range trees {
				if program.want(&tt) == 0 {
					continue
				}
				root := tt.make(t)
				ours := make(map[string]bool)
				for m, err := range Walk(root) {
					if err == nil {
						ours[m.Path] = true
					}
					m.Close()
				}
				theirs := program.files(t, root)
				n := 0
				for _, path := range theirs {
					if strings.Contains(path, "/tmp/") {
						n++ // it has not arrived
						continue
					}
					if !ours[path] {
						// Both follow links to folders, which are read at their own places.
						path, _ = filepath.EvalSymlinks(path)
					}
					if !ours[path] {
						t.Errorf("%s: %s is not read", tt.name, path)
					}
					n++
				}
				if want := program.want(&tt); n < want {
					t.Errorf("%s: %s reads %q, want %d files", tt.name, program.name, theirs, want)
				}
			}
		})
	}
}

// output returns the lines that a program writes.
func output(t *testing.T, name string, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var failed strings.Builder
	cmd.Stderr = &failed
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, failed.String())
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" })
}

func filesOfMu(t *testing.T, root string) []string {
	if strings.Contains(root, " ") {
		t.Skip("mu ends a path at a blank")
	}
	home := "--muhome=" + t.TempDir()
	output(t, "mu", "init", home, "--maildir="+root)
	output(t, "mu", "index", home, "--quiet")
	return output(t, "mu", "find", home, "--fields=l", "")
}

func filesOfNotmuch(t *testing.T, root string) []string {
	config := filepath.Join(t.TempDir(), "config")
	writeText(t, config, "[database]\npath="+root+"\n[user]\nname=a\nprimary_email=a@example.org\n[maildir]\nsynchronize_flags=false\n")
	output(t, "notmuch", "--config="+config, "new", "--quiet")
	return output(t, "notmuch", "--config="+config, "search", "--output=files", "--exclude=false", "*")
}

// TestFolderLink holds: a folder is read through the link that is named (OP-47).
func TestFolderLink(t *testing.T) {
	root := t.TempDir()
	writeText(t, filepath.Join(root, "real/cur/1700000001.a.h"), "A: a\n")
	if err := os.Symlink("real", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	n := 0
	for m, err := range Walk(filepath.Join(root, "link")) {
		if err != nil {
			t.Error(err)
		}
		n++
		m.Close()
	}
	if n != 1 {
		t.Errorf("got %d messages, want 1", n)
	}
}

// TestMaildirLacks holds: messages of a Maildir that lacks folders are replaced.
func TestMaildirLacks(t *testing.T) {
	needColons(t)
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "cur/1700000001.a.h:2,S"), "a: b\n")
	replaceIn(t, dir, nil, nil)
	wantText(t, filepath.Join(dir, "cur/1700000001.a.h:2,S"), "A: B\n")
	wantFiles(t, dir, "cur/1700000001.a.h:2,S")
}

// TestErrLink holds: a link to a folder elsewhere is named as one.
func TestErrLink(t *testing.T) {
	root := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	n := 0
	for m, err := range Walk(root) {
		if n++; !errors.Is(err, ErrLink) || filepath.Base(m.Path) != "link" {
			t.Errorf("got %q, %v; want %v", m.Path, err, ErrLink)
		}
	}
	if n != 1 {
		t.Errorf("got %d errors, want 1", n)
	}
}

// TestOpened holds: the folders and files that can be opened are named before their messages, and the others are not.
func TestOpened(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"box/cur", "box/new", "empty"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"box/cur/1700000001.a.h:2,S", "mail.eml", "zero"} {
		text := "Subject: x\n\ny\n"
		if name == "zero" {
			text = ""
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("empty", filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	var got []string
	opened := make(map[string]bool)
	w := &Walker{Opened: func(path string) {
		path, _ = filepath.Rel(dir, path)
		if !opened[path] {
			got = append(got, path)
		}
		opened[path] = true
	}}
	for m, err := range w.Walk(dir) {
		path, _ := filepath.Rel(dir, m.Path)
		if err == nil != opened[path] {
			t.Errorf("%s: opened %v, and %v", path, opened[path], err)
		}
		m.Close()
	}
	want := []string{".", "box", "box/new", "box/cur", "box/cur/1700000001.a.h:2,S", "empty", "mail.eml", "zero", "linked"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
