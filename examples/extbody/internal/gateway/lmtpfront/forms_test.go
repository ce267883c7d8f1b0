package lmtpfront

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// A hop is a next hop that closes its connection where a script asks for it.
type hop struct {
	// message returns the replies to a message, with spaces between them. After END the connection ends, and WAIT waits for release.
	message func(text string) string
	release chan struct{}
}

func (h *hop) serve(c net.Conn) {
	io.WriteString(c, "220 hop\r\n")
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		if strings.HasPrefix(line, "DATA") {
			io.WriteString(c, "354 go\r\n")
			text, err := io.ReadAll(textproto.NewReader(r).DotReader())
			if err != nil {
				return
			}
			for reply := range strings.FieldsSeq(h.message(string(text))) {
				switch reply {
				case "WAIT":
					<-h.release
				case "END":
					return
				case "552":
					io.WriteString(c, "552 5.3.4 too big\r\n")
				default:
					io.WriteString(c, reply+"\r\n")
				}
			}
			continue
		}
		io.WriteString(c, "250 fine\r\n")
	}
}

// A refusal of the message with the bodies in it is never the reply: the message that
// the sender wrote decides, also if the next hop ends its connection in between.
func TestRefusedForm(t *testing.T) {
	for _, test := range []struct {
		name, inlined, tagged, plain string // the replies to these forms, for the first recipients of it
		want                         []int
		done                         string // the actions that the log names, in its order
	}{
		{"Taken", "250 250", "", "", []int{250, 250}, "inline 2"},
		{"OneRefused", "250 552", "250", "", []int{250, 250}, "inline 1, tag 1 inline"},
		{"Refused", "552 552", "250 250", "", []int{250, 250}, "tag 2 inline"},
		{"RefusedAndEnds", "552 552 END", "250 250", "", []int{250, 250}, "tag 2 inline"},
		{"OneRefusedAndEnds", "552 END", "250", "", []int{250, 451}, "tag 1 inline, inline 1"},
		{"EndsAtTheSmallerForm", "552 552", "END", "END", []int{451, 451}, "tag 2 inline"},
		{"OneTakenThenEnds", "250 552 END", "END", "END", []int{250, 451}, "inline 1, tag 1 inline"},
		{"Content", "554 550", "250 250", "", []int{250, 250}, "tag 2 inline"},
		{"FieldRefusedAndEnds", "552 552 END", "552 552 END", "END", []int{451, 451}, "tag 2 inline"},
		{"AllForms", "552 552", "552 552", "552 552", []int{552, 552}, "tag 2 inline"},
		{"ContentWithField", "550 550", "550 550", "250 250", []int{550, 550}, "tag 2 inline"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &hop{message: func(text string) string {
				switch {
				case strings.Contains(text, "hello"):
					return test.inlined
				case strings.Contains(text, "X-Extbody"):
					return test.tagged
				}
				return test.plain
			}}
			logged := make(chan string, 2)
			address := proxiedLog(t, accepting(t, h.serve), inlineAll, "hello", "hello", func(_ string, pairs ...any) {
				line := ""
				for _, key := range []string{"action", "recipients", "would"} {
					if i := slices.Index(pairs, any(key)); i >= 0 {
						line += fmt.Sprint(" ", pairs[i+1])
					}
				}
				logged <- line[1:]
			})
			if got := send(t, address, refers, "a@a.example", "b@a.example"); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			for want := range strings.SplitSeq(test.done, ", ") {
				if got := <-logged; got != want {
					t.Errorf("the log: got %q, want %q", got, want)
				}
			}
		})
	}
}

// The reply for a recipient is passed on while the next one is not known.
func TestReplyPassedOn(t *testing.T) {
	h := &hop{release: make(chan struct{}), message: func(string) string { return "250 WAIT 251" }}
	address := proxied(t, accepting(t, h.serve), "", "hello", "hello")
	c, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@a.example>\r\nRCPT TO:<b@a.example>\r\nDATA\r\nSubject: a\r\n\r\nb\r\n.\r\nQUIT\r\n")
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	r := bufio.NewReader(c)
	for line := ""; line != "250 \r\n"; {
		if line, err = r.ReadString('\n'); err != nil || strings.HasPrefix(line, "251") {
			t.Fatalf("got %q, %v before the first reply", line, err)
		}
	}
	close(h.release)
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "251 \r\n221 2.0.0 Bye\r\n" {
		t.Errorf("got %q, %v, want the second reply and 221", rest, err)
	}
}

// A next hop that does not answer in time is 451, before the client has gone.
func TestPatience(t *testing.T) {
	h := &hop{release: make(chan struct{}), message: func(string) string { return "250 WAIT END" }}
	defer close(h.release)
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector), Name: "mx.example"}, new(inspect.Policy))
	server := New(e, Options{Next: accepting(t, h.serve), Name: "mx.example"})
	server.Patience = 50 * time.Millisecond
	if got, want := send(t, start(t, server), plain, "a@a.example", "b@a.example"), []int{250, 451}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A message whose first line starts with white space does not continue our field.
func TestFirstLineFolded(t *testing.T) {
	const folded = " ; extbody=clean\r\nX-Extbody: forged\r\nSubject: a\r\n\r\n"
	check := func(name, got, before string) {
		t.Helper()
		field, rest, ok := strings.Cut(got, "\r\nX-Extbody-End: ")
		if !ok || !strings.HasPrefix(field, before) || strings.Contains(strings.ReplaceAll(field, "\r\n\t", ""), "\n") {
			t.Errorf("%s: got %q, want our field in full and another one after it", name, got)
		}
		if !strings.HasSuffix(rest, "\r\n"+strings.Replace(folded, "X-Extbody: forged\r\n", "", 1)) {
			t.Errorf("%s: got %q, want it to end with the message", name, got)
		}
	}
	r, length := stamped("mx.example; extbody=malware", strings.NewReader(folded), int64(len(folded)-len("X-Extbody: forged\r\n")), 0)
	text, _ := io.ReadAll(r)
	check("kept", string(text), "X-Extbody: mx.example; extbody=malware")
	if int64(len(text)) != length {
		t.Errorf("got %d octets, want %d", len(text), length)
	}
	n := new(next)
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector), Name: "mx.example", MaxMessage: 10}, new(inspect.Policy))
	address := start(t, New(e, Options{Next: start(t, &lmtp.Server{Name: "next.example", Deliver: n.deliver}), Name: "mx.example"}))
	if got := send(t, address, folded, "a@a.example"); !reflect.DeepEqual(got, []int{250}) {
		t.Fatalf("got %v, want 250", got)
	}
	check("as it comes", n.mail[0], "a@a.example X-Extbody: mx.example")
}

// A recipient that was answered gets the message in no other form, also if the next hop is
// there again by then: the client sends it again.
func TestAnsweredOnce(t *testing.T) {
	n := new(next)
	var told []int
	h := &handover{
		proxy: &proxy{opts: Options{Next: filepath.Join(t.TempDir(), "none"), Name: "mx.example"}}, ctx: t.Context(), replies: make([]lmtp.Reply, 1),
		t: &lmtp.Transaction{From: &lmtp.Path{}, To: []*lmtp.Path{{Address: "a@a.example"}}, Reply: func(_ int, r lmtp.Reply) { told = append(told, r.Code) }},
	}
	defer h.close()
	to := []target{{h.t.To[0], []int{0}}}
	if h.connect(to) {
		t.Fatal("got a connection to nothing")
	}
	h.proxy.opts.Next = start(t, &lmtp.Server{Name: "next.example", Deliver: n.deliver})
	text := new(spool.Spool)
	io.WriteString(text, plain)
	h.sendStamped(to, "", text, nil)
	if !reflect.DeepEqual(told, []int{451}) || len(n.mail) != 0 {
		t.Errorf("got %v, and the next hop took %d messages, want 451 and none", told, len(n.mail))
	}
}
