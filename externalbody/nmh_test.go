package externalbody_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// TestNMH lets nmh's mhstore read what WriteTo writes, and get it with curl.
func TestNMH(t *testing.T) {
	mhstore, err := exec.LookPath("mhstore")
	if err != nil {
		if mhstore, err = exec.LookPath("/usr/bin/mh/mhstore"); err != nil {
			t.Skip("nmh is not installed")
		}
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	const body = "the body\n"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte(body))
	}))
	defer s.Close()
	home := t.TempDir()
	local := filepath.Join(home, "local.txt")
	if err := os.WriteFile(local, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}

	refs := []*externalbody.Reference{
		{AccessType: "url", Params: []externalbody.Param{{Name: "url", Value: s.URL + "/a/long/way/to/the/file/over/more/than/one/word/" + strings.Repeat("x", 50)}}},
		{AccessType: "local-file", Params: []externalbody.Param{{Name: "name", Value: local}}},
	}
	var text bytes.Buffer
	text.WriteString("From: a@h.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n")
	for _, ref := range refs {
		ref.MediaType, ref.ContentID, ref.Size = "text/plain", externalbody.NewContentID("h.example"), int64(len(body))
		text.WriteString("--b\n")
		var part bytes.Buffer
		if _, err := ref.WriteTo(&part); err != nil {
			t.Fatal(err)
		}
		text.WriteString(strings.ReplaceAll(part.String(), "\r\n", "\n"))
	}
	text.WriteString("--b--\n")

	inbox := filepath.Join(home, "Mail", "inbox")
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(home, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		filepath.Join(inbox, "1"):          text.String(),
		filepath.Join(home, ".mh_profile"): "Path: Mail\nnmh-access-url: curl -sfL\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(mhstore, "+inbox", "1", "-noauto")
	cmd.Dir = out
	cmd.Env = append(os.Environ(), "HOME="+home, "MH="+filepath.Join(home, ".mh_profile"), "MHCONTEXT="+filepath.Join(home, "context"))
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("got error %v, want none, nmh said %s", err, said)
	}
	files, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(files) != len(refs) {
		t.Fatalf("stored %q: %s, want %d of them", files, said, len(refs))
	}
	for _, file := range files {
		if got, err := os.ReadFile(file); err != nil || string(got) != body {
			t.Errorf("%s: got %q, %v, want %q, nil", file, got, err, body)
		}
	}
}
