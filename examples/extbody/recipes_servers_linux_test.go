//go:build !race

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/smtp"
	"net/textproto"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// TestPostfix runs the recipe for Postfix, with the services that Debian installs and
// the limits that Postfix has without settings.
func TestPostfix(t *testing.T) {
	t.Parallel()
	s, addr := startPostfix(t)
	deliver := func(l posted) error { return overSMTP(addr, l) }
	list := s.letters()
	deliverAll(t, list, deliver)
	s.settle(t, len(list))
	// always_bcc adds a recipient, who has one copy, too.
	check(t, arrived(t, s.path("mail/bob")), list)
	check(t, arrived(t, s.path("mail/archive")), list)

	// A message that the filter cannot rewrite is tried again.
	s.write(t, "broken", 0o644, "")
	l := s.again()
	deliverAll(t, []posted{l}, deliver)
	await(t, "a deferred message", func() bool { return s.queued(t, "deferred") == 1 })
	os.Remove(s.broken)
	s.postfix(t, "flush")
	list = append(list, l)
	s.settle(t, len(list))
	check(t, arrived(t, s.path("mail/bob")), list)
	check(t, arrived(t, s.path("mail/archive")), list)

	// 40 references that hang hold up no mail but theirs.
	var hanging []posted
	for i := range 40 {
		h := s.letter("good")
		name := "hang" + strconv.Itoa(i)
		h.text = strings.ReplaceAll(strings.Replace(h.text, "/good", "/hang", 1), "good", name)
		h.name, h.want, h.not = name, "", "\x00" // or its reference, if the machine is slow
		hanging = append(hanging, h)
	}
	deliverAll(t, hanging, deliver)
	<-s.asked
	plain := s.letter("bare")
	plain.name, plain.text = "plain", strings.ReplaceAll(plain.text, "bare", "plain")
	list = append(list, plain)
	before := len(arrived(t, s.path("mail/bob")))
	deliverAll(t, []posted{plain}, deliver)
	await(t, "mail without a reference", func() bool { return len(arrived(t, s.path("mail/bob"))["plain"]) == 1 })
	if n := len(arrived(t, s.path("mail/bob"))); n >= before+len(hanging) {
		t.Errorf("got %d messages before it, want fewer than %d: nothing was held up", n-before, len(hanging))
	}
	s.release()
	list = append(list, hanging...)
	s.settle(t, len(list))
	check(t, arrived(t, s.path("mail/bob")), list)
	check(t, arrived(t, s.path("mail/archive")), list)

	// A bounce would be here.
	check(t, arrived(t, s.path("mail/ann")), nil)
}

// startPostfix starts a Postfix with folders of its own, and returns where it takes mail.
func startPostfix(t *testing.T) (s *site, addr string) {
	t.Helper()
	postfix, sendmail := installed(t, "postfix"), installed(t, "sendmail")
	if os.Getuid() != 0 {
		t.Skip("postfix needs root")
	}
	const services = "/usr/share/postfix/master.cf.dist"
	owner, err := user.Lookup("postfix")
	if err != nil {
		t.Skip(err)
	}
	if _, err := os.Stat(services); err != nil {
		t.Skipf("Debian's postfix is not installed: %v", err)
	}
	s = newSite(t)
	local := strings.NewReplacer("/usr/local/bin/extbody", s.program, "/usr/sbin/sendmail", sendmail,
		"/usr/local/libexec/extbody-filter", s.path("bin/extbody-filter"), "/etc/postfix/extbody_checks", s.path("extbody_checks"),
		"user=extbody", "user=nobody")
	for _, dir := range []string{"queue", "data", "log", "sbin"} {
		s.mkdir(t, dir)
	}
	id, _ := strconv.Atoi(owner.Uid)
	must(t, os.Chown(s.path("data"), id, -1))
	// The programs of Postfix that users run go by the settings of the system alone where
	// they have more rights than the user. Ours have none.
	programs, err := filepath.Glob(filepath.Join(filepath.Dir(postfix), "post*"))
	must(t, err)
	for _, path := range programs {
		copyFile(t, s.path("sbin/"+filepath.Base(path)), path)
	}
	s.write(t, "bin/extbody-filter", 0o755, local.Replace(recipe(t, "/usr/local/libexec/extbody-filter")))
	s.write(t, "extbody_checks", 0o644, local.Replace(recipe(t, "/etc/postfix/extbody_checks")))
	s.write(t, "users", 0o644, "ann@sender.example ann/\nbob@example.com bob/\narchive@example.com archive/\n")
	addr = testkit.FreeAddr(t)
	s.write(t, "main.cf", 0o644, fmt.Sprintf(`compatibility_level = 3.6
queue_directory = %[1]s/queue
data_directory = %[1]s/data
command_directory = %[1]s/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = %[1]s/log/maillog
maillog_file_prefixes = %[1]s
myhostname = mail.example.com
mydestination =
alias_maps =
virtual_mailbox_domains = example.com, sender.example
virtual_mailbox_maps = texthash:%[1]s/users
virtual_mailbox_base = %[1]s/mail
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
always_bcc = archive@example.com
`, s.dir))
	stock := readText(t, services)
	master := local.Replace(withServices(stock, recipe(t, "/etc/postfix/master.cf")))
	s.write(t, "master.cf", 0o644, strings.Replace(master, "\nsmtp      inet", "\n"+addr+" inet", 1))
	// A folder that the services are locked into has copies of the system's files, which the
	// installation makes.
	s.run(t, installed(t, "postconf"), "-c", s.dir, "-F", "*/*/chroot=n")
	s.showLog(t, "log/maillog")
	s.postfix(t, "start")
	t.Cleanup(func() { s.postfix(t, "stop") })
	for name, mode := range map[string]fs.FileMode{"queue/maildrop": 0o777, "queue/public": 0o755} {
		must(t, os.Chmod(s.path(name), mode))
	}
	awaitListener(t, "tcp", addr)
	return s, addr
}

// withServices puts the entries of a recipe into master.cf, instead of the entries
// of the same name and type.
func withServices(master, recipe string) string {
	entry := func(line string) string {
		f := strings.Fields(line)
		if len(f) < 2 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, " ") {
			return ""
		}
		return f[0] + "/" + f[1]
	}
	replaced := make(map[string]bool)
	for line := range strings.Lines(recipe) {
		if e := entry(line); e != "" {
			replaced[e] = true
		}
	}
	var out strings.Builder
	keep := true
	for line := range strings.Lines(master) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			keep = !replaced[entry(line)]
		}
		if keep {
			out.WriteString(line)
		}
	}
	return out.String() + recipe
}

// postfix runs a command of the Postfix of the site.
func (s *site) postfix(t *testing.T, command string) {
	t.Helper()
	s.run(t, s.path("sbin/postfix"), "-c", s.dir, command)
}

// queued returns how many messages are in a queue.
func (s *site) queued(t *testing.T, queue string) (n int) {
	t.Helper()
	err := filepath.WalkDir(s.path("queue/"+queue), func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	must(t, err)
	return n
}

// settle waits until that many messages have come and nothing is under way.
func (s *site) settle(t *testing.T, n int) {
	t.Helper()
	await(t, fmt.Sprintf("%d messages", n), func() bool {
		for _, queue := range []string{"maildrop", "incoming", "active", "deferred"} {
			if s.queued(t, queue) > 0 {
				return false
			}
		}
		return len(arrived(t, s.path("mail/bob"))) >= n
	})
}

// overSMTP hands a message to a server.
func overSMTP(addr string, l posted) error {
	return smtp.SendMail(addr, nil, "ann@sender.example", []string{"bob@example.com"}, []byte(strings.ReplaceAll(l.text, "\n", "\r\n")))
}

// TestSieve runs the recipe for Sieve in Dovecot's LMTP server, on the settings that
// Debian installs.
func TestSieve(t *testing.T) {
	t.Parallel()
	s, addr := startLMTP(t, "")
	deliver := func(l posted) error { return overLMTP(addr, "bob", l) }
	list := s.letters()
	deliverAll(t, list, deliver)
	check(t, arrived(t, s.path("mail")), list)

	s.write(t, "broken", 0o644, "")
	l := s.again().left()
	deliverAll(t, []posted{l}, deliver)
	check(t, arrived(t, s.path("mail")), append(list, l))
}

// TestSieveQuota checks the claim of FILTER.md about quotas: the body would cost the
// message, and with --max-message below the grace of the quota it does not.
func TestSieveQuota(t *testing.T) {
	t.Parallel()
	s, addr := startLMTP(t, `
mail_plugins = $mail_plugins quota
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=8M
}
`)
	deliver := func(l posted) error { return overLMTP(addr, "bob", l) }
	large, line := s.letter("large"), strings.Repeat("x", 75)+"\n"
	full := s.letter("bare")
	full.name, full.text = "full", strings.ReplaceAll(full.text, "bare", "full")+strings.Repeat(line, 6_000_000/len(line))
	deliverAll(t, []posted{full}, deliver)
	if err := deliver(large); err == nil || !strings.Contains(err.Error(), "Quota exceeded") {
		t.Errorf("with the body: got %v, want that it is refused", err)
	}
	wrapper := strings.ReplaceAll(recipe(t, "/usr/lib/dovecot/sieve-filter/inline"), "/usr/local/bin/extbody", s.program)
	s.write(t, "filters/inline", 0o755, strings.TrimRight(wrapper, "\n")+" --max-message 800KB\n")
	large.want, large.not, large.size = marker, bodyBase64, 0
	deliverAll(t, []posted{large}, deliver)
	check(t, arrived(t, s.path("mail")), []posted{full, large})
}

// startLMTP starts a Dovecot with folders of its own, and returns where it takes mail.
func startLMTP(t *testing.T, settings string) (s *site, addr string) {
	t.Helper()
	dovecot, sievec := installed(t, "dovecot"), installed(t, "sievec")
	if os.Getuid() != 0 {
		t.Skip("dovecot's LMTP server needs root")
	}
	if version, _ := exec.Command(dovecot, "--version").Output(); !strings.HasPrefix(string(version), "2.3.") {
		t.Skipf("the recipe is for Dovecot 2.3, and this is %s", version)
	}
	const stock = "/usr/share/dovecot/"
	for _, name := range []string{stock + "dovecot.conf", stock + "protocols.d/lmtpd.protocol", "/usr/lib/dovecot/modules/sieve/lib90_sieve_extprograms_plugin.so"} {
		if _, err := os.Stat(name); err != nil {
			t.Skipf("Debian's dovecot-lmtpd and dovecot-sieve are not installed: %v", err)
		}
	}
	s = newSite(t)
	local := strings.NewReplacer("/usr/local/bin/extbody", s.program,
		"/usr/lib/dovecot/sieve-filter", s.path("filters"), "/etc/dovecot/sieve", s.path("sieve"))
	for _, dir := range []string{"filters", "sieve", "state"} {
		s.mkdir(t, dir)
	}
	s.run(t, "cp", "-r", stock+"dovecot.conf", stock+"conf.d", s.dir)
	s.write(t, "conf.d/98-site.conf", 0o644, settings)
	s.write(t, "conf.d/99-extbody.conf", 0o644, local.Replace(recipe(t, "/etc/dovecot/conf.d/99-extbody.conf")))
	s.write(t, "filters/inline", 0o755, local.Replace(recipe(t, "/usr/lib/dovecot/sieve-filter/inline")))
	s.write(t, "sieve/inline.sieve", 0o644, local.Replace(recipe(t, "/etc/dovecot/sieve/inline.sieve")))
	addr = testkit.FreeAddr(t)
	host, port, _ := net.SplitHostPort(addr)
	s.write(t, "local.conf", 0o644, fmt.Sprintf(`
protocols = lmtp
base_dir = %[1]s/state
state_dir = %[1]s/state
log_path = %[1]s/log
ssl = no
mail_location = maildir:%[1]s/mail/%%u
mail_home = %[1]s/mail/home/%%u
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=65534 gid=65534 allow_all_users=yes
}
first_valid_uid = 1
service lmtp {
  inet_listener lmtp {
    address = %[2]s
    port = %[3]s
  }
}
`, s.dir, host, port))
	s.run(t, sievec, "-c", s.path("dovecot.conf"), s.path("sieve/inline.sieve"))
	s.showLog(t, "log")
	s.start(t, dovecot, "-F", "-c", s.path("dovecot.conf"))
	awaitListener(t, "tcp", addr)
	return s, addr
}

// overLMTP delivers a message to a server (RFC 2033).
func overLMTP(addr, to string, l posted) error {
	conn, err := textproto.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, _, err := conn.ReadResponse(220); err != nil {
		return err
	}
	for _, step := range []struct {
		command string
		code    int
	}{
		{"LHLO sender.example", 250},
		{"MAIL FROM:<ann@sender.example>", 250},
		{"RCPT TO:<" + to + ">", 250},
		{"DATA", 354},
	} {
		if err := conn.PrintfLine("%s", step.command); err != nil {
			return err
		}
		if _, _, err := conn.ReadResponse(step.code); err != nil {
			return fmt.Errorf("%s: %w", step.command, err)
		}
	}
	w := conn.DotWriter()
	if _, err := w.Write([]byte(l.text)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_, _, err = conn.ReadResponse(250)
	return err
}

// TestNginx serves a store as FILTER.md has it: the bodies, with and without a name, as
// files that no browser shows, and nothing else.
func TestNginx(t *testing.T) {
	t.Parallel()
	nginx := installed(t, "nginx")
	s := newSite(t)
	const body = "<script>alert(1)</script>"
	digest := "ab/cd/" + "abcd" + strings.Repeat("0", 60)
	s.mkdir(t, "store/ab/cd")
	s.write(t, "store/"+digest, 0o644, body)
	s.write(t, "store/.extbody-key", 0o644, "secret") // no mode keeps it from the server
	addr := testkit.FreeAddr(t)
	server := strings.NewReplacer("listen 443 ssl;", "listen "+addr+";", "/srv/mail-parts/", s.path("store")+"/").
		Replace(recipe(t, "/etc/nginx/conf.d/mail-parts.conf"))
	s.write(t, "nginx.conf", 0o644, "daemon off;\nmaster_process off;\npid "+s.path("pid")+";\nerror_log "+s.path("log")+";\nevents { }\nhttp {\naccess_log off;\n"+
		"client_body_temp_path "+s.path("body")+";\nproxy_temp_path "+s.path("proxy")+";\nfastcgi_temp_path "+s.path("fastcgi")+";\n"+
		"uwsgi_temp_path "+s.path("uwsgi")+";\nscgi_temp_path "+s.path("scgi")+";\n"+server+"}\n")
	s.showLog(t, "log")
	s.start(t, nginx, "-p", s.dir, "-e", s.path("log"), "-c", s.path("nginx.conf"))
	awaitListener(t, "tcp", addr)
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/mail/" + digest, http.StatusOK},
		{"/mail/" + digest + "/report.html", http.StatusOK},
		{"/mail/" + digest + "/.htaccess", http.StatusOK},
		{"/mail/.extbody-key", http.StatusNotFound},
		{"/mail/%2eextbody-key", http.StatusNotFound},
		{"/mail//.extbody-key", http.StatusNotFound},
		{"/mail/ab/../.extbody-key", http.StatusNotFound},
		{"/mail/", http.StatusForbidden},
		{"/mail/ab/cd/", http.StatusForbidden},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+tt.path, nil)
		must(t, err)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Errorf("%s: got error %v, want none", tt.path, err)
			continue
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != tt.want {
			t.Errorf("%s: got status %d, %v, want %d", tt.path, res.StatusCode, err, tt.want)
		}
		if tt.want != http.StatusOK {
			continue
		}
		if string(got) != body {
			t.Errorf("%s: got %q, want %q", tt.path, got, body)
		}
		for field, want := range map[string]string{"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"} {
			if v := res.Header.Get(field); v != want {
				t.Errorf("%s: got %s %q, want %q", tt.path, field, v, want)
			}
		}
	}
}

// TestSweep removes old bodies from a store, as in FILTER.md, and leaves its key.
func TestSweep(t *testing.T) {
	command := blocks(t, "FILTER.md", "sh", "find /srv/mail-parts ")[0]
	dir := t.TempDir()
	old := time.Now().AddDate(0, 0, -99)
	for name, at := range map[string]time.Time{".extbody-key": old, "ab/cd/old": old, "ab/cd/new": time.Now()} {
		path := filepath.Join(dir, name)
		writeText(t, path, "x")
		must(t, os.Chtimes(path, at, at))
	}
	(&site{dir: dir}).run(t, "sh", "-c", strings.Replace(command, "/srv/mail-parts", ".", 1))
	got := tree(t, dir)
	for name, want := range map[string]bool{".extbody-key": true, "ab/cd/old": false, "ab/cd/new": true} {
		if _, there := got[name]; there != want {
			t.Errorf("%s: there is %v, want %v", name, there, want)
		}
	}
}
