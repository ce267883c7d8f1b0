package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	milter "github.com/emersion/go-milter"

	"github.com/go-extbody/extbody/internal/inspect"
)

// A stranger who writes another's address into the envelope, with references to what
// hangs, uses up what one client may have, and holds up no mail of the other: at each
// front end what counts is who is connected.
func TestServeForgedSender(t *testing.T) {
	base, flags := serve(t, linkedFile)
	good, more := serve(t, linkedFile)
	flags = append(flags, more...)
	for _, front := range []struct {
		name string
		// send sends a message by a client and returns the header field for it.
		send func(d *daemon, box *nextHop, client, message string) (string, error)
	}{
		{"HTTP", sendHTTP},
		{"LMTP", sendLMTP},
		{"Milter", sendMilter},
	} {
		t.Run(front.name, func(t *testing.T) {
			box := startNextHop(t)
			d := newDaemon(t, "", "--wait", "300ms", "--per-client", "3", "--per-host", "50")
			d.args = append(append(d.args, "--http", d.path("http"), "--milter", d.path("milter"), "--lmtp", d.path("lmtp"), "--lmtp-next", box.address), flags...)
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
		})
	}
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
	c := milter.NewClientWithOptions("unix", d.path("milter"), milter.ClientOptions{
		ActionMask: milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine,
	})
	defer c.Close()
	x, err := c.Session()
	if err != nil {
		return "", err
	}
	defer x.Close()
	if _, err := x.Conn("client.example", milter.FamilyInet, 25, client); err != nil {
		return "", err
	}
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
	if _, err := x.BodyChunk([]byte(body)); err != nil {
		return "", err
	}
	changes, answer, err := x.End()
	if err != nil || answer.Code != milter.ActAccept {
		return "", fmt.Errorf("got %+v, %v, want the message accepted", answer, err)
	}
	for _, c := range changes {
		if c.Code == milter.ActAddHeader && c.HeaderName == inspect.Field {
			return c.HeaderValue, nil
		}
	}
	return "", nil
}
