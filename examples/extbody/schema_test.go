package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/fetch"
)

var update = flag.Bool("update", false, "rewrite the schemas")

// schemaOf returns the schema of a type. It allows the keys of the type alone.
func schemaOf[T any](t *testing.T, required ...string) *jsonschema.Schema {
	t.Helper()
	text := &jsonschema.Schema{Type: "string"}
	opts := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[fetch.Kind]():     text,
		reflect.TypeFor[[]byte]():         {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[netip.Addr]():     text,
		reflect.TypeFor[netip.AddrPort](): text,
	}}
	s, err := jsonschema.For[T](opts)
	must(t, err)
	if plan := s.Properties["plan"]; plan != nil {
		facts, err := jsonschema.For[planFacts](opts)
		must(t, err)
		maps.Copy(plan.Properties, facts.Properties)
		plan.PropertyOrder = append(plan.PropertyOrder, facts.PropertyOrder...)
		plan.Required = append(plan.Required, facts.Required...)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Required = required
	return s
}

// The planFacts are the members of a Plan in JSON that are facts of its Reference.
type planFacts struct {
	Reference  string    `json:"ref"`
	Dialect    string    `json:"dialect,omitempty"`
	AccessType string    `json:"access_type"`
	Account    string    `json:"account,omitempty"`
	Provider   string    `json:"provider,omitempty"`
	MediaType  string    `json:"content_type,omitempty"`
	Name       string    `json:"name,omitempty"`
	Size       int64     `json:"size"`
	Expiration time.Time `json:"expiration,omitzero"`
}

// open allows other keys: a newer version may add some.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	open(s.Items)
	for _, p := range s.Properties {
		open(p)
	}
}

// TestSchemas holds the published schemas to the types that the commands write, and the
// output of the commands to the schemas.
func TestSchemas(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.eml":   tutorialMail,
		"b.eml":   strings.Replace(tutorialMail, "data:text/plain,hello", "http://127.0.0.1:1/x", 1),
		"bad.eml": "Content-Type: message/external-body; access-type=none-such\n\nContent-Type: a/b\n\n",
		"parts.eml": "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n" +
			"Content-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: base64\n\nAAAAAAAAAAAAAAAAAAAA\n--b--\n",
		"shown.eml": "Content-Type: text/html\n\n<link rel=stylesheet href=https://a.example/a.css>\n",
		"linked.eml": "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n" +
			`<ul><li class="cloudAttachmentItem" data-content-location="https://files.example/s/hello.txt"><a class="cloudfile-name" href="https://files.example/s/hello.txt">hello.txt</a></li></ul>` +
			"\n--b--\n",
	} {
		writeText(t, filepath.Join(dir, name), text)
	}
	for _, tt := range []struct {
		file   string
		schema *jsonschema.Schema
		stderr bool // has the lines, since the message is the output
		runs   [][]string
	}{
		{"record.schema.json", schemaOf[record.Record](t, "message", "index", "status"), false, [][]string{
			{"list", "--json", dir},
			{"list", "--json", filepath.Join(dir, "none")},
			{"get", "--json", "--dry-run", dir},
			{"get", "--json", "--trace", "-o", filepath.Join(dir, "out"), dir},
		}},
		{"answer.schema.json", schemaOf[inspect.Answer](t, "verdict", "action"), false, [][]string{
			{"check", "--json", "--no-resolve", filepath.Join(dir, "a.eml")},
			{"check", "--json", filepath.Join(dir, "b.eml")},
		}},
		{"rewriting.schema.json", schemaOf[rewriting.Record](t, "message", "index", "status"), true, [][]string{
			{"inline", "--json", filepath.Join(dir, "a.eml")},
			{"inline", "--json", "--notice", filepath.Join(dir, "b.eml")},
			{"inline", "--json", filepath.Join(dir, "bad.eml")},
			{"inline", "--json", "--dialects", "remote-images", filepath.Join(dir, "shown.eml")},
			{"inline", "--json", "--sealed", filepath.Join(dir, "shown.eml")},
			{"externalize", "--json", "--store", filepath.Join(dir, "store"), "--base-url", "https://parts.example/", "--min-size", "1", filepath.Join(dir, "parts.eml")},
			{"normalize", "--json", filepath.Join(dir, "linked.eml")},
		}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			strict, err := tt.schema.Resolve(nil)
			must(t, err)
			n, actions := 0, make(map[any]bool)
			for _, args := range tt.runs {
				var out, said bytes.Buffer
				run(t.Context(), args, strings.NewReader(""), &out, &said)
				lines := out.Bytes()
				if tt.stderr {
					lines = said.Bytes() // the output is the message
				}
				for line := range bytes.Lines(lines) {
					var v map[string]any
					must(t, json.Unmarshal(line, &v))
					if err := strict.Validate(v); err != nil {
						t.Errorf("%q: got %s, want a line of the schema: %v", args, line, err)
					}
					n++
					actions[v["action"]] = true
				}
			}
			if want := []any{"replaced", "noticed", "failed", "added"}; tt.stderr && slices.ContainsFunc(want, func(a any) bool { return !actions[a] }) {
				t.Errorf("got the actions %v, want %v", actions, want)
			}
			if n < len(tt.runs) {
				t.Errorf("got %d lines of %d commands, want at least one each", n, len(tt.runs))
			}
			open(tt.schema)
			want, err := json.MarshalIndent(tt.schema, "", "\t")
			must(t, err)
			want = append(want, '\n')
			path := filepath.Join("schema", tt.file)
			if *update {
				must(t, os.WriteFile(path, want, 0o644))
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: got %d octets, %v, want the schema of the type: go test -run TestSchemas ./examples/extbody -update", path, len(got), err)
			}
		})
	}
}

// TestReaders runs the readers of schema/README.md.
func TestReaders(t *testing.T) {
	dir := t.TempDir()
	mail := filepath.Join(dir, "a.eml")
	writeText(t, mail, tutorialMail)
	for _, tt := range []struct{ language, program, file string }{{"python", "python3", "r.py"}, {"js", "node", "r.mjs"}} {
		t.Run(tt.language, func(t *testing.T) {
			installed(t, tt.program)
			code := blocks(t, "schema/README.md", tt.language, "")[0]
			if lines := strings.Count(code, "\n"); lines > 20 {
				t.Fatalf("got %d lines, want a block of at most 20", lines)
			}
			path := filepath.Join(dir, tt.file)
			writeText(t, path, code)
			out, err := exec.CommandContext(t.Context(), tt.program, path, mail).Output()
			if err != nil || !strings.HasPrefix(string(out), "1 data:text/plain") {
				t.Errorf("got %v, %s, want a count of the URL", err, out)
			}
		})
	}
}
