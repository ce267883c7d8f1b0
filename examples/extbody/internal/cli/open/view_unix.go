//go:build unix && !darwin

package open

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
)

// view shows a file with the program of the desktop, or with the one of mailcap for a media
// type. It returns the name of the program. A program on a desktop is not waited for. Without a
// desktop xdg-open is not used: it looks into mailcap itself, and a shell reads the command there.
func view(path, mediaType string) (by string, err error) {
	desktop := os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	if opener, err := exec.LookPath("xdg-open"); desktop && err == nil {
		return "xdg-open", start(opener, path)
	}
	files, refused := own(mailcaps())
	if v, args, ok := mailcapFor(files, mediaType, path, passes); ok {
		name := filepath.Base(args[0])
		if desktop && !v.terminal {
			return name, start(args...)
		}
		return name, inTerminal(args...)
	}
	if refused != "" {
		return "", fmt.Errorf("%w, and others than you may write %s, which does not count", errNoProgram, show.Line(refused))
	}
	return "", errNoProgram
}

// browsers are programs that show pages in a terminal.
var browsers = []string{"www-browser", "w3m", "links", "elinks", "lynx"}

// browse opens a web page, with the desktop or in the terminal. It returns the name of the program.
func browse(url string) (by string, err error) {
	desktop := os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	if opener, err := exec.LookPath("xdg-open"); desktop && err == nil {
		return "xdg-open", start(opener, url)
	}
	for _, name := range browsers {
		if program, err := exec.LookPath(name); err == nil {
			return name, inTerminal(program, url)
		}
	}
	return "", errNoBrowser
}

// passes reports whether a test of mailcap, which the user wrote, succeeds.
func passes(test string) bool { return exec.Command("sh", "-c", test).Run() == nil }

// patience is how long a program that fails at once is waited for.
const patience = time.Second

// start starts a program that goes on after this one has ended, with no terminal.
func start(args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return failed(args[0], err)
	case <-time.After(patience):
		return nil
	}
}

// inTerminal runs a program in the terminal, to its end.
func inTerminal(args ...string) error {
	tty, err := terminal.Open()
	if err != nil {
		return err
	}
	defer tty.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = tty.In
	cmd.Stdout = tty.Out
	cmd.Stderr = tty.Out
	return failed(args[0], cmd.Run())
}

// failed returns the error of a program that ended.
func failed(program string, err error) error {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%s ended with status %d", filepath.Base(program), e.ExitCode())
	}
	return err
}

// Reveal shows the folder of a file.
func Reveal(path string) error {
	opener, err := exec.LookPath("xdg-open")
	if err != nil {
		return errors.New("there is no xdg-open, which shows folders")
	}
	return start(opener, filepath.Dir(path))
}
