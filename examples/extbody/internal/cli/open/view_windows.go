package open

import "golang.org/x/sys/windows"

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
