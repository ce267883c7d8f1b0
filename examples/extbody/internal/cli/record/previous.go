package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/host"
)

func (f *earlier) done() bool { return f.Status == OK || f.Status == Done }

// key identifies a message and a reference in it by the digest of the message, or
// without one by its place.
func (f *earlier) key() string {
	if f.MessageSHA != "" {
		return f.MessageSHA + " " + f.Ref
	}
	return f.place() + " " + f.Ref
}

func (f *earlier) place() string {
	index := -1
	if f.Index != nil {
		index = *f.Index
	}
	return fmt.Sprintf("%q %d %d %d %q", f.Message, index, f.UIDValidity, f.UID, f.EmailID)
}

// Previous are the records of earlier runs. A nil *Previous has none.
type Previous struct {
	Retry bool
	known map[string]*earlier // by key: the record of success, or otherwise the last one
	kinds []string
	hosts []string
	Paths []Path // of the messages in which something is retried
}

// maxRecord bounds a line, in octets.
const maxRecord = 16 << 20

// ReadPrevious reads the records of earlier runs in a file. With retry it selects
// failures for another try: those whose kind is one of kinds and whose host is one of
// hosts, where these are given. Without it, references that are done are left out.
func ReadPrevious(path string, retry bool, kinds, hosts []string) (*Previous, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if slices.Contains(kinds, fetch.DigestMismatch.String()) {
		kinds = append(slices.Clip(kinds), fetch.SizeMismatch.String()) // which had that name once
	}
	f := &Previous{Retry: retry, known: make(map[string]*earlier), kinds: kinds, hosts: hosts}
	if err := f.read(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// read reads records. A run that was killed may have left the last line unfinished: it
// counts only if it is whole.
func (f *Previous) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecord)
	lines.Split(func(data []byte, _ bool) (int, []byte, error) {
		if n := bytes.IndexByte(data, '\n') + 1; n > 0 {
			return n, data[:n], nil
		}
		return 0, nil, nil // the last line has no end
	})
	var order []string
	for number := 1; lines.Scan(); number++ {
		n := new(earlier)
		if err := json.Unmarshal(lines.Bytes(), n); err != nil || n.Status == "" {
			return fmt.Errorf("line %d is not a record that --json writes", number)
		}
		if n.Status == Unread {
			continue // it is about no reference
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
	switch err := lines.Err(); {
	case err == bufio.ErrTooLong:
		return errLongLine
	case err != nil:
		return err
	}
	seen := make(map[Path]bool)
	for _, key := range order {
		n := f.known[key]
		path := Path{n.Message, n.UID, n.EmailID}
		if f.wanted(n) && !seen[path] {
			seen[path] = true
			f.Paths = append(f.Paths, path)
		}
	}
	return nil
}

var errLongLine = errors.New("a line is too long to be a record that --json writes")

// wanted reports whether to retry a reference.
func (f *Previous) wanted(n *earlier) bool {
	if n.Status != Failed {
		return false
	}
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, n.Kind) {
		return false
	}
	return len(f.hosts) == 0 || f.at(n.URL) || f.at(n.FinalURL)
}

// at reports whether a URL is at one of the hosts.
func (f *Previous) at(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	return slices.ContainsFunc(f.hosts, func(h string) bool {
		return host.Below(u.Hostname(), h) || strings.EqualFold(u.Host, h)
	})
}

// find returns the record of a reference of a message, or nil. ref is "" for the
// message itself.
func (f *Previous) find(p Place, digest, ref string) *earlier {
	n := &earlier{MessageSHA: digest, Message: show.Escape(p.Message), Ref: show.Escape(ref)}
	if p.counted != nil {
		n.Index = &p.counted.Index
	}
	if p.numbered != nil {
		n.UIDValidity = p.numbered.UIDValidity
		n.UID = p.numbered.UID
	}
	if p.identified != nil {
		n.EmailID = p.identified.EmailID
	}
	if known := f.known[n.key()]; known != nil {
		return known
	}
	n.MessageSHA = ""
	return f.known[n.key()]
}

// Decide decides about a body of the message at p, by the records of its references.
// digest is the SHA-256 of the message, or "" if it is not known. If nothing needs to be
// contacted, Decide returns the results of the references. With leaveOut the run
// leaves the body out. With neither, the body is to be resolved. To retry, the record
// of a message that could not be read counts for bodies without a record.
func (f *Previous) Decide(
	p Place, digest string, bodies [][]*externalbody.Reference,
) (results map[*externalbody.Reference]*Result, leaveOut bool) {
	if f == nil || len(bodies) == 0 {
		return nil, false
	}
	var done *earlier
	var wanted, known bool
	var later time.Time
	for _, alts := range bodies {
		for _, ref := range alts {
			n := f.find(p, digest, ref.ID)
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
	if f.Retry {
		if !known {
			whole := f.find(p, digest, "")
			wanted = whole != nil && f.wanted(whole)
		}
		if done != nil || !wanted {
			return nil, true
		}
		if later.After(time.Now()) {
			return settle(bodies, func(*externalbody.Reference) *Result { return &Result{Err: notYet(later)} }), false
		}
		return nil, false
	}
	if done == nil {
		return nil, false
	}
	return settle(bodies, func(ref *externalbody.Reference) *Result {
		if n := f.find(p, digest, ref.ID); n != nil && n.done() {
			return &Result{Previous: n}
		}
		return &Result{Skipped: true}
	}), false
}

var errNotYet = errors.New("the host said before when to ask again, and that time has not come")

func notYet(at time.Time) error {
	return &fetch.Error{Op: "fetch", Kind: fetch.Deferred, After: at, Err: errNotYet}
}

// settle gives each reference of a body its result.
func settle(bodies [][]*externalbody.Reference, of func(*externalbody.Reference) *Result) map[*externalbody.Reference]*Result {
	results := make(map[*externalbody.Reference]*Result)
	for _, alts := range bodies {
		for _, ref := range alts {
			results[ref] = of(ref)
		}
	}
	return results
}
