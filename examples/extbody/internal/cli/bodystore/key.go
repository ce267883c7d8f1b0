package bodystore

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// KeyFile is the name of the file with the key, in the folder of a store. Servers must
// not give it out.
const KeyFile = ".extbody-key"

// keySize is the number of octets of a key.
const keySize = sha256.Size

// Errors of keys. A store whose key cannot be used takes no bodies: their names could be
// computed without it.
var (
	ErrKey     = errors.New("the key of the store is not 64 hexadecimal digits and a line end")
	ErrKeyMode = errors.New("the key of the store can be read by others: make its mode 0600, and remove it if others may have read it")
)

// openKey returns the key of the store in dir, and makes it if it is missing.
func openKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, KeyFile)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	// It never replaces a key.
	err = atomicfile.PublishFile(path, func(w io.Writer) error {
		var key [keySize]byte
		rand.Read(key[:]) // never fails
		_, err := io.WriteString(w, hex.EncodeToString(key[:])+"\n")
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(path) // another program may have been faster
}

func readKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrKey}
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrKeyMode}
	}
	f, err := os.OpenInRoot(filepath.Dir(path), filepath.Base(path)) // see has
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSuffix(string(text), "\n"))
	if err != nil || len(key) != keySize {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrKey}
	}
	return key, nil
}
