package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"

	"github.com/go-extbody/extbody/internal/testkit/cloud"
)

// An office is a Cloud with a file behind a link, a mail with the link, and the settings of a user with an account.
// Each program that the test starts uses them.
type office struct {
	*cloud.Cloud
	t             *testing.T
	dir           string
	mail, maildir string
	mark          string // a file that the token-command writes
	flags         []string
	strangers     *atomic.Int64 // questions for hosts other than the Cloud, which get no answer
}

const officeLink = "https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT"

// marchDay is a day of March 2026, at noon.
func marchDay(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }

func newOffice(t *testing.T) *office {
	executable(t)
	o := &office{Cloud: cloud.New(t), t: t, dir: t.TempDir()}
	o.Redirect = o.Octets.URL
	o.Add(officeLink, &cloud.File{Name: "report.pdf", MediaType: "application/pdf", Versions: []cloud.Version{
		{At: marchDay(1), Text: "%PDF-1.4 one"}, {At: marchDay(10), Text: "%PDF-1.4 the second"}, {At: marchDay(20), Text: "%PDF-1.4 third and last"},
	}})
	o.mail = filepath.Join(o.dir, "mail.eml")
	text := "From: eve@stranger.example\r\nTo: ann@contoso.example\r\nMessage-ID: <a@b>\r\nDate: Thu, 12 Mar 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nThe report: <" + officeLink + ">\r\n"
	writeText(t, o.mail, text)
	o.maildir = filepath.Join(o.dir, "Maildir")
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(o.maildir, sub), 0o700))
	}
	writeText(t, filepath.Join(o.maildir, "cur", "1:2,S"), text)
	o.mark = filepath.Join(o.dir, "mark")
	writeText(t, filepath.Join(o.dir, "extbody", "config.toml"), fmt.Sprintf(`
[account.work]
provider      = "graph"
user          = "ann@contoso.example"
hosts         = ["contoso.sharepoint.com", "contoso-my.sharepoint.com", "files.contoso.example"]
token-command = "echo run >> '%s'; echo %s"
first         = true
cloud         = "%s/v1.0"
`, o.mark, cloud.Good, o.API.URL))
	roots := filepath.Join(o.dir, "roots.pem")
	writeText(t, roots, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: o.API.Certificate().Raw})))
	proxy, strangers := inside(t)
	o.strangers = strangers
	o.flags = []string{"--allow-net", "127.0.0.0/8", "--proxy", proxy, "--trust-proxy"}
	for _, text := range []string{o.API.URL, o.Octets.URL} {
		u, err := url.Parse(text)
		must(t, err)
		o.flags = append(o.flags, "--allow-port", u.Port())
	}
	t.Setenv("XDG_CONFIG_HOME", o.dir)
	t.Setenv("SSL_CERT_FILE", roots)
	t.Setenv("HOME", o.dir)
	return o
}

// inside returns the URL of a proxy that leads to servers of this machine alone, and counts the questions for others. So
// no test asks a host of the internet.
func inside(t *testing.T) (string, *atomic.Int64) {
	others := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if r.Method != http.MethodConnect || err != nil || host != "127.0.0.1" {
			others.Add(1)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		server, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer server.Close()
		w.WriteHeader(http.StatusOK)
		client, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		go func() {
			io.Copy(server, buffered)
			server.Close()
		}()
		io.Copy(client, server)
	}))
	t.Cleanup(s.Close)
	return s.URL, others
}

// ref returns the id of the reference in the mail.
func (o *office) ref() string {
	o.t.Helper()
	_, out := o.run("", "list", "--json", o.mail)
	var line struct{ Ref string }
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&line); err != nil || line.Ref == "" {
		o.t.Fatalf("got %s, %v; want a reference", out, err)
	}
	return line.Ref
}

// run runs the program on standard input, and returns its status and its output.
func (o *office) run(in string, args ...string) (int, string) {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), executable(o.t), args...)
	cmd.Dir = o.dir
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		o.t.Fatal(err)
	}
	text := string(out)
	for _, secret := range []string{cloud.Secret, cloud.Good} {
		if strings.Contains(text, secret) {
			o.t.Errorf("%q: got %s, want it without the token and the URL of the octets", args, text)
		}
	}
	return cmd.ProcessState.ExitCode(), text
}

// used reports whether the token-command ran since the last call.
func (o *office) used() bool {
	_, err := os.Stat(o.mark)
	os.Remove(o.mark)
	return err == nil
}

// OP-55: a person gets the file behind the login, by its name, and is shown the account before.
func TestAccounts(t *testing.T) {
	o := newOffice(t)
	if status, out := o.run("", "list", "--json", o.mail); status != 0 || !strings.Contains(out, `"account":"work"`) {
		t.Errorf("got %d, %s; want the account", status, out)
	}
	status, out := o.run("", append([]string{"get", "--dry-run", o.mail}, o.flags...)...)
	words := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"a file from contoso.sharepoint.com, asked at 127.0.0.1:", " as ann@contoso.example (work); its owner can see that"} {
		if status != 0 || !strings.Contains(words, want) {
			t.Errorf("got %d, %s; want %q", status, words, want)
		}
	}
	if o.used() {
		t.Error("got a token for a list and a plan, want none")
	}
	dir := filepath.Join(o.dir, "out")
	status, out = o.run("", append([]string{"get", "--json", "-o", dir, o.mail}, o.flags...)...)
	if got, err := os.ReadFile(filepath.Join(dir, "report.pdf")); status != 0 || err != nil || string(got) != "%PDF-1.4 third and last" {
		t.Errorf("got %d, %q, %v, %s; want the file under its name", status, got, err, out)
	}
	var record struct {
		Capture string `json:"capture"`
		Object  struct {
			Account string `json:"account"`
			Name    string `json:"name"`
		} `json:"object"`
	}
	line, _, _ := strings.Cut(out[strings.Index(out, "{"):], "\n")
	if err := json.Unmarshal([]byte(line), &record); err != nil || record.Capture != "current" || record.Object.Account != "work" || record.Object.Name != "report.pdf" {
		t.Errorf("got %s, %v; want the object", line, err)
	}
	if !o.used() {
		t.Error("got the file without a token, want one")
	}
	if status, out := o.run("", "accounts"); status != 0 || !strings.Contains(out, "work") || !strings.Contains(out, "contoso.sharepoint.com") {
		t.Errorf("got %d, %s; want the account", status, out)
	}
	status, out = o.run("", append([]string{"accounts", "check", "work", officeLink}, o.flags...)...)
	for _, want := range []string{
		"token    the command printed one of 10 characters\n",
		"API      127.0.0.1:", " has report.pdf, 23 octets, changed 2026-03-20 12:00:00Z\n",
		"octets   23 came, graph quickxor match\n",
		"history  the version before, 2.0, was made 2026-03-10 12:00:00Z and in force until 2026-03-20 12:00:00Z\n",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("got %d, %s; want %q", status, out, want)
		}
	}
	t.Logf("extbody accounts check work LINK\n%s", out)
	o.Change(func() { o.Links[officeLink].Deny = "accessDenied" })
	if status, out := o.run("", append([]string{"accounts", "check", "work", officeLink}, o.flags...)...); status != 3 || !strings.Contains(out, "API      failed: ") || !strings.Contains(out, "not approved") {
		t.Errorf("got %d, %s; want the reason and what may help", status, out)
	}
	o.used()
	if status, out := o.run("", append([]string{"accounts", "check", "work", strings.Replace(officeLink, "contoso", "stranger", 1)}, o.flags...)...); status != 2 || !strings.Contains(out, "the hosts of the account") {
		t.Errorf("got %d, %s; want a mistake for a host of nobody", status, out)
	}
	if o.used() {
		t.Error("got a token for a link of another host, want none")
	}
	if m := o.Misuses(); len(m) > 0 {
		t.Errorf("got %q, want none of it", m)
	}
}

const vanityLink = "https://files.contoso.example/:b:/s/team/EabcdefghijklmnopqrsT"

// vanity gives the mail a link at a host that the organisation has for SharePoint. It returns the function that names the
// host in the settings.
func (o *office) vanity() func() {
	o.Links[vanityLink] = o.Links[officeLink]
	writeText(o.t, o.mail, strings.ReplaceAll(readText(o.t, o.mail), officeLink, vanityLink))
	return func() {
		config := filepath.Join(o.dir, "extbody", "config.toml")
		writeText(o.t, config, "share-host = [\"sharepoint=files.contoso.example\"]\n"+readText(o.t, config))
	}
}

// nameVanity is vanity with the host named.
func (o *office) nameVanity() { o.vanity()() }

// OP-55: a link to SharePoint at a host of an organisation is one if the host is named, and is asked for with the account.
func TestAccountVanity(t *testing.T) {
	o := newOffice(t)
	nameInSettings := o.vanity()
	const link = vanityLink
	if _, out := o.run("", "list", "--json", o.mail); strings.Contains(out, link[:20]) {
		t.Errorf("got %s, want no reference to a host that was not named", out)
	}
	named := []string{"--share-host", "sharepoint=files.contoso.example"}
	if _, out := o.run("", append([]string{"list", "--json", o.mail}, named...)...); !strings.Contains(out, `"provider":"sharepoint","account":"work"`) {
		t.Errorf("got %s, want the provider and the account", out)
	}
	dir := filepath.Join(o.dir, "out")
	nameInSettings()
	status, out := o.run("", append([]string{"get", "-o", dir, o.mail}, o.flags...)...)
	if got, err := os.ReadFile(filepath.Join(dir, "report.pdf")); status != 0 || err != nil || string(got) != "%PDF-1.4 third and last" {
		t.Errorf("got %d, %q, %v, %s; want the file", status, got, err, out)
	}
	writeText(t, filepath.Join(o.maildir, "cur", "1:2,S"), readText(t, o.mail))
	archive := filepath.Join(o.dir, "archive")
	status, out = o.run("", append([]string{"archive", "sync", "--resolve", "all", "--to", archive, o.maildir}, o.flags...)...)
	if status != 0 || !strings.Contains(out, "1 reference; 1 captured") || !o.used() {
		t.Errorf("archive: got %d, %s; want the file captured", status, out)
	}
	// check reads no settings: it sees no share link, and with the flag one for which there is no login.
	if status, out := o.run("", append([]string{"check", "--json", o.mail}, o.flags...)...); status != 0 || strings.Contains(out, "files.contoso.example") {
		t.Errorf("check: got %d, %s; want no reference", status, out)
	}
	if status, out := o.run("", slices.Concat([]string{"check", "--json", o.mail}, named, o.flags)...); status == 0 || !strings.Contains(out, `"state":"failed"`) {
		t.Errorf("check with --share-host: got %d, %s; want a reference that cannot be had", status, out)
	}
	if o.used() {
		t.Error("check used the account, want it unused")
	}
}

// OP-56: an archive has the version that was in force when the mail arrived, and records
// that.
func TestAccountArchive(t *testing.T) {
	o := newOffice(t)
	received := "Received: from a.example by b.example; Thu, 12 Mar 2026 12:00:01 +0000\r\n"
	writeText(t, filepath.Join(o.maildir, "cur", "1:2,S"), received+readText(t, o.mail))
	archive := filepath.Join(o.dir, "archive")
	if status, out := o.run("", append([]string{"archive", "sync", "--resolve", "all", "--to", archive, o.maildir}, o.flags...)...); status != 0 {
		t.Errorf("got %d, %s; want the file captured", status, out)
	}
	_, out := o.run("", "archive", "search", archive, "--json", "from=eve@stranger.example")
	var found struct{ State, Label, SHA256 string }
	if err := json.Unmarshal([]byte(out), &found); err != nil || found.Label != "version" {
		t.Fatalf("got %s, %v; want the version", out, err)
	}
	object := filepath.Join(archive, "objects", found.SHA256[:2], found.SHA256[2:4], found.SHA256)
	if got := readText(t, object); got != "%PDF-1.4 the second" {
		t.Errorf("got %q, want the version of 10 March", got)
	}
	page := filepath.Join(o.dir, "report.html")
	o.run("", "archive", "report", archive, "-o", page)
	if want := "Of 1 linked files, 100 % are captured in the version of the mail"; !strings.Contains(readText(t, page), want) {
		t.Errorf("got a report without %q", want)
	}
}

// OP-55: the commands that a person starts for a file use an account, and no other command does, with the same
// settings, mail and link. A mail of a stranger with a link to an internal file gives that file to no other
// person.
func TestWhoMayUseAccounts(t *testing.T) {
	o := newOffice(t)
	mail := readText(t, o.mail)
	out := filepath.Join(o.dir, "out")
	archive := filepath.Join(o.dir, "archive")
	network := o.flags
	for _, tt := range []struct {
		name    string
		in      string
		args    []string
		may     bool
		mistake bool // the command line is refused
	}{
		{name: "get", args: append([]string{"get", "-o", out, o.mail}, network...), may: true},
		{name: "inline with --account", in: mail, args: append([]string{"inline", "--dialects", "all", "--account", "work"}, network...), may: true},

		{name: "get with --no-config", args: append([]string{"get", "--no-config", "-o", out, o.mail}, network...)},
		{name: "get with --dry-run", args: append([]string{"get", "--dry-run", o.mail}, network...)},
		{name: "get with --offline", args: append([]string{"get", "--offline", "--cache", filepath.Join(o.dir, "cache"), "-o", out + "2", o.mail}, network...)},
		{name: "list", args: []string{"list", "--json", o.mail}},
		{name: "inline", in: mail, args: append([]string{"inline", "--dialects", "all"}, network...)},
		{name: "inline of a file", args: append([]string{"inline", "--dialects", "all", "-o", filepath.Join(o.dir, "inlined.eml"), o.mail}, network...)},
		{name: "inline with --watch and --account", args: append([]string{"inline", "--dialects", "all", "--account", "work", "--watch", o.maildir}, network...), mistake: true},
		{name: "check", args: append([]string{"check", o.mail}, network...)},
		{name: "archive sync without --resolve", args: append([]string{"archive", "sync", "--to", archive, o.maildir}, network...)},
		{name: "archive sync with --no-config", args: append([]string{"archive", "sync", "--no-config", "--resolve", "all", "--to", archive + "2", o.maildir}, network...)},
		{name: "archive status", args: []string{"archive", "status", archive}},
		{name: "archive due", args: []string{"archive", "due", archive}},
		{name: "archive verify", args: []string{"archive", "verify", archive}},
		{name: "archive report", args: []string{"archive", "report", archive, "-o", filepath.Join(o.dir, "report.html")}},
		{name: "archive search", args: []string{"archive", "search", archive, "from=eve@stranger.example"}},
		{name: "archive export", args: []string{"archive", "export", archive, "--as", "load", "-o", filepath.Join(o.dir, "load")}},
		{name: "archive sync", args: append([]string{"archive", "sync", "--resolve", "all", "--to", archive, o.maildir}, network...), may: true},
		{name: "archive sync again", args: append([]string{"archive", "sync", "--resolve", "all", "--to", archive, o.maildir}, network...)},
		{name: "archive retry", args: append([]string{"archive", "retry", archive}, network...), may: true},
		{name: "externalize", in: mail, args: []string{"externalize", "--store", filepath.Join(o.dir, "store"), "--base-url", "https://files.example/", "--min-size", "1"}},
		{name: "normalize", in: mail, args: []string{"normalize"}},
		{name: "hosts", args: []string{"hosts", officeLink}},
		{name: "config", args: []string{"config"}},
		{name: "accounts", args: []string{"accounts"}},
	} {
		status, text := o.run(tt.in, tt.args...)
		if isMistake := status == exit.Usage; isMistake != tt.mistake {
			t.Errorf("%s: got status %d, want a mistake: %v\n%s", tt.name, status, tt.mistake, text)
		}
		if got := o.used(); got != tt.may {
			t.Errorf("%s: got the account used: %v, with status %d, want %v\n%s", tt.name, got, status, tt.may, text)
		}
		os.RemoveAll(out)
	}
	if o.strangers.Load() == 0 {
		t.Error("got no question for the host of the link without the account, want some")
	}
	if m := o.Misuses(); len(m) > 0 {
		t.Errorf("got %q, want none of it", m)
	}
}
