package fetch_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func request(text string) *fetch.Request {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return &fetch.Request{URL: u}
}

// serve returns a Fetcher that answers with resp and the body that r gives.
func serve(resp fetch.Response, r io.Reader) fetch.Fetcher {
	return fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		c := resp
		c.URL = req.URL
		c.Body = io.NopCloser(r)
		return &c, nil
	})
}

// fail returns a Fetcher that fails with err.
func fail(err error) fetch.Fetcher {
	return fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, err })
}

func read(f fetch.Fetcher, req *fetch.Request) ([]byte, *fetch.Response, error) {
	return readCtx(context.Background(), f, req)
}

func readCtx(ctx context.Context, f fetch.Fetcher, req *fetch.Request) ([]byte, *fetch.Response, error) {
	resp, err := fetch.Do(ctx, f, req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return b, resp, err
}

// A shop serves objects in memory, for the conformance suite: it has all
// faults, and ends its waits with the context.
type shop struct {
	mu      sync.Mutex
	objects map[string]fetchtest.Object
}

func (s *shop) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	s.mu.Lock()
	obj := s.objects[req.URL.Host]
	s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), driver.Contact(ctx, req, req.URL)); err != nil {
		return nil, err
	}
	x := driver.Begin(req, "memory", req.URL, 0)
	driver.Report(req, fetch.Event{Phase: fetch.Connecting, Total: -1})
	driver.Report(req, fetch.Event{Phase: fetch.Sending, Total: -1})
	resp, err := s.answer(ctx, req, obj)
	if err != nil {
		driver.End(x, err)
		return nil, err
	}
	driver.OfResponse(resp).Exchange = x
	resp.Body = ending{resp.Body, x}
	return resp, nil
}

// An ending is a body whose Close ends its Exchange.
type ending struct {
	io.ReadCloser
	x *fetch.Exchange
}

func (e ending) Close() error {
	driver.End(e.x, fetch.Local)
	return e.ReadCloser.Close()
}

func (s *shop) answer(ctx context.Context, req *fetch.Request, obj fetchtest.Object) (*fetch.Response, error) {
	resp := &fetch.Response{URL: req.URL, Size: int64(len(obj.Body))}
	switch obj.Fault {
	case fetchtest.Missing:
		return nil, fmt.Errorf("memory: %w", fs.ErrNotExist)
	case fetchtest.Forbidden:
		return nil, fetch.Blocked
	case fetchtest.Mute:
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(req.Timeouts.FirstOctet):
			return nil, driver.NewTimeout("the first octet")
		}
	case fetchtest.Cut:
		resp.Body = io.NopCloser(bytes.NewReader(obj.Body[:len(obj.Body)/2]))
	case fetchtest.Stalled:
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(obj.Body[:len(obj.Body)/2]), waiter{ctx}))
	default:
		resp.Body = io.NopCloser(bytes.NewReader(obj.Body))
	}
	return resp, nil
}

type waiter struct{ ctx context.Context }

func (w waiter) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}

func TestConformance(t *testing.T) {
	s := &shop{objects: make(map[string]fetchtest.Object)}
	serve := func(t *testing.T, obj fetchtest.Object) *fetch.Request {
		s.mu.Lock()
		defer s.mu.Unlock()
		name := fmt.Sprintf("h%d", len(s.objects))
		s.objects[name] = obj
		return request("memory://" + name + "/")
	}
	t.Run("Fetcher", func(t *testing.T) { fetchtest.Run(t, fetchtest.Harness{Fetcher: s, Serve: serve}) })

	// Do over a Mux over Do: idempotent.
	mux := new(fetch.Mux)
	mux.Handle("memory", fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return fetch.Do(ctx, s, req)
	}))
	t.Run("Nested", func(t *testing.T) { fetchtest.Run(t, fetchtest.Harness{Fetcher: mux, Serve: serve}) })
}

func TestRequestFaults(t *testing.T) {
	called := fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) {
		t.Error("got a call of the Fetcher, want none")
		return nil, nil
	})
	for _, c := range []struct {
		name string
		req  *fetch.Request
	}{
		{"NilRequest", nil},
		{"NoURL", &fetch.Request{}},
		{"Relative", request("/etc/passwd")},
		{"TooLong", request("http://h/" + strings.Repeat("x", fetch.MaxURLBytes))},
		{"ControlInText", &fetch.Request{URL: &url.URL{Scheme: "imap", Host: "h"}, Text: "imap://h/a\r\nb"}},
	} {
		if _, err := fetch.Do(context.Background(), called, c.req); fetch.KindOf(err) != fetch.Malformed {
			t.Errorf("%s: got %v, want %v", c.name, err, fetch.Malformed)
		}
	}
	// A data: URL is as long as its body.
	ok := &fetch.Request{URL: &url.URL{Scheme: "data"}, Text: "data:," + strings.Repeat("x", fetch.MaxURLBytes)}
	if _, _, err := read(serve(fetch.Response{Size: -1}, strings.NewReader("x")), ok); err != nil {
		t.Error(err)
	}
}

// TestKinds holds KindOf and Do to the table in the package comment.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		err  error
		want fetch.Kind
	}{
		{fetch.Gone, fetch.Gone},
		{fmt.Errorf("x: %w", &fetch.Error{Kind: fetch.Forbidden}), fetch.Forbidden},
		{context.Canceled, fetch.Canceled},
		{context.DeadlineExceeded, fetch.Canceled},
		{io.ErrUnexpectedEOF, fetch.Truncated},
		{&net.DNSError{IsNotFound: true}, fetch.Unavailable},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, fetch.Unavailable},
		{&net.OpError{Op: "dial", Err: fetch.Blocked}, fetch.Blocked},
		{&tls.CertificateVerificationError{Err: x509.HostnameError{}}, fetch.Untrusted},
		{x509.UnknownAuthorityError{}, fetch.Untrusted},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, fetch.Untrusted},
		{tls.RecordHeaderError{}, fetch.Protocol},
		{fs.ErrNotExist, fetch.NotFound},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, fetch.NotFound},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, fetch.Forbidden},
		{fs.ErrPermission, fetch.Forbidden},
		{syscall.ENOSPC, fetch.Local},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}, fetch.Local},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.ENFILE)}, fetch.Local},
		{&net.DNSError{Err: "dial udp [::1]:53: " + os.NewSyscallError("socket", syscall.EMFILE).Error()}, fetch.Local},
		{&net.DNSError{Err: "no such host", Name: "too many open files", IsNotFound: true}, fetch.Unavailable},
		{fetch.Deferred, fetch.Deferred},
		{errors.New("whatever"), fetch.Unavailable},
		{&url.Error{Op: "Get", URL: "http://h/?secret", Err: io.ErrUnexpectedEOF}, fetch.Truncated},
	} {
		_, _, err := read(fail(c.err), request("http://u:pw@h/p?q=secret#f"))
		var e *fetch.Error
		if !errors.As(err, &e) || e.Kind != c.want || fetch.KindOf(err) != c.want || !errors.Is(err, c.want) {
			t.Errorf("%v: got %v, want %v", c.err, err, c.want)
			continue
		}
		if s := err.Error(); strings.Contains(s, "secret") || strings.Contains(s, "pw") {
			t.Errorf("got %q, want it without secret and pw", s)
		}
	}
}

// The URL of a share link is a credential as a whole.
func TestSecretURL(t *testing.T) {
	for _, text := range []string{"https://h.example/s/token/name?k=v", "data:,x"} {
		req := request(text)
		req.Secret = true
		for name, f := range map[string]fetch.Fetcher{
			"Fetcher":   fail(io.ErrUnexpectedEOF),
			"Unwrapped": fail(&fetch.Error{Kind: fetch.Gone}),
			"Body":      serve(fetch.Response{Size: 5}, strings.NewReader("x")),
		} {
			_, _, err := read(f, req)
			if err == nil || strings.Contains(err.Error(), "token") || !strings.Contains(err.Error(), "data:") && !strings.Contains(err.Error(), "https://h.example/...") {
				t.Errorf("%s: got %v, want an error with the scheme, or the host, and without the token", name, err)
			}
		}
	}
}

// The time to try again is on the error of Do, wherever it is in the tree.
func TestAfter(t *testing.T) {
	after := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	own := &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("busy"), After: after}
	for _, c := range []struct {
		name string
		err  error
		want time.Time
	}{
		{"None", &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("busy")}, time.Time{}},
		{"Own", own, after},
		{"Wrapped", fmt.Errorf("x: %w", own), after},
		{"Cause", &fetch.Error{Kind: fetch.Unavailable, Err: own}, after},
		{"CauseOfJoined", errors.Join(io.EOF, nil, fmt.Errorf("x: %w", own)), after},
		{"Joined", errors.Join(io.EOF, fetch.Deferred), time.Time{}},
		{"First", &fetch.Error{Kind: fetch.Deferred, Err: own, After: after.Add(1)}, after.Add(1)},
	} {
		_, _, err := read(fail(c.err), request("http://h/p"))
		e, ok := errors.AsType[*fetch.Error](err)
		if !ok || !e.After.Equal(c.want) || !fetch.AfterOf(err).Equal(c.want) {
			t.Errorf("%s: got %v of %v, want %v", c.name, fetch.AfterOf(err), err, c.want)
		}
		if got, want := strings.Count(err.Error(), "try again after 2030-01-02T03:04:05Z"), 1; !c.want.IsZero() && got != want {
			t.Errorf("%s: the text %q names the time %d times, want %d", c.name, err, got, want)
		}
	}
	if got := fetch.AfterOf(nil); !got.IsZero() {
		t.Errorf("no error: got %v, want the zero Time", got)
	}
}

func TestKindText(t *testing.T) {
	kinds := 0
	for k := range fetch.Kinds() {
		kinds++
		text, err := k.MarshalText()
		var back fetch.Kind
		if err != nil || back.UnmarshalText(text) != nil || back != k {
			t.Errorf("%d: got text %q, %v, which is read as %d, want %d", k, text, err, back, k)
		}
		if got := k.String(); got != string(text) {
			t.Errorf("%d: got String %q, want %q", k, got, text)
		}
		transient := slices.Contains([]fetch.Kind{fetch.Unavailable, fetch.Truncated, fetch.Canceled, fetch.Deferred}, k)
		if got := k.Transient(); got != transient {
			t.Errorf("%v: got transient %v, want %v", k, got, transient)
		}
	}
	if kinds < 22 {
		t.Errorf("got %d Kinds, want 22 or more", kinds)
	}
	var zero, k fetch.Kind
	if text, err := zero.MarshalText(); len(text) > 0 || err != nil {
		t.Errorf("the zero Kind: got text %q, %v, want none", text, err)
	}
	if err := k.UnmarshalText([]byte("no-such")); err == nil {
		t.Errorf("an unknown text: got %v, want an error", k)
	}
	for _, c := range []struct {
		kind   fetch.Kind
		target error
	}{
		{fetch.NotFound, fs.ErrNotExist}, {fetch.Gone, fs.ErrNotExist},
		{fetch.Forbidden, fs.ErrPermission}, {fetch.Blocked, fs.ErrPermission}, {fetch.Denied, fs.ErrPermission},
		{fetch.Canceled, context.Canceled}, {fetch.Unsupported, errors.ErrUnsupported},
		{fetch.SizeMismatch, fetch.DigestMismatch},
	} {
		if !errors.Is(&fetch.Error{Kind: c.kind}, c.target) {
			t.Errorf("%v: got no match, want it to match %v", c.kind, c.target)
		}
		if errors.Is(fetch.Protocol, c.target) {
			t.Errorf("%v: got a match of %v, want none", fetch.Protocol, c.target)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		name string
		size int64
		body string
		want fetch.Kind
	}{
		{"Exact", 5, "hello", 0},
		{"Unknown", -1, "hello", 0},
		{"Empty", 0, "", 0},
		{"Short", 6, "hello", fetch.Truncated},
		{"ShortToNothing", 1, "", fetch.Truncated},
		{"Long", 4, "hello", fetch.Protocol},
		{"LongForEmpty", 0, "h", fetch.Protocol},
	} {
		b, resp, err := read(serve(fetch.Response{Size: c.size}, iotest.OneByteReader(strings.NewReader(c.body))), request("m:x"))
		switch {
		case c.want == 0 && (err != nil || string(b) != c.body):
			t.Errorf("%s: got %q, %v, want %q, nil", c.name, b, err, c.body)
		case c.want == 0 && resp.Size != c.size:
			t.Errorf("%s: got size %d, want %d", c.name, resp.Size, c.size)
		case c.want != 0 && (fetch.KindOf(err) != c.want || string(b) == c.body && c.body != ""):
			t.Errorf("%s: got %q, %v, want fewer octets and %v", c.name, b, err, c.want)
		}
	}
	// HT-19: an announced size over the limit is refused before the body.
	req := request("m:x")
	req.MaxBytes = 4
	if _, err := fetch.Do(context.Background(), serve(fetch.Response{Size: 5}, iotest.ErrReader(io.EOF)), req); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("announced over the limit: got %v, want %v", err, fetch.TooLarge)
	}
}

func TestBodyFaults(t *testing.T) {
	for _, c := range []struct {
		err  error
		want fetch.Kind
	}{
		{io.ErrUnexpectedEOF, fetch.Truncated},
		{syscall.ECONNRESET, fetch.Truncated},
		{errors.New("anything"), fetch.Truncated},
		{fetch.Protocol, fetch.Protocol},
		{tls.AlertError(20), fetch.Untrusted},
		{&fetch.Error{Kind: fetch.Unavailable}, fetch.Unavailable},
	} {
		b, _, err := read(serve(fetch.Response{Size: -1}, io.MultiReader(strings.NewReader("half"), iotest.ErrReader(c.err))), request("m:x"))
		if fetch.KindOf(err) != c.want || string(b) != "hal" {
			t.Errorf("%v: got %q, %v, want %q, %v", c.err, b, err, "hal", c.want)
		}
	}
	if _, _, err := read(serve(fetch.Response{Size: -1}, nothing{}), request("m:x")); fetch.KindOf(err) != fetch.Protocol {
		t.Errorf("a reader that returns nothing for ever: got %v, want %v", err, fetch.Protocol)
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

// TestDigests is IN-4 to IN-6.
func TestDigests(t *testing.T) {
	const body = "the octets"
	s256, s512, m5 := sha256.Sum256([]byte(body)), sha512.Sum512([]byte(body)), md5.Sum([]byte(body))
	for _, c := range []struct {
		name    string
		digests []fetch.Digest
		want    fetch.Kind
		checks  string
	}{
		{"None", nil, 0, "[]"},
		{"All", []fetch.Digest{{"repr-digest", "sha-256", s256[:]}, {"content-digest", "sha-512", s512[:]}, {"content-md5", "md5", m5[:]}}, 0,
			"[{repr-digest sha-256 match } {content-digest sha-512 match } {content-md5 md5 match }]"},
		{"OneOfTwoWrong", []fetch.Digest{{"repr-digest", "sha-256", s256[:]}, {"repr-digest", "sha-512", make([]byte, 64)}}, fetch.DigestMismatch, ""},
		{"Wrong", []fetch.Digest{{"repr-digest", "sha-256", make([]byte, 32)}}, fetch.DigestMismatch, ""},
		{"UnknownIgnored", []fetch.Digest{{"repr-digest", "unixsum", []byte{1}}}, 0, "[]"},
		{"BadLength", []fetch.Digest{{"repr-digest", "sha-256", []byte{1}}}, 0, "[{repr-digest sha-256 malformed }]"},
	} {
		answer := fetch.Response{Size: -1}
		driver.OfResponse(&answer).Digests = c.digests
		b, resp, err := read(serve(answer, strings.NewReader(body)), request("m:x"))
		switch {
		case c.want != 0:
			if fetch.KindOf(err) != c.want || len(b) >= len(body) {
				t.Errorf("%s: got %q, %v, want fewer octets than %q and %v", c.name, b, err, body, c.want)
			}
		case err != nil || fmt.Sprint(resp.Checks) != c.checks:
			t.Errorf("%s: got %v, %v, want %v, nil", c.name, resp.Checks, err, c.checks)
		}
	}
}

func gzipped(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.Bytes()
}

// TestCodings is HT-6 and HT-7.
func TestCodings(t *testing.T) {
	text := strings.Repeat("some text ", 1000)
	z := gzipped(text)
	var zl bytes.Buffer
	zw := zlib.NewWriter(&zl)
	io.WriteString(zw, text)
	zw.Close()
	raw := zl.Bytes()[2 : zl.Len()-4]
	damaged := bytes.Clone(z)
	damaged[len(damaged)-6] ^= 1
	sum := sha256.Sum256(z)

	for _, c := range []struct {
		name    string
		codings []string
		body    []byte
		size    int64
		want    fetch.Kind
	}{
		{"Identity", []string{"identity"}, []byte(text), -1, 0},
		{"Gzip", []string{"gzip"}, z, int64(len(z)), 0},
		{"XGzip", []string{"X-GZIP"}, z, -1, 0},
		{"GzipMembers", []string{"gzip"}, append(gzipped(text[:5000]), gzipped(text[5000:])...), -1, 0},
		{"Zlib", []string{"deflate"}, zl.Bytes(), -1, 0},
		{"RawDeflate", []string{"deflate"}, raw, -1, 0},
		{"Twice", []string{"gzip", "gzip"}, gzipped(string(z)), -1, 0},
		{"Unknown", []string{"br"}, z, -1, fetch.Unsupported},
		{"TooMany", []string{"gzip", "gzip", "gzip", "gzip"}, z, -1, fetch.Unsupported},
		{"NotGzip", []string{"gzip"}, []byte("plain text, no gzip"), -1, fetch.Protocol},
		{"Damaged", []string{"gzip"}, damaged, -1, fetch.Protocol},
		{"CutCoding", []string{"gzip"}, z[:len(z)/2], -1, fetch.Truncated},
		{"CutWire", []string{"gzip"}, z[:len(z)/2], int64(len(z)), fetch.Truncated},
		{"Trailing", []string{"deflate"}, append(bytes.Clone(zl.Bytes()), 'x'), -1, fetch.Protocol},
	} {
		resp := coded(c.size, c.codings...)
		if c.name == "Gzip" {
			driver.OfResponse(&resp).Digests = []fetch.Digest{{"repr-digest", "sha-256", sum[:]}}
		}
		b, got, err := read(serve(resp, bytes.NewReader(c.body)), request("m:x"))
		switch {
		case c.want == 0 && (err != nil || string(b) != text):
			t.Errorf("%s: got %d octets, %v, want %d, nil", c.name, len(b), err, len(text))
		case c.want == 0 && (got.Size != -1 || driver.OfResponse(got).Codings != nil):
			t.Errorf("%s: got size %d and codings %q, want -1 and none", c.name, got.Size, driver.OfResponse(got).Codings)
		case c.want != 0 && (fetch.KindOf(err) != c.want || string(b) == text):
			t.Errorf("%s: got %d octets, %v, want fewer than %d and %v", c.name, len(b), err, len(text), c.want)
		}
		if c.name == "Gzip" && got != nil && len(got.Checks) != 1 {
			t.Errorf("%s: got checks %v, want one, of the coded octets", c.name, got.Checks)
		}
	}

	// A bomb is stopped by its ratio, and by the limit on its decompressed octets.
	bomb := gzipped(strings.Repeat("\x00", 20<<20))
	b, _, err := read(serve(coded(-1, "gzip"), bytes.NewReader(bomb)), request("m:x"))
	if fetch.KindOf(err) != fetch.TooLarge || len(b) > 8<<20 {
		t.Errorf("a bomb: got %d octets, %v, want at most %d and %v", len(b), err, 8<<20, fetch.TooLarge)
	}
	req := request("m:x")
	req.MaxBytes = 9999
	b, _, err = read(serve(coded(-1, "gzip"), bytes.NewReader(z)), req)
	if fetch.KindOf(err) != fetch.TooLarge || len(b) > 9999 {
		t.Errorf("a limit after decoding: got %d octets, %v, want at most 9999 and %v", len(b), err, fetch.TooLarge)
	}
}

// A file that is itself compressed is given out as it is (HT-6).
func TestCodingIsTheFile(t *testing.T) {
	z := gzipped("an archive")
	for _, c := range []struct {
		name, url, announced, file string
		codings                    []string
		mediaType                  string // "" if the coding is undone
	}{
		{"Type", "m:x", "application/gzip", "", []string{"x-gzip"}, "application/gzip"},
		{"TypeXGzip", "m:x", "Application/X-Gzip; a=b", "", []string{"gzip"}, "Application/X-Gzip; a=b"},
		{"Name", "m:x", "", "a.tar.gz", []string{"X-GZIP"}, "application/gzip"},
		{"NameOfURL", "m://h/b/a.tgz", "application/octet-stream", "", []string{"gzip"}, "application/gzip"},
		{"NameBeforeURL", "m://h/b/a.tgz", "", "a.tar", []string{"gzip"}, ""},
		{"TypeBeforeName", "m://h/b/a.tgz", "text/plain", "", []string{"gzip"}, ""},
		{"Twice", "m:x", "application/gzip", "", []string{"gzip", "gzip"}, ""},
		{"OtherCoding", "m:x", "application/gzip", "", []string{"deflate"}, ""},
		{"Nothing", "m://h/x", "", "", []string{"gzip"}, ""},
		{"Size", "m://h/x", "", "", []string{"gzip"}, "application/gzip"},
		{"SizeOfText", "m://h/x", "text/plain", "", []string{"gzip"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := request(c.url)
			req.MediaType, req.Name = c.announced, c.file
			if strings.HasPrefix(c.name, "Size") {
				req.Size = int64(len(z))
			}
			body := z
			if len(c.codings) == 2 {
				body = gzipped(string(z))
			}
			answer := coded(int64(len(body)), c.codings...)
			answer.MediaType = "application/x-tar"
			data, resp, err := read(serve(answer, bytes.NewReader(body)), req)
			if c.mediaType != "" {
				if err != nil || !bytes.Equal(data, z) || resp.MediaType != c.mediaType || resp.Size != int64(len(z)) {
					t.Errorf("got %q, %v, want the octets that came as %s", data, err, c.mediaType)
				}
				return
			}
			if string(data) == string(z) && err == nil {
				t.Error("got the octets that came, want those without the coding")
			}
		})
	}
}

// TestTimeouts runs in fake time.
func TestTimeouts(t *testing.T) {
	drip := func(every time.Duration) fetch.Fetcher {
		return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(dripper{ctx, every})}, nil
		})
	}
	for _, c := range []struct {
		name     string
		f        fetch.Fetcher
		timeouts fetch.Timeouts
		text     string
		after    time.Duration
	}{
		{"StallDefault", drip(time.Hour), fetch.Timeouts{}, "stalled", 30 * time.Second},
		{"Stall", drip(time.Hour), fetch.Timeouts{Stall: time.Second}, "stalled", time.Second},
		{"LowSpeedDefault", drip(time.Second), fetch.Timeouts{}, "too slowly", 60 * time.Second},
		{"LowSpeed", drip(time.Second), fetch.Timeouts{LowSpeedTime: 5 * time.Second}, "too slowly", 5 * time.Second},
		{"Total", drip(time.Second), fetch.Timeouts{Total: 10 * time.Second}, "whole fetch", 10 * time.Second},
		{"TotalDefault", drip(time.Second), fetch.Timeouts{LowSpeed: -1}, "whole fetch", time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				req := request("m:x")
				req.Timeouts = c.timeouts
				_, _, err := read(c.f, req)
				if e, ok := errors.AsType[*fetch.Error](err); !ok || e.Kind != fetch.Unavailable || !e.Timeout() || !strings.Contains(err.Error(), c.text) {
					t.Errorf("got %v, want unavailable, a time-out with %q", err, c.text)
				}
				if d := time.Since(start); d != c.after {
					t.Errorf("after %v, want %v", d, c.after)
				}
			})
		})
	}
	t.Run("SlowConsumer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			req := request("m:x")
			req.Timeouts.LowSpeedTime = time.Second
			resp, err := fetch.Do(t.Context(), serve(fetch.Response{Size: -1}, strings.NewReader(strings.Repeat("x", 2000))), req)
			noError(t, err)
			defer resp.Body.Close()
			for range 1999 {
				time.Sleep(time.Second)
				if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
			}
		})
	})
}

// A dripper gives an octet at a time.
type dripper struct {
	ctx   context.Context
	every time.Duration
}

func (d dripper) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(d.every):
		p[0] = 'x'
		return 1, nil
	}
}

func TestDeadlineOfCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			<-ctx.Done()
			return nil, &net.OpError{Op: "read", Err: errors.New("closed")}
		})
		_, err := fetch.Do(ctx, f, request("m:x"))
		if fetch.KindOf(err) != fetch.Canceled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %v", err, fetch.Canceled)
		}
	})
}

func TestProgress(t *testing.T) {
	var events []string
	req := request("m:x")
	req.Progress = func(e fetch.Event) {
		events = append(events, fmt.Sprint(e.Phase, e.Octets, "/", e.Total))
	}
	if _, _, err := read(serve(fetch.Response{Size: 4}, iotest.HalfReader(strings.NewReader("abcd"))), req); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(events, " "); !strings.HasSuffix(got, "verified4/4") || !strings.Contains(got, "receiving4/4") {
		t.Errorf("got events %q, want receiving4/4 and verified4/4 at the end", got)
	}
	events = nil
	if _, _, err := read(serve(fetch.Response{Size: 5}, strings.NewReader("abcd")), req); err == nil {
		t.Fatal("a short body: got no error, want one")
	}
	if got := strings.Join(events, " "); strings.Contains(got, "verified") {
		t.Errorf("a short body: got events %q, want none with verified", got)
	}
}

func TestMuxHandle(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: got no panic, want one", name)
			}
		}()
		f()
	}
	mux := new(fetch.Mux)
	mux.Handle("HTTP", memory)
	panics("Duplicate", func() { mux.Handle("http", memory) })
	panics("NoScheme", func() { mux.Handle("no scheme", memory) })
	panics("Empty", func() { mux.Handle("", memory) })
	panics("Nil", func() { mux.Handle("x", nil) })
	mux.Handle("data", memory)
	var schemes []string
	for s := range mux.Schemes() {
		schemes = append(schemes, s)
	}
	if got, want := fmt.Sprint(schemes), "[data http]"; got != want {
		t.Errorf("got schemes %s, want %s", got, want)
	}
}

// A refuser reports its refusals beforehand.
type refuser struct{ driver.Layer }

func (refuser) Check(req *fetch.Request) error {
	if req.URL.Host == "10.0.0.1" {
		return fetch.Blocked
	}
	return nil
}

func TestMuxCheck(t *testing.T) {
	mux := new(fetch.Mux)
	mux.Handle("http", refuser{driver.Layer{Next: memory}})
	mux.Handle("memory", memory)
	for text, want := range map[string]fetch.Kind{
		"http://10.0.0.1/": fetch.Blocked,
		"http://h/":        0,
		"memory:x":         0,
		"gopher://h/":      fetch.Blocked,
		"/relative":        fetch.Malformed,
	} {
		if err := mux.Check(request(text)); fetch.KindOf(err) != want {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
	}
	if err := mux.Check(nil); fetch.KindOf(err) != fetch.Malformed {
		t.Error(err)
	}
}

// A body that never waits for its source ends with the context all the same.
func TestCanceledInMemory(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp, err := fetch.Do(ctx, serve(fetch.Response{Size: -1}, strings.NewReader(strings.Repeat("x", 1<<20))), request("memory://h/"))
	noError(t, err)
	defer resp.Body.Close()
	_, err = io.ReadFull(resp.Body, make([]byte, 100))
	noError(t, err)
	cancel()
	if n, err := io.Copy(io.Discard, resp.Body); fetch.KindOf(err) != fetch.Canceled {
		t.Errorf("got %d octets, %v, want canceled", n, err)
	}
}

// coded returns a Response with content codings.
func coded(size int64, codings ...string) fetch.Response {
	resp := fetch.Response{Size: size}
	driver.OfResponse(&resp).Codings = codings
	return resp
}

// OP-55: digests of APIs are compared, and a Fetcher may have a reason for a difference.
func TestDiffers(t *testing.T) {
	sum := sha1.Sum([]byte("the octets"))
	for _, tt := range []struct {
		name    string
		digest  fetch.Digest
		differs func(fetch.Check) error
		want    fetch.Kind
		checks  string
	}{
		{"SHA1", fetch.Digest{Field: "api", Algorithm: "sha-1", Sum: sum[:]}, nil, 0, "[{api sha-1 match }]"},
		{"QuickXor", fetch.Digest{Field: "api", Algorithm: "quickxor", Sum: make([]byte, 20)}, nil, fetch.DigestMismatch, ""},
		{"Dropbox", fetch.Digest{Field: "api", Algorithm: "dropbox", Sum: make([]byte, 32)}, nil, fetch.DigestMismatch, ""},
		{"Changed", fetch.Digest{Field: "api", Algorithm: "sha-1", Sum: make([]byte, 20)}, func(fetch.Check) error { return fetch.Unavailable }, fetch.Unavailable, ""},
		{"Noted", fetch.Digest{Field: "api", Algorithm: "sha-1", Sum: make([]byte, 20)}, func(fetch.Check) error { return nil }, 0, "[{api sha-1 mismatch }]"},
	} {
		answer := fetch.Response{Size: -1}
		driver.OfResponse(&answer).Digests = []fetch.Digest{tt.digest}
		driver.OfResponse(&answer).Differs = tt.differs
		_, resp, err := read(serve(answer, strings.NewReader("the octets")), request("m:x"))
		switch {
		case tt.want != 0:
			if fetch.KindOf(err) != tt.want {
				t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
			}
		case err != nil || fmt.Sprint(resp.Checks) != tt.checks:
			t.Errorf("%s: got %v, %v, want %v, nil", tt.name, resp.Checks, err, tt.checks)
		}
	}
}
