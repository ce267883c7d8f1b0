package externalbody_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// A damager damages messages.
type damager struct{ *rand.Rand }

// message returns a message with references to https://a.example/N-1 and so on, in a
// multipart and in a message within.
func (d *damager) message(n int) string {
	ref := 0
	part := func() string {
		ref++
		return fmt.Sprintf("Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/%d-%d\"\nContent-Description: x\n\nContent-Type: image/png\nContent-ID: <%d@y>\n\n", n, ref, ref)
	}
	text := "Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\ntext\n--b\n" + part() +
		"\n--b\nContent-Type: message/rfc822\n\nSubject: y\nContent-Type: multipart/mixed; boundary=\"bb\"\n\n--bb\n" + part() + "\n--bb--\n--b\n" + part() + "\n--b--\n"
	lines := strings.SplitAfter(text, "\n")
	for range 1 + d.IntN(3) {
		i := d.IntN(len(lines) - 1)
		switch d.IntN(12) {
		case 0:
			lines[i] += "JUNK line\n"
		case 1:
			lines[i] = d.one("From a b\n", ">From a b\n", " \n", "\t\n", "JUNK\n", ": x\n", "Bad Name: x\n", "Content-Type text/plain\n") + lines[i]
		case 2:
			lines[i] = strings.TrimSuffix(lines[i], "\n") + d.one("junk\n", "\tjunk\n", " \n", "--\n", "-\n")
		case 3:
			lines[i] = ""
		case 4:
			lines[i] += lines[i]
		case 5:
			lines[i] = strings.TrimSuffix(lines[i], "\n") + "\r"
		case 6:
			lines[i] = strings.Replace(lines[i], "boundary=", d.one("boundary=\"\"; boundary=", "boundary=a; boundary=", "x=y boundary=", "BOUNDARY ="), 1)
		case 7:
			lines[i] = strings.Replace(lines[i], ":", d.one("", " :", "\t:", "::"), 1)
		case 8:
			lines[i] = d.one("Content-Type: text/plain\n", "Content-Type: multipart/mixed; boundary=c\n", "Content-Transfer-Encoding: base64\n", "Content-Type: message/rfc822\n") + lines[i]
		case 9:
			lines[i] = strings.TrimSuffix(lines[i], "\n") + "\r\r\n"
		case 10:
			lines[i] = strings.Replace(lines[i], "/", d.one("\x00/", "/\x00", " / "), 1)
		case 11:
			lines[i] = " " + lines[i]
		}
	}
	return strings.Join(lines, "")
}

func (d *damager) one(s ...string) string { return s[d.IntN(len(s))] }

var damagedURL = regexp.MustCompile(`https://a\.example/\d+-\d+`)

// checkDamage wants each reference that a reader has seen to be seen by Open.
func checkDamage(t *testing.T, messages []string, seen map[string]bool) {
	t.Helper()
	missed := 0
	for n, text := range messages {
		m := openMessage(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
		for r := range m.References() {
			url, _ := r.Param("url")
			delete(seen, url)
		}
		for url := range seen {
			if strings.HasPrefix(url, fmt.Sprintf("https://a.example/%d-", n)) {
				if missed++; missed < 6 {
					t.Errorf("got no reference to %s, want that of\n%q", url, text)
				}
			}
		}
	}
	if missed > 0 {
		t.Errorf("got %d references fewer, want all", missed)
	}
}

func damaged(n int) []string {
	d := &damager{rand.New(rand.NewPCG(5, 6))}
	messages := make([]string, n)
	for i := range messages {
		messages[i] = d.message(i)
	}
	return messages
}

// TestDamageAsPython compares with the parts that Python's email package sees.
func TestDamageAsPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	messages := damaged(3000)
	const program = `
import sys, email
from email import policy
data = sys.stdin.buffer.read().split(b"\x01\x02\x03")
for text in data:
    for p in email.message_from_bytes(text).walk():
        if p.get_content_type() == "message/external-body":
            print(p.get_param("url"))
`
	cmd := exec.Command(python, "-c", program)
	cmd.Stdin = strings.NewReader(strings.Join(messages, "\x01\x02\x03"))
	out, err := cmd.Output()
	if err != nil {
		t.Skip(err)
	}
	seen := make(map[string]bool)
	for _, url := range damagedURL.FindAllString(string(out), -1) {
		seen[url] = true
	}
	if len(seen) < len(messages) {
		t.Fatalf("python3 sees %d references, want more", len(seen))
	}
	checkDamage(t, messages, seen)
}

// TestDamageAsDovecot compares with the parts in BODYSTRUCTURE of Dovecot.
func TestDamageAsDovecot(t *testing.T) {
	messages := damaged(1500)
	server := dovecot.Start(t, func(maildir string) {
		for i, text := range messages {
			must(t, os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%d.x:2,", 1_000_000_000+i)), []byte(text), 0o644))
		}
	})
	conn, err := tls.Dial("tcp", server.TLSAddr, &tls.Config{RootCAs: server.Roots})
	must(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "1 LOGIN %s %s\r\n2 SELECT INBOX\r\n3 FETCH 1:* BODYSTRUCTURE\r\n", dovecot.User, dovecot.Password)
	var answer bytes.Buffer
	for r := bufio.NewReader(conn); ; {
		line, err := r.ReadBytes('\n')
		must(t, err)
		answer.Write(line)
		if bytes.HasPrefix(line, []byte("3 ")) {
			break
		}
	}
	seen := make(map[string]bool)
	for _, part := range regexp.MustCompile(`(?i)"message" "external-body" \([^)]*\)`).FindAllString(answer.String(), -1) {
		if url := damagedURL.FindString(part); url != "" {
			seen[url] = true
		}
	}
	if len(seen) < len(messages) {
		t.Fatalf("dovecot sees %d references, want more", len(seen))
	}
	checkDamage(t, messages, seen)
}
