//go:build !windows

package native

import (
	"os"
	"path/filepath"
	"runtime"
)

// folder returns the folder in which programs of Mozilla look for manifests.
func folder() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "Mozilla", "NativeMessagingHosts"), nil
	}
	return filepath.Join(home, ".mozilla", "native-messaging-hosts"), nil
}

// register does nothing: the folder of the manifest is enough.
func register(string) error { return nil }

// unregister does nothing.
func unregister() error { return nil }
