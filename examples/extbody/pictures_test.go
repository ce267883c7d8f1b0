package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPictures has a mail that shows pictures: no command asks for one unless the form is
// named, the plan shows what the sender learns, and get, archive and inline keep them.
func TestPictures(t *testing.T) {
	var asked atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/missing.png" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, "\x89PNG\r\n\x1a\n", r.URL.Path)
	})
	before := "From: a@a.example\nSubject: x\nMessage-ID: <1@a.example>\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n" +
		`<body background="BASE/bg.png"><img src=BASE/logo.png><img src=BASE/logo.png><img src="BASE/seen.png" width=1 height=1>` + "\n"
	before = strings.ReplaceAll(before, "BASE", base)
	dir := t.TempDir()
	mail := filepath.Join(dir, "mail.eml")
	writeText(t, mail, before)
	named := append([]string{"--dialects", "all,remote-images"}, flags...)
	for _, tt := range []struct {
		name   string
		args   []string
		want   []string // in what is written
		asked  int64
		status int
	}{
		{"GetAll", append([]string{"get", "-o", filepath.Join(dir, "none"), mail}, flags...), []string{"0 references in 1 message"}, 0, 0},
		{"InlineAll", append([]string{"inline", "--dialects", "all", mail}, flags...), []string{before}, 0, 0},
		{"Plan", append([]string{"get", "--dry-run", mail}, named...), []string{"the sender learns that the message is processed now", "is a tracking pixel"}, 0, 0},
		{"Get", append([]string{"get", "--names", "name", "-o", filepath.Join(dir, "got"), mail}, named...), []string{"3 references in 1 message: 3 saved"}, 3, 0},
		{"SyncPlan", append([]string{"archive", "sync", mail, "--to", filepath.Join(dir, "A")}, named...), []string{"3 references"}, 0, 0},
		{"Sync", append([]string{"archive", "sync", mail, "--to", filepath.Join(dir, "A"), "--resolve", "all"}, named...), nil, 3, 0},
		{"SyncAgain", append([]string{"archive", "sync", mail, "--to", filepath.Join(dir, "A"), "--resolve", "all"}, named...), nil, 0, 0},
		{"Verify", []string{"archive", "verify", filepath.Join(dir, "A")}, []string{"3 references of 1 messages: 3 captured"}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			status, out, errs := invoke(t.Context(), "", tt.args...)
			for _, want := range tt.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("got %s%s, want %q", out, errs, want)
				}
			}
			if status != tt.status || asked.Load() != tt.asked {
				t.Errorf("got status %d and %d requests, want %d and %d: %s%s", status, asked.Load(), tt.status, tt.asked, out, errs)
			}
		})
	}
	if b, err := os.ReadFile(filepath.Join(dir, "got", "logo.png")); err != nil || string(b) != "\x89PNG\r\n\x1a\n/logo.png" {
		t.Errorf("get: got %q, %v, want the picture", b, err)
	}
	t.Run("Inline", func(t *testing.T) {
		asked.Store(0)
		args := append([]string{"inline"}, named...)
		status, out, errs := invoke(t.Context(), before, args...)
		if status != 0 || asked.Load() != 3 || strings.Contains(out, base) || strings.Count(out, "cid:") != 4 || strings.Count(out, "Content-ID:") != 3 {
			t.Errorf("got status %d, %d requests,\n%s%s\nwant 3 pictures", status, asked.Load(), out, errs)
		}
		if status, again, errs := invoke(t.Context(), out, args...); status != 0 || again != out || asked.Load() != 3 {
			t.Errorf("again: got status %d, %d requests,\n%s%s\nwant the same", status, asked.Load(), again, errs)
		}
		status, out, errs = invoke(t.Context(), strings.ReplaceAll(before, "seen", "missing"), append(args, "--json")...)
		if status != 0 || !strings.Contains(out, base+"/missing.png") || !strings.Contains(errs, `"kind":"not-found"`) || strings.Count(out, "cid:") != 3 {
			t.Errorf("missing: got status %d,\n%s%s\nwant its URL and the reason", status, out, errs)
		}
	})
}
