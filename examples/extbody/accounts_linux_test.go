package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// OP-55: open shows the account in its question, and uses it after that. A host that is not in the list of the account is
// another question.
func TestOpenUsesAccount(t *testing.T) {
	for name, vanity := range map[string]bool{"Tenant": false, "Vanity": true} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			if vanity {
				o.nameVanity()
			}
			o.open(t)
		})
	}
}

// open opens the file of the mail, and agrees to each question.
func (o *office) open(t *testing.T) {
	out := filepath.Join(o.dir, "out")
	cmd := exec.Command(executable(t), append([]string{"open", "--no-open", "-o", out, o.mail}, o.flags...)...)
	p := startInTerminal(t, cmd)
	first := p.wait("[y/N/always] ")
	if text := strings.Join(strings.Fields(first), " "); !strings.Contains(text, " as ann@contoso.example (work); its owner can see that") || o.used() {
		t.Errorf("got %s, want a question with the account before a token", text)
	}
	p.WriteString("y")
	if second := p.waitAfter(first, "[y/N"); !strings.Contains(second[len(first):], strings.TrimPrefix(o.Octets.URL, "https://")) {
		t.Errorf("got %s, want a question about the host of the octets", second[len(first):])
	}
	p.WriteString("y")
	if status := p.end(); status != 0 || !o.used() {
		t.Errorf("got the status %d, want 0 and the account used\n%s", status, p.words())
	}
	if got, err := os.ReadFile(filepath.Join(out, "report.pdf")); err != nil || string(got) != "%PDF-1.4 third and last" {
		t.Errorf("got %q, %v; want the file", got, err)
	}
}

// OP-55: a server uses no account, with the settings of a user who has one, and a mail with a link to a file of it.
func TestServersUseNoAccount(t *testing.T) {
	for name, ask := range map[string]func(*office, *testing.T){
		"Serve": (*office).serve, "ServeVanity": (*office).serveVanity, "MCP": (*office).mcp, "Fetcher": (*office).fetcher, "Browse": (*office).browse,
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			ask(o, t)
			if o.used() {
				t.Error("got the account used, want it unused")
			}
			if n := o.Requests(""); n > 0 {
				t.Errorf("got %d requests to the API and for octets, want none", n)
			}
		})
	}
}

// serve asks a serve about the mail.
func (o *office) serve(t *testing.T) {
	d := started(t, "", o.flags, "--http", "./http")
	var a *inspect.Answer
	d.until("an outcome", func() (done bool) {
		var err error
		a, err = d.ask(d.client("http"), readText(t, o.mail))
		return err == nil && a.Verdict != inspect.Pending
	})
	if len(a.Refs) != 1 || a.Verdict == inspect.Clean {
		t.Errorf("got the verdict %q on %d files, want that one cannot be had", a.Verdict, len(a.Refs))
	}
	d.terminate()
}

// serveVanity asks a serve about a mail with a link at a host that the settings of the user name alone. It has no file for
// the server, which reads no settings.
func (o *office) serveVanity(t *testing.T) {
	o.nameVanity()
	d := started(t, "", o.flags, "--http", "./http")
	a, err := d.ask(d.client("http"), readText(t, o.mail))
	if err != nil || len(a.Refs) != 0 {
		t.Errorf("got %+v, %v; want no file", a, err)
	}
	d.terminate()
}

// mcp asks for the file, to which the user of the client agrees.
func (o *office) mcp(t *testing.T) {
	var asked []string
	agree := func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked = append(asked, req.Params.Message)
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
	}
	cmd := exec.Command(executable(t), append([]string{"mcp", "--root", o.dir, "--output", filepath.Join(o.dir, "out")}, o.flags...)...)
	c := sdk.NewClient(&sdk.Implementation{Name: "test"}, &sdk.ClientOptions{ElicitationHandler: agree})
	session, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	must(t, err)
	defer session.Close()
	args := map[string]any{"path": "mail.eml", "index": 0, "ref": o.ref()}
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get", Arguments: args})
	must(t, err)
	text, err := json.Marshal(res)
	must(t, err)
	if len(asked) != 1 || !strings.Contains(asked[0], "contoso.sharepoint.com") {
		t.Errorf("got the questions %q, want one about the host of the link\n%s", asked, text)
	}
	if !res.IsError {
		t.Errorf("got %s, want no file", text)
	}
}

// fetcher has a fetcher of a fleet get the file.
func (o *office) fetcher(t *testing.T) {
	db := daemons.StartPostgres(t)
	fleet := []string{"--fleet", db.URL, "--objects", "file://" + filepath.Join(o.dir, "objects")}
	ran(t, 0, append([]string{"fleet", "init"}, fleet...)...)
	cmd := exec.Command(executable(t), append(append([]string{"fetcher"}, fleet...), o.flags...)...)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	status, text := o.run("", append([]string{"check", "--json", o.mail}, fleet...)...)
	if !strings.Contains(text, `"state":"failed"`) {
		t.Errorf("got %d, %s; want the outcome of the fetcher", status, text)
	}
}

// browse looks at the pages of an archive with the mail.
func (o *office) browse(t *testing.T) {
	archive := filepath.Join(o.dir, "archive")
	o.run("", append([]string{"archive", "sync", "--to", archive, o.maildir}, o.flags...)...)
	cmd := exec.Command(executable(t), "archive", "browse", archive, "--http", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	base, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	resp, err := http.Get(strings.TrimSpace(base) + "?q=from=stranger.example")
	must(t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(page), "eve@stranger.example") {
		t.Errorf("got\n%s, %v; want the mail", page, err)
	}
}
