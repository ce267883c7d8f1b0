package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// referring is a message that refers to a text, as a data: URL.
func referring(name string) string {
	return "From: a@example.org\nSubject: " + name + "\nMIME-Version: 1.0\n" +
		"Content-Type: message/external-body; access-type=url; url=\"data:,body-of-" + name + "\"\n\nContent-Type: text/plain\nContent-ID: <" + name + "@example.org>\n\n"
}

// zipFile writes a zip archive with files, given by name and content in turn.
func zipFile(t *testing.T, path string, files ...string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		must(t, err)
		_, err = io.WriteString(w, files[i+1])
		must(t, err)
	}
	must(t, z.Close())
	writeText(t, path, b.String())
}

// TestZip holds: list, get and check read the messages of a zip archive, inline writes each to a file of its own, and
// nothing rewrites an archive in place (OP-47).
func TestZip(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	command := func(want int, says string, args ...string) {
		t.Helper()
		var out, errw bytes.Buffer
		status := run(t.Context(), args, strings.NewReader(""), &out, &errw)
		if text := out.String() + errw.String(); status != want || !strings.Contains(text, says) {
			t.Errorf("%q: got %d, %s; want %d, %q", args, status, text, want, says)
		}
	}
	const from = "From a@example.org Mon Nov  2 10:00:00 2026\n"
	box := from + referring("two") + "\n" + from + referring("three") + "\n"
	many := in("many.zip")
	zipFile(t, many, "a/one.eml", referring("one"), "box.mbox", box, "../out.eml", referring("four"), "__MACOSX/a/._one.eml", "\x00\x05\x16\x07", "picture.png", "\x89PNG\r\n\x1A\n")
	zipFile(t, in("one.zip"), "a/one.eml", referring("one"))
	before := readText(t, many)

	command(0, "4 references in 4 messages; 1 without mail by name", "list", many)
	command(0, "1 reference in 1 message", "list", many+"!/a/one.eml")
	command(1, "file does not exist", "list", many+"!/a/none.eml")
	command(0, "4 references in 4 messages: 4 saved", "get", many, "-o", in("got"))
	command(10, "clean", "check", "--no-resolve", in("one.zip"))
	command(10, "", "check", "--no-resolve", many+"!/a/one.eml")
	command(2, "several messages", "check", "--no-resolve", many)

	command(2, "needs -o", "inline", many)
	command(2, "not rewritten in place", "inline", "--in-place", many)
	command(2, "want a Maildir", "inline", "--watch", many)
	command(0, "", "inline", many, "-o", in("new"))
	for name, body := range map[string]string{"a/one.eml": "one", "box.mbox-1.eml": "two", "box.mbox-2.eml": "three", "message.eml": "four"} {
		text := readText(t, filepath.Join(in("new"), name))
		if !strings.Contains(text, "body-of-"+body) || strings.Contains(text, "external-body") {
			t.Errorf("%s: got %s, want a message with its body", name, text)
		}
	}
	if _, err := os.Stat(in("out.eml")); err == nil {
		t.Error("a file is outside of the new folder")
	}
	must(t, os.Mkdir(in("folder"), 0o700))
	must(t, os.Rename(in("one.zip"), in("folder/one.zip")))
	command(1, "not rewritten", "inline", "--in-place", in("folder"))
	command(0, "", "inline", in("folder"), "-o", in("copy"))
	if text := readText(t, in("copy/one.zip/a/one.eml")); !strings.Contains(text, "body-of-one") {
		t.Errorf("got %s, want the message with its body", text)
	}
	if readText(t, many) != before {
		t.Error("the archive was changed")
	}
}

// TestRewriteThroughLink holds: a mailbox that a link below the PATH leads to stays as it is (OP-47).
func TestRewriteThroughLink(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other.eml")
	writeText(t, other, referring("one"))
	if err := os.Symlink(other, filepath.Join(dir, "link.eml")); err != nil {
		t.Skip(err)
	}
	var out bytes.Buffer
	if status := run(t.Context(), []string{"inline", "--in-place", dir}, strings.NewReader(""), &out, &out); status != 1 || !strings.Contains(out.String(), "through a link") {
		t.Errorf("got %d, %s; want 1 and the reason", status, out.String())
	}
	if got := readText(t, other); got != referring("one") {
		t.Errorf("got %s, want the message as it was", got)
	}
}

// TestSourceStatus holds: a source that is missing or empty has its status in each run of archive sync (OP-47).
func TestSourceStatus(t *testing.T) {
	box, to := filepath.Join(t.TempDir(), "box"), filepath.Join(t.TempDir(), "archive")
	message := filepath.Join(box, "cur", "1700000001.a.h:2,S")
	must(t, os.MkdirAll(filepath.Dir(message), 0o700))
	writeText(t, message, referring("one"))
	sync := func(want int, says string, more ...string) {
		t.Helper()
		archives(t, want, says, append([]string{"sync", "--to", to}, more...)...)
	}
	sync(0, "1 message = 1 seen", box)
	must(t, os.Remove(message))
	sync(3, "it had messages and has none", box)
	sync(0, "it had messages and has none", box)
	sync(1, "it had messages and has none", box, "--expect-mail")
	must(t, os.RemoveAll(box))
	sync(1, "no such file", box)
	sync(1, "no such file", box)
	sync(2, "no such source", box+"x", "--gone", box+"y")
	sync(0, "it is no more", box, "--gone", box)
	sync(0, "it is no more", box)
	must(t, os.MkdirAll(filepath.Dir(message), 0o700))
	writeText(t, message, referring("one"))
	sync(2, "it is there", box, "--gone", box)
	sync(0, "1 message = 1 seen", box)
	must(t, os.Symlink(t.TempDir(), filepath.Join(box, "out")))
	sync(1, "the link leads to a folder that was not read", box)
	sync(1, "the link leads to a folder that was not read", box)
}
