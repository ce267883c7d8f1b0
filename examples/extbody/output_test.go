package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli"
	checkcmd "github.com/go-extbody/extbody/examples/extbody/internal/cli/check"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	facts "github.com/go-extbody/extbody/fetch/record"
)

// outputPage returns a section of OUTPUT.md by its heading.
func outputPage(t *testing.T, heading string) string {
	t.Helper()
	text := readText(t, "OUTPUT.md")
	_, section, ok := strings.Cut(text, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("OUTPUT.md: got no section %q, want one", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

var (
	tableRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|`)
	keyName  = regexp.MustCompile("`([a-z0-9_.]+)`")
)

// keysIn returns the keys that the tables of a text have.
func keysIn(text string) map[string]bool {
	keys := make(map[string]bool)
	for _, row := range tableRow.FindAllStringSubmatch(text, -1) {
		for _, name := range keyName.FindAllStringSubmatch(row[1], -1) {
			keys[name[1]] = true
		}
	}
	return keys
}

// elsewhere are types whose keys are documented with the type.
var elsewhere = []reflect.Type{reflect.TypeFor[externalbody.Plan](), reflect.TypeFor[fetch.Exchange](), reflect.TypeFor[facts.TLS]()}

// addKeys adds the keys that encoding/json writes of a type, the keys of structs in it
// with a dot between.
func addKeys(keys map[string]bool, of reflect.Type, prefix string) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || slices.Contains(elsewhere, of) {
		return
	}
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name != "":
			if name != "-" {
				keys[prefix+name] = true
				addKeys(keys, f.Type, prefix+name+".")
			}
		case f.Anonymous:
			addKeys(keys, f.Type, prefix)
		}
	}
}

// OUTPUT.md has each key of the records, and no other.
func TestOutputKeys(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    reflect.Type
		pages []string
	}{
		{"Get", reflect.TypeFor[record.Record](), []string{"Lines of `list --json` and `get --json`"}},
		{"Inline", reflect.TypeFor[rewriting.Record](), []string{"Lines of `list --json` and `get --json`", "Lines of `inline`, `externalize` and `normalize`"}},
	} {
		want := make(map[string]bool)
		addKeys(want, tt.of, "")
		var text strings.Builder
		for _, page := range tt.pages {
			text.WriteString(outputPage(t, page))
		}
		got := keysIn(text.String())
		for key := range want {
			if !got[key] {
				t.Errorf("%s: got no row for %q in OUTPUT.md, want one", tt.name, key)
			}
		}
		for key := range got {
			if !want[key] {
				t.Errorf("%s: got a row for %q in OUTPUT.md, want those of the record alone", tt.name, key)
			}
		}
	}
}

// serve/openapi.yaml has each key of an answer, and no other.
func TestOutputAnswer(t *testing.T) {
	page := readText(t, "serve/openapi.yaml")
	_, schemas, _ := strings.Cut(page, "\n  schemas:\n")
	answer, ref, ok := strings.Cut(schemas, "\n    Ref:\n")
	if !ok {
		t.Fatal("got no schemas, want Answer and then Ref")
	}
	property := regexp.MustCompile(`(?m)^        ([a-z0-9_]+):`)
	for _, tt := range []struct {
		name, schema string
		of           reflect.Type
	}{
		{"Answer", answer, reflect.TypeFor[inspect.Answer]()},
		{"Ref", ref, reflect.TypeFor[inspect.Ref]()},
	} {
		want, got := make(map[string]bool), make(map[string]bool)
		addKeys(want, tt.of, "")
		// Keys with a dot are in another schema.
		maps.DeleteFunc(want, func(key string, _ bool) bool { return strings.Contains(key, ".") })
		for _, m := range property.FindAllStringSubmatch(tt.schema, -1) {
			got[m[1]] = true
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", tt.name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// serve/openapi.yaml has the actions of SERVE.md, and passes the recommended rules of
// redocly, whose folder of npm is in EXTBODY_REDOCLY.
func TestOutputOpenAPI(t *testing.T) {
	page := readText(t, "serve/openapi.yaml")
	_, table := actionTable(t)
	_, list, _ := strings.Cut(page, "        action: { enum: [")
	list, _, _ = strings.Cut(list, "]")
	if got, want := slices.Sorted(strings.SplitSeq(list, ", ")), slices.Sorted(maps.Keys(table)); !slices.Equal(got, want) {
		t.Errorf("got the actions %q, want %q", got, want)
	}
	redocly := os.Getenv("EXTBODY_REDOCLY")
	if redocly == "" {
		t.Skip("EXTBODY_REDOCLY does not name the folder of @redocly/cli")
	}
	cmd := exec.Command("node", filepath.Join(redocly, "bin", "cli.js"), "lint", "--extends=recommended", "--format=stylish", "serve/openapi.yaml")
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	if said, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(said), "You have ") {
		t.Errorf("got error %v, want none and no warning\n%s", err, said)
	}
}

// The statuses in OUTPUT.md are those that there are, and those that a command names in
// its help.
func TestOutputStatuses(t *testing.T) {
	commands := make(map[string][]string) // by a status
	for _, row := range tableRow.FindAllStringSubmatch(outputPage(t, "Exit statuses"), -1) {
		commands[row[1]] = strings.Split(row[2], ", ")
	}
	delete(commands, "status")
	delete(commands, "---")
	all := []int{exit.OK, exit.Failed, exit.Usage, exit.Some, exit.More, checkcmd.StatusFound, checkcmd.StatusSuspicious, checkcmd.StatusMalware, exit.Again}
	var want []string
	for _, status := range all {
		want = append(want, strconv.Itoa(status))
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(commands)); !slices.Equal(got, want) {
		t.Errorf("got rows for %q, want %q", got, want)
	}
	known := make(map[string]bool)
	said := regexp.MustCompile(`(?m)^ +([0-9]+)  `)
	check := func(cmd *cobra.Command, name string) {
		known[name] = true
		_, list, ok := strings.Cut(cmd.Long, "The exit status is\n")
		if !ok {
			return
		}
		for _, m := range said.FindAllStringSubmatch(list, -1) {
			if in := commands[m[1]]; !slices.Contains(in, name) && !slices.Contains(in, "all") && name != "extbody" {
				t.Errorf("%s --help: got status %s, want one of its rows", name, m[1])
			}
		}
		for status, in := range commands {
			if slices.Contains(in, name) && !strings.Contains(list, " "+status+"  ") {
				t.Errorf("%s --help: got no status %s, want it as in OUTPUT.md", name, status)
			}
		}
	}
	root := cli.Root(nil, nil)
	check(root, "extbody")
	for _, cmd := range root.Commands() {
		check(cmd, cmd.Name())
	}
	for status, in := range commands {
		for _, name := range in {
			if name != "all" && !known[name] {
				t.Errorf("status %s: got the command %q, want one that there is", status, name)
			}
		}
	}
}

// A record has no secret of a URL, whatever form it has (RFC 5092 section 6.1).
func TestRecordSecrets(t *testing.T) {
	const token = "Secr3tSecr3t"
	for _, part := range []string{
		`access-type=URL; URL="https://www.dropbox.com/s/` + token + `/a.txt"`,
		`access-type=URL; URL="https://we.tl/t-` + token + `"; x-more="https%3A%2F%2Fwe.tl%2Ft-` + token + `"`,
		`access-type=URL; URL="imap://me@h.example/INBOX/;UID=20;URLAUTH=anonymous:internal:` + token + `"`,
		`access-type=URL; URL="relative?x=` + token + `"`,
		`access-type=URL; URL="ftp://me:` + token + `@h.example/a"; URL="ftp://me:` + token + `@h.example/b"`,
		`access-type=x-http; host=www.dropbox.com; path="/s/` + token + `/a.txt"`,
		`access-type=x-http; host=h.example; path="/a.txt?key=` + token + `"`,
		`access-type=x-http; host=h.example; name="a.txt?key=` + token + `"; x-anchor="` + token + `"`,
	} {
		mail := "Content-Type: message/external-body; " + part + "\n\nContent-Type: text/plain\n\n"
		for _, args := range [][]string{
			{"list"}, {"list", "--json"}, {"get", "-o", t.TempDir()}, {"get", "--json", "-o", t.TempDir()},
			{"get", "--dry-run"}, {"get", "--dry-run", "--json"}, {"inline", "--dry-run", "--json"}, {"normalize", "--json"},
			{"inline", "--json", "--timeout", "5s", "--report", filepath.Join(t.TempDir(), "report")},
		} {
			if args[0] == "get" || args[0] == "inline" {
				// No host is contacted: no name of these is resolved.
				args = append(args, "--max-bytes", "1")
			}
			ctx, cancel := context.WithCancel(t.Context())
			if args[0] == "get" && !slices.Contains(args, "--dry-run") || slices.Contains(args, "--report") {
				cancel()
			}
			_, out, errs := invoke(ctx, mail, args...)
			cancel()
			if args[0] == "inline" || args[0] == "normalize" {
				out = "" // the message
			}
			if i := slices.Index(args, "--report"); i >= 0 {
				report, _ := os.ReadFile(args[i+1])
				out += string(report)
			}
			if strings.Contains(out+errs, token) {
				t.Errorf("%s, %q: got %s%s, want it without %s", part, args, out, errs, token)
			}
		}
	}
}
