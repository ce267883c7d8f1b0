package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	milter "github.com/emersion/go-milter"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// A stranger who writes another's address into the envelope, with references to what
// hangs, uses up what one client may have, and holds up no mail of the other: at each
// front end what counts is who is connected.
func TestServeForgedSender(t *testing.T) {
	base, flags := serve(t, linkedFile)
	good, more := serve(t, linkedFile)
	flags = append(flags, more...)
	for _, front := range frontEnds() {
		t.Run(front.name, func(t *testing.T) {
			d, box := everyFront(t, "", append(flags, "--wait", "300ms", "--per-client", "3", "--per-host", "50")...)
			d.start()
			const stranger, other = "192.0.2.66", "198.51.100.1"
			for i := range 5 {
				field, err := front.send(d, box, stranger, refersTo(fmt.Sprintf("%s/slow?%d", base, i), i))
				if err != nil {
					t.Fatal(err)
				}
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
	// send sends a message by a client and returns what comes of it, which has the
	// header field for it. The error has the code of the reply, if it is not positive.
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
	req, err := http.NewRequest("POST", "http://x/v1/check?wait=300ms", strings.NewReader(message))
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

// sendLMTP says who the client is as Postfix does with lmtp_send_xforward_command.
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
