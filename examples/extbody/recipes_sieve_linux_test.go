//go:build !race

package main

import (
	"fmt"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

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

// TestSieveQuota holds what FILTER.md says of quotas: the body would cost the message, and
// with --max-message below the grace of the quota it does not.
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
	addr = silentAddr(t)
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
	await(t, "dovecot", func() bool {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
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
