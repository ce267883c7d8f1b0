package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkStart has the costs of a filter that is started for each mail: inline gives out a mail without a
// reference, and check a mail of 40 KB, beside ripgrep, which looks for a word in the same. The times are of the
// processor.
//
//	go test -run xxx -bench '^BenchmarkStart$' -benchtime 50x ./examples/extbody
func BenchmarkStart(b *testing.B) {
	rg := installed(b, "rg")
	extbody := build(b)
	for _, c := range []struct{ command, mail string }{
		{"inline", "From: a@a.example\n\nHi\n"},
		{"check", "From: a@a.example\nContent-Type: text/html\n\n" + strings.Repeat("<p>Hi, see <a href=\"https://www.example.com/a\">this</a>.</p>\n", 690)},
	} {
		b.Run(c.command, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "mail")
			must(b, os.WriteFile(path, []byte(c.mail), 0o600))
			var own, peer costs
			for b.Loop() {
				own.add(measure(b, exec.Command(string(extbody), c.command, path)))
				peer.add(measure(b, exec.Command(rg, "-c", "Hi", path)))
			}
			b.ReportMetric(float64(median(own.cpu))/float64(median(peer.cpu)), "x-rg-cpu")
			b.ReportMetric(float64(median(own.cpu).Microseconds())/1e3, "ms-cpu")
		})
	}
}
