package mcp

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// The set-ups of MCP.md are JSON, and their arguments and policies are valid.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../MCP.md")
	if err != nil {
		t.Fatal(err)
	}
	setups := 0
	for _, block := range regexp.MustCompile("(?s)```(json|toml)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if block[1] == "toml" {
			if _, err := inspect.ParsePolicy([]byte(block[2])); err != nil {
				t.Errorf("%s: %v", block[2], err)
			}
			continue
		}
		var file map[string]map[string]struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal([]byte(block[2]), &file); err != nil {
			t.Fatalf("%s: %v", block[2], err)
		}
		for key, servers := range file {
			if key != "servers" && key != "mcpServers" {
				t.Errorf("got the key %q, want servers or mcpServers", key)
			}
			for _, s := range servers {
				setups++
				if len(s.Args) == 0 || s.Args[0] != "mcp" || !strings.HasSuffix(s.Command, "/extbody") {
					t.Fatalf("got %q %q, want extbody mcp", s.Command, s.Args)
				}
				if err := Command().ParseFlags(s.Args[1:]); err != nil {
					t.Errorf("%q: %v", s.Args, err)
				}
			}
		}
	}
	if setups != 3 {
		t.Errorf("got %d set-ups, want 3", setups)
	}
	for _, m := range regexp.MustCompile("`--([a-z-]+)").FindAllStringSubmatch(string(page), -1) {
		if Command().Flags().Lookup(m[1]) == nil {
			t.Errorf("got --%s in the page, want a flag of the command", m[1])
		}
	}
}
