package record

import (
	"encoding/json"
	"strings"
	"testing"
)

// No text makes reading records fail in another way than with an error, and what was
// written as a record is read as one.
func FuzzFormers(f *testing.F) {
	f.Add("{\"message\":\"a\",\"index\":0,\"ref\":\"1\",\"status\":\"ok\"}\n")
	f.Add("{\"status\":\"failed\"}\n{\"sta")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		fs := &Formers{known: make(map[string]*former)}
		if fs.read(strings.NewReader(text)) != nil {
			return
		}
		lines := 0
		for line := range strings.Lines(text) {
			if strings.HasSuffix(line, "\n") && json.Valid([]byte(line)) {
				lines++
			}
		}
		if len(fs.known) > lines {
			t.Errorf("got %d records of %d lines", len(fs.known), lines)
		}
	})
}
