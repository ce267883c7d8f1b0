package record

import (
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// The files that a host does not give for one reason share a line, with the ones that were not asked for after
// the host had failed.
func TestFailures(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	words := syscall.ECONNREFUSED.Error()
	after := time.Date(2026, 7, 17, 10, 0, 0, 0, time.UTC)
	at := func(url string, kind fetch.Kind, err error) error {
		return &fetch.Error{Op: "fetch", URL: url, Kind: kind, Err: err}
	}
	type file struct {
		number int
		err    error
		wayOut string
	}
	for _, tt := range []struct {
		name  string
		files []file
		want  []string
	}{
		{"Silent", []file{
			{7, at("https://files.example/7?key=xxxxx", fetch.Unavailable, refused), ""},
			{4, at("https://files.example/4", fetch.Unavailable, refused), ""},
			{3, &fetch.Error{Op: "resolve", URL: "https://share.example/3", Kind: fetch.Unavailable, Err: at("https://files.example/3", fetch.Unavailable, refused)}, ""},
			{1, at("http://nowhere.example/1", fetch.Unavailable, &net.DNSError{Err: "no such host", Name: "nowhere.example", Server: "192.0.2.53:53"}), ""},
		}, []string{"1 1.pdf: nowhere.example: no such host", "3-4, 7: files.example: " + words}},
		{"Deferred", []file{
			{2, &fetch.Error{Op: "fetch", URL: "https://files.example/2", Kind: fetch.Deferred, Err: errors.New("a moment ago"), After: after}, ""},
			{1, at("https://files.example/1", fetch.Unavailable, refused), ""},
			{3, &fetch.Error{Op: "fetch", URL: "https://b.example/3", Kind: fetch.Deferred, Err: errors.New("a moment ago"), After: after}, ""},
			{4, &fetch.Error{Op: "fetch", URL: "https://b.example/4", Kind: fetch.Deferred, Err: errors.New("a moment ago"), After: after.Add(time.Second)}, ""},
		}, []string{"1-2: files.example: " + words, "3-4: b.example: deferred: a moment ago; try again after 2026-07-17T10:00:01Z"}},
		{"Reasons", []file{
			{1, at("https://files.example/1", fetch.NotFound, errors.New("404 Not Found")), ""},
			{2, at("https://files.example/2", fetch.NotFound, errors.New("410 Gone")), ""},
			{3, at("https://files.example/3", fetch.NotFound, errors.New("404 Not Found")), ""},
			{4, at("https://b.example/4", fetch.NotFound, errors.New("404 Not Found")), ""},
		}, []string{"1, 3: files.example: not-found: 404 Not Found", "2 2.pdf: fetch https://files.example/2: not-found: 410 Gone", "4 4.pdf: fetch https://b.example/4: not-found: 404 Not Found"}},
		{"Ports", []file{
			{1, at("https://files.example:8443/1", fetch.Blocked, errors.New("port 8443 not allowed")), "; --allow-port 8443 allows it"},
			{2, at("https://files.example:8443/2", fetch.Blocked, errors.New("port 8443 not allowed")), "; --allow-port 8443 allows it"},
			{3, at("https://files.example:8443/3", fetch.Blocked, errors.New("port 8443 not allowed")), ""},
		}, []string{"1-2: files.example:8443: blocked: port 8443 not allowed; --allow-port 8443 allows it", "3 3.pdf: fetch https://files.example:8443/3: blocked: port 8443 not allowed"}},
		{"OneFile", []file{
			{5, at("https://files.example/5.pdf", fetch.NotFound, nil), ""},
			{5, at("https://files.example/5.odt", fetch.NotFound, nil), ""},
		}, []string{"5 5.pdf: fetch https://files.example/5.pdf: not-found"}},
		{"NoHost", []file{
			{1, &fetch.Error{Op: "reference", Kind: fetch.Malformed, Err: errors.New("x")}, ""},
			{2, &fetch.Error{Op: "reference", Kind: fetch.Malformed, Err: errors.New("x")}, ""},
			{3, errors.New("y"), ""},
		}, []string{"1 1.pdf: reference: malformed: x", "2 2.pdf: reference: malformed: x", "3 3.pdf: y"}},
		{"None", nil, nil},
	} {
		var f Failures
		for _, file := range tt.files {
			f.Add(file.number, &externalbody.Reference{Name: Ranges([]int{file.number}) + ".pdf"}, file.err, file.wayOut)
		}
		if got := f.Lines(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}
