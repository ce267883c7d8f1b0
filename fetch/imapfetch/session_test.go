package imapfetch

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

const oneMessage = "* 1 FETCH (UID 7 BODY[] {5}\nhello)\nTAG OK done\n"

func observed(t *testing.T, f *imapscript.Server, opts *Options, req *fetch.Request) (*fetch.Exchange, error) {
	t.Helper()
	var seen []*fetch.Exchange
	req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
	_, _, err := get(t, opts, req)
	if len(seen) != 1 {
		t.Fatalf("got %d exchanges, %v, want 1", len(seen), err)
	}
	return seen[0], err
}

func TestObserve(t *testing.T) {
	f := &imapscript.Server{Answers: map[string]string{
		"UID FETCH": oneMessage, "LOGIN": "* OK hello Joe\nTAG OK s3cr3t is right\n",
	}}
	f.Start(t)
	req := request(t, f.Addr, "imap://joe@HOST/INBOX/;UID=7")
	req.Credentials = answering(&fetch.Userinfo{User: "joe", Password: "s3cr3t"}, nil)
	x, _ := observed(t, f, &Options{AllowPlaintext: true}, req)
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"s3cr3t", "joe", "Joe"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("got %q in %s, want it cut out", secret, text)
		}
	}
	var lines []string
	for _, l := range x.Dialogue {
		lines = append(lines, string(l.Text))
	}
	want := []string{
		"* OK ready", "a1 CAPABILITY", "* CAPABILITY IMAP4rev1 ", "a1 OK done",
		"a2 LOGIN (cut)", "* (cut)", "a2 (cut)",
		`a3 EXAMINE "INBOX"`, "* 3 EXISTS", "* OK [UIDVALIDITY 42] valid", "a3 OK [READ-ONLY] done",
		"a4 UID FETCH 7 (UID BODY.PEEK[])", "* 1 FETCH (UID 7 BODY[] {5}", ")", "a4 OK done",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
	got := fmt.Sprint([]any{x.Protocol, x.URL, x.Remote, x.Content.Octets, x.Kind})
	if want := fmt.Sprint([]any{"imap", "imap://" + f.Addr + "/INBOX/;UID=7", f.Addr, 5, fetch.Kind(0)}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if x.OctetsOut == 0 || x.OctetsIn < 5 {
		t.Errorf("got %d octets out and %d in, want some and at least 5", x.OctetsOut, x.OctetsIn)
	}
}

// The token of URLAUTH is a credential in the URL and in both directions.
func TestObserveURLAuth(t *testing.T) {
	f := &imapscript.Server{Caps: "URLAUTH AUTH=ANONYMOUS", Answers: map[string]string{"URLFETCH": "TAG NO no such URL;URLAUTH=anonymous:internal:5ec7e7\n"}}
	f.Start(t)
	req := request(t, f.Addr, "imap://joe@HOST/INBOX/;UID=7;URLAUTH=anonymous:internal:5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e7")
	x, err := observed(t, f, &Options{}, req)
	text, _ := json.Marshal(x)
	if err == nil || x.Kind == 0 {
		t.Errorf("got error %v, in the exchange %v, want one in both", err, x.Kind)
	}
	if strings.Contains(string(text), "5ec7e7") {
		t.Errorf("got %s, want it without the token", text)
	}
	if !strings.Contains(x.URL, ";URLAUTH=(cut)") {
		t.Errorf("got URL %q, want it with %q", x.URL, ";URLAUTH=(cut)")
	}
}

func TestWithoutToken(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"a":                              "a",
		";urlauth=":                      ";urlauth=(cut)",
		"x;URLAUTH=a:b y;URLAUTH=c\" z;": "x;URLAUTH=(cut) y;URLAUTH=(cut)\" z;",
		"x;URLAUTH":                      "x;URLAUTH",
	} {
		if got := withoutToken(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestToken(t *testing.T) {
	server, client := testkit.Certificate()
	token := &fetch.Userinfo{User: "joe,x", Token: "t0k3n"}
	for _, row := range []struct {
		name, caps string
		plain      bool
		answer     *fetch.Userinfo
		want       string // the message
		kind       fetch.Kind
	}{
		{"OAuthBearer", "AUTH=PLAIN AUTH=OAUTHBEARER AUTH=XOAUTH2", false, token, "n,a=joe=2Cx,\x01host=127.0.0.1\x01port=PORT\x01auth=Bearer t0k3n\x01\x01", 0},
		{"XOAuth2", "AUTH=PLAIN AUTH=XOAUTH2", false, token, "user=joe,x\x01auth=Bearer t0k3n\x01\x01", 0},
		{"None", "AUTH=PLAIN", false, token, "", fetch.Credentials},
		{"Plaintext", "AUTH=OAUTHBEARER", true, token, "", fetch.Untrusted},
		{"Injected", "AUTH=OAUTHBEARER", false, &fetch.Userinfo{User: "joe", Token: "a\x01b"}, "", fetch.Malformed},
		{"Refused", "AUTH=OAUTHBEARER", false, &fetch.Userinfo{User: "joe", Token: "no"}, "", fetch.Credentials},
	} {
		f := &imapscript.Server{Caps: row.caps, Answers: map[string]string{"UID FETCH": oneMessage}}
		if !row.plain {
			f.Implicit = server
		}
		if row.name == "Refused" {
			f.Answers[base64.StdEncoding.EncodeToString([]byte("n,a=joe,\x01"))[:10]] = "+ e30=\n"
			f.Answers["AQ=="] = "TAG NO no\n"
		}
		f.Start(t)
		scheme := map[bool]string{true: "imap", false: "imaps"}[row.plain]
		req := request(t, f.Addr, scheme+"://joe@HOST/INBOX/;UID=7")
		req.Credentials = answering(row.answer, nil)
		x, err := observed(t, f, &Options{TLSConfig: client}, req)
		if x.Kind != row.kind {
			t.Errorf("%s: got %v, %v, want %v", row.name, x.Kind, err, row.kind)
		}
		_, port, _ := strings.Cut(f.Addr, ":")
		message := base64.StdEncoding.EncodeToString([]byte(strings.Replace(row.want, "PORT", port, 1)))
		if row.want != "" && !strings.Contains(f.Commands(), message) {
			t.Errorf("%s: got %q, want %q", row.name, f.Commands(), message)
		}
		if row.name == "Refused" && !strings.Contains(f.Commands(), "\nAQ==") {
			t.Errorf("%s: got %q, want AQ== on a line", row.name, f.Commands())
		}
		if text, _ := json.Marshal(x); strings.Contains(string(text), "t0k3n") {
			t.Errorf("%s: got the token in %s, want it cut out", row.name, text)
		}
	}
}
