package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// keys returns the keys of a record in their order.
func keys(t *testing.T, r *record) []string {
	t.Helper()
	var b bytes.Buffer
	if err := r.writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 1 || !utf8.Valid(b.Bytes()) {
		t.Errorf("not one line of UTF-8: %q", &b)
	}
	d := json.NewDecoder(&b)
	var list []string
	for depth, key := 0, true; ; {
		token, err := d.Token()
		if err != nil {
			return list
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			key = true
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
			key = true
			continue
		}
		if depth != 1 {
			continue
		}
		if key {
			list = append(list, token.(string))
		}
		key = !key
	}
}

func full() *externalbody.Reference {
	return &externalbody.Reference{
		ID:         "1.2",
		AccessType: "url",
		Params:     []externalbody.Param{{Name: "access-type", Value: "url"}, {Name: "url", Value: "http://a.example/b?c=d"}},
		MediaType:  "image/png",
		ContentID:  "<x@y>",
		Name:       "b.png",
		Expiration: time.Date(2030, 6, 14, 23, 13, 14, 0, time.UTC),
		Size:       1234,
		Permission: "read",
		Origins:    []externalbody.Origin{{Section: "1.2"}},
		Diags:      []externalbody.Diag{{Code: "missing-semicolon"}},
	}
}

func TestRecordKeys(t *testing.T) {
	m := &mailbox.Message{Path: "box.mbox", Index: 3}
	known := []string{"message", "index", "part", "ref", "dialect", "access_type", "url", "params", "name", "expiration", "size", "permission", "content_type", "content_id", "quoted", "status"}
	unknown := []string{"message", "index", "part", "ref", "dialect", "quoted", "status"}

	listed := newRecord(m, full(), false)
	saved := newRecord(m, full(), false)
	saved.resolved(&result{report: &externalbody.Report{
		FinalURL: "http://a.example/c",
		SHA256:   []byte{1},
		Checks:   []fetch.Check{{Name: "md5", Status: fetch.Match, Form: "crlf"}},
	}, file: "out/3-1.2.png"}, false)
	failed := newRecord(m, &externalbody.Reference{ID: "1", Size: -1}, false)
	failed.resolved(&result{report: &externalbody.Report{}, err: &fetch.Error{Op: "fetch", Kind: fetch.NotFound}}, false)
	skipped := newRecord(m, &externalbody.Reference{ID: "1", Size: -1}, false)
	skipped.resolved(&result{skipped: true}, false)

	tests := []struct {
		name string
		r    *record
		want []string
	}{
		{"Listed", listed, append(slices.Clone(known), "warnings")},
		{"Saved", saved, append(slices.Clone(known), "kind", "error", "bytes", "sha256", "file", "final_url", "checks", "verified", "warnings")},
		{"Unknown", newRecord(m, &externalbody.Reference{ID: "1", Size: -1}, false), unknown},
		{"Failed", failed, append(slices.Clone(unknown), "kind", "error")},
		{"Skipped", skipped, append(slices.Clone(unknown), "kind", "error")},
		{"Message", newFailure(m, errors.New("x")), []string{"message", "index", "status", "kind", "error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keys(t, tt.r); !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestRecordBad(t *testing.T) {
	for kind := fetch.Kind(1); kind.Error() != "unknown"; kind++ {
		r := newRecord(&mailbox.Message{}, full(), false)
		r.resolved(&result{err: &fetch.Error{Kind: kind}}, false)
		want := kind != fetch.Gone && kind != fetch.Pending
		if got := r.bad(full()); got != want {
			t.Errorf("%v: %t", kind, got)
		}
		optional := full()
		optional.Header = externalbody.Header{{Name: "Content-Disposition", Value: "render; handling=optional"}}
		if r.bad(optional) {
			t.Errorf("%v of an optional body is bad", kind)
		}
	}
}

// Texts from messages are escaped: for JSON what is not UTF-8, for a terminal
// what it would act on as well.
func TestRecordHostileText(t *testing.T) {
	ref := full()
	ref.Name = "caf\xe9\x1b[2J\u202etxt.exe"
	r := newRecord(&mailbox.Message{Path: "b\xff"}, ref, false)
	if r.Name != "caf\\xe9\x1b[2J\u202etxt.exe" || r.Message != `b\xff` {
		t.Errorf("got %q, %q", r.Name, r.Message)
	}
	for _, cell := range r.row() {
		if strings.ContainsFunc(cell, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("cell %q", cell)
		}
	}
}

func TestRecordRedacts(t *testing.T) {
	ref := full()
	ref.Params = []externalbody.Param{
		{Name: "url", Value: "http://u:secret@a.example/\r\n\tb?t=secret#secret"},
		{Name: "x-url", Value: "https://a.example/?t=secret"},
		{Name: "url", Value: "data:,secret"},
	}
	var b bytes.Buffer
	if err := newRecord(&mailbox.Message{}, ref, false).writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "secret") {
		t.Error(b.String())
	}
}

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
