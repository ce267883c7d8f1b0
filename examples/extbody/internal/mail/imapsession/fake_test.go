package imapsession

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A fake is a server with one mailbox, whose answers tamper can change.
type fake struct {
	greeting string // "" for PREAUTH
	caps     string // behind IMAP4rev1
	tls      *tls.Config
	implicit bool   // TLS from the first octet; else by STARTTLS
	validity uint32 // 0 for 42
	messages []fakeMessage

	// tamper returns the text to send instead of an untagged or tagged response.
	// After "CLOSE" the connection is closed, after "HANG" nothing is sent any
	// more. uid is 0 for a response that is about no message.
	tamper func(command string, uid uint32, response string) string

	// connected, if set, is called for each connection, the first being 1.
	connected func(f *fake, n int)

	mu          sync.Mutex
	log         []string
	idAnswer    string // to ID
	connections int
	wg          sync.WaitGroup
}

type fakeMessage struct {
	uid       uint32
	structure string
	text      string            // all of it
	id        string            // the items that EMAILID and X-GM-MSGID give
	arrived   string            // the value of INTERNALDATE
	sections  map[string]string // by name without BODY
}

const textPlain = `("text" "plain" NIL NIL NIL "7bit" 5 1 NIL NIL NIL NIL)`

// mixedWith is a multipart whose second part is a reference.
const mixedWith = `(` + textPlain + `("message" "external-body" ("access-type" "URL") NIL NIL "7bit" 20 NIL NIL NIL NIL) "mixed" NIL NIL NIL NIL)`

func plainMessage(uid uint32) fakeMessage {
	return fakeMessage{uid: uid, structure: textPlain, text: "Subject: x\r\n\r\nhello"}
}

func mixedMessage(uid uint32) fakeMessage {
	return fakeMessage{uid: uid, structure: mixedWith, text: fmt.Sprintf("Subject: %d\r\n\r\nwhole", uid), sections: map[string]string{
		"[2.MIME]": fmt.Sprintf("Content-Type: message/external-body; x=%d\r\n\r\n", uid),
		"[2]":      "\r\n",
	}}
}

// dial is a Config.Dial.
func (f *fake) dial(context.Context) (net.Conn, error) {
	f.mu.Lock()
	f.connections++
	n := f.connections
	if f.connected != nil {
		f.connected(f, n)
	}
	f.mu.Unlock()
	ours, theirs := net.Pipe()
	f.wg.Go(func() { f.serve(theirs) })
	return ours, nil
}

func (f *fake) config() *Config {
	return &Config{
		Dial:           f.dial,
		Host:           "mail.example",
		AllowPlaintext: true,
		Login:          func(context.Context) (string, string, error) { return "ann", "secret", nil },
	}
}

// open returns a Session, which is closed with the test.
func (f *fake) open(t testing.TB) *Session {
	t.Helper()
	return f.openWith(t, f.config())
}

// openWith opens the mailbox by a Session with a configuration.
func (f *fake) openWith(t testing.TB, cfg *Config) *Session {
	t.Helper()
	s := f.openServer(t, cfg)
	if err := s.Examine(t.Context(), "INBOX", 0); err != nil {
		t.Fatal(err)
	}
	return s
}

// openServer opens no mailbox.
func (f *fake) openServer(t testing.TB, cfg *Config) *Session {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		f.wg.Wait()
	})
	return s
}

func (f *fake) serve(conn net.Conn) {
	defer conn.Close()
	if f.implicit {
		conn = tls.Server(conn, f.tls)
	}
	if !f.write(conn, cmp.Or(f.greeting, "* PREAUTH ready")+"\r\n") {
		return
	}
	in := bufio.NewReaderSize(conn, 64<<10)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		f.mu.Lock()
		f.log = append(f.log, command)
		f.mu.Unlock()
		if verb, mechanism, _ := strings.Cut(command, " "); verb == "AUTHENTICATE" {
			io.WriteString(conn, "+ \r\n")
			line, _ := in.ReadString('\n')
			f.mu.Lock()
			f.log = append(f.log, mechanism+" "+strings.TrimSpace(line))
			f.mu.Unlock()
		}
		if !f.answer(conn, tag, command) {
			return
		}
		if command == "STARTTLS" && f.tls != nil {
			conn = tls.Server(conn, f.tls)
			in = bufio.NewReader(conn)
		}
	}
}

// write sends a response, and reports whether the connection goes on.
func (f *fake) write(conn net.Conn, response string) bool {
	text, closes := strings.CutSuffix(response, "CLOSE")
	text, hangs := strings.CutSuffix(text, "HANG")
	if _, err := io.WriteString(conn, text); err != nil || closes {
		return false
	}
	if hangs {
		io.Copy(io.Discard, conn)
	}
	return !hangs
}

func (f *fake) answer(conn net.Conn, tag, command string) bool {
	say := func(uid uint32, response string) bool {
		if f.tamper != nil {
			response = f.tamper(command, uid, response)
		}
		return f.write(conn, response)
	}
	verb, args, _ := strings.Cut(command, " ")
	f.mu.Lock()
	validity, messages := cmp.Or(f.validity, 42), slices.Clone(f.messages)
	f.mu.Unlock()
	switch verb {
	case "CAPABILITY":
		if !say(0, "* CAPABILITY IMAP4rev1 "+f.caps+"\r\n") {
			return false
		}
	case "ID":
		if !say(0, "* ID "+f.idAnswer+"\r\n") {
			return false
		}
	case "EXAMINE":
		if !say(0, fmt.Sprintf("* %d EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n", len(messages), validity)) {
			return false
		}
	case "UID":
		if !uidCommand(args, messages, say) {
			return false
		}
	}
	return say(0, tag+" OK done\r\n")
}

var fetchCommand = regexp.MustCompile(`^FETCH ([0-9:,]+) \(UID (.*)\)$`)

func uidCommand(args string, messages []fakeMessage, say func(uint32, string) bool) bool {
	if key, ok := strings.CutPrefix(args, "SEARCH "); ok {
		response := "* SEARCH"
		set, byUID := strings.CutPrefix(key, "UID ")
		for i, m := range messages {
			n := uint32(i + 1)
			if byUID {
				n = m.uid
			}
			if inSet(set, n) {
				response += fmt.Sprintf(" %d", m.uid)
			}
		}
		return say(0, response+"\r\n")
	}
	match := fetchCommand.FindStringSubmatch(args)
	for i, m := range messages {
		if !inSet(match[1], m.uid) {
			continue
		}
		response := fmt.Sprintf("* %d FETCH (UID %d", i+1, m.uid)
		for item := range strings.FieldsSeq(match[2]) {
			response += " " + m.item(item)
		}
		if !say(m.uid, response+")\r\n") {
			return false
		}
	}
	return true
}

func inSet(set string, n uint32) bool {
	for r := range strings.SplitSeq(set, ",") {
		first, last, isRange := strings.Cut(r, ":")
		if !isRange {
			last = first
		}
		a, _ := strconv.ParseUint(first, 10, 32)
		b, _ := strconv.ParseUint(last, 10, 32)
		if uint64(n) >= a && uint64(n) <= b {
			return true
		}
	}
	return false
}

var sectionItem = regexp.MustCompile(`^BODY\.PEEK(\[.*\])<(\d+)\.(\d+)>$`)

func (m fakeMessage) item(item string) string {
	switch item {
	case "BODYSTRUCTURE":
		return "BODYSTRUCTURE " + m.structure
	case "EMAILID", "X-GM-MSGID", "X-GUID":
		return m.id
	case "INTERNALDATE":
		return "INTERNALDATE " + m.arrived
	case "RFC822.SIZE":
		return fmt.Sprintf("RFC822.SIZE %d", len(m.text))
	}
	match := sectionItem.FindStringSubmatch(item)
	data, ok := m.sections[match[1]]
	if match[1] == "[]" {
		data, ok = m.text, true
	}
	offset, _ := strconv.Atoi(match[2])
	size, _ := strconv.Atoi(match[3])
	name := fmt.Sprintf("BODY%s<%d> ", match[1], offset)
	if !ok {
		return name + "NIL"
	}
	data = data[min(offset, len(data)):]
	data = data[:min(size, len(data))]
	return name + literal(data)
}

func literal(s string) string { return fmt.Sprintf("{%d}\r\n%s", len(s), s) }

// A paced connection writes an octet at a time once it has a pause.
type paced struct {
	net.Conn
	pause atomic.Int64 // a time.Duration
}

func (p *paced) Write(b []byte) (int, error) {
	pause := time.Duration(p.pause.Load())
	if pause == 0 {
		return p.Conn.Write(b)
	}
	for i := range b {
		time.Sleep(pause)
		if _, err := p.Conn.Write(b[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(b), nil
}
