package login

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// counted returns a command with an answer, and the number of times that it was run.
func counted(answer string, err error) (cc *credentialsCommand, asked *int) {
	cc, asked = newCredentialsCommand("", nil), new(int)
	cc.run = func(context.Context, []byte) ([]byte, error) {
		*asked++
		return []byte(answer), err
	}
	return cc, asked
}

// The command is asked once for many references. That it fails, that it writes no answer, and that
// it does not know the login are remembered as well.
func TestCredentialsCommand(t *testing.T) {
	for _, tt := range []struct {
		answer string
		err    error
		login  bool
		want   fetch.Kind
	}{
		{`{"token":"t"}`, nil, true, 0},
		{"{}", nil, false, 0},
		{"", nil, false, 0},
		{"", errors.New("exit status 1"), false, fetch.Credentials},
		{"garbage", nil, false, fetch.Credentials},
	} {
		cc, asked := counted(tt.answer, tt.err)
		for range 10 {
			info, err := cc.credentials(t.Context(), fetch.Challenge{Scheme: "https", Host: "h.example", Port: 443})
			if fetch.KindOf(err) != tt.want || (info != nil) != tt.login {
				t.Errorf("%q: got %v, %v; want a login: %t, and %v", tt.answer, info, err, tt.login, tt.want)
			}
		}
		if *asked != 1 {
			t.Errorf("%q: got %d questions, want 1", tt.answer, *asked)
		}
	}
}

// A server that names another realm each time does not have the command run each time.
func TestCredentialsCommandRealms(t *testing.T) {
	cc, asked := counted(`{"token":"t"}`, nil)
	for i := range maxQuestions + 1 {
		_, err := cc.credentials(t.Context(), fetch.Challenge{Scheme: "https", Host: "h.example", Port: 443, Realm: fmt.Sprint(i)})
		if (err == nil) != (i < maxQuestions) {
			t.Errorf("realm %d: got %v, want an error for the last alone", i, err)
		}
	}
	if _, err := cc.credentials(t.Context(), fetch.Challenge{Scheme: "https", Host: "other.example", Port: 443}); err != nil {
		t.Errorf("another server: got %v, want no error", err)
	}
	if *asked != maxQuestions+1 {
		t.Errorf("got %d questions, want %d", *asked, maxQuestions+1)
	}
}

func TestParseAnswer(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "none"},
		{" \n", "none"},
		{"{}", "none"},
		{`{"user":"u","password":"p"}` + "\n", "u p  "},
		{`{"user":"u","password":"p","account":"a"}`, "u p a "},
		{`{"token":"t"}`, "   t"},
		{`{"user":"u","token":"t"}`, "u   t"},
		{`{"password":"p"}`, "error"},
		{`{"user":"u","pass":"p"}`, "error"},
		{`{"user":"u"} {"user":"v"}`, "error"},
		{`secret`, "error"},
		{`[]`, "error"},
	} {
		info, err := parseAnswer([]byte(c.text))
		got := "none"
		switch {
		case err != nil:
			got = "error"
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: got %v, want an error without the text", c.text, err)
			}
		case info != nil:
			got = fmt.Sprint(info.User, " ", info.Password, " ", info.Account, " ", info.Token)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNetrc(t *testing.T) {
	const text = `# comment
machine other.example login ann password wrong
macdef init
machine h.example login macro password wrong

machine h.example
	login ann account x
	password "two words \"quoted\""
machine h.example login bob password b0b # the end
default login anyone password fallback
`
	path := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, host, user string
		login, password  string
	}{
		{"First", "h.example", "", "ann", `two words "quoted"`},
		{"Case", "H.Example", "", "ann", `two words "quoted"`},
		{"ByUser", "h.example", "bob", "bob", "b0b"},
		{"Default", "new.example", "", "anyone", "fallback"},
		{"DefaultIsForItsUser", "new.example", "eve", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			login, password, err := Netrc(path, tt.host, tt.user, true)
			if login != tt.login || password != tt.password || (err == nil) != (tt.login != "") {
				t.Errorf("got %q, %q, %v, want %q, %q", login, password, err, tt.login, tt.password)
			}
		})
	}
	if err := os.WriteFile(path, []byte("\ufeffmachine h.example\r\nlogin ann\r\npassword secret\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if login, password, err := Netrc(path, "h.example", "", true); login != "ann" || password != "secret" || err != nil {
		t.Errorf("by an editor that marks the text: got %q, %q, %v; want ann, secret", login, password, err)
	}
	if _, _, err := Netrc(path+"x", "h", "", true); err == nil {
		t.Error("a file that is not there has a login")
	}
}
