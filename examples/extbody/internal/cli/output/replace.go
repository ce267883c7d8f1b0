package output

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Replace writes a file. The file gets its name after it is whole.
func Replace(path string, write func(io.Writer) error) error {
	f, err := atomicfile.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err = errors.Join(write(w), w.Flush()); err == nil {
		err = f.Replace(path, 0o600)
	}
	if err != nil {
		f.Discard()
	}
	return err
}
