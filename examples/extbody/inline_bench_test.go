package main

import (
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The benchmarks of rewriting run the whole program in turn with the steps that
// bound it:
//
//	go test -run xxx -bench 'Inline|Externalize' -benchtime 5x ./examples/extbody

// encoded makes a message of the octets of a file in base64, and returns its path.
func encoded(b *testing.B, dir, file string) (path string, size int64) {
	b.Helper()
	path = filepath.Join(dir, "encoded.eml")
	out, err := os.Create(path)
	must(b, err)
	defer out.Close()
	const head = "Subject: large\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n"
	if _, err := io.WriteString(out, head); err != nil {
		b.Fatal(err)
	}
	encodeTo(b, out, file)
	info, err := out.Stat()
	must(b, err)
	return path, info.Size()
}

// encodeTo writes the octets of a file to w as lines of base64.
func encodeTo(b *testing.B, w io.Writer, file string) {
	b.Helper()
	in, err := os.Open(file)
	must(b, err)
	defer in.Close()
	const octets, lines = 57, 400
	buf, out := make([]byte, octets*lines), make([]byte, 0, 78*lines)
	for {
		n, err := io.ReadFull(in, buf)
		if n == 0 {
			return
		}
		out = out[:0]
		for p := buf[:n]; len(p) > 0; p = p[min(octets, len(p)):] {
			out = append(base64.StdEncoding.AppendEncode(out, p[:min(octets, len(p))]), "\r\n"...)
		}
		if _, err := w.Write(out); err != nil {
			b.Fatal(err)
		}
		if err != nil {
			return
		}
	}
}

// BenchmarkInlineLarge puts 1 GiB from http on loopback into a message, beside
// encoding the same octets to the same disk.
func BenchmarkInlineLarge(b *testing.B) {
	const size = 1 << 30
	extbody, dir := build(b), b.TempDir()
	file := large(b, dir, size)
	port := serveFile(b, file)
	message := filepath.Join(dir, "m.eml")
	writeText(b, message, reference("http://127.0.0.1:"+port+"/x"))
	var program costs
	var alone []time.Duration
	b.SetBytes(size)
	for b.Loop() {
		out := filepath.Join(dir, "out.eml")
		program.add(measure(b, exec.Command(string(extbody), "inline", "--digest", "none", "--allow-net", "127.0.0.0/8", "--allow-port", port, "-o", out, message)))
		os.Remove(out)
		alone = append(alone, encodeAlone(b, out, file))
		os.Remove(out)
	}
	b.ReportMetric(float64(median(alone))/float64(median(program.wall)), "x-encode")
	b.ReportMetric(float64(median(program.rss))/(1<<20), "MiB-rss")
}

// encodeAlone returns how long encoding a file to the disk takes.
func encodeAlone(b *testing.B, path, file string) time.Duration {
	b.Helper()
	begun := time.Now()
	out, err := os.Create(path)
	must(b, err)
	defer out.Close()
	encodeTo(b, out, file)
	must(b, out.Sync())
	return time.Since(begun)
}

// BenchmarkInlineNothing passes a message of 1.4 GB without references through
// the filter, beside cat.
func BenchmarkInlineNothing(b *testing.B) {
	extbody, dir := build(b), b.TempDir()
	message, size := encoded(b, dir, large(b, dir, 1<<30))
	through := func(name string, args ...string) cost {
		in, err := os.Open(message)
		must(b, err)
		defer in.Close()
		path := filepath.Join(dir, "out.eml")
		out, err := os.Create(path)
		must(b, err)
		defer os.Remove(path)
		defer out.Close()
		cmd := exec.Command(name, args...)
		cmd.Stdin, cmd.Stdout = in, out
		return measure(b, cmd)
	}
	var program, cat costs
	b.SetBytes(size)
	for b.Loop() {
		program.add(through(string(extbody), "inline"))
		cat.add(through("cat"))
	}
	b.ReportMetric(float64(median(cat.wall))/float64(median(program.wall)), "x-cat")
	b.ReportMetric(float64(median(program.rss))/(1<<20), "MiB-rss")
}

// BenchmarkExternalizeLarge takes a body of 1 GiB out of a message.
func BenchmarkExternalizeLarge(b *testing.B) {
	extbody, dir := build(b), b.TempDir()
	message, size := encoded(b, dir, large(b, dir, 1<<30))
	var program costs
	b.SetBytes(size)
	for b.Loop() {
		store := filepath.Join(dir, "store")
		program.add(measure(b, exec.Command(string(extbody), "externalize", "--store", store, "--base-url", "https://files.example/", "--min-size", "1MB", "-o", filepath.Join(dir, "out.eml"), message)))
		os.RemoveAll(store)
	}
	b.ReportMetric(float64(size)/1e6/median(program.wall).Seconds(), "MB/s-input")
	b.ReportMetric(float64(median(program.rss))/(1<<20), "MiB-rss")
}
