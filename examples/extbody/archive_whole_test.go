package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchiveLostMonth is OP-48: each command that reads a ledger of which a month is lost gives the rest,
// names the line, and ends with 1. Those that write, write nothing.
func TestArchiveLostMonth(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "A")
	sync := func(id string) {
		t.Helper()
		mails := filepath.Join(tmp, id)
		must(t, os.Mkdir(mails, 0o700))
		writeText(t, filepath.Join(mails, "1.eml"), linked(id, "data:,"+id))
		archives(t, 0, "", "sync", mails, "--to", dir)
	}
	sync("old")
	months, err := filepath.Glob(filepath.Join(dir, "ledger", "*.jsonl"))
	if err != nil || len(months) != 1 {
		t.Fatalf("got %q, %v, want one month", months, err)
	}
	// The first run was in another month.
	lost := filepath.Join(dir, "ledger", "2020-01.jsonl")
	must(t, os.Rename(months[0], lost))
	must(t, os.Remove(filepath.Join(dir, "index")))
	sync("new")
	archives(t, 0, "", "verify", dir)
	archives(t, 0, "old@example.org", "search", dir, "--json")
	must(t, os.Remove(lost))

	const line = "ledger/2020-01.jsonl:0: line "
	for _, args := range [][]string{
		{"status"}, {"search"}, {"due"},
		{"report", "-o", filepath.Join(tmp, "report.html")},
		{"export", "--as", "eml", "-o", filepath.Join(tmp, "export")},
		{"restore", "--to", filepath.Join(tmp, "restored") + "/"},
		{"forget", "message=<old@example.org>", "--reason", "x"},
		{"hold", "message=<old@example.org>", "--reason", "x"},
		{"retry"},
	} {
		archives(t, 1, line, append([]string{args[0], dir}, args[1:]...)...)
	}
	archives(t, 1, line, "sync", filepath.Join(tmp, "old"), "--to", dir)
	archives(t, 1, "new@example.org", "search", dir, "--json")
	archives(t, 1, "follows line 0", "verify", dir)
	for _, pattern := range []string{"export/*.eml", "restored/cur/*"} {
		if list, err := filepath.Glob(filepath.Join(tmp, pattern)); err != nil || len(list) != 1 {
			t.Errorf("%s: got %q, %v, want the message that the ledger has", pattern, list, err)
		}
	}
}

// TestLostMonthCase is OP-48: each line of the shared script has the status 1 after the month is lost.
func TestLostMonthCase(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the scripts")
	}
	cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(shared, "cases", "archive", "lost-month.sh"))
	cmd.Env = append(os.Environ(), "EXTBODY="+executable(t), "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	_, after, found := strings.Cut(string(out), "is lost;")
	lines := regexp.MustCompile(`(?m)^exit (\d+) archive .*$`).FindAllStringSubmatch(after, -1)
	if err != nil || !found || len(lines) < 11 {
		t.Fatalf("got %v and %d lines, want those of 11 commands: %s", err, len(lines), out)
	}
	for _, m := range lines {
		if m[1] != "1" {
			t.Errorf("got %q, want exit 1", m[0])
		}
	}
}
