package native

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows/registry"
)

// key is the key of the registry that names the manifest.
const key = `Software\Mozilla\NativeMessagingHosts\` + hostName

// folder returns the folder of the manifest.
func folder() (string, error) {
	dir := os.Getenv("LOCALAPPDATA")
	if !filepath.IsAbs(dir) {
		return "", errors.New("there is no folder for the data of programs: %LocalAppData% is not set")
	}
	return filepath.Join(dir, "extbody"), nil
}

// register names the manifest in the registry of the user.
func register(manifest string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer k.Close()
	return k.SetStringValue("", manifest)
}

// unregister takes that back.
func unregister() error {
	err := registry.DeleteKey(registry.CURRENT_USER, key)
	if err == registry.ErrNotExist {
		return nil
	}
	return err
}
