package imapfetch

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

const (
	part  = "imap://HOST/INBOX/;UID=7/;SECTION=2"
	part9 = "imap://HOST/INBOX/;UID=7/;SECTION=9"
)

// get fetches a URL and returns the body.
func get(t *testing.T, opts *Options, req *fetch.Request) (string, *fetch.Response, error) {
	t.Helper()
	if opts == nil {
		opts = &Options{}
	}
	opts.Guard = loopback()
	resp, err := fetch.Do(t.Context(), New(opts), req)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), resp, err
}

// The answers of servers, and their outcomes.
func TestAnswers(t *testing.T) {
	const plain = "Content-Type: Text/Plain; charset=utf-8\n\n"
	for _, tt := range []struct {
		name      string
		url       string
		mime      string // the header of part 2
		answer    string // to the FETCH of the section
		body      string
		mediaType string
		kind      fetch.Kind
	}{
		{"Part", part, plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"Empty", part, plain, "* 1 FETCH (UID 7 BODY[2] {0}\n)\nTAG OK done\n", "", "text/plain", 0},
		{"EmptyQuoted", part, plain, "* 1 FETCH (UID 7 BODY[2] \"\")\nTAG OK done\n", "", "text/plain", 0},
		{"Quoted", part, plain, "* 1 FETCH (UID 7 BODY[2] \"a\\\"b\\\\\")\nTAG OK done\n", `a"b\`, "text/plain", 0},
		{"Literal8", part, plain, "* 1 FETCH (UID 7 BODY[2] ~{5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"UIDBehind", part, plain, "* 1 FETCH (BODY[2] {5}\nhello UID 7)\nTAG OK done\n", "hello", "text/plain", 0},
		{"UIDBehindQuoted", part, plain, "* 1 FETCH (BODY[2] \"hello\" UID 7)\nTAG OK done\n", "hello", "text/plain", 0},
		{"FlagsFirst", part, plain, "* 1 FETCH (FLAGS (\\Seen))\n* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"TwoResponses", part, plain, "* 1 FETCH (UID 7 FLAGS ())\n* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"OtherLiteralFirst", part, plain, "* 1 FETCH (UID 7 X-GM {3}\nabc BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"LiteralBehind", part, plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhello X-GM {3}\nabc)\nTAG OK done\n", "hello", "text/plain", 0},
		{"Unsolicited", part, plain, "* 5 EXISTS\n* VANISHED 3\n* OK braces {5}\n* 1 FETCH (UID 7 BODY[2] {5}\nhello)\n* 2 EXPUNGE\nTAG OK done\n", "hello", "text/plain", 0},
		{"OtherUIDFirst", part, plain, "* 2 FETCH (UID 8 BODY[2] {5}\nwrong)\n* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"NoUID", part, plain, "* 1 FETCH (BODY[2] {5}\nhello)\nTAG OK done\n", "", "", fetch.Protocol},
		{"OtherUIDBehind", part, plain, "* 1 FETCH (BODY[2] {5}\nhello UID 8)\nTAG OK done\n", "", "", fetch.Protocol},
		{"NIL", part, plain, "* 1 FETCH (UID 7 BODY[2] NIL)\nTAG OK done\n", "", "", fetch.NotFound},
		{"PartialNIL", part + "/;PARTIAL=3.5", plain, "* 1 FETCH (UID 7 BODY[2] NIL)\nTAG OK done\n", "", "", fetch.NotFound},
		{"PartialNILOfRange", part + "/;PARTIAL=3.5", plain, "* 1 FETCH (UID 7 BODY[2]<3> NIL)\nTAG OK done\n", "", "", fetch.NotFound},
		{"NILOfOtherMessage", part, plain, "* 2 FETCH (UID 8 BODY[2] NIL)\n* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"PartialNILOfOtherMessage", part + "/;PARTIAL=3.5", plain, "* 2 FETCH (UID 8 BODY[2] NIL)\n* 1 FETCH (UID 7 BODY[2]<3> {5}\nhello)\nTAG OK done\n", "hello", "", 0},
		{"NoHeader", part, "", "* 1 FETCH (UID 7 BODY[2] {0}\n)\nTAG OK done\n", "", "", fetch.NotFound},
		{"HeaderWithoutFields", part, "\n", "* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "hello", "", 0},
		{"NoPartNIL", part9, "", "* 1 FETCH (UID 7 BODY[9.MIME] NIL)\nTAG OK done\n", "", "", fetch.NotFound},
		{"NoPartNILOfRange", part9, "", "* 1 FETCH (UID 7 BODY[9.MIME]<0> NIL)\nTAG OK done\n", "", "", fetch.NotFound},
		{"NoPartEmpty", part9, "", "* 1 FETCH (UID 7 BODY[9.MIME]<0> \"\")\nTAG OK done\n", "", "", fetch.NotFound},
		{"NoPartLowerCase", part9, "", "* 1 FETCH (UID 7 BODY[9.MIME] nil)\nTAG OK done\n", "", "", fetch.NotFound},
		{"Nothing", part, plain, "TAG OK done\n", "", "", fetch.NotFound},
		{"No", part, plain, "TAG NO no\n", "", "", fetch.NotFound},
		{"NoPerm", part, plain, "TAG NO [NOPERM] no\n", "", "", fetch.Forbidden},
		{"ServerBug", part, plain, "TAG NO [SERVERBUG] no\n", "", "", fetch.Unavailable},
		{"Bad", part, plain, "TAG BAD no\n", "", "", fetch.Protocol},
		{"Bye", part, plain, "* BYE later\nCLOSE", "", "", fetch.Unavailable},
		{"Noise", part, plain, "hello\n", "", "", fetch.Protocol},
		{"NoAfterBody", part, plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG NO lost\n", "", "", fetch.Truncated},
		{"CloseAfterBody", part, plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nCLOSE", "", "", fetch.Truncated},
		{"CloseInBody", part, plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhelCLOSE", "", "", fetch.Truncated},
		{"HugeLine", part, plain, "* " + strings.Repeat("x", maxLine) + "\n", "", "", fetch.Protocol},
		{"HugeLiteral", part, plain, "* 2 FETCH (UID 8 ENVELOPE {99999999}\n", "", "", fetch.Protocol},
		{"Base64", part, "Content-Type: image/png\nContent-Transfer-Encoding: BASE64\n\n", "* 1 FETCH (UID 7 BODY[2] {8}\naGVsbG8=)\nTAG OK done\n", "hello", "image/png", 0},
		{"QuotedPrintable", part, "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n", "* 1 FETCH (UID 7 BODY[2] {7}\n=68ello)\nTAG OK done\n", "hello", "text/plain", 0},
		{"QuotedPrintableControl", part, "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable (x)\n\n", "* 1 FETCH (UID 7 BODY[2] {7}\n=68\x01llo)\nTAG OK done\n", "", "text/plain", fetch.Protocol},
		{"Message", "imap://HOST/INBOX/;UID=7", plain, "* 1 FETCH (UID 7 BODY[] {6}\nA: b\n)\nTAG OK done\n", "A: b\r\n", "message/rfc822", 0},
		{"MessageEmpty", "imap://HOST/INBOX/;UID=7", plain, "* 1 FETCH (UID 7 BODY[] {0}\n)\nTAG OK done\n", "", "", fetch.Protocol}, // OP-46
		{"Fields", "imap://HOST/INBOX/;UID=7/;SECTION=header.fields%20(Subject%20From)", plain, "* 1 FETCH (UID 7 BODY[HEADER.FIELDS (\"SUBJECT\" FROM)] {6}\nA: b\n)\nTAG OK done\n", "A: b\r\n", "", 0},
		{"Partial", part + "/;PARTIAL=3.5", "Content-Transfer-Encoding: base64\n\n", "* 1 FETCH (UID 7 BODY[2]<3> {5}\nhello)\nTAG OK done\n", "hello", "", 0},
		{"PartialToTheEnd", part + "/;PARTIAL=3", plain, "* 1 FETCH (UID 7 BODY[2]<3> {5}\nhello)\nTAG OK done\n", "hello", "", 0},
		{"PartialIgnored", part + "/;PARTIAL=3.5", plain, "* 1 FETCH (UID 7 BODY[2] {5}\nhello)\nTAG OK done\n", "", "", fetch.Protocol},
		{"PartialTooLong", part + "/;PARTIAL=3.4", plain, "* 1 FETCH (UID 7 BODY[2]<3> {5}\nhello)\nTAG OK done\n", "", "", fetch.Protocol},
		{"UIDValidity", "imap://HOST/INBOX;UIDVALIDITY=42/;UID=7", plain, "* 1 FETCH (UID 7 BODY[] {1}\nx)\nTAG OK done\n", "x", "message/rfc822", 0},
		{"Stale", "imap://HOST/INBOX;UIDVALIDITY=43/;UID=7", plain, "* 1 FETCH (UID 7 BODY[] {1}\nx)\nTAG OK done\n", "", "", fetch.NotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &imapscript.Server{Answers: map[string]string{"UID FETCH": tt.answer, "UID FETCH 7 (UID BODY.PEEK[2.MIME]": mime(tt.mime)}}
			f.Start(t)
			got, resp, err := get(t, nil, request(t, f.Addr, tt.url))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, %v; want Kind %v", got, err, tt.kind)
			}
			if tt.kind == 0 && (got != tt.body || resp.MediaType != tt.mediaType) {
				t.Errorf("got %q, %s, want %q, %s", got, resp.MediaType, tt.body, tt.mediaType)
			}
			if log := f.Commands(); strings.Contains(log, "SELECT") || strings.Contains(log, "BODY[") {
				t.Errorf("got %s sent, want nothing that changes a flag", log)
			}
		})
	}
}

// The caller undoes the encoding that the reference declares (IM-7).
func TestEncoded(t *testing.T) {
	f := &imapscript.Server{Answers: map[string]string{
		"UID FETCH":                          "* 1 FETCH (UID 7 BODY[2] {8}\naGVsbG8=)\nTAG OK done\n",
		"UID FETCH 7 (UID BODY.PEEK[2.MIME]": mime("Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n"),
	}}
	f.Start(t)
	req := request(t, f.Addr, part)
	req.TransferType = "encoded"
	got, resp, err := get(t, nil, req)
	if err != nil || got != "aGVsbG8=" || resp.MediaType != "image/png" || resp.Size != 8 {
		t.Errorf("got %q, %+v, %v, want %q, nil", got, resp, err, "aGVsbG8=")
	}
}

// URLs with URLAUTH go to the server as they are, and to no mailbox (IM-14).
func TestURLAuth(t *testing.T) {
	const token = ":internal:91354a473744909de610943775f92038"
	const auth = "imap://Joe@HOST/In%62ox/;uid=20/;section=1.2;urlauth=anonymous" + token
	for _, tt := range []struct {
		name, url, caps, answer string
		want                    fetch.Kind
	}{
		{"Literal", auth, "URLAUTH", "* URLFETCH \"URL\" {5}\nhello\nTAG OK done\n", 0},
		{"Atom", auth, "URLAUTH", "* URLFETCH URL {5}\nhello\nTAG OK done\n", 0},
		{"Quoted", auth, "URLAUTH", "* URLFETCH \"URL\" \"hello\"\nTAG OK done\n", 0},
		{"NIL", auth, "URLAUTH", "* URLFETCH \"URL\" NIL\nTAG OK done\n", fetch.NotFound},
		{"OtherURL", auth, "URLAUTH", "* URLFETCH \"imap://x\" {5}\nhello\nTAG OK done\n", fetch.Protocol},
		{"NoCapability", auth, "", "", fetch.Unsupported},
		{"Submit", strings.Replace(auth, "anonymous", "submit+joe", 1), "URLAUTH", "", fetch.Unsupported},
		{"User", strings.Replace(auth, "anonymous", "user+joe", 1), "URLAUTH", "", fetch.Untrusted},
		{"ShortToken", strings.Replace(auth, "91354a47", "", 1), "URLAUTH", "", fetch.Malformed},
		{"Expired", strings.Replace(auth, ";urlauth", ";expire=2001-01-01T00:00:00Z;urlauth", 1), "URLAUTH", "", fetch.Expired},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &imapscript.Server{Caps: tt.caps, Answers: map[string]string{}}
			f.Start(t)
			req := request(t, f.Addr, tt.url)
			f.Answers["URLFETCH"] = strings.Replace(tt.answer, "URL\"", req.Text+"\"", 1)
			f.Answers["URLFETCH"] = strings.Replace(f.Answers["URLFETCH"], " URL ", " "+req.Text+" ", 1)
			got, _, err := get(t, nil, req)
			if fetch.KindOf(err) != tt.want || err == nil && got != "hello" {
				t.Fatalf("got %q, %v, want %v, and %q without an error", got, err, tt.want, "hello")
			}
			if log := f.Commands(); tt.want == 0 && (!strings.Contains(log, `URLFETCH "`+req.Text+`"`) || strings.Contains(log, "EXAMINE")) {
				t.Errorf("got %s sent, want URLFETCH of %q, without EXAMINE", log, req.Text)
			}
		})
	}
}

// The user who logs in, the way, and the security of the connection (IM-9 to
// IM-12).
func TestLogin(t *testing.T) {
	serverTLS, clientTLS := testkit.Certificate()
	secret := answering(&fetch.Userinfo{User: "joe", Password: "s3cr3t"}, nil)
	plaintext := Options{AllowPlaintext: true}
	for _, tt := range []struct {
		name  string
		user  string             // before the host
		fake  *imapscript.Server // nil for one without capabilities
		opts  Options
		creds func(context.Context, fetch.Challenge) (*fetch.Userinfo, error)
		login fetch.Login
		want  string // in the log
		not   string // not in the log
		kind  fetch.Kind
	}{
		{name: "AnonymousLogin", creds: secret, want: `LOGIN anonymous "anonymous@"`, not: "joe"},
		{name: "AnonymousSASL", fake: &imapscript.Server{Caps: "AUTH=ANONYMOUS LOGINDISABLED"}, want: "AUTHENTICATE ANONYMOUS"},
		{name: "Trace", fake: &imapscript.Server{Caps: "AUTH=ANONYMOUS"}, opts: Options{trace: "me"}, want: "bWU="},
		{name: "Disabled", fake: &imapscript.Server{Caps: "LOGINDISABLED"}, kind: fetch.Credentials, not: "LOGIN"},
		{name: "AnonymousRefused", fake: &imapscript.Server{Answers: map[string]string{"LOGIN": "TAG NO no\n"}}, kind: fetch.Credentials},
		{name: "UserWithoutTLS", user: "joe@", creds: secret, kind: fetch.Untrusted, not: "s3cr3t"},
		{name: "UserWithoutTLSAllowed", user: "joe@", creds: secret, opts: plaintext, want: `LOGIN "joe" "s3cr3t"`},
		{name: "UserWithSTARTTLS", user: "joe@", creds: secret, fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN \"joe\""},
		{name: "UserWithPLAIN", user: "joe;AUTH=*@", creds: secret, fake: &imapscript.Server{Caps: "STARTTLS AUTH=PLAIN", StartTLS: serverTLS}, want: "AUTHENTICATE PLAIN\nAGpvZQBzM2NyM3Q="},
		{name: "UserWithoutCredentials", user: "joe@", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, kind: fetch.Credentials, not: "LOGIN"},
		{name: "AnyWithoutCredentials", user: ";AUTH=*@", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN anonymous"},
		{name: "AnyAnsweredByNobody", user: ";AUTH=*@", opts: plaintext, want: "LOGIN anonymous", creds: answering(nil, nil)},
		{name: "AnyRequired", user: ";AUTH=*@", opts: plaintext, login: fetch.LoginRequired, kind: fetch.Credentials, not: "LOGIN"},
		{name: "MechanismWithoutCredentials", user: ";AUTH=PLAIN@", opts: plaintext, kind: fetch.Credentials, not: "LOGIN"},
		{name: "UserOnPREAUTH", user: "joe@", creds: secret, fake: &imapscript.Server{Greeting: "* PREAUTH hi\n"}, kind: fetch.Untrusted, not: "EXAMINE"},
		{name: "AnonymousUsesSTARTTLS", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN anonymous"},
		{name: "STARTTLSRefused", fake: &imapscript.Server{Caps: "STARTTLS", Answers: map[string]string{"STARTTLS": "TAG NO no\n"}}, kind: fetch.Untrusted, not: "LOGIN"},
		{name: "STARTTLSInjected", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS, Answers: map[string]string{"STARTTLS": "TAG OK go\n* CAPABILITY X\n"}}, kind: fetch.Untrusted, not: "LOGIN"},
		{name: "PasswordInURL", user: "joe:pw@", kind: fetch.Malformed},
		{name: "OtherMechanism", user: "joe;AUTH=GSSAPI@", kind: fetch.Unsupported},
		{name: "NamedButAnonymous", user: "joe@", login: fetch.LoginAnonymous, kind: fetch.Malformed},
		{name: "AnonymousButRequired", user: "anonymous@", login: fetch.LoginRequired, kind: fetch.Credentials},
		{name: "LineInPassword", user: "joe@", opts: plaintext, kind: fetch.Malformed, not: "LOGIN",
			creds: answering(&fetch.Userinfo{User: "joe", Password: "x\r\na9 DELETE INBOX"}, nil)},
		{name: "CallerRefuses", user: "joe@", opts: plaintext, kind: fetch.Denied, creds: answering(nil, fetch.Denied)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.fake
			if f == nil {
				f = new(imapscript.Server)
			}
			if f.Answers == nil {
				f.Answers = map[string]string{}
			}
			f.Answers["UID FETCH"] = oneMessage
			f.Start(t)
			req := request(t, f.Addr, "imap://"+tt.user+"HOST/INBOX/;UID=7")
			req.Credentials, req.Login = tt.creds, tt.login
			opts := tt.opts
			opts.TLSConfig = clientTLS
			_, _, err := get(t, &opts, req)
			if fetch.KindOf(err) != tt.kind {
				t.Errorf("got %v, want Kind %v", err, tt.kind)
			}
			if err != nil && strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("got %v, want it without the password", err)
			}
			log := f.Commands()
			if !strings.Contains(log, tt.want) || tt.not != "" && strings.Contains(log, tt.not) {
				t.Errorf("got %s sent, want %q, and not %q", log, tt.want, tt.not)
			}
		})
	}
	t.Run("ImplicitTLS", func(t *testing.T) {
		f := &imapscript.Server{Implicit: serverTLS, Answers: map[string]string{"UID FETCH": oneMessage}}
		f.Start(t)
		if got, _, err := get(t, &Options{TLSConfig: clientTLS}, request(t, f.Addr, "imaps://HOST/INBOX/;UID=7")); got != "hello" {
			t.Errorf("got %q, %v, want %q", got, err, "hello")
		}
		if _, _, err := get(t, nil, request(t, f.Addr, "imaps://HOST/INBOX/;UID=7")); !errors.Is(err, fetch.Untrusted) {
			t.Errorf("an unknown authority: got %v, want %v", err, fetch.Untrusted)
		}
	})
}

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Guard: fetchtest.Guard()}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			// Base64, because the fake writes LF as CRLF.
			body := base64.StdEncoding.EncodeToString(obj.Body)
			head := fmt.Sprintf("* 1 FETCH (UID 7 BODY[2] {%d}\n", len(body))
			f := &imapscript.Server{Left: obj.Left, Answers: map[string]string{
				"UID FETCH 7 (UID BODY.PEEK[2.MIME]": mime("Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n"),
				"UID FETCH 7 (UID BODY.PEEK[2])":     head + body + ")\nTAG OK done\n",
			}}
			fetched := func(s string) { f.Answers["UID FETCH 7 (UID BODY.PEEK[2])"] = s }
			switch obj.Fault {
			case fetchtest.Missing:
				fetched("TAG OK x?token=s3cr3t\n")
			case fetchtest.Cut:
				fetched(head + body[:len(body)/2] + "CLOSE")
			case fetchtest.Stalled:
				fetched(head + body[:len(body)/2] + "HANG")
			case fetchtest.Mute:
				f.Greeting = "HANG"
			case fetchtest.Forbidden:
				u, _ := url.Parse("imap://10.0.0.1/INBOX/;UID=7")
				return &fetch.Request{URL: u}
			}
			f.Start(t)
			return request(t, f.Addr, "imap://HOST/INBOX/;UID=7/;SECTION=2")
		},
		At:      func(host string) *fetch.Request { return request(t, host, "imap://HOST/INBOX/;UID=7") },
		Watches: true,
	})
}

// mime is the answer for the header of part 2, given with LF.
func mime(header string) string {
	n := len(header) + strings.Count(header, "\n")
	return fmt.Sprintf("* 1 FETCH (UID 7 BODY[2.MIME]<0> {%d}\n%s)\nTAG OK done\n", n, header)
}

// request returns a request for a URL, in which HOST is the server at addr.
func request(t testing.TB, addr, text string) *fetch.Request {
	t.Helper()
	text = strings.Replace(text, "HOST", addr, 1)
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &fetch.Request{URL: u, Text: text}
}

// answering returns the Credentials of a caller who always answers so.
func answering(u *fetch.Userinfo, err error) func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
	return func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) { return u, err }
}

// loopback lets tests connect to servers of theirs.
func loopback() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

func TestDovecot(t *testing.T) {
	const message = "From: a@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/plain\n\nhello\n" +
		"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\naGVs\nbG8=\n" +
		"--b\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n=3Cp>\n--b--\n"
	server := dovecot.Start(t, func(maildir string) {
		if err := os.WriteFile(filepath.Join(maildir, "new", "1.example"), []byte(message), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	opts := &Options{TLSConfig: &tls.Config{RootCAs: server.Roots}}
	ask := func(path string) *fetch.Request {
		req := request(t, server.Addr, "imap://"+dovecot.User+"@HOST/"+path)
		req.Credentials = answering(&fetch.Userinfo{Password: dovecot.Password}, nil)
		return req
	}
	for _, tt := range []struct {
		name, path, want, mediaType string
		kind                        fetch.Kind
	}{
		{"Whole", "INBOX/;UID=1", strings.ReplaceAll(message, "\n", "\r\n"), "message/rfc822", 0},
		{"Text", "INBOX/;UID=1/;SECTION=1", "hello", "text/plain", 0},
		{"Base64", "INBOX/;UID=1/;SECTION=2", "hello", "image/png", 0},
		{"Partial", "INBOX/;UID=1/;SECTION=2/;PARTIAL=1.2", "GV", "", 0},
		{"PartialToTheEnd", "INBOX/;UID=1/;SECTION=1/;PARTIAL=3", "lo", "", 0},
		{"PartialAfterTheEnd", "INBOX/;UID=1/;SECTION=1/;PARTIAL=30.5", "", "", 0},
		{"PartOfMessage", "INBOX/;UID=1/;SECTION=3.1", "<p>", "text/html", 0},
		{"HeaderOfMessage", "INBOX/;UID=1/;SECTION=3.HEADER.FIELDS%20(Subject)", "Subject: inner\r\n\r\n", "", 0},
		{"MIME", "INBOX/;UID=1/;SECTION=1.MIME", "Content-Type: text/plain\r\n\r\n", "", 0},
		{"NoMessage", "INBOX/;UID=2", "", "", fetch.NotFound},
		{"NoPart", "INBOX/;UID=1/;SECTION=9", "", "", fetch.NotFound},
		{"NoMailbox", "a%26%E2%98%83/;UID=1", "", "", fetch.NotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, resp, err := get(t, opts, ask(tt.path))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, %v, want %v", got, err, tt.kind)
			}
			if err == nil && (got != tt.want || resp.MediaType != tt.mediaType) {
				t.Errorf("got %q, %s, want %q, %s", got, resp.MediaType, tt.want, tt.mediaType)
			}
		})
	}
}
