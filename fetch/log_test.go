package fetch_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// printed returns v as each verb and each handler of slog print it.
func printed(v any) string {
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	slog.New(slog.NewTextHandler(&b, nil)).Info("m", "v", v, slog.Group("g", "v", v))
	slog.New(slog.NewJSONHandler(&b, nil)).Info("m", "v", v)
	return b.String()
}

// TestNoPassword: nothing that is printed or logged shows a secret that is to be sent
// to a server.
func TestNoPassword(t *testing.T) {
	login := fetch.Userinfo{User: "anna", Password: "hunter2", Account: "acct7", Token: "tok9"}
	u, err := url.Parse("ftp://anna:hunter2@h.example/a.png?key=tok9")
	if err != nil {
		t.Fatal(err)
	}
	req := fetch.Request{URL: u, MediaType: "image/png"}
	share := fetch.Request{URL: &url.URL{Scheme: "https", Host: "h.example", Path: "/s/tok9"}, Secret: true}
	x := fetch.Exchange{Protocol: "http", URL: "https://h.example/a?key=tok9", Status: 401, RequestHead: record.Octets("GET /a?key=tok9 HTTP/1.1\r\n\r\n")}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"Userinfo":   {login, "(user, password, account, token)"},
		"Pointer":    {&login, "(user, password, account, token)"},
		"Slice":      {[]any{login, &login}, "password"},
		"Struct":     {struct{ Login fetch.Userinfo }{login}, ""},
		"NoLogin":    {fetch.Userinfo{}, "(no login)"},
		"Request":    {req, "h.example/a.png"},
		"RequestPtr": {&req, "h.example/a.png"},
		"Share":      {&share, "https://h.example"},
		"Empty":      {&fetch.Request{}, ""},
		"Exchange":   {x, "http https://h.example/a?key=xxxxx: 401"},
		"Pointers":   {[]*fetch.Exchange{&x, nil}, ""},
	} {
		got := printed(c.v)
		if name == "Slice" || name == "Struct" || name == "Pointers" { // encoding/json has it whole
			got, _, _ = strings.Cut(got, `{"time"`)
		}
		for _, secret := range []string{"hunter2", "acct7", "tok9", "anna", fmt.Sprintf("%x", "hunter2")} {
			if strings.Contains(got, secret) {
				t.Errorf("%s: got %s in\n%s, want it nowhere", name, secret, got)
			}
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "PANIC") {
			t.Errorf("%s: got\n%s, want %q in it", name, got, c.want)
		}
	}
}
