package main

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit"
)

// captureAll captures every body.
const captureAll = "[[rule]]\nname = \"capture\"\naction = \"capture\"\n"

// A vault is an archive, and a Maildir that is its source.
type vault struct {
	t        testing.TB
	dir, box string
	flags    []string // of the hosts
}

// newVault makes an archive.
func newVault(t testing.TB, flags []string) *vault {
	k := &vault{t, filepath.Join(t.TempDir(), "archive"), filepath.Join(t.TempDir(), "box"), flags}
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(k.box, sub), 0o700))
	}
	k.sync("none")
	return k
}

// deliver puts a message into the Maildir, as a server does that adds a field with the time.
func (k *vault) deliver(i int, message string, at time.Time) {
	k.t.Helper()
	received := "Received: from mx by box; " + at.Format(time.RFC1123Z) + "\r\n"
	writeText(k.t, filepath.Join(k.box, "cur", fmt.Sprintf("%d:2,S", i)), received+message)
}

// run runs a command of archive, which must have the status 0, and returns its output.
func (k *vault) run(args ...string) string {
	k.t.Helper()
	out, err := exec.Command(executable(k.t), append([]string{"archive"}, args...)...).CombinedOutput()
	if err != nil {
		k.t.Fatalf("archive %v: got error %v, want none\n%s", args, err, out)
	}
	return string(out)
}

// sync brings the archive up to the Maildir, and fetches from all hosts or none.
func (k *vault) sync(resolve string) string {
	k.t.Helper()
	return k.run(append([]string{"sync", k.box, "--to", k.dir, "--resolve", resolve, "--rate", "1000"}, k.flags...)...)
}

// rows returns the columns of the references of the archive, by their names.
func (k *vault) rows() (rows []map[string]string) {
	k.t.Helper()
	path := filepath.Join(k.t.TempDir(), "list.csv")
	k.run("export", k.dir, "--as", "csv", "-o", path)
	list, err := csv.NewReader(strings.NewReader(readText(k.t, path))).ReadAll()
	must(k.t, err)
	for _, cells := range list[1:] {
		row := make(map[string]string)
		for i, name := range list[0] {
			row[strings.TrimPrefix(name, "\ufeff")] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// object returns the octets of a body.
func (k *vault) object(sum string) string {
	k.t.Helper()
	return readText(k.t, filepath.Join(k.dir, "objects", sum[:2], sum[2:4], sum))
}

func (k *vault) entries() []string {
	names, err := filepath.Glob(filepath.Join(k.dir, "incoming", "*", "*.warc.gz"))
	must(k.t, err)
	return names
}

// A changing is a host whose files are other ones whenever its version is.
type changing struct {
	version func() int64
	mu      sync.Mutex
	asks    map[string]int
}

func (c *changing) serve(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.asks[r.URL.Path]++
	c.mu.Unlock()
	text(w, fmt.Sprintf("%s in version %d\n", r.URL.Path, c.version()))
}

// asked returns the number of requests.
func (c *changing) asked() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.asks {
		n += k
	}
	return n
}

// Each front end hands over the body on which its verdict rests, for the hosts that the policy names. The
// archive then asks for nothing but the rest, and for each body one request is made in all.
func TestServeCapture(t *testing.T) {
	for _, front := range frontEnds() {
		t.Run(front.name, func(t *testing.T) {
			host := &changing{version: func() int64 { return 1 }, asks: make(map[string]int)}
			base, flags := serve(t, host.serve)
			k := newVault(t, flags)
			d, box := everyFront(t, "[[rule]]\nname = \"capture\"\nhost = \"127.0.0.1\"\nenvelope_from = \"a.example\"\nclient = \"192.0.2.1\"\naction = \"capture\"\n",
				append([]string{"--archive", k.dir}, flags...)...)
			d.start()
			wanted, other := refersTo(base+"/wanted", 1), refersTo(base+"/other", 2)
			for client, message := range map[string]string{"192.0.2.1": wanted, "192.0.2.2": other} {
				if _, err := front.send(d, box, client, message); err != nil {
					t.Fatal(err)
				}
			}
			// By HTTP a verdict may be given before the body is there.
			d.until("capture", func() bool { return len(k.entries()) == 1 })
			d.terminate()
			k.deliver(1, wanted, time.Now())
			k.deliver(2, other, time.Now())
			if said := k.sync("all"); !strings.Contains(said, "2 captured") || !strings.Contains(said, "1 of the captures was made at delivery") {
				t.Errorf("got %s, want two captures and one of them at delivery", said)
			}
			for _, row := range k.rows() {
				if want := "/" + strings.TrimPrefix(row["url"], base+"/") + " in version 1\n"; row["state"] != "captured" || k.object(row["sha256"]) != want {
					t.Errorf("got %v, want %q", row, want)
				}
			}
			host.mu.Lock()
			defer host.mu.Unlock()
			if host.asks["/wanted"] != 1 || host.asks["/other"] != 2 {
				t.Errorf("got the requests %v, want one for the captured body", host.asks)
			}
			k.run("verify", k.dir)
		})
	}
}

// An archive that is away, and one whose folder takes nothing, cost no mail and delay none. The server is
// degraded, and hands the bodies over when the archive is back.
func TestServeCaptureAway(t *testing.T) {
	t.Parallel()
	base, flags := serve(t, linkedFile)
	k := newVault(t, flags)
	d, box := everyFront(t, captureAll, append([]string{"--archive", k.dir}, flags...)...)
	d.start()
	away := k.dir + ".away"
	must(t, os.Rename(k.dir, away))
	const n = 3
	for i := range n {
		message := refersTo(fmt.Sprintf("%s/good?%d", base, i), i)
		if got, err := sendLMTP(d, box, "192.0.2.1", message); err != nil || !strings.Contains(got, "extbody=clean") {
			t.Fatalf("got %v, %s, want the mail as if nothing were missing", err, got)
		}
		k.dir = away
		k.deliver(i, message, time.Now())
		k.dir = strings.TrimSuffix(away, ".away")
	}
	d.until("degraded", func() bool { return d.onMetrics("extbody_degraded") == 1 })
	if _, err := os.Stat(k.dir); err == nil {
		t.Error("the server made a folder where the archive was")
	}
	must(t, os.Rename(away, k.dir))
	d.until("hand over", func() bool { return len(k.entries()) == n })
	d.until("work again", func() bool { return d.onMetrics("extbody_degraded") == 0 })
	if said := k.sync("none"); !strings.Contains(said, "3 of the captures were made at delivery") {
		t.Errorf("got %s, want all captured", said)
	}
}

// Killed again and again, a server leaves whole entries or nothing that counts.
func TestServeCaptureKilled(t *testing.T) {
	rounds := 8
	if os.Getenv("EXTBODY_SLOW") != "" {
		rounds = 60
	}
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text(w, strings.Repeat(r.URL.RawQuery+"\n", 20_000))
	})
	k := newVault(t, flags)
	d, _ := everyFront(t, captureAll, append([]string{"--archive", k.dir}, flags...)...)
	sent, before := 0, 0
	for range rounds {
		d.start()
		for range 6 {
			message := refersTo(fmt.Sprintf("%s/%d?%d", base, sent, sent), sent)
			k.deliver(sent, message, time.Now())
			sent++
			d.ask(d.client("http"), message)
		}
		d.until("capture", func() bool { return len(k.entries()) > before })
		d.end(syscall.SIGKILL)
		before = len(k.entries())
	}
	k.run("verify", k.dir)
	said := k.sync("none")
	taken := 0
	for _, row := range k.rows() {
		if row["state"] == "captured" {
			taken++
			if _, query, _ := strings.Cut(row["url"], "?"); k.object(row["sha256"]) != strings.Repeat(query+"\n", 20_000) {
				t.Errorf("got other octets for %s", row["url"])
			}
		}
	}
	if taken != before || taken < rounds || strings.Contains(said, "damaged") || len(k.entries()) > 0 {
		t.Errorf("got %d captured of %d entries for %d messages, want all entries, and one for each kill at least: %s", taken, before, sent, said)
	}
	t.Logf("%d messages, %d kills, %d captured at delivery", sent, rounds, taken)
	k.run("verify", k.dir)
}

// versionIn matches the version in the body of a changing host.
var versionIn = regexp.MustCompile(`in version (\d+)\n`)

// A trial sends mail whose files change while it arrives, and compares an archive that captures at delivery with
// one that collects the same mailbox later.
type trial struct {
	mails int
	send  func(i int, message string) // returns when the mail was taken
	begun func()                      // before a mail is sent
	later func()                      // before the mailbox is collected later
}

// contemporaneous runs a trial, and reports how many bodies are in the version in which they were when the
// mail came.
func contemporaneous(t *testing.T, host *changing, base string, k *vault, d *daemon, tr *trial, workers int) {
	t.Helper()
	type span struct {
		from, to int64
		at       time.Time
	}
	came := make([]span, tr.mails)
	messages := make([]string, tr.mails)
	inTurns(workers, tr.mails, func(i int) {
		messages[i] = whole(i, strings.TrimPrefix(refersTo(fmt.Sprintf("%s/%d", base, i), i), fmt.Sprintf("Subject: %d\r\n", i)))
		tr.begun()
		came[i].from, came[i].at = host.version(), time.Now()
		tr.send(i, messages[i])
		came[i].to = host.version()
	})()
	d.until("hand over", func() bool { return d.onMetrics(`extbody_captures_total{result="handed_over"}`) >= float64(tr.mails) })
	d.terminate()
	for i, message := range messages {
		k.deliver(i, message, came[i].at)
	}
	later := &vault{t, filepath.Join(t.TempDir(), "later"), k.box, k.flags}
	right := func(k *vault) (n int) {
		k.sync("all")
		rows := k.rows()
		if len(rows) != tr.mails {
			t.Fatalf("got %d references, want %d", len(rows), tr.mails)
		}
		for _, row := range rows {
			var i, version int
			fmt.Sscanf(strings.TrimPrefix(row["url"], base), "/%d", &i)
			if row["sha256"] == "" {
				continue
			}
			if m := versionIn.FindStringSubmatch(k.object(row["sha256"])); m != nil {
				fmt.Sscan(m[1], &version)
			}
			if int64(version) >= came[i].from && int64(version) <= came[i].to {
				n++
			}
		}
		return n
	}
	at, asked := right(k), host.asked()
	tr.later()
	after := right(later)
	late := regexp.MustCompile(`(?m)^50 % within.*`).FindString(k.run("status", k.dir))
	t.Logf("%d mails: captured in the version of the mail %d (%.1f %%) at delivery with %d requests, %d (%.1f %%) by a collection later; %s",
		tr.mails, at, 100*float64(at)/float64(tr.mails), asked, after, 100*float64(after)/float64(tr.mails), late)
	if at*100 < tr.mails*99 {
		t.Errorf("got %d of %d in the version of the mail, want 99 of 100", at, tr.mails)
	}
	if after*10 > tr.mails {
		t.Errorf("got %d of %d in the version of the mail by a collection later: the host does not change", after, tr.mails)
	}
	k.run("verify", k.dir)
}

// numberedMails returns a host whose version changes with each mail.
func numberedMails() (*changing, *trial) {
	n := new(atomic.Int64)
	return &changing{version: n.Load, asks: make(map[string]int)}, &trial{mails: 40, begun: func() { n.Add(1) }, later: func() { n.Add(1) }}
}

// Mail that came by each front end has its files in the version that was there when it came.
func TestContemporaneous(t *testing.T) {
	t.Parallel()
	for _, front := range frontEnds() {
		t.Run(front.name, func(t *testing.T) {
			host, tr := numberedMails()
			base, flags := serve(t, host.serve)
			k := newVault(t, flags)
			d, box := everyFront(t, captureAll, append([]string{"--archive", k.dir, "--http-wait", "5s"}, flags...)...)
			d.start()
			tr.send = func(_ int, message string) {
				if _, err := front.send(d, box, "192.0.2.1", message); err != nil {
					t.Error(err)
				}
			}
			contemporaneous(t, host, base, k, d, tr, 1)
		})
	}
}

// The same through Postfix. Where EXTBODY_SLOW is set, 2,000 mails arrive over more than two minutes, and the
// files of the host change each minute.
func TestContemporaneousPostfix(t *testing.T) {
	t.Parallel()
	slow := os.Getenv("EXTBODY_SLOW") != ""
	for _, front := range []string{"milter", "lmtp"} {
		t.Run(front, func(t *testing.T) {
			host, tr := numberedMails()
			workers := 1
			if slow {
				begun := time.Now()
				var days atomic.Int64
				host.version = func() int64 {
					return int64((time.Since(begun) + time.Duration(days.Load())*24*time.Hour) / time.Minute)
				}
				tr.later = func() { days.Add(1) }
				tr.mails, workers = 2000, 8
				pace := time.NewTicker(70 * time.Millisecond)
				defer pace.Stop()
				tr.begun = func() { <-pace.C }
			}
			base, flags := serve(t, host.serve)
			k := newVault(t, flags)
			address, box := testkit.FreeAddr(t), startNextHop(t)
			main := []string{"smtpd_client_connection_rate_limit = 0", "smtpd_client_connection_count_limit = 0"}
			args := []string{"--archive", k.dir, "--per-host", "100", "--milter", address}
			if front == "milter" {
				main = append(main, "smtpd_milters = inet:"+address, "milter_default_action = tempfail", "virtual_transport = lmtp:inet:"+box.address)
			} else {
				main = append(main, "virtual_transport = lmtp:inet:"+address)
				args = append(args[:len(args)-2], "--lmtp", address, "--lmtp-next", box.address)
			}
			p := startMailServer(t, main...)
			d := started(t, captureAll, flags, args...)
			var sent atomic.Int64
			tr.send = func(i int, message string) {
				if code := p.try(message); code != 250 {
					t.Errorf("message %d: got %d, want 250\n%s", i, code, p.log())
				}
				// The next mail comes after this one is in the mailbox, or the version would not be the one of the mail.
				if n := sent.Add(1); workers == 1 {
					await(t, "mail", func() bool { return int64(box.total()) == n })
				}
			}
			contemporaneous(t, host, base, k, d, tr, workers)
		})
	}
}
