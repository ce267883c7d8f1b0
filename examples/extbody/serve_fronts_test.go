package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	milter "github.com/emersion/go-milter"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A hostProgram is a mail server that is set up with extbody serve. start returns a
// function that sends it a message and returns the outcome in the words of SERVE.md.
type hostProgram struct {
	name  string // as in the head of the table in SERVE.md
	start func(t *testing.T, s *cellServer) func(to, message string) string
}

// A cellServer is a serve that is asked about the cells of the table.
type cellServer struct {
	*daemon
	http, lmtp, milter string // its addresses
	next               *nextHop
	dovecot            string // the folder of Dovecot
	copies             bool   // it can copy
}

// outcomeOf returns the first outcome that find returns.
func (s *cellServer) outcomeOf(find func() string) (got string) {
	s.until("outcome", func() bool { got = find(); return got != "" })
	return got
}

// outcome returns the outcome for mail that was delivered to an address.
func (s *cellServer) outcome(at, to, mail string) string {
	mail = strings.ReplaceAll(strings.ReplaceAll(mail, "\r\n", "\n"), "\n", "\r\n")
	mail, held := strings.CutPrefix(mail, isHeld)
	switch fields := len(ourField.FindAllString(mail, -1)); {
	case fields != 1:
		return fmt.Sprintf("delivered with %d fields", fields)
	case held:
		return "held"
	case strings.Contains(mail, "Subject: [File]"):
		return "with the text before the Subject"
	case strings.Contains(mail, "A file was removed"):
		return "with a notice"
	case !strings.Contains(mail, "external-body") && strings.Contains(mail, "action=strip"):
		return "without the reference"
	case !strings.Contains(mail, "external-body"):
		return "with the file"
	case at != to:
		return "to the other address"
	}
	return "passes"
}

// copies is the address that gets copies.
const copies = "copies@b.example"

// arrived returns the outcome for mail that was delivered to addresses, by these. The outcome of a copy is there
// when the mail is at both.
func (s *cellServer) arrived(to string, mail map[string]string) string {
	copied := strings.HasPrefix(to, "copy-enforce") && s.copies
	if copied && (mail[to] == "" || mail[copies] == "") {
		return ""
	}
	for at, m := range mail {
		got := s.outcome(at, to, m)
		switch {
		case copied && strings.Contains(m, "action=copy"):
			return "with a word about a copy"
		case copied && got != "passes" && got != "to the other address":
			return got
		case !copied:
			return got
		}
	}
	if copied {
		return "passes, and a copy"
	}
	return ""
}

// hasSubjectOf reports whether a mail has the Subject of a message, which starts with it, perhaps after a text.
func hasSubjectOf(mail, message string) bool {
	first, _, _ := strings.Cut(message, "\r\n")
	number := regexp.QuoteMeta(strings.TrimPrefix(first, "Subject: "))
	return regexp.MustCompile(`(?m)^Subject: (\[File\] )?` + number + `\r?$`).MatchString(mail)
}

// viaPostfix starts Postfix with lines of main.cf, and the next hop after it.
func viaPostfix(t *testing.T, s *cellServer, lines ...string) func(to, message string) string {
	p := startMailServer(t, append(lines, "virtual_transport = lmtp:inet:"+s.next.address)...)
	return func(to, message string) string {
		held := len(p.files("hold"))
		if code := p.sendTo(t, to, message); code != 250 {
			return fmt.Sprint(code)
		}
		return s.outcomeOf(func() string {
			if len(p.files("hold")) > held {
				return "held"
			}
			s.next.mu.Lock()
			defer s.next.mu.Unlock()
			found := make(map[string]string)
			for _, m := range s.next.all {
				if at, m, _ := strings.Cut(m, " "); hasSubjectOf(m, message) {
					found[at] = m
				}
			}
			return s.arrived(to, found)
		})
	}
}

var hostPrograms = []hostProgram{
	{"Postfix, milter", func(t *testing.T, s *cellServer) func(string, string) string {
		return viaPostfix(t, s, "smtpd_milters = inet:"+s.milter, "milter_default_action = tempfail")
	}},
	{"Postfix, LMTP, Dovecot", func(t *testing.T, s *cellServer) func(string, string) string {
		p := startMailServer(t, "virtual_transport = lmtp:inet:"+s.lmtp)
		return func(to, message string) string {
			if code := p.sendTo(t, to, message); code != 250 {
				return fmt.Sprint(code)
			}
			refused := regexp.MustCompile(`to=<` + to + `>.* said: (\d+)`)
			return s.outcomeOf(func() string {
				if m := refused.FindStringSubmatch(p.log()); m != nil {
					return m[1]
				}
				files, _ := filepath.Glob(filepath.Join(s.dovecot, "mail", "*", "new", "*"))
				found := make(map[string]string)
				for _, name := range files {
					text, _ := os.ReadFile(name)
					if at := filepath.Base(filepath.Dir(filepath.Dir(name))); hasSubjectOf(string(text), message) {
						found[at] = string(text)
					}
				}
				return s.arrived(to, found)
			})
		}
	}},
	{"Postfix, rspamd", func(t *testing.T, s *cellServer) func(string, string) string {
		proxy := testkit.FreeAddr(t)
		startRspamd(t, testkit.FreeAddr(t), proxy, rspamdBlock(t, s.http))
		s.copies = true
		return viaPostfix(t, s, "smtpd_milters = inet:"+proxy)
	}},
	{"Haraka", func(t *testing.T, s *cellServer) func(string, string) string {
		address, _, queued := startHaraka(t, s.http, "queue/quarantine\nenvelope\n")
		envelope := regexp.MustCompile(`(?m)^X-To: (.*)`)
		s.copies = true
		return func(to, message string) string {
			conn, err := net.Dial("tcp", address)
			must(t, err)
			defer conn.Close()
			if code := deliver(conn, to, message); code != 250 {
				return fmt.Sprint(code)
			}
			got := queued()
			found := map[string]string{to: got}
			if m := envelope.FindStringSubmatch(got); m != nil {
				for at := range strings.SplitSeq(strings.TrimSpace(m[1]), ",") {
					found[strings.Trim(at, "<>")] = got
				}
			}
			return s.arrived(to, found)
		}
	}},
	{"Exim", func(t *testing.T, s *cellServer) func(string, string) string {
		send, spooled, _ := startExim(t, s.http, "")
		own := regexp.MustCompile(`(?m)^\d+[ *FRT] `)
		return func(to, message string) string {
			if code := send([]string{to}, message); code != "250" {
				return code
			}
			header, body := spooled()
			held := ""
			if strings.Contains(header, "\n-frozen ") {
				held = isHeld
			}
			return s.outcome(to, to, held+own.ReplaceAllString(header, "")+body)
		}
	}},
}

// Each action in each mode with each mail server has the effect that the table of
// SERVE.md shows.
func TestServeTable(t *testing.T) {
	t.Parallel()
	head, table := actionTable(t)
	modes := []string{"shadow", "tag", "enforce"}
	rule := func(action, mode string) string {
		r := fmt.Sprintf("[[rule]]\nname = \"%[1]s-%[2]s\"\nrecipient = \"%[1]s-%[2]s@b.example\"\naction = \"%[1]s\"\nmode = \"%[2]s\"\n", action, mode)
		switch action {
		case "redirect":
			r += "to = \"desk@b.example\"\n"
		case "copy":
			r += "to = \"" + copies + "\"\n"
		case "subject":
			r += "text = \"[File]\"\n"
		}
		return r
	}
	base, flags := serve(t, linkedFile)
	for i, program := range hostPrograms {
		t.Run(program.name, func(t *testing.T) {
			t.Parallel()
			if head[i] != program.name {
				t.Fatalf("got the column %q in SERVE.md, want %q", head[i], program.name)
			}
			s := &cellServer{http: testkit.FreeAddr(t), lmtp: testkit.FreeAddr(t), milter: testkit.FreeAddr(t), next: startNextHop(t)}
			next := s.next.address
			if strings.Contains(program.name, "Dovecot") {
				s.dovecot = startDovecot(t)
				next = filepath.Join(s.dovecot, "lmtp")
			}
			front := []string{"--http", s.http}
			switch {
			case strings.Contains(program.name, "milter"):
				front, s.copies = []string{"--milter", s.milter, "--milter-bodies"}, true
			case strings.Contains(program.name, "LMTP"):
				front, s.copies = []string{"--lmtp", s.lmtp, "--lmtp-next", next}, true
			}
			s.daemon = newDaemon(t, "", append(front, "--wait", "5s")...)
			s.args = append(s.args, flags...)
			var rules strings.Builder
			for action, row := range table {
				for _, mode := range modes {
					if row[i] != "a mistake" || mode != "enforce" {
						rules.WriteString(rule(action, mode))
						continue
					}
					s.policy(rule(action, mode))
					if out, err := exec.Command(executable(t), s.args...).CombinedOutput(); err == nil || !strings.Contains(string(out), "rule.action") {
						t.Errorf("%s: got %v, %s, want a mistake in the policy", action, err, out)
					}
				}
			}
			s.policy(rules.String())
			s.start()
			send := program.start(t, s)
			n := 0
			for action, row := range table {
				for _, mode := range modes {
					n++
					want := row[i]
					if mode != "enforce" {
						want = "passes"
					} else if want == "a mistake" {
						continue
					}
					if got := send(action+"-"+mode+"@b.example", refersTo(base+"/good", 1000+n)); got != want {
						t.Errorf("%s, %s: got %q, want %q", action, mode, got, want)
					}
				}
			}
		})
	}
}

// actionTable returns the table of SERVE.md about actions: the names of the mail servers,
// and for each action the outcome with each of them.
func actionTable(t *testing.T) (head []string, table map[string][]string) {
	t.Helper()
	doc := readText(t, "SERVE.md")
	table = make(map[string][]string)
	for line := range strings.Lines(doc) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case cells[0] == "action" && head == nil:
			head = cells[1:]
		case strings.HasPrefix(line, "| ---"):
		case head != nil && strings.HasPrefix(line, "|"):
			for action := range strings.SplitSeq(cells[0], ", ") {
				table[action] = cells[1:]
			}
		case len(table) > 0:
			if slices.Contains(head, "") || len(table) < 12 {
				t.Fatalf("got %d actions in SERVE.md, want 12", len(table))
			}
			return head, table
		}
	}
	t.Fatal("got no table of actions in SERVE.md, want one")
	return nil, nil
}

// A stranger who writes another's address into the envelope, with references to hosts
// that hang, uses up the share of one client, and holds up no mail of the other: at
// each front end the client that is connected counts.
func TestServeForgedSender(t *testing.T) {
	t.Parallel()
	base, flags := serve(t, linkedFile)
	good, more := serve(t, linkedFile)
	flags = append(flags, more...)
	for _, front := range frontEnds() {
		t.Run(front.name, func(t *testing.T) {
			d, box := everyFront(t, "", append(flags, "--wait", "1s", "--per-client", "3", "--per-host", "50")...)
			d.start()
			const stranger, other = "192.0.2.66", "198.51.100.1"
			for i := range 5 {
				field, err := front.send(d, box, stranger, refersTo(fmt.Sprintf("%s/slow?%d", base, i), i))
				must(t, err)
				if refused := strings.Contains(field, "kind=deferred"); refused != (i >= 3) || !strings.Contains(field, "extbody=pending") {
					t.Errorf("message %d of the stranger: got %q, want it pending, and refused from the fourth on", i, field)
				}
			}
			field, err := front.send(d, box, other, refersTo(good+"/good?"+front.name, 9))
			if err != nil || !strings.Contains(field, "extbody="+string(inspect.Clean)) {
				t.Errorf("the other: got %q, %v, want it clean\n%s", field, err, tail(d.logged()))
			}
			if n := d.onMetrics("extbody_passed_busy_total"); n != 2 {
				t.Errorf("extbody_passed_busy_total: got %v, want 2", n)
			}
		})
	}
}

// A frontEnd is one of the ways by which a message comes.
type frontEnd struct {
	name string
	// send sends a message by a client and returns the outcome, which has the header
	// field for it. The error has the code of the reply, if it is not positive.
	send func(d *daemon, box *nextHop, client, message string) (string, error)
}

func frontEnds() []frontEnd {
	return []frontEnd{{"HTTP", sendHTTP}, {"LMTP", sendLMTP}, {"Milter", sendMilter}}
}

// everyFront returns a serve that is not started, with all front ends.
func everyFront(t *testing.T, rules string, args ...string) (*daemon, *nextHop) {
	box := startNextHop(t)
	d := newDaemon(t, rules, args...)
	d.args = append(d.args, "--http", d.path("http"), "--milter", d.path("milter"), "--lmtp", d.path("lmtp"), "--lmtp-next", box.address)
	return d, box
}

func sendHTTP(d *daemon, _ *nextHop, client, message string) (string, error) {
	req, err := http.NewRequest("POST", "http://x/v1/check", strings.NewReader(message))
	if err != nil {
		return "", err
	}
	req.Header.Set("From", "<a@a.example>")
	req.Header.Set("IP", client)
	resp, err := d.client("http").Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if strings.Contains(string(body), `"action":"defer"`) {
		return "", fmt.Errorf("451 by the plugin: %s", body)
	}
	return string(body), err
}

// sendLMTP names the client as Postfix does with lmtp_send_xforward_command.
func sendLMTP(d *daemon, box *nextHop, client, message string) (string, error) {
	conn, err := net.Dial("unix", d.path("lmtp"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	for _, command := range []string{"", "LHLO a", "XFORWARD ADDR=" + client + " IDENT=4fXy", "MAIL FROM:<a@a.example>", "RCPT TO:<b@b.example>", "DATA", message + "."} {
		if command != "" {
			io.WriteString(conn, command+"\r\n")
		}
		for {
			line, err := r.ReadString('\n')
			if err != nil || line[0] != '2' && line[0] != '3' {
				return "", fmt.Errorf("%.20q: got %q, %v", command, line, err)
			}
			if line[3] == ' ' {
				break
			}
		}
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	for m := range box.mail {
		if strings.HasSuffix(m, message) {
			return m, nil
		}
	}
	return "", os.ErrNotExist
}

// sendMilter returns the header field that is added; "" for none.
func sendMilter(d *daemon, _ *nextHop, client, message string) (string, error) {
	x, end, err := milterSession(d, client)
	if err != nil {
		return "", err
	}
	defer end()
	return onSession(x, message)
}

// milterSession opens a connection of a mail server whose client is named.
func milterSession(d *daemon, client string) (x *milter.ClientSession, end func(), err error) {
	c := milter.NewClientWithOptions("unix", d.path("milter"), milter.ClientOptions{
		ActionMask: milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine,
	})
	if x, err = c.Session(); err != nil {
		c.Close()
		return nil, nil, err
	}
	end = func() { x.Close(); c.Close() }
	if _, err := x.Conn("client.example", milter.FamilyInet, 25, client); err != nil {
		end()
		return nil, nil, err
	}
	return x, end, nil
}

// onSession sends a message on a connection, and returns the header field that is added;
// "" for none.
func onSession(x *milter.ClientSession, message string) (string, error) {
	if _, err := x.Mail("a@a.example", nil); err != nil {
		return "", err
	}
	if _, err := x.Rcpt("b@b.example", nil); err != nil {
		return "", err
	}
	header, body, _ := strings.Cut(message, "\r\n\r\n")
	for _, line := range strings.Split(header, "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		if _, err := x.HeaderField(name, value); err != nil {
			return "", err
		}
	}
	if _, err := x.HeaderEnd(); err != nil {
		return "", err
	}
	for chunk := range slices.Chunk([]byte(body), 64<<10-1) {
		if _, err := x.BodyChunk(chunk); err != nil {
			return "", err
		}
	}
	changes, answer, err := x.End()
	if err != nil || answer.Code != milter.ActAccept {
		return "", fmt.Errorf("got %+v, %v, want the message accepted", answer, err)
	}
	for _, c := range changes {
		if c.Code == milter.ActInsertHeader && c.HeaderName == inspect.Field {
			return c.HeaderValue, nil
		}
	}
	return "", nil
}
