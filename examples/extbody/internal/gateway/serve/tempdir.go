package serve

import "os"

// tempDir returns the folder for temporary files.
func tempDir(dir string) string {
	if dir == "" {
		return os.TempDir()
	}
	return dir
}
