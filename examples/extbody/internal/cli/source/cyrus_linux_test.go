package source

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestIMAPCyrus reads all mailboxes of Cyrus IMAP, which has ids for messages: none is read twice, whatever moves.
func TestIMAPCyrus(t *testing.T) {
	const all = 20
	server := daemons.StartCyrus(t)
	n := &night{t: t, dir: t.TempDir() + "/archive", host: server.IMAP, scheme: "imap"}
	commands := []string{`CREATE "Archive"`}
	for i := range all {
		text := plain(i)
		if i%4 == 0 {
			text = linked(i)
		}
		commands = append(commands, daemons.Append([]string{"INBOX", "Archive"}[i%2], text))
	}
	server.Do(t, commands...)
	night := func(what string, messages, stored, fresh int64) {
		t.Helper()
		res := n.sync()
		for _, r := range res.Sources {
			if messages, stored = messages-r.Seen, stored-r.Stored; r.Error != "" {
				t.Errorf("%s: got %+v", what, r)
			}
		}
		if messages != 0 || stored != 0 || res.Sightings != fresh {
			t.Errorf("%s: got %d messages and %d stored ones less, %d sightings, want 0, 0, %d", what, messages, stored, res.Sightings, fresh)
		}
	}
	night("the first night", all, all/4, all)
	server.Do(t, `RENAME "Archive" "Old"`, "SELECT INBOX", `COPY 1:3 "Old"`)
	night("another name, and copies", all+3, all/4+2, all/2+3)
	night("no news", all+3, all/4+2, 0)
	if got := strings.Count(n.ledger(), `"emailid":"`); got != all+all/2+3 {
		t.Errorf("got %d ids, want one for each sighting", got)
	}
	for line := range strings.Lines(n.ledger()) {
		if strings.Contains(line, `"kind":"sighting"`) && strings.Contains(line, `/Old"`) && strings.Contains(line, `"size":`) {
			t.Errorf("got %s, want that the message was not read", line)
		}
	}
}

// TestJMAPCyrus reads an account of Cyrus IMAP: every message octet for octet, and after that the changes alone,
// whatever moves.
func TestJMAPCyrus(t *testing.T) {
	const all = 60
	server := daemons.StartCyrus(t)
	n := &night{t: t, dir: t.TempDir() + "/archive", all: true, host: server.HTTP}
	sums := make(map[string]bool)
	message := func(i int) string {
		text := (&generator{rand.New(rand.NewPCG(uint64(i), 7))}).message()
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\x00", ""), "\n", "\r\n") // as IMAP takes it
		text = fmt.Sprintf("Message-ID: <%d@a.example>\r\n%s", i, text)
		sums[fmt.Sprintf("%x", sha256.Sum256([]byte(text)))] = true
		return text
	}
	commands := []string{`CREATE "Archive/2024"`}
	for i := range all {
		commands = append(commands, daemons.Append([]string{"INBOX", "Archive/2024"}[i%2], message(i)))
	}
	server.Do(t, commands...)

	stored := func(what string, messages, fresh int64) {
		t.Helper()
		res := n.sync()
		if r := res.Sources[0]; r.Error != "" || r.Exists != messages || r.Seen != messages || r.Stored != messages || res.Sightings != fresh {
			t.Errorf("%s: got %+v, %d sightings; want %d messages, %d of them new", what, r, res.Sightings, messages, fresh)
		}
	}
	stored("the first night", all, all)
	text := n.ledger()
	for sum := range sums {
		if !strings.Contains(text, `"sighting":{"message":"`+sum+`"`) {
			t.Errorf("no message has the octets of %s", sum)
		}
	}
	if !strings.Contains(text, `"mailboxes":["Archive/2024"]`) || !strings.Contains(text, `"mailboxes":["Inbox"]`) {
		t.Error("got no names of mailboxes")
	}
	stored("no news", all, 0)
	server.Do(t, `RENAME "Archive/2024" "Old"`, "SELECT INBOX", `MOVE 1:3 "Old"`, `COPY 1 "Old"`, `STORE 1:5 +FLAGS (\Seen)`)
	stored("moves, copies, flags and another name", all, 0)
	server.Do(t, daemons.Append("INBOX", message(all)), "SELECT Old", `STORE 1:2 +FLAGS (\Deleted)`, "EXPUNGE")
	stored("one more, two less", all-1, 1)
	stored("no news after it", all-1, 0)

	s := n.servers()
	listed := func(path string) (count int) {
		t.Helper()
		for f, err := range s.emails(t.Context(), record.Path{Name: "jmap+http://ann@" + n.host + "/" + path}) {
			if err != nil {
				t.Error(err)
			}
			count++
			f.Close()
		}
		return count
	}
	if whole, inbox, old := listed(""), listed("inbox"), listed("Old"); whole != all-1 || inbox != 28 || old != 32 {
		t.Errorf("got %d messages, %d in the INBOX, %d in Old; want %d, 28, 32", whole, inbox, old, all-1)
	}
}
