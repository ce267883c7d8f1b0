package archive_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestQuietMaildir holds: a night without news of a Maildir opens no message and adds the two lines of the run alone.
// EXTBODY_TEST_MESSAGES is how many messages there are. If it is set, -v logs the CPU time of such a night beside those
// of mbsync and notmuch.
//
//	EXTBODY_TEST_MESSAGES=100000 go test -v -timeout 1h -run TestQuietMaildir ./examples/extbody/internal/archive
func TestQuietMaildir(t *testing.T) {
	if testing.Short() {
		t.Skip("other programs are run")
	}
	keepsChanges(t)
	n := often("EXTBODY_TEST_MESSAGES", 500)
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	foreign := maildir(t) // programs rename the messages that they read
	for i := range n {
		text := fmt.Sprintf("From: a@example.org\nMessage-ID: <%d@example.org>\nSubject: %d\n\nbody of %d\n", i, i, i)
		if i%1000 == 0 {
			text = letter(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i))
		}
		deliver(t, box, fmt.Sprintf("1767225600.M%dP1.host:2,S", i), text)
		deliver(t, foreign, fmt.Sprintf("1767225600.M%dP1.host:2,S", i), text)
	}
	later := time.Now().Add(time.Minute)
	night := func() *exec.Cmd {
		cmd := syncing(dir, box)
		cmd.Env = append(cmd.Env, "EXTBODY_TEST_NOW="+later.Format(time.RFC3339Nano))
		return cmd
	}
	timed(t, "the first night", night())
	for range 3 {
		before := size(t, filepath.Join(dir, "ledger"))
		timed(t, "a quiet night", night())
		if added := size(t, filepath.Join(dir, "ledger")) - before; added > 1000 {
			t.Errorf("got %d octets more in the ledger, want the two lines of the run alone", added)
		}
		timed(t, "a quiet night of mbsync", mbsync(t, foreign))
		timed(t, "a quiet night of notmuch", notmuch(t, foreign))
	}
	if res := runAt(t, dir, &clock{at: later}, options(box)); res.Unopened != int64(n) || res.Quiet != 1 {
		t.Errorf("got %d messages that were not opened, %+v; want %d, and a quiet source", res.Unopened, res.Counts, n)
	}
}

// timed runs a program and logs its times. It does nothing if cmd is nil.
func timed(t *testing.T, name string, cmd *exec.Cmd) {
	t.Helper()
	if cmd == nil {
		return
	}
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: got error %v, want none: %s", name, err, out)
	}
	user, system := cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime()
	t.Logf("%s: %v of the CPU (%v and %v in the system), %v in all", name, user+system, user, system, time.Since(begun))
}

// mbsync returns a command that has nothing to do: it syncs a Maildir with another one that was synced.
// It returns nil if the program is not wanted, or not installed.
func mbsync(t *testing.T, box string) *exec.Cmd {
	t.Helper()
	return prepared(t, box, "mbsync", "FSync no\n\nMaildirStore far\nInbox \"%[1]s\"\n\nMaildirStore near\nInbox \"%[2]s/copy\"\n\n"+
		"Channel c\nFar :far:\nNear :near:\nCreate Near\nSyncState \"%[2]s/state\"\n", "-q", "-c", "%s/rc", "c")
}

// notmuch returns a command that has nothing to do: it updates the index of a Maildir. It returns nil as mbsync
// does.
func notmuch(t *testing.T, box string) *exec.Cmd {
	t.Helper()
	return prepared(t, box, "notmuch", "[database]\nmail_root=%[1]s\npath=%[2]s/index\n[maildir]\nsynchronize_flags=false\n", "--config=%s/rc", "new", "--quiet", "--no-hooks")
}

// prepared returns a command after it was run once. "%s" in an argument is a folder with the settings.
func prepared(t *testing.T, box, name, settings string, args ...string) *exec.Cmd {
	t.Helper()
	if often("EXTBODY_TEST_MESSAGES", 0) == 0 {
		return nil
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Logf("%s is not installed", name)
		return nil
	}
	dir := filepath.Join(filepath.Dir(box), name)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%s", dir)
	}
	if _, err := os.Stat(dir); err != nil {
		must(t, os.MkdirAll(filepath.Join(dir, "index"), 0o700))
		put(t, filepath.Join(dir, "rc"), fmt.Sprintf(settings, box, dir))
		timed(t, "the first night of "+name, exec.Command(name, args...))
	}
	return exec.Command(name, args...)
}
