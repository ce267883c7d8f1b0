// Command list makes the Go tables of internal/link from list.json, and writes the list in its
// layout. See README.md.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run .
//go:generate go test . ../../internal/link/...

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "list:", err)
		os.Exit(1)
	}
}

func run() error {
	files, err := generated(".")
	if err != nil {
		return err
	}
	for _, f := range files {
		if old, err := os.ReadFile(f.path); err == nil && bytes.Equal(old, f.text) {
			continue
		}
		if err := os.WriteFile(f.path, f.text, 0o644); err != nil {
			return err
		}
		fmt.Println(f.path)
	}
	return nil
}

// generated returns the list in its layout and the Go tables.
func generated(dir string) ([]table, error) {
	name := filepath.Join(dir, "list.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	l, err := readList(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, plain(l)); err != nil {
		return nil, err
	}
	l.inOrder()
	made, err := tables(l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text = layout(compact.Bytes())
	// Tests of the library read a copy: the module of the library is without this folder.
	const beside = "../../internal/link/sharelink/testdata/list.json"
	return append(made, table{"list.json", text}, table{beside, text}), nil
}
