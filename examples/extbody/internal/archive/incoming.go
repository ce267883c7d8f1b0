package archive

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// The names of the two files of an entry in the folder incoming, after its digest.
const (
	entrySuffix = ".warc.gz"
	bodySuffix  = ".body"
	asidePrefix = "damaged-"
)

// unnamedTime is how long an entry waits for a message that names its key. A body without an entry is
// removed after leftTime.
const (
	unnamedTime = 90 * 24 * time.Hour
	leftTime    = 24 * time.Hour
)

func (a *Archive) incomingDir() string { return filepath.Join(a.dir, "incoming") }

// An Incoming is a folder in which a server hands bodies over to an archive, without the lock of the archive
// and while a run writes to it. Several goroutines and several servers may use one folder.
type Incoming struct {
	Dir      string // of the archive
	Name     string // of the server; see IncomingName
	Resolver *externalbody.Resolver
	Login    func(u *url.URL) string // returns the user who logs in at the host of a URL, or ""
}

// IncomingName returns a name fit for a folder: letters, digits, ".", "_" and "-" of a name, and "-" for
// anything else.
func IncomingName(name string) string {
	name = strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("._-", c):
			return c
		}
		return '-'
	}, name[:min(len(name), 100)])
	if below, hidden := strings.CutPrefix(name, "."); hidden {
		name = "-" + below
	}
	return cmp.Or(name, "server")
}

// ErrUnfit is the error of a body that a run would not capture as it was fetched. A run asks for it anew.
var ErrUnfit = errors.New("the body is left to the next run of the archive")

// An Entry is a body to hand over, without its octets.
type Entry struct {
	capture Capture
	list    []*fetch.Exchange
}

// Entry returns the Entry of a body that was fetched. The error is ErrUnfit if the body is in the message, if
// no exchange with a server brought it, or if it has another size than the reference promises.
func (in *Incoming) Entry(ref *externalbody.Reference, r *externalbody.Report, list []*fetch.Exchange) (*Entry, error) {
	told := describe(in.Resolver, in.Login, "", ref)
	promised := ref.Dialect == "" || slices.Contains(ref.Promises, "size")
	if told.Host == "" || !slices.ContainsFunc(list, asked) {
		return nil, ErrUnfit
	}
	mismatch := func(c fetch.Check) bool { return c.Name == "size" && c.Status == fetch.Mismatch }
	if promised && slices.ContainsFunc(r.Checks, mismatch) {
		return nil, ErrUnfit
	}
	f := Facts{Key: told.Key, Expect: told.Expect, URL: told.URL, Login: told.Login, Host: told.Host}
	f.add(r, time.Now().UTC())
	if last := list[len(list)-1].Ended; !last.IsZero() && last.Before(f.Started) { // a stored answer
		f.Started = list[0].Started.UTC()
		f.Ended = last.UTC()
	}
	e := &Entry{*newCapture(f, r), list}
	e.capture.By = in.Name
	return e, nil
}

// Check returns an error if the archive is not there, or takes no entries.
func (in *Incoming) Check() error {
	if _, err := os.Stat(filepath.Join(in.Dir, "ledger")); err != nil {
		return fmt.Errorf("%s: %w", in.Dir, ErrNone) // a disk may not be mounted
	}
	for _, dir := range []string{filepath.Join(in.Dir, "incoming"), in.folder()} {
		if err := below.Folder(dir); err != nil {
			return err
		}
		switch err := os.Mkdir(dir, 0o700); {
		case err == nil:
			if err := atomicfile.SyncFolder(filepath.Dir(dir)); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	f, err := atomicfile.Open(in.folder())
	if err == nil {
		f.Discard()
	}
	return err
}

func (in *Incoming) folder() string { return filepath.Join(in.Dir, "incoming", in.Name) }

// Put hands a body over. When it returns nil the entry is on the disk. Killed at any moment, it leaves
// a whole entry or nothing that counts. To put an Entry again changes nothing.
func (in *Incoming) Put(e *Entry, body io.Reader) error {
	if err := in.Check(); err != nil {
		return err
	}
	f, err := atomicfile.Open(in.folder())
	if err != nil {
		return err
	}
	defer f.Discard()
	h := sha256.New()
	c := e.capture
	c.Size, err = io.Copy(io.MultiWriter(f, h), body)
	if err != nil {
		return err
	}
	c.SHA256 = hex.EncodeToString(h.Sum(nil))
	recs, err := exchange.Records(e.list, kindCapture, &c, c.SHA256)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, r := range recs {
		if err := r.Write(&b); err != nil {
			return err
		}
	}
	if b.Len() > maxSmall {
		return fmt.Errorf("%w: its exchanges are too long", ErrUnfit)
	}
	name := filepath.Join(in.folder(), digest(b.String()))
	if err := f.Publish(name + bodySuffix); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err = atomicfile.PublishFile(name+entrySuffix, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return err
}

// A delivery is an entry that a server handed over.
type delivery struct {
	dir, by, sum string // dir is the folder incoming
	capture      Capture
	records      []*warc.Record
}

// path returns the path of the entry, or of its body, below the archive.
func (d *delivery) path(suffix string) string { return "incoming/" + d.by + "/" + d.sum + suffix }

func (d *delivery) file(suffix string) string { return filepath.Join(d.dir, d.by, d.sum+suffix) }

// errEntry is the error of an entry that is damaged.
var errEntry = errors.New("is damaged")

// read reads the entry. It does not read the body. The error is errEntry if the entry is damaged.
func (d *delivery) read() error {
	text, err := readSmall(d.file(entrySuffix))
	switch {
	case errors.Is(err, errLarge):
		return errEntry
	case err != nil:
		return err
	case digest(string(text)) != d.sum:
		return errEntry
	}
	for r := warc.NewReader(bytes.NewReader(text), exchange.MaxBlock); ; {
		rec, _, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return errEntry
		}
		d.records = append(d.records, rec)
	}
	if len(d.records) == 0 {
		return errEntry
	}
	var told struct {
		Kind    string
		Capture Capture
	}
	last := d.records[len(d.records)-1]
	if last.ContentType != exchange.EntryType || bounded.JSON(last.Block, &told, exchange.MaxValues) != nil || told.Kind != kindCapture {
		return errEntry
	}
	d.capture = told.Capture
	if !store.IsSum(d.capture.Key) || !store.IsSum(d.capture.SHA256) || d.capture.Ended.IsZero() {
		return errEntry
	}
	d.capture.By = d.by
	return nil
}

// check compares the body with its digest. The error is errEntry if it differs, or is lost.
func (d *delivery) check() error {
	f, _, err := below.Open(filepath.Join(d.dir, d.by), d.sum+bodySuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return errEntry
	}
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err == nil && (n != d.capture.Size || hex.EncodeToString(h.Sum(nil)) != d.capture.SHA256) {
		err = errEntry
	}
	return err
}

// remove removes the entry, and then its body.
func (d *delivery) remove() error {
	dir := filepath.Join(d.dir, d.by)
	if err := errors.Join(removed(d.file(entrySuffix)), atomicfile.SyncFolder(dir)); err != nil {
		return err
	}
	return removed(d.file(bodySuffix))
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// aside gives the files of a damaged entry names by which they are entries no more.
func (d *delivery) aside() error {
	for _, suffix := range []string{entrySuffix, bodySuffix} {
		err := os.Rename(d.file(suffix), filepath.Join(d.dir, d.by, asidePrefix+d.sum+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return atomicfile.SyncFolder(filepath.Join(d.dir, d.by))
}

// deliveries calls f with each entry in the folder incoming, in the order of their names. entry is nil for a
// file that belongs to none: a damaged one that was kept aside, a body without an entry, or a file of
// others. No folder is no error.
func (a *Archive) deliveries(f func(entry *delivery, path string, info fs.FileInfo) error) error {
	servers, err := os.ReadDir(a.incomingDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, server := range servers {
		if !server.IsDir() {
			continue
		}
		files, err := os.ReadDir(filepath.Join(a.incomingDir(), server.Name()))
		if err != nil {
			return err
		}
		has := make(map[string]bool)
		for _, e := range files {
			has[e.Name()] = true
		}
		for _, e := range files {
			info, err := e.Info()
			if err != nil {
				continue // it was taken in, or finished
			}
			sum, isEntry := strings.CutSuffix(e.Name(), entrySuffix)
			body, isBody := strings.CutSuffix(e.Name(), bodySuffix)
			path := "incoming/" + server.Name() + "/" + e.Name()
			switch {
			case isEntry && store.IsSum(sum):
				err = f(&delivery{dir: a.incomingDir(), by: server.Name(), sum: sum}, path, info)
			case isBody && store.IsSum(body) && has[body+entrySuffix]:
			default:
				err = f(nil, path, info)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// isAside reports whether a path belongs to a damaged entry which was kept.
func isAside(path string) bool {
	return strings.HasPrefix(path[strings.LastIndexByte(path, '/')+1:], asidePrefix) && strings.HasSuffix(path, entrySuffix)
}

// dropIncoming removes the entries of keys that were forgotten. A damaged entry stays.
func (a *Archive) dropIncoming(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return a.deliveries(func(d *delivery, _ string, _ fs.FileInfo) error {
		if d == nil || d.read() != nil || !slices.Contains(keys, d.capture.Key) {
			return nil
		}
		return d.remove()
	})
}

// A Waiting is the content of the folder incoming: Entries with bodies of Octets octets, which wait for a
// message that names them. Oldest is when the first of them was fetched, by the time of its file. Damaged counts entries that
// were kept aside.
type Waiting struct {
	Entries int64     `json:"entries"`
	Octets  int64     `json:"octets"`
	Oldest  time.Time `json:"oldest,omitzero"`
	Damaged int64     `json:"damaged,omitempty"`
}

// waiting counts the entries in the folder incoming. It does not read them.
func (a *Archive) waiting() (w Waiting, err error) {
	err = a.deliveries(func(d *delivery, path string, info fs.FileInfo) error {
		switch {
		case d != nil:
			w.Entries++
			if body, err := os.Stat(d.file(bodySuffix)); err == nil {
				w.Octets += body.Size()
			}
			if at := info.ModTime().UTC().Truncate(time.Second); w.Oldest.IsZero() || at.Before(w.Oldest) {
				w.Oldest = at
			}
		case isAside(path):
			w.Damaged++
		}
		return nil
	})
	return w, err
}
