package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

const (
	// extension is the id of the extension.
	extension = "extbody@go-extbody.github.io"

	// hostName is the name by which the extension calls the program.
	hostName = "extbody"
)

// A manifest is the file by which a program of Mozilla finds a native messaging host.
type manifest struct {
	Name              string   `json:"name"`
	Description       string   `json:"description"`
	Path              string   `json:"path"`
	Type              string   `json:"type"`
	AllowedExtensions []string `json:"allowed_extensions"`
}

// A place is the files of an installation.
type place struct{ manifest, script string }

// placeIn returns the files in a folder.
func placeIn(dir string) place {
	script := hostName + ".sh"
	if runtime.GOOS == "windows" {
		script = hostName + ".bat"
	}
	return place{filepath.Join(dir, hostName+".json"), filepath.Join(dir, script)}
}

var errTemporary = errors.New("\"go run\" removes this program when it ends: install it with \"go install\" first")

// isOfGoRun reports whether "go run" made a program, in a folder go-build*/b001/exe.
func isOfGoRun(program string) bool {
	dir := filepath.Dir(program)
	return filepath.Base(dir) == "exe" && strings.HasPrefix(filepath.Base(filepath.Dir(filepath.Dir(dir))), "go-build")
}

// install writes the manifest and the script, and reports that.
func install(out io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if isOfGoRun(program) {
		return errTemporary
	}
	dir, err := folder()
	if err != nil {
		return err
	}
	at := placeIn(dir)
	text, err := json.MarshalIndent(manifest{
		Name: hostName, Description: "Files that mail points at", Path: at.script, Type: "stdio", AllowedExtensions: []string{extension},
	}, "", "\t")
	if err != nil {
		return err
	}
	run, err := scriptFor(program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := replace(at.script, run, 0o755); err != nil {
		return err
	}
	if err := replace(at.manifest, append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := register(at.manifest); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s lets %s find\n%s, which runs\n%s.\n", at.manifest, "the extension "+extension, at.script, program)
	return err
}

// replace writes a file with a mode, whole or not at all.
func replace(path string, text []byte, mode fs.FileMode) error {
	err := atomicfile.ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return os.Chmod(path, mode)
}

var errPath = errors.New("the path of this program has a character that a script cannot hold")

// scriptFor returns a script of two lines that runs a program with the arguments of the script.
func scriptFor(program string) ([]byte, error) {
	if runtime.GOOS == "windows" {
		if strings.ContainsAny(program, "%\"\r\n") {
			return nil, errPath
		}
		return []byte("@echo off\r\n\"" + program + "\" native %*\r\n"), nil
	}
	if strings.ContainsAny(program, "\r\n") {
		return nil, errPath
	}
	quoted := strings.ReplaceAll(program, "'", `'\''`)
	return []byte("#!/bin/sh\nexec '" + quoted + "' native \"$@\"\n"), nil
}

// remove removes the files of an installation, and reports that.
func remove(out io.Writer) error {
	dir, err := folder()
	if err != nil {
		return err
	}
	at := placeIn(dir)
	text, err := os.ReadFile(at.manifest)
	if err == nil && !bytes.Contains(text, []byte(extension)) {
		return fmt.Errorf("%s is of another program", at.manifest)
	}
	if err := unregister(); err != nil {
		return err
	}
	var gone []string
	for _, path := range []string{at.manifest, at.script} {
		switch err := os.Remove(path); {
		case err == nil:
			gone = append(gone, path)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if len(gone) == 0 {
		_, err = fmt.Fprintln(out, "Nothing was installed.")
		return err
	}
	_, err = fmt.Fprintf(out, "Removed %s.\n", strings.Join(gone, " and "))
	return err
}
