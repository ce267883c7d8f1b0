package imapbody_test

import (
	"crypto/tls"
	"encoding/base64"
	"io"
	"log"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// onServers runs do with each sample on each server.
func onServers(t *testing.T, samples []sample, do func(*testing.T, *imapclient.Client, sample)) {
	run := func(t *testing.T, name string, samples []sample, server func(testing.TB) *imapclient.Client) {
		t.Run(name, func(t *testing.T) {
			client := server(t)
			for _, m := range samples {
				t.Run(m.name, func(t *testing.T) { do(t, client, m) })
			}
		})
	}
	run(t, "Memory", samples, memory)
	run(t, "Dovecot", slices.Concat(samples, dovecotOnly), dovecotServer)
	t.Run("Wild", func(t *testing.T) {
		for _, m := range wild(t) {
			run(t, m.name, []sample{m}, memory) // whose server does not survive all of them
		}
		run(t, "Dovecot", wild(t), dovecotServer)
	})
}

// memory returns a client of an empty mailbox.
func memory(t testing.TB) *imapclient.Client {
	client, stop := mailbox()
	t.Cleanup(stop)
	return client
}

// mailbox returns a client of go-imap's server that has these messages.
func mailbox(texts ...string) (client *imapclient.Client, stop func()) {
	user := imapmemserver.NewUser("ann", "secret")
	user.Create("INBOX", nil)
	for _, text := range texts {
		r := strings.NewReader(crlf(text))
		user.Append("INBOX", struct {
			io.Reader
			sized
		}{r, sized(r.Len())}, &imap.AppendOptions{})
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return imapmemserver.NewUserSession(user), &imapserver.GreetingData{PreAuth: true}, nil
		},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(l)
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	client = imapclient.New(conn, nil)
	if err := client.WaitGreeting(); err != nil {
		log.Fatal(err)
	}
	if _, err := client.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		log.Fatal(err)
	}
	return client, func() {
		client.Close()
		server.Close()
	}
}

// A sized makes a reader the literal of that size.
type sized int64

func (s sized) Size() int64 { return int64(s) }

// dovecot returns a client of dovecot's IMAP server, logged in.
func dovecotServer(t testing.TB) *imapclient.Client {
	t.Helper()
	server := dovecot.Start(t, nil)
	client, err := imapclient.DialTLS(server.TLSAddr, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: server.Roots}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if err := client.Login(dovecot.User, dovecot.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	return client
}

// store appends a message with CRLF to INBOX and returns its UID.
func store(t *testing.T, client *imapclient.Client, text string) imap.UID {
	t.Helper()
	cmd := client.Append("INBOX", int64(len(text)), nil)
	if _, err := cmd.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return data.UID
}

// A message is a test case, written with LF.
type sample struct {
	name  string
	text  string
	whole bool // it has no Skeleton
	alone bool // it has one only in one piece
}

const (
	url    = "Content-Type: message/external-body; access-type=URL;\n URL=\"http://files.example/a%20b/\n\tc.png\"; size=1234\nContent-ID: <outer@a.example>\n\nContent-Type: image/png\nContent-ID: <c@a.example>\n\n"
	ftp    = "Content-Type: message/external-body; access-type=ANON-FTP;\n site=ftp.example; directory=pub; name=\"r.txt\"; mode=image\n\nContent-Type: text/plain\nContent-ID: <r@a.example>\n\nphantom\n"
	mailer = "content-type: Message/External-Body; access-type=mail-server; server=\"s@a.example\"\n\nContent-Type: text/plain\n\nget rfc 1\nquit\n"
	top    = "From: Ann <ann@a.example>\nTo: b@b.example\nSubject: files\nDate: Fri, 14 Jun 2030 19:13:14 -0400\nMIME-Version: 1.0\n"
	text   = "Content-Type: text/plain; charset=utf-8\n\nSee below.\n"
)

// mixed returns a multipart of that type.
func mixed(subtype, boundary string, parts ...string) string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/" + subtype + "; boundary=\"" + boundary + "\"\n\npreamble\n")
	for _, p := range parts {
		b.WriteString("--" + boundary + "\n" + p + "\n")
	}
	b.WriteString("--" + boundary + "--\n")
	return b.String()
}

// attached returns a message/rfc822 part.
func attached(message string) string { return "Content-Type: message/rfc822\n\n" + message }

var wellFormed = []sample{
	{name: "None", text: top + text},
	{name: "NoneInMultipart", text: top + mixed("mixed", "b", text, text)},
	{name: "Whole", text: top + url},
	{name: "WholeWithBody", text: top + mailer},
	{name: "InMixed", text: top + mixed("mixed", "b", text, url, ftp)},
	{name: "Nested", text: top + mixed("mixed", "b", text, mixed("alternative", "c", ftp, url), mailer)},
	{name: "InMessage", text: top + mixed("mixed", "b", text, attached(top+mixed("mixed", "c", text, url)), ftp)},
	{name: "IsTheMessageInMessage", text: top + mixed("mixed", "b", text, attached(top+url), ftp)},
	{name: "WholeIsSigned", text: top + signedData(url), whole: true},
	{name: "SignedPart", text: top + mixed("mixed", "b", text, signedData(url), url), whole: true},
	{name: "SignedMultipart", text: top + mixed("mixed", "b", text, signedData(mixed("mixed", "s", text, url))), whole: true},
	{name: "WholeIsMessage", text: top + attached(top+url)},
	{name: "WholeIsMessageOfMultipart", text: top + attached(top+mixed("mixed", "c", text, url))},
	{name: "MessageInMessage", text: top + attached(top+attached(top+mixed("mixed", "c", url, attached(top+ftp))))},
	{name: "EncodedReference", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=\"http://files.example/x\"\nContent-Transfer-Encoding: base64\n\nQ29udGVudC1UeXBlOiBpbWFnZS9wbmcNCkNvbnRlbnQtSUQ6IDxjQGEuZXhhbXBsZT4NCg0K\n")},
	{name: "News", alone: true, text: top + mixed("mixed", "b", text, "Content-Type: message/news\n\n"+top+mixed("mixed", "c", text, url), ftp)},
	{name: "NewsWithoutMultipart", alone: true, text: top + mixed("mixed", "b", text, "Content-Type: message/news\n\n"+top+url)},
	{name: "LongPhantomBody", text: top + mixed("mixed", "b", text, mailer+strings.Repeat("get another file, please\n", 30_000))},
	{name: "LongURL", text: top + mixed("mixed", "b", "Content-Type: message/external-body; access-type=URL;\n URL=\""+strings.Repeat("http://files.example/0123456789/\n ", 60)+"\"\n\n\n")},
}

var malformed = []sample{
	{name: "Unquoted", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=http://files.example/a;b?c; size=3\n\nContent-Type: image/png\n\n")},
	{name: "Comment", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body (a comment); access-type=URL; URL=\"http://files.example/x\"\n\nContent-Type: image/png\n\n")},
	{name: "Duplicate", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"; url=\"http://b.example/\"\n\nContent-Type: image/png\n\n")},
	{name: "Extended", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL*0*=us-ascii''http%3A//files.example/; URL*1=a; URL*2*=%C3%A9.png\n\nContent-Type: image/png\n\n")},
	{name: "EncodedWord", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=\"http://files.example/?q==?utf-8?Q?=41?=\"\n\nContent-Type: image/png\n\n")},
	{name: "Backslash", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=LOCAL-FILE; name=\"C:\\dir\\f.txt\"\n\nContent-Type: image/png\n\n")},
	{name: "WholeUnquoted", text: top + "Content-Type: message/external-body; access-type=URL; URL=http://files.example/a\n\nContent-Type: image/png\n\n"},
	{name: "InMessageUnquoted", text: top + mixed("mixed", "b", text, attached(top+"Content-Type: message/external-body; access-type=URL; URL=http://files.example/a\n\nContent-Type: image/png\n\n"))},
	{name: "RepeatedField", text: top + mixed("mixed", "b", text, "Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: 7bit\n"+url)},
}

// dovecotOnly has the messages that imapmemserver cannot take: it panics on a
// multipart without parts, does not know multipart/digest, and loses parts whose
// header does not end.
var dovecotOnly = []sample{
	{name: "Digest", text: top + mixed("digest", "b", "\n"+top+mixed("mixed", "c", text, url), url)},
	{name: "EncodedMessage", alone: true, text: top + mixed("mixed", "b", text, "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"+encodedMessage, ftp)},
	{name: "EncodedMultipart", whole: true, text: top + mixed("mixed", "b", text, "Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\n"+encodedMultipart, ftp)},
	{name: "NoParts", whole: true, text: top + "Content-Type: multipart/mixed; boundary=b\n\nno parts here\n"},
	{name: "NoBlankLine", text: top + mixed("mixed", "b", text, "Content-Type: message/external-body; access-type=URL; URL=\"http://files.example/x\"", ftp)},
}

const (
	// A message that is a reference by URL.
	encodedMessage = "RnJvbTogYUBhLmV4YW1wbGUKQ29udGVudC1UeXBlOiBtZXNzYWdlL2V4dGVybmFsLWJvZHk7IGFj\nY2Vzcy10eXBlPVVSTDsgVVJMPSJodHRwOi8vYS5leGFtcGxlLyIKCgo=\n"
	// A multipart with boundary c whose second part is a reference by URL.
	encodedMultipart = "LS1jCgp0ZXh0CgotLWMKQ29udGVudC1UeXBlOiBtZXNzYWdlL2V4dGVybmFsLWJvZHk7IGFjY2Vz\ncy10eXBlPVVSTDsgVVJMPSJodHRwOi8vYS5leGFtcGxlLyIKCgotLWMtLQo=\n"
)

// wild returns the messages of the corpus that the environment names.
func wild(t *testing.T) []sample {
	t.Helper()
	var messages []sample
	for name, text := range testkit.Corpus(t) {
		messages = append(messages, sample{name: name, text: strings.ReplaceAll(text, "\r\n", "\n")})
	}
	return messages
}

// crlf returns text as a server stores it.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// signedData returns a part of S/MIME with content signed, without a signature.
func signedData(content string) string {
	oid := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	message := "\x30\x80" + oid + "\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80" + oid + "\x01\xa0\x80\x24\x80"
	for len(content) > 0 {
		n := min(len(content), 100)
		message += "\x04" + string([]byte{byte(n)}) + content[:n]
		content = content[n:]
	}
	return "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte(message+strings.Repeat("\x00\x00", 6))) + "\n"
}
