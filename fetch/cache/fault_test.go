package cache_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

// A faulty store fails at one point.
type faulty struct {
	cache.Store
	fault string
	at    int64 // octets before it fails
}

func (s *faulty) Get(key string) (cache.Item, error) {
	if s.fault == "Get" {
		return nil, syscall.EIO
	}
	it, err := s.Store.Get(key)
	if err != nil {
		return nil, err
	}
	return &faultyItem{it, s}, nil
}

func (s *faulty) Create(size int64) (cache.Draft, error) {
	if s.fault == "Create" {
		return nil, syscall.EROFS
	}
	d, err := s.Store.Create(size)
	return &faultyDraft{Draft: d, s: s}, err
}

func (s *faulty) Update(key string, it cache.Item, meta []byte) error {
	if s.fault == "Update" {
		return syscall.EROFS
	}
	return s.Store.Update(key, it.(*faultyItem).Item, meta)
}

func (s *faulty) Delete(key string) error {
	if s.fault == "Delete" || s.fault == "Open" {
		return syscall.EROFS
	}
	return s.Store.Delete(key)
}

type faultyItem struct {
	cache.Item
	s *faulty
}

func (it *faultyItem) Open() io.ReadCloser {
	r := it.Item.Open()
	if it.s.fault != "Open" {
		return r
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(r, it.s.at), iotest.ErrReader(cache.ErrCorrupt)), r}
}

type faultyDraft struct {
	cache.Draft
	s *faulty
	n int64
}

func (d *faultyDraft) Write(p []byte) (int, error) {
	if d.s.fault == "Write" && d.n+int64(len(p)) > d.s.at {
		return 0, syscall.ENOSPC
	}
	n, err := d.Draft.Write(p)
	d.n += int64(n)
	return n, err
}

func (d *faultyDraft) Commit(key string, meta []byte) error {
	if d.s.fault == "Commit" {
		return syscall.ENOSPC
	}
	return d.Draft.Commit(key, meta)
}

// Wherever the store fails, everybody gets the body, whole and right. A stored body that
// is damaged is an error.
func TestStoreFails(t *testing.T) {
	want := string(body(300_000))
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		set(rw, "Etag", `"a"`, "Cache-Control", "max-age=1000", "Content-Length", strconv.Itoa(len(want)))
		sendAll(rw, want, 50_000)
	})
	for _, fault := range []string{"None", "Get", "Create", "Write", "Commit", "Open", "Update", "Delete"} {
		for _, at := range []int64{0, 1, 100_000, 299_999} {
			if at > 0 && (fault == "Get" || fault == "Create" || fault == "Commit" || fault == "Update" || fault == "Delete" || fault == "None") {
				continue
			}
			t.Run(fmt.Sprint(fault, at), func(t *testing.T) {
				c := cache.New(newWeb(t), &faulty{cache.Memory(1 << 20), fault, at}, nil)
				for round := range 3 {
					together(4, func(i int) {
						got, _, err := get(t.Context(), c, request(t, u))
						switch {
						case fault == "Open" && errors.Is(err, fetch.ErrDamaged) && fetch.KindOf(err) == fetch.Local:
						case err != nil || got != want:
							t.Errorf("round %d, reader %d: got %d octets, %v, want %d", round, i, len(got), err, len(want))
						}
					})
				}
				c.Wait()
			})
		}
	}
}

// A damaged body is an error once, without its last octet. Then the body is fetched again,
// also if the store cannot delete the entry.
func TestDamagedOnce(t *testing.T) {
	want := string(body(300_000))
	u, asked := counted(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Cache-Control", "max-age=1000")
		io.WriteString(rw, want)
	})
	d, path := newDir(t, 4<<20)
	damage := func() {
		f, err := os.OpenFile(files(t, filepath.Join(path, "objects"))[0], os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteAt([]byte("x"), 299_999)
			f.Close()
		}
		noError(t, err)
	}
	store := &faulty{Store: d}
	c := cache.New(newWeb(t), store, nil)
	for round, wantErr := range []error{nil, fetch.ErrDamaged, nil, nil, fetch.ErrDamaged, nil, nil} {
		if round == 1 || round == 4 {
			damage()
			if round == 4 {
				store.fault = "Delete"
			}
		}
		got, _, err := get(t.Context(), c, request(t, u))
		switch {
		case wantErr != nil && (!errors.Is(err, wantErr) || fetch.KindOf(err) != fetch.Local || len(got) >= len(want)):
			t.Errorf("round %d: got %d octets, %v, want fewer than %d, %v", round, len(got), err, len(want), wantErr)
		case wantErr == nil && (err != nil || got != want):
			t.Errorf("round %d: got %d octets, %v, want %d, nil", round, len(got), err, len(want))
		}
		c.Wait()
	}
	equal(t, "requests", asked.Load(), 3)
}

// A directory that is deleted, made read-only or damaged while it is used is
// never the caller's failure.
func TestDirUnderfoot(t *testing.T) {
	want := string(body(600_000))
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, want) })
	for _, tt := range []struct {
		name string
		do   func(path string) error
	}{
		{"Deleted", os.RemoveAll},
		{"ObjectsDeleted", func(p string) error { return os.RemoveAll(filepath.Join(p, "objects")) }},
		{"EntriesDeleted", func(p string) error { return os.RemoveAll(filepath.Join(p, "entries")) }},
		{"TmpDeleted", func(p string) error { return os.RemoveAll(filepath.Join(p, "tmp")) }},
		{"ObjectsAreAFile", func(p string) error {
			os.RemoveAll(filepath.Join(p, "objects"))
			return os.WriteFile(filepath.Join(p, "objects"), nil, 0o600)
		}},
		{"UsageDamaged", func(p string) error { return os.WriteFile(filepath.Join(p, "usage"), []byte("junk"), 0o600) }},
		{"UsageHuge", func(p string) error {
			return os.WriteFile(filepath.Join(p, "usage"), []byte("9223372036854775807\n"), 0o600)
		}},
		{"BodyDamaged", func(p string) error {
			return filepath.WalkDir(filepath.Join(p, "objects"), func(name string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				f, err := os.OpenFile(name, os.O_WRONLY, 0)
				if err != nil {
					return err
				}
				defer f.Close()
				_, err = f.WriteAt([]byte("damage"), 400_000)
				return err
			})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, path := newDir(t, 4<<20)
			c := cache.New(newWeb(t), d, nil)
			for i := range 4 {
				got, _, err := get(t.Context(), c, request(t, u+"/"+strconv.Itoa(i/3)))
				if i == 1 && tt.name == "BodyDamaged" {
					if !errors.Is(err, fetch.ErrDamaged) || len(got) >= len(want) {
						t.Errorf("the damaged body: got %d octets, %v, want %v", len(got), err, fetch.ErrDamaged)
					}
				} else if err != nil || got != want {
					t.Errorf("fetch %d: got %d octets, %v, want %d, nil", i, len(got), err, len(want))
				}
				c.Wait()
				if i == 0 {
					noError(t, tt.do(path))
				}
			}
		})
	}
}

// A body that turned out bad is not stored, whatever is wrong with it.
func TestBadBodiesAreNotStored(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve http.HandlerFunc
		want  fetch.Kind
	}{
		{"Cut", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Length", "100")
			send(rw, "half")
			panic(http.ErrAbortHandler)
		}, fetch.Truncated},
		{"Digest", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Md5", "XUFAKrxLKna5cZ2REBfFkg==")
			io.WriteString(rw, "hullo")
		}, fetch.DigestMismatch},
		{"Coding", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Encoding", "gzip")
			io.WriteString(rw, "this is not gzip")
		}, fetch.Protocol},
	} {
		asked := 0
		u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
			asked++
			rw.Header().Set("Cache-Control", "max-age=1000")
			tt.serve(rw, r)
		})
		d, path := newDir(t, 1<<20)
		c := cache.New(newWeb(t), d, nil)
		for range 2 {
			wantKind(t, c, request(t, u+"/"+tt.name), tt.want)
			c.Wait()
		}
		equal(t, tt.name+": requests", asked, 2)
		for _, sub := range []string{"objects", "entries"} {
			equal(t, tt.name+": files in "+sub, len(files(t, filepath.Join(path, sub))), 0)
		}
		d.Close()
	}
}

// A caller may give up at any point: the others get the whole, the last one ends
// the fetch, and nothing is left.
func TestCancel(t *testing.T) {
	want := string(body(400_000))
	var open atomic.Int64
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		open.Add(1)
		defer open.Add(-1)
		sendAll(rw, want, 20_000)
	})
	for step := range 40 {
		c := newCache(t, newWeb(t))
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		quit := func() {
			req := request(t, u)
			req.Observe = func(*fetch.Exchange) {}
			resp, err := fetch.Do(ctx, c, req)
			if err != nil {
				return
			}
			defer resp.Body.Close()
			io.CopyN(io.Discard, resp.Body, int64(step)*10_000)
			cancel()
			if n, err := io.Copy(io.Discard, resp.Body); err == nil && n < int64(len(want)-step*10_000) {
				t.Errorf("step %d: got an end of file after a part, want an error", step)
			}
		}
		for range 2 {
			wg.Go(quit)
		}
		if step%2 == 0 {
			wg.Go(func() {
				wantBody(t, c, request(t, u), want)
			})
		}
		if step%4 == 1 {
			time.AfterFunc(time.Duration(step)*50*time.Microsecond, cancel)
		}
		wg.Wait()
		cancel()
		c.Wait()
	}
	for range 500 {
		if open.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("got %d requests open, want none", open.Load())
}

// A caller who gives up at any point leaves neither descriptors nor files in a store on
// disk, and the body is fetched whole the next time.
func TestCancelWithDir(t *testing.T) {
	want := string(body(400_000))
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Cache-Control", "max-age=1000")
		sendAll(rw, want, 20_000)
	})
	d, path := newDir(t, 64<<20)
	w := newWeb(t)
	c := cache.New(w, d, nil)
	before := descriptors(t)
	for step := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		u := fmt.Sprint(u, "/", step)
		req := request(t, u)
		req.Observe = func(*fetch.Exchange) {}
		phases := 0
		req.Progress = func(e fetch.Event) {
			if phases++; e.Phase != fetch.Receiving && phases > step {
				cancel() // before the body
			}
		}
		if resp, err := fetch.Do(ctx, c, req); err == nil {
			io.CopyN(io.Discard, resp.Body, int64(step)*10_000)
			cancel()
			if _, err := io.ReadAll(resp.Body); err == nil && step < 39 {
				t.Errorf("step %d: got an end of file after a part, want an error", step)
			}
			resp.Body.Close()
		}
		cancel()
		c.Wait()
		if names := files(t, filepath.Join(path, "tmp")); len(names) != 1 {
			t.Fatalf("step %d: got the files %q in tmp, want the lock alone", step, names)
		}
		wantBody(t, c, request(t, u), want)
		c.Wait()
	}
	w.CloseIdleConnections()
	now := 0
	for range 500 { // the connections that were given up close in their own time
		if now = descriptors(t); now <= before+2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("got %d descriptors open, want at most 2 more than the %d of before", now, before)
}

// However the clock jumps, the server is asked once after each jump that makes an answer
// old, or puts it in the future, and the answer that is stored then is used again.
func TestClockJumps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, tt := range []struct {
		name  string
		jumps []time.Duration // each followed by three fetches
		want  int64           // requests
	}{
		{"None", []time.Duration{0}, 1},
		{"Minute", []time.Duration{0, time.Minute}, 1},
		{"Ahead", []time.Duration{0, 10 * year}, 2},
		{"Back", []time.Duration{0, -time.Hour}, 2},
		{"FarBack", []time.Duration{0, -40 * year}, 2},
		{"AheadAndBack", []time.Duration{0, 10 * year, -10 * year}, 3},
		{"ToAndFro", []time.Duration{0, -time.Hour, time.Hour, -year, year}, 5},
	} {
		for name, store := range stores(t, 1<<20) {
			t.Run(tt.name+name, func(t *testing.T) {
				now := time.Now()
				u, asked := counted(t, func(rw http.ResponseWriter, r *http.Request) {
					set(rw, "Cache-Control", "max-age=3600", "Date", now.UTC().Format(http.TimeFormat))
					io.WriteString(rw, "hello")
				})
				c := cache.SetNow(cache.New(newWeb(t), store, nil), func() time.Time { return now })
				for _, jump := range tt.jumps {
					now = now.Add(jump)
					for range 3 {
						wantBody(t, c, request(t, u), "hello")
						c.Wait()
					}
				}
				equal(t, "requests", asked.Load(), tt.want)
			})
		}
	}
}

// The one who started gives up before the answer comes.
func TestLeaderLeaves(t *testing.T) {
	arrived, answer := make(chan bool, 1), make(chan bool)
	u, asked := counted(t, func(rw http.ResponseWriter, _ *http.Request) {
		arrived <- true
		<-answer
		io.WriteString(rw, "hello")
	})
	c := newCache(t, newWeb(t))
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		req := request(t, u)
		req.Progress = func(fetch.Event) {
			if ctx.Err() != nil {
				t.Error("got a callback after its caller has left, want none")
			}
		}
		_, _, err := get(ctx, c, req)
		first <- err
	}()
	<-arrived
	second := make(chan error)
	joined := make(chan bool)
	go func() {
		req := request(t, u)
		req.Progress = func(e fetch.Event) {
			if e.Phase == fetch.Waiting {
				close(joined)
			}
		}
		got, _, err := get(t.Context(), c, req)
		if got != "hello" {
			t.Errorf("got %q, want %q", got, "hello")
		}
		second <- err
	}()
	<-joined
	cancel()
	if err := <-first; fetch.KindOf(err) != fetch.Canceled {
		t.Errorf("who gave up got %v, want %v", err, fetch.Canceled)
	}
	close(answer)
	if err := <-second; err != nil || asked.Load() != 2 {
		t.Errorf("who stayed got %v with %d requests, want 2", err, asked.Load())
	}
}

// Five hundred requests for the same thing are one fetch.
func TestManyReaders(t *testing.T) {
	const readers = 500
	want := string(body(20_000))
	begin := make(chan bool)
	u, asked := counted(t, func(rw http.ResponseWriter, _ *http.Request) {
		<-begin
		rw.Header().Set("Content-Length", strconv.Itoa(len(want)))
		send(rw, want[:10_000])
		io.WriteString(rw, want[10_000:])
	})
	d, _ := newDir(t, 1<<20)
	c := cache.New(newWeb(t), d, nil)
	before := descriptors(t)
	var waiting sync.WaitGroup
	waiting.Add(readers)
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			req := request(t, u)
			sent := false
			req.Progress = func(e fetch.Event) {
				if (e.Phase == fetch.Sending || e.Phase == fetch.Waiting) && !sent {
					sent = true
					waiting.Done()
				}
			}
			wantBody(t, c, req, want)
		})
	}
	waiting.Wait()
	close(begin)
	wg.Wait()
	c.Wait()
	equal(t, "requests", asked.Load(), 1)
	if n := descriptors(t); n > before+8 {
		t.Errorf("got %d descriptors open, want at most 8 more than the %d before", n, before)
	}
}

func descriptors(t *testing.T) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(list)
}

// An answer after a login is for the user who logged in.
func TestLoginsAreNotShared(t *testing.T) {
	var asked atomic.Int64
	next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked.Add(1)
		who, err := req.Credentials(ctx, fetch.Challenge{Scheme: "https", Host: "h"})
		if err != nil {
			return nil, err
		}
		return answer(req, who.User), nil
	})
	d, path := newDir(t, 1<<20)
	c := cache.New(next, d, nil)
	together(20, func(i int) {
		user := fmt.Sprint("user", i)
		wantBody(t, c, login(request(t, "https://h/"), user, nil), user)
	})
	c.Wait()
	equal(t, "bodies are stored", len(files(t, filepath.Join(path, "objects"))), 0)
	refused := errors.New("no")
	if _, _, err := get(t.Context(), c, login(request(t, "https://h/"), "", refused)); !errors.Is(err, refused) {
		t.Errorf("got %v, want %v", err, refused)
	}
}

// Who follows no redirects, or has little patience, does not decide for others.
func TestLimitsAreNotShared(t *testing.T) {
	answer := make(chan bool)
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			<-answer
			http.Redirect(rw, r, "/b", http.StatusFound)
			return
		}
		io.WriteString(rw, "x")
	})
	c := newCache(t, newWeb(t))
	var wg sync.WaitGroup
	for _, tt := range []struct {
		name   string
		change func(*fetch.Request)
		want   fetch.Kind
	}{
		{"NoRedirects", func(r *fetch.Request) { r.MaxRedirects = -1 }, fetch.Protocol},
		{"Impatient", func(r *fetch.Request) { r.Timeouts.FirstOctet = time.Millisecond }, fetch.Unavailable},
		{"Spent", func(r *fetch.Request) {
			r.Budget = fetch.NewBudget(fetch.BudgetLimits{Until: time.Unix(1, 0)})
		}, fetch.Deferred},
		{"Plain", func(*fetch.Request) {}, 0},
	} {
		wg.Go(func() {
			req := request(t, u+"/")
			tt.change(req)
			_, _, err := get(t.Context(), c, req)
			if err == nil && tt.name == "Spent" {
				return // it read along, and no server was contacted for it
			}
			if fetch.KindOf(err) != tt.want {
				t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
			}
		})
	}
	time.AfterFunc(50*time.Millisecond, func() { close(answer) })
	wg.Wait()
}

// The rest of a body that was lost is charged to the Budget. Without it the file does not
// count as cut off, since the rest was not asked for.
func TestResumeBudget(t *testing.T) {
	want := string(body(100_000))
	for _, tt := range []struct {
		name    string
		fetches int64
		want    fetch.Kind
	}{
		{"Spent", 1, fetch.Deferred},
		{"Enough", 2, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cut := make(chan bool)
			u, asked := counted(t, func(rw http.ResponseWriter, r *http.Request) {
				set(rw, "ETag", `"v"`, "Cache-Control", "max-age=60")
				if r.Header.Get("Range") != "" {
					http.ServeContent(rw, r, "", time.Time{}, strings.NewReader(want))
					return
				}
				rw.Header().Set("Content-Length", strconv.Itoa(len(want)))
				send(rw, want[:50_000])
				<-cut
				panic(http.ErrAbortHandler)
			})
			req := request(t, u+"/")
			req.Budget = fetch.NewBudget(fetch.BudgetLimits{Fetches: tt.fetches})
			resp, err := fetch.Do(t.Context(), newCache(t, newWeb(t)), req)
			noError(t, err)
			defer resp.Body.Close()
			close(cut)
			got, err := io.ReadAll(resp.Body)
			if fetch.KindOf(err) != tt.want || err == nil && string(got) != want {
				t.Errorf("got %d octets, %v, want %d, %v", len(got), err, len(want), tt.want)
			}
			equal(t, "requests", asked.Load(), tt.fetches)
		})
	}
}
