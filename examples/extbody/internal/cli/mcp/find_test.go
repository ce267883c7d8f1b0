package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// manyMails returns a mailbox with messages of a number of hours, one each hour, the oldest first. Each tenth is from
// ann@example.org.
func manyMails(n int, first time.Time) string {
	var b strings.Builder
	for i := range n {
		from := fmt.Sprintf("u%d@example.com", i%7)
		if i%10 == 0 {
			from = "Ann <ann@example.org>"
		}
		when := first.Add(time.Duration(i) * time.Hour).Format(time.RFC1123Z)
		fmt.Fprintf(&b, "From a@b.example Mon Jan  1 00:00:00 2024\nFrom: %s\nSubject: Report %d\nDate: %s\nMIME-Version: 1.0\n"+
			"Content-Type: message/external-body; access-type=URL; URL=\"http://files.example/%d\"\n\n"+
			"Content-Type: application/pdf; name=report-%d.pdf\nContent-ID: <%d@x>\n\n\n", from, i, when, i, i, i)
	}
	return b.String()
}

// find calls list, and returns its answer and how many octets a model reads of it.
func find(t *testing.T, cs *sdk.ClientSession, args map[string]any) (l *listOutput, octets int) {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "list", Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Content[0].(*sdk.TextContent).Text
	if res.IsError {
		t.Fatalf("%v: got %s", args, text)
	}
	b, err := json.Marshal(res.StructuredContent)
	if err == nil {
		l = new(listOutput)
		err = json.Unmarshal(b, l)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := len(l.References)
	if rest := fmt.Sprintf("{\"total\":%d", l.Total); l.More || want == 0 {
		want++
		if _, last, ok := strings.Cut("\n"+text, "\n"+rest); !ok || !strings.Contains(last, l.Next) {
			t.Errorf("got the text %q, want a last line with the total and the cursor %q", text, l.Next)
		}
	}
	if lines := strings.Count(text, "\n"); lines != want {
		t.Errorf("got %d lines of text, want %d for %d files", lines, want, len(l.References))
	}
	return l, len(text) + len(b)
}

// The files of one sender's mail of a week are found in 5000 mails, in four short answers (OP-32).
func TestFindsFiles(t *testing.T) {
	root := t.TempDir()
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.WriteFile(filepath.Join(root, "box"), []byte(manyMails(5000, first)), 0o600); err != nil {
		t.Fatal(err)
	}
	cs := session(t, nil, "--root", root)
	last := first.Add(4999 * time.Hour)
	args := map[string]any{"path": ".", "from": "ANN@example.org", "since": last.AddDate(0, 0, -7).Format(time.RFC3339)}
	seen := make(map[string]bool)
	calls, octets := 0, 0
	for {
		l, n := find(t, cs, args)
		calls++
		octets += n
		for _, r := range l.References {
			if name := r.Untrusted.Name; seen[name] || !strings.HasPrefix(name, "report-4") {
				t.Errorf("got %s twice, or of another week", name)
			}
			seen[r.Untrusted.Name] = true
		}
		if l.Next == "" {
			if l.More {
				t.Error("got more without a cursor, want all")
			}
			break
		}
		args["cursor"] = l.Next
	}
	if len(seen) != 16 || !seen["report-4990.pdf"] || !seen["report-4840.pdf"] {
		t.Errorf("got %d files, %v, want the 16 of the week", len(seen), seen)
	}
	if calls > 4 || octets > 20_000 {
		t.Errorf("got %d octets in %d calls, want at most 20,000 in 4", octets, calls)
	}
}

// The newest messages come first, each file once, and a cursor counts for its arguments and the same mail.
func TestCursor(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "box")
	mails := manyMails(60, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	undated := strings.Replace(mails[:strings.Index(mails, "From a@b.example Mon Jan  1 00:00:00 2024\nFrom: u1")], "Date:", "X-Date:", 1)
	if err := os.WriteFile(path, []byte(undated+mails), 0o600); err != nil {
		t.Fatal(err)
	}
	cs := session(t, nil, "--root", root)
	args := map[string]any{"path": "box"}
	var names []string
	for {
		l, n := find(t, cs, args)
		if n > 20_000 || l.Total != 61 {
			t.Errorf("got %d octets about %d files, want at most 20,000 about 61", n, l.Total)
		}
		for _, r := range l.References {
			names = append(names, r.Untrusted.Name)
		}
		if l.Next == "" {
			break
		}
		args["cursor"] = l.Next
	}
	if len(names) != 61 || names[0] != "report-59.pdf" || names[59] != "report-0.pdf" || names[60] != "report-0.pdf" {
		t.Errorf("got %q, want each file once, the newest first, and the one without a date last", names)
	}
	refused := func(want refusal, args map[string]any) {
		t.Helper()
		if _, fault := call(t, cs, "list", args); !strings.Contains(fault, string(want)) {
			t.Errorf("%v: got %q, want %q", args, fault, want)
		}
	}
	refused(errOther, map[string]any{"path": "box", "from": "ann", "cursor": args["cursor"]})
	refused(errCursor, map[string]any{"path": "box", "cursor": "x"})
	refused(errSince, map[string]any{"path": "box", "since": "last week"})
	refused(errLimit, map[string]any{"path": "box", "limit": -1})
	if err := os.WriteFile(path, []byte(mails), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(errNewMail, args)
	for name, want := range map[string]int{"report-5.PDF": 1, "report-5": 11, "none": 0} {
		if l, _ := find(t, cs, map[string]any{"path": "box", "name": name, "limit": 100}); len(l.References) != want {
			t.Errorf("%s: got %d files, want %d", name, len(l.References), want)
		}
	}
	if l, _ := find(t, cs, map[string]any{"path": "box", "subject": "report 7", "before": "2026-01-02"}); len(l.References) != 1 {
		t.Errorf("got %d files, want one", len(l.References))
	}
}

// Of more messages than are kept the newest are listed, and the answer has that.
func TestManyMessages(t *testing.T) {
	f := new(findings)
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 3*maxKept + 1 {
		f.add(&found{when: first.Add(time.Duration(i) * time.Minute), files: make([]entry, 1)})
	}
	f.sort()
	if len(f.list) != maxKept || !f.gone || f.total != 3*maxKept+1 || f.list[0].order != 3*maxKept {
		t.Errorf("got %d messages of %d, gone %t, want the newest %d", len(f.list), f.total, f.gone, maxKept)
	}
}
