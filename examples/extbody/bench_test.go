package main

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// The benchmarks run the whole program against servers in this process, beside
// a peer that does the same in turn with it. They report medians:
//
//	go test -run xxx -bench 'Get' -benchtime 7x ./examples/extbody

// A cost is the time and the memory of a process.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // octets, the peak; 0 if it is not known
}

// measure runs a command to its end. The peak of its memory is looked up while it
// runs, where the system has it: the peak that the system accounts is at least the
// one of the process that started it.
func measure(b *testing.B, cmd *exec.Cmd) (c cost) {
	b.Helper()
	said := new(strings.Builder)
	cmd.Stderr = said
	start := time.Now()
	must(b, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%s: %v: %s", cmd, err, said)
			}
			c.wall, c.cpu = time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
			return c
		case <-time.After(5 * time.Millisecond):
		}
		c.rss = max(c.rss, peak(cmd))
	}
}

// peak returns the most memory that a process had, in octets, or 0 if it has ended.
func peak(cmd *exec.Cmd) (kib int64) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	_, text, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(text, &kib)
	return kib << 10
}

// instructions returns how many instructions a command takes outside of the kernel, which
// other work on the machine hardly changes; 0 if perf cannot count them.
func instructions(b *testing.B, cmd *exec.Cmd) float64 {
	b.Helper()
	perf, err := exec.LookPath("perf")
	if err != nil {
		return 0
	}
	counted := exec.Command(perf, append([]string{"stat", "-x,", "-e", "instructions:u", "-o", filepath.Join(b.TempDir(), "counted"), cmd.Path}, cmd.Args[1:]...)...)
	counted.Dir = cmd.Dir
	if err := counted.Run(); err != nil {
		return 0
	}
	text, _ := os.ReadFile(counted.Args[6])
	for line := range strings.Lines(string(text)) {
		var n float64
		if _, err := fmt.Sscanf(line, "%g,", &n); err == nil {
			return n
		}
	}
	return 0
}

func median[T ~int64](values []T) T {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)/2]
}

// costs collects the costs of one command.
type costs struct {
	wall, cpu []time.Duration
	rss       []int64
}

func (c *costs) add(one cost) {
	c.wall, c.cpu, c.rss = append(c.wall, one.wall), append(c.cpu, one.cpu), append(c.rss, one.rss)
}

// A program is this program, built.
type program string

func build(b *testing.B) program {
	b.Helper()
	path := filepath.Join(b.TempDir(), "extbody")
	if said, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, said)
	}
	return program(path)
}

// get returns the command that gets the files on loopback that a message refers to.
func (p program) get(out, port, message string, args ...string) *exec.Cmd {
	args = append([]string{"get", "-o", out, "--allow-net", "127.0.0.0/8", "--allow-port", port}, args...)
	return exec.Command(string(p), append(args, message)...)
}

// serveFile serves a file at any path and returns the port.
func serveFile(b *testing.B, path string) string {
	b.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, path)
	}))
	b.Cleanup(s.Close)
	return portOf(s)
}

// portOf returns the port of a server on loopback.
func portOf(s *httptest.Server) string { return s.URL[strings.LastIndexByte(s.URL, ':')+1:] }

// large makes a file of n random octets.
func large(b *testing.B, dir string, n int64) string {
	b.Helper()
	path := filepath.Join(dir, "large.bin")
	f, err := os.Create(path)
	must(b, err)
	defer f.Close()
	if _, err := io.CopyN(f, rand.Reader, n); err != nil {
		b.Fatal(err)
	}
	return path
}

// reference is a message that refers to a URL.
func reference(url string) string {
	return "Content-Type: message/external-body; access-type=URL; URL=\"" + url + "\"\r\n\r\nContent-Type: application/octet-stream\r\nContent-ID: <x@h.example>\r\n\r\n"
}

// BenchmarkGetLarge gets 1 GiB over http, with and without its SHA-256, beside
// the SHA-256 of the file alone.
func BenchmarkGetLarge(b *testing.B) {
	const size = 1 << 30
	extbody, dir := build(b), b.TempDir()
	file := large(b, dir, size)
	port := serveFile(b, file)
	message := filepath.Join(dir, "m.eml")
	writeText(b, message, reference("http://127.0.0.1:"+port+"/x"))
	get := func(digest string) cost {
		out := filepath.Join(dir, "out")
		defer os.RemoveAll(out)
		return measure(b, extbody.get(out, port, message, "--digest", digest))
	}
	var with, without costs
	var alone []time.Duration
	b.SetBytes(size)
	for b.Loop() {
		with.add(get("sha256"))
		without.add(get("none"))
		alone = append(alone, hashAlone(b, file))
	}
	b.ReportMetric(median(with.cpu).Seconds(), "cpu-s/op")
	b.ReportMetric(float64(median(with.cpu))/float64(median(without.cpu)+median(alone)), "cpu/limit")
	b.ReportMetric(float64(median(with.rss))/(1<<20), "MiB-rss")
}

// hashAlone returns the CPU time that the SHA-256 of a file takes in a process of
// its own.
func hashAlone(b *testing.B, path string) time.Duration {
	b.Helper()
	return measure(b, exec.Command(installed(b, "hashfile"), path)).cpu
}

// hashFile is a program that reads a file and computes its SHA-256.
func hashFile() {
	f, err := os.Open(os.Args[1])
	if err == nil {
		_, err = io.CopyBuffer(struct{ io.Writer }{sha256.New()}, struct{ io.Reader }{f}, make([]byte, 256<<10))
	}
	if err != nil {
		panic(err)
	}
}

// getBare is a program that does the work of get that curl does not do, and nothing
// else: it gets the URLs of a file with net/http, 16 at a time, and saves each body in
// a folder with its SHA-256 computed, and it and its name synced.
func getBare() {
	list, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	folder, err := os.Open(os.Args[2])
	if err != nil {
		panic(err)
	}
	web := &http.Transport{MaxIdleConnsPerHost: 2}
	urls := make(chan string)
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			buf := make([]byte, 32<<10)
			for url := range urls {
				if err := getBareOne(web, url, folder, buf); err != nil {
					panic(err)
				}
			}
		})
	}
	for _, url := range strings.Fields(string(list)) {
		urls <- url
	}
	close(urls)
	workers.Wait()
}

func getBareOne(web *http.Transport, url string, folder *os.File, buf []byte) error {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := web.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := os.Create(filepath.Join(folder.Name(), filepath.Base(url)))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.CopyBuffer(io.MultiWriter(f, sha256.New()), struct{ io.Reader }{resp.Body}, buf); err != nil {
		return err
	}
	return errors.Join(f.Sync(), folder.Sync())
}

// BenchmarkGetMany gets 2,000 small bodies from 50 hosts, beside curl, and beside getBare: curl neither computes a
// digest, nor waits for the disk, nor writes a line. The server is nginx: one in this process takes as much of the
// machine as the clients do. Nothing is removed between the turns: ext4 without a journal takes many times as long
// to make files for a minute after others were removed. That minute makes all of them slow alike, which flatters
// us. So bare-wall/curl is reported as well: a measurement in which it is far above 3 is void.
func BenchmarkGetMany(b *testing.B) {
	curl := installed(b, "curl")
	const bodies, hosts = 2000, 50
	extbody := build(b)
	dir := b.TempDir()
	files := filepath.Join(dir, "files")
	must(b, os.Mkdir(files, 0o755))
	var total int64
	for i := range bodies {
		n, _ := rand.Int(rand.Reader, big.NewInt(68<<10))
		body := make([]byte, 1500+n.Int64())
		rand.Read(body)
		total += int64(len(body))
		must(b, os.WriteFile(filepath.Join(files, strconv.Itoa(i)), body, 0o644))
	}
	port := serveFolder(b, files)

	var box, list, plain strings.Builder
	for i := range bodies {
		url := fmt.Sprintf("http://127.0.0.%d:%s/%d", 2+i%hosts, port, i)
		fmt.Fprintf(&box, "From x Thu Jan  1 00:00:00 1970\n%s\n", strings.ReplaceAll(reference(url), "\r\n", "\n"))
		fmt.Fprintf(&list, "url = %q\noutput = %q\n", url, strconv.Itoa(i))
		fmt.Fprintln(&plain, url)
	}
	mbox, config, urls := filepath.Join(dir, "m.mbox"), filepath.Join(dir, "curl.conf"), filepath.Join(dir, "urls")
	for name, text := range map[string]string{mbox: box.String(), config: list.String(), urls: plain.String()} {
		writeText(b, name, text)
	}
	turn := 0
	fresh := func() string {
		turn++
		out := filepath.Join(dir, "out"+strconv.Itoa(turn))
		must(b, os.Mkdir(out, 0o700))
		return out
	}
	bare := installed(b, "getbare")
	var ours, theirs, bares costs
	b.SetBytes(total)
	for b.Loop() {
		ours.add(measure(b, extbody.get(fresh(), port, mbox)))
		cmd := exec.Command(curl, "-sS", "-Z", "--parallel-max", "16", "-K", config)
		cmd.Dir = fresh()
		theirs.add(measure(b, cmd))
		bares.add(measure(b, exec.Command(bare, urls, fresh())))
	}
	b.ReportMetric(float64(median(ours.wall))/float64(median(theirs.wall)), "wall/curl")
	b.ReportMetric(median(ours.wall).Seconds(), "wall-s/op")
	b.ReportMetric(float64(median(ours.wall))/float64(median(bares.wall)), "wall/bare")
	b.ReportMetric(float64(median(bares.wall))/float64(median(theirs.wall)), "bare-wall/curl")
	b.ReportMetric(float64(median(ours.cpu))/float64(median(theirs.cpu)), "cpu/curl")
	b.ReportMetric(float64(median(ours.cpu))/float64(median(bares.cpu)), "cpu/bare")
	if n := instructions(b, extbody.get(fresh(), port, mbox)); n > 0 {
		b.ReportMetric(n/bodies, "instructions/body")
		b.ReportMetric(instructions(b, exec.Command(bare, urls, fresh()))/bodies, "bare-instructions/body")
	}
	b.ReportMetric(float64(median(bares.cpu))/float64(median(theirs.cpu)), "bare-cpu/curl")
	b.ReportMetric(float64(median(ours.rss))/(1<<20), "MiB-rss")
}

// serveFolder serves the files of a folder at all addresses of this machine's
// loopback and returns the port.
func serveFolder(b *testing.B, files string) string {
	b.Helper()
	addr := daemons.Nginx(b, func(addr string) string {
		_, port, _ := net.SplitHostPort(addr)
		return fmt.Sprintf(`
	sendfile on;
	keepalive_requests 1000000;
	default_type application/octet-stream;
	server { listen 0.0.0.0:%s; root %s; }`, port, files)
	})
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// BenchmarkGetFTP gets 200 MB by ftp, without a digest, beside curl.
func BenchmarkGetFTP(b *testing.B) {
	const size = 200_000_000
	root := openDir(b)
	file := large(b, root, size)
	_, port, _ := net.SplitHostPort(daemons.Vsftpd(b, root, ""))
	besideCurl(b, size, "ftp://127.0.0.1:"+port+"/"+filepath.Base(file)+";type=i", port, nil, nil)
}

// besideCurl gets a URL, in turns with curl, each with more flags.
func besideCurl(b *testing.B, size int64, url, port string, flags, curlFlags []string) {
	b.Helper()
	curl := installed(b, "curl")
	extbody, dir := build(b), b.TempDir()
	message, out, to := filepath.Join(dir, "m.eml"), filepath.Join(dir, "out"), filepath.Join(dir, "curl.out")
	writeText(b, message, reference(url))
	var ours, theirs costs
	b.SetBytes(size)
	for b.Loop() {
		ours.add(measure(b, extbody.get(out, port, message, append(flags, "--digest", "none")...)))
		os.RemoveAll(out)
		theirs.add(measure(b, exec.Command(curl, append(curlFlags, "-sS", "-o", to, url)...)))
		os.Remove(to)
	}
	b.ReportMetric(float64(median(ours.wall))/float64(median(theirs.wall)), "wall/curl")
	b.ReportMetric(median(ours.wall).Seconds(), "wall-s/op")
	b.ReportMetric(float64(median(ours.cpu))/float64(median(theirs.cpu)), "cpu/curl")
}

// BenchmarkGetTFTP gets 32 MB by tftp in blocks of 1428 octets, without a digest,
// beside curl. EXTBODY_TFTPD is the URL of a server on 127.0.0.1, and
// EXTBODY_TFTPD_ROOT the folder that it serves.
func BenchmarkGetTFTP(b *testing.B) {
	server, root := os.Getenv("EXTBODY_TFTPD"), os.Getenv("EXTBODY_TFTPD_ROOT")
	if server == "" || root == "" {
		b.Skip("EXTBODY_TFTPD and EXTBODY_TFTPD_ROOT name no server")
	}
	const size = 32 << 20
	file := large(b, root, size)
	defer os.Remove(file)
	must(b, os.Chmod(file, 0o644))
	u, err := netip.ParseAddrPort(strings.Trim(strings.TrimPrefix(server, "tftp://"), "/"))
	must(b, err)
	besideCurl(b, size, server+filepath.Base(file)+";mode=octet", strconv.Itoa(int(u.Port())), []string{"--allow-scheme", "tftp"}, []string{"--tftp-blksize", "1428"})
}
