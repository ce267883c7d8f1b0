// Package cloud has fakes of the APIs of file hosts, with faults: Microsoft Graph and Google Drive over one set of
// files. The vendors' own clients take them for the real ones.
package cloud

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Good is the token that a Cloud accepts for ever.
const Good = "g00d-t0ken"

// Secret is in each URL of octets, which needs no login.
const Secret = "t3mpauth"

// A Cloud has files behind an API, which leads to another server for their octets.
type Cloud struct {
	API, Octets, Other *httptest.Server

	mu     sync.Mutex
	gives  map[string]string // octets by the secret of their URL, each for one use
	Tokens map[string]int    // how often each token is accepted; -1 for ever
	Links  map[string]*File
	Files  map[string]*File

	Busy      int    // so many requests are answered with 429
	Redirect  string // the origin of the URLs of octets; "" for Octets
	NextPage  string // the origin of next pages; "" for API
	Cut       bool   // the next connection for octets breaks
	Refuse    int    // the status with which octets are refused, with their secret as the word
	Talks     bool   // descriptions have more than was selected
	PageSize  int    // versions a page; 0 for 2
	ClockSkew time.Duration
	OnOpen    func()

	log     []string
	misuses []string
}

// A File is a file with its versions, the oldest one first.
type File struct {
	ID, Name, MediaType string
	Kind                string // "", "folder", "package" or "shortcut"
	Created             time.Time
	Versions            []Version

	Strangers bool            // all tokens but Good are refused
	Deny      string          // the word with which the octets are refused
	Hidden    bool            // the versions are refused
	Target    *File           // of a shortcut
	Key       string          // the resource key of Drive
	BadDigest bool            // the digest is another one
	NoDigest  bool            // there is none
	Announced int64           // the octets that are added to the size
	Touched   time.Time       // when the file changed without a new version
	Deleted   map[string]bool // versions that are listed and gone
	Octets    string          // the media type of the octets
	Trashed   bool
}

// A Version is a version of a File.
type Version struct {
	At   time.Time
	Text string
}

func (f *File) last() Version { return f.Versions[len(f.Versions)-1] }

// TLS returns a configuration that trusts the servers, as 127.0.0.1 and as names of example.com.
func (c *Cloud) TLS() *tls.Config {
	return &tls.Config{RootCAs: c.API.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
}

// Add adds a file, with a link or "".
func (c *Cloud) Add(link string, f *File) *File {
	if f.Created.IsZero() && len(f.Versions) > 0 {
		f.Created = f.Versions[0].At
	}
	if f.ID == "" {
		f.ID = fmt.Sprintf("01ITEM%d", len(c.Files))
	}
	c.Files[f.ID] = f
	if link != "" {
		c.Links[link] = f
	}
	return f
}

// Change calls f, which changes the files, while no request is served.
func (c *Cloud) Change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// Requests returns how many requests had a text in their method and path. Octets are "octets".
func (c *Cloud) Requests(text string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.log {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// Misuses returns the acts that no client may do: fields of an account at another host, shares accepted, other methods.
func (c *Cloud) Misuses() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.misuses
}

// private are the fields that are for an API alone.
var private = []string{"Authorization", "Prefer", "Cookie", "X-Goog-Drive-Resource-Keys"}

// serveOctets serves octets to all who have their URL, and notes each private field.
func (c *Cloud) serveOctets(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, "octets")
	for _, name := range private {
		if r.Header.Get(name) != "" {
			c.misuses = append(c.misuses, name+" at another host")
		}
	}
	secret := r.URL.Query().Get(Secret)
	if c.Refuse != 0 {
		w.WriteHeader(c.Refuse)
		answer(w, object{"error": object{"code": strings.ReplaceAll(secret, "-", ".")}})
		return
	}
	text, ok := c.gives[secret]
	if !ok {
		http.Error(w, "expired", http.StatusUnauthorized)
		return
	}
	delete(c.gives, secret)
	mediaType, text, _ := strings.Cut(text, "\n")
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("ETag", `"{E},5"`)
	w.Header().Set("Content-Location", r.URL.String())
	from := 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && r.Header.Get("If-Range") == `"{E},5"` {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(text)-1, len(text)))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, text[from:])
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	if c.Cut {
		c.Cut = false
		io.WriteString(w, text[:len(text)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	io.WriteString(w, text)
}

// lead redirects to octets.
func (c *Cloud) lead(w http.ResponseWriter, f *File, text string) {
	secret := fmt.Sprintf("%s-%d", Secret, len(c.log))
	mediaType := f.Octets
	if mediaType == "" {
		mediaType = "application/octet-stream"
	}
	c.gives[secret] = mediaType + "\n" + text
	to := c.Redirect
	if to == "" {
		to = strings.Replace(c.Octets.URL, "127.0.0.1", "octets.example.com", 1)
	}
	http.Redirect(w, new(http.Request), to+"/"+Secret+"?"+Secret+"="+secret, http.StatusFound)
}

// judge notes requests that change or accept something.
func (c *Cloud) judge(r *http.Request) {
	if r.Method != http.MethodGet {
		c.misuses = append(c.misuses, r.Method)
	}
	for prefer := range strings.SplitSeq(r.Header.Get("Prefer"), ",") {
		prefer = strings.TrimSpace(prefer)
		if prefer == "redeemSharingLink" || prefer == "forceInfectedDownload" {
			c.misuses = append(c.misuses, prefer)
		}
	}
	if r.URL.Query().Get("acknowledgeAbuse") != "" {
		c.misuses = append(c.misuses, "acknowledgeAbuse")
	}
}

type object = map[string]any

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
