package lmtpfront

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// A hop is a next hop that closes its connection where a script says so.
type hop struct {
	// message returns the replies to a message, in one text for each recipient, and
	// whether the connection ends after them.
	message func(text string, recipients int) (replies []string, ends bool)
	release chan struct{} // if it is not nil, a reply "WAIT" waits for it
	mu      sync.Mutex
	got     []string
}

func (h *hop) start(t *testing.T) string {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "hop"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { defer c.Close(); h.serve(c) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}

func (h *hop) serve(c net.Conn) {
	io.WriteString(c, "220 hop\r\n")
	r := bufio.NewReader(c)
	recipients := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(line[:4]); verb {
		case "MAIL":
			recipients = 0
		case "RCPT":
			recipients++
		case "DATA":
			io.WriteString(c, "354 go\r\n")
			var text strings.Builder
			for {
				if line, err = r.ReadString('\n'); err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				text.WriteString(line)
			}
			h.mu.Lock()
			h.got = append(h.got, text.String())
			h.mu.Unlock()
			replies, ends := h.message(text.String(), recipients)
			for _, reply := range replies {
				if reply == "WAIT" {
					<-h.release
					continue
				}
				io.WriteString(c, reply+"\r\n")
			}
			if ends {
				return
			}
			continue
		}
		io.WriteString(c, "250 fine\r\n")
	}
}

// A refusal of the message with the bodies in it is never the reply: the message that
// the sender wrote decides, also if the next hop ends its connection in between.
func TestRefusedForm(t *testing.T) {
	const refused = "552 5.3.4 too big"
	inlined := func(text string) bool { return strings.Contains(text, "hello") }
	for _, test := range []struct {
		name    string
		message func(text string, recipients int) ([]string, bool)
		want    []int
		done    string // the actions that the log names, in its order
	}{
		{"Taken", func(string, int) ([]string, bool) { return []string{"250 a", "250 b"}, false }, []int{250, 250}, "inline 2"},
		{"OneRefused", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{"250 a", refused}, false
			}
			return []string{"250 b"}, false
		}, []int{250, 250}, "inline 1, tag 1 inline"},
		{"Refused", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{refused, refused}, false
			}
			return []string{"250 a", "250 b"}[:n], false
		}, []int{250, 250}, "tag 2 inline"},
		{"RefusedAndEnds", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{refused, refused}, true
			}
			return []string{"250 a", "250 b"}[:n], false
		}, []int{250, 250}, "tag 2 inline"},
		{"OneRefusedAndEnds", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{refused}, true
			}
			return []string{"250 a", "250 b"}[:n], false
		}, []int{250, 451}, "tag 1 inline, inline 1"},
		{"EndsAtTheSmallerForm", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{refused, refused}, false
			}
			return nil, true
		}, []int{451, 451}, "tag 2 inline"},
		{"OneTakenThenEnds", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{"250 a", refused}, true
			}
			return nil, true
		}, []int{250, 451}, "inline 1, tag 1 inline"},
		{"Content", func(text string, n int) ([]string, bool) {
			if inlined(text) {
				return []string{"554 5.7.1 content", "550 5.6.0 content"}, false
			}
			return []string{"250 a", "250 b"}[:n], false
		}, []int{250, 250}, "tag 2 inline"},
		{"FieldRefusedAndEnds", func(text string, n int) ([]string, bool) {
			if strings.Contains(text, "X-Extbody") {
				return []string{refused, refused}, true
			}
			return nil, true
		}, []int{451, 451}, "tag 2 inline"},
		{"AllForms", func(text string, n int) ([]string, bool) { return []string{refused, refused}[:n], false }, []int{552, 552}, "tag 2 inline"},
		{"ContentWithField", func(text string, n int) ([]string, bool) {
			if strings.Contains(text, "X-Extbody") {
				return []string{"550 5.7.1 by policy", "550 5.7.1 by policy"}[:n], false
			}
			return []string{"250 a", "250 b"}[:n], false
		}, []int{550, 550}, "tag 2 inline"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &hop{message: test.message}
			logged := make(chan string, 2)
			address := proxiedLog(t, h.start(t), inlineAll, "hello", "hello", func(_ string, pairs ...any) {
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
	h := &hop{release: make(chan struct{}), message: func(string, int) ([]string, bool) {
		return []string{"250 2.0.0 first", "WAIT", "250 2.0.0 second"}, false
	}}
	address := proxied(t, h.start(t), "", "hello", "hello")
	c, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@a.example>\r\nRCPT TO:<b@a.example>\r\nDATA\r\nSubject: a\r\n\r\nb\r\n.\r\nQUIT\r\n")
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("got %v before the first reply", err)
		}
		if strings.Contains(line, "first") {
			break
		}
		if strings.Contains(line, "second") {
			t.Fatal("got the second reply first")
		}
	}
	close(h.release)
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "250 2.0.0 second\r\n221 2.0.0 Bye\r\n" {
		t.Errorf("got %q, %v, want the second reply and 221", rest, err)
	}
}

// A next hop that does not answer in time is 451, before the client has gone.
func TestPatience(t *testing.T) {
	h := &hop{release: make(chan struct{}), message: func(string, int) ([]string, bool) { return []string{"250 2.0.0 first", "WAIT"}, true }}
	defer close(h.release)
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector), Name: "mx.example"}, new(inspect.Policy))
	server := New(e, Options{Next: h.start(t), Name: "mx.example"})
	server.Patience = 50 * time.Millisecond
	if got, want := send(t, start(t, server), plain, "a@a.example", "b@a.example"), []int{250, 451}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A message whose first line begins with white space does not continue our field.
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
