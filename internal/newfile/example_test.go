package newfile_test

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/go-extbody/extbody/internal/newfile"
)

func ExampleCreate() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	dir, err := os.OpenRoot(folder)
	if err != nil {
		log.Fatal(err)
	}
	defer dir.Close()

	f, err := newfile.Create(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Discard()
	io.WriteString(f, "all of it")
	if err := f.Publish("a.txt"); err != nil {
		log.Fatal(err)
	}
	data, err := dir.ReadFile("a.txt")
	fmt.Printf("%s %v\n", data, err)
	// Output: all of it <nil>
}
