//go:build unix

package throttle_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// BenchmarkIdle measures what a Throttle and a Budget cost that hold nothing up:
// the time of all processors for 2,000 bodies of 2 KiB on 50 hosts, with them and
// without, in turns. The server is another process. "control" is the difference
// between two runs that do the same; a cost below it is no result.
func BenchmarkIdle(b *testing.B) {
	const bodies, hosts, workers = 2000, 50, 8
	port := serveApart(b)
	web := httpfetch.New(&httpfetch.Options{Retries: -1, Guard: &netguard.Guard{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, Resolver: loopback{},
	}})
	defer web.CloseIdleConnections()
	run := func(f fetch.Fetcher, budget bool) float64 {
		var shared *fetch.Budget
		if budget {
			shared = fetch.NewBudget(fetch.BudgetLimits{Octets: 1 << 40, Fetches: 1 << 40, Until: time.Now().Add(time.Hour)})
		}
		start := processorTime()
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < bodies; i += workers {
					req := request(fmt.Sprintf("http://h%d.example:%s/%d", i%hosts, port, i))
					req.Budget = shared
					resp, err := fetch.Do(b.Context(), f, req)
					if err != nil {
						b.Error(err)
						return
					}
					if n, err := io.Copy(io.Discard, resp.Body); n != 2048 || err != nil {
						b.Error(n, err)
					}
					resp.Body.Close()
				}
			})
		}
		wg.Wait()
		return float64(processorTime()-start) / bodies
	}
	throttled := throttle.New(web, &throttle.Options{PerHost: workers}) // so that nobody waits
	run(web, false)
	run(throttled, true)
	var bare, with, control []float64
	for b.Loop() {
		bare = append(bare, run(web, false))
		with = append(with, run(throttled, true))
		control = append(control, run(web, false))
	}
	for _, l := range [][]float64{bare, with, control} {
		slices.Sort(l)
	}
	median := func(l []float64) float64 { return l[len(l)/2] }
	b.ReportMetric(median(bare), "ns/body")
	b.ReportMetric(100*(median(with)/median(bare)-1), "%cost")
	b.ReportMetric(100*(median(control)/median(bare)-1), "%control")
}

// BenchmarkFetch is one fetch of nothing through a Throttle.
func BenchmarkFetch(b *testing.B) {
	bare := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if err := req.Contact(ctx, req.URL); err != nil {
			return nil, err
		}
		return &fetch.Response{URL: req.URL, Size: 0, Body: http.NoBody}, nil
	})
	for name, f := range map[string]fetch.Fetcher{"Bare": bare, "Throttled": throttle.New(bare, nil)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			req := request("http://h.example/")
			for b.Loop() {
				resp, err := f.Fetch(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}

type loopback struct{}

func (loopback) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// processorTime returns what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverEnv makes a process of this test the server of serveApart.
const serverEnv = "EXTBODY_THROTTLE_SERVER"

// serveApart starts a server in a process of its own and returns its port.
func serveApart(b *testing.B) string {
	b.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestServer$")
	cmd.Env = append(os.Environ(), serverEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// TestServer is the server of BenchmarkIdle. It ends with its input.
func TestServer(t *testing.T) {
	if os.Getenv(serverEnv) == "" {
		t.Skip("for BenchmarkIdle")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 2048)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text) })}
	go s.Serve(l)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	fmt.Println(port)
	io.Copy(io.Discard, os.Stdin)
	s.Close()
}
