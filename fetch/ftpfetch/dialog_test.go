package ftpfetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A stub is a connection whose other end has sent all its lines.
type stub struct {
	io.Reader
	io.Writer
}

// A dialer has its connection already.
type dialer struct{ conn net.Conn }

func (dialer) Authority(*url.URL) (string, uint16, error) { return "h", 21, nil }

func (d dialer) DialContext(context.Context, string, string) (net.Conn, error) { return d.conn, nil }

func (stub) Close() error                     { return nil }
func (stub) LocalAddr() net.Addr              { return nil }
func (stub) RemoteAddr() net.Addr             { return nil }
func (stub) SetDeadline(time.Time) error      { return nil }
func (stub) SetReadDeadline(time.Time) error  { return nil }
func (stub) SetWriteDeadline(time.Time) error { return nil }

// A command line that would be two is not sent, whatever asks for it.
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

// FuzzServer: whatever a server sends after the connection, nothing of it makes a
// session fail with something else than an error of a Kind, and the octets that are
// read are bounded.
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
		control, err := driver.Dial(sess.ctx, sess.req, dialer{stub{src, io.Discard}}, "ftp", 21)
		if err != nil {
			t.Fatal(err)
		}
		defer control.Close()
		sess.control = control
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

// FT-12, FT-13. {port}, {p1} and {p2} are the port of a data connection that works
// on the address of the control connection.
func TestPassive(t *testing.T) {
	for _, tt := range []struct {
		name, epsv, pasv string
		want             fetch.Kind
	}{
		{name: "EPSV", epsv: "229 Entering Extended Passive Mode (|||{port}|)"},
		{name: "EPSVOtherDelimiter", epsv: "229 ok (!!!{port}!)"},
		{name: "EPSVNoText", epsv: "229 (|||{port}|)"},
		{name: "EPSVOtherHost", epsv: "229 ok (|1|192.0.2.1|{port}|)"},
		{name: "EPSVOtherHostLowPort", epsv: "229 ok (|1|127.0.0.1|22|)", want: fetch.Blocked},
		{name: "EPSVLowPort", epsv: "229 ok (|||1023|)", want: fetch.Blocked},
		{name: "EPSVZero", epsv: "229 ok (|||0|)", want: fetch.Blocked},
		{name: "EPSVBigPort", epsv: "229 ok (|||65536|)", want: fetch.Protocol},
		{name: "EPSVNoPort", epsv: "229 ok (||||)", want: fetch.Protocol},
		{name: "EPSVSign", epsv: "229 ok (|||+2121|)", want: fetch.Protocol},
		{name: "EPSVUnclosed", epsv: "229 ok (|||{port}|", want: fetch.Protocol},
		{name: "EPSVEmpty", epsv: "229 ()", want: fetch.Protocol},
		{name: "EPSVMissing", epsv: "229", want: fetch.Protocol},
		{name: "EPSVBusy", epsv: "425 busy", want: fetch.Unavailable},
		{name: "PASV", epsv: "500 what?", pasv: "227 Entering Passive Mode (127,0,0,1,{p1},{p2})"},
		{name: "PASVNoParentheses", epsv: "502 no", pasv: "227 Entering Passive Mode 127,0,0,1,{p1},{p2}."},
		{name: "PASVEquals", epsv: "502 no", pasv: "227 =127,0,0,1,{p1},{p2}"},
		{name: "PASVDigitsBefore", epsv: "522 no", pasv: "227 Mode 2 (127,0,0,1,{p1},{p2})"},
		{name: "PASVOtherHost", epsv: "500 what?", pasv: "227 ok (192,0,2,1,{p1},{p2})"},
		{name: "PASVOtherHostLowPort", epsv: "500 what?", pasv: "227 Entering Passive Mode (127,0,0,1,0,22)", want: fetch.Blocked},
		{name: "PASVLowPort", epsv: "500 what?", pasv: "227 (93,184,216,34,0,22)", want: fetch.Blocked},
		{name: "PASVAsEPSV", epsv: "500 what?", pasv: "229 Entering Extended Passive Mode (|||{port}|)"},
		{name: "EPSVUnreachable", epsv: "229 ok (|||{closed}|)", pasv: "227 ok (127,0,0,1,{p1},{p2})"},
		{name: "EPSVUnreachablePASVUnknown", epsv: "229 ok (|||{closed}|)", pasv: "502 no", want: fetch.Unavailable},
		{name: "BothUnreachable", epsv: "229 ok (|||{closed}|)", pasv: "229 ok (|||{closed}|)", want: fetch.Unavailable},
		{name: "PASVTooBig", epsv: "500 what?", pasv: "227 (127,0,0,1,256,1)", want: fetch.Protocol},
		{name: "PASVFive", epsv: "500 what?", pasv: "227 (127,0,0,1,4)", want: fetch.Protocol},
		{name: "PASVSeven", epsv: "500 what?", pasv: "227 (127,0,0,1,4,4,4)", want: fetch.Protocol},
		{name: "PASVText", epsv: "500 what?", pasv: "227 ok", want: fetch.Protocol},
		{name: "Neither", epsv: "500 what?", pasv: "502 no", want: fetch.Protocol},
		{name: "HangUp", epsv: hangUp, want: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			away, err := net.Listen("tcp", "127.0.0.1:0")
			noError(t, err)
			away.Close()
			closed := strconv.Itoa(away.Addr().(*net.TCPAddr).Port)
			f := &fake{body: "x", replies: map[string]string{
				"EPSV": strings.ReplaceAll(tt.epsv, "{closed}", closed),
				"PASV": strings.ReplaceAll(tt.pasv, "{closed}", closed),
			}}
			got, resp, err := f.get(t, New(&Options{Guard: loopback()}), "/x")
			wantKind(t, err, tt.want)
			if err == nil && (got != "x" || resp.RemoteAddr.Addr().String() != "127.0.0.1") {
				t.Errorf("got %q from %v, want %q from 127.0.0.1", got, resp.RemoteAddr, "x")
			}
			if asked := slices.Contains(f.seen(), "PASV"); asked != (tt.pasv != "") {
				t.Errorf("PASV sent: got %v, want %v", asked, (tt.pasv != ""))
			}
		})
	}
}

// FT-14: the commands of active mode are never sent.
func TestNoActiveMode(t *testing.T) {
	f := &fake{replies: map[string]string{"EPSV": "500 no", "PASV": "500 no"}}
	_, _, err := f.get(t, New(&Options{Guard: loopback()}), "/x")
	wantKind(t, err, fetch.Protocol)
	for _, line := range f.seen() {
		if verb(line) == "PORT" || verb(line) == "EPRT" {
			t.Errorf("got %q sent, want neither PORT nor EPRT", line)
		}
	}
}

// A port is read from a reply that has it in the form of the RFC, whatever the text
// around it, and from nothing else in the parentheses.
func FuzzEPSV(f *testing.F) {
	f.Add("Entering Extended Passive Mode ", byte('|'), uint16(6446), "(|||6446|)")
	f.Add("", byte('7'), uint16(7), "(|1|132.235.1.2|6275|)")
	f.Add("x", byte('!'), uint16(65535), "(||||)")
	f.Fuzz(func(t *testing.T, prefix string, d byte, port uint16, text string) {
		if p, ok := parseEPSV(text); ok && !strings.Contains(text, fmt.Sprint(p)) {
			t.Errorf("%q: got port %d, want one that is in it", text, p)
		}
		number := fmt.Sprint(port)
		if strings.ContainsAny(prefix, "()") || d < '!' || d > '~' || d == ')' || strings.IndexByte(number, d) >= 0 {
			return
		}
		text = fmt.Sprintf("%s(%c%c%c%s%c)", prefix, d, d, d, number, d)
		if p, ok := parseEPSV(text); !ok || p != port {
			t.Errorf("%q: port %d, %v, want %d", text, p, ok, port)
		}
	})
}

func FuzzPASV(f *testing.F) {
	f.Add("Entering Passive Mode (", []byte{127, 0, 0, 1, 4, 1}, ")")
	f.Add("=", []byte{10, 1, 2, 3, 255, 255}, "")
	f.Add("1,2,3,4,5,6,7 ", []byte{0, 0, 0, 0, 0, 0}, ".")
	f.Fuzz(func(t *testing.T, before string, n []byte, after string) {
		p, ok := parsePASV(before + after)
		if ok && p != 0 && !strings.ContainsAny(before+after, digits) {
			t.Errorf("%q: got port %d, want none", before+after, p)
		}
		if len(n) < 6 || strings.ContainsAny(before, digits) || strings.HasSuffix(before, ",") ||
			after != "" && strings.ContainsAny(after[:1], digits+",") {
			return
		}
		text := fmt.Sprintf("%s%d,%d,%d,%d,%d,%d%s", before, n[0], n[1], n[2], n[3], n[4], n[5], after)
		want := uint16(n[4])<<8 | uint16(n[5])
		if p, ok := parsePASV(text); !ok || p != want {
			t.Errorf("%q: port %d, %v, want %d", text, p, ok, want)
		}
	})
}
