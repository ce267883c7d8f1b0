//go:build unix

package cache_test

import (
	"bytes"
	"context"
	"crypto/sha256"
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
)

// zeros is a fetcher for bodies of n octets of pattern.
func zeros(n int64) fetch.Fetcher {
	return fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 200, Size: n, Body: io.NopCloser(io.LimitReader(new(pattern), n))}, nil
	})
}

// A pattern repeats patternText for ever.
type pattern struct{ at int }

func (r *pattern) Read(p []byte) (int, error) {
	for i := 0; i < len(p); {
		n := copy(p[i:], patternText[r.at:])
		i += n
		r.at = (r.at + n) % len(patternText)
	}
	return len(p), nil
}

const patternText = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklm-66"

// BenchmarkHit reads a body of 1 GiB in turns: its file with a buffer of 128 KiB, the same
// file with its SHA-256, and the cache through Do. It reports the medians in octets a
// second, the processor time of a hit against that of the SHA-256, and the most memory
// that the process had. The octets of a hit are checked outside the clock.
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
	hit := func(w io.Writer) {
		req := request(b, "http://h.example/a")
		req.MaxBytes = -1
		resp, err := fetch.Do(b.Context(), c, req)
		if err != nil {
			b.Fatal(err)
		}
		defer resp.Body.Close()
		if n, err := io.Copy(w, resp.Body); err != nil || n != size {
			b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
		}
	}
	hit(io.Discard) // which stores it
	c.Wait()
	want, got := sha256.New(), sha256.New()
	io.CopyN(want, new(pattern), size)
	if hit(got); !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		b.Fatal("a hit has other octets")
	}
	object := files(b, filepath.Join(path, "objects"))[0]
	file := func(w io.Writer) {
		f, err := os.Open(object)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		if _, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f}, make([]byte, 128<<10)); err != nil {
			b.Fatal(err)
		}
	}
	ways := []struct {
		name      string
		read      func()
		took, cpu []time.Duration
	}{
		{name: "file", read: func() { file(io.Discard) }},
		{name: "sha256", read: func() { file(sha256.New()) }},
		{name: "hit", read: func() { hit(struct{ io.Writer }{io.Discard}) }},
	}
	for b.Loop() {
		for i := range ways {
			start, used := time.Now(), processorTime()
			ways[i].read()
			ways[i].took = append(ways[i].took, time.Since(start))
			ways[i].cpu = append(ways[i].cpu, processorTime()-used)
		}
	}
	for i, w := range ways {
		slices.Sort(ways[i].took)
		slices.Sort(ways[i].cpu)
		b.ReportMetric(float64(size)/w.took[len(w.took)/2].Seconds()/1e9, w.name+"-GB/s")
	}
	median := func(i int) float64 { return float64(ways[i].cpu[len(ways[i].cpu)/2]) }
	b.ReportMetric(median(2)/median(1), "hit-cpu/sha256-cpu")
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
		"Dir":     cache.SetFresh(cache.New(next, dir(b, 64<<20), nil), 0, 0),
		"Memory":  cache.SetFresh(cache.New(next, cache.Memory(64<<20), nil), 0, 0),
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
			b.StopTimer()
			want := make([]byte, size)
			io.ReadFull(new(pattern), want)
			if got, _, err := get(b.Context(), f, request(b, "http://h.example/a")); err != nil || got != string(want) {
				b.Errorf("got %d other octets, %v, want %d, nil", len(got), err, size)
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
				if got, _, err := get(b.Context(), c, request(b, "http://h.example/a")); err != nil || got != string(body) {
					b.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(body))
				}
			}
		})
	}
}
