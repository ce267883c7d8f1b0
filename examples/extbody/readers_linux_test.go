package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// readerRecipe returns the block of READERS.md that starts with a text.
func readerRecipe(t *testing.T, beginning string) string {
	t.Helper()
	return blocks(t, "READERS.md", "[a-z]*", regexp.QuoteMeta(beginning))[0]
}

// A desk is the home of a user who reads mail with one of the readers of READERS.md. Her mail is in
// the Maildir Mail, and the program extbody may ask the server of the test.
type desk struct {
	*reader
	mail string // the path of the message that points at files

	// nudged is for a reader that draws a file that it has opened at the next event: the size
	// of the terminal changes again and again.
	nudged bool
}

// newDesk skips the test without the programs.
func newDesk(t *testing.T, programs ...string) *desk {
	installed(t, programs...)
	d := &desk{reader: newReader(t)}
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(d.home, "Mail", sub), 0o700))
	}
	d.mail = filepath.Join(d.home, "Mail", "cur", "1.a:2,S")
	head := func(hour int) string {
		return fmt.Sprintf("From: Ann <ann@example.com>\nTo: me@example.com\nSubject: The yearly report\nDate: Mon, 23 Nov 2026 %d:00:00 +0000\nMIME-Version: 1.0\n", hour)
	}
	// A query is the part of a URL that the recipes for a single part lose.
	writeText(t, d.mail, head(10)+strings.Replace(d.refs("yearly report.pdf", "/report.pdf?a=1&b=2"), "From: a@example.com\n", "", 1))
	writeText(t, filepath.Join(d.home, "Mail", "cur", "2.a:2,S"), head(11)+"Message-ID: <2@example.com>\n\nplain\n")
	program := filepath.Join(d.home, "bin", "extbody")
	writeText(t, program, fmt.Sprintf("#!/bin/sh\ncommand=$1; shift\ncase $command in open|get|inline) set -- %s \"$@\";; esac\nexec '%s' \"$command\" \"$@\"\n",
		strings.Join(d.flags, " "), executable(t)))
	must(t, os.Chmod(program, 0o700))
	d.env = append(d.env, "TERM=xterm-256color", "LANG=C.UTF-8", "LINES=24", "COLUMNS=80")
	d.env[1] = "PATH=" + filepath.Join(d.home, "bin") + ":/usr/bin:/bin:/usr/bin/mh"
	return d
}

// write writes a file of the home.
func (d *desk) write(name, text string) {
	d.t.Helper()
	writeText(d.t, filepath.Join(d.home, name), text)
}

// script writes a file that is a program.
func (d *desk) script(name, text string) {
	d.t.Helper()
	d.write(name, text)
	must(d.t, os.Chmod(filepath.Join(d.home, name), 0o700))
}

// at returns a command at the desk.
func (d *desk) at(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = d.env, d.home
	return cmd
}

// shell runs a line of READERS.md at the desk, and returns its output.
func (d *desk) shell(line string) string {
	d.t.Helper()
	out, err := d.at("sh", "-c", line).CombinedOutput()
	if err != nil {
		d.t.Fatalf("%s: got %v: %s", line, err, out)
	}
	return string(out)
}

// saved is where a file of the message is after it was opened.
func (d *desk) saved() string { return filepath.Join(d.home, "Geladen", "yearly report.pdf") }

// wantFile wants the file to have been opened, and the body to be in it.
func (d *desk) wantFile() {
	d.t.Helper()
	d.wantOpened(d.saved())
	if got := readText(d.t, d.saved()); got != "%PDF-1.7 report" || d.asked.Load() != 1 {
		d.t.Errorf("got %q by %d requests, want the body by one", got, d.asked.Load())
	}
}

// keys types keys into a reader in a terminal, after a text is on the screen for each.
func (d *desk) keys(cmd *exec.Cmd, textsAndKeys ...string) {
	d.t.Helper()
	cmd.Env, cmd.Dir = d.env, d.home
	p := startInTerminal(d.t, cmd)
	end := sync.OnceFunc(func() { p.end() })
	d.t.Cleanup(func() {
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		end()
	})
	// A reader that shows something else is ended, and the test shows its screen.
	hung := time.AfterFunc(15*time.Second, func() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	defer hung.Stop()
	if d.nudged {
		nudge := time.NewTicker(100 * time.Millisecond)
		defer nudge.Stop()
		var nudging sync.WaitGroup
		defer nudging.Wait()
		done := make(chan struct{})
		defer close(done)
		nudging.Go(func() {
			for rows := uint16(24); ; rows = 24 + 25 - rows {
				select {
				case <-nudge.C:
					unix.IoctlSetWinsize(int(p.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: 80})
				case <-done:
					return
				}
			}
		})
	}
	seen := ""
	for i := 0; i < len(textsAndKeys); i += 2 {
		seen = p.waitAfter(seen, textsAndKeys[i])
		fmt.Fprint(p, textsAndKeys[i+1])
	}
	ended := make(chan struct{})
	go func() { // so that it can write on
		end()
		close(ended)
	}()
	await(d.t, "file that is opened", func() bool {
		select {
		case <-ended:
			return true
		default:
			return d.opened() != ""
		}
	})
	if d.opened() == "" {
		d.t.Fatalf("got nothing opened, want the file: %q", &p.screen)
	}
	d.wantFile()
}

func TestReadersMutt(t *testing.T) {
	for _, name := range []string{"mutt", "neomutt"} {
		for _, list := range []bool{false, true} {
			t.Run(fmt.Sprint(name, "List", list), func(t *testing.T) {
				d := newDesk(t, name)
				d.write(".muttrc", "set folder=~/Mail spoolfile=~/Mail mbox_type=Maildir from=me@example.com sort=date pipe_decode\n"+
					readerRecipe(t, "# ~/.muttrc\n")+readerRecipe(t, "# ~/.muttrc, for the list of attachments\n"))
				steps := []string{"yearly report", "X", "[y/N/always] ", "y"}
				if list {
					steps = append([]string{"yearly report", "v", "message/external-b", "X"}, steps[2:]...)
				}
				d.keys(exec.Command(name, "-F", filepath.Join(d.home, ".muttrc"), "-e", "push <first-entry>"), steps...)
			})
		}
	}
}

// In mutt a line about mail without files stays until a key, and the options are as before.
func TestReadersMuttNone(t *testing.T) {
	for name, want := range map[string][]string{"mutt": {"wait_key is set", "pipe_decode is set"}, "neomutt": {`wait_key="yes"`, `pipe_decode="yes"`}} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, name)
			d.write(".muttrc", "set folder=~/Mail spoolfile=~/Mail mbox_type=Maildir from=me@example.com sort=date pipe_decode\n"+readerRecipe(t, "# ~/.muttrc\n"))
			cmd := d.at(name, "-F", filepath.Join(d.home, ".muttrc"), "-e", "push <last-entry>")
			p := startInTerminal(t, cmd)
			hung := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
			defer hung.Stop()
			seen := ""
			for _, step := range [][2]string{
				{"yearly report", "X"},
				{"The message points at no files.", ""},
				{"Press any key", " "},
				{"yearly report", ":set ?wait_key\r"},
				{want[0], ":set ?pipe_decode\r"},
				{want[1], ":exec exit\r"},
			} {
				seen = p.waitAfter(seen, step[0])
				fmt.Fprint(p, step[1])
			}
			p.end()
		})
	}
}

func TestReadersAerc(t *testing.T) {
	d := newDesk(t, "aerc")
	binds, err := os.ReadFile("/usr/share/aerc/binds.conf")
	if err != nil {
		t.Skip("no settings of aerc: ", err)
	}
	must(t, os.Remove(filepath.Join(d.home, "Mail", "cur", "2.a:2,S")))
	d.write(".config/aerc/binds.conf", string(binds)+"\n"+readerRecipe(t, "# ~/.config/aerc/binds.conf"))
	d.write(".config/aerc/accounts.conf", "[me]\nsource = maildir://"+d.home+"\ndefault = Mail\nfrom = me@example.com\n")
	must(t, os.Chmod(filepath.Join(d.home, ".config/aerc/accounts.conf"), 0o600))
	d.nudged = true
	d.keys(exec.Command("aerc"), "yearly", "\r", "message/external-body", "X", "[y/N/always]", "y")
}

// The tags are by a Message-ID, in which a stranger can write any text.
func TestReadersNotmuch(t *testing.T) {
	d := newDesk(t, "notmuch", "jq")
	d.write(".notmuch-config", "[database]\npath="+d.home+"/Mail\n[new]\ntags=unread;inbox;new\n[user]\nname=me\nprimary_email=me@example.com\n")
	d.script("Mail/.notmuch/hooks/post-new", readerRecipe(t, "#!/bin/sh\n# ~/Mail/.notmuch/hooks/post-new"))
	evil := strings.Replace(readText(t, d.mail), "<1@example.com>", `<x" or tag:inbox@example.com>`, 1)
	writeText(t, filepath.Join(d.home, "Mail", "cur", "3.a:2,S"), evil)
	d.shell("notmuch new")
	if got := d.shell("notmuch search --output=files tag:attachment and tag:extbody and not tag:new"); !strings.Contains(got, d.mail+"\n") || strings.Contains(got, "2.a:2,S") {
		t.Errorf("got %q tagged, want %s, and not the mail without files", got, d.mail)
	}
	if got := d.shell("notmuch count tag:new"); got != "0\n" {
		t.Errorf("got %s new mails, want none", got)
	}
	must(t, os.Remove(filepath.Join(d.home, "Mail", "cur", "3.a:2,S")))
	d.shell("notmuch new")
	commands := strings.Split(strings.TrimSpace(readerRecipe(t, "notmuch search tag:extbody")), "\n")
	if got := d.shell(commands[0]); !strings.Contains(got, "The yearly report") {
		t.Errorf("got %q, want the mail", got)
	}
	d.keys(exec.Command("sh", "-c", commands[1]), "[y/N/always] ", "y")
}

func TestReadersMu(t *testing.T) {
	d := newDesk(t, "mu")
	d.shell(`mu init --maildir="$HOME/Mail" && mu index`)
	d.keys(exec.Command("sh", "-c", strings.TrimSpace(readerRecipe(t, "extbody open \"$(mu find"))), "[y/N/always] ", "y")
}

func TestReadersNmh(t *testing.T) {
	installed(t, "sh")
	if _, err := os.Stat("/usr/bin/mh/mhstore"); err != nil {
		t.Skip("no nmh: ", err)
	}
	d := newDesk(t)
	d.write(".mh_profile", "Path: MH\n"+strings.SplitAfterN(readerRecipe(t, "# ~/.mh_profile"), "\n", 2)[1])
	d.script("bin/extbody-url", readerRecipe(t, "#!/bin/sh\n# ~/bin/extbody-url"))
	d.write("MH/inbox/1", readText(t, d.mail))
	check := func(dir string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(d.home, dir, "yearly report.pdf")); string(got) != "%PDF-1.7 report" {
			t.Errorf("%s: got %q, %v, want the body under its name", dir, got, err)
		}
	}
	d.shell("mkdir url inlined && cd url && mhstore 1 -auto")
	check("url")
	d.shell("cd inlined && mhpath cur && " + strings.TrimSpace(readerRecipe(t, "extbody inline --dialects all < \"$(mhpath cur)\"")))
	check("inlined")
	if got := d.shell("extbody inline < \"$(mhpath cur)\" | mhlist -file -"); !strings.Contains(got, "application/pdf") || strings.Contains(got, "external-body") {
		t.Errorf("got %q, want the file as a part", got)
	}
}

func TestReadersGnus(t *testing.T) {
	d := newDesk(t, "emacs")
	d.write(".gnus", readerRecipe(t, "; ~/.gnus\n"))
	d.write("run.el", `(require 'gnus-art)
(load "~/.gnus")
(with-temp-buffer
  (set-buffer-multibyte nil)
  (insert-file-contents-literally (getenv "MAIL_TO_READ"))
  (let* ((gnus-article-mime-handles nil) (part (nth 1 (mm-dissect-buffer t))))
    (mm-extern-cache-contents part)
    (mm-save-part-to-file part "saved")
    (princ (mm-handle-media-type (mm-handle-cache part)))))
`)
	emacs := func(answer, mail string) string {
		cmd := d.at("emacs", "--batch", "-Q", "-l", "run.el")
		cmd.Env = append(cmd.Env, "MAIL_TO_READ="+mail)
		cmd.Stdin = strings.NewReader(answer + "\n")
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if got := emacs("n", d.mail); d.asked.Load() != 0 || !strings.Contains(got, "It was not fetched") {
		t.Errorf("got %d requests, %q, want none", d.asked.Load(), got)
	}
	got := emacs("y", d.mail)
	if saved, err := os.ReadFile(filepath.Join(d.home, "saved")); string(saved) != "%PDF-1.7 report" || err != nil || d.asked.Load() != 1 {
		t.Errorf("got %q, %v, by %d requests, want the body: %s", saved, err, d.asked.Load(), got)
	}
	if !strings.Contains(got, "application/pdf") || !strings.Contains(got, "\"yearly report.pdf\" from 127.0.0.1") {
		t.Errorf("got %q, want the type, and the host in the question", got)
	}
	// Faults of Gnus: base64, a loopback that was not allowed, a local file.
	for _, tt := range []struct{ name, params, want string }{
		{"Data", `access-type=url; url="data:application/pdf;base64,JVBERi0xLjc="`, "%PDF-1.7"},
		{"Loopback", `access-type=url; url="http://127.0.0.77/x"`, ""},
		{"File", `access-type=local-file; name="` + d.mail + `"`, ""},
	} {
		os.Remove(filepath.Join(d.home, "saved"))
		path := filepath.Join(d.home, "other.eml")
		writeText(t, path, "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; "+tt.params+
			"\n\nContent-Type: application/pdf\nContent-ID: <a@b>\n\n--b--\n")
		out := emacs("y", path)
		if saved, _ := os.ReadFile(filepath.Join(d.home, "saved")); string(saved) != tt.want {
			t.Errorf("%s: got %q, want %q: %s", tt.name, saved, tt.want, out)
		}
	}
}

// Beside a reader that shows nothing the mail becomes whole, in a Maildir and in an mbox.
func TestReadersInline(t *testing.T) {
	d := newDesk(t)
	host := strings.TrimPrefix(d.base, "http://")
	must(t, os.Rename(filepath.Join(d.home, "Mail"), filepath.Join(d.home, "Maildir")))
	line := strings.TrimSpace(readerRecipe(t, "extbody inline --watch"))
	cmd := d.at("sh", "-c", "exec "+strings.ReplaceAll(line, "cloud.example", host))
	must(t, cmd.Start())
	path := filepath.Join(d.home, "Maildir", "cur", "1.a:2,S")
	await(t, "mail with its file", func() bool { return strings.Contains(readText(t, path), "%PDF-1.7 report") })
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	d.write("mail/inbox", box(d.base+"/note.txt"))
	d.shell(strings.ReplaceAll(strings.TrimSpace(readerRecipe(t, "extbody inline --in-place")), "cloud.example", host))
	if got := readText(t, filepath.Join(d.home, "mail/inbox")); !strings.Contains(got, "\nbm90ZQo=\n") || strings.Contains(got, "external-body") {
		t.Errorf("got %q, want the file in the mail", got)
	}
}

// The units are as systemd wants them, and their commands are ones that the program takes.
// READERS.md shows how the files of each provider can be had, as the program prints it.
func TestReadersProviders(t *testing.T) {
	out, err := exec.Command("extbody", "hosts", "--providers").CombinedOutput()
	must(t, err)
	if want := readerRecipe(t, "Fetched, "); string(out) != want {
		t.Errorf("got %s, want what READERS.md has: %s", out, want)
	}
}

func TestReadersUnits(t *testing.T) {
	installed(t, "systemd-analyze")
	paths, err := filepath.Glob("readers/*.*")
	if err != nil || len(paths) != 3 {
		t.Fatalf("got the units %q, %v, want 3", paths, err)
	}
	root := t.TempDir()
	place := filepath.Join(root, "etc/systemd/system")
	for _, target := range []string{"sysinit.target", "default.target", "timers.target", "basic.target"} {
		writeConf(t, filepath.Join(place, target), "[Unit]\n")
	}
	writeConf(t, filepath.Join(root, "usr/local/bin/extbody"), "#!/bin/sh\n")
	must(t, os.Chmod(filepath.Join(root, "usr/local/bin/extbody"), 0o755))
	args := []string{"verify", "--man=no", "--root=" + root}
	for _, path := range paths {
		unit := readText(t, path)
		writeConf(t, filepath.Join(place, filepath.Base(path)), unit)
		args = append(args, filepath.Base(path))
		if strings.HasSuffix(path, ".service") {
			takes(t, unitCommand(t, unit))
		}
	}
	analyze(t, args...)
}
