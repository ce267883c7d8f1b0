package login

import (
	"os"
	"path/filepath"
	"testing"
)

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
