package redact

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// A secret of a URL is found in the forms in which servers repeat it.
func TestSecretsCut(t *testing.T) {
	var s Secrets
	s.Add("https://joe:hunter2@h.example/s/AbC123dEf/download?sig=x%2Bq%3D9zzzz&n=1&type=text#Key456", true)
	for _, tt := range []struct{ name, text, want string }{
		{"Path", "no such share: AbC123dEf", "no such share: xxxxx"},
		{"Case", "abc123DEF", "xxxxx"},
		{"Encoded", "%41bC123%64Ef", "xxxxx"},
		{"EncodedTwice", "%2541bC123dEf", "xxxxx"},
		{"Folded", "AbC1\r\n 23dEf.", "xxxxx."},
		{"Value", "sig is x+q=9zzzz!", "sig is xxxxx!"},
		{"ValueAsForm", "x%2bq%3d9zzzz", "xxxxx"},
		{"User", "realm=\"hunter2\"", "realm=\"xxxxx\""},
		{"Fragment", "#Key456", "#xxxxx"},
		{"Twice", "AbC123dEfAbC123dEf", "xxxxxxxxxx"},
		{"Word", "attachment; download; text/plain 1", "attachment; download; text/plain 1"},
		{"Other", "AbC123dE", "AbC123dE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.Cut(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := new(Secrets).Cut("a%20b"); got != "a%20b" {
		t.Errorf("got %q from no secrets, want the text", got)
	}
}

// The path of a URL is a secret if the URL is a share link, or is said to be a credential.
func TestSecretsPath(t *testing.T) {
	for _, tt := range []struct {
		url   string
		whole bool
		want  string
	}{
		{"https://h.example/AbC123dEf", false, "AbC123dEf"},
		{"https://h.example/AbC123dEf", true, "xxxxx"},
		{"https://www.dropbox.com/s/AbC123dEf/a.pdf", false, "xxxxx"},
		{"/AbC123dEf", true, "xxxxx"},
		{"https://w.example/?url=https%3A%2F%2Fwww.dropbox.com%2Fs%2FAbC123dEf%2Fa.pdf", false, "xxxxx"},
		{"imap://h/INBOX;UID=1;URLAUTH=anonymous:internal:AbC123dEf", false, "xxxxx"},
	} {
		var s Secrets
		s.Add(tt.url, tt.whole)
		if got := s.Cut("AbC123dEf"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.url, got, tt.want)
		}
	}
}

// The fields of an answer give no URL away, whatever its form.
func TestSecretsCutHead(t *testing.T) {
	const base = "https://www.dropbox.com/s/AbC123dEf/a.pdf?dl=1"
	const next = "NeXt456tOk"
	for _, tt := range []struct{ name, head string }{
		{"Absolute", "HTTP/1.1 302 Found\r\nLocation: https://h.example/x?t=" + next + "\r\n\r\n"},
		{"Relative", "HTTP/1.1 302 Found\r\nLocation: /x?t=" + next + "\r\n\r\n"},
		{"RelativeOfShare", "HTTP/1.1 302 Found\r\nLocation: ../" + next + "/b.pdf\r\n\r\n"},
		{"Folded", "HTTP/1.1 302 Found\r\nLocation: https://www.drop\r\n box.com/s/NeXt45\r\n\t6tOk/b.pdf\r\n\r\n"},
		{"Broken", "HTTP/1.1 302 Found\r\nLocation: http://[h/%zz" + next + "\r\n\r\n"},
		{"Backslash", "HTTP/1.1 302 Found\r\nLocation: \\\\h\\" + next + "\r\n\r\n"},
		{"Reason", "HTTP/1.1 404 no AbC123dEf here\r\n\r\n"},
		{"Realm", "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=\"AbC123dEf\"\r\n\r\n"},
		{"ETag", "HTTP/1.1 200 OK\r\nETag: \"AbC123dEf-1\"\r\n\r\n"},
		{"Type", "HTTP/1.1 200 OK\r\nContent-Type: text/AbC123dEf\r\n\r\n"},
		{"Link", "HTTP/1.1 200 OK\r\nLink: <https://h.example/?t=" + next + ">; rel=canonical\r\n\r\n"},
		{"Refresh", "HTTP/1.1 200 OK\r\nRefresh: 0;URL=https://h.example/?t=" + next + "\r\n\r\n"},
		{"Request", "GET /s/AbC123dEf/a.pdf?dl=1 HTTP/1.1\r\nHost: www.dropbox.com\r\n\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := new(Secrets).CutHead(tt.head, base, true)
			plain := strings.NewReplacer("\r\n ", "", "\r\n\t", "").Replace(got)
			if strings.Contains(plain, next) || strings.Contains(plain, "AbC123dEf") || !strings.Contains(got, "xxxxx") {
				t.Errorf("got %q, want it without secrets", got)
			}
			if !strings.HasSuffix(got, "\r\n\r\n") || strings.Count(got, "\r\n") > strings.Count(tt.head, "\r\n") {
				t.Errorf("got %q, want the lines of %q", got, tt.head)
			}
		})
	}
	const harmless = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"a.pdf\"\r\nDate: Sun, 22 Nov 2026 13:00:00 GMT\r\n\r\n"
	if got := new(Secrets).CutHead(harmless, base, true); got != harmless {
		t.Errorf("got %q, want %q", got, harmless)
	}
}

// The number of secrets, and with it the time, is bounded.
func TestSecretsMany(t *testing.T) {
	var s Secrets
	for i := range maxSecrets + 1 {
		s.Add("https://h.example/?t=Secret"+strings.Repeat("x", i), false)
	}
	if len(s.list) != maxSecrets {
		t.Errorf("got %d, want %d", len(s.list), maxSecrets)
	}
}

// TestOwnHosts has share links at hosts of the caller, which are secret by the same rules as
// the links of known hosts.
func TestOwnHosts(t *testing.T) {
	own, err := sharelink.NewTable(map[string]string{"files.example": "/d/{token}\tfile\t-\n/s/{token}/{name}\tfile\t-"})
	if err != nil {
		t.Fatal(err)
	}
	r := Rules{Own: own}
	for _, tt := range []struct{ name, url, shown, cut, id string }{
		{"Token", "https://files.example/d/Secr3t", "https://files.example/...", "xxxxx minutes.pdf", "xxxxx minutes.pdf"},
		{"Name", "https://files.example/s/Secr3t/minutes.pdf", "https://files.example/...", "xxxxx minutes.pdf", "xxxxx minutes.pdf"},
		{"InPath", "https://gate.example/x/https://files.example/d/Secr3t", "https://gate.example/x/...", "xxxxx minutes.pdf", "xxxxx minutes.pdf"},
		{"FirstInPath", "https://gate.example/https%3A%2F%2Ffiles.example%2Fd%2FSecr3t", "https://gate.example/...", "xxxxx minutes.pdf", "xxxxx minutes.pdf"},
		{"InQuery", "https://gate.example/x?u=https://files.example/d/Secr3t", "https://gate.example/x?u=xxxxx", "xxxxx minutes.pdf", "Secr3t minutes.pdf"},
		{"OtherHost", "https://other.example/d/Secr3t", "https://other.example/d/Secr3t", "Secr3t minutes.pdf", "Secr3t minutes.pdf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.URL(tt.url); got != tt.shown {
				t.Errorf("got %q, want %q", got, tt.shown)
			}
			all, ids := Secrets{Rules: r}, Secrets{Rules: r}
			all.Add(tt.url, false)
			ids.AddID(tt.url)
			if got := all.Cut("Secr3t minutes.pdf"); got != tt.cut {
				t.Errorf("got %q, want %q", got, tt.cut)
			}
			if got := ids.Cut("Secr3t minutes.pdf"); got != tt.id {
				t.Errorf("got %q with the IDs alone, want %q", got, tt.id)
			}
		})
	}
}
