package inspect

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// Deferrals remember how often and since when messages are deferred, so that each
// is deferred for a bounded time. They may be used by several goroutines at once.
//
// A message is known again by its sender, its recipients and what it refers to.
// Anybody can send another one like it, whose deferrals count for both, and the
// message passes sooner.
type Deferrals struct {
	path string
	max  int

	mu     sync.Mutex
	known  map[string]*deferral
	file   *os.File
	failed bool
}

// A deferral is what is known of a message that was deferred.
type deferral struct {
	First time.Time `json:"first"`
	Tries int       `json:"tries"`
}

// The bounds of Deferrals.
const (
	maxDeferrals = 100_000
	keepDeferral = 6 * 24 * time.Hour // longer than mail servers try, mostly 5 days
	deferralFile = "deferred.jsonl"
)

// NewDeferrals returns Deferrals that are kept in a file in dir, so that a program
// that starts anew goes on counting; with "" they are kept in memory alone. What
// of the file cannot be read is left out.
//
// The error is one of the file. The Deferrals are usable all the same.
func NewDeferrals(dir string) (*Deferrals, error) {
	d := &Deferrals{max: maxDeferrals, known: make(map[string]*deferral)}
	if dir == "" {
		return d, nil
	}
	d.path = filepath.Join(dir, deferralFile)
	err := d.load()
	if err == nil {
		err = d.rewrite()
	}
	return d, err
}

// deferralLine is a line of the file. The last one of a key counts.
type deferralLine struct {
	Key string `json:"key"`
	deferral
}

func (d *Deferrals) load() error {
	text, err := os.ReadFile(d.path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var l deferralLine
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.Key == "" || l.Tries < 1 {
			continue // the end of a program that was killed
		}
		if time.Since(l.First) < keepDeferral && (d.known[l.Key] != nil || len(d.known) < d.max) {
			d.known[l.Key] = &l.deferral
		}
	}
	return nil
}

// rewrite writes the file anew, with what still counts, and keeps it open.
func (d *Deferrals) rewrite() error {
	f, err := unnamed.Open(filepath.Dir(d.path))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for key, e := range d.known {
		writeDeferral(w, key, e)
	}
	if err := w.Flush(); err != nil {
		f.Discard()
		return err
	}
	if err := f.Replace(d.path, 0o600); err != nil {
		f.Discard()
		return err
	}
	d.file, err = os.OpenFile(d.path, os.O_WRONLY|os.O_APPEND, 0)
	return err
}

func writeDeferral(w interface{ Write([]byte) (int, error) }, key string, e *deferral) error {
	line, err := json.Marshal(deferralLine{key, *e})
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// DeferralKey returns the key of a message for some of its recipients.
func DeferralKey(rep *Report, env *Envelope, recipients []string) string {
	to := slices.Clone(recipients)
	slices.Sort(to)
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s", strings.ToLower(env.From), strings.ToLower(strings.Join(to, "\x00")), rep.Key)
	return hex.EncodeToString(h.Sum(nil))
}

// May reports whether a message may be deferred now, and counts that if it may.
// When there is no room to remember more messages it may not, so that what is
// deferred passes in the end in any case.
func (d *Deferrals) May(key string, limits DeferLimits) bool {
	limits = limits.or()
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.known[key]
	if e == nil {
		if len(d.known) >= d.max && d.sweep(now) == 0 {
			return false
		}
		e = &deferral{First: now}
		d.known[key] = e
	}
	// A clock that was set back by more than the limit lets the message pass too.
	if since := now.Sub(e.First); e.Tries >= limits.Tries || since > limits.Delay || since < -limits.Delay {
		return false
	}
	e.Tries++
	if d.file != nil {
		d.failed = writeDeferral(d.file, key, e) != nil
	}
	return true
}

// sweep removes what is too old to come again, and returns how many that were.
func (d *Deferrals) sweep(now time.Time) int {
	n := 0
	for key, e := range d.known {
		if now.Sub(e.First) > keepDeferral {
			delete(d.known, key)
			n++
		}
	}
	return n
}

// Len returns how many messages are remembered.
func (d *Deferrals) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.known)
}

// Failed reports whether the file could not be written the last time.
func (d *Deferrals) Failed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// Close closes the file.
func (d *Deferrals) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.file == nil {
		return nil
	}
	err := d.file.Close()
	d.file = nil
	return err
}
