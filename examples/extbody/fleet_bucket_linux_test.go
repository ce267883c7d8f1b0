package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// A bucketFault is a fault of a bucket.
type bucketFault int

const (
	bucketWell bucketFault = iota
	bucketSlow             // each answer is late
	bucketAway             // no server is there
	bucketLies             // it gives wrong octets, or none, and takes objects that are not there later
)

// A frontedBucket is a bucket behind a server that is slow, or lies, while a test has it so.
type frontedBucket struct {
	*daemons.Bucket
	URL string // instead of the bucket's

	mu         sync.Mutex
	fault      bucketFault                  // never bucketAway, for which a test kills the bucket
	slow, away int                          // answers that were late, and requests that reached no worker
	lost       map[string]bool              // names of objects that were taken, and are gone
	false      map[[sha256.Size]byte]string // the bodies that were not given as they were stored, and how
}

func newFrontedBucket(t *testing.T) *frontedBucket {
	b := &frontedBucket{Bucket: daemons.StartBucket(t), lost: make(map[string]bool), false: make(map[[sha256.Size]byte]string)}
	u, err := url.Parse(b.Bucket.URL)
	must(t, err)
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:        func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = "http", u.Host }, // the signature has Host
		ModifyResponse: b.answer,
		ErrorLog:       log.New(io.Discard, "", 0),
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) {
			if errors.Is(err, syscall.ECONNREFUSED) {
				b.mu.Lock()
				b.away++
				b.mu.Unlock()
			}
			panic(http.ErrAbortHandler)
		},
	})
	t.Cleanup(front.Close)
	front.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.URL = strings.Replace(b.Bucket.URL, u.Host, front.Listener.Addr().String(), 1)
	return b
}

// set has the bucket be well, be slow or lie from now on.
func (b *frontedBucket) set(fault bucketFault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = fault
}

// count returns how many requests met a fault, or how many bodies a lie.
func (b *frontedBucket) count(fault bucketFault) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return map[bucketFault]int{bucketSlow: b.slow, bucketAway: b.away, bucketLies: len(b.false)}[fault]
}

// answer changes an answer of the bucket.
func (b *frontedBucket) answer(resp *http.Response) error {
	name := resp.Request.URL.Path
	b.mu.Lock()
	slow, lies := b.fault == bucketSlow, b.fault == bucketLies
	if slow {
		b.slow++
	}
	if resp.Request.Method == http.MethodPut && resp.StatusCode == http.StatusOK {
		b.lost[name] = lies
	}
	lost := b.lost[name]
	b.mu.Unlock()
	if slow {
		select {
		case <-time.After(500 * time.Millisecond):
		case <-resp.Request.Context().Done():
		}
	}
	if !lies && !lost || resp.Request.Method != http.MethodGet || resp.StatusCode != http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	how := "damaged"
	if lost || sum[0]%2 == 0 || len(body) == 0 {
		how, body = "lost", []byte(`<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The object is gone.</Message></Error>`)
		resp.StatusCode, resp.Status = http.StatusNotFound, "404 Not Found"
		resp.Header.Set("Content-Type", "application/xml")
		resp.Header.Del("Content-Length")
		resp.ContentLength = -1
	} else {
		body[len(body)/2] ^= 1
	}
	b.mu.Lock()
	b.false[sum] = how
	b.mu.Unlock()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// lied reports whether the bucket gave a body otherwise than it was stored.
func (b *frontedBucket) lied(body []byte) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.false[sha256.Sum256(body)] != ""
}
