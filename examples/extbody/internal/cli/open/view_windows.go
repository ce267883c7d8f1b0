package open

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// view shows a file with the program that the system has for it. The media type is not used:
// a file that is shown has the extension for it.
func view(path, _ string) (by string, err error) {
	verb, err := windows.UTF16PtrFromString("open")
	if err != nil {
		return "", err
	}
	file, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	if err := windows.ShellExecute(0, verb, file, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return "", err
	}
	return "the program for it", nil
}

// browse opens a web page with the program that the system has for it.
func browse(url string) (by string, err error) { return view(url, "") }

// Reveal shows a file in its folder.
func Reveal(path string) error {
	explorer := filepath.Join(os.Getenv("SystemRoot"), "explorer.exe")
	cmd := exec.Command(explorer)
	// Explorer reads its command line itself. No file name has a quotation mark.
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `explorer.exe /select,"` + path + `"`}
	return cmd.Start()
}
