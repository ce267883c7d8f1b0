//go:build unix

package login

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// group runs cmd in a process group of its own, so that its children end with it. If
// this program has the terminal, cmd has it until restore is called: it may ask the user
// there.
func group(cmd *exec.Cmd) (restore func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return func() {}
	}
	ours, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	if err != nil || ours != unix.Getpgrp() {
		return func() { tty.Close() }
	}
	// A background group that takes the terminal is stopped unless it ignores this.
	signal.Ignore(syscall.SIGTTOU)
	cmd.SysProcAttr.Foreground = true
	cmd.SysProcAttr.Ctty = int(tty.Fd())
	return func() {
		unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPGRP, ours)
		signal.Reset(syscall.SIGTTOU)
		tty.Close()
	}
}
