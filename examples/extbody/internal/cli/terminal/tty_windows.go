package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Open opens the console. Without one it returns an error.
func Open() (*Controlling, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, err
	}
	return &Controlling{in, out}, nil
}

// interrupt has the effect of the key for an interruption while a console is not raw.
func interrupt() { windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) }
