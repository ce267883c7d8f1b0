package httpfetch_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// newCall returns the request for a call with a token.
func newCall(t *testing.T, text string) *fetch.Request {
	req := request(t, text)
	driver.OfRequest(req).Call = map[string]string{"Authorization": "Bearer SECRET", "x-key": "SECRET"}
	return req
}

// OP-55: the fields of a call are for the first origin alone, and no Exchange has them or the URL that the
// API made, whatever fields repeat it.
func TestCall(t *testing.T) {
	var at string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "X-Key"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s: got the field %s at another origin, want none", r.URL.Path, name)
			}
		}
		w.Header().Set("Content-Location", "/SECRET/SECRET")
		if r.URL.Path == "/SECRET/again" {
			http.Redirect(w, r, "/SECRET/file?t=SECRET", http.StatusFound)
			return
		}
		io.WriteString(w, "octets")
	})
	api := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer SECRET" || r.Header.Get("X-Key") != "SECRET" {
			t.Errorf("%s: got the fields %v, want those of the call", r.URL.Path, r.Header)
		}
		if r.URL.Path == "/item" {
			http.Redirect(w, r, "/moved", http.StatusFound)
			return
		}
		w.Header().Set("X-Shown", at+"/SECRET")
		http.Redirect(w, r, at+"/SECRET/again?t=SECRET", http.StatusFound)
	})
	at = other.URL
	f := newFetcher(t, httpfetch.Options{}, api.URL, other.URL)
	seen := observe(t, f, newCall(t, api.URL+"/item"), 4, 0)
	for i, want := range []string{api.URL + "/item", api.URL + "/moved", other.URL + "/", other.URL + "/"} {
		if seen[i].URL != want {
			t.Errorf("exchange %d: got the URL %s, want %s", i, seen[i].URL, want)
		}
	}
	if head := string(seen[1].RequestHead); !strings.HasPrefix(head, "GET /moved HTTP/1.1\r\nHost: ") {
		t.Errorf("got the head %q, want the request line and the host as they were sent", head)
	}
	if head := string(seen[2].RequestHead); !strings.HasPrefix(head, "GET (cut) HTTP/1.1\r\nHost: ") {
		t.Errorf("got the head %q, want it without the path", head)
	}
	if head := string(seen[2].ResponseHead); !strings.HasPrefix(head, "HTTP/1.1 302 Found\r\n") || !strings.Contains(head, "Location: (cut)\r\n") {
		t.Errorf("got the head %q, want the status line, and no Location", head)
	}
}

// The error of a refused call has the beginning of the answer, and no login is asked for.
func TestCallRefused(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"error":{"code":"accessDenied"}}`+strings.Repeat(" ", fetch.MaxBeginning))
	})
	_, _, err := get(t, newFetcher(t, httpfetch.Options{}, s.URL), newCall(t, s.URL))
	answer, ok := errors.AsType[interface {
		error
		Content() []byte
	}](err)
	if !ok || !strings.HasPrefix(string(answer.Content()), `{"error":{"code":"accessDenied"}} `) || len(answer.Content()) != fetch.MaxBeginning {
		t.Errorf("got %v, want an error with the beginning of the answer", err)
	}
	if fetch.KindOf(err) != fetch.Forbidden {
		t.Errorf("got %v, want %v", err, fetch.Forbidden)
	}
}

// The error of an answer at another origin has nothing of it: that is no answer of the API.
func TestCallRefusedElsewhere(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"code":"SECRET"}}`)
	})
	api := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	_, _, err := get(t, newFetcher(t, httpfetch.Options{}, api.URL, other.URL), newCall(t, api.URL))
	answer, ok := errors.AsType[interface {
		error
		Content() []byte
	}](err)
	if fetch.KindOf(err) != fetch.Credentials || !ok || answer.Content() != nil {
		t.Errorf("got %v, want %v without an answer", err, fetch.Credentials)
	}
}
