package archive_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestLong holds: what is too long for a line of the ledger, from a sender or a server,
// keeps nobody from what else there is.
func TestLong(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch n := 0; {
		case strings.HasPrefix(r.URL.Path, "/hop"):
			fmt.Sscanf(r.URL.Path, "/hop%d", &n)
			if n < 9 {
				w.Header().Set("Location", fmt.Sprintf("/hop%d?%s", n+1, strings.Repeat("<", 250<<10)))
				w.WriteHeader(http.StatusFound)
				return
			}
		case r.URL.Path == "/header":
			for i := range 200 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("<&", 600))
			}
		case r.URL.Path == "/name":
			w.Header().Set("Content-Disposition", "attachment; filename="+strings.Repeat("<", 200<<10))
		case r.URL.Path == "/words":
			w.WriteHeader(http.StatusGone)
		}
		plain(w, r)
	})
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "url:2,", letter("url", s.URL+"/"+long))
	deliver(t, box, "bad:2,", letter("bad", "ht!tp://"+long))
	deliver(t, box, "id:2,", strings.Replace(letter("id", s.URL+"/id"), "Message-ID: <", "Message-ID: <"+long, 1))
	deliver(t, box, "inner:2,", strings.Replace(letter("inner", s.URL+"/inner"), "\r\n\r\nContent-Type: application/octet-stream", "\r\n\r\nContent-ID: <"+long+"@x>\r\nContent-Type: application/octet-stream; name="+long, 1))
	deliver(t, box, "access:2,", strings.Replace(letter("access", s.URL+"/access"), "access-type=URL", "access-type="+long, 1))
	deliver(t, box, "html:2,", "Subject: x\r\nContent-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/s/abcdefghijklmno1a/"+long+"?dl=0\">x</a>\r\n")
	for _, name := range []string{"hop0", "header", "name", "words", "good"} {
		deliver(t, box, name+":2,", letter(name, s.URL+"/"+name))
	}
	o := options(box)
	o.Resolve = func(host string) bool { return host == "127.0.0.1" }
	run(t, dir, o)
	v := clean(t, dir)
	if v.Messages != 11 || v.Captured < 4 {
		t.Errorf("got %+v, want 11 messages, 4 captured or more", v)
	}
	again := run(t, dir, o)
	if again.Messages+again.Sightings+again.Captures != 0 {
		t.Errorf("again: got %+v, want nothing new", again.Counts)
	}
}
