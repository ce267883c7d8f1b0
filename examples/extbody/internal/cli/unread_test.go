package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// commands are the commands that report which part could not be looked into. Each is given a
// message.
func commands(t *testing.T, message string) map[string][]string {
	t.Helper()
	return map[string][]string{
		"list":    {"list", message},
		"check":   {"check", "--offline", "--cache", filepath.Join(t.TempDir(), "cache"), message},
		"archive": {"archive", "sync", "--to", filepath.Join(t.TempDir(), "archive"), message},
	}
}

// written runs the program and returns all that it writes.
func written(t *testing.T, args []string) string {
	t.Helper()
	var out, errw bytes.Buffer
	Run(t.Context(), nil, args, strings.NewReader(""), &out, &errw)
	return out.String() + errw.String()
}

// TestUnreadLines holds: list, check and archive report that a bound ended the reading of a part, and that a part
// has a link of a gateway that only the gateway can read (OP-50).
func TestUnreadLines(t *testing.T) {
	const (
		head = "From: a@example.org\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n"
		view = `{"@type":"EmailMessage","potentialAction":{"@type":"ViewAction","url":"https://www.dropbox.com/s/abcdefghijklmno/a.pdf"}}`
	)
	for _, test := range []struct {
		name, body           string
		list, check, archive string
	}{
		{
			"CutShort", `<script type="application/ld+json">` + strings.Repeat("[", 9) + view + strings.Repeat("]", 9) + "</script>\r\n",
			`could not be looked into: cut-short "8 levels of a script were read"`, `not looked into, cut-short (8 levels of a script were read)`,
			"1 part could not be looked into: 1 beyond a limit",
		},
		{
			"OpaqueLink", `<a href="https://protect-eu.mimecast.com/s/AbCdEf?domain=a.example">x</a>` + "\r\n",
			`could not be looked into: opaque-link "mimecast"`, `not looked into, opaque-link (mimecast)`,
			"1 part could not be looked into: 1 with a link that only its gateway can read",
		},
	} {
		path := filepath.Join(t.TempDir(), "a.eml")
		if err := os.WriteFile(path, []byte(head+test.body), 0o600); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"list": test.list, "check": test.check, "archive": test.archive}
		for name, args := range commands(t, path) {
			if got := written(t, args); !strings.Contains(got, want[name]) {
				t.Errorf("%s: %s: got %s, want %q", test.name, name, got, want[name])
			}
		}
	}
}

// TestSharedPolicies holds: of each message with a reference behind a padding, there is a line about the reference or about
// the part that could not be looked into (OP-50).
func TestSharedPolicies(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the messages")
	}
	paths, err := filepath.Glob(filepath.Join(shared, "cases", "policy", "*.eml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %v, %v, want messages", paths, err)
	}
	for _, lines := range []int{1, 60_000} {
		path := filepath.Join(t.TempDir(), "calendar.eml")
		text := "From: a@x.example\nMIME-Version: 1.0\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n" +
			strings.Repeat("X-A:"+strings.Repeat("y", 70)+"\n", lines) +
			"ATTACH;FMTTYPE=application/pdf:http://h1.example/f/evil.bin\nEND:VCALENDAR\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for _, path := range paths {
		for name, args := range commands(t, path) {
			got := written(t, args)
			if name == "archive" && strings.Contains(got, " 0 references") && !strings.Contains(got, "could not be looked into") {
				t.Errorf("%s: archive: got %s, want a line about what was not read", path, got)
			}
			if name != "archive" && strings.Count(strings.TrimSpace(got), "\n") == 0 {
				t.Errorf("%s: %s: got %s, want a line about the reference or the part", path, name, got)
			}
		}
	}
}
