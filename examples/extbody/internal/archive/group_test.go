package archive_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestGroups holds that references which name no host are counted by their kind, so that a file of
// this machine, a mail server and a deleted attachment are not among the bodies in the message.
func TestGroups(t *testing.T) {
	box := maildir(t)
	var b strings.Builder
	b.WriteString("Message-ID: <groups@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
	for _, params := range []string{
		`access-type=URL; URL="data:,x"`,
		`access-type=URL; URL="file:///etc/hostname"`,
		`access-type=local-file; name="/etc/hostname"`,
		`access-type=local-file`,
		`access-type=mail-server; server="s@example.org"`,
		`access-type=x-mutt-deleted; expiration="Fri, 17 Jul 2026 10:00:00 +0000"; length=1`,
		`access-type=anon-ftp; site="$SITE"; name=x`,
		`access-type=x-unheard-of`,
		`access-type=URL; URL="https://h.example/x"`,
	} {
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; %s\r\n\r\nContent-Type: text/plain\r\n\r\n", params)
	}
	b.WriteString("--b--\r\n")
	deliver(t, box, "1", b.String())
	dir := home(t)
	o := options(box)
	o.Resolve = nil
	run(t, dir, o)
	a := readAt(t, dir, nil)
	s, err := a.Status()
	must(t, err)
	got := make(map[string]int64)
	for name, h := range s.Hosts {
		got[name] = h.Captured + h.Excepted + h.Open
	}
	want := map[string]int64{"": 1, "(local files)": 3, "(by mail)": 1, "(deleted)": 1, "(no host)": 2, "h.example": 1}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
