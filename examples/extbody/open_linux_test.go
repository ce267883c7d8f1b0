package main

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// A reader is a person at a terminal, with a home and a desktop that notes the files
// that it is to open.
type reader struct {
	t     *testing.T
	home  string
	env   []string
	base  string // of the server that has the files
	flags []string
	asked atomic.Int64
}

func newReader(t *testing.T) *reader {
	r := &reader{t: t, home: t.TempDir()}
	files := map[string]string{
		"report.pdf": "%PDF-1.7 report", "slides.pdf": "%PDF-1.7 slides", "page.html": "<p>page", "evil.pdf": "MZ" + strings.Repeat("\x00", 80), "note.txt": "note\n",
	}
	types := map[string]string{".pdf": "application/pdf", ".html": "text/html", ".txt": "text/plain"}
	r.base, r.flags = serve(t, func(w http.ResponseWriter, q *http.Request) {
		r.asked.Add(1)
		name := filepath.Base(q.URL.Path)
		w.Header().Set("Content-Type", types[filepath.Ext(name)])
		if q.URL.Path == "/slow/report.pdf" {
			w.Header().Set("Content-Length", "1000000")
			io.WriteString(w, "%PDF-1.7 "+strings.Repeat("x", 300_000))
			w.(http.Flusher).Flush()
			<-q.Context().Done()
			return
		}
		io.WriteString(w, files[name])
	})
	bin := filepath.Join(r.home, "bin")
	writeText(t, filepath.Join(bin, "xdg-open"), "#!/bin/sh\nprintf '%s|' \"$@\" >>\"$HOME/opened\"\necho noise\n")
	writeText(t, filepath.Join(bin, "shower"), "#!/bin/sh\nprintf '%s|' \"$@\" >>\"$HOME/opened\"\necho shown\nread key\n")
	must(t, os.Chmod(filepath.Join(bin, "xdg-open"), 0o700))
	must(t, os.Chmod(filepath.Join(bin, "shower"), 0o700))
	writeText(t, filepath.Join(r.home, ".config", "user-dirs.dirs"), "XDG_DOWNLOAD_DIR=\"$HOME/Geladen\"\n")
	writeText(t, filepath.Join(r.home, ".mailcap"), "application/pdf; shower --page %s; needsterminal\n")
	r.env = []string{"HOME=" + r.home, "PATH=" + bin + ":/usr/bin:/bin", "DISPLAY=:99", "TMPDIR=" + t.TempDir()}
	return r
}

// refs returns a message with a reference to each of some paths on the server, which gives
// each file a name.
func (r *reader) refs(namesAndPaths ...string) string {
	mail := "From: a@example.com\nMessage-ID: <1@example.com>\nContent-Type: multipart/mixed; boundary=b\n\n"
	types := map[string]string{".pdf": "application/pdf", ".html": "text/html", ".txt": "text/plain"}
	for i := 0; i < len(namesAndPaths); i += 2 {
		name, path := namesAndPaths[i], namesAndPaths[i+1]
		mail += fmt.Sprintf("--b\nContent-Type: message/external-body; access-type=url; url=\"%s\"\n\nContent-Type: %s\nContent-Disposition: attachment; filename=\"%s\"\nContent-ID: <%d@b>\n\n",
			r.base+path, types[filepath.Ext(name)], name, i)
	}
	return mail + "--b--\n"
}

// open starts "extbody open" at the terminal, with a message on standard input.
func (r *reader) open(mail string, args ...string) *pty {
	r.t.Helper()
	cmd := r.command(args...)
	cmd.Stdin = strings.NewReader(mail)
	return startInTerminal(r.t, cmd)
}

func (r *reader) command(args ...string) *exec.Cmd {
	cmd := exec.Command(executable(r.t), append(append([]string{"open"}, r.flags...), args...)...)
	cmd.Env, cmd.Dir = r.env, r.home
	return cmd
}

// opened returns the arguments of the program that opens files, each with a "|" after it.
func (r *reader) opened() string {
	text, _ := os.ReadFile(filepath.Join(r.home, "opened"))
	return string(text)
}

func (r *reader) wantOpened(want ...string) {
	r.t.Helper()
	text := ""
	for _, w := range want {
		text += w + "|"
	}
	if got := r.opened(); got != text {
		r.t.Errorf("got %q opened, want %q", got, text)
	}
}

// In a mail program two keys open a file: one for the macro, and one for the answer. It gets
// the name that the message gives it, and goes to the program as one argument.
func TestOpen(t *testing.T) {
	r := newReader(t)
	p := r.open(r.refs("yearly report;$(touch x).pdf", "/report.pdf"))
	question := p.wait("[y/N/always] ")
	if n := strings.Count(question, "\n"); n != 2 {
		t.Errorf("got %d lines before the cursor, want the list and a question of two: %q", n, question)
	}
	for _, want := range []string{"1  yearly report;$(touch x).pdf  -  PDF  127.0.0.1:", ", not encrypted; it learns your address, and that you read this now. Open? "} {
		if !strings.Contains(strings.ReplaceAll(question, "\r\n", " "), want) {
			t.Errorf("got %q, want %q in it", question, want)
		}
	}
	if r.asked.Load() != 0 {
		t.Errorf("got %d requests before the answer, want none", r.asked.Load())
	}
	fmt.Fprint(p, "y")
	if got := p.end(); got != exit.OK {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
	path := filepath.Join(r.home, "Geladen", "yearly report__(touch x).pdf")
	r.wantOpened(path)
	if got := readText(t, path); got != "%PDF-1.7 report" {
		t.Errorf("got %q, want the body", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want a file that nobody can run", info, err)
	}
	if screen := p.words(); !strings.Contains(screen, path+" (15 octets): opened with xdg-open") || strings.Contains(screen, "noise") {
		t.Errorf("got %q, want what became of the file, and nothing of the program", screen)
	}

	// A file that is there already is opened again and not kept twice.
	p = r.open(r.refs("yearly report;$(touch x).pdf", "/report.pdf"), "--yes", strings.TrimPrefix(r.base, "http://"))
	if got := p.end(); got != exit.OK || strings.Contains(p.screen.String(), "[y/N") || !strings.Contains(p.screen.String(), "Agreed by --yes") {
		t.Errorf("got status %d, %q, want no question", got, &p.screen)
	}
	r.wantOpened(path, path)
	wantFiles(t, filepath.Join(r.home, "Geladen"), filepath.Base(path))
}

// A file that could run is saved and not shown, and the status makes a mail program wait for
// a key.
func TestOpenDangerous(t *testing.T) {
	r := newReader(t)
	dir := filepath.Join(r.home, "here")
	p := r.open(r.refs("page.html", "/page.html", "evil.pdf", "/evil.pdf", "note.txt", "/note.txt"), "-o", dir)
	p.wait("[y/N/always/1 2] ")
	fmt.Fprint(p, "y")
	if got := p.end(); got != exit.Some {
		t.Errorf("got status %d, want %d: %q", got, exit.Some, &p.screen)
	}
	screen := p.words()
	for _, want := range []string{"page.html (7 octets): saved, not opened: files of this kind can run", "note.txt (5 octets): opened with xdg-open"} {
		if !strings.Contains(screen, want) {
			t.Errorf("got %q, want %q in it", screen, want)
		}
	}
	r.wantOpened(filepath.Join(dir, "note.txt"))
}

// Some of the files are chosen by number, id and name. Nothing else is got.
func TestOpenChooses(t *testing.T) {
	r := newReader(t)
	mail := r.refs("report.pdf", "/report.pdf", "note.txt", "/note.txt", "slides.pdf", "/slides.pdf")
	path := filepath.Join(r.home, "mail.eml")
	writeText(t, path, mail)
	for _, tt := range []struct {
		name, answer string
		args         []string
		want         []string
	}{
		{"Numbers", "3, 1\r", nil, []string{"report.pdf", "slides.pdf"}},
		{"Number", "y", []string{path, "2"}, []string{"note.txt"}},
		{"Range", "3\r", []string{path, "2-3"}, []string{"slides.pdf"}},
		{"Flag", "y", []string{"--ref", "3"}, []string{"slides.pdf"}},
		{"Name", "y", []string{"--name", "*.PDF"}, []string{"report.pdf", "slides.pdf"}},
		{"No", "n", nil, nil},
		{"Enter", "\r", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r.asked.Store(0)
			dir := filepath.Join(r.home, tt.name)
			p := r.open(mail, append(tt.args, "-o", dir, "--no-open")...)
			p.wait("Open?")
			fmt.Fprint(p, tt.answer)
			if got := p.end(); got != exit.OK || r.asked.Load() != int64(len(tt.want)) || r.opened() != "" {
				t.Errorf("got status %d, %d requests, %q opened, want 0, %d and nothing: %q", got, r.asked.Load(), r.opened(), len(tt.want), &p.screen)
			}
			if _, err := os.Stat(dir); tt.want == nil && err == nil {
				t.Errorf("got the folder, want none without a file")
			} else if tt.want != nil {
				wantFiles(t, dir, tt.want...)
			}
		})
	}
}

// Many files are opened by a word and by numbers alone, in the order of the list, and each once. Bodies in the
// message itself are asked about as well.
func TestOpenMany(t *testing.T) {
	r := newReader(t)
	mail := r.refs("report.pdf", "/report.pdf", "slides.pdf", "/slides.pdf", "note.txt", "/note.txt", "report.pdf", "/report.pdf?again", "other.txt", "/note.txt")
	local := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	for i := range 500 {
		local += fmt.Sprintf("--b\nContent-Type: message/external-body; access-type=url; url=\"data:text/plain,%d\"\n\nContent-Type: text/plain\nContent-Disposition: attachment; filename=\"%d.txt\"\n\n", i, i+1)
	}
	local += "--b--\n"
	host := strings.TrimPrefix(r.base, "http://")
	for _, tt := range []struct {
		name, mail, question, answer string
		args                         []string
		want                         []string
	}{
		{"All", mail, "[all/None/always/1 2-5] ", "all\r", nil, []string{"report.pdf", "slides.pdf", "note.txt", "other.txt"}},
		{"Numbers", mail, "[all/None/always/1 2-5] ", "5 1-2\r", nil, []string{"report.pdf", "slides.pdf", "other.txt"}},
		{"Key", mail, "[all/None/always/1 2-5] ", "y\x1b", nil, nil},
		{"Quit", mail, "[all/None/always/1 2-5] ", "q", nil, nil},
		{"Agreed", mail, "5 files that need no agreement. Open? [all/None/1 2-5] ", "3\r", []string{"--yes", host}, []string{"note.txt"}},
		{"Local", local, "500 files in the message. Open? [all/None/1 2-500] ", "499-999\r", nil, []string{"499.txt", "500.txt"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(filepath.Join(r.home, "opened"))
			dir := filepath.Join(r.home, tt.name)
			p := r.open(tt.mail, append(tt.args, "-o", dir)...)
			p.wait(tt.question)
			fmt.Fprint(p, tt.answer)
			if got := p.end(); got != exit.OK {
				t.Errorf("got status %d: %q", got, &p.screen)
			}
			var want []string
			for _, name := range tt.want {
				want = append(want, filepath.Join(dir, name))
			}
			r.wantOpened(want...)
		})
	}

	// A file that is only saved needs no more than before.
	p := r.open(mail, "--no-open", "-o", t.TempDir())
	p.wait("[y/N/always/1 2] ")
	fmt.Fprint(p, "y")
	if got := p.end(); got != exit.OK {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
}

// A file that no program can get is named before the question, and its page is opened by a key of its own. One that is refused for
// another reason is named with the flag that allows it. Neither is tried, and errors name the line of the list.
func TestOpenRefused(t *testing.T) {
	r := newReader(t)
	const (
		page  = "https://mega.nz/file/abcdefgh1a#0123456789abcdef0123456789abcdef0123456789a"
		links = "--b\nContent-Type: text/html\n\n<a href=\"" + page + "\">film.mp4</a>\n" +
			"<a href=\"https://cloud.unknown.example/s/AbCdEfGhIjKlMnO/download/plan.pdf\">plan.pdf</a>\n--b--\n"
	)
	mail := "MIME-Version: 1.0\n" + strings.TrimSuffix(r.refs("note.txt", "/note.txt", "lost.txt", "/lost.txt"), "--b--\n") + links
	for _, tt := range []struct {
		name, answers string
		opened        []string
		status        int
		said          string
	}{
		{"Browser", "yb", []string{"note.txt", page}, exit.Some, "film.mp4: opened in the browser with xdg-open"},
		{"None", "nn", nil, exit.Some, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(filepath.Join(r.home, "opened"))
			dir := filepath.Join(r.home, tt.name)
			p := r.open(mail, "-o", dir)
			screen := strings.Join(strings.Fields(p.wait("Open?")), " ")
			for _, want := range []string{"mega.nz browser", "3: not to be had: encrypted end to end, with a key that the host must not see; a browser opens it (b below)", "4: not to be had: a host that is not known to share files, and was not named; --guessed-hosts or --share-host nextcloud=cloud.unknown.example allows it"} {
				if !strings.Contains(screen, want) {
					t.Errorf("got %q, want %q in it before the question", screen, want)
				}
			}
			fmt.Fprint(p, tt.answers[:1])
			p.wait("a file at mega.nz, in the browser")
			fmt.Fprint(p, tt.answers[1:])
			if got := p.end(); got != tt.status || !strings.Contains(p.words(), tt.said) {
				t.Errorf("got status %d, want %d and %q: %q", got, tt.status, tt.said, &p.screen)
			}
			if n := strings.Count(p.words(), "not known to share"); n != 1 {
				t.Errorf("got the refusal %d times, want once: %q", n, &p.screen)
			}
			got := r.opened()
			for _, want := range tt.opened {
				if !strings.Contains(got, want) {
					t.Errorf("got %q opened, want %q", got, want)
				}
			}
			if tt.opened == nil && got != "" {
				t.Errorf("got %q opened, want nothing", got)
			}
		})
	}
}

// One body goes to standard output, and a reader of it that goes away is not an
// error.
func TestOpenStdout(t *testing.T) {
	r := newReader(t)
	mail := r.refs("report.pdf", "/report.pdf", "note.txt", "/note.txt")
	for _, tt := range []struct {
		name, answer string
		args         []string
		closed       bool
		want         string
		status       int
	}{
		{"Chosen", "y", []string{"--ref", "2"}, false, "note\n", exit.OK},
		{"Answered", "2\r", nil, false, "note\n", exit.OK},
		{"Closed", "y", []string{"--ref", "2"}, true, "", exit.OK},
		{"Several", "y", nil, false, "", exit.Usage},
		{"None", "n", nil, false, "", exit.OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, in, err := os.Pipe()
			must(t, err)
			defer out.Close()
			if tt.closed {
				out.Close()
			}
			cmd := r.command(append(tt.args, "--stdout")...)
			cmd.Stdin, cmd.Stdout = strings.NewReader(mail), in
			p := startInTerminal(t, cmd)
			in.Close()
			p.wait("Get?")
			fmt.Fprint(p, tt.answer)
			if got := p.end(); got != tt.status {
				t.Errorf("got status %d, want %d: %q", got, tt.status, &p.screen)
			}
			if got, _ := io.ReadAll(out); string(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if r.opened() != "" {
		t.Errorf("got %q opened, want nothing", r.opened())
	}
}

// Control-C at a question and in a transfer leaves no file, no folder and no temporary file.
func TestOpenInterrupted(t *testing.T) {
	for _, at := range []string{"Question", "Transfer"} {
		t.Run(at, func(t *testing.T) {
			r := newReader(t)
			p := r.open(r.refs("report.pdf", "/slow/report.pdf"))
			p.wait("[y/N/always] ")
			if at == "Transfer" {
				fmt.Fprint(p, "y")
				screen := p.wait("left") // of the bar
				bar := screen[strings.LastIndex(screen, "report.pdf"):]
				for _, want := range []string{"kB", "%", "/s", "left"} {
					if !strings.Contains(bar, want) {
						t.Errorf("got the bar %q, want %q in it", bar, want)
					}
				}
			}
			p.Write([]byte{3})
			if got := p.end(); got != exit.Failed || r.opened() != "" {
				t.Errorf("got status %d, %q opened, want %d and nothing: %q", got, r.opened(), exit.Failed, &p.screen)
			}
			if !strings.Contains(p.screen.String(), "interrupted") {
				t.Errorf("got %q, want that it was interrupted", &p.screen)
			}
			var left []string
			for _, dir := range []string{filepath.Join(r.home, "Geladen"), strings.TrimPrefix(r.env[3], "TMPDIR=")} {
				filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
					if err == nil && path != strings.TrimPrefix(r.env[3], "TMPDIR=") {
						left = append(left, path)
					}
					return nil
				})
			}
			if left != nil {
				t.Errorf("got %q left, want nothing", left)
			}
		})
	}
}

// Without a desktop the program of mailcap for the type has the terminal.
func TestOpenMailcap(t *testing.T) {
	r := newReader(t)
	r.env[2] = "DISPLAY="
	p := r.open(r.refs("a b.pdf", "/report.pdf"))
	p.wait("[y/N/always] ")
	fmt.Fprint(p, "y")
	p.wait("shown")
	fmt.Fprint(p, "\n")
	if got := p.end(); got != exit.OK || !strings.Contains(p.words(), "opened with shower") {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
	r.wantOpened("--page", filepath.Join(r.home, "Geladen", "a b.pdf"))
}

// Without a terminal no user can be asked, and of a mailbox one message has to be chosen.
func TestOpenMistakes(t *testing.T) {
	r := newReader(t)
	box := filepath.Join(r.home, "box")
	writeText(t, box, "From a@b Thu Jan  1 00:00:00 1970\n"+r.refs("report.pdf", "/report.pdf")+"\nFrom a@b Thu Jan  1 00:00:00 1970\n"+r.refs("note.txt", "/note.txt")+"\n")
	cmd := r.command(box, "--message", "1", "--yes", strings.TrimPrefix(r.base, "http://"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exit.Usage || !strings.Contains(string(out), "there is no terminal to ask at") {
		t.Errorf("got %v, %s, want a mistake in a sentence", err, out)
	}
	p := r.open("", box)
	if got := p.end(); got != exit.Usage || !strings.Contains(p.screen.String(), "there are several messages: choose one with --message") {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
	p = r.open("", box, "--message", "1")
	p.wait("note.txt from")
	fmt.Fprint(p, "n")
	if got := p.end(); got != exit.OK {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
	// A mail program waits for a key, so that the line is seen.
	const encrypted = "MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx\n"
	for _, none := range []struct{ mail, want string }{
		{"MIME-Version: 1.0\n\nx\n", "The message points at no files."},
		{"Subject: x\n\nx\n", "The message points at no files. It came without a header of MIME: mutt pipes text that has lost its parts if pipe_decode is set."},
		{encrypted, "No files were found, but 1 part could not be looked into: 1 encrypted."},
	} {
		p = r.open(none.mail)
		if got := p.end(); got != exit.Some || p.words() != none.want {
			t.Errorf("got status %d and %q, want %d and %q", got, p.words(), exit.Some, none.want)
		}
	}
	for _, none := range []struct{ mail, want string }{
		{r.refs("note.txt", "/note.txt"), "No file of the message is chosen by --name or --ref."},
		{encrypted, "No file of the message is chosen by --name or --ref. Also, 1 part could not be looked into: 1 encrypted."},
	} {
		p = r.open(none.mail, "-", "--name", "*.zip")
		if got := p.end(); got != exit.Some || p.words() != none.want {
			t.Errorf("--name: got status %d and %q, want %d and %q", got, p.words(), exit.Some, none.want)
		}
	}
	p = r.open("Subject: x\n\nx\n", "-", "7")
	if got := p.end(); got != exit.Usage || !strings.Contains(p.screen.String(), "7: the list has no such number, and an id is chosen by --ref") {
		t.Errorf("got status %d: %q", got, &p.screen)
	}
	if r.asked.Load() != 0 {
		t.Errorf("got %d requests, want none", r.asked.Load())
	}
}

// An answer of "always" is kept in the settings, with the exact host and that the way to it is not encrypted
// (OP-57). The user is not asked about that host again, by "open" and "get --ask" alone, and the plan names the
// line.
func TestOpenAlways(t *testing.T) {
	r := newReader(t)
	mail := r.refs("report.pdf", "/report.pdf")
	file := filepath.Join(r.home, ".config", "extbody", "config.toml")
	writeText(t, file, "jobs = 3\n")
	must(t, os.Chmod(file, 0o600))
	p := r.open(mail)
	p.wait("[y/N/always] ")
	fmt.Fprint(p, "always\r")
	if got := p.end(); got != exit.OK {
		t.Fatalf("got status %d: %q", got, &p.screen)
	}
	if want := "\"extbody config --forget " + strings.TrimPrefix(r.base, "http://") + "\" takes that back."; !strings.Contains(p.words(), want) {
		t.Errorf("got %q, want %q in it", p.words(), want)
	}
	host := strings.TrimPrefix(r.base, "http://")
	if got, want := readText(t, file), "jobs = 3\n\n[agreed] # hosts that \"open\" and \"get --ask\" do not ask about\n\"http://"+host+"\" = "+time.Now().Format(time.DateOnly)+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, args := range [][]string{nil, {"--stdout"}, {"get", "--ask", "-o", t.TempDir()}} {
		name := "open"
		if len(args) > 0 && args[0] == "get" {
			name, args = "get", args[1:]
		}
		cmd := exec.Command(executable(t), append(append([]string{name}, r.flags...), args...)...)
		cmd.Env, cmd.Dir, cmd.Stdin = r.env, r.home, strings.NewReader(mail)
		p := startInTerminal(t, cmd)
		if got, screen := p.end(), strings.ReplaceAll(p.screen.String(), "\r\n", " "); got != exit.OK || strings.Contains(screen, "[y/N") || !strings.Contains(screen, "Agreed by ~/.config/extbody/config.toml:4.") {
			t.Errorf("%s %s: got status %d, %q, want no question", name, args, got, screen)
		}
	}

	// Without settings, with another port, with a line for encrypted ways and after it is forgotten there is a question.
	for _, asked := range []struct {
		args []string
		host string
	}{{[]string{"--no-config"}, ""}, {nil, host}, {nil, "http://127.0.0.1"}, {nil, "http://127.0.0.1:1"}} {
		if asked.host != "" {
			writeText(t, file, "[agreed]\n\""+asked.host+"\" = true\n")
		}
		p := r.open(mail, asked.args...)
		question := "[y/N/always] "
		if asked.args != nil {
			question = "[y/N] "
		}
		p.wait(question)
		fmt.Fprint(p, "n")
		p.end()
	}
	cmd := exec.Command(executable(t), "config", "--forget", "127.0.0.1:1")
	cmd.Env = r.env
	if out, err := cmd.CombinedOutput(); err != nil || readText(t, file) != "[agreed]\n" {
		t.Errorf("got %v, %s, %q, want that the host is forgotten", err, out, readText(t, file))
	}
}
