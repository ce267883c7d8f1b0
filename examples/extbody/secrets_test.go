package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A record tells no secret of a URL, whatever form it has (RFC 5092 section 6.1).
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
				// Nobody is contacted: no name of these is resolved.
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
