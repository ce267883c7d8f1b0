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

// idleWays are what BenchmarkIdle compares, each added to the one before it: "brief" is
// an observer as get has it, and "full" one for each head and digest. "control" is
// "bare" once more.
var idleWays = []string{"bare", "throttle", "budget", "brief", "full", "control"}

// BenchmarkIdle measures what a Throttle, a Budget and an observer cost that hold nothing
// up: the time of the processor for 4,000 bodies of 36 KiB on 50 hosts, and where perf is
// installed the instructions outside of the kernel, which other work on the machine hardly
// changes. Each way has a process of its own, in turns, forwards and then backwards, on one
// processor, so that the search for work of idle ones is not counted; the server is another
// one. The figures of time are the medians of what each way costs more than "bare" of the
// same turn, and those of instructions are by the turns in which each took the fewest. That
// of "control" is what chance does; a cost below it is not a result.
//
// "bare" does nothing with a body but read it. What a way costs of a program that saves
// bodies is its "-instructions/body" divided by those of the program: BenchmarkGetMany of
// the program has them as "instructions/body".
//
//	go test -run - -bench Idle -benchtime 15x ./fetch/throttle
func BenchmarkIdle(b *testing.B) {
	port := serveApart(b)
	perf, _ := exec.LookPath("perf")
	if perf != "" && exec.Command(perf, "stat", "-x,", "-e", "instructions:u", "true").Run() != nil {
		perf = ""
	}
	more, counts := make(map[string][]float64), make(map[string][]float64)
	var bodies []float64
	for slot := 0; b.Loop(); slot++ {
		var cpu, instructions = map[string]float64{}, map[string]float64{}
		for i := range idleWays {
			if slot%2 == 1 {
				i = len(idleWays) - 1 - i
			}
			cpu[idleWays[i]], instructions[idleWays[i]] = idleCost(b, perf, idleWays[i], port)
		}
		for way := range cpu {
			more[way] = append(more[way], 100*(cpu[way]/cpu["bare"]-1))
			counts[way] = append(counts[way], instructions[way]/idleBodies)
		}
		bodies = append(bodies, cpu["bare"]/idleBodies)
	}
	median := func(l []float64) float64 {
		slices.Sort(l)
		return l[len(l)/2]
	}
	b.ReportMetric(median(bodies)*1e9, "cpu-ns/body")
	bare := slices.Min(counts["bare"])
	if perf != "" {
		b.ReportMetric(bare, "bare-instructions/body")
	}
	for _, way := range idleWays[1:] {
		b.ReportMetric(median(more[way]), way+"-%cpu")
		if perf != "" {
			b.ReportMetric(100*(slices.Min(counts[way])/bare-1), way+"-%instructions")
			b.ReportMetric(slices.Min(counts[way])-bare, way+"-instructions/body")
		}
	}
}

const (
	idleBodies = 4000     // in one process, so that its beginning matters little
	idleSize   = 36 << 10 // octets of each, as in BenchmarkGetMany of the program
)

// idleCost runs a way of BenchmarkIdle and returns the seconds of processor time, and the
// instructions if perf is not "".
func idleCost(b *testing.B, perf, way, port string) (cpu, instructions float64) {
	b.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	args := []string{exe, "-test.run=^TestIdle$"}
	if perf != "" {
		args = append([]string{perf, "stat", "-x,", "-e", "instructions:u"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", idleEnv+"="+way+" "+port)
	var said, results strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &results
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s: got error %v, want none: %s%s", way, err, said.String(), results.String())
	}
	if _, err := fmt.Sscanf(said.String(), "cpu %g", &cpu); err != nil {
		b.Fatalf("%s: got error %v, want %q: %s", way, err, "cpu ...", said.String())
	}
	if perf != "" {
		if _, err := fmt.Sscanf(results.String(), "%g,", &instructions); err != nil {
			b.Fatalf("%s: got error %v, want instructions: %s", way, err, results.String())
		}
	}
	return cpu, instructions
}

// idleEnv makes a process of this test one of BenchmarkIdle.
const idleEnv = "EXTBODY_THROTTLE_IDLE"

// TestIdle is a process of BenchmarkIdle.
func TestIdle(t *testing.T) {
	const hosts, workers = 50, 8
	way, port, ok := strings.Cut(os.Getenv(idleEnv), " ")
	if !ok {
		t.Skip("for BenchmarkIdle")
	}
	web := httpfetch.New(&httpfetch.Options{Guard: &netguard.Guard{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, Resolver: loopback{},
	}})
	defer web.CloseIdleConnections()
	var f fetch.Fetcher = web
	has := func(part string) bool {
		return slices.Index(idleWays, way) >= slices.Index(idleWays, part) && way != "control"
	}
	if has("throttle") {
		f = throttle.New(web, &throttle.Options{PerHost: workers}) // so that nobody waits
	}
	var budget *fetch.Budget
	if has("budget") {
		budget = fetch.NewBudget(fetch.BudgetLimits{Octets: 1 << 40, Fetches: 1 << 40, Until: time.Now().Add(time.Hour)})
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < idleBodies; i += workers {
				req := request(fmt.Sprintf("http://h%d.example:%s/%d", i%hosts, port, i))
				req.Budget = budget
				if has("brief") {
					req.Observe, req.Brief = func(*fetch.Exchange) {}, !has("full")
				}
				resp, err := fetch.Do(t.Context(), f, req)
				if err != nil {
					t.Error(err)
					return
				}
				if n, err := io.Copy(io.Discard, resp.Body); n != idleSize || err != nil {
					t.Errorf("got %d octets, %v, want %d, nil", n, err, idleSize)
				}
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	fmt.Printf("cpu %g\n", processorTime().Seconds())
	resp, err := fetch.Do(t.Context(), f, request("http://h0.example:"+port+"/"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if data, err := io.ReadAll(resp.Body); err != nil || string(data) != idleText() {
		t.Errorf("got %d other octets, %v, want %d", len(data), err, idleSize)
	}
}

// idleText returns the body of BenchmarkIdle, of which no two pieces are equal.
func idleText() string {
	var b strings.Builder
	for i := 0; b.Len() < idleSize; i++ {
		fmt.Fprintf(&b, "%d ", i)
	}
	return b.String()[:idleSize]
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
	text := idleText()
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text) })}
	go s.Serve(l)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	fmt.Println(port)
	io.Copy(io.Discard, os.Stdin)
	s.Close()
}
