package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// The three programs below have as many lines as a program of its kind needs, at most 113,
// 79 and 113. The checks that they do not mention are made by the library for the obvious
// code.

// A stored is a message on the server.
type stored struct {
	*imapclient.Client
	uid imap.UID
}

func (s stored) Sections(_ context.Context, sections []imapbody.Section) (octets [][]byte, err error) {
	var items []*imap.FetchItemBodySection
	for _, section := range sections {
		items = append(items, section.Item())
	}
	found, err := s.Fetch(imap.UIDSetNum(s.uid), &imap.FetchOptions{BodySection: items}).Collect()
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("the message is gone: %w", err)
	}
	for _, item := range items {
		octets = append(octets, found[0].FindBodySection(item))
	}
	return octets, nil
}

func (s stored) Whole(ctx context.Context) (io.ReaderAt, int64, error) {
	octets, err := s.Sections(ctx, []imapbody.Section{{}})
	if err != nil {
		return nil, 0, err
	}
	return bytes.NewReader(octets[0]), int64(len(octets[0])), nil
}

// A mail client at a terminal, on go-imap: it shows the references of each message, asks,
// and saves the files that were verified.
func Example_terminal() {
	client, stop := mailServer()
	defer stop()
	tmp, err := os.MkdirTemp("", "client")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	folder, err := os.OpenRoot(tmp)
	if err != nil {
		log.Fatal(err)
	}
	defer folder.Close()

	consent := &externalbody.Consent{Ask: func(_ context.Context, p *externalbody.Plan) (bool, error) {
		fmt.Println(p) // and reads the answer
		return true, nil
	}}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil), Approve: consent.Approve}
	opts := &externalbody.OpenOptions{Dialects: dialect.All()}
	messages, err := client.Fetch(imap.UIDSet{{Start: 1, Stop: 0}}, &imap.FetchOptions{UID: true, RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{}}).Collect()
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		msg, err := imapbody.Open(context.Background(), stored{client, m.UID}, imapbody.GoIMAP(m.BodyStructure), m.RFC822Size, opts)
		if err != nil {
			log.Fatal(err)
		}
		for alts := range msg.Alternatives() {
			name, report, err := resolver.SaveFile(context.Background(), alts, folder)
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Println(name, report)
		}
	}
	// Output:
	// note.txt It is what the message promises, by MD5, which an attacker can get around.
	// fetch http://169.254.169.254/latest/: blocked: address 169.254.169.254 is not public
}

// A webmail: a page with the plans, and a body after the reader agreed to its plan.
func Example_webmail() {
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	mail := strings.NewReader(programMail)
	msg, err := externalbody.Open(mail, mail.Size(), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		log.Fatal(err)
	}
	var page strings.Builder
	bodies := make(map[string][]*externalbody.Reference) // by the id of a plan
	for alts := range msg.Alternatives() {
		plan := resolver.Plan(alts[0])
		bodies[plan.ID] = alts
		fmt.Fprintf(&page, "<pre>%s</pre><form method=post action=/open><button name=plan value=%s>Open</button></form>\n", html.EscapeString(plan.String()), plan.ID)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, page.String()) })
	mux.HandleFunc("POST /open", func(w http.ResponseWriter, r *http.Request) {
		agreed := r.PostFormValue("plan")
		mine := *resolver
		mine.Approve = func(_ context.Context, p *externalbody.Plan) error {
			if p.ID != agreed {
				return fetch.Denied // a redirect to another host
			}
			return nil
		}
		spool, err := mine.SaveSpool(r.Context(), bodies[agreed], "")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer spool.Close()
		webbody.ServeSpool(w, r, spool, webbody.Inline)
	})
	server := httptest.NewServer(http.NewCrossOriginProtection().Handler(mux))
	defer server.Close()

	resp, err := http.Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	shown, _ := io.ReadAll(resp.Body)
	_, id, _ := strings.Cut(string(shown), "value=")
	id, _, _ = strings.Cut(id, ">")
	resp, err = http.PostForm(server.URL+"/open", map[string][]string{"plan": {id}})
	if err != nil {
		log.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, resp.Header.Get("Content-Type"), string(text))
	// Output:
	// 200 text/plain; charset=utf-8 hello
}

// A composer: it takes a large attachment out before it sends, and writes a reference to a
// file that is on a server already.
func Example_composer() {
	const draft = "From: ann@a.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; name=large.txt\r\nContent-ID: <1@a.example>\r\n\r\nhello\r\n"
	msg, err := externalbody.Open(strings.NewReader(draft), int64(len(draft)), nil)
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	report, err := rewrite.Externalize(context.Background(), &out, msg, &rewrite.ExternalizeOptions{Store: upload{}, MinSize: 5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Changed(), strings.Contains(out.String(), "access-type=URL"), strings.Contains(out.String(), "Content-MD5"))

	ref := externalbody.NewReference("https://files.example/plan.pdf")
	ref.MediaType, ref.ContentID, ref.Size = "application/pdf", externalbody.NewContentID("a.example"), 1234
	_, err = ref.WriteTo(&out)
	fmt.Println(err)
	ref.MediaType = "pdf"
	_, err = ref.WriteTo(&out)
	fmt.Println(err)
	// Output:
	// true true true
	// <nil>
	// reference https://files.example/plan.pdf: malformed: parameter content-type: "pdf" is not a media type
}

// An upload is a rewrite.Store that keeps nothing.
type upload struct{}

func (upload) Put(_ context.Context, obj *rewrite.Object) (string, error) {
	_, err := io.Copy(io.Discard, obj.Body)
	return "https://files.example/" + obj.Name, err
}

const programMail = "From: ann@a.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"data:text/plain,hello\"\r\n\r\n" +
	"Content-Type: text/plain\r\nContent-ID: <1@a.example>\r\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==\r\nContent-Disposition: attachment; filename=note.txt\r\n\r\n" +
	"--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"http://169.254.169.254/latest/\"\r\n\r\n" +
	"Content-Type: text/plain\r\nContent-ID: <2@a.example>\r\n\r\n--b--\r\n"

// mailServer returns a client of a server with one message.
func mailServer() (client *imapclient.Client, stop func()) {
	user := imapmemserver.NewUser("ann", "secret")
	user.Create("INBOX", nil)
	user.Append("INBOX", literal{strings.NewReader(programMail)}, &imap.AppendOptions{})
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
	if _, err := client.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		log.Fatal(err)
	}
	return client, func() {
		client.Close()
		server.Close()
	}
}

// A literal is a message in the form that an IMAP server takes.
type literal struct{ *strings.Reader }
