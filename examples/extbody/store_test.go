package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/externalbody/rewrite"
)

func testStore(t *testing.T, dir string, names bool) *folderStore {
	t.Helper()
	s, err := newFolderStore(dir, "https://files.example/m", names)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFolderStore(t *testing.T) {
	body := []byte(strings.Repeat("body ", 1000))
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:])
	path := filepath.Join(digest[:2], digest[2:4], digest)
	url := "https://files.example/m/" + digest[:2] + "/" + digest[2:4] + "/" + digest
	for _, tt := range []struct {
		name   string
		names  bool
		file   string
		reader func(io.Reader) io.Reader
		want   string
	}{
		{"Plain", false, "a.bin", nil, url},
		{"Named", true, "a b?#/%ä.bin", nil, url + "/a%20b%3F%23%2F%25%C3%A4.bin"},
		{"NoName", true, "", nil, url},
		{"OneByte", false, "", iotest.OneByteReader, url},
		{"DataErr", false, "", iotest.DataErrReader, url},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			var r io.Reader = bytes.NewReader(body)
			if tt.reader != nil {
				r = tt.reader(r)
			}
			where, err := testStore(t, dir, tt.names).Put(t.Context(), &rewrite.Object{Name: tt.file, Body: r})
			if err != nil || where != tt.want {
				t.Fatalf("got %q, %v; want %q", where, err, tt.want)
			}
			if got := tree(t, dir); len(got) != 1 || got[path] != string(body) {
				t.Errorf("the store has %q", fileNames(got))
			}
		})
	}
}

// TestFolderStoreErrors wants nothing of a body that ends with an error.
func TestFolderStoreErrors(t *testing.T) {
	fail := errors.New("fail")
	dir := t.TempDir()
	body := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(fail))
	if _, err := testStore(t, dir, false).Put(t.Context(), &rewrite.Object{Body: body}); !errors.Is(err, fail) {
		t.Errorf("got %v", err)
	}
	if got := tree(t, dir); len(got) != 0 {
		t.Errorf("the store has %q", fileNames(got))
	}
}

// TestFolderStoreAge makes a body that is put again young.
func TestFolderStoreAge(t *testing.T) {
	dir := t.TempDir()
	put := func() string {
		s := testStore(t, dir, false)
		if _, err := s.Put(t.Context(), &rewrite.Object{Section: "1", Body: strings.NewReader("x")}); err != nil {
			t.Fatal(err)
		}
		return s.put["1"].path
	}
	path := put()
	old := time.Unix(1e9, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	put()
	if info, err := os.Stat(path); err != nil || !info.ModTime().After(old) {
		t.Errorf("the time is %v, %v", info.ModTime(), err)
	}
}

// TestFolderStoreConcurrent puts the same and other bodies at the same time.
func TestFolderStoreConcurrent(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			body := strings.Repeat(fmt.Sprint(i%4), 100_000)
			s, err := newFolderStore(dir, "https://files.example/", false)
			if err == nil {
				_, err = s.Put(t.Context(), &rewrite.Object{Body: strings.NewReader(body)})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	files := tree(t, dir)
	if len(files) != 4 {
		t.Errorf("the store has %q", fileNames(files))
	}
	for path, text := range files {
		if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != filepath.Base(path) {
			t.Errorf("%s has other octets", path)
		}
	}
}

// TestRoundTrip takes bodies out and puts them in again, from a server of files.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// As FILTER.md has it: no guess at the type, and what is behind the
		// digest is passed over.
		w.Header().Set("Content-Type", "application/octet-stream")
		parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/m/"), "/", 4)
		http.ServeFileFS(w, r, os.DirFS(store), strings.Join(parts[:min(3, len(parts))], "/"))
	}))
	defer server.Close()
	port := server.URL[strings.LastIndex(server.URL, ":")+1:]
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
		out := filterThrough(t, mail, "externalize", names, "--store", store, "--base-url", server.URL+"/m", "--min-size", "4000")
		if strings.Contains(out, encoded.String()[:76]) {
			t.Fatal("the body is still there")
		}
		if back := filterThrough(t, out, "inline", "--allow-net", "127.0.0.1", "--allow-port", port); back != mail {
			t.Errorf("%s: got %.600q\nwant %.600q", names, back, mail)
		}
	}
}

// filterThrough returns what the program makes of standard input.
func filterThrough(t *testing.T, in string, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	cmd := exec.Command("extbody", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("%v: %s", err, said.String())
	}
	return out.String()
}

// TestSweep removes old temporary files alone.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".extbody-1", ".extbody-2", ".extbody-new.x", ".other-1", "x"} {
		writeFile(t, filepath.Join(dir, name), "")
		if old := time.Now().Add(-48 * time.Hour); name != ".extbody-2" {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweep(dir)
	if _, err := os.Lstat(filepath.Join(dir, ".extbody-1")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an old one stays")
	}
	if got := tree(t, dir); len(got) != 4 {
		t.Errorf("there is %q", fileNames(got))
	}
}

func md5Of(data []byte) string {
	sum := md5.Sum(data)
	return base64.StdEncoding.EncodeToString(sum[:])
}
