package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

func ExampleFile_Link() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f, err := atomicfile.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprint(f, "whole")
	path := filepath.Join(dir, "a")
	if err := f.Link(path); err != nil {
		f.Discard()
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(path)
	fmt.Println(string(text), err)
	// Output: whole <nil>
}
