package open

import "golang.org/x/sys/windows"

// downloads returns the folder for downloads of the user.
func downloads() (string, error) { return windows.KnownFolderPath(windows.FOLDERID_Downloads, 0) }
