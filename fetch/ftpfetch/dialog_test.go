package ftpfetch

import (
	"bufio"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
)

// A stub is a connection whose other end has said all it says.
type stub struct {
	io.Reader
	io.Writer
}

func (stub) Close() error                     { return nil }
func (stub) LocalAddr() net.Addr              { return nil }
func (stub) RemoteAddr() net.Addr             { return nil }
func (stub) SetDeadline(time.Time) error      { return nil }
func (stub) SetReadDeadline(time.Time) error  { return nil }
func (stub) SetWriteDeadline(time.Time) error { return nil }

// A command line that would be two is not sent, whoever asks for it.
func TestSend(t *testing.T) {
	for _, line := range []string{"RETR a\r\nDELE b", "RETR a\n", "RETR \x00"} {
		var out strings.Builder
		d := newDialog(stub{nil, &out}, 0)
		wantKind(t, d.send(line), fetch.Malformed)
		if out.Len() > 0 {
			t.Errorf("got %q sent, want nothing", out.String())
		}
	}
}

// Where textproto reads a reply with a code of FTP, so does a dialog, and it
// reads the same. It refuses more: textproto takes a line without its end for
// a line, and has no limits.
func FuzzReply(f *testing.F) {
	for _, s := range []string{
		"220 ready\r\n", "220-a\r\nb\r\n220 c\r\n", "220-a\r\n221 b\r\n 220 c\r\n220-d\r\n220 \r\n", "226 done\n", "226\r\n",
		"220-a\r\n", "1-3 x\r\n", "999 x\r\n", "099 x\r\n", "\r\n220 x\r\n", "220 x\ry\r\n", "220-" + strings.Repeat("x\r\n", 1000) + "220 \r\n",
		"SSH-2.0\r\n", "220 \r\r\n", "220-\n220-\n221 \n220 ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := newDialog(stub{strings.NewReader(s), nil}, 0)
		r, err := d.reply("it")
		code, text, terr := textproto.NewReader(bufio.NewReader(strings.NewReader(s))).ReadResponse(0)
		if err == nil {
			if r.code/100 < 1 || r.code/100 > 5 || len(r.text) > len(s) {
				t.Errorf("%q: got %d %q, want a code from 100 to 599 and no more text than came", s, r.code, r.text)
			}
			// textproto leaves "\r" at the end of a line within a reply where
			// it strips it elsewhere.
			if clean := strings.NewReplacer("\r", ""); terr != nil || code != r.code || clean.Replace(text) != clean.Replace(r.text) {
				t.Errorf("%q: got %d %q, want as textproto %d %q, %v", s, r.code, r.text, code, text, terr)
			}
			r.features()
			r.kind()
			if e := excerpt(r.text); strings.ContainsAny(e, "\r\n\x00\x1b") || utf8.RuneCountInString(e) > maxExcerpt || !utf8.ValidString(e) {
				t.Errorf("%q: got the excerpt %q, want printable UTF-8 of at most %d characters", s, e, maxExcerpt)
			}
			return
		}
		if k := fetch.KindOf(err); k != fetch.Protocol && k != fetch.Unavailable {
			t.Errorf("%q: got %v, want protocol or unavailable", s, err)
		}
		if terr == nil && strings.HasSuffix(s, "\n") && len(s) < maxReply && code < 600 {
			t.Errorf("%q: got %v, want as textproto %d %q", s, err, code, text)
		}
	})
}

// FuzzServer: whatever a server says after the connection, nothing of it
// makes a session fail with something else than an error of a Kind, and the
// octets that are read are bounded.
func FuzzServer(f *testing.F) {
	const in = "220 hi\r\n331 pw\r\n230 in\r\n211-\r\n UTF8\r\n SIZE\r\n211 \r\n200 ok\r\n250 ok\r\n200 ok\r\n213 1\r\n"
	f.Add(in + "229 (|||1|)\r\n")
	f.Add(in + "500 \r\n227 (1,2,3,4,0,6)\r\n")
	f.Add("220 hi\r\n332 acct\r\n")
	f.Add("120 wait\r\n421 \r\n")
	f.Fuzz(func(t *testing.T, s string) {
		src := strings.NewReader(s)
		sess := &session{
			ctx:    t.Context(),
			req:    &fetch.Request{URL: new(url.URL)},
			opts:   &Options{},
			target: &target{host: "h", name: "é", dirs: []string{"d"}, typ: "I", login: login{user: "anonymous", password: "x", known: true, anonymous: true}},
		}
		sess.control = stub{src, io.Discard}
		sess.dialog = newDialog(sess.control, 0)
		for _, step := range []func() error{sess.greet, sess.secure, sess.logIn, sess.protect, sess.learn, sess.enter} {
			if err := step(); err != nil {
				if _, ok := err.(*fetch.Error); !ok {
					t.Errorf("%q: got %T %v, want a *fetch.Error", s, err, err)
				}
				return
			}
		}
		// No port below 1024 is dialed, and so none that s can name here is.
		resp := &fetch.Response{Size: -1}
		if err := sess.setType(); err == nil {
			sess.describe(resp)
		}
		if resp.Size < -1 {
			t.Errorf("%q: got size %d, want at least -1", s, resp.Size)
		}
	})
}
