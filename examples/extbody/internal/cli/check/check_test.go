package check

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// run runs the command and returns its output and exit status.
func run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := Command()
	var out bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(context.Background())
	if err == nil {
		return out.String(), exit.OK
	}
	if e, ok := err.(*exit.Error); ok {
		return out.String() + err.Error(), e.Status
	}
	return out.String() + err.Error(), exit.Failed
}

// write writes a file.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refersTo returns a message that refers to a URL.
func refersTo(url string) string {
	return "Content-Type: message/external-body; access-type=url; url=\"" + url + "\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
}

// web starts a server, and returns its URL and the flags that allow it.
func web(t *testing.T, h http.HandlerFunc) (url string, flags []string) {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, []string{"--allow-net", "127.0.0.0/8", "--allow-port", s.URL[strings.LastIndex(s.URL, ":")+1:]}
}

// The sender's server does not decide how long a verdict holds: a stored body that is older
// than 10 minutes is asked for again, however long the server called it good.
func TestVerdictAge(t *testing.T) {
	asked := 0
	server, flags := web(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Cache-Control", "max-age=86400")
		w.Header().Set("Age", r.URL.Query().Get("age"))
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "hello")
	})
	dir := t.TempDir()
	for _, test := range []struct {
		age  string
		want int
	}{{"0", 1}, {"590", 1}, {"700", 2}} {
		asked = 0
		path := filepath.Join(dir, "m.eml")
		write(t, path, refersTo(server+"/f?age="+test.age))
		for range 2 {
			out, status := run(t, append(flags, "--cache", filepath.Join(dir, "cache"), path)...)
			if status != StatusFound || !strings.HasPrefix(out, "clean, ") {
				t.Fatalf("got %d, %s, want %d and clean", status, out, StatusFound)
			}
		}
		if asked != test.want {
			t.Errorf("age %s: got %d requests for two looks, want %d", test.age, asked, test.want)
		}
	}
}

// The trials of rules name the condition that does not hold, up to the rule that decides.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	policy, path := filepath.Join(dir, "policy.toml"), filepath.Join(dir, "m.eml")
	const rules = "[[rule]]\nname = \"evil\"\nverdict = \"malware\"\naction = \"reject\"\n[[rule]]\nname = \"b\"\nhost = \"b.example\"\naction = \"tag\"\n" +
		"[[rule]]\nname = \"a\"\nhost = \"a.example\"\naction = \"quarantine\"\n[[rule]]\nname = \"rest\"\naction = \"tag\"\n"
	write(t, policy, rules)
	write(t, path, refersTo("https://a.example/f"))
	const trials = "\trule evil does not match: verdict\n1\trule b does not match: host\n1\trule a matches\n"
	args := []string{"--no-resolve", "--explain", "--policy", policy, path}
	if out, status := run(t, args...); status != StatusFound || !strings.Contains(out, trials) || strings.Contains(out, "rest") {
		t.Errorf("%v: got %d, %s, want %d and %s", args, status, out, StatusFound, trials)
	}
	// Without the facts of the envelope it is not known whether a rule about them matches.
	write(t, policy, "[[rule]]\nname = \"partner\"\nenvelope_from = \"p.example\"\nrecipient = \"a.example\"\nclient = \"192.0.2.0/24\"\nauthenticated = true\naction = \"none\"\n")
	for _, test := range []struct{ more, want string }{
		{"", "rule partner does not match: envelope_from, of which not everything is known"},
		{"--from a@p.example", "rule partner does not match: recipient, of which not everything is known"},
		{"--rcpt b@a.example", "rule partner for b@a.example does not match: client, of which not everything is known"},
		{"--client 192.0.2.1", "rule partner for b@a.example does not match: authenticated\n"},
		{"--authenticated=true", "clean, action none by rule partner"},
	} {
		args = append(args, strings.Fields(test.more)...)
		if out, _ := run(t, args...); !strings.Contains(out, test.want) {
			t.Errorf("%v: got %s, want %s", args, out, test.want)
		}
	}
	// Each condition is named when it does not hold, and when it is not known.
	for _, test := range []struct{ condition, want string }{
		{"file_name = '*invoice*'", "file_name, of which not everything is known"},
		{"sha256 = '" + strings.Repeat("0", 64) + "'", "sha256, of which not everything is known"},
		{"signature = '*'", "signature, of which not everything is known"},
		{"min_count = 2", "min_count\n"},
		{"max_redirects = 2", "max_redirects, of which not everything is known"},
		{"header = { Subject = '*' }", "header\n"},
		{"scheme = 'http'", "scheme\n"},
		{"min_total_size = 5", "min_total_size, of which not everything is known"},
		{"unread = 'wrapper'", "unread\n"},
		{"host = 'xn--*'", "host\n"},
		{"extension = '@own'", "extension, of which not everything is known"},
	} {
		write(t, policy, "[sets]\nown = 'x'\n[[rule]]\nname = \"r\"\n"+test.condition+"\naction = \"hold\"\n")
		if out, _ := run(t, "--no-resolve", "--explain", "--policy", policy, path); !strings.Contains(out, "rule r does not match: "+test.want) {
			t.Errorf("%s: got %s, want %s", test.condition, out, test.want)
		}
	}
	write(t, policy, rules)
	cmd := Policy()
	var out bytes.Buffer
	cmd.SetArgs([]string{"test", "--no-resolve", policy, path, path})
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	if err := cmd.ExecuteContext(t.Context()); err != nil || strings.Count(out.String(), trials) != 2 || strings.Count(out.String(), path+":\nclean, ") != 2 {
		t.Errorf("policy test: got %v, %s, want %s twice", err, out.String(), trials)
	}
	// Exceptions of strict rules are named, and so is a fact that LMTP does not give.
	write(t, policy, "[[rule]]\nname = \"a\"\nauthenticated = false\nnot = { client = \"192.0.2.0/24\", header_from = \"a.example\" }\naction = \"reject\"\n"+
		"[[rule]]\nname = \"b\"\nnot = { client = \"192.0.2.0/24\" }\naction = \"tag\"\n")
	out.Reset()
	cmd.SetArgs([]string{"test", policy})
	const notes = "rule a exempts nobody of whom it is not known: client, header_from\nby LMTP it is not known: authenticated, for the rules a\n"
	if err := cmd.ExecuteContext(t.Context()); err != nil || out.String() != notes {
		t.Errorf("policy test: got %v, %s, want %s", err, out.String(), notes)
	}
	write(t, policy, "[[rule]]\nname = \"a\"\naction = \"tga\"\n")
	cmd.SetArgs([]string{"test", policy})
	if e, ok := cmd.ExecuteContext(t.Context()).(*exit.Error); !ok || e.Status != exit.Usage {
		t.Errorf("a mistake: got %v, want the status %d", e, exit.Usage)
	}
}

// A server that recognizes browsers by any field of their requests is noticed.
func TestAsBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.eml")
	for field, value := range browser {
		if strings.HasPrefix(field, "Sec-") || field == "Connection" {
			continue // over TLS alone; hidden by net/http
		}
		server, flags := web(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			if r.Header.Get(field) == value[0] {
				io.WriteString(w, "for people")
			} else {
				io.WriteString(w, "for scanners")
			}
		})
		write(t, path, refersTo(server+"/f"))
		args := append(flags, path)
		if out, status := run(t, args...); status != StatusFound {
			t.Errorf("%s: got %d, %s, want %d without --as-browser", field, status, out, StatusFound)
		}
		if out, status := run(t, append(args, "--as-browser")...); status != StatusSuspicious || !strings.Contains(out, "another body for browsers") {
			t.Errorf("%s: got %d, %s, want %d", field, status, out, StatusSuspicious)
		}
	}
	if out, status := run(t, "--as-browser", "--fleet", "postgres://a.example/b", "--objects", "file:///nowhere", path); status != exit.Usage {
		t.Errorf("with a fleet: got %d, %s, want %d", status, out, exit.Usage)
	}
}
