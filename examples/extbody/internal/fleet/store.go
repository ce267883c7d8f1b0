package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// answers are the cache.Store of a tier. A Client reads them, and a Worker writes them too.
type answers struct {
	tier  *Tier
	write bool
	dir   string // for drafts
}

func query() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), queryTime)
}

// Now returns the time of the server, by which package cache judges the entries.
func (s *answers) Now() time.Time { return s.tier.clock.of(time.Now()) }

// Get implements cache.Store.
func (s *answers) Get(key string) (cache.Item, error) {
	ctx, cancel := query()
	defer cancel()
	name, err := s.tier.name(ctx, []byte(key))
	if err != nil {
		return nil, err
	}
	it := &item{tier: s.tier}
	err = s.tier.db.QueryRow(
		ctx, `SELECT meta, object, sha256, size FROM fleet_entries WHERE key = $1`, name,
	).Scan(&it.meta, &it.object, &it.sum, &it.size)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return it, nil
}

// Create implements cache.Store.
func (s *answers) Create(int64) (cache.Draft, error) {
	if !s.write {
		return nil, cache.ErrFull
	}
	return newDraft(s.tier, s.dir), nil
}

// Update implements cache.Store.
func (s *answers) Update(key string, it cache.Item, meta []byte) error {
	if !s.write {
		return nil
	}
	return s.exec(key, `UPDATE fleet_entries SET meta = $2, used = now() WHERE key = $1 AND sha256 = $3`, meta, it.(*item).sum)
}

// Delete implements cache.Store.
func (s *answers) Delete(key string) error {
	if !s.write {
		return nil
	}
	return s.exec(key, `DELETE FROM fleet_entries WHERE key = $1`)
}

// Close implements [cache.Store]. The database is its owner's to close.
func (s *answers) Close() error { return nil }

// exec runs a statement whose first argument is the name of a key.
func (s *answers) exec(key, statement string, args ...any) error {
	ctx, cancel := query()
	defer cancel()
	name, err := s.tier.name(ctx, []byte(key))
	if err != nil {
		return err
	}
	_, err = s.tier.db.Exec(ctx, statement, append([]any{name}, args...)...)
	return err
}

// An item is an entry. It implements cache.Item.
type item struct {
	tier   *Tier
	meta   []byte
	object string
	sum    []byte
	size   int64
}

func (it *item) Meta() []byte { return it.meta }
func (it *item) Size() int64  { return it.size }
func (it *item) Close() error { return nil }
func (it *item) Open() io.ReadCloser {
	return it.tier.open(context.Background(), it.object, it.size, it.sum)
}

// open returns a reader of an object. It reports io.EOF only if the object has the octets that
// were stored, and cache.ErrCorrupt if not. If the bucket is away the error is an [*Away].
func (t *Tier) open(ctx context.Context, object string, size int64, sum []byte) io.ReadCloser {
	ctx, cancel := context.WithCancel(ctx)
	return &body{tier: t, ctx: ctx, cancel: cancel, object: object, left: size, want: sum, hash: sha256.New()}
}

// A body is an object that is read.
type body struct {
	tier   *Tier
	ctx    context.Context
	cancel context.CancelFunc
	object string
	left   int64
	want   []byte
	hash   hash.Hash
	src    io.ReadCloser
}

// putTime bounds the time to store an object.
const putTime = 10 * time.Minute

func (b *body) Read(p []byte) (int, error) {
	if b.src == nil {
		src, _, err := b.tier.objects.Open(b.ctx, b.object)
		if err != nil {
			return 0, b.fault(err)
		}
		b.src = src
	}
	n, err := b.src.Read(p)
	b.hash.Write(p[:n])
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, cache.ErrCorrupt
	case err == io.EOF && (b.left > 0 || !bytes.Equal(b.hash.Sum(nil), b.want)):
		return n, cache.ErrCorrupt
	case err != nil && err != io.EOF:
		return n, b.fault(err)
	}
	return n, err
}

// fault returns the error of a body for an error of the bucket.
func (b *body) fault(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cache.ErrCorrupt
	case b.ctx.Err() != nil:
		return context.Cause(b.ctx)
	}
	return away("bucket", err)
}

func (b *body) Close() error {
	b.cancel()
	if b.src == nil {
		return nil
	}
	return b.src.Close()
}

// A draft is a body that is being stored. It implements cache.Draft.
type draft struct {
	tier  *Tier
	own   string // of the one job that may have the body; "" if it may be stored
	spool spool.Spool
	hash  hash.Hash
	size  atomic.Int64
}

func newDraft(t *Tier, dir string) *draft {
	return &draft{tier: t, spool: spool.Spool{Dir: dir, Memory: draftMemory}, hash: sha256.New()}
}

// draftMemory is how much of a draft stays in memory.
const draftMemory = 256 << 10

func (d *draft) Write(p []byte) (int, error) {
	n, err := d.spool.Write(p)
	d.hash.Write(p[:n])
	d.size.Add(int64(n))
	return n, err
}

func (d *draft) ReadAt(p []byte, off int64) (int, error) { return d.spool.ReadAt(p, off) }
func (d *draft) Close() error                            { return d.spool.Close() }

// Commit implements cache.Draft.
func (d *draft) Commit(key string, meta []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), putTime)
	defer cancel()
	name, err := d.tier.name(ctx, []byte(key))
	if err != nil {
		return err
	}
	object, sum, err := d.put(ctx)
	if err != nil {
		return err
	}
	urls, err := d.tier.names(ctx, cache.URLs(meta))
	if err != nil {
		return err
	}
	_, err = d.tier.exec(ctx, `INSERT INTO fleet_entries (key, meta, object, sha256, size, urls, tenant) `+
		`VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, fleet_tenant()))
		ON CONFLICT (key) DO UPDATE SET meta = $2, object = $3, sha256 = $4, size = $5, urls = $6, used = now()`,
		name, meta, object, sum, d.size.Load(), urls, d.tier.tenant)
	return err
}

// put puts the octets into the bucket, and returns the name of the object and the SHA-256.
// The row of the object, which is written first, keeps it from being removed as unused.
func (d *draft) put(ctx context.Context) (object string, sum []byte, err error) {
	sum = d.hash.Sum(nil)
	// An object of a job alone has a name of its own, and goes without a look for others.
	name, err := d.tier.name(ctx, append([]byte(d.own), sum...))
	if err != nil {
		return "", nil, err
	}
	object = hex.EncodeToString(name)
	_, err = d.tier.exec(
		ctx, `INSERT INTO fleet_objects VALUES ($1, now()) ON CONFLICT (name) DO UPDATE SET used = now()`, object,
	)
	if err != nil {
		return "", nil, err
	}
	size := d.size.Load()
	if err := d.mend(ctx, object, size, sum); err != nil {
		d.tier.outage.note(ctx, err)
		return "", nil, err
	}
	err = d.tier.objects.Put(ctx, object, size, io.NewSectionReader(&d.spool, 0, size))
	d.tier.outage.note(ctx, err)
	return object, sum, err
}

// mend deletes an object of that name that has other octets: Put keeps an object that is there.
func (d *draft) mend(ctx context.Context, object string, size int64, sum []byte) error {
	_, err := d.tier.objects.Stat(ctx, object)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		r := d.tier.open(ctx, object, size, sum)
		defer r.Close()
		_, err = io.Copy(io.Discard, r)
	}
	if errors.Is(err, cache.ErrCorrupt) {
		return d.tier.objects.Delete(ctx, object)
	}
	return err
}

// BucketFails reports whether the bucket does not take bodies: it did not take the last one, and no probe since.
func (t *Tier) BucketFails() bool { return t.outage.lasts() }
