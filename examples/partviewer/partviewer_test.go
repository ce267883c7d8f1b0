package main

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-imap/client"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

const png = "\x89PNG\r\n\x1a\n not much of a picture"

// files answers with bodies by their path.
func files(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/report.png", "/slides.png":
		w.Header().Set("Content-Type", "image/png")
		w.Write([]byte(png))
	case "/page.html":
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<script>alert(1)</script>"))
	case "/false.png":
		w.Header().Set("Content-Type", "image/png")
		w.Write([]byte("MZ\x90\x00 a program"))
	default:
		http.NotFound(w, r)
	}
}

// external returns a message/external-body part.
func external(url, mediaType, name string) string {
	return "Content-Type: message/external-body; access-type=URL;\r\n\tURL=\"" + url + "\"; name=\"" + name + "\"\r\n\r\nContent-Type: " + mediaType + "\r\nContent-ID: <" + name + "@a.example>\r\n\r\n"
}

func mixed(subject string, parts ...string) string {
	text := "From: Ann <ann@a.example>\r\nSubject: " + subject + "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
	for _, p := range parts {
		text += "--b\r\n" + p + "\r\n"
	}
	return text + "--b--\r\n"
}

// TestViewer: a mailbox of Dovecot is shown, and files are got, named and opened as a reader expects.
func TestViewer(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(files))
	defer web.Close()
	const text = "Content-Type: text/plain\r\n\r\nSee below.\r\n"
	server := dovecot.Start(t, func(maildir string) {
		for name, mail := range map[string]string{
			"1": mixed("Figures", text, external(web.URL+"/report.png", "image/png", "yearly report.png")),
			"2": mixed("Page", text, external(web.URL+"/page.html", "text/html", "page.html"), external(web.URL+"/false.png", "image/png", "false.png")),
			"3": mixed("Inside", external("http://169.254.169.254/latest/", "text/plain", "x.txt"), external("cid:nothing@a.example", "text/plain", "y.txt")),
			"4": mixed("Link", "Content-Type: text/plain\r\nX-Mozilla-Cloud-Part: cloudFile; url="+web.URL+"/slides.png; name=slides.png\r\n\r\n", "Content-Type: application/pdf; name=large.pdf\r\n\r\n"+strings.Repeat("0123456789abcdef\r\n", 10_000)),
			"5": mixed("Within", text, "Content-Type: message/rfc822\r\n\r\n"+mixed("Forwarded", external(web.URL+"/report.png", "image/png", "forwarded.png"))),
			"6": mixed("None", text),
		} {
			if err := os.WriteFile(filepath.Join(maildir, "cur", name+":2,S"), []byte(mail), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, c := range []struct {
		name, answers  string
		saved, opened  string // names, in the order of the alphabet and of the files
		shown, unshown []string
	}{
		{"Yes", strings.Repeat("y\n", 20), "false.png forwarded.png page.html slides.png yearly report.png", "forwarded.png slides.png yearly report.png", []string{
			`: "Figures"`, `part 2: "yearly report.png" from 127.0.0.1`, "saved as yearly report.png. ", "link: slides.png",
			`not opened: "text/html" may run or script`, "its octets are those of application/octet-stream", `: "None"`, "part 2.1: forwarded.png", "part 1: x.txt: refused (blocked)", "part 2: y.txt, in the message itself", "not-found: no other part",
		}, nil},
		{"No", strings.Repeat("n\n", 20), "", "", []string{`part 2: "yearly report.png" from 127.0.0.1`, "get it? [y/N]", "not saved: "}, []string{"saved as"}},
		{"Nobody", "", "", "", []string{`part 2: "yearly report.png"`}, []string{"saved as"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			imap, err := client.DialTLS(server.TLSAddr, &tls.Config{RootCAs: server.Roots})
			if err != nil {
				t.Fatal(err)
			}
			defer imap.Logout()
			if err := imap.Login(dovecot.User, dovecot.Password); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
			var out strings.Builder
			v := newViewer(imap, strings.NewReader(c.answers), &out, &externalbody.Resolver{Fetcher: safefetch.New(&safefetch.Options{Guard: guard})}, root)
			opened := make(map[string]bool)
			v.open = func(path string) error {
				opened[filepath.Base(path)] = true
				return nil
			}
			if err := v.mailbox(t.Context(), "INBOX"); err != nil {
				t.Fatal(err)
			}
			entries, err := os.ReadDir(root.Name())
			if err != nil {
				t.Fatal(err)
			}
			var names, shown []string
			for _, e := range entries {
				names = append(names, e.Name())
				if opened[e.Name()] {
					shown = append(shown, e.Name())
				}
			}
			if got := strings.Join(names, " "); got != c.saved {
				t.Errorf("got %s saved, want %s", got, c.saved)
			}
			if got := strings.Join(shown, " "); got != c.opened || len(shown) != len(opened) {
				t.Errorf("got %s opened (%v), want %s", got, opened, c.opened)
			}
			for _, want := range c.shown {
				if !strings.Contains(out.String(), want) {
					t.Errorf("got no %q, want it", want)
				}
			}
			for _, no := range c.unshown {
				if strings.Contains(out.String(), no) {
					t.Errorf("got %q, want it nowhere", no)
				}
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}
