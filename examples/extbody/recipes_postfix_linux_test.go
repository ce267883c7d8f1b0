//go:build !race

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/smtp"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
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

	// What the filter cannot do is tried again.
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
	if err := os.Chown(s.path("data"), id, -1); err != nil {
		t.Fatal(err)
	}
	// The programs of Postfix that users run go by the settings of the system alone where
	// they have more rights than the user. Ours have none.
	programs, err := filepath.Glob(filepath.Join(filepath.Dir(postfix), "post*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range programs {
		copyFile(t, s.path("sbin/"+filepath.Base(path)), path)
	}
	s.write(t, "bin/extbody-filter", 0o755, local.Replace(recipe(t, "/usr/local/libexec/extbody-filter")))
	s.write(t, "extbody_checks", 0o644, local.Replace(recipe(t, "/etc/postfix/extbody_checks")))
	s.write(t, "users", 0o644, "ann@sender.example ann/\nbob@example.com bob/\narchive@example.com archive/\n")
	addr = silentAddr(t)
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
	stock, err := os.ReadFile(services)
	if err != nil {
		t.Fatal(err)
	}
	master := local.Replace(withServices(string(stock), recipe(t, "/etc/postfix/master.cf")))
	s.write(t, "master.cf", 0o644, strings.Replace(master, "\nsmtp      inet", "\n"+addr+" inet", 1))
	// A folder that the services are locked into has copies of the system's files, which the
	// installation makes.
	s.run(t, installed(t, "postconf"), "-c", s.dir, "-F", "*/*/chroot=n")
	s.showLog(t, "log/maillog")
	s.postfix(t, "start")
	t.Cleanup(func() { s.postfix(t, "stop") })
	for name, mode := range map[string]fs.FileMode{"queue/maildrop": 0o777, "queue/public": 0o755} {
		if err := os.Chmod(s.path(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "postfix", func() bool {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return s, addr
}

// withServices puts the entries of a recipe into master.cf, in the place of those of the
// same name and type.
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
	if err != nil {
		t.Fatal(err)
	}
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
