package jmapurl

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     string // "" for an error
		session  string
		mailbox  string
	}{
		{"Account", "jmap://ann@h.example", "jmap://ann@h.example/", "https://h.example/.well-known/jmap", ""},
		{"Upper", "JMAP://ann@h.example/", "jmap://ann@h.example/", "https://h.example/.well-known/jmap", ""},
		{"Plain", "jmap+http://h.example:8080/", "jmap+http://h.example:8080/", "http://h.example:8080/.well-known/jmap", ""},
		{"DefaultPort", "jmap+http://h.example:80/", "jmap+http://h.example/", "http://h.example/.well-known/jmap", ""},
		{"Mailbox", "jmap://h.example/Archive/2024", "jmap://h.example/Archive/2024", "https://h.example/.well-known/jmap", "Archive|2024"},
		{"SlashInName", "jmap://h.example/a%2Fb/c", "jmap://h.example/a%2Fb/c", "https://h.example/.well-known/jmap", "a/b|c"},
		{"NotASCII", "jmap://h.example/Entwürfe", "jmap://h.example/Entw%C3%BCrfe", "https://h.example/.well-known/jmap", "Entwürfe"},
		{"UserWithAt", "jmap://ann%40b.example@h.example/", "jmap://ann%40b.example@h.example/", "https://h.example/.well-known/jmap", ""},
		{"AccountNamed", "jmap://ann@h.example/?account=u%201", "jmap://ann@h.example/?account=u%201", "https://h.example/.well-known/jmap", ""},
		{"Message", "jmap://ann@h.example/?id=M1&account=a", "jmap://ann@h.example/?account=a&id=M1", "https://h.example/.well-known/jmap", ""},
		{"IPv6", "jmap://[::1]:8443/", "jmap://[::1]:8443/", "https://[::1]:8443/.well-known/jmap", ""},
		{name: "Password", in: "jmap://ann:secret@h.example/"},
		{name: "NoHost", in: "jmap:///a"},
		{name: "OtherQuery", in: "jmap://h.example/?x=secret"},
		{name: "TwoIDs", in: "jmap://h.example/?id=a&id=b"},
		{name: "NoID", in: "jmap://h.example/?id="},
		{name: "EmptyName", in: "jmap://h.example/a//b"},
		{name: "LineBreak", in: "jmap://h.example/a%0D%0Ab"},
		{name: "NotUTF8", in: "jmap://h.example/%FF"},
		{name: "Fragment", in: "jmap://h.example/#a"},
		{name: "ZeroPort", in: "jmap://h.example:0/"},
		{name: "OtherScheme", in: "https://h.example/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.in)
			if err != nil {
				if tt.want != "" || strings.Contains(err.Error(), "secret") {
					t.Error(err)
				}
				return
			}
			if got := u.String(); got != tt.want || u.Session() != tt.session {
				t.Errorf("got %q, %q; want %q, %q", got, u.Session(), tt.want, tt.session)
			}
			if got := strings.Join(u.Mailbox, "|"); got != tt.mailbox {
				t.Errorf("got the mailbox %q, want %q", got, tt.mailbox)
			}
			if again, err := Parse(u.String()); err != nil || again.String() != u.String() {
				t.Errorf("%s: read again it is %v, %v", u, again, err)
			}
			if got := u.Message("x y").MailboxURL(); u.ID == "" && got != u.String() {
				t.Errorf("got %q for the mailbox, want %q", got, u)
			}
		})
	}
}
