package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSilence has a bucket answer late. It has less time for a question than to store an object, for whose parts it
// has most, and is not asked to store one again when it said nothing.
func TestSilence(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	limits := silence{ask: 500 * time.Millisecond, take: 3 * time.Second, join: 9 * time.Second}
	const large = 17 << 20 // of two parts
	for _, tt := range []struct {
		name   string
		size   int64 // of the object that is put; 0 means that an object is read
		late   func(r *http.Request) time.Duration
		silent time.Duration // until it is given up; 0 means that all is well
	}{
		{"question", 0, func(*http.Request) time.Duration { return time.Minute }, limits.ask},
		{"in an answer", 0, func(r *http.Request) time.Duration { return 0 }, limits.ask},
		{"slow answer", 0, func(r *http.Request) time.Duration { return limits.ask / 5 }, 0},
		{"before an upload", 9, func(*http.Request) time.Duration { return time.Minute }, limits.ask},
		{"stores slowly", 9, func(r *http.Request) time.Duration {
			if r.Method == http.MethodPut {
				return 2 * limits.ask
			}
			return 0
		}, 0},
		{"does not store", 9, func(r *http.Request) time.Duration {
			if r.Method == http.MethodPut {
				return time.Minute
			}
			return 0
		}, limits.take},
		{"joins parts slowly", large, func(r *http.Request) time.Duration {
			if r.URL.Query().Has("uploadId") && r.Method == http.MethodPost {
				return limits.take * 3 / 2
			}
			return 0
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var puts atomic.Int32
			ended := make(chan bool)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if r.Method == http.MethodPut {
					puts.Add(1)
				}
				pause := func() {
					select {
					case <-time.After(tt.late(r)):
					case <-ended:
					}
				}
				pause()
				w.Header().Set("ETag", `"1"`)
				w.Header().Set("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
				switch query := r.URL.Query(); {
				case r.Method == http.MethodHead:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodPut:
				case query.Has("uploads"):
					fmt.Fprint(w, `<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>`)
				case query.Has("uploadId"):
					fmt.Fprint(w, `<CompleteMultipartUploadResult><Bucket>bucket</Bucket><ETag>"2"</ETag></CompleteMultipartUploadResult>`)
				default:
					w.Header().Set("Content-Length", "10")
					for range 10 {
						w.Write([]byte("o"))
						w.(http.Flusher).Flush()
						if pause(); tt.silent != 0 {
							<-ended
						}
					}
				}
			}))
			defer server.Close()
			defer close(ended)
			u, _ := url.Parse(strings.Replace(server.URL, "http:", "s3:", 1) + "/bucket?insecure=1&region=us-east-1")
			b, err := openBucket(u, limits)
			if err != nil {
				t.Fatal(err)
			}
			if tt.size > 0 {
				err = b.Put(t.Context(), "name", tt.size, bytes.NewReader(make([]byte, tt.size)))
			} else if r, _, oerr := b.Open(t.Context(), "name"); oerr != nil {
				err = oerr
			} else {
				_, err = io.Copy(io.Discard, r)
				r.Close()
			}
			if tt.silent == 0 && err != nil {
				t.Errorf("got %v, want nil", err)
			}
			if tt.silent != 0 && (!errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), errSilent{tt.silent}.Error())) {
				t.Errorf("got %v, want %v", err, errSilent{tt.silent})
			}
			if n, parts := int64(puts.Load()), (tt.size+16<<20-1)/(16<<20); n > parts {
				t.Errorf("got %d requests that store, want at most %d", n, parts)
			}
		})
	}
}

// A server is a RoundTripper.
type server func(*http.Request) *http.Response

func (f server) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// A spaced body has a space now and then, as S3 sends while it makes one object of parts.
type spaced struct {
	every time.Duration
	left  int
}

func (s *spaced) Read(p []byte) (int, error) {
	if s.left--; s.left < 0 {
		return 0, io.EOF
	}
	time.Sleep(s.every)
	p[0] = ' '
	return 1, nil
}

// TestSilenceOfUpload has a bucket be heard of again and again while it makes an object of parts, and be silent after
// its answer, while the last octets of a part are still on their way. Neither ends the upload.
func TestSilenceOfUpload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := silence{ask: 5 * time.Second, take: time.Minute, join: 5 * time.Minute}
		ctx, end := context.WithCancelCause(t.Context())
		defer end(nil)
		ctx = context.WithValue(ctx, uploadKey{}, end)
		var body io.ReadCloser
		l := &listener{server(func(r *http.Request) *http.Response {
			body = r.Body
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&spaced{limits.join - time.Second, 3})}
		}), limits}
		for _, method := range []string{http.MethodPut, http.MethodPost} {
			r, _ := http.NewRequestWithContext(ctx, method, "http://a.example/bucket/name?uploadId=1", strings.NewReader("octets"))
			resp, err := l.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			if method == http.MethodPost {
				if n, err := io.Copy(io.Discard, resp.Body); n != 3 || err != nil {
					t.Errorf("got %d octets, %v, want 3", n, err)
				}
			}
			resp.Body.Close()
			body.Read(make([]byte, 1))
			time.Sleep(2 * limits.join)
			if ctx.Err() != nil {
				t.Errorf("%s: got an upload that ended with %v, want it to go on", method, context.Cause(ctx))
			}
		}
	})
}
