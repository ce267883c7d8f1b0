package open

import (
	"fmt"
	"os/exec"
)

// view shows a file with the program that the system has for it. The media type is not used:
// a file that is shown has the extension for it.
func view(path, _ string) (by string, err error) {
	if err := exec.Command("/usr/bin/open", path).Run(); err != nil {
		return "", fmt.Errorf("open: %w", err)
	}
	return "open", nil
}

// browse opens a web page with the program that the system has for it.
func browse(url string) (by string, err error) { return view(url, "") }

// Reveal shows a file in its folder.
func Reveal(path string) error { return exec.Command("/usr/bin/open", "-R", path).Run() }
