package main

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoundTrip takes bodies out and puts them in again, from a server of files.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		// As in FILTER.md: the type is not guessed, and the text after the digest
		// is skipped.
		w.Header().Set("Content-Type", "application/octet-stream")
		parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/m/"), "/", 4)
		http.ServeFileFS(w, r, os.DirFS(store), strings.Join(parts[:min(3, len(parts))], "/"))
	})
	data := make([]byte, 5000)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	var encoded strings.Builder
	for line := base64.StdEncoding.EncodeToString(data); line != ""; {
		n := min(76, len(line))
		encoded.WriteString(line[:n] + "\r\n")
		line = line[n:]
	}
	mail := "Subject: a picture\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: image/png; name=\"a b.png\"\r\nContent-ID: <1@a.example>\r\nContent-MD5: MD5\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		encoded.String() + "--b--\r\n"
	mail = strings.Replace(mail, "MD5: MD5", "MD5: "+md5Of(data), 1)
	for _, names := range []string{"--names", "--names=false"} {
		out := filterThrough(t, mail, "externalize", names, "--store", store, "--base-url", base+"/m", "--min-size", "4000")
		if strings.Contains(out, encoded.String()[:76]) {
			t.Fatal("the body is still there")
		}
		if back := filterThrough(t, out, append([]string{"inline"}, flags...)...); back != mail {
			t.Errorf("%s: got %.600q\nwant %.600q", names, back, mail)
		}
	}
}

// filterThrough returns the output of the program for standard input.
func filterThrough(t *testing.T, in string, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	cmd := exec.Command("extbody", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("%q: got error %v, want none: %s", args, err, said.String())
	}
	return out.String()
}

func md5Of(data []byte) string {
	sum := md5.Sum(data)
	return base64.StdEncoding.EncodeToString(sum[:])
}
