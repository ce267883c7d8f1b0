package imapurl

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/serverurl"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     string // "" for an error
		user     string
		mailbox  string
		address  string
	}{
		{"Plain", "imap://ann@h.example/INBOX", "imap://ann@h.example/INBOX", "ann", "INBOX", "h.example:143"},
		{"Secure", "IMAPS://ann@h.example/INBOX", "imaps://ann@h.example/INBOX", "ann", "INBOX", "h.example:993"},
		{"Port", "imaps://h.example:9993/a/b", "imaps://h.example:9993/a/b", "", "a/b", "h.example:9993"},
		{"DefaultPort", "imap://h.example:143/a", "imap://h.example/a", "", "a", "h.example:143"},
		{"IPv6", "imap://[::1]:144/a", "imap://[::1]:144/a", "", "a", "[::1]:144"},
		{"Zone", "imap://[fe80::1%25eth0]/a", "imap://[fe80::1%25eth0]/a", "", "a", "[fe80::1%eth0]:143"},
		{name: "PercentInHost", in: "imap://h%25x/a"},
		{"UserWithAt", "imap://ann%40b.example@h.example/a", "imap://ann%40b.example@h.example/a", "ann@b.example", "a", "h.example:143"},
		{"UserEscaped", "imap://a%3Bb%3Ac%2Fd%20e@h.example/a", "imap://a%3Bb%3Ac%2Fd%20e@h.example/a", "a;b:c/d e", "a", "h.example:143"},
		{"AnyMechanism", "imap://ann;AUTH=*@h.example/a", "imap://ann@h.example/a", "ann", "a", "h.example:143"},
		{"PlainMechanism", "imap://ann;AUTH=plain@h.example/a", "imap://ann@h.example/a", "ann", "a", "h.example:143"},
		{"Validity", "imap://h.example/a;uidvalidity=7", "imap://h.example/a;UIDVALIDITY=7", "", "a", "h.example:143"},
		{"Encoded", "imap://h.example/Entw%C3%BCrfe%3B%3F%20%25x", "imap://h.example/Entw%C3%BCrfe%3B%3F%20%25x", "", "Entwürfe;? %x", "h.example:143"},
		{"Unencoded", "imap://h.example/Entwürfe", "imap://h.example/Entw%C3%BCrfe", "", "Entwürfe", "h.example:143"},
		{"Server", "imap://ann@h.example", "imap://ann@h.example/", "ann", "", "h.example:143"},
		{"ServerWithSlash", "imaps://ann@h.example/", "imaps://ann@h.example/", "ann", "", "h.example:993"},
		{"Message", "imap://h.example/INBOX/;UID=7", "imap://h.example/INBOX/;UID=7", "", "INBOX", "h.example:143"},
		{"MessageWithValidity", "imap://h.example/a/b;uidvalidity=8/;uid=7", "imap://h.example/a/b;UIDVALIDITY=8/;UID=7", "", "a/b", "h.example:143"},
		{name: "MessageOfNoMailbox", in: "imap://h.example/;UID=7"},
		{name: "ValidityOfNoMailbox", in: "imap://h.example/;UIDVALIDITY=7"},
		{name: "SlashOfNoMailbox", in: "imap://h.example//;UID=7"},
		{"PortWithZeros", "imap://h.example:0144/a", "imap://h.example:144/a", "", "a", "h.example:144"},
		{name: "LargePort", in: "imap://h.example:65536/a"},
		{name: "ZeroPort", in: "imap://h.example:0/a"},
		{name: "Section", in: "imap://h.example/INBOX/;UID=7/;SECTION=1"},
		{name: "ZeroUID", in: "imap://h.example/INBOX/;UID=0"},
		{name: "LargeUID", in: "imap://h.example/INBOX/;UID=4294967296"},
		{name: "NoHost", in: "imap:///INBOX"},
		{name: "Password", in: "imap://ann:secret@h.example/INBOX"},
		{name: "Mechanism", in: "imap://ann;AUTH=GSSAPI@h.example/INBOX"},
		{name: "Search", in: "imap://h.example/INBOX?ALL"},
		{name: "Fragment", in: "imap://h.example/INBOX#x"},
		{name: "LineBreak", in: "imap://h.example/INBOX%0D%0Aa9%20DELETE"},
		{name: "LineBreakInUser", in: "imap://ann%0D%0A@h.example/INBOX"},
		{name: "NotUTF8", in: "imap://h.example/%FF"},
		{name: "BadEncoding", in: "imap://h.example/%zz"},
		{name: "ZeroValidity", in: "imap://h.example/a;UIDVALIDITY=0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.in)
			if err != nil {
				if tt.want != "" || strings.Contains(err.Error(), "secret") {
					t.Error(err)
				}
				return
			}
			if u.String() != tt.want || u.User != tt.user || u.Mailbox != tt.mailbox || u.Address() != tt.address {
				t.Errorf("got %v, %+v; want %q, user %q, mailbox %q, address %q", u, u, tt.want, tt.user, tt.mailbox, tt.address)
			}
			if again, err := Parse(u.String()); err != nil || again.String() != u.String() {
				t.Errorf("read again: got %v, %v; want %v", again, err, u)
			}
		})
	}
}

// A URL that Parse accepts is accepted again as it is printed, and nothing that is
// sent to a server or written to a terminal has control characters in it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"imap://ann@h.example/", "imaps://a%40b@h.example:9993/Entw%C3%BCrfe%3B;UIDVALIDITY=7/;UID=8", "imap://[::1]/a/b/;uid=1", "imap://h/%0d%0a", "imap://a;AUTH=*@h/x", "imap://[fe80::1%25eth0]/a", "imap://h%25x/a", "imap://0::/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Parse(text)
		if err != nil || !Is(text) {
			return
		}
		again, err := Parse(u.String())
		if err != nil || *again != *u {
			t.Errorf("%q: got %+v, which is %s, and then %+v, %v; want the same", text, u, u, again, err)
		}
		if serverurl.HasControl(u.User + u.Mailbox + u.String()) {
			t.Errorf("%q: got %+v, want no control characters in it", text, u)
		}
	})
}
