package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkStart is what a filter costs that is started for each mail: the program gives out a mail without a reference,
// beside ripgrep, which looks for the type in it. The times are of the processor.
//
//	go test -run xxx -bench 'Start$' -benchtime 50x ./examples/extbody
func BenchmarkStart(b *testing.B) {
	rg := installed(b, "rg")
	extbody := build(b)
	path := filepath.Join(b.TempDir(), "mail")
	must(b, os.WriteFile(path, []byte("From: a@a.example\n\nHi\n"), 0o600))
	var own, peer costs
	for b.Loop() {
		own.add(measure(b, exec.Command(string(extbody), "inline", path)))
		peer.add(measure(b, exec.Command(rg, "-c", "Hi", path)))
	}
	b.ReportMetric(float64(median(own.cpu))/float64(median(peer.cpu)), "x-rg-cpu")
	b.ReportMetric(float64(median(own.cpu).Microseconds())/1e3, "ms-cpu")
}
