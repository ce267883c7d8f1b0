// Command wasm writes the references of messages as JSON, one line a message. A test builds it for
// JavaScript.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	var messages [][]byte
	if err == nil {
		err = json.Unmarshal(input, &messages)
	}
	for _, text := range messages {
		var m *externalbody.Message
		if m, err = externalbody.Open(bytes.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()}); err != nil {
			break
		}
		var refs []*externalbody.Reference
		for ref := range m.References() {
			refs = append(refs, ref)
		}
		line, _ := json.Marshal(refs)
		fmt.Println(string(line))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
