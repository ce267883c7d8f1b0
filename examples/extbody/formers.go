package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/show"
)

// again are the flags that say what of a former run is done, or done again.
type again struct {
	skipDone, retry string // files of records
	kinds, hosts    []string
}

func (a *again) flags(f *pflag.FlagSet) {
	f.StringVar(&a.skipDone, "skip-done", "", "do not get what the records of former runs in `FILE`, written by --json, say is done")
	f.StringVar(&a.retry, "retry", "", "get only what failed by the records of former runs in `FILE`; without a PATH, of the messages that they name")
	f.StringSliceVar(&a.kinds, "kind", nil, "--retry only what failed for this reason: `KIND`, as records have it (repeatable)")
	f.StringSliceVar(&a.hosts, "host", nil, "--retry only what is at `HOST` or below it (repeatable)")
}

func (a *again) check() error {
	if a.retry == "" && len(a.kinds)+len(a.hosts) > 0 {
		return errors.New("--kind and --host say what to --retry")
	}
	if a.retry != "" && a.skipDone != "" {
		return errors.New("--retry leaves out what is done: --skip-done says nothing more")
	}
	return nil
}

// A former is what the records of former runs say of a reference, or of a message that
// could not be read.
type former struct {
	Message     string
	Index       *int
	UIDValidity uint32
	UID         uint32
	MessageSHA  string `json:"message_sha256"`
	Ref         string

	Status, Kind, Error string
	URL                 string
	FinalURL            string    `json:"final_url"`
	RetryAt             time.Time `json:"retry_at"`

	File     string
	Bytes    *int64
	SHA256   string
	Verified string
}

func (f *former) done() bool { return f.Status == statusSaved || f.Status == statusDone }

// key returns what a message and a reference in it are known by: the digest of the
// message, or without one its place.
func (f *former) key() string {
	if f.MessageSHA != "" {
		return f.MessageSHA + " " + f.Ref
	}
	return f.place() + " " + f.Ref
}

func (f *former) place() string {
	index := -1
	if f.Index != nil {
		index = *f.Index
	}
	return fmt.Sprintf("%q %d %d %d", f.Message, index, f.UIDValidity, f.UID)
}

// formers are the records of former runs. A nil *formers has none.
type formers struct {
	retry bool
	known map[string]*former // by key; what is done, and otherwise the last
	kinds []string
	hosts []string
	paths []string // of the messages in which something is to be retried
}

// maxRecord bounds a line.
const maxRecord = 16 << 20

// formers reads the records, nil if there are none to be read.
func (a *again) formers() (*formers, error) {
	path := a.skipDone + a.retry
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f := &formers{retry: a.retry != "", known: make(map[string]*former), kinds: a.kinds, hosts: a.hosts}
	if err := f.read(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// read reads records. The last line, which a run that was killed may have left
// unfinished, counts only if it is whole.
func (f *formers) read(r io.Reader) error {
	in := bufio.NewReader(r)
	var order []string
	for number := 1; ; number++ {
		text, err := readLine(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		n := new(former)
		if err := json.Unmarshal(text, n); err != nil || n.Status == "" {
			return fmt.Errorf("line %d is no record", number)
		}
		key := n.key()
		old := f.known[key]
		if old == nil {
			order = append(order, key)
		}
		if old == nil || n.done() || !old.done() {
			f.known[key] = n
		}
	}
	seen := make(map[string]bool)
	for _, key := range order {
		n := f.known[key]
		path := n.Message
		if n.UID != 0 {
			path += fmt.Sprintf("/;UID=%d", n.UID)
		}
		if f.wanted(n) && !seen[path] {
			seen[path] = true
			f.paths = append(f.paths, path)
		}
	}
	return nil
}

var errLongLine = errors.New("a line is too long for a record")

// readLine returns the next line that has an end; io.EOF if there is none.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > maxRecord:
			return nil, errLongLine
		}
	}
}

// wanted reports whether a reference is to be retried.
func (f *formers) wanted(n *former) bool {
	if n.Status != statusFailure {
		return false
	}
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, n.Kind) {
		return false
	}
	return len(f.hosts) == 0 || f.at(n.URL) || f.at(n.FinalURL)
}

// at reports whether a URL is at one of the hosts.
func (f *formers) at(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	return slices.ContainsFunc(f.hosts, func(h string) bool {
		h, host := strings.ToLower(h), strings.ToLower(u.Hostname())
		return host == h || strings.HasSuffix(host, "."+h) || strings.ToLower(u.Host) == h
	})
}

// find returns what is known of a reference of a message, nil if nothing is. Without a
// reference it is what is known of the message as a whole.
func (f *formers) find(l *letter, ref string) *former {
	message, at := l.place()
	n := &former{MessageSHA: l.id.Digest, Message: show.Escape(message), Ref: show.Escape(ref)}
	if at.counted != nil {
		n.Index = &at.counted.Index
	}
	if at.numbered != nil {
		n.UIDValidity, n.UID = at.numbered.UIDValidity, at.numbered.UID
	}
	if known := f.known[n.key()]; known != nil {
		return known
	}
	n.MessageSHA = ""
	return f.known[n.key()]
}

// decide says what becomes of a task without resolving it: its results, if nothing is
// to be contacted for it, or that it is left out.
func (f *formers) decide(t *task) (leaveOut bool) {
	if f == nil {
		return false
	}
	var done *former
	var wanted, known bool
	var later time.Time
	for _, alts := range t.bodies {
		for _, ref := range alts {
			n := f.find(t.letter, ref.ID)
			if n == nil {
				continue
			}
			known = true
			if n.done() {
				done = n
			}
			if f.wanted(n) {
				wanted = true
				if n.RetryAt.After(later) {
					later = n.RetryAt
				}
			}
		}
	}
	if f.retry {
		if !known {
			whole := f.find(t.letter, "")
			wanted = whole != nil && f.wanted(whole)
		}
		if done != nil || !wanted {
			return true
		}
		if later.After(time.Now()) {
			t.settle(func(*externalbody.Reference) *result { return &result{err: notYet(later)} })
		}
		return false
	}
	if done != nil {
		t.settle(func(ref *externalbody.Reference) *result {
			if n := f.find(t.letter, ref.ID); n != nil && n.done() {
				return &result{former: n}
			}
			return &result{skipped: true}
		})
	}
	return false
}

var errNotYet = errors.New("the host was asked before, and said when to come again")

func notYet(at time.Time) error {
	return &fetch.Error{Op: "fetch", Kind: fetch.Deferred, After: at, Err: errNotYet}
}

// settle gives each reference of a task its result.
func (t *task) settle(of func(*externalbody.Reference) *result) {
	t.results = make(map[*externalbody.Reference]*result)
	for _, alts := range t.bodies {
		for _, ref := range alts {
			t.results[ref] = of(ref)
		}
	}
}
