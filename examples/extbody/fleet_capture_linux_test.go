package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestServeFleetCapture has two servers of a fleet hand over to one archive, each in a folder of its own. The body
// that a fetcher of the fleet brought is the capture, with its exchange. Both servers hand over a body that both
// judged, and its host is asked once in all.
func TestServeFleetCapture(t *testing.T) {
	t.Parallel()
	db := daemons.StartPostgres(t)
	host := &changing{version: func() int64 { return 1 }, asks: make(map[string]int)}
	base, allow := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "worker" {
			http.Error(w, "a server asked", http.StatusForbidden)
			return
		}
		host.serve(w, r)
	})
	tier := []string{"--fleet", db.URL, "--objects", "file://" + t.TempDir()}
	ran(t, 0, append([]string{"fleet", "init"}, tier...)...)
	fetcher := runDaemon(t, executable(t), slices.Concat([]string{"fetcher", "--temp-dir", t.TempDir(), "--user-agent", "worker"}, tier, allow)...)
	k := newVault(t, append(allow, "--user-agent", "worker"))
	box := startNextHop(t)
	const mails = 6 // the even ones have the link of the one before
	path := func(i int) string { return fmt.Sprintf("/%d", i/2*2) }
	for server := range 2 {
		d := newDaemon(t, captureAll)
		d.args = slices.Concat(d.args, []string{"--lmtp", d.path("lmtp"), "--lmtp-next", box.address, "--wait", "1m", "--archive", k.dir, "--name", fmt.Sprintf("mx%d.example", server)}, tier, allow)
		d.start()
		for i := server; i < mails; i += 2 {
			field, err := sendLMTP(d, box, "192.0.2.1", refersTo(base+path(i), i))
			if err != nil || !strings.Contains(field, "clean") {
				t.Fatalf("mail %d: got %q, %v, want a clean one\n%s\n%s", i, field, err, tail(d.logged()), fetcher)
			}
		}
		d.until("captures", func() bool {
			folders, _ := filepath.Glob(filepath.Join(k.dir, "incoming", "*"))
			return len(k.entries()) >= mails/2 && len(folders) > server
		})
		d.terminate()
	}
	folders, err := os.ReadDir(filepath.Join(k.dir, "incoming"))
	must(t, err)
	if len(folders) != 2 {
		t.Errorf("got the folders %v, want one of each server", folders)
	}
	for i := range mails {
		k.deliver(i, refersTo(base+path(i), i), time.Now())
	}
	if said := k.sync("all"); !strings.Contains(said, "0 requests") || !strings.Contains(said, fmt.Sprintf("%d of the captures were made at delivery", mails)) {
		t.Errorf("got %s, want %d captures at delivery, and no request", said, mails)
	}
	rows := k.rows()
	for _, row := range rows {
		if want := "/" + strings.TrimPrefix(row["url"], base+"/") + " in version 1\n"; row["state"] != "captured" || k.object(row["sha256"]) != want {
			t.Errorf("got %v, want %q", row, want)
		}
	}
	if len(rows) != mails || host.asked() != mails/2 || len(k.entries()) != 0 {
		t.Errorf("got %d references, %d requests and %d entries left, want %d, %d and none", len(rows), host.asked(), len(k.entries()), mails, mails/2)
	}
	k.run("verify", k.dir)
}
