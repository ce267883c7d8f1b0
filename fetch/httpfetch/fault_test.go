package httpfetch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// HT-9: an incomplete message is an error. Only the end of the connection ends a body
// without a length (RFC 9112 section 6.3).
func TestFraming(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, tt := range []struct {
		name   string
		answer string
		kind   fetch.Kind
		want   string
		open   bool // undelimited
	}{
		{name: "Length", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "Chunks", answer: chunked + "2\r\nhe\r\n3;ext\r\nllo\r\n0\r\nTrailer: x\r\n\r\n", want: "hello"},
		{name: "ConnectionEnd", answer: "HTTP/1.1 200 OK\r\n\r\nhello", want: "hello", open: true},
		{name: "ConnectionEndOfHTTP10", answer: "HTTP/1.0 200 OK\r\n\r\nhello", want: "hello", open: true},
		{name: "ConnectionEndOfHTTP2", answer: "HTTP/2.0 200 OK\r\n\r\nhello", want: "hello", open: true},
		{name: "Close", answer: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", want: "hello", open: true},
		{name: "LengthOfHTTP10", answer: "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "ChunksAndClose", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n", want: "hello"},
		{name: "SameLengthTwice", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "Informational", answer: "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "Chunked10", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", want: "hello"},
		{name: "ChunkedOf10WithLength", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n", want: "hello"},
		{name: "IdentityOf10", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "SpaceInOtherName", answer: "HTTP/1.1 200 OK\r\nX Y : z\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "FoldedCoding", answer: "HTTP/1.1 200 OK\r\nX: y\r\n Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},
		{name: "NoReason", answer: "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", want: "hello"},

		{name: "ShortLength", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", kind: fetch.Truncated},
		{name: "NothingOfLength", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", kind: fetch.Truncated},
		{name: "NoLastChunk", answer: chunked + "5\r\nhello\r\n", kind: fetch.Truncated},
		{name: "NoChunk", answer: chunked, kind: fetch.Truncated},
		{name: "CutInChunk", answer: chunked + "9\r\nhello", kind: fetch.Truncated},
		{name: "CutAfterChunk", answer: chunked + "5\r\nhello", kind: fetch.Truncated},
		{name: "CutInChunkSize", answer: chunked + "5\r\nhello\r\n1", kind: fetch.Truncated},
		{name: "CutInTrailer", answer: chunked + "5\r\nhello\r\n0\r\n", kind: fetch.Truncated},
		{name: "ChunkTooLong", answer: chunked + "4\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "BadChunkSize", answer: chunked + "SECRET\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "NegativeChunkSize", answer: chunked + "-5\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "HugeChunkSize", answer: chunked + "10000000000000005\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},

		// RFC 9112 sections 2.2, 5.1 and 6.1.
		{name: "NoLastChunkOf10", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", kind: fetch.Truncated},
		{name: "CodingsOf10", answer: "HTTP/1.0 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "SpaceAfterCoding", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "TabAfterCoding", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding\t: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "SpaceAfterLength", answer: "HTTP/1.1 200 OK\r\nContent-Length : 50\r\n\r\nhello", kind: fetch.Protocol},
		{name: "TwoLengthsOneSpaced", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length : 50\r\n\r\nhello", kind: fetch.Protocol},
		{name: "BareCRInStatusLine", answer: "HTTP/1.1 200 OK\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", kind: fetch.Protocol},
		{name: "BareCRInField", answer: "HTTP/1.1 200 OK\r\nX: y\rContent-Length: 50\r\nContent-Length: 5\r\n\r\nhello", kind: fetch.Protocol},
		{name: "SpaceInEarlyHead", answer: "HTTP/1.1 103 Early\r\nContent-Length : 50\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", kind: fetch.Protocol},

		{name: "HTTP09", answer: "SECRET\nhello", kind: fetch.Protocol},
		{name: "ICY", answer: "ICY 200 OK\r\nicy-name: SECRET\r\n\r\nhello", kind: fetch.Protocol},
		{name: "SSH", answer: "SSH-2.0-SECRET\r\n", kind: fetch.Protocol},
		{name: "BadVersion", answer: "HTTP/x 200 SECRET\r\n\r\nhello", kind: fetch.Protocol},
		{name: "NoStatus", answer: "HTTP/1.1\r\n\r\nhello", kind: fetch.Protocol},
		{name: "BadStatus", answer: "HTTP/1.1 2x0 SECRET\r\n\r\nhello", kind: fetch.Protocol},
		{name: "BadField", answer: "HTTP/1.1 200 OK\r\nSECRET\r\n\r\nhello", kind: fetch.Protocol},
		{name: "ControlInField", answer: "HTTP/1.1 200 OK\r\nETag: SECRET\x01\r\nContent-Length: 5\r\n\r\nhello", kind: fetch.Protocol},
		{name: "TwoLengths", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 4\r\n\r\nhello", kind: fetch.Protocol},
		{name: "NegativeLength", answer: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", kind: fetch.Protocol},
		{name: "SignedLength", answer: "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", kind: fetch.Protocol},
		{name: "TransferCoding", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: SECRET\r\n\r\nhello", kind: fetch.Protocol},
		{name: "TransferCodings", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", kind: fetch.Protocol},
		{name: "SwitchingProtocols", answer: "HTTP/1.1 101 Switching\r\nUpgrade: SECRET\r\nConnection: upgrade\r\n\r\nhello", kind: fetch.Protocol},
		{name: "HugeField", answer: "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("SECRET", 50<<10) + "\r\n\r\nhello", kind: fetch.Protocol},
		{name: "ManyFields", answer: "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: SECRET\r\n", 50<<10) + "\r\nhello", kind: fetch.Protocol},
		{name: "ManyInformational", answer: strings.Repeat("HTTP/1.1 103 Early\r\nLink: SECRET\r\n\r\n", 10<<10), kind: fetch.Protocol},

		{name: "Nothing", answer: "", kind: fetch.Unavailable},
		{name: "CutInHeader", answer: "HTTP/1.1 200 OK\r\nContent-Le", kind: fetch.Unavailable},
		{name: "CutInStatusLine", answer: "HTTP/1.1 2", kind: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, data, err := getText(t, tt.answer)
			if fetch.KindOf(err) != tt.kind || err == nil && (data != tt.want || resp.Undelimited != tt.open) {
				t.Errorf("got %q, %+v, error %v; want %v, undelimited %v", data, resp, err, tt.kind, tt.open)
			}
			if err != nil && data == "hello" {
				t.Error("got the whole body before the error, want fewer octets")
			}
		})
	}
}

// More than Content-Length is not part of the body, nor of the next one.
func TestMoreThanContentLength(t *testing.T) {
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for readRequest(r) != "" {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello SECRET")
		}
	})
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
	wantBody(t, f, request(t, s.url), "hello")
	if _, data, err := get(t, f, request(t, s.url)); data != "hello" && !errors.Is(err, fetch.Protocol) {
		t.Errorf("got %q, %v, want %q or a protocol error", data, err, "hello")
	}
}

func TestConnectionReset(t *testing.T) {
	started := make(chan struct{})
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		if strings.HasPrefix(readRequest(r), "GET /body ") {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nhello")
			<-started
		}
		c.(*net.TCPConn).SetLinger(0)
	})
	f := newFetcher(t, httpfetch.Options{}, s.url)
	wantKind(t, f, request(t, s.url), fetch.Unavailable)
	req := request(t, s.url+"body")
	req.Progress = func(e fetch.Event) {
		if e.Phase == fetch.Receiving && e.Octets == 5 {
			close(started)
		}
	}
	wantKind(t, f, req, fetch.Truncated)
}

func TestConnectionRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	closed := "http://" + l.Addr().String() + "/"
	l.Close()
	wantKind(t, newFetcher(t, httpfetch.Options{}, closed), request(t, closed), fetch.Unavailable)
}

// However early the server closes, it is the same fault.
func TestClosedBeforeRequest(t *testing.T) {
	s := serveRaw(t, func(net.Conn, *bufio.Reader) {})
	f := newFetcher(t, httpfetch.Options{}, s.url)
	for range 100 {
		if wantKind(t, f, request(t, s.url), fetch.Unavailable); t.Failed() {
			return
		}
	}
}

func TestTimeouts(t *testing.T) {
	silent := serveRaw(t, func(c net.Conn, r *bufio.Reader) { wait(r) })
	trickle := serveHeld(t, "HTTP/1.1 200 OK\r\nX: ")
	informational := serveHeld(t, "HTTP/1.1 100 Continue\r\n\r\n")
	lost := resolving(lookup(func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}))
	for _, tt := range []struct {
		name string
		f    driver.Inspector
		url  string
		t    fetch.Timeouts
		want string
	}{
		{"Connect", newFetcher(t, httpfetch.Options{Guard: lost}), "http://a.test/", fetch.Timeouts{Connect: soon}, "the connection timed out"},
		{"TLS", newFetcher(t, httpfetch.Options{}, silent.url), secure(silent.url), fetch.Timeouts{TLS: soon}, "the TLS handshake timed out"},
		{"Answer", newFetcher(t, httpfetch.Options{}, silent.url), silent.url, fetch.Timeouts{FirstOctet: soon}, "the answer timed out"},
		{"EndOfHeader", newFetcher(t, httpfetch.Options{}, trickle.url), trickle.url, fetch.Timeouts{FirstOctet: soon}, "the answer timed out"},
		{"AfterInformational", newFetcher(t, httpfetch.Options{}, informational.url), informational.url, fetch.Timeouts{FirstOctet: soon}, "the answer timed out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := request(t, tt.url)
			req.Timeouts = tt.t
			err := wantKind(t, tt.f, req, fetch.Unavailable)
			e, ok := errors.AsType[*fetch.Error](err)
			if !ok || !e.Timeout() || !strings.HasSuffix(err.Error(), tt.want) || errors.Is(err, driver.ErrUnreached) != (tt.name == "Connect") {
				t.Errorf("got %v, want a time-out that ends in %q, and ErrUnreached for a connection alone", err, tt.want)
			}
		})
	}
}

// A request that is repeated on a new connection has all of its time again.
func TestAnswerTimerOfRepeatedRequest(t *testing.T) {
	t.Parallel()
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		readRequest(r)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		readRequest(r) // and closes instead of answering
	})
	var asked atomic.Int32
	guard := resolving(lookup(func(context.Context) error {
		if asked.Add(1) > 1 {
			time.Sleep(30 * soon)
		}
		return nil
	}))
	f := newFetcher(t, httpfetch.Options{Guard: guard}, s.url)
	req := request(t, fmt.Sprintf("http://a.test:%d/", portOf(t, s.url)))
	req.Timeouts.FirstOctet = 20 * soon
	for range 2 {
		wantBody(t, f, req, "ok")
	}
	equal(t, "connections", s.conns.Load(), 2)
}

// The limit on the answer does not hold for the body.
func TestAnswerTimerStops(t *testing.T) {
	s := serveHeld(t, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
	req := request(t, s.url)
	req.Timeouts = fetch.Timeouts{FirstOctet: 10 * soon, Stall: 20 * soon}
	err := wantKind(t, newFetcher(t, httpfetch.Options{}, s.url), req, fetch.Unavailable)
	if err == nil || !strings.Contains(err.Error(), "stalled") {
		t.Errorf("got error %v, want one with %q", err, "stalled")
	}
}

// A server of another protocol that speaks first, such as SMTP.
func TestServerSpeaksFirst(t *testing.T) {
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		io.WriteString(c, "220 SECRET ESMTP\r\n")
		wait(r)
	})
	wantKind(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url), fetch.Protocol)
}

// A request that has to be repeated, because the server had closed the connection, is a
// contact and an Exchange each time, and does not exceed the Budget.
func TestRepeatsAreCounted(t *testing.T) {
	var requests atomic.Int64
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for i := range 2 {
			if readRequest(r) == "" {
				return
			}
			requests.Add(1)
			if i == 1 {
				return // without an answer
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
	mustGet(t, f, s.url)
	exchanges := 0
	req := request(t, s.url)
	req.Observe = func(*fetch.Exchange) { exchanges++ }
	req.Budget = fetch.NewBudget(fetch.BudgetLimits{Fetches: 3})
	for i, want := range []fetch.Kind{0, fetch.Deferred} {
		if _, _, err := get(t, f, req); fetch.KindOf(err) != want {
			t.Errorf("%d: got %v, want %v", i, err, want)
		}
	}
	if _, n := req.Budget.Used(); n != 3 || exchanges != 3 || requests.Load() != 4 {
		t.Errorf("got %d fetches charged and %d exchanges for %d requests, want 3 and 3 for 4", n, exchanges, requests.Load())
	}
}

// An error without a type, such as one of the caller's resolver, keeps its text.
func TestPlainErrorOfResolver(t *testing.T) {
	away := lookup(func(context.Context) error { return errors.New("our own resolver is away") })
	f := newFetcher(t, httpfetch.Options{Guard: resolving(away)})
	err := wantKind(t, f, request(t, "http://a.test/"), fetch.Unavailable)
	if err == nil || !strings.Contains(err.Error(), "our own resolver is away") {
		t.Errorf("got %v, want the text of the resolver", err)
	}
}

// A connection is closed after an answer whose framing is doubtful, also if the server would keep it
// (RFC 9112 sections 6.1 and 6.3).
func TestDoubtfulFramingCloses(t *testing.T) {
	const chunks = "5\r\nhello\r\n0\r\n\r\n"
	for _, tt := range []struct {
		name, answer string
		conns        int32
	}{
		{"Plain", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 1},
		{"ChunkedOf10", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 2},
		{"ChunkedWithLength", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + chunks, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				for readRequest(r) != "" {
					io.WriteString(c, tt.answer)
				}
			})
			f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
			wantBody(t, f, request(t, s.url), "hello")
			wantBody(t, f, request(t, s.url), "hello")
			equal(t, "connections", s.conns.Load(), tt.conns)
		})
	}
}
