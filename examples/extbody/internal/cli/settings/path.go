package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// Path returns the path of the file with the settings of the user: extbody/config.toml in the
// folder that the system has for settings, such as ~/.config. Without such a folder it is "".
func Path() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "extbody", "config.toml")
}

// short returns a path as people write it: with ~ for the home directory.
func short(path string) string {
	home, err := os.UserHomeDir()
	if below, ok := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && home != "" && ok {
		return "~" + string(filepath.Separator) + below
	}
	return path
}

// OthersMayWrite returns the first file, folder or link on the way to a file that another user may write, and "" if there
// is none. The path is absolute. A file that is not there has none.
func OthersMayWrite(file string) string {
	_, others, err := resolve(file)
	if err != nil {
		return ""
	}
	return others
}

// maxLinks is how many symbolic links a path may lead over.
const maxLinks = 40

var errLinks = errors.New("too many symbolic links")

// resolve returns a path without symbolic links. others is the first file, folder or link on the
// way that a user besides the one of this program and root may write, and "" if there is
// none: then no other user can put another file there. With an error, real is as far as the way
// is there.
func resolve(path string) (real, others string, err error) {
	if runtime.GOOS == "windows" {
		real, err = filepath.EvalSymlinks(path)
		return real, "", err
	}
	const separator = "/"
	rest := strings.Split(filepath.Clean(path), separator)
	here := separator
	for links := 0; ; {
		info, err := os.Lstat(here)
		if err != nil {
			return filepath.Dir(here), others, err
		}
		if others == "" && filestate.IsOthers(info) {
			others = here
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if links++; links > maxLinks {
				return here, others, errLinks
			}
			target, err := os.Readlink(here)
			if err != nil {
				return here, others, err
			}
			rest = append(strings.Split(target, separator), rest...)
			here = filepath.Dir(here)
			if filepath.IsAbs(target) {
				here = separator
			}
			continue
		}
		if len(rest) == 0 {
			return here, others, nil
		}
		here = filepath.Join(here, rest[0])
		rest = rest[1:]
	}
}
