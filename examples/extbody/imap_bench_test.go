package main

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// BenchmarkIMAPList lists the references of a mailbox on dovecot, in the standard form and with all dialects.
// Beside it are a bare fetch of all BODYSTRUCTUREs with go-imap's client, one of the first 512 octets of each
// message, for which dovecot opens each file as it does for the dialects, and mbsync, which fetches all of it. One
// message in 50 holds a reference. The environment variable EXTBODY_IMAP_MESSAGES is the number of messages, 500 by
// default, and EXTBODY_IMAP_OCTETS how many they have on average, 75,000 by default. The mailbox that the time of a
// sweep is judged by has 0.3 GB:
//
//	EXTBODY_IMAP_OCTETS=15000 EXTBODY_IMAP_MESSAGES=20000 go test -run - -bench 'IMAPList/(Standard|Dialects|GoIMAP)' -benchtime 3x ./examples/extbody
//
// The program, dovecot's imap and its login process, which does the TLS, share the cores. On two cores the sum of
// their processor times bounds the time.
func BenchmarkIMAPList(b *testing.B) {
	n, octets := envInt(b, "EXTBODY_IMAP_MESSAGES", 500), envInt(b, "EXTBODY_IMAP_OCTETS", 75_000)
	var size int64
	server := dovecot.Start(b, func(maildir string) { size = fillMaildir(b, maildir, n, octets) })
	extbody := build(b)
	list := func(b *testing.B, dialects, addr string) cost {
		cmd := exec.Command(string(extbody), "list", "--json", "--dialects", dialects, "--password-command", "echo "+dovecot.Password,
			"imaps://"+dovecot.User+"@"+addr+"/INBOX")
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
		lines := new(lineCounter)
		cmd.Stdout = lines
		c := measure(b, cmd)
		if int(*lines) != (n+49)/50 {
			b.Fatalf("%d references", *lines)
		}
		return c
	}
	list(b, "all", server.TLSAddr) // dovecot keeps messages that it has read
	for _, form := range []struct{ name, dialects string }{{"Standard", "none"}, {"Dialects", "all"}} {
		b.Run(form.name, func(b *testing.B) {
			var ours costs
			b.SetBytes(size)
			for b.Loop() {
				ours.add(list(b, form.dialects, server.TLSAddr))
			}
			b.ReportMetric(float64(median(ours.rss))/(1<<20), "MiB-rss")
			b.ReportMetric(median(ours.cpu).Seconds(), "cpu-s/op")
			addr, received := counting(b, server.TLSAddr)
			list(b, form.dialects, addr)
			b.ReportMetric(100*float64(received.Load())/float64(size), "%-received")
		})
	}
	structures := &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}
	beginnings := &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{{Peek: true, Partial: &imap.SectionPartial{Size: 512}}}}
	for _, fetch := range []struct {
		name string
		opts []*imap.FetchOptions
	}{
		{"GoIMAP", []*imap.FetchOptions{structures}},
		{"GoIMAPBeginnings", []*imap.FetchOptions{structures, beginnings}},
	} {
		b.Run(fetch.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				bareFetch(b, server, fetch.opts)
			}
		})
	}
	b.Run("Mbsync", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			mbsync(b, server, n, nil)
		}
	})
}

// envInt returns the number in an environment variable.
func envInt(b *testing.B, name string, otherwise int) int {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		b.Fatalf("%s is %q", name, s)
	}
	return n
}

// fillMaildir writes n messages of so many octets on average and returns how many
// they have together.
func fillMaildir(b *testing.B, maildir string, n, octets int) (size int64) {
	noise := make([]byte, 1<<20)
	rand.Read(noise)
	text := base64.StdEncoding.EncodeToString(noise)
	for i := range n {
		const head = "From: ann@a.example\r\nTo: bob@b.example\r\nSubject: message %d\r\nDate: Fri, 14 Jun 2030 19:13:14 -0400\r\nMessage-ID: <%d@a.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"b%d\"\r\n\r\n--b%d\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSee below.\r\n"
		message := fmt.Appendf(nil, head, i, i, i, i)
		if i%50 == 0 {
			message = fmt.Appendf(message, "--b%d\r\n%s", i, reference(fmt.Sprintf("http://files.example/%d", i)))
		}
		message = fmt.Appendf(message, "--b%d\r\nContent-Type: application/octet-stream; name=\"data %d.bin\"\r\nContent-Disposition: attachment; filename=\"data %d.bin\"\r\nContent-Transfer-Encoding: base64\r\n\r\n", i, i, i)
		for left, at := octets/8+(i*7919)%(octets*7/4), (i*104729)%(len(text)/2); left > 0; left -= 76 {
			message = append(append(message, text[at:at+76]...), "\r\n"...)
			at += 76
		}
		message = fmt.Appendf(message, "--b%d--\r\n", i)
		size += int64(len(message))
		must(b, os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%09d.example:2,S", i)), message, 0o644))
	}
	return size
}

// bareFetch fetches something of all messages with go-imap's client, one thing after the
// other.
func bareFetch(b *testing.B, server *dovecot.Server, things []*imap.FetchOptions) {
	b.Helper()
	c, err := imapclient.DialTLS(server.TLSAddr, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: server.Roots}})
	must(b, err)
	defer c.Close()
	must(b, c.Login(dovecot.User, dovecot.Password).Wait())
	if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		b.Fatal(err)
	}
	all := imap.UIDSet{{Start: 1, Stop: 0}}
	for _, opts := range things {
		cmd := c.Fetch(all, opts)
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			for item := m.Next(); item != nil; item = m.Next() {
			}
		}
		must(b, cmd.Close())
	}
}

// mbsync fetches the mailbox with isync, and calls got, unless it is nil, with each message
// as it is then.
func mbsync(b *testing.B, server *dovecot.Server, n int, got func(text []byte)) {
	b.Helper()
	program := installed(b, "mbsync")
	dir := b.TempDir()
	defer os.RemoveAll(dir)
	host, port, _ := net.SplitHostPort(server.TLSAddr)
	config := fmt.Sprintf(`IMAPStore far
Host %s
Port %s
User %s
Pass %s
SSLType IMAPS
CertificateFile %s

MaildirStore near
Path %s/
Inbox %s/Inbox

Channel all
Far :far:INBOX
Near :near:INBOX
Sync Pull
Create Near
SyncState *
`, host, port, dovecot.User, dovecot.Password, server.RootFile, dir, dir)
	path := filepath.Join(dir, "mbsyncrc")
	writeText(b, path, config)
	measure(b, exec.Command(program, "-c", path, "-q", "all"))
	files, err := os.ReadDir(filepath.Join(dir, "Inbox", "cur"))
	if err != nil || len(files) != n {
		b.Fatalf("mbsync fetched %d messages: %v", len(files), err)
	}
	if got == nil {
		return
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, "Inbox", "cur", f.Name()))
		must(b, err)
		got(text)
	}
}

// counting returns an address behind which addr is, and the number of octets
// that came from there.
func counting(b *testing.B, addr string) (string, *atomic.Int64) {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	received := new(atomic.Int64)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", addr)
			if err != nil {
				client.Close()
				return
			}
			go func() {
				io.Copy(server, client)
				server.Close()
			}()
			go func() {
				io.Copy(client, io.TeeReader(server, counter{received}))
				client.Close()
			}()
		}
	}()
	b.Cleanup(func() { l.Close() })
	return l.Addr().String(), received
}

// A counter adds the octets that are written to it.
type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// A lineCounter counts the lines that are written to it.
type lineCounter int

func (c *lineCounter) Write(p []byte) (int, error) {
	for _, o := range p {
		if o == '\n' {
			*c++
		}
	}
	return len(p), nil
}
