//go:build unix

package cache_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/filefetch"
)

// zeros is a fetcher for bodies of n octets.
func zeros(n int64) fetch.Fetcher {
	return fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 200, Size: n, Body: io.NopCloser(io.LimitReader(pattern{}, n))}, nil
	})
}

type pattern struct{}

func (pattern) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += len(patternText) {
		copy(p[i:], patternText)
	}
	return len(p), nil
}

const patternText = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklmnopqrstuvwxyz"

// BenchmarkHit reads a body of 1 GiB in turns: its file with a buffer of 128
// KiB, the same file with the GMAC of each 256 KiB, the same file through filefetch
// and Do, and the cache through Do. It reports the medians in octets a second, and
// the most memory that the process had. "hit-cpu/verified-cpu" compares the time of
// processors, which other work on the machine changes less.
//
// How much of the speed of a file a hit can have is a matter of arithmetic. Each octet is
// verified on each read, before it is given out, since whoever can write to the store may
// have changed it a moment ago: no time, size or number of a file says that it is as it
// was. So a hit takes at least the time of processors that "verified" takes, and on n of
// them it is at most n times as fast as that. Measured on two processors without other
// work, a file is read at 7.2 GB/s and verified at 2.65 GB/s: 2 * 2.65 / 7.2 is 0.74 of the
// file, which "bound/file" says for the machine at hand, and "hit/bound" what of it a hit
// has. 0.8 of the file needs a third processor. GMAC is the fastest code for this in the
// standard library: SHA-256 takes three times as long.
func BenchmarkHit(b *testing.B) {
	size := int64(1 << 30)
	if testing.Short() {
		size = 64 << 20
	}
	path := filepath.Join(b.TempDir(), "c")
	d, err := cache.Dir(path, 4<<30)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := cache.New(zeros(size), d, nil)
	discard := func(f fetch.Fetcher, req *fetch.Request) {
		req.MaxBytes = -1
		resp, err := fetch.Do(b.Context(), f, req)
		if err != nil {
			b.Fatal(err)
		}
		defer resp.Body.Close()
		if n, err := io.Copy(struct{ io.Writer }{io.Discard}, resp.Body); err != nil || n != size {
			b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
		}
	}
	web := request(b, "http://h.example/a")
	discard(c, web) // which stores it
	c.Wait()
	object := files(b, filepath.Join(path, "objects"))[0]
	root, err := os.OpenRoot(filepath.Dir(object))
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	local := filefetch.New(&filefetch.Options{Root: root, Prefix: "/"})
	block, err := aes.NewCipher(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 128<<10)
	ways := []struct {
		name string
		read func()
		took []time.Duration
		cpu  []time.Duration
	}{
		{name: "file", read: func() {
			f, err := os.Open(object)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			for err == nil {
				_, err = f.Read(buf)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}},
		{name: "verified", read: func() {
			f, err := os.Open(object)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			chunk, tag := make([]byte, 256<<10), make([]byte, 0, 16)
			for n := uint64(0); err == nil; n++ {
				if _, err = io.ReadFull(f, chunk); err == nil {
					gcm.Seal(tag, binary.BigEndian.AppendUint64(make([]byte, 4, 12), n), nil, chunk)
				}
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}},
		{name: "filefetch", read: func() { discard(local, request(b, "file:///"+filepath.Base(object))) }},
		{name: "hit", read: func() { discard(c, web) }},
	}
	for b.Loop() {
		for i := range ways {
			start, used := time.Now(), processorTime()
			ways[i].read()
			ways[i].took = append(ways[i].took, time.Since(start))
			ways[i].cpu = append(ways[i].cpu, processorTime()-used)
		}
	}
	median := func(i int) float64 {
		slices.Sort(ways[i].took)
		return float64(size) / ways[i].took[len(ways[i].took)/2].Seconds()
	}
	for i, w := range ways {
		b.ReportMetric(median(i)/1e9, w.name+"-GB/s")
	}
	b.ReportMetric(median(3)/median(0), "hit/file")
	b.ReportMetric(median(3)/median(2), "hit/filefetch")
	bound := median(1) * float64(min(runtime.GOMAXPROCS(0), 4))
	b.ReportMetric(bound/median(0), "bound/file")
	b.ReportMetric(median(3)/bound, "hit/bound")
	for i := range ways {
		slices.Sort(ways[i].cpu)
	}
	b.ReportMetric(float64(ways[3].cpu[len(ways[3].cpu)/2])/float64(ways[1].cpu[len(ways[1].cpu)/2]), "hit-cpu/verified-cpu")
	if n, ok := maxRSS(); ok {
		b.ReportMetric(n, "max-RSS-MiB")
	}
}

// processorTime returns what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// maxRSS returns the most memory that the process had, in MiB.
func maxRSS() (mib float64, ok bool) {
	if runtime.GOOS != "linux" {
		return 0, false
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	_, err = fmt.Sscan(after, &kib)
	return kib / 1024, err == nil
}

// BenchmarkStore is what storing costs: a body of 10 MiB through the cache, and
// without it.
func BenchmarkStore(b *testing.B) {
	const size = 10 << 20
	next := zeros(size)
	for name, f := range map[string]fetch.Fetcher{
		"Without": next,
		"Dir":     cache.New(next, dir(b, 64<<20), &cache.Options{MinFresh: -1}),
		"Memory":  cache.New(next, cache.Memory(64<<20), &cache.Options{MinFresh: -1}),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				resp, err := fetch.Do(b.Context(), f, request(b, "http://h.example/a"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(struct{ io.Writer }{io.Discard}, resp.Body); err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}

// BenchmarkSmallHit is one of a thousand references to the same small image.
func BenchmarkSmallHit(b *testing.B) {
	for name, store := range map[string]cache.Store{"Dir": dir(b, 1<<20), "Memory": cache.Memory(1 << 20)} {
		b.Run(name, func(b *testing.B) {
			body := bytes.Repeat([]byte("x"), 4000)
			next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: req.URL, Status: 200, Size: 4000, Body: io.NopCloser(bytes.NewReader(body))}, nil
			})
			c := cache.New(next, store, nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := get(b.Context(), c, request(b, "http://h.example/a")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
