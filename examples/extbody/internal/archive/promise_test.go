package archive_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// promising returns a message with a reference to a URL that promises a size, and whose
// header fields of the body are more.
func promising(id, url string, size int, more string) string {
	text := letter(id, url)
	if size >= 0 {
		text = strings.Replace(text, "access-type=", fmt.Sprintf("size=%d; access-type=", size), 1)
	}
	return strings.Replace(text, "Content-Type: application/octet-stream\r\n", "Content-Type: application/octet-stream\r\n"+more, 1)
}

// TestOwnPromise holds: references to one URL share one request, and each is captured only
// if the body is what that reference itself promises, its size as well as its digest.
func TestOwnPromise(t *testing.T) {
	right := len(body("/file"))
	for _, tt := range []struct {
		name  string
		sizes []int // -1 promises none
		want  []bool
	}{
		{"NoneThenWrong", []int{-1, 1}, []bool{true, false}},
		{"RightThenWrong", []int{right, right + 1}, []bool{true, false}},
		{"RightThenNone", []int{right, -1}, []bool{true, true}},
		{"WrongThenRight", []int{1, right, 2}, []bool{false, true, false}},
		{"Equal", []int{right, right, right}, []bool{true, true, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, plain)
			box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
			for i, size := range tt.sizes {
				deliver(t, box, fmt.Sprintf("%d:2,", i), promising(fmt.Sprint(i), s.URL+"/file", size, ""))
			}
			run(t, dir, options(box))
			a, err := archive.Read(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			var table strings.Builder
			if _, err := a.WriteCSV(&table); err != nil {
				t.Fatal(err)
			}
			for i, want := range tt.want {
				for line := range strings.Lines(table.String()) {
					if got := strings.Contains(line, ",captured,"); strings.Contains(line, fmt.Sprintf("<%d@example.org>", i)) && got != want {
						t.Errorf("reference %d, which promises %d octets: got captured %v, want %v", i, tt.sizes[i], got, want)
					}
				}
			}
			clean(t, dir)
		})
	}
}

// TestComparedDecoded holds: a body whose transfer encoding was undone is compared as it
// is with what another reference promises, and is not decoded again.
func TestComparedDecoded(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		io.WriteString(w, base64.StdEncoding.EncodeToString([]byte("the body itself")))
	})
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	for i, size := range []int{-1, len("the body itself")} {
		deliver(t, box, fmt.Sprintf("%d:2,", i), promising(fmt.Sprint(i), s.URL+"/file", size, "Content-Transfer-Encoding: base64\r\n"))
	}
	if res := run(t, dir, options(box)); res.Captures != 2 || s.total() != 1 {
		t.Errorf("got %+v and %d requests, want 2 captures by 1 request", res.Counts, s.total())
	}
	clean(t, dir)
	if got, want := len(objects(t, dir)), 3; got != want {
		t.Errorf("got %d objects, want %d: the messages and one body", got, want)
	}
	a, err := archive.Read(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "mbox", Inline: true}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	once := base64.StdEncoding.EncodeToString([]byte("the body itself"))
	if got := strings.Count(string(text), "the body itself") + strings.Count(string(text), once); got != 2 {
		t.Errorf("inline: got %d bodies in the messages, want 2:\n%s", got, text)
	}
}

// TestEncoded holds: what was encoded gives the same octets when it is decoded.
func TestEncoded(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 24, 25, 3 << 10, 3<<10 + 1, 20_000} {
		raw := make([]byte, size)
		for i := range raw {
			raw[i] = byte(i * 7)
		}
		for _, enc := range []message.Encoding{message.Base64, message.QuotedPrintable} {
			got, err := io.ReadAll(message.DecodeStrict(archive.Encoded(io.NopCloser(bytes.NewReader(raw)), enc), enc))
			if err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%d octets as %v: got %d octets, %v; want the same octets", size, enc, len(got), err)
			}
		}
	}
}

// TestUnmodified holds: that a body is still the same captures a reference again only if
// that body is what the reference promises; and the server is asked so again the next time,
// although the answer that said so named no validator.
func TestUnmodified(t *testing.T) {
	text, whole := "one", 0
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"`+text+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		whole++
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", `"`+text+`"`)
		io.WriteString(w, text)
	})
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "1:2,", promising("1", s.URL+"/file", 3, "")) // as "one" has
	deliver(t, box, "2:2,", promising("2", s.URL+"/file", -1, ""))
	run(t, dir, options(box))
	o := options(box)
	o.Recapture = time.Nanosecond
	for n := range 3 {
		if res := run(t, dir, o); res.Exceptions != 0 || whole != 1 {
			t.Errorf("run %d: got %+v and %d bodies sent, want no exception and 1", n+1, res.Counts, whole)
		}
	}
	text = "another"
	for n := range 3 {
		if res := run(t, dir, o); res.Exceptions != 1 || whole != 3 {
			t.Errorf("changed, run %d: got %+v and %d bodies sent, want an exception for the reference that promises 3 octets, and 3", n+1, res.Counts, whole)
		}
	}
	clean(t, dir)
}
