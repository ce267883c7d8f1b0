package open

import "golang.org/x/sys/windows"

// Downloads returns the folder for downloads of the user.
func Downloads() (string, error) { return windows.KnownFolderPath(windows.FOLDERID_Downloads, 0) }
