package externalbody_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// A fromField is a From field with exactly one mailbox, legal by RFC 5322 section 3.4.
type fromField struct{ text, local, domain string }

// fromFields returns n fields with comments, quoted strings and folds wherever they may stand.
func fromFields(n int) []fromField {
	r := rand.New(rand.NewPCG(36, 18))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var comment func(depth int) string
	comment = func(depth int) string {
		text := "(" + pick("", "Sales", "a@b.example", "<eve@evil.example>", `a \) b`, `"`, "eve@evil.example,", "x;y:z")
		if depth > 0 && r.IntN(3) == 0 {
			text += comment(depth - 1)
		}
		return text + ")"
	}
	// run returns comments and white space, mostly nothing.
	run := func() string {
		text := ""
		for r.IntN(3) == 0 {
			text += pick(" ", "\r\n ", "\t", comment(2))
		}
		return text
	}
	fields := make([]fromField, n)
	for i := range fields {
		f := fromField{local: pick("alice", "a.b", "a+tag", "x_y", "o'neil"), domain: pick("example.com", "mail.example.org", "x.example")}
		local := f.local
		if r.IntN(5) == 0 {
			f.local = pick("a b", "a(b)c", "a@b", "a,b", "<a>")
			local = `"` + f.local + `"`
		}
		address := run() + local + run() + "@" + run() + f.domain + run()
		switch r.IntN(3) {
		case 0:
			f.text = address
		case 1:
			f.text = run() + "<" + address + ">" + run()
		default:
			name := pick("Alice", "Alice Liddell", `"Liddell, Alice (x"`, `"<eve@evil.example>"`, "=?utf-8?q?Andr=C3=A9?=", `"a \" b"`)
			f.text = run() + name + run() + "<" + address + ">" + run()
		}
		fields[i] = f
	}
	return fields
}

// TestSenderOfLegalFrom has a Sender for each legal field, which is the mailbox that Python's
// email package and Dovecot's ENVELOPE have.
func TestSenderOfLegalFrom(t *testing.T) {
	fields := fromFields(400)
	for _, f := range fields {
		want := f.local + "@" + f.domain
		got := externalbody.Sender(f.text)
		if strings.HasPrefix(got, `"`) {
			got = strings.Replace(got[1:], `"@`, "@", 1)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", f.text, got, want)
		}
	}
	t.Run("Python", func(t *testing.T) { checkSenders(t, fields, pythonSenders(t, fields)) })
	t.Run("Dovecot", func(t *testing.T) { checkSenders(t, fields, dovecotSenders(t, fields)) })
}

// checkSenders compares the result of another reader for the fields.
func checkSenders(t *testing.T, fields []fromField, got []string) {
	t.Helper()
	if len(got) != len(fields) {
		t.Fatalf("got %d senders, want %d", len(got), len(fields))
	}
	for i, f := range fields {
		if want := f.local + "@" + f.domain; got[i] != want {
			t.Errorf("%q: got %q, want %q", f.text, got[i], want)
		}
	}
}

func pythonSenders(t *testing.T, fields []fromField) (senders []string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	const program = `
import json, sys
from email import message_from_string, policy
out = []
for text in json.load(sys.stdin):
    a = message_from_string("From: " + text + "\r\n\r\n", policy=policy.default)["From"].addresses
    out.append(a[0].username + "@" + a[0].domain if len(a) == 1 else str(len(a)))
json.dump(out, sys.stdout)
`
	var texts []string
	for _, f := range fields {
		texts = append(texts, f.text)
	}
	in, err := json.Marshal(texts)
	must(t, err)
	cmd := exec.Command(python, "-c", program)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	must(t, err)
	must(t, json.Unmarshal(out, &senders))
	return senders
}

// mailbox is the first address of an ENVELOPE: its name, route, mailbox and host.
var mailbox = regexp.MustCompile(`\(\((?:NIL|"(?:\\.|[^"\\])*"|\{\d+\}\r\n.*?) NIL "((?:\\.|[^"\\])*)" "([^"]*)"\)\)`)

func dovecotSenders(t *testing.T, fields []fromField) (senders []string) {
	server := dovecot.Start(t, func(maildir string) {
		for i, f := range fields {
			must(t, os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%d.x:2,", 1_000_000_000+i)), []byte("From: "+f.text+"\r\n\r\n"), 0o644))
		}
	})
	conn, err := tls.Dial("tcp", server.TLSAddr, &tls.Config{RootCAs: server.Roots})
	must(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "1 LOGIN %s %s\r\n2 SELECT INBOX\r\n3 FETCH 1:* ENVELOPE\r\n", dovecot.User, dovecot.Password)
	for r := bufio.NewReader(conn); ; {
		line, err := r.ReadString('\n')
		must(t, err)
		if strings.HasPrefix(line, "3 ") {
			return senders
		}
		for strings.HasSuffix(line, "}\r\n") { // a literal
			rest, err := r.ReadString('\n')
			must(t, err)
			line += rest
		}
		if !strings.Contains(line, "ENVELOPE (") {
			continue
		}
		if m := mailbox.FindStringSubmatch(line); m != nil {
			senders = append(senders, m[1]+"@"+m[2])
		} else {
			senders = append(senders, line)
		}
	}
}
