package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The assumptions of the model in SCALE.md. Sizes are in octets, times in seconds.
const (
	messages    = 1e9
	messageSize = 75e3
	withRefs    = 0.05 // of the messages
	refsEach    = 1.5  // references in such a message
	refsBody    = 3    // references to one body
	bodySize    = 5e6
	fetchTime   = 0.75 // of one body at a host: the answer's first octet and the transfer
	nodeRate    = 110e6
	tenants     = 20_000 // of SharePoint; the files of the n-th are in proportion to 1/n
	startLimit  = 4      // requests at a time to a host at first
	mostLimit   = 24     // after a host has answered well

	ledgerMessage = 780 // octets of the ledger for a message, with its references and captures
	indexMessage  = 87
	shards        = 1000

	commitsBody = 6 // job put, taken and ended; object noted twice; answer stored
	commitRate  = 1881
	readsBody   = 4 // stored answer looked up; result read at once, after the notification, and by a second waiter
	entrySize   = 2000
	jobSize     = 4000
	jobTime     = 600  // of a job that is done
	waiting     = 48   // requests that one archiver waits for
	passRate    = 5    // questions of a fetcher a second for the queue
	passRow     = 4e-6 // of a processor, for one request that waits
)

// providers are the shares of the bodies. SharePoint has a host for each tenant.
var providers = []struct {
	name  string
	share float64
}{{"sharepoint.com", 0.30}, {"google.com", 0.25}, {"dropbox.com", 0.10}, {"wetransfer.com", 0.05}}

const day = 86_400

// A load is a multiple of the messages.
type load float64

func (l load) bodies() float64 { return float64(l) * messages * withRefs * refsEach / refsBody }

// network returns the days of n archivers, each of which reads its share of the mail and bodies.
func (l load) network(n float64) float64 {
	return (float64(l)*messages*messageSize + l.bodies()*bodySize) / (n * nodeRate) / day
}

// largest returns the host that takes longest with a limit, and its days.
func (l load) largest(byTenant bool, limit float64) (days float64, name string) {
	for _, p := range providers {
		share, host := p.share, p.name
		if p.name == "sharepoint.com" && byTenant {
			sum := 0.0
			for n := 1.0; n <= tenants; n++ {
				sum += 1 / n
			}
			share, host = share/sum, "the largest tenant"
		}
		if d := l.bodies() * share * fetchTime / limit / day; d > days {
			days, name = d, host
		}
	}
	return days, name
}

// days returns how long n archivers and n fetchers take, and the bound.
func (l load) days(n float64, byTenant bool, limit float64) (float64, string) {
	days, bound := l.largest(byTenant, limit)
	if d := l.network(n); d > days {
		return d, "network"
	}
	return days, bound
}

// size writes octets in a unit.
func size(n float64) string {
	unit := 0
	for ; n >= 1000 && unit < 5; unit++ {
		n /= 1000
	}
	return fmt.Sprintf("%.3g %s", n, []string{"octets", "kB", "MB", "GB", "TB", "PB"}[unit])
}

// scale writes the tables of SCALE.md.
func scale() string {
	var b bytes.Buffer
	one := load(1)
	fmt.Fprintf(&b, "%.3g references, %.3g bodies of %s in all\n\n", messages*withRefs*refsEach, one.bodies(), size(one.bodies()*bodySize))
	b.WriteString("nodes  SharePoint one host, 4 at a time  by tenant, 4 at a time        by tenant, up to 24 at a time\n")
	for _, n := range []float64{1, 3, 10, 30, 100} {
		fmt.Fprintf(&b, "%5.0f", n)
		for _, plan := range []struct {
			byTenant bool
			limit    float64
		}{{false, startLimit}, {true, startLimit}, {true, mostLimit}} {
			d, bound := one.days(n, plan.byTenant, plan.limit)
			fmt.Fprintf(&b, "  %-28s", fmt.Sprintf("%.1f days (%s)", d, bound))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n                                  a billion       ten billion\n")
	row := func(name string, f func(l load, n, days float64) string) {
		fmt.Fprintf(&b, "%-32s", name)
		for _, l := range []load{1, 10} {
			n := 10 * float64(l)
			d, _ := l.days(n, true, mostLimit)
			fmt.Fprintf(&b, "  %-14s", f(l, n, d))
		}
		b.WriteByte('\n')
	}
	row("nodes", func(_ load, n, _ float64) string { return fmt.Sprintf("%.0f", n) })
	row("days", func(_ load, _, d float64) string { return fmt.Sprintf("%.1f", d) })
	row("bound", func(l load, n, _ float64) string { _, bound := l.days(n, true, mostLimit); return bound })
	row("network alone, days", func(l load, n, _ float64) string { return fmt.Sprintf("%.1f", l.network(n)) })
	row("bodies a second", func(l load, _, d float64) string { return fmt.Sprintf("%.0f", l.bodies()/d/day) })
	row("into the bucket, a second", func(l load, _, d float64) string { return size(l.bodies() * bodySize / d / day) })
	row("bucket", func(l load, _, _ float64) string { return size(l.bodies() * bodySize) })
	row("ledgers", func(l load, _, _ float64) string { return size(float64(l) * messages * ledgerMessage) })
	row("indexes", func(l load, _, _ float64) string { return size(float64(l) * messages * indexMessage) })
	row("ledger of one of 1,000 shards", func(l load, _, _ float64) string { return size(float64(l) * messages * ledgerMessage / shards) })
	row("PostgreSQL: commits a second", func(l load, _, d float64) string { return fmt.Sprintf("%.0f", l.bodies()*commitsBody/d/day) })
	row("  of those it can, %", func(l load, _, d float64) string {
		return fmt.Sprintf("%.0f", 100*l.bodies()*commitsBody/d/day/commitRate)
	})
	row("  reads a second", func(l load, _, d float64) string { return fmt.Sprintf("%.0f", l.bodies()*readsBody/d/day) })
	row("  stored answers", func(l load, _, _ float64) string { return size(l.bodies() * entrySize) })
	row("  jobs that are done", func(l load, _, d float64) string { return size(l.bodies() / d / day * jobTime * jobSize) })
	row("  processors for the queue", func(_ load, n, _ float64) string { return fmt.Sprintf("%.1f", n*passRate*n*waiting*passRow) })
	var lines strings.Builder
	for line := range strings.Lines(b.String()) {
		lines.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return lines.String()
}

// TestScale holds the numbers of SCALE.md to the model, and the sizes of ledger and index to the
// sizes of an archive.
func TestScale(t *testing.T) {
	dir := t.TempDir()
	var box bytes.Buffer
	const n = 4000
	for i := range n {
		fmt.Fprintf(&box, "From a@example.org Mon Nov  2 10:00:00 2026\nFrom: Some Person <some.person.%d@example.org>\nSubject: About the plans for week %d\n"+
			"Date: Mon, 2 Nov 2026 10:00:00 +0000\nMessage-ID: <%d.1234567890.abcdef@mail.example.org>\nContent-Type: text/plain\n\nHello,\n", i%500, i, i)
		switch i % 40 { // three references in two of them: 5 %, and 1.5 in each
		case 0:
			fmt.Fprintf(&box, "https://www.dropbox.com/s/%015x/a.pdf?dl=0\n", int64(i)+1<<40)
		case 1:
			fmt.Fprintf(&box, "https://www.dropbox.com/s/%015x/a.pdf?dl=0\n\nhttps://www.dropbox.com/s/%015x/b.pdf?dl=0\n", int64(i)+1<<41, int64(i)+1<<42)
		}
		box.WriteString("\n")
	}
	writeConf(t, filepath.Join(dir, "box"), box.String())
	if out, err := exec.Command(executable(t), "archive", "sync", filepath.Join(dir, "box"), "--to", filepath.Join(dir, "archive")).CombinedOutput(); err != nil {
		t.Fatalf("got %v\n%s", err, out)
	}
	for _, tt := range []struct {
		name string
		want float64
	}{{"ledger", ledgerMessage}, {"index", indexMessage}} {
		var got int64
		filepath.WalkDir(filepath.Join(dir, "archive", tt.name), func(path string, e fs.DirEntry, err error) error {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				got += info.Size()
			}
			return err
		})
		if each := float64(got) / n; each < tt.want*3/4 || each > tt.want*5/4 {
			t.Errorf("got %.0f octets of the %s for a message, want about %v", each, tt.name, tt.want)
		}
	}
	text := readText(t, "SCALE.md")
	if want := "```\n" + scale() + "```\n"; !strings.Contains(text, want) {
		t.Errorf("got other numbers in SCALE.md, want\n%s", want)
	}
}
