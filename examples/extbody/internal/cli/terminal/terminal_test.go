package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

func script(answers string) (*Asker, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return AskerOf(strings.NewReader(answers), out, nil, func() (string, error) { return "secret", nil }), out
}

func TestAskApproves(t *testing.T) {
	a, out := script("maybe\ny\n")
	approve := a.Approve(map[string]bool{"tftp": true})
	plan := func(scheme, host string) *externalbody.Plan {
		return &externalbody.Plan{Reference: "1", Scheme: scheme, Host: host, URL: scheme + "://" + host + "/x"}
	}
	for _, step := range []struct {
		plan  *externalbody.Plan
		ok    bool
		asked int
	}{
		{plan("http", "h"), true, 0},
		{plan("tftp", "h"), false, 1},
		{plan("tftp", "h"), false, 1}, // once
		{plan("tftp", "g"), true, 2},
		{plan("tftp", "g"), true, 2},
		{plan("tftp", "f"), false, 3}, // no more answers
	} {
		err := approve(t.Context(), step.plan)
		if (err == nil) != step.ok || strings.Count(out.String(), "Do that?") != step.asked {
			t.Errorf("%s://%s: got %v, asked %d times, want ok %t, %d times: %q", step.plan.Scheme, step.plan.Host, err, strings.Count(out.String(), "Do that?"), step.ok, step.asked, out)
		}
	}
}

func TestAskCredentials(t *testing.T) {
	a, out := script("me\n\n")
	ask := func(host, user string) *fetch.Userinfo {
		info, err := a.Credentials(t.Context(), fetch.Challenge{Scheme: "ftp", Host: host, Port: 21, User: user})
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for range 2 {
		if info := ask("h", ""); info == nil || info.User != "me" || info.Password != "secret" {
			t.Errorf("h: got %+v, want me and secret", info)
		}
	}
	for range 2 {
		if info := ask("g", ""); info != nil {
			t.Errorf("g: got %+v, want none", info)
		}
	}
	if info := ask("g", "you"); info == nil || info.User != "you" {
		t.Errorf("g as you: got %+v, want the user you", info)
	}
	if n := strings.Count(out.String(), "wants a login"); n != 3 || strings.Contains(out.String(), "secret") {
		t.Errorf("got %d questions, want 3, without the password: %s", n, out)
	}
}
