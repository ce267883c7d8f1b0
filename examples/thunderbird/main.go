// Command thunderbird writes the extension for Thunderbird as one file, an .xpi:
//
//	thunderbird [-version VERSION] [FILE]
//
// The default is build/extbody.xpi. The same files give the same octets.
package main

import (
	"archive/zip"
	"embed"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed extension
var files embed.FS

func main() {
	version := flag.String("version", "", "the version of a release, such as v0.2.0")
	flag.Parse()
	path := filepath.Join("build", "extbody.xpi")
	if flag.NArg() > 0 {
		path = flag.Arg(0)
	}
	if err := write(path, strings.TrimPrefix(*version, "v")); err != nil {
		fmt.Fprintln(os.Stderr, "thunderbird:", err)
		os.Exit(1)
	}
	fmt.Println(path)
}

// write writes the extension to a file, and makes its folder.
func write(path, version string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pack(f, version); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// numbered matches the version in the manifest.
var numbered = regexp.MustCompile(`"version": "[^"]*"`)

// pack writes the extension as a zip. A version replaces the one of the manifest.
func pack(w io.Writer, version string) error {
	extension, err := fs.Sub(files, "extension")
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	err = fs.WalkDir(extension, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(extension, name)
		if err != nil {
			return err
		}
		if name == "manifest.json" && version != "" {
			text = numbered.ReplaceAll(text, []byte(`"version": "`+version+`"`))
		}
		member, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = member.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}
