// Under the race detector the program needs more address space than the recipes give it.

//go:build !race

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// The recipes of FILTER.md are run as they are there: the tests cut them out of it, and
// exchange only paths, ports, and the user of the filter.

const (
	nobodyID   = 65534
	bodyOctet  = 'x'
	bodyBase64 = "eHh4"     // three of it
	largeBody  = 6_000_000  // fits into each message
	hugeBody   = 30_000_000 // fits into none
)

// recipe returns the block of FILTER.md that starts with the name of its file.
func recipe(t *testing.T, name string) string {
	t.Helper()
	return blocks(t, "FILTER.md", "[a-z]*", "(?:#!/bin/sh\n)?# "+regexp.QuoteMeta(name)+"\n")[0]
}

// A site is a folder that any user may enter, with the program, and the servers that its
// mail refers to.
type site struct {
	dir     string
	program string // the program that FILTER.md calls /usr/local/bin/extbody
	broken  string // while there is a file of this name, the program is killed
	url     string // of the server that answers
	dead    string // of one that does not
	asked   chan struct{}
	release func() // lets /hang answer
}

func newSite(t *testing.T) *site {
	dir := openDir(t)
	s := &site{dir: dir, program: filepath.Join(dir, "bin", "extbody"), broken: filepath.Join(dir, "broken"), asked: make(chan struct{}, 100)}
	released := make(chan struct{})
	s.release = sync.OnceFunc(func() { close(released) })
	mux := http.NewServeMux()
	octets := func(n int64) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			io.CopyN(w, octetsOf(bodyOctet), n)
		}
	}
	text := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, strings.ReplaceAll(bodyText, "\n", "\r\n"))
	}
	mux.HandleFunc("/good", func(w http.ResponseWriter, _ *http.Request) { text(w) })
	mux.HandleFunc("/large", octets(largeBody))
	mux.HandleFunc("/huge", octets(hugeBody))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) {
		s.asked <- struct{}{}
		select {
		case <-released:
			text(w)
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(s.release)
	s.url = server.URL
	dead := testkit.FreeAddr(t)
	s.dead = "http://" + dead

	for _, sub := range []string{"bin", "mail"} {
		s.mkdir(t, sub)
	}
	s.give(t, "mail")
	self, err := os.Executable()
	must(t, err)
	real := filepath.Join(dir, "bin", "real", "extbody")
	s.mkdir(t, "bin/real")
	copyFile(t, real, self)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	_, deadPort, _ := net.SplitHostPort(dead)
	s.write(t, "bin/extbody", 0o755, fmt.Sprintf("#!/bin/sh\n[ ! -e %s ] || kill -9 $$\nexec %s \"$@\" --allow-net 127.0.0.1 --allow-port %s --allow-port %s\n",
		s.broken, real, port, deadPort))
	return s
}

// octetsOf is a source of one octet, again and again.
type octetsOf byte

func (o octetsOf) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(o)
	}
	return len(p), nil
}

func copyFile(t *testing.T, to, from string) {
	t.Helper()
	octets, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, octets, 0o755)
	}
	must(t, err)
}

func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

func (s *site) mkdir(t *testing.T, name string) {
	t.Helper()
	must(t, os.MkdirAll(s.path(name), 0o755))
	must(t, os.Chmod(s.path(name), 0o755))
}

func (s *site) write(t *testing.T, name string, mode fs.FileMode, text string) {
	t.Helper()
	must(t, os.WriteFile(s.path(name), []byte(text), mode))
}

// give makes a file belong to who delivers the mail.
func (s *site) give(t *testing.T, name string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	must(t, os.Chown(s.path(name), nobodyID, nobodyID))
}

// command returns a command that is run by who delivers the mail. That is not root.
func (s *site) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"HOME=" + s.dir, "PATH=/usr/bin:/bin", "LOGNAME=nobody", "TMPDIR=/tmp"}
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
	}
	return cmd
}

// run runs a command of the tests themselves.
func (s *site) run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: got error %v, want none\n%s", name, args, err, out)
	}
}

// showLog shows the log of a daemon if the test fails.
func (s *site) showLog(t *testing.T, name string) {
	t.Cleanup(func() {
		if log, _ := os.ReadFile(s.path(name)); t.Failed() {
			t.Logf("%s", log[max(0, len(log)-20_000):])
		}
	})
}

// start starts a daemon, which is ended with the test.
func (s *site) start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
}

// bodyText is as it arrives, in mail with LF. The server has it with CRLF, since other text goes in by base64.
const bodyText = "What the sender left with his server.\n"

// A posted is a message, and its expected outcome.
type posted struct {
	name string
	text string // the message, with LF
	want string // is in the message that arrives
	not  string // is not
	size int    // of the body, in octets that are bodyOctet; 0 if that is not looked at
}

const marker = "message/external-body"

// letters returns messages of all kinds, each of which has to arrive once.
func (s *site) letters() []posted {
	part := func(url, header string) string {
		return fmt.Sprintf("Content-Type: message/external-body; access-type=URL;\n URL=\"%s\"\n\n%s\n", url, header)
	}
	const text, binary = "Content-Type: text/plain\n", "Content-Type: application/octet-stream\n"
	mixed := func(parts ...string) string {
		return "Content-Type: multipart/mixed; boundary=\"=_1\"\n\n--=_1\nContent-Type: text/plain\n\nSee the file.\n--=_1\n" +
			strings.Join(parts, "\n--=_1\n") + "\n--=_1--\n"
	}
	good := part(s.url+"/good", text)
	list := []posted{
		{name: "good", text: mixed(good), want: bodyText, not: marker},
		{name: "root", text: good, want: bodyText, not: marker},
		{name: "upper", text: strings.ReplaceAll(mixed(good), marker, "Message/External-Body"), want: bodyText, not: "External-Body"},
		{name: "folded", text: strings.ReplaceAll(mixed(good), " "+marker, "\n "+marker), want: bodyText, not: marker},
		{name: "second", text: mixed("Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw==", good), want: bodyText, not: marker},
		{name: "nested", text: mixed(strings.ReplaceAll(mixed(good), "=_1", "=_2")), want: bodyText, not: marker},
		{name: "forwarded", text: mixed("Content-Type: message/rfc822\n\nSubject: inner\nMIME-Version: 1.0\n" + good), want: marker, not: bodyText},
		{name: "half", text: mixed(good, part(s.dead+"/x", text)), want: bodyText, not: "\x00"},
		{name: "dead", text: mixed(part(s.dead+"/x", text)), want: marker, not: bodyText},
		{name: "missing", text: mixed(part(s.url+"/missing", text)), want: marker, not: bodyText},
		{name: "slow", text: mixed(part(s.url+"/slow", text)), want: marker, not: bodyText},
		{name: "large", text: mixed(part(s.url+"/large", binary)), not: marker, size: largeBody},
		{name: "huge", text: mixed(part(s.url+"/huge", binary)), want: marker, not: bodyBase64},
		{name: "none", text: "Content-Type: text/plain\n\nNothing.\n", want: "Nothing.\n", not: marker},
		{name: "mention", text: "Content-Type: text/plain\n\nContent-Type: message/external-body\n", want: marker, not: bodyText},
		{name: "bare", text: "\nNo MIME.\n", want: "No MIME.\n", not: marker},
	}
	for i := range list {
		l := &list[i]
		head := fmt.Sprintf("From: <ann@sender.example>\nTo: <bob@example.com>\nSubject: %s\nMessage-ID: <%s@sender.example>\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n", l.name, l.name)
		if l.name != "bare" {
			head += "MIME-Version: 1.0\n"
		}
		l.text = head + l.text
	}
	return list
}

// letter returns the one of a name.
func (s *site) letter(name string) posted {
	list := s.letters()
	return list[slices.IndexFunc(list, func(l posted) bool { return l.name == name })]
}

// arrived returns the messages in the Maildirs below a folder, by subject.
func arrived(t *testing.T, dir string) map[string][]string {
	got := make(map[string][]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // moved, or not there yet
		}
		if sub := filepath.Base(filepath.Dir(path)); err != nil || e.IsDir() || sub != "new" && sub != "cur" {
			return err
		}
		octets, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		octets = bytes.ReplaceAll(octets, []byte("\r\n"), []byte("\n"))
		subject := regexp.MustCompile(`(?m)^Subject: (.*)$`).FindSubmatch(octets)
		if subject == nil {
			return fmt.Errorf("%s has no subject", path)
		}
		got[string(subject[1])] = append(got[string(subject[1])], string(octets))
		return nil
	})
	must(t, err)
	return got
}

// check compares the mail that arrived with the mail that was sent.
func check(t *testing.T, got map[string][]string, sent []posted) {
	t.Helper()
	for _, l := range sent {
		if n := len(got[l.name]); n != 1 {
			t.Errorf("%s: arrived %d times, want 1", l.name, n)
			continue
		}
		mail := got[l.name][0]
		delete(got, l.name)
		if !strings.Contains(mail, l.want) {
			t.Errorf("%s: there is no %q in\n%.2000s", l.name, l.want, mail)
		}
		if strings.Contains(mail, l.not) {
			t.Errorf("%s: got %q, want it not in\n%.2000s", l.name, l.not, mail)
		}
		_, body, _ := strings.Cut(mail, "\n\n")
		_, before, _ := strings.Cut(l.text, "\n\n")
		// A reference that stays is not touched, and neither is a message without
		// one.
		if unchanged := l.want != "" && l.want != bodyText; unchanged && strings.TrimRight(body, "\n") != strings.TrimRight(before, "\n") {
			t.Errorf("%s: got the body\n%.2000s\nwant\n%.2000s", l.name, body, before)
		}
		// Three octets are four of base64, of which no line has a part.
		if got := strings.Count(body, bodyBase64) * 3; got != l.size && l.size > 0 {
			t.Errorf("%s: there are %d octets of the body, want %d", l.name, got, l.size)
		}
	}
	for subject, mails := range got {
		t.Errorf("got %d messages %q, want none that was not sent:\n%.2000s", len(mails), subject, mails[0])
	}
}

// deliverAll delivers letters at the same time.
func deliverAll(t *testing.T, list []posted, deliver func(l posted) error) {
	t.Helper()
	var all sync.WaitGroup
	for _, l := range list {
		all.Go(func() {
			if err := deliver(l); err != nil {
				t.Errorf("%s: got error %v, want none", l.name, err)
			}
		})
	}
	all.Wait()
}

// again is a letter for a filter that does not work at first.
func (s *site) again() posted {
	l := s.letter("good")
	l.text = strings.ReplaceAll(l.text, "good", "again")
	l.text = strings.ReplaceAll(l.text, s.url+"/again", s.url+"/good")
	l.name = "again"
	return l
}

// left is the same letter if it is delivered with its reference.
func (l posted) left() posted {
	l.want, l.not = marker, bodyText
	return l
}

// TestProcmail runs the recipe for procmail.
func TestProcmail(t *testing.T) {
	t.Parallel()
	procmail := installed(t, "procmail")
	s := newSite(t)
	text := strings.ReplaceAll(recipe(t, "~/.procmailrc"), "/usr/local/bin/extbody", s.program)
	s.write(t, "mail/procmailrc", 0o600, "DEFAULT="+s.path("mail/Maildir")+"/\n"+text)
	s.give(t, "mail/procmailrc")
	deliver := func(l posted) error {
		cmd := s.command(procmail, s.path("mail/procmailrc"))
		cmd.Stdin = strings.NewReader("From ann@sender.example Sat Nov 21 10:00:00 2026\n" + l.text)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	list := s.letters()
	deliverAll(t, list, deliver)
	check(t, arrived(t, s.path("mail")), list)

	s.write(t, "broken", 0o644, "")
	l := s.again()
	if err := deliver(l); err == nil || !strings.Contains(err.Error(), "exit status 75") {
		t.Errorf("a filter that fails: got %v, want exit status 75", err)
	}
	os.Remove(s.broken)
	deliverAll(t, []posted{l}, deliver)
	check(t, arrived(t, s.path("mail")), append(list, l))
}

// TestMaildrop runs the recipe for maildrop.
func TestMaildrop(t *testing.T) {
	t.Parallel()
	maildrop := installed(t, "maildrop")
	s := newSite(t)
	text := strings.ReplaceAll(recipe(t, "~/.mailfilter"), "/usr/local/bin/extbody", s.program)
	s.mkdir(t, "mail/Maildir")
	for _, sub := range []string{"", "/cur", "/new", "/tmp"} {
		s.mkdir(t, "mail/Maildir"+sub)
		s.give(t, "mail/Maildir"+sub)
	}
	s.write(t, "mailfilter", 0o600, "DEFAULT=\""+s.path("mail/Maildir")+"\"\n"+text)
	s.give(t, "mailfilter")
	deliver := func(l posted) error {
		cmd := s.command(maildrop, s.path("mailfilter"))
		cmd.Stdin = strings.NewReader(l.text)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	list := s.letters()
	deliverAll(t, list, deliver)
	check(t, arrived(t, s.path("mail")), list)

	s.write(t, "broken", 0o644, "")
	l := s.again().left()
	deliverAll(t, []posted{l}, deliver)
	check(t, arrived(t, s.path("mail")), append(list, l))
}
