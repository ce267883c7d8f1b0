// Package testkit groups servers for tests, and has the messages that several tests read.
// It may import anything, as only tests import it.
package testkit

import (
	"crypto/tls"
	"crypto/x509"
	"iter"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
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
