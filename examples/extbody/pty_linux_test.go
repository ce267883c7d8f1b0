package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// A pty is a pseudo-terminal with a program in it.
type pty struct {
	*os.File // the other end of it
	t        *testing.T
	cmd      *exec.Cmd
	screen   bytes.Buffer
}

// inTerminal starts the program in a pseudo-terminal.
func inTerminal(t *testing.T, args ...string) *pty {
	t.Helper()
	return startInTerminal(t, exec.Command(executable(t), args...))
}

// startInTerminal starts a command in a pseudo-terminal, of 24 lines of 80 columns. Its standard
// files are the terminal unless they are set.
func startInTerminal(t *testing.T, cmd *exec.Cmd) *pty {
	t.Helper()
	ptm, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { ptm.Close() })
	number, err := unix.IoctlGetInt(int(ptm.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	must(t, unix.IoctlSetPointerInt(int(ptm.Fd()), unix.TIOCSPTLCK, 0))
	must(t, unix.IoctlSetWinsize(int(ptm.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	pts, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	defer pts.Close()
	termios, err := unix.IoctlGetTermios(int(pts.Fd()), unix.TCGETS)
	must(t, err)
	termios.Lflag |= unix.NOFLSH // else the kernel may drop words of a program that Control-C ends, after the signal
	must(t, unix.IoctlSetTermios(int(pts.Fd()), unix.TCSETS, termios))
	if cmd.Stdin == nil {
		cmd.Stdin = pts
	}
	if cmd.Stdout == nil {
		cmd.Stdout = pts
	}
	cmd.Stderr = pts
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	must(t, cmd.Start())
	return &pty{File: ptm, t: t, cmd: cmd}
}

// words returns the text of the screen, with one blank where lines are broken.
func (p *pty) words() string { return strings.Join(strings.Fields(p.screen.String()), " ") }

// wait reads until a text is on the screen, and returns all up to the end of that
// text.
func (p *pty) wait(text string) string { return p.waitAfter("", text) }

// waitAfter is wait for a text after the start of the screen.
func (p *pty) waitAfter(beginning, text string) string {
	p.t.Helper()
	for buf := make([]byte, 4096); ; {
		if before, _, found := strings.Cut(p.screen.String()[len(beginning):], text); found {
			return beginning + before + text
		}
		n, err := p.Read(buf)
		p.screen.Write(buf[:n])
		if err != nil {
			p.cmd.Process.Kill()
			p.t.Fatalf("got %q and %v, want %q", &p.screen, err, text)
		}
	}
}

// end reads the rest, and returns the exit status.
func (p *pty) end() int {
	buf := make([]byte, 4096)
	for {
		n, err := p.Read(buf)
		p.screen.Write(buf[:n])
		if err != nil { // EIO: the other end is not open
			break
		}
	}
	p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// tftpBox returns the path of an mbox of references to a tftp server that does not
// run, one a message.
func tftpBox(t *testing.T, names ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "From a@example.com Thu Jan  1 00:00:00 1970\nFrom: a@example.com\n"+
			"Content-Type: message/external-body; access-type=tftp; site=%q; name=x\n\nContent-Type: text/plain\n\n\n", name)
	}
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, b.String())
	return path
}

// At a terminal get asks about hosts that the flags do not allow, once for each host,
// and keeps to the answer.
func TestGetAsks(t *testing.T) {
	path := tftpBox(t, "127.0.0.1", "127.0.0.1", "127.0.0.2")
	dir := t.TempDir()
	p := inTerminal(t, "get", "--jobs", "1", "--ordered", "--allow-net", "127.0.0.0/8", "--timeout", "1s", "-o", dir, path)
	seen := ""
	for range 2 { // in either order
		before := seen
		seen = p.waitAfter(before, "[y/N] ")
		question := seen[len(before):]
		question = question[max(0, strings.LastIndex(question, "x from ")):] // lines about failures may precede it
		if strings.Contains(question, "x from 127.0.0.1, not encrypted; it learns your address") {
			fmt.Fprintln(p, "n")
		} else if strings.Contains(question, "x from 127.0.0.2, not encrypted; it learns your address") {
			fmt.Fprint(p, "y")
		} else {
			t.Errorf("got the question %q, want one about 127.0.0.1 or 127.0.0.2", question)
			fmt.Fprintln(p, "n")
		}
	}
	if got := p.end(); got != exit.Some {
		t.Errorf("got exit status %d, want %d", got, exit.Some)
	}
	screen := p.screen.String()
	for text, want := range map[string]int{
		"Get? [y/N]":                           2,
		"denied: not allowed at the terminal":  2,
		"3 references in 3 messages: 3 failed": 1,
	} {
		if got := strings.Count(screen, text); got != want {
			t.Errorf("got %q %d times, want %d, in %q", text, got, want, screen)
		}
	}
	wantFiles(t, dir)
}

// Who interrupts a question ends the program.
func TestGetAskInterrupted(t *testing.T) {
	p := inTerminal(t, "get", "--allow-net", "127.0.0.0/8", "-o", t.TempDir(), tftpBox(t, "127.0.0.1", "127.0.0.2"))
	p.wait("[y/N] ")
	p.Write([]byte{3}) // Control-C
	if got := p.end(); got != exit.Failed {
		t.Errorf("got exit status %d, want %d: %q", got, exit.Failed, &p.screen)
	}
	if got := strings.Count(p.screen.String(), "[y/N]"); got != 1 {
		t.Errorf("asked %d times, want 1: %q", got, &p.screen)
	}
}

// get --ask lists the files on the terminal while the message comes from standard input, asks
// once a host, and contacts no other host.
func TestGetAsk(t *testing.T) {
	var asked atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text(w, "hello "+r.URL.Path)
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(base, "http://"), ":")
	mail := "Content-Type: multipart/mixed; boundary=b\n\n"
	for _, u := range []string{base + "/one.txt", base + "/two.txt", "http://127.0.0.2:" + port + "/far.txt", "data:text/plain,near", base + "/three.txt"} {
		mail += "--b\nContent-Type: message/external-body; access-type=url; url=\"" + u + "\"\n\nContent-Type: text/plain\nContent-ID: <" + u + ">\n\n"
	}
	mail += "--b--\n"
	for _, tt := range []struct {
		name, first, second string
		asked               int64
		status              int
		files               []string
	}{
		{"All", "y", "n", 3, exit.Some, []string{"one.txt", "part-4.txt", "three.txt", "two.txt"}},
		{"Some", "2 5\r", "n", 2, exit.Some, []string{"part-4.txt", "three.txt", "two.txt"}},
		{"None", "\r", "\r", 0, exit.Some, []string{"part-4.txt"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			dir := t.TempDir()
			cmd := exec.Command(executable(t), append([]string{"get", "--ask", "-o", dir, "--allow-net", "127.0.0.2"}, flags...)...)
			cmd.Stdin = strings.NewReader(mail)
			p := startInTerminal(t, cmd)
			seen := p.wait("[y/N/always/1 2] ")
			for _, want := range []string{"1  one.txt    -  TXT  127.0.0.1:" + port, "4  (no name)  -  TXT  in the message", "one.txt and 2 more from 127.0.0.1:" + port + ", not encrypted; it learns"} {
				if !strings.Contains(seen, want) {
					t.Errorf("got %q, want %q in it", seen, want)
				}
			}
			fmt.Fprint(p, tt.first)
			question := p.waitAfter(seen, "[y/N/always] ")[len(seen):]
			if n := strings.Count(question, "\n"); n > 2 || !strings.Contains(question, "far.txt from 127.0.0.2") {
				t.Errorf("got the question %q, want one about far.txt in two lines", question)
			}
			fmt.Fprint(p, tt.second)
			if got := p.end(); got != tt.status || asked.Load() != tt.asked {
				t.Errorf("got status %d and %d requests, want %d and %d: %q", got, asked.Load(), tt.status, tt.asked, &p.screen)
			}
			wantFiles(t, dir, tt.files...)
		})
	}
}

// Bars are for a terminal that can move its cursor, and for a person who wants them. A quiet run has no last line either.
func TestGetProgress(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "8")
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		time.Sleep(3 * barTime)
		io.WriteString(w, "half")
	})
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, box(base+"/a"))
	for _, tt := range []struct {
		name, term string
		args       []string
		bars, last bool
	}{
		{"Usual", "xterm", nil, true, true},
		{"Dumb", "dumb", nil, false, true},
		{"NoProgress", "xterm", []string{"--no-progress"}, false, true},
		{"Quiet", "xterm", []string{"-q"}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(executable(t), append(append([]string{"get", "-o", t.TempDir(), path}, flags...), tt.args...)...)
			cmd.Env = append(os.Environ(), "TERM="+tt.term)
			p := startInTerminal(t, cmd)
			if got := p.end(); got != exit.OK {
				t.Errorf("got status %d: %q", got, &p.screen)
			}
			if got := strings.Contains(p.screen.String(), "\x1b["); got != tt.bars {
				t.Errorf("got bars %t, want %t: %q", got, tt.bars, &p.screen)
			}
			if got := strings.Contains(p.screen.String(), "1 reference in 1 message"); got != tt.last {
				t.Errorf("got the last line %t, want %t: %q", got, tt.last, &p.screen)
			}
		})
	}
}

// barTime is how long a transfer runs before it gets a bar.
const barTime = 300 * time.Millisecond

// With --dry-run the user is not asked.
func TestGetDryRunAsksNobody(t *testing.T) {
	p := inTerminal(t, "get", "-o", t.TempDir(), "--allow-net", "127.0.0.0/8", "--dry-run", tftpBox(t, "127.0.0.1"))
	p.wait("refused (blocked)")
	if got := p.end(); got != exit.Some {
		t.Errorf("got exit status %d, want %d: %q", got, exit.Some, &p.screen)
	}
}

// A command for credentials can ask at the terminal, and the program goes on there.
func TestGetCommandAsks(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Basic bWU6cHc=" {
			w.Header().Set("WWW-Authenticate", `Basic realm="files"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		text(w, "secret")
	})
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, box(base+"/a"))
	const command = `printf 'Secret: ' >/dev/tty; read x </dev/tty; printf '{"user":"me","password":"%s"}' $x`
	args := []string{"get", "-o", t.TempDir(), "--allow-plaintext", "--login-host", "127.0.0.1", "--credentials-command", command}
	p := inTerminal(t, append(append(args, flags...), path)...)
	p.wait("Secret: ")
	fmt.Fprintln(p, "pw")
	if got := p.end(); got != exit.OK {
		t.Errorf("got exit status %d, want %d: %q", got, exit.OK, &p.screen)
	}
	if got, want := p.screen.String(), "1 reference in 1 message: 1 saved"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
