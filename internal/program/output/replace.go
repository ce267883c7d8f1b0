package output

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// Replace writes a file. The file gets its name after it is whole.
func Replace(path string, write func(io.Writer) error) error {
	f, err := unnamed.Open(filepath.Dir(path))
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
