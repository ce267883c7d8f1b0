//go:build unix

package open

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Downloads returns the folder for downloads of the user: the one that user-dirs.dirs of XDG
// names, or Downloads in the home directory.
func Downloads() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS != "darwin" {
		config := os.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(config) {
			config = filepath.Join(home, ".config")
		}
		text, _ := os.ReadFile(filepath.Join(config, "user-dirs.dirs"))
		if dir := userDir(string(text), "XDG_DOWNLOAD_DIR", home); dir != "" {
			return dir, nil
		}
	}
	return filepath.Join(home, "Downloads"), nil
}

// userDir returns the folder that a line of user-dirs.dirs gives a name, or "". A folder is
// "$HOME/..." or an absolute path, in quotation marks.
func userDir(text, name, home string) (dir string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if strings.TrimSpace(key) != name {
			continue
		}
		value = strings.TrimSpace(value)
		if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
			continue
		}
		value = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, `$`, "\\`", "`").Replace(value[1 : len(value)-1])
		if below, ok := strings.CutPrefix(value, "$HOME"); ok && (below == "" || below[0] == '/') {
			value = home + below
		}
		if filepath.IsAbs(value) {
			dir = filepath.Clean(value)
		}
	}
	return dir
}
