package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// A start is a wrong call of the program.
type start struct {
	args   string // in one line; $FLEET and $OTHER are explained at startFolder
	status int    // as in OUTPUT.md
	names  string // the flag or argument that the sentence names
}

// starts has wrong starts of each command.
var starts = []start{
	{"bogus", 2, `"bogus"`},
	{"--bogus", 2, "--bogus"},

	{"list --message 7 m.eml", 2, "--message 7"},
	{"list --name [ m.eml", 2, "--name"},
	{"list --dialects bogus m.eml", 2, "--dialects"},
	{"list --share-host x m.eml", 2, "--share-host"},
	{"list --share-hosts none m.eml", 2, "--share-hosts"},
	{"list --json=x m.eml", 2, "--json"},

	{"open --digest md5 m.eml", 2, "--digest"},
	{"open --yes a/b m.eml", 2, "--yes"},
	{"open --max-bytes x m.eml", 2, "--max-bytes"},
	{"open m.eml 2", 2, "terminal"},

	{"accounts check", 2, "check NAME"},
	{"accounts try work", 2, "check NAME"},
	{"accounts check nobody", 2, "there is no account"},
	{"inline --account work --watch x", 2, "--watch"},

	{"native", 2, "--install"},
	{"native --install mutt", 2, "--install"},
	{"native --install thunderbird --remove thunderbird", 2, "--remove"},
	{"native manifest.json other@example.com", 2, "other@example.com"},

	{"get --names x m.eml", 2, "--names"},
	{"get --jobs 0 m.eml", 2, "--jobs"},
	{"get --retry none m.eml", 2, "--retry"},
	{"get --skip-done none m.eml", 2, "--skip-done"},
	{"get --host x m.eml", 2, "--host"},
	{"get --offline m.eml", 2, "--offline"},
	{"get --local-root none m.eml", 2, "--local-root"},
	{"get --fleet bogus m.eml", 2, "--objects"},
	{"get --fleet bogus --objects file:///tmp m.eml", 2, "--fleet"},
	{"get --fleet postgres://127.0.0.1:1/x --objects bogus m.eml", 2, "--objects"},
	{"get --fleet $FLEET --objects file://$DIR m.eml", 2, "--fleet"},
	{"get -o m.eml m.eml", 1, "m.eml"},

	{"inline --in-place", 2, "--in-place"},
	{"inline --in-place -o x m.eml", 2, "--in-place"},
	{"inline --watch none", 2, "--watch"},
	{"inline --policy none m.eml", 2, "--policy"},
	{"inline --policy bad.toml m.eml", 2, "--policy"},
	{"inline --timeout 0 m.eml", 2, "--timeout"},
	{"inline --fleet $FLEET --objects file://$DIR m.eml", 2, "--fleet"},
	{"inline none.eml", 75, "none.eml"},

	{"externalize m.eml", 2, "--store"},
	{"externalize --store s --base-url bogus --min-size 1 m.eml", 2, "--base-url"},
	{"externalize --store s --base-url https://a.example/ --min-size x m.eml", 2, "--min-size"},
	{"externalize --store s --base-url https://a.example/ --min-size 1 --expires x m.eml", 2, "--expires"},

	{"normalize --at x m.eml", 2, "--at"},
	{"normalize --timeout -1s m.eml", 2, "--timeout"},
	{"normalize box", 2, "-o"},

	{"new", 2, "url"},
	{"new --url bogus", 2, "url"},
	{"new --url https://a.example/b --size x", 2, "--size"},
	{"new --url https://a.example/b --expiration x", 2, "--expiration"},

	{"url encode a b", 2, "1 arg"},
	{"url decode a b", 2, "1 arg"},
	{"url unwrap --mail https://a.example/", 2, "--mail"},
	{"url unwrap --bogus", 2, "--bogus"},
	{"data encode a b", 2, "1 arg"},
	{"data encode --bogus", 2, "--bogus"},
	{"data decode bogus", 1, "data: URL"},
	{"data decode --bogus", 2, "--bogus"},

	{"check --fleet $FLEET --objects file://$DIR m.eml", 2, "--fleet"},
	{"check --fleet $OTHER --objects file://$DIR m.eml", 2, "--fleet"},
	{"check --fleet bogus --objects file:///tmp m.eml", 2, "--fleet"},
	{"check --objects file:///tmp m.eml", 2, "--objects"},
	{"check --clamd foo:bar:baz m.eml", 2, "--clamd"},
	{"check --offline m.eml", 2, "--offline"},
	{"check --local-root none m.eml", 2, "--local-root"},
	{"check --policy none m.eml", 2, "--policy"},
	{"check --policy bad.toml m.eml", 2, "--policy"},
	{"check --as-browser --fleet $FLEET --objects file://$DIR m.eml", 2, "--as-browser"},
	{"check --as-browser --clamd foo:bar:baz m.eml", 2, "--clamd"},
	{"check --login-host files.example m.eml", 2, "--login-host"},
	{"check --credentials-command true m.eml", 2, "--credentials-command"},
	{"check --allow-net 10.0.0.0/99 m.eml", 2, "--allow-net"},
	{"check --allow-port 0 m.eml", 2, "--allow-port"},
	{"check --allow-scheme gopher m.eml", 2, "--allow-scheme"},
	{"check --proxy bogus m.eml", 2, "--proxy"},
	{"check --trust-proxy m.eml", 2, "--trust-proxy"},
	{"check --sendmail true m.eml", 2, "--sendmail"},
	{"check --max-run-bytes x m.eml", 2, "--max-run-bytes"},
	{"check --timeout 0 m.eml", 2, "--timeout"},
	{"check --until yesterday m.eml", 2, "--until"},
	{"check --client x m.eml", 2, "--client"},
	{"check --per-message 0 m.eml", 2, "--per-message"},
	{"check --scan-timeout 0 m.eml", 2, "--scan-timeout"},
	{"check --profile x m.eml", 2, "--profile"},
	{"check box", 2, "box"},
	{"check none.eml", 1, "none.eml"},

	{"policy test none", 2, "none"},
	{"policy test bad.toml", 2, "bad.toml"},
	{"policy test ok.toml --clamd foo:bar:baz m.eml", 2, "--clamd"},
	{"policy test ok.toml --offline m.eml", 2, "--offline"},
	{"policy sets x", 2, `"x"`},

	{"serve", 2, "--http"},
	{"serve --http 127.0.0.1:0 --fleet $FLEET --objects file://$DIR", 2, "--fleet"},
	{"serve --http 127.0.0.1:0 --fleet $OTHER --objects file://$DIR", 2, "--fleet"},
	{"serve --http 127.0.0.1:0 --fleet bogus --objects file:///tmp", 2, "--fleet"},
	{"serve --http 127.0.0.1:0 --clamd foo:bar:baz", 2, "--clamd"},
	{"serve --http 127.0.0.1:0 --offline", 2, "--offline"},
	{"serve --http 127.0.0.1:0 --local-root none", 2, "--local-root"},
	{"serve --http 127.0.0.1:0 --policy none", 2, "--policy"},
	{"serve --http 127.0.0.1:0 --policy bad.toml", 2, "--policy"},
	{"serve --http 127.0.0.1:0 --login-host files.example", 2, "--login-host"},
	{"serve --http 127.0.0.1:0 --trust-proxy", 2, "--trust-proxy"},
	{"serve --http 127.0.0.1:0 --sendmail true", 2, "--sendmail"},
	{"serve --http 127.0.0.1:0 --timeout 0", 2, "--timeout"},
	{"serve --http 127.0.0.1:0 --scan-timeout -1s", 2, "--scan-timeout"},
	{"serve --http 127.0.0.1:0 --allow-scheme gopher", 2, "--allow-scheme"},
	{"serve --http bogus", 2, "--http"},
	{"serve --http 127.0.0.1:99999", 2, "--http"},
	{"serve --http fd:x", 1, "--http"},
	{"serve --http $TAKEN", 1, "--http"},
	{"serve --http 127.0.0.1:0 --metrics bogus", 2, "--metrics"},
	{"serve --lmtp 127.0.0.1:0", 2, "--lmtp-next"},
	{"serve --lmtp 127.0.0.1:0 --lmtp-next bogus", 2, "--lmtp-next"},
	{"serve --milter bogus", 2, "--milter"},
	{"serve --http 127.0.0.1:0 --wait -1s", 2, "--wait"},
	{"serve --http 127.0.0.1:0 --http-wait 10h", 2, "--http-wait"},
	{"serve --http 127.0.0.1:0 --messages 0", 2, "--messages"},
	{"serve --http 127.0.0.1:0 --fetches 0", 2, "--fetches"},
	{"serve --http 127.0.0.1:0 --per-host 0", 2, "--per-host"},
	{"serve --http 127.0.0.1:0 --per-client 0", 2, "--per-client"},
	{"serve --http 127.0.0.1:0 --pending 0", 2, "--pending"},
	{"serve --http 127.0.0.1:0 --per-message 0", 2, "--per-message"},
	{"serve --http 127.0.0.1:0 --archive s3://a/b", 2, "--archive"},
	{"serve x", 2, `"x"`},

	{"mcp", 2, "--root"},
	{"mcp --root none", 2, "--root"},
	{"mcp --root box --policy bad.toml", 2, "--policy"},
	{"mcp --root box --offline", 2, "--offline"},
	{"mcp --root box --local-root none", 2, "--local-root"},
	{"mcp --root box --fleet $FLEET --objects file://$DIR", 2, "--fleet"},

	{"archive sync m.eml", 2, "--to"},
	{"archive sync m.eml --to new --resolve bogus", 2, "--resolve"},
	{"archive sync m.eml --to new --resolve hosts --hosts none", 2, "--hosts"},
	{"archive sync m.eml --to new --jobs -1", 2, "--jobs"},
	{"archive sync m.eml --to new --rate -1", 2, "--rate"},
	{"archive sync m.eml --to new --since x", 2, "--since"},
	{"archive sync m.eml --to new --local-root none", 2, "--local-root"},
	{"archive sync m.eml --to new --fleet bogus --objects file:///tmp", 2, "--fleet"},
	{"archive sync m.eml --to m.eml", 1, "m.eml"},
	{"archive retry ar --jobs -1", 2, "--jobs"},
	{"archive retry ar bogus=x", 2, "bogus=x"},
	{"archive retry ar --local-root none", 2, "--local-root"},
	{"archive retry none", 1, "none"},
	{"archive status", 2, "1 arg"},
	{"archive status none", 1, "none"},
	{"archive due --json=x ar", 2, "--json"},
	{"archive due none", 1, "none"},
	{"archive verify ar --head none", 2, "--head"},
	{"archive verify none", 1, "none"},
	{"archive report ar bogus=x", 2, "bogus=x"},
	{"archive report none", 1, "none"},
	{"archive search ar since=x", 2, "since="},
	{"archive search none", 1, "none"},
	{"archive index ar", 2, "--text"},
	{"archive index none --text", 1, "none"},
	{"archive browse ar --http bogus", 2, "--http"},
	{"archive browse ar --http 192.0.2.1:80", 2, "--http"},
	{"archive browse none", 1, "none"},
	{"archive export ar", 2, "--as"},
	{"archive export ar --as bogus -o x", 2, "--as"},
	{"archive export ar --as mbox -o m.eml", 1, "m.eml"},
	{"archive copy ar", 2, "2 arg"},
	{"archive copy none x", 1, "none"},
	{"archive restore ar", 2, "--to"},
	{"archive restore ar bogus=x --to x", 2, "bogus=x"},
	{"archive restore none --to x", 1, "none"},
	{"archive repair ar", 2, "2 arg"},
	{"archive repair none ar", 1, "none"},
	{"archive hold ar", 2, "2 arg"},
	{"archive hold ar bogus=x --reason a", 2, "bogus=x"},
	{"archive holds", 2, "1 arg"},
	{"archive holds none", 1, "none"},
	{"archive release ar", 2, "2 arg"},
	{"archive release none from=a@a.example --reason a", 1, "none"},
	{"archive forget ar from=a@a.example", 2, "--reason"},
	{"archive forget ar bogus=x --reason a", 2, "bogus=x"},
	{"archive forget none from=a@a.example --reason a", 1, "none"},

	{"fetcher", 2, "--fleet"},
	{"fetcher --fleet bogus --objects file:///tmp", 2, "--fleet"},
	{"fetcher --fleet postgres://127.0.0.1:1/x --objects bogus", 2, "--objects"},
	{"fetcher --fleet $FLEET --objects file://$DIR", 2, "--fleet"},
	{"fetcher --fleet $OTHER --objects file://$DIR", 2, "--fleet"},
	{"fetcher --fleet postgres://127.0.0.1:1/x --objects file://$DIR --fetches 0", 2, "--fetches"},
	{"fetcher --fleet postgres://127.0.0.1:1/x --objects file://$DIR --per-host 0", 2, "--per-host"},
	{"fetcher --fleet postgres://127.0.0.1:1/x --objects file://$DIR --metrics bogus", 2, "--metrics"},

	{"fleet init", 2, "--fleet"},
	{"fleet init --fleet bogus", 2, "--fleet"},
	{"fleet init --fleet $FLEET", 1, "database"},
	{"fleet tenant x", 2, "--fleet"},
	{"fleet tenant --fleet bogus x", 2, "--fleet"},
	{"fleet status", 2, "--objects"},
	{"fleet status --fleet postgres://127.0.0.1:1/x --objects bogus", 2, "--objects"},
	{"fleet drain x", 2, "--fleet"},
	{"fleet drain --fleet bogus --objects file:///tmp x", 2, "--fleet"},
	{"fleet who x", 2, "x"},
	{"fleet who --tenant", 2, "--tenant"},
	{"fleet forget none", 2, "none"},
	{"fleet forget --fleet bogus --objects file:///tmp https://a.example/", 2, "--fleet"},

	{"hosts --share-host x", 2, "--share-host"},
	{"hosts --share-hosts none", 2, "--share-hosts"},
	{"config --forget a.example", 1, "a.example"},
	{"config x", 2, `"x"`},
	{"demo x", 2, `"x"`},
	{"demo --keep $DIR/m.eml/x", 1, "not a directory"},
	{"version x", 2, `"x"`},
	{"licenses x", 2, `"x"`},
	{"man x", 2, `"x"`},
	{"help x", 2, `"x"`},
	{"completion bash x", 2, `"x"`},
	{"completion zsh x", 2, `"x"`},
	{"completion fish x", 2, `"x"`},
	{"completion powershell x", 2, `"x"`},
}

// A wrong start is one sentence that names the fault, with the documented status, and the program
// makes nothing (OP-49).
func TestStarts(t *testing.T) {
	program := executable(t)
	dir, set := startFolder(t, program)
	for _, s := range starts {
		t.Run(strings.ReplaceAll(s.args, "/", "|"), func(t *testing.T) {
			t.Parallel()
			args := fields(s.args, set...)
			status, out, said := launch(t, dir, program, args...)
			lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
			sentences := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.HasPrefix(line, "extbody: ") })
			if status != s.status {
				t.Errorf("got the status %d, want %d", status, s.status)
			}
			one := slices.ContainsFunc(sentences, func(line string) bool { return strings.Contains(line, s.names) })
			if !one || len(lines) > 3 || strings.Contains(said, "goroutine") {
				t.Errorf("got %q, want one sentence that names %s", said, s.names)
			}
			if s.status == exit.Usage && !strings.HasPrefix(lines[len(lines)-1], "Run \"extbody ") {
				t.Errorf("got %q, want the command whose help to read", said)
			}
			if s.status == exit.Usage && out != "" {
				t.Errorf("got the output %q, want none", out)
			}
		})
	}
}

// Each command has rows among the starts: more than one if it takes flags of its own.
func TestStartsOfAll(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			visit(c)
		}
		if cmd.HasSubCommands() || cmd.Hidden {
			return
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "extbody ")
		want := 1
		if cmd.HasAvailableInheritedFlags() || cmd.LocalFlags().HasAvailableFlags() {
			want = 2
		}
		if strings.HasPrefix(name, "completion ") {
			want = 1
		}
		rows := 0
		for _, s := range starts {
			if s.args == name || strings.HasPrefix(s.args, name+" ") {
				rows++
			}
		}
		if rows < want {
			t.Errorf("%s: got %d wrong starts, want %d or more", name, rows, want)
		}
	}
	visit(cli.Root(documents, nil))
}

// startFolder returns a folder for wrong starts, and the variables of their lines: its own path, DIR;
// an address that is TAKEN; a database that refuses the login, FLEET; and one that has another
// version of the tables or none, OTHER.
func startFolder(t *testing.T, program string) (dir string, set []string) {
	t.Helper()
	dir = t.TempDir()
	writeText(t, filepath.Join(dir, "m.eml"), "Subject: a\nFrom: a@a.example\nMIME-Version: 1.0\n"+
		"Content-Type: message/external-body; access-type=url; url=\"http://127.0.0.1:1/\"\n\nContent-Type: application/pdf\n\n")
	writeText(t, filepath.Join(dir, "bad.toml"), "[[rule]]\nname = \"x\"\naction = \"bogus\"\n")
	writeText(t, filepath.Join(dir, "ok.toml"), "")
	for _, name := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(dir, "box", name), 0o700))
	}
	if status, _, said := launch(t, dir, program, "archive", "sync", "m.eml", "--to", "ar"); status != exit.OK {
		t.Fatalf("got the status %d, want an archive: %s", status, said)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { taken.Close() })
	database := func(code, text string) string {
		return "postgres://me@" + refusing(t, code, text) + "/x?sslmode=disable"
	}
	return dir, []string{
		"$DIR", filepath.ToSlash(dir),
		"$TAKEN", taken.Addr().String(),
		"$FLEET", database("28P01", "password authentication failed for user \"me\""),
		"$OTHER", database("3D000", "database \"x\" does not exist"),
	}
}

// refusing returns the address of a PostgreSQL server that answers each start of a session with an error.
func refusing(t *testing.T, code, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	fields := "SFATAL\x00VFATAL\x00C" + code + "\x00M" + text + "\x00\x00"
	answer := append([]byte{'E', 0, 0, 0, byte(len(fields) + 4)}, fields...)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				length := make([]byte, 4)
				if _, err := io.ReadFull(c, length); err != nil {
					return
				}
				if _, err := io.CopyN(io.Discard, c, int64(length[3])-4); err == nil {
					c.Write(answer)
				}
			}()
		}
	}()
	return l.Addr().String()
}

// launch runs the program in a folder, and returns its exit status, its output and its errors.
func launch(t *testing.T, dir, program string, args ...string) (status int, out, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatal(fmt.Errorf("%s: %w", args, err))
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}
