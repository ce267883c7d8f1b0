package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// BenchmarkList lists the references of a mailbox of 1.5 GB, in which one message
// in 50 has a reference, beside ripgrep, which counts the lines that name the type:
//
//	go test -run xxx -bench 'List$' -benchtime 9x ./examples/extbody
//
// GB/s-core is the rate of the program on one core. The first run that is timed
// finds the mailbox in the cache of the system.
func BenchmarkList(b *testing.B) {
	rg := installed(b, "rg")
	extbody := build(b)
	path, size, refs := bigMailbox(b, 1500<<20)
	run := func(name string, env []string, want int, args ...string) cost {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), env...)
		lines := new(lineCounter)
		cmd.Stdout = lines
		c := measure(b, cmd)
		if int(*lines) != want {
			b.Fatalf("%s: %d lines, want %d", cmd, *lines, want)
		}
		return c
	}
	list := func(env ...string) cost {
		return run(string(extbody), env, refs, "list", "--json", "--dialects", "none", path)
	}
	list()
	var all, one, peer costs
	b.SetBytes(size)
	for b.Loop() {
		all.add(list())
		peer.add(run(rg, nil, 1, "-a", "-c", "-i", "external-body", path))
		one.add(list("GOMAXPROCS=1"))
	}
	b.ReportMetric(float64(median(peer.wall))/float64(median(all.wall)), "x-rg")
	b.ReportMetric(float64(size)/1e9/median(all.wall).Seconds(), "GB/s")
	b.ReportMetric(float64(size)/1e9/median(one.wall).Seconds(), "GB/s-core")
	b.ReportMetric(float64(median(all.rss))/(1<<20), "MiB-rss")
}

// BenchmarkListDialects is BenchmarkList as people list a mailbox: with all dialects. Its peer is ripgrep with the
// hosts of the list of linked files as one set of patterns. Host names have no case, so that -i asks the same
// question; x-rg-case is against ripgrep without it.
func BenchmarkListDialects(b *testing.B) {
	rg := installed(b, "rg")
	extbody := build(b)
	path, size, refs := bigMailbox(b, 1500<<20)
	hosts := filepath.Join(b.TempDir(), "hosts")
	patterns := listedHosts(b, extbody)
	must(b, os.WriteFile(hosts, []byte(strings.Join(patterns, "\n")), 0o600))
	search := func(flags ...string) cost {
		args := append(flags, "-a", "-c", "--include-zero", "-F", "-f", hosts, path)
		return measure(b, exec.Command("sh", append([]string{"-c", `"$@" || test $? = 1`, "sh", rg}, args...)...))
	}
	list := func() cost {
		cmd := exec.Command(string(extbody), "list", "--json", path)
		lines := new(lineCounter)
		cmd.Stdout = lines
		c := measure(b, cmd)
		if int(*lines) != refs {
			b.Fatalf("%d lines, want %d", *lines, refs)
		}
		return c
	}
	list()
	var own, peer, exact costs
	b.SetBytes(size)
	for b.Loop() {
		own.add(list())
		peer.add(search("-i"))
		exact.add(search())
	}
	b.ReportMetric(float64(median(peer.wall))/float64(median(own.wall)), "x-rg")
	b.ReportMetric(float64(median(exact.wall))/float64(median(own.wall)), "x-rg-case")
	b.ReportMetric(float64(len(patterns)), "patterns")
	b.ReportMetric(float64(size)/1e9/median(own.wall).Seconds(), "GB/s")
}

// listedHosts returns the hosts that the program reads links of.
func listedHosts(b *testing.B, extbody program) (hosts []string) {
	b.Helper()
	out, err := exec.Command(string(extbody), "hosts").Output()
	must(b, err)
	for line := range strings.Lines(string(out)) {
		if fields := strings.Split(line, "\t"); len(fields) > 2 && fields[2] != "*" {
			hosts = append(hosts, fields[2])
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// bigMailbox writes an mbox of about size octets, in which nearly all is in base64,
// the same each time. It returns how many references it has.
func bigMailbox(b *testing.B, size int64) (path string, written int64, refs int) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "box")
	file, err := os.Create(path)
	must(b, err)
	defer file.Close()
	noise := make([]byte, 3<<20)
	rand.NewChaCha8([32]byte{5}).Read(noise)
	lines := make([]byte, 0, len(noise)/57*77)
	for p := noise; len(p) >= 57; p = p[57:] {
		lines = append(base64.StdEncoding.AppendEncode(lines, p[:57]), '\n')
	}
	r := rand.New(rand.NewPCG(5, 5))
	for i := 0; written < size; i++ {
		var m bytes.Buffer
		fmt.Fprintf(&m, "From b@b.example Thu Jun 20 10:00:00 2024\nReceived: from mx-%d.b.example by a.example; Thu, 20 Jun 2024 10:00:00 +0000\nFrom: B <b@b.example>\nTo: a@a.example\nSubject: message %d\nMessage-ID: <%[2]d@b.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_%[2]d\"\n\n--=_%[2]d\nContent-Type: text/plain; charset=utf-8\n\n", r.IntN(99), i)
		for range 10 + r.IntN(40) {
			m.WriteString("From this well-known line of an e-mail on nothing much, there are several.\n"[r.IntN(20):])
		}
		fmt.Fprintf(&m, "--=_%d\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n", i)
		m.Write(lines[77*r.IntN(20_000):][:77*(400+r.IntN(1200))])
		if i%50 == 0 {
			refs++
			fmt.Fprintf(&m, "--=_%d\nContent-Type: message/external-body; access-type=URL;\n\tURL=\"http://files.example/%[1]d\"\n\nContent-Type: image/png\nContent-ID: <%[1]d@b.example>\n\n", i)
		}
		fmt.Fprintf(&m, "--=_%d--\n\n", i)
		n, err := m.WriteTo(file)
		must(b, err)
		written += n
	}
	return path, written, refs
}
