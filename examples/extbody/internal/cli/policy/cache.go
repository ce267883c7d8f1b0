package policy

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

// A Cache is the flags for a cache of fetched bodies.
type Cache struct {
	Dir     string // "" for none
	size    flagvalue.Size
	offline bool

	// MaxAge, if it is more than 0, is how long a stored body is used without asking the
	// server, whatever the server said.
	MaxAge time.Duration

	// Shared is how many octets are kept in memory if there is no Dir, so that a body
	// of several messages is fetched once a run. 0 means none.
	Shared int64

	// Exchanges keeps the exchange that brought a body with it, as its proof.
	Exchanges bool

	// Failed, if it is not nil, is called when a body cannot be stored in Dir, for any
	// reason but the size of the cache. The cache then also leaves cacheReserve octets of
	// its disk free, and less than that is such a reason.
	Failed func(error)
}

// cacheReserve is room for messages and bodies that are looked at on the disk of the cache.
const cacheReserve = 64 << 20

var errReserve = errors.New("the disk of the cache has no room but for messages")

// defaultCacheSize is the size of a cache, in octets, if none is given.
const defaultCacheSize = 1 << 30

// Flags adds the flags.
func (c *Cache) Flags(f *pflag.FlagSet) {
	f.Var(c, "cache", "keep fetched bodies in `DIR`, at most SIZE octets (default 1GiB), for this run and later ones")
	f.BoolVar(&c.offline, "offline", false, "contact nobody, and leave bodies that are not in the --cache for later")
}

// Set implements pflag.Value. It takes a folder, or a folder, ":" and a size. A folder
// whose own name ends like that must be given with a size.
func (c *Cache) Set(s string) error {
	dir := s
	size := flagvalue.Size(defaultCacheSize)
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		var n flagvalue.Size
		if err := n.Set(s[i+1:]); err == nil {
			dir = s[:i]
			size = n
		}
	}
	if dir == "" || size < 0 {
		return errors.New("want a folder, or a folder and a size such as DIR:10GB")
	}
	c.Dir = dir
	c.size = size
	return nil
}

func (c *Cache) String() string {
	if c.Dir == "" {
		return ""
	}
	return c.Dir + ":" + c.size.String()
}

// Type implements pflag.Value.
func (c *Cache) Type() string { return "DIR[:SIZE]" }

func (c *Cache) options() *cache.Options {
	o := &cache.Options{Offline: c.offline}
	if c.MaxAge > 0 {
		asked := map[string][]string{"Cache-Control": {"max-age=" + strconv.Itoa(int(c.MaxAge/time.Second))}}
		o.Header = func(context.Context, *fetch.Request) map[string][]string { return asked }
	}
	return o
}

// Open returns the store, which may be nil, and a function that closes it after the last
// body.
func (c *Cache) Open() (cache.Store, func(), error) {
	switch {
	case c.Dir != "":
		dir, err := cache.Dir(c.Dir, int64(c.size))
		if err != nil {
			return nil, nil, err
		}
		s := &settled{Store: dir, flags: c}
		return s, func() {
			s.drafts.Wait()
			dir.Close()
		}, nil
	case c.Shared > 0:
		return cache.Memory(c.Shared), func() {}, nil
	}
	return nil, func() {}, nil
}

// A settled is a Store that knows which bodies are still being stored. The last octets
// of a body are given out before the body is entered.
type settled struct {
	cache.Store
	flags  *Cache
	drafts sync.WaitGroup
}

// failed reports an error of storing a body, and returns it.
func (s *settled) failed(err error) error {
	if err != nil && s.flags.Failed != nil && !errors.Is(err, cache.ErrFull) {
		s.flags.Failed(err)
	}
	return err
}

// Create implements cache.Store.
func (s *settled) Create(size int64) (cache.Draft, error) {
	if free := archive.FreeSpace(s.flags.Dir); s.flags.Failed != nil && free >= 0 && free < cacheReserve+max(size, 0) {
		return nil, s.failed(errReserve)
	}
	d, err := s.Store.Create(size)
	if err != nil {
		return nil, s.failed(err)
	}
	s.drafts.Add(1)
	return &settling{Draft: d, store: s, done: sync.OnceFunc(s.drafts.Done)}, nil
}

// A settling is a body that is being stored.
type settling struct {
	cache.Draft
	store *settled
	done  func()
}

// Write implements cache.Draft.
func (d *settling) Write(p []byte) (int, error) {
	n, err := d.Draft.Write(p)
	return n, d.store.failed(err)
}

// Commit implements cache.Draft.
func (d *settling) Commit(key string, meta []byte) error {
	return d.store.failed(d.Draft.Commit(key, meta))
}

// Close implements cache.Draft.
func (d *settling) Close() error {
	defer d.done()
	return d.Draft.Close()
}
