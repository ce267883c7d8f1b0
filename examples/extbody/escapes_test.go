package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestHiddenCharacters has characters of a stranger that a terminal does not print, or that
// change the direction of writing, in every field. No output and no line of a ledger has them as
// they are, and list, get and the ledger have the same values.
func TestHiddenCharacters(t *testing.T) {
	const odd = "\u202e\u200b\u2028\u0085\x7f\x0b\U000e0041"
	part := "Content-Type: message/external-body; access-type=url; url=\"http://h.example/a" + odd + "\"; name=\"n" + odd + ".txt\"; permission=\"p" + odd + "\"\n\n" +
		"Content-Type: text/pl" + odd + "ain; x=" + odd + "\nContent-ID: <c" + odd + "@x>\nContent-Disposition: attachment; filename=\"f" + odd + "\"\n\n"
	message := "From: a" + odd + " b <a@b.example>\nSubject: x" + odd + " y\nMessage-ID: <m" + odd + "@x>\nDate: Mon, 1 Jan 2024 00:00:00 +0000 (" + odd + ")\n" +
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part + "\n--b\nContent-Type: text/x" + odd + "y; charset=\"k" + odd + "\"\n\n\xe9 https://www.dropbox.com/s/au3bned42n0x8q1/" + odd + "minutes.pdf\n" +
		"--b\nContent-Type: multipart/x" + odd + "y; boundary=c\nContent-Transfer-Encoding: x-foo" + odd + "\n\nabc\n--b--\n"
	dir := t.TempDir()
	mail, archive, cache := filepath.Join(dir, "a.eml"), filepath.Join(dir, "archive"), filepath.Join(dir, "cache")
	writeText(t, mail, message)
	check := func(what, text string) {
		t.Helper()
		if i := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && c != '\t' && !unicode.IsPrint(c) }); i >= 0 {
			t.Errorf("%s: got %+q", what, text[i:min(len(text), i+40)])
		}
	}
	values := make(map[string]map[string]any) // of the first reference, by the command
	for _, args := range [][]string{
		{"list"}, {"list", "--json"}, {"get", "--dry-run"}, {"get", "--json", "-o", dir, "--cache", cache, "--offline"}, {"get", "-o", dir, "--cache", cache, "--offline"},
		{"check", "--no-resolve"}, {"check", "--json", "--no-resolve"}, {"check", "--explain", "--no-resolve"},
		{"archive", "sync", "--to", archive}, {"archive", "report", "-o", filepath.Join(dir, "report"), archive}, {"archive", "status", archive}, {"archive", "status", "--json", archive},
	} {
		if args[0] != "archive" || args[1] == "sync" {
			args = append(args, mail)
		}
		status, stdout, stderr := invoke(t.Context(), "", args...)
		if status == 2 {
			t.Fatalf("%s: %s", args, stderr)
		}
		check(strings.Join(args[:2], " "), stdout+stderr)
		if args[1] == "--json" && args[0] != "check" {
			for line := range strings.Lines(stdout) {
				v := make(map[string]any)
				must(t, json.Unmarshal([]byte(line), &v))
				if v["ref"] == "1" {
					values[args[0]] = v
				}
			}
		}
	}
	ledgers, _ := filepath.Glob(filepath.Join(archive, "ledger", "*.jsonl"))
	if len(ledgers) != 1 {
		t.Fatalf("got %d files, want 1", len(ledgers))
	}
	text, err := os.ReadFile(ledgers[0])
	must(t, err)
	check("ledger", string(text))
	for line := range strings.Lines(string(text)) {
		var l struct{ Message, Reference map[string]any }
		must(t, json.Unmarshal([]byte(line), &l))
		for _, key := range []string{"from", "message_id", "date"} {
			if got := l.Message[key]; l.Message != nil && got != values["get"][key] {
				t.Errorf("%s: got %+q in the ledger, want %+q as of get", key, got, values["get"][key])
			}
		}
		for _, key := range []string{"name", "content_type"} {
			if got, listed := l.Reference[key], values["list"][key]; l.Reference["ref"] == "1" && (got != listed || listed != values["get"][key]) {
				t.Errorf("%s: got %+q in the ledger, %+q in get, want %+q as of list", key, got, values["get"][key], listed)
			}
		}
	}
}
