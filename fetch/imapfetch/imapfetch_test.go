package imapfetch

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

const part = "imap://HOST/INBOX/;UID=7/;SECTION=2"

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

// What servers answer, and what becomes of it.
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

// A part that the server does not have is NotFound, whether it says NIL for a
// range of its header or for the header.
func TestNoPart(t *testing.T) {
	for _, nil9 := range []string{"BODY[9.MIME] NIL", "BODY[9.MIME]<0> NIL", "BODY[9.MIME]<0> \"\"", "BODY[9.MIME] nil"} {
		t.Run(nil9, func(t *testing.T) {
			f := &imapscript.Server{Answers: map[string]string{"UID FETCH": "* 1 FETCH (UID 7 " + nil9 + ")\nTAG OK done\n"}}
			f.Start(t)
			got, _, err := get(t, nil, request(t, f.Addr, "imap://HOST/INBOX/;UID=7/;SECTION=9"))
			if !errors.Is(err, fetch.NotFound) {
				t.Errorf("got %q, %v; want %v", got, err, fetch.NotFound)
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

// Who logs in, how, and over what (IM-9 to IM-12).
func TestLogin(t *testing.T) {
	serverTLS, clientTLS := imapscript.Certificate()
	secret := func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{User: "joe", Password: "s3cr3t"}, nil
	}
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
		{name: "Trace", fake: &imapscript.Server{Caps: "AUTH=ANONYMOUS"}, opts: Options{Trace: "me"}, want: "bWU="},
		{name: "Disabled", fake: &imapscript.Server{Caps: "LOGINDISABLED"}, kind: fetch.Credentials, not: "LOGIN"},
		{name: "AnonymousRefused", fake: &imapscript.Server{Answers: map[string]string{"LOGIN": "TAG NO no\n"}}, kind: fetch.Credentials},
		{name: "UserWithoutTLS", user: "joe@", creds: secret, kind: fetch.Untrusted, not: "s3cr3t"},
		{name: "UserWithoutTLSAllowed", user: "joe@", creds: secret, opts: Options{AllowPlaintext: true}, want: `LOGIN "joe" "s3cr3t"`},
		{name: "UserWithSTARTTLS", user: "joe@", creds: secret, fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN \"joe\""},
		{name: "UserWithPLAIN", user: "joe;AUTH=*@", creds: secret, fake: &imapscript.Server{Caps: "STARTTLS AUTH=PLAIN", StartTLS: serverTLS}, want: "AUTHENTICATE PLAIN\nAGpvZQBzM2NyM3Q="},
		{name: "UserWithoutCredentials", user: "joe@", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, kind: fetch.Credentials, not: "LOGIN"},
		{name: "AnyWithoutCredentials", user: ";AUTH=*@", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN anonymous"},
		{name: "AnyAnsweredByNobody", user: ";AUTH=*@", opts: Options{AllowPlaintext: true}, want: "LOGIN anonymous", creds: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
			return nil, nil
		}},
		{name: "AnyRequired", user: ";AUTH=*@", opts: Options{AllowPlaintext: true}, login: fetch.LoginRequired, kind: fetch.Credentials, not: "LOGIN"},
		{name: "MechanismWithoutCredentials", user: ";AUTH=PLAIN@", opts: Options{AllowPlaintext: true}, kind: fetch.Credentials, not: "LOGIN"},
		{name: "UserOnPREAUTH", user: "joe@", creds: secret, fake: &imapscript.Server{Greeting: "* PREAUTH hi\n"}, kind: fetch.Untrusted, not: "EXAMINE"},
		{name: "AnonymousUsesSTARTTLS", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS}, want: "STARTTLS\nCAPABILITY\nLOGIN anonymous"},
		{name: "STARTTLSRefused", fake: &imapscript.Server{Caps: "STARTTLS", Answers: map[string]string{"STARTTLS": "TAG NO no\n"}}, kind: fetch.Untrusted, not: "LOGIN"},
		{name: "STARTTLSInjected", fake: &imapscript.Server{Caps: "STARTTLS", StartTLS: serverTLS, Answers: map[string]string{"STARTTLS": "TAG OK go\n* CAPABILITY X\n"}}, kind: fetch.Untrusted, not: "LOGIN"},
		{name: "PasswordInURL", user: "joe:pw@", kind: fetch.Malformed},
		{name: "OtherMechanism", user: "joe;AUTH=GSSAPI@", kind: fetch.Unsupported},
		{name: "NamedButAnonymous", user: "joe@", login: fetch.LoginAnonymous, kind: fetch.Malformed},
		{name: "AnonymousButRequired", user: "anonymous@", login: fetch.LoginRequired, kind: fetch.Credentials},
		{name: "LineInPassword", user: "joe@", opts: Options{AllowPlaintext: true}, kind: fetch.Malformed, not: "LOGIN", creds: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
			return &fetch.Userinfo{User: "joe", Password: "x\r\na9 DELETE INBOX"}, nil
		}},
		{name: "CallerRefuses", user: "joe@", opts: Options{AllowPlaintext: true}, kind: fetch.Denied, creds: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
			return nil, fetch.Denied
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.fake
			if f == nil {
				f = new(imapscript.Server)
			}
			if f.Answers == nil {
				f.Answers = map[string]string{}
			}
			f.Answers["UID FETCH"] = "* 1 FETCH (UID 7 BODY[] {5}\nhello)\nTAG OK done\n"
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
		f := &imapscript.Server{Implicit: serverTLS, Answers: map[string]string{"UID FETCH": "* 1 FETCH (UID 7 BODY[] {5}\nhello)\nTAG OK done\n"}}
		f.Start(t)
		if got, _, err := get(t, &Options{TLSConfig: clientTLS}, request(t, f.Addr, "imaps://HOST/INBOX/;UID=7")); got != "hello" {
			t.Errorf("got %q, %v, want %q", got, err, "hello")
		}
		if _, _, err := get(t, nil, request(t, f.Addr, "imaps://HOST/INBOX/;UID=7")); !errors.Is(err, fetch.Untrusted) {
			t.Errorf("an unknown authority: got %v, want %v", err, fetch.Untrusted)
		}
	})
}
