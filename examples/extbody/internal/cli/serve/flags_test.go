package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mistake that only this server makes of a rule names the file and the line, as one of the text does.
func TestPolicyNeeds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.toml")
	rule := "[[rule]]\nname = \"r\"\n"
	for name, tt := range map[string]struct {
		text string
		set  func(*flags)
	}{
		"Text":    {rule + "acton = \"tag\"", nil},
		"Scanner": {rule + "signature = \"x\"\naction = \"tag\"", nil},
		"Archive": {rule + "action = \"capture\"", nil},
		"Milter":  {rule + "action = \"inline\"", func(s *flags) { s.milter = "127.0.0.1:1" }},
		"LMTP":    {rule + "action = \"hold\"", func(s *flags) { s.lmtp = "127.0.0.1:1" }},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := new(flags)
		s.File = file
		if tt.set != nil {
			tt.set(s)
		}
		if _, err := s.readPolicy(); err == nil || !strings.HasPrefix(err.Error(), "--policy: "+file+": line ") {
			t.Errorf("%s: got %v, want the file and the line", name, err)
		}
	}
}
