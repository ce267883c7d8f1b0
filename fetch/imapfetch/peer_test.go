package imapfetch

import (
	"context"
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

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
		req.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
			return &fetch.Userinfo{Password: dovecot.Password}, nil
		}
		return req
	}
	for _, tt := range []struct {
		name, path, want, mediaType string
		kind                        fetch.Kind
	}{
		{"Whole", ";UID=1", strings.ReplaceAll(message, "\n", "\r\n"), "message/rfc822", 0},
		{"Text", ";UID=1/;SECTION=1", "hello", "text/plain", 0},
		{"Base64", ";UID=1/;SECTION=2", "hello", "image/png", 0},
		{"Partial", ";UID=1/;SECTION=2/;PARTIAL=1.2", "GV", "", 0},
		{"PartialToTheEnd", ";UID=1/;SECTION=1/;PARTIAL=3", "lo", "", 0},
		{"PartialAfterTheEnd", ";UID=1/;SECTION=1/;PARTIAL=30.5", "", "", 0},
		{"PartOfMessage", ";UID=1/;SECTION=3.1", "<p>", "text/html", 0},
		{"HeaderOfMessage", ";UID=1/;SECTION=3.HEADER.FIELDS%20(Subject)", "Subject: inner\r\n\r\n", "", 0},
		{"MIME", ";UID=1/;SECTION=1.MIME", "Content-Type: text/plain\r\n\r\n", "", 0},
		{"NoMessage", ";UID=2", "", "", fetch.NotFound},
		{"NoPart", ";UID=1/;SECTION=9", "", "", fetch.NotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, resp, err := get(t, opts, ask("INBOX/"+tt.path))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, %v, want %v", got, err, tt.kind)
			}
			if err == nil && (got != tt.want || resp.MediaType != tt.mediaType) {
				t.Errorf("got %q, %s, want %q, %s", got, resp.MediaType, tt.want, tt.mediaType)
			}
		})
	}
	t.Run("NoMailbox", func(t *testing.T) {
		if _, _, err := get(t, opts, ask("a%26%E2%98%83/;UID=1")); fetch.KindOf(err) != fetch.NotFound {
			t.Error(err)
		}
	})
}
