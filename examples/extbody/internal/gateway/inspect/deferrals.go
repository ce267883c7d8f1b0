package inspect

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/filelock"
)

// Deferrals remember how often and since when messages are deferred, so that each is
// deferred for a bounded time. Several goroutines may use them at once.
//
// A message is identified by its sender, its recipients and its references. If
// another client sends a message like it, the deferrals of both count together,
// and both pass sooner. A new Message-ID, or a new identifier of a queue, does not make
// it another message, so it is not deferred anew.
//
// Servers that share their mail count together with [Deferrals.Share], and each by itself while
// that fails.
//
// The memory and the file are bounded. When they are full,
// messages whose time was over an hour ago are forgotten.
type Deferrals struct {
	path  string
	max   int
	share func(key string, age time.Duration, more int) (time.Duration, int, error)

	mu     sync.Mutex
	known  map[string]*deferral
	swept  time.Time // the last time that there was no room
	locked *os.File  // while the file is ours
	file   *os.File
	lines  int // in the file
	failed bool
}

// A deferral is the history of a message that was deferred.
type deferral struct {
	First time.Time `json:"first"`
	Tries int       `json:"tries"`

	alone int // of them, that the other servers do not know
}

// The bounds of Deferrals.
const (
	maxDeferrals = 100_000
	keepDeferral = 6 * 24 * time.Hour // longer than mail servers try, usually 5 days
	keepPassed   = time.Hour          // after the time of a message is over, when they are full
	sweepEvery   = time.Minute        // at most this often
	deferralFile = "deferred.jsonl"
	deferralLock = "deferred.lock"

	maxDeferralLine = 512      // octets
	maxDeferralFile = 64 << 20 // octets that are read at most
)

// NewDeferrals returns Deferrals that are kept in a file in dir, so that counting goes
// on after the program is started again. If dir is "", they are kept in memory alone.
// Lines of the file that cannot be read are ignored.
//
// The error is one of the file, which another process may use. With an error, the
// Deferrals can still be used, and are kept in memory alone.
func NewDeferrals(dir string) (*Deferrals, error) {
	d := &Deferrals{max: maxDeferrals, known: make(map[string]*deferral)}
	if dir == "" {
		return d, nil
	}
	d.path = filepath.Join(dir, deferralFile)
	err := d.lock(filepath.Join(dir, deferralLock))
	if err == nil {
		err = d.load()
	}
	if err == nil {
		err = d.rewrite()
	}
	return d, err
}

// Share has count count the deferrals of all servers. It is called with the name of a message, how long
// ago this server deferred it first, and how many deferrals the others do not know yet. It returns how long
// ago the first server did, and how often all did, with these. Share is called before May.
func (d *Deferrals) Share(count func(key string, age time.Duration, more int) (time.Duration, int, error)) {
	d.share = count
}

// together takes in the facts that other servers know of a message. The lock is open while they are asked.
func (d *Deferrals) together(key string, e *deferral, now time.Time, tried bool) {
	if d.share == nil {
		return
	}
	one := 0
	if tried {
		one = 1
	}
	e.alone += one
	more := e.alone
	first := e.First
	d.mu.Unlock()
	age, tries, err := d.share(key, now.Sub(first), more)
	d.mu.Lock()
	if err == nil {
		e.First = now.Add(-age)
		e.Tries = max(e.Tries, tries-one)
		e.alone = max(e.alone-more, 0)
	}
}

// deferralLine is a line of the file. The last one of a key counts.
type deferralLine struct {
	Key string `json:"key"`
	deferral
}

// lock makes the file ours until Close.
func (d *Deferrals) lock(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := filelock.Try(f); err != nil {
		f.Close()
		return fmt.Errorf("another server uses the folder: %s: %w", path, err)
	}
	d.locked = f
	return nil
}

func (d *Deferrals) load() error {
	f, err := os.Open(d.path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, maxDeferralFile), maxDeferralLine)
	for cut := false; ; {
		line, more, err := r.ReadLine()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !cut && !more {
			d.read(line)
		}
		cut = more // the rest of a line that is too long follows
	}
}

// read takes in a line of the file. It ignores other lines.
func (d *Deferrals) read(line []byte) {
	var l deferralLine
	if json.Unmarshal(line, &l) != nil || l.Key == "" || l.Tries < 1 {
		return // the end of the file of a program that was killed
	}
	age := time.Since(l.First)
	if age < keepDeferral && age > -keepDeferral && (d.known[l.Key] != nil || len(d.known) < d.max) {
		d.known[l.Key] = &l.deferral
	}
}

// rewrite writes a new file with the deferrals that still count, and keeps it open.
func (d *Deferrals) rewrite() error {
	err := atomicfile.ReplaceFile(d.path, func(w io.Writer) (err error) {
		lines := json.NewEncoder(w)
		for key, e := range d.known {
			err = cmp.Or(err, lines.Encode(deferralLine{key, *e}))
		}
		return err
	})
	if err != nil {
		return err
	}
	if d.file != nil {
		d.file.Close()
	}
	d.lines = len(d.known)
	d.file, err = os.OpenFile(d.path, os.O_WRONLY|os.O_APPEND, 0)
	return err
}

// write appends a line to the file. It writes a new file when most of the old one no
// longer counts.
func (d *Deferrals) write(key string, e *deferral) error {
	if d.lines >= 2*max(len(d.known), 1000) {
		return d.rewrite()
	}
	if d.failed {
		// The rest of a line must not become the start of this one.
		if _, err := d.file.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
	d.lines++
	return json.NewEncoder(d.file).Encode(deferralLine{key, *e})
}

// May reports whether a message may be deferred now, and counts the deferral if so. If
// tried is false, it does not count as one of the tries: there was no room to look for
// the bodies. The limit on the time holds nevertheless. A message that cannot be remembered
// must not be deferred, since its deferrals would never end.
func (d *Deferrals) May(key string, limits DeferLimits, tried bool) bool {
	limits = limits.or()
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.known[key]
	if e == nil {
		if len(d.known) >= d.max {
			d.sweep(now, limits)
		}
		if len(d.known) >= d.max {
			return false
		}
		e = &deferral{First: now}
		d.known[key] = e
	}
	d.together(key, e, now, tried)
	// If the clock was set back by more than the limit, the message passes too.
	if since := now.Sub(e.First); e.Tries >= limits.Tries || since > limits.Delay || since < -limits.Delay {
		return false
	}
	if tried {
		e.Tries++
	} else if e.Tries == 0 {
		return true // the first try is written down, and starts the time anew after a restart
	}
	if d.file != nil {
		d.failed = d.write(key, e) != nil
	}
	return true
}

// sweep removes messages that are too old to come again, and then those whose time was
// over long enough ago. It looks at all of them, so it does nothing if it was called
// shortly before.
func (d *Deferrals) sweep(now time.Time, limits DeferLimits) {
	if now.Sub(d.swept) < sweepEvery {
		return
	}
	d.swept = now
	for _, keep := range []time.Duration{keepDeferral, limits.Delay + keepPassed} {
		for key, e := range d.known {
			if now.Sub(e.First) > keep {
				delete(d.known, key)
			}
		}
		if len(d.known) < d.max {
			return
		}
	}
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
	if d.locked != nil {
		defer d.locked.Close()
		d.locked = nil
	}
	if d.file == nil {
		return nil
	}
	err := d.file.Close()
	d.file = nil
	return err
}
