package native

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
)

var update = flag.Bool("update", false, "rewrite the schema")

const pdf = "%PDF-1.7 report"

func servePDF(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, pdf) }

// A mail is listed and planned without a contact; a get of a plan saves the file, once (OP-58).
func TestSession(t *testing.T) {
	s := newSite(t, servePDF)
	c := call(t, s.flags()...)
	if a, _ := c.ask(Request{Op: "hello"}); a.Protocol != 1 || a.Folder != c.dir || a.Most != 100<<20 || !strings.HasPrefix(a.Program, "extbody ") {
		t.Errorf("hello: got %+v", a)
	}
	mail := mailWith(s.URL+"/a", s.URL+"/b", "http://169.254.169.254/latest/", "data:application/pdf,%25PDF")
	if a := c.hand(mail); a.Error != "" || a.Total != 4 || a.Taken != int64(len(mail)) {
		t.Fatalf("open: got %+v", a)
	}
	a, _ := c.ask(Request{Op: "list", Count: 3})
	if a.Total != 4 || !a.More || len(a.Files) != 3 || a.Files[0].Name != "0.pdf" || a.Files[0].Kind != "PDF" || a.Files[0].Host != strings.TrimPrefix(s.URL, "http://") {
		t.Errorf("list: got %+v", a)
	}
	if a, _ := c.ask(Request{Op: "list", From: 4}); a.More || len(a.Files) != 1 || a.Files[0].Host != "in the message" {
		t.Errorf("list from 4: got %+v", a)
	}
	a, _ = c.ask(Request{Op: "plan"})
	if len(a.Contacts) != 3 {
		t.Fatalf("plan: got %+v, want three contacts", a)
	}
	ours, blocked, local := a.Contacts[0], a.Contacts[1], a.Contacts[2]
	if !slices.Equal(ours.Files, []int{1, 2}) || ours.Secure || ours.Keeps || !strings.Contains(ours.Summary, "learns") {
		t.Errorf("the host: got %+v", ours)
	}
	if !strings.Contains(blocked.Refused, "169.254.169.254") || !local.Local {
		t.Errorf("got %+v and %+v, want a refusal and a file in the message", blocked, local)
	}
	if n := s.asked.Load(); n != 0 || len(c.files()) != 0 {
		t.Fatalf("got %d requests and the files %q before a get, want none", n, c.files())
	}
	last, events := c.ask(Request{Op: "get", Plan: ours.Plan})
	saved := 0
	for _, e := range events {
		if e.Event == "saved" {
			saved++
		}
	}
	if last.Error != "" || saved != 2 || s.asked.Load() != 2 || !slices.Equal(c.files(), []string{"0.pdf", "1.pdf"}) {
		t.Errorf("get: got %+v after %d files, %d requests and %q", last, saved, s.asked.Load(), c.files())
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, "1.pdf")); err != nil || string(text) != pdf {
		t.Errorf("got %q, %v, want the octets of the server", text, err)
	}
	if _, events := c.ask(Request{Op: "get", Plan: blocked.Plan}); len(events) != 1 || events[0].Event != "failed" || events[0].Kind != "blocked" {
		t.Errorf("the blocked one: got %+v", events)
	}
	if a, _ := c.ask(Request{Op: "list"}); a.Files[0].Status != "ok" || a.Files[2].Status != "failed" || a.Files[3].Status != "" {
		t.Errorf("list after it: got %+v", a.Files)
	}
	c.end()
	if err := <-c.done; err != nil {
		t.Errorf("got %v at the end of the input, want no error", err)
	}
}

// A program shows a file by the rules of open: never one that can run.
func TestShow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("xdg-open is of Linux")
	}
	bin := t.TempDir()
	opened := filepath.Join(bin, "opened")
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$@\" >>\""+opened+"\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("DISPLAY", ":99")
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "html") {
			w.Header().Set("Content-Type", "text/html")
		}
		servePDF(w, r)
	})
	c := call(t, s.flags()...)
	mail := mailWith(s.URL+"/a", s.URL+"/b.html")
	c.hand(strings.Replace(mail, "Content-Type: application/pdf\nContent-Disposition: attachment; filename=1.pdf",
		"Content-Type: text/html\nContent-Disposition: attachment; filename=1.html", 1))
	c.ask(Request{Op: "get", Plan: c.plan()})
	if a, _ := c.ask(Request{Op: "show", File: 2}); a.Shown || !strings.Contains(a.Text, "can run") {
		t.Errorf("a page: got %+v, want a refusal", a)
	}
	if a, _ := c.ask(Request{Op: "show", File: 1}); !a.Shown || a.Text != "opened with xdg-open" {
		t.Errorf("a PDF: got %+v, want it opened", a)
	}
	if a, _ := c.ask(Request{Op: "reveal", File: 1}); !a.Shown || a.Error != "" {
		t.Errorf("its folder: got %+v, want it shown", a)
	}
	want := filepath.Join(c.dir, "0.pdf") + "\n" + c.dir + "\n"
	if text, err := os.ReadFile(opened); err != nil || string(text) != want {
		t.Errorf("got %q, %v, want %q", text, err, want)
	}
}

// A redirect to another host is a question, whose answer counts once.
func TestRedirect(t *testing.T) {
	other := newSite(t, servePDF)
	first := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/x", http.StatusFound) })
	c := call(t, append(first.flags(), other.flags()...)...)
	c.hand(mailWith(first.URL + "/a"))
	for _, agree := range []bool{false, true} {
		id := c.send(Request{Op: "get", Plan: c.plan()})
		a := c.next()
		for a.Event == "progress" {
			a = c.next()
		}
		if a.Event != "ask" || a.ID != id || len(a.Contacts) != 1 || a.Contacts[0].Host != strings.TrimPrefix(other.URL, "http://") || other.asked.Load() != 0 {
			t.Fatalf("got %+v after %d requests, want a question about the other host", a, other.asked.Load())
		}
		plan := a.Contacts[0].Plan
		op, want := "cancel", "failed"
		if agree {
			op, want = "get", "saved"
		}
		c.send(Request{Op: op, Plan: plan})
		got := ""
		for ended := false; !ended; {
			a := c.next()
			if a.Event == "saved" || a.Event == "failed" {
				got = a.Event
			}
			ended = a.ID == id && a.Event == ""
		}
		if got != want {
			t.Errorf("agree %t: got %q, want %q", agree, got, want)
		}
		if a, _ := c.ask(Request{Op: op, Plan: plan}); a.Error == "" {
			t.Errorf("the same answer again: got %+v, want an error", a)
		}
	}
	if other.asked.Load() != 1 {
		t.Errorf("got %d requests to the other host, want 1", other.asked.Load())
	}
}

// A get that is canceled leaves no file. So does one whose extension has gone.
func TestCancel(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		io.WriteString(w, strings.Repeat("x", 300_000))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	for _, gone := range []bool{false, true} {
		c := call(t, s.flags()...)
		c.hand(mailWith(s.URL + "/a"))
		plan := c.plan()
		id := c.send(Request{Op: "get", Plan: plan})
		for a := c.next(); a.Octets < 250_000; a = c.next() { // the octets before a pause are reported
		}
		if gone {
			c.end()
			if err := <-c.done; err != nil {
				t.Errorf("got %v, want no error", err)
			}
		} else {
			c.send(Request{Op: "cancel", Plan: plan})
			text := ""
			for a := c.next(); a.ID != id || a.Event != ""; a = c.next() {
				text += a.Text
			}
			if text != errCanceled.Error() {
				t.Errorf("got %q, want %q", text, errCanceled)
			}
		}
		if names := c.files(); len(names) > 0 {
			t.Errorf("gone %t: got the files %q, want none", gone, names)
		}
	}
}

// Always is for encrypted contacts alone, and is kept for that host.
func TestAlways(t *testing.T) {
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // the certificate is refused
	tls.StartTLS()
	t.Cleanup(tls.Close)
	s := newSite(t, servePDF)
	file := filepath.Join(t.TempDir(), "extbody", "config.toml")
	kept := new(settings.Settings)
	if err := kept.Load(file, nil, func() *cobra.Command { return new(cobra.Command) }); err != nil {
		t.Fatal(err)
	}
	port := tls.URL[strings.LastIndex(tls.URL, ":")+1:]
	c := callWith(t, kept, append(s.flags(), "--allow-port", port)...)
	c.hand(mailWith(s.URL+"/a", tls.URL+"/b"))
	if a, _ := c.ask(Request{Op: "get", Plan: c.plan(1), Always: true}); a.Error != errKeepsNot.Error() || s.asked.Load() != 0 {
		t.Errorf("http: got %+v after %d requests, want %q", a, s.asked.Load(), errKeepsNot)
	}
	a, _ := c.ask(Request{Op: "plan", Files: []int{2}})
	if !a.Contacts[0].Keeps || !a.Contacts[0].Secure {
		t.Fatalf("https: got %+v, want a contact that can be kept", a.Contacts[0])
	}
	c.ask(Request{Op: "get", Plan: a.Contacts[0].Plan, Always: true})
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "127.0.0.1:"+port) || strings.Contains(string(text), strings.TrimPrefix(s.URL, "http://")) {
		t.Errorf("got %q, %v, want that host and no other", text, err)
	}

	// The next message has that host by both ways. Only the encrypted one is agreed to (OP-57).
	later := new(settings.Settings)
	if err := later.Load(file, nil, func() *cobra.Command { return new(cobra.Command) }); err != nil {
		t.Fatal(err)
	}
	c = callWith(t, later, "--allow-net", "127.0.0.0/8", "--allow-port", port)
	c.hand(mailWith("http://127.0.0.1:"+port+"/c", tls.URL+"/d"))
	a, _ = c.ask(Request{Op: "plan"})
	if len(a.Contacts) != 2 {
		t.Fatalf("got %+v, want a contact for each way", a.Contacts)
	}
	for _, contact := range a.Contacts {
		if agreed := contact.Agreed != ""; agreed != contact.Secure {
			t.Errorf("got %+v, want an agreement where it is encrypted", contact)
		}
	}
}

// OP-55: the extension uses the accounts of the user, after a plan that names the account. A link to SharePoint at a host
// that an organisation has for it is one if the host is named.
func TestAccount(t *testing.T) {
	const vanity = "https://files.contoso.example/:b:/s/team/EabcdefghijklmnopqrsT"
	text := func(link string) string {
		return "From: a@a.example\nMIME-Version: 1.0\nContent-Type: text/plain\n\nThe report: <" + link + ">\n"
	}
	for _, tt := range []struct {
		name, mail string
		flags      []string
		files      int
	}{
		{"ExternalBody", mailWith("https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT"), nil, 1},
		{"Link", text("https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT"), nil, 1},
		{"VanityNotNamed", text(vanity), nil, 0},
		{"Vanity", text(vanity), []string{"--share-host", "sharepoint=files.contoso.example"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) { testAccount(t, tt.mail, tt.files, tt.flags...) })
	}
}

func testAccount(t *testing.T, mail string, files int, flags ...string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	mark := filepath.Join(dir, "mark")
	text := fmt.Sprintf("[account.work]\nprovider = 'graph'\nuser = 'ann@contoso.example'\nhosts = ['contoso.sharepoint.com', 'files.contoso.example']\n"+
		"token-command = \"echo run >'%s'; echo good\"\nfirst = true\ncloud = 'https://127.0.0.1:1/v1.0'\n", mark)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := new(settings.Settings)
	if err := kept.Load(file, nil, func() *cobra.Command { return new(cobra.Command) }); err != nil {
		t.Fatal(err)
	}
	c := callWith(t, kept, append(flags, "--allow-net", "127.0.0.0/8", "--allow-port", "1")...)
	if a := c.hand(mail); a.Total != files {
		t.Fatalf("got %+v, want %d files", a, files)
	}
	if files == 0 {
		return
	}
	a, _ := c.ask(Request{Op: "plan"})
	if len(a.Contacts) != 1 || !strings.Contains(a.Contacts[0].Summary, "asked at 127.0.0.1:1 as ann@contoso.example (work)") {
		t.Fatalf("got %+v, want a plan with the account", a)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("got a token for a plan, want none")
	}
	_, events := c.ask(Request{Op: "get", Plan: a.Contacts[0].Plan})
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("got %v after %+v, want a token for the file", err, events)
	}
}

// A mail with many files is listed in pieces, and each answer has room.
func TestMany(t *testing.T) {
	const many = 5000
	var urls []string
	for i := range many {
		urls = append(urls, fmt.Sprintf("https://h%d.example/%s", i%1000, strings.Repeat("x", 100)))
	}
	mail := strings.ReplaceAll(mailWith(urls...), "filename=", "filename="+strings.Repeat("n", 150))
	c := call(t)
	if a := c.hand(mail); a.Total != many || a.Error != "" {
		t.Fatalf("got %+v, want %d files", a, many)
	}
	listed, answers := 0, 0
	for more := true; more; answers++ {
		a, _ := c.ask(Request{Op: "list", From: listed + 1})
		listed += len(a.Files)
		more = a.More
	}
	if listed != many || answers < 2 {
		t.Errorf("got %d files in %d answers, want %d in several", listed, answers, many)
	}
	if a, _ := c.ask(Request{Op: "plan"}); len(a.Contacts) != 1000 || a.More {
		t.Errorf("got %d contacts, want 1000", len(a.Contacts))
	}
}

// A host gives nothing to a caller that is not the extension at its work: no request, no file, no program.
func TestHostileCallers(t *testing.T) {
	s := newSite(t, servePDF)
	mail := mailWith(s.URL + "/a")
	opened := request(t, &Request{ID: 1, Op: "open", Octets: []byte(mail), Last: true})
	q := func(r Request) string { return request(t, &r) }
	for _, tt := range []struct {
		name, input string
		want        string // in an error, and "" for the end without an answer
	}{
		{"LongestLength", "\xff\xff\xff\xff", "longer"},
		{"TooLong", frame(strings.Repeat(" ", maxRequest+1)), "longer"},
		{"CutLength", "\x01\x00", ""},
		{"CutFrame", "\x10\x00\x00\x00{", "unexpected EOF"},
		{"NoOctets", frame(""), "not a request"},
		{"NoJSON", frame("hello"), "not a request"},
		{"List", frame(`[{"id":1,"op":"hello"}]`), "not a request"},
		{"Two", frame(`{"id":1,"op":"hello"} {"id":2}`), "not a request"},
		{"Deep", frame(strings.Repeat("[", 100_000)), "not a request"},
		{"Path", frame(`{"id":1,"op":"open","path":"/etc/passwd","last":true}`), "not a request"},
		{"URL", opened + frame(`{"id":1,"op":"get","url":"http://127.0.0.1/"}`), "not a request"},
		{"Base64", frame(`{"id":1,"op":"open","octets":"%%%"}`), "not a request"},
		{"NumberOfAnotherKind", frame(`{"id":1,"op":"show","file":"../../x"}`), "not a request"},
		{"NoOperation", q(Request{Op: "eval"}), errOp.Error()},
		{"GetFirst", q(Request{Op: "get", Plan: "x"}), errNoPlan.Error()},
		{"GetWithoutPlan", opened + q(Request{Op: "get"}), errNoPlan.Error()},
		{"GetGuessed", opened + q(Request{Op: "plan"}) + q(Request{Op: "get", Plan: noPlan}), errNoPlan.Error()},
		{"GetByURL", opened + q(Request{Op: "get", Plan: s.URL + "/a"}), errNoPlan.Error()},
		{"PlanFirst", q(Request{Op: "plan"}), errNotOpen.Error()},
		{"ListFirst", q(Request{Op: "list"}), errNotOpen.Error()},
		{"PlanOfNone", opened + q(Request{Op: "plan", Files: []int{2}}), errNoFile.Error()},
		{"PlanOfNegative", opened + q(Request{Op: "plan", Files: []int{-1}}), errNoFile.Error()},
		{"SecondMessage", opened + opened, errWhole.Error()},
		{"LargePiece", q(Request{Op: "open", Octets: make([]byte, Piece+1)}), errPiece.Error()},
		{"LargeMessage", q(Request{Op: "open", Octets: make([]byte, 2000)}), "--max-message"},
		{"ShowUnsaved", opened + q(Request{Op: "show", File: 1}), errUnsaved.Error()},
		{"RevealNegative", opened + q(Request{Op: "reveal", File: -1}), errUnsaved.Error()},
		{"CancelNone", opened + q(Request{Op: "cancel", Plan: "x"}), errNoPlan.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "files")
			cmd := command(new(settings.Settings), append(s.flags(), "-o", dir, "--max-message", "1500", "m", extension))
			var out bytes.Buffer
			cmd.SetIn(strings.NewReader(tt.input))
			cmd.SetOut(&out)
			cmd.ExecuteContext(t.Context())
			said := ""
			for {
				a, err := readAnswer(&out)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				said += a.Error
			}
			if tt.want == "" && !strings.Contains(said, "unexpected EOF") || !strings.Contains(said, tt.want) {
				t.Errorf("got %q, want an error with %q", said, tt.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("got a folder for files, want none")
			}
		})
	}
	for _, args := range [][]string{
		{}, {"m"}, {"m", "other@example.com"}, {"m", strings.ToUpper(extension)}, {extension, "m"},
		{"--install", "thunderbird", "m", extension}, {"--install", "mutt"}, {"--install", "thunderbird", "--remove", "thunderbird"},
	} {
		cmd := command(new(settings.Settings), append(args, s.flags()...))
		var out bytes.Buffer
		cmd.SetIn(strings.NewReader(opened))
		cmd.SetOut(&out)
		if err := cmd.ExecuteContext(t.Context()); err == nil || out.Len() > 0 {
			t.Errorf("%q: got %v and %d octets, want a mistake and none", args, err, out.Len())
		}
	}
	if n := s.asked.Load(); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
}

// A plan of one session counts for no other, and once.
func TestPlanOnce(t *testing.T) {
	s := newSite(t, servePDF)
	a, b := call(t, s.flags()...), call(t, s.flags()...)
	a.hand(mailWith(s.URL + "/a"))
	b.hand(mailWith(s.URL + "/a"))
	plan := a.plan()
	if got, _ := b.ask(Request{Op: "get", Plan: plan}); got.Error != errNoPlan.Error() {
		t.Errorf("another session: got %+v, want %q", got, errNoPlan)
	}
	if got, _ := a.ask(Request{Op: "get", Plan: plan}); got.Error != "" {
		t.Errorf("got %+v, want the file", got)
	}
	if got, _ := a.ask(Request{Op: "get", Plan: plan}); got.Error != errNoPlan.Error() {
		t.Errorf("again: got %+v, want %q", got, errNoPlan)
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
}

// FuzzFrames wants the end of any input, answers that a browser takes, and nothing written.
func FuzzFrames(f *testing.F) {
	opened := request(f, &Request{ID: 1, Op: "open", Octets: []byte(mailWith("https://a.example/x")), Last: true})
	f.Add([]byte(opened + request(f, &Request{ID: 2, Op: "list"}) + request(f, &Request{ID: 3, Op: "plan"}) + request(f, &Request{ID: 4, Op: "get", Plan: "x"})))
	f.Add([]byte(request(f, &Request{ID: 1, Op: "hello"}) + "\xff\xff\xff\xff"))
	f.Add([]byte(frame(`{"id":1,"op":"show","file":1}`)))
	f.Fuzz(func(t *testing.T, input []byte) {
		dir := filepath.Join(t.TempDir(), "files")
		cmd := command(new(settings.Settings), []string{"-o", dir, "m", extension})
		var out bytes.Buffer
		cmd.SetIn(bytes.NewReader(input))
		cmd.SetOut(&out)
		cmd.ExecuteContext(t.Context())
		for {
			_, err := readAnswer(&out)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(dir); err == nil {
			t.Error("got a folder for files, want none")
		}
	})
}

// The manifest allows one extension, and the script runs this program.
func TestInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it would write to the registry of the user")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	out := run1(t, "--install", "thunderbird")
	dir, err := folder()
	if err != nil || !strings.HasPrefix(dir, home) {
		t.Fatal(dir, err)
	}
	at := placeIn(dir)
	text, err := os.ReadFile(at.manifest)
	var m manifest
	if err != nil || json.Unmarshal(text, &m) != nil {
		t.Fatalf("got %q, %v, want a manifest", text, err)
	}
	if m.Name != hostName || m.Type != "stdio" || m.Path != at.script || !slices.Equal(m.AllowedExtensions, []string{extension}) {
		t.Errorf("got %+v", m)
	}
	script, err := os.ReadFile(at.script)
	if err != nil || strings.Count(string(script), "\n") != 2 {
		t.Errorf("got %q, %v, want two lines", script, err)
	}
	if !strings.Contains(out, at.manifest) || !strings.Contains(out, at.script) {
		t.Errorf("got %q, want the names of the files", out)
	}
	run1(t, "--install", "thunderbird") // again
	if out := run1(t, "--remove", "thunderbird"); !strings.Contains(out, at.manifest) {
		t.Errorf("got %q, want the names of the files", out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("got %q after --remove, want nothing", left)
	}
	if out := run1(t, "--remove", "thunderbird"); out != "Nothing was installed.\n" {
		t.Errorf("got %q", out)
	}
	if err := os.WriteFile(at.manifest, []byte(`{"name":"extbody","allowed_extensions":["other@example.com"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := command(new(settings.Settings), []string{"--remove", "thunderbird"}).Execute(); err == nil {
		t.Error("the manifest of another program: got no error, want one")
	}
}

func run1(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := command(new(settings.Settings), args)
	cmd.SetOut(&out)
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The script passes on its arguments, whatever is in the path of the program.
func TestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is of a shell")
	}
	dir := filepath.Join(t.TempDir(), "it's $HOME `a` \"b\"")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "extbody")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := scriptFor(program)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "extbody.sh")
	if err := os.WriteFile(script, text, 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(script, "/a b/m.json", extension).CombinedOutput()
	if want := "native|/a b/m.json|" + extension + "|"; err != nil || string(out) != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
	if _, err := scriptFor("/a\nb"); err == nil {
		t.Error("a line end: got no error, want one")
	}
	for path, want := range map[string]bool{"/tmp/go-build12/b001/exe/extbody": true, "/home/go-build/exe/extbody": false, "/usr/bin/extbody": false} {
		if got := isOfGoRun(path); got != want {
			t.Errorf("%s: got of go run %t, want %t", path, got, want)
		}
	}
}

// The published schema is the one of the types.
func TestSchema(t *testing.T) {
	all := &jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		Defs: map[string]*jsonschema.Schema{
			"request": schemaOf[Request](false, "op"),
			"answer":  schemaOf[Answer](true),
		},
		AnyOf: []*jsonschema.Schema{{Ref: "#/$defs/request"}, {Ref: "#/$defs/answer"}},
	}
	want, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	path := filepath.Join("..", "..", "..", "schema", "native.schema.json")
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d octets, %v, want the schema of the types: go test -run TestSchema . -update", len(got), err)
	}
}

// BenchmarkLargeMail hands a message of 30 MB over, and lists its file.
func BenchmarkLargeMail(b *testing.B) {
	mail := strings.TrimSuffix(mailWith("https://a.example/x"), "--b--\n") + "--b\nContent-Type: application/octet-stream\n" +
		"Content-Transfer-Encoding: base64\n\n" + strings.Repeat(strings.Repeat("QUJD", 18)+"\n", 30_000_000/73) + "--b--\n"
	b.SetBytes(int64(len(mail)))
	b.ReportAllocs()
	for b.Loop() {
		c := call(b)
		if a := c.hand(mail); a.Total != 1 {
			b.Fatal(a)
		}
		c.ask(Request{Op: "list"})
		c.end()
		<-c.done
	}
}
