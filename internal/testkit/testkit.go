// Package testkit groups servers for tests, and has the messages that several tests read.
// It may import anything, as only tests import it.
package testkit

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"io"
	"iter"
	"math"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Corpus yields the real messages of the folder that EXTBODY_SHARED names, as they are,
// with the names of their files in order. If it names none, the test is skipped.
func Corpus(t testing.TB) iter.Seq2[string, string] {
	t.Helper()
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder of real messages")
	}
	paths, err := filepath.Glob(filepath.Join(shared, "corpus", "*.eml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d messages, %v, want the corpus", len(paths), err)
	}
	return func(yield func(string, string) bool) {
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(filepath.Base(path), string(text)) {
				return
			}
		}
	}
}

// PrivateDir returns a new folder for a test that the user alone may write, whatever the umask is.
func PrivateDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// FreeAddr returns an address of loopback, with a port that was free.
func FreeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Listen starts a server on loopback that runs talk with each connection and its number, the first
// of which is 0, and closes the connection then. It returns the address. When the test ends, so do
// the connections, and each talk is waited for.
func Listen(t testing.TB, talk func(c net.Conn, n int)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	running.Go(func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			running.Go(func() {
				defer c.Close()
				talk(c, n)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	return l.Addr().String()
}

// Zip returns a zip file with members of these names, each of one octet.
func Zip(names ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("x"))
		}
		if err != nil {
			panic(err) // of a bytes.Buffer
		}
	}
	z.Close()
	return b.String()
}

// Tar returns a tar file. Each name is followed by the octets of that member.
func Tar(members ...string) string {
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	for m := range slices.Chunk(members, 2) {
		err := z.WriteHeader(&tar.Header{Name: m[0], Size: int64(len(m[1])), Mode: 0o600})
		if err == nil {
			_, err = io.WriteString(z, m[1])
		}
		if err != nil {
			panic(err) // of a bytes.Buffer
		}
	}
	z.Close()
	return b.String()
}

// Gzip returns a gzip file of text, with the name of a file or without.
func Gzip(name, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Name = name
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// InLinearTime checks that the time of the processor that read takes grows as its text does, with n and 16n
// pieces: linear time is 16 times as much, and quadratic time 256 times. The name is the text's. Where
// a system does not count that time, it checks nothing.
func InLinearTime(t testing.TB, name string, n int, text func(n int) string, read func(text string)) {
	t.Helper()
	least := func(n int) time.Duration {
		text := text(n)
		most := time.Duration(math.MaxInt64)
		for range 3 {
			begun := CPUTime()
			read(text)
			most = min(most, CPUTime()-begun)
		}
		return most
	}
	one, many := least(n), least(16*n)
	if many > 64*one+50*time.Millisecond {
		t.Errorf("%s: got %v for n and %v for 16n, want about 16 times as much", name, one, many)
	}
}

// Allocated returns the octets that f allocates.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// InProportion checks that the octets that read allocates, which follow its work, grow as its text
// does, with n, 2n and 4n parts. slack is the octets of buffers that are made again.
func InProportion(t testing.TB, n int, slack float64, text func(n int) string, read func(text string)) {
	t.Helper()
	work := func(n int) float64 {
		text := text(n)
		read(text) // the values that are made once
		return float64(Allocated(func() { read(text) }))
	}
	one, two, four := work(n), work(2*n), work(4*n)
	if two > 3*one+slack || four > 3*two+slack {
		t.Errorf("got %.0f, %.0f and %.0f octets for n, 2n and 4n, want them in proportion", one, two, four)
	}
}

// A CountingReader counts the calls of ReadAt, and the octets that they gave.
type CountingReader struct {
	io.ReaderAt
	Calls, Octets int64
}

// ReadAt implements io.ReaderAt.
func (r *CountingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	r.Calls++
	r.Octets += int64(n)
	return n, err
}

// Certificate returns TLS configurations for a server and its client, with a certificate
// for 127.0.0.1 and example.com that the client trusts.
func Certificate() (server, client *tls.Config) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: pool}
}

// Ended returns how f ends in a goroutine of its own: with the value of its panic, "exited" or
// "returned".
func Ended(f func()) any {
	done := make(chan any)
	go func() {
		how := any("exited")
		defer func() {
			if v := recover(); v != nil {
				how = v
			}
			done <- how
		}()
		f()
		how = "returned"
	}()
	return <-done
}
