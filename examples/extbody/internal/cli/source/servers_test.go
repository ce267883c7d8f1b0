package source

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/serverurl"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

func TestIMAPLogin(t *testing.T) {
	ask := terminal.AskerOf(strings.NewReader(""), io.Discard, nil, func() (string, error) { return "secret", nil })
	for _, tt := range []struct {
		name, url string
		source    Servers
		want      string
	}{
		{"Command", "imap://ann@h/a", Servers{Flags: &ServerFlags{passwordCommand: "echo s3cret; echo more"}}, "ann s3cret"},
		{"CommandFails", "imap://ann@h/a", Servers{Flags: &ServerFlags{passwordCommand: "echo s3cret; exit 3"}}, ""},
		{"CommandSaysNothing", "imap://ann@h/a", Servers{Flags: &ServerFlags{passwordCommand: "true"}}, ""},
		{"CommandSaysMuch", "imap://ann@h/a", Servers{Flags: &ServerFlags{passwordCommand: "echo s3cret; head -c 9999999 /dev/zero"}}, "ann s3cret"},
		{"CommandWithoutUser", "imap://h/a", Servers{Flags: &ServerFlags{passwordCommand: "echo s3cret"}}, ""},
		{"Terminal", "imap://ann@h/a", Servers{Flags: &ServerFlags{}, Ask: ask}, "ann secret"},
		{"Nobody", "imap://ann@h/a", Servers{Flags: &ServerFlags{}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := imapurl.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			user, password, err := tt.source.config(u).Login(t.Context())
			if got := user + " " + password; err == nil && got != tt.want || err != nil && tt.want != "" {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// While a message waits to be taken, maxAhead groups after its own are read ahead.
func TestSweptAhead(t *testing.T) {
	const most = (1 + maxAhead) * maxGroup
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(maxAhead)) // a few workers hold less
	for _, n := range []int{most, most + 1} {
		synctest.Test(t, func(t *testing.T) {
			came, given := 0, 0
			new(sections).swept(new(imapurl.URL), func(yield func(*imapsession.Message, error) bool) {
				for came++; came <= n && yield(&imapsession.Message{Whole: true}, nil); {
					came++
				}
			}, func(*swept) {
				if synctest.Wait(); given == 0 && came != most {
					t.Errorf("got %d messages of %d before the first was taken, want %d", came, n, most)
				}
				given++
			})
			if given != n {
				t.Errorf("got %d messages, want %d", given, n)
			}
		})
	}
}

// A server that cannot be reached is a failure of the mailbox, with a Kind.
func TestIMAPFailures(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		kind       fetch.Kind
	}{
		{"URL", "imap://ann:secret@127.0.0.1/INBOX", fetch.Malformed},
		{"Refused", "imap://ann@127.0.0.1:1/INBOX", fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &Servers{Flags: &ServerFlags{plaintext: new(bool)}}
			n := 0
			for f, err := range s.messages(context.Background(), record.Path{Name: tt.path}) {
				n++
				if fetch.KindOf(err) != tt.kind || len(f.Refs) > 0 {
					t.Errorf("%s: got %v, %v; want none, %v", tt.path, f.Refs, err, tt.kind)
				}
				if strings.Contains(f.Title()+err.Error(), "secret") {
					t.Errorf("got %s: %v, want no password in it", f.Title(), err)
				}
			}
			if n != 1 {
				t.Errorf("%s: got %d messages, want 1", tt.path, n)
			}
		})
	}
}

// A sweep finds the references that are found in the whole messages. The messages
// of a corpus are added if the environment names one.
func TestIMAPSameAsOpen(t *testing.T) {
	archive, err := os.ReadFile("testdata/mailbox")
	if err != nil {
		t.Fatal(err)
	}
	messages := bytes.Split(archive, []byte("\n==\n"))
	if os.Getenv("EXTBODY_SHARED") != "" {
		for _, text := range testkit.Corpus(t) {
			messages = append(messages, []byte(strings.ReplaceAll(text, "\r\n", "\n")))
		}
	}
	messages = append(messages, []byte(linkedMessage), []byte(strictMessage), []byte(sealedMessage))
	server := dovecot.Start(t, func(maildir string) {
		for i, message := range messages {
			messages[i] = bytes.ReplaceAll(message, []byte("\n"), []byte("\r\n"))
			if err := os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%06d.example:2,", i)), messages[i], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, dialects := range []string{"none", "all", "filelink,share-link"} {
		for _, resolve := range []bool{false, true} {
			for _, strict := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%t/%t", dialects, resolve, strict), func(t *testing.T) {
					sameAsOpen(t, server, dialects, resolve, strict, messages)
				})
			}
		}
	}
}

const (
	linkedMessage = `From: ann@a.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<a href="https://www.dropbox.com/s/abc123def456/report.pdf?dl=0">report.pdf</a>
--b
Content-Type: application/octet-stream; name="a.zip"
X-Mozilla-Cloud-Part: cloudFile; url=https://files.example/a.zip; name=a.zip

--b--
`
	sealedMessage = "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/octet-stream\n\nx\n\n--b--\n"
	strictMessage = "Content-Type: message/external-body; access-type=URL; URL=http://files.example/a\n\nContent-Type: image/png\n\n"
)

// sameAsOpen compares the references that are found on the server with those in messages, and
// unless dialects is empty the parts that were not looked into as well.
func sameAsOpen(t *testing.T, server *dovecot.Server, dialects string, resolve, strict bool, messages [][]byte) {
	s := &Servers{
		Flags:   &ServerFlags{plaintext: new(bool), passwordCommand: "echo " + dovecot.Password},
		tls:     &tls.Config{RootCAs: server.Roots},
		Resolve: resolve,
	}
	s.Strict = strict
	if err := s.SetDialects(dialects); err != nil {
		t.Fatal(err)
	}
	add := func(list []string, msg *externalbody.Message, refs []*externalbody.Reference) []string {
		switch {
		case !s.Standard():
			return append(list, recordsOf(t, refs)+fmt.Sprint(slices.Collect(msg.Unread())))
		case len(refs) > 0:
			return append(list, recordsOf(t, refs))
		}
		return list
	}
	var want []string
	for _, message := range messages {
		msg, err := externalbody.Open(bytes.NewReader(message), int64(len(message)), s.Options())
		if err != nil {
			t.Fatal(err)
		}
		want = add(want, msg, slices.Collect(msg.References()))
	}
	to := netip.MustParseAddrPort(server.Addr)
	u := imapurl.URL{Server: serverurl.Server{User: dovecot.User, Host: to.Addr().String(), Port: to.Port()}, Mailbox: "INBOX"}
	var got []string
	last := 0
	for f, err := range s.messages(t.Context(), record.Path{Name: u.String()}) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Number() <= last {
			t.Errorf("got UID %d after %d, want a greater one", f.Number(), last)
		}
		last = f.Number()
		got = add(got, f.Whole(), f.Refs)
		f.Close()
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// OP-56: a message for an archive has the time at which it came to its mailbox.
func TestIMAPArrival(t *testing.T) {
	want := time.Date(2026, 3, 5, 11, 0, 7, 0, time.UTC)
	server := dovecot.Start(t, func(maildir string) {
		name := filepath.Join(maildir, "cur", "1.example:2,")
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(strictMessage, "\n", "\r\n")), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, want, want); err != nil {
			t.Fatal(err)
		}
	})
	s := &Servers{
		Flags: &ServerFlags{plaintext: new(bool), passwordCommand: "echo " + dovecot.Password},
		tls:   &tls.Config{RootCAs: server.Roots},
	}
	if err := s.SetDialects("none"); err != nil {
		t.Fatal(err)
	}
	to := netip.MustParseAddrPort(server.Addr)
	u := imapurl.URL{Server: serverurl.Server{User: dovecot.User, Host: to.Addr().String(), Port: to.Port()}, Mailbox: "INBOX"}
	boxes, stop, err := s.Archived(t.Context(), u.String(), false, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var got []time.Time
	for it, err := range boxes[0].Messages(t.Context(), func(*archive.Sighting) archive.Known { return archive.Unseen }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, it.Arrived)
		it.Close()
	}
	if len(got) != 1 || !got[0].Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// recordsOf returns all that is said of references.
func recordsOf(t *testing.T, refs []*externalbody.Reference) string {
	var b strings.Builder
	for _, ref := range refs {
		if err := record.New(record.Place{}, ref, true).WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// A file is read from where it stands; the error of a stream is returned, and so is the
// end of the context, though the stream gives nothing.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, release, err := Hold(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(text); string(got) != "456789" || err != nil {
		t.Errorf("a file: got %q, %v, want what is left of it", got, err)
	}
	release()

	bad := errors.New("bad")
	if _, _, err := Hold(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(bad))); !errors.Is(err, bad) {
		t.Errorf("a stream that fails: got %v, want %v", err, bad)
	}

	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Hold(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a stream that gives nothing: got %v, want %v", err, context.Canceled)
	}
}
