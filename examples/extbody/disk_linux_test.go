package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
)

// A disk that is full ends a run after the fetches in flight, with status 1. Each saved
// file has its line.
func TestGetDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text(w, strings.Repeat(r.URL.Path, 100<<10/len(r.URL.Path)))
	})
	const n = 2000
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%04d", base, i))
	}
	status, out, errs := invoke(t.Context(), box(urls...), append([]string{"get", "--json", "-o", dir, "--dialects", "none"}, flags...)...)
	if status != 1 || !strings.Contains(errs, "the disk is full") {
		t.Errorf("got status %d, want 1: %s", status, errs)
	}
	ok, failed := 0, 0
	for _, l := range readLines(t, out) {
		switch {
		case l.Status == "ok":
			ok++
		case l.Kind == "local":
			failed++
		default:
			t.Errorf("got %s/%s, want ok or local", l.Status, l.Kind)
		}
	}
	if ok == 0 || failed == 0 || requests.Load() > get.Workers {
		t.Errorf("got %d ok, %d failed and %d requests, want some, some, and an early end", ok, failed, requests.Load())
	}
}

// Without room for a body, or for the message with it, a mailbox stays as it is, with status 1, and a
// filter passes its message on, with status 0, or 75 if a flag asks for that.
func TestInlineDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	t.Setenv("TMPDIR", dir)
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		lines, _ := strconv.Atoi(r.URL.Path[1:])
		text(w, strings.Repeat("0123456789abcde\n", lines))
	})
	for name, message := range map[string]string{
		"text, no room for it":            box(base + "/20000"),
		"text, no room beside it":         box(base + "/7500"),
		"octet-stream, no room for it":    strings.Replace(box(base+"/20000"), "text/plain", "application/octet-stream", 1),
		"octet-stream, no room beside it": strings.Replace(box(base+"/7500"), "text/plain", "application/octet-stream", 1),
	} {
		path := filepath.Join(t.TempDir(), "box")
		writeText(t, path, message)
		status, _, errs := invoke(t.Context(), "", append([]string{"inline", "--in-place", path}, flags...)...)
		if got, err := os.ReadFile(path); status != 1 || string(got) != message || err != nil {
			t.Errorf("%s: in place: got status %d, %d octets, %v, want 1 and the mailbox as it was: %s", name, status, len(got), err, errs)
		}
		_, message, _ = strings.Cut(message, "\n")
		status, out, errs := invoke(t.Context(), message, append([]string{"inline"}, flags...)...)
		if status != 0 || out != message || !strings.Contains(errs, "no space left") {
			t.Errorf("%s: filter: got status %d and %d octets, want 0 and the message as it was: %s", name, status, len(out), errs)
		}
		status, out, errs = invoke(t.Context(), message, append([]string{"inline", "--tempfail"}, flags...)...)
		if status != 75 || out != "" {
			t.Errorf("%s: filter that may fail: got status %d and %d octets, want 75 and none: %s", name, status, len(out), errs)
		}
	}
}

// TestInlineAsksNoMore is OP-51: after a body for which the disk for temporary files had no room no host is asked for
// the other messages of the run, which stay as they are. The status is the one of our own failure.
func TestInlineAsksNoMore(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	t.Setenv("TMPDIR", dir)
	var asked atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text(w, strings.Repeat("0123456789abcde\n", 20_000))
	})
	const n = 20
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", base, i))
	}
	for name, in := range map[string]string{"mailbox": "box", "folder": "mails"} {
		path := filepath.Join(t.TempDir(), in)
		if in == "box" {
			writeText(t, path, box(urls...))
		} else {
			must(t, os.Mkdir(path, 0o700))
			for i, u := range urls {
				_, message, _ := strings.Cut(box(u), "\n")
				writeText(t, filepath.Join(path, fmt.Sprint(i, ".eml")), message)
			}
		}
		asked.Store(0)
		status, _, errs := invoke(t.Context(), "", append([]string{"inline", "--json", path, "-o", filepath.Join(t.TempDir(), "out")}, flags...)...)
		local := 0
		for _, l := range readLines(t, errs) {
			if l.Kind == "local" {
				local++
			}
		}
		if status != 1 || local != n || asked.Load() != 1 {
			t.Errorf("%s: got status %d, %d local and %d requests, want 1, %d and one: %s", name, status, local, asked.Load(), n, errs)
		}
	}
}

var noSpace = regexp.MustCompile("no space left|too little of the disk is free")

// TestArchiveDiskFull checks that a full disk ends an archive's run with one line for each
// thing that could not be written.
func TestArchiveDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	mails := t.TempDir()
	_, message, _ := strings.Cut(box("data:,hello"), "\n")
	for i := range 20 {
		path := filepath.Join(mails, fmt.Sprint(i, ".eml"))
		must(t, os.WriteFile(path, fmt.Appendf(nil, "Subject: %d\n%s", i, message), 0o600))
	}
	status, out, errs := invoke(t.Context(), "", "archive", "sync", mails, "--to", filepath.Join(dir, "A"))
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	slices.Sort(lines)
	if status != 1 || strings.Contains(errs, `\n`) || !noSpace.MatchString(errs) || len(slices.Compact(slices.Clone(lines))) != len(lines) {
		t.Errorf("got status %d and %q, want 1 and different lines: %s", status, errs, out)
	}
}

// TestInlineOutputFull has room for the bodies, but none for the output: only the files from
// before are left, and the exit status and the error name the reason.
func TestInlineOutputFull(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text(w, strings.Repeat("0123456789abcde\n", 20_000))
	})
	mailbox := box(base+"/a", base+"/b")
	_, message, _ := strings.Cut(box(base+"/a"), "\n")
	mails := t.TempDir()
	writeText(t, filepath.Join(mails, "a.eml"), message)
	for _, tt := range []struct {
		name   string
		before map[string]string
		args   []string // PATH in them is a path on the disk
		stdin  string
		status int
	}{
		{"Message", nil, []string{"-o", "PATH/out.eml"}, message, 75},
		{"Replaced", map[string]string{"out.eml": "before"}, []string{"-o", "PATH/out.eml"}, message, 75},
		{"File", map[string]string{"in.eml": message}, []string{"-o", "PATH/out.eml", "PATH/in.eml"}, "", 1},
		{"Mailbox", map[string]string{"box": mailbox}, []string{"-o", "PATH/out", "PATH/box"}, "", 1},
		{"InPlace", map[string]string{"box": mailbox}, []string{"--in-place", "PATH/box"}, "", 1},
		{"Maildir", map[string]string{"cur/1:2,S": message, "new/2": message, "tmp/x": ""}, []string{"--in-place", "PATH"}, "", 1},
		{"Folder", nil, []string{"-o", "PATH/out", mails}, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
				t.Skip("no file system to fill: ", err)
			}
			t.Cleanup(func() { unix.Unmount(dir, 0) })
			for name, text := range tt.before {
				writeText(t, filepath.Join(dir, name), text)
			}
			args := append([]string{"inline"}, flags...)
			for _, arg := range tt.args {
				args = append(args, strings.Replace(arg, "PATH", dir, 1))
			}
			status, out, errs := invoke(t.Context(), tt.stdin, args...)
			if status != tt.status || !strings.Contains(errs, "no space left on device") || out != "" {
				t.Errorf("got status %d and %q, want %d: %s", status, out, tt.status, errs)
			}
			after := tree(t, dir)
			for name, text := range tt.before {
				if after[name] != text {
					t.Errorf("%s: got %d octets, want it as it was", name, len(after[name]))
				}
				delete(after, name)
			}
			if len(after) > 0 {
				t.Errorf("got the files %q, want none", fileNames(after))
			}
		})
	}
}
