package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// imapModes are the ways in which servers were seen to answer wrongly, each with three messages that
// have a reference. mbsync is how many of them mbsync 1.4 stores.
var imapModes = []struct {
	mode                      string
	seen, excepted, refetched int64
	fails                     bool // the mailbox cannot be read to its end
	mbsync                    int
}{
	{"bad_bs", 3, 0, 1, false, 3},
	{"bs_alt_missing_subtype", 3, 0, 0, false, 3},
	{"bs_disp278", 3, 0, 0, false, 3},
	{"bs_empty371", 3, 0, 1, false, 3},
	{"bs_extra953", 3, 0, 1, false, 3},
	{"bs_neg823", 3, 0, 0, false, 3},
	{"bs_nil919", 3, 0, 1, false, 3},
	{"bs_nobs", 3, 0, 1, false, 3},
	{"bs_nonum1861", 3, 0, 1, false, 3},
	{"bs_trunc", 3, 0, 1, false, 3},
	{"bye", 2, 1, 0, false, 1},
	{"dupfetch", 3, 0, 0, false, 3},
	{"empty280", 2, 1, 0, false, 2},
	{"emptyall", 0, 3, 0, false, 0},
	{"emptyfirst", 3, 0, 1, false, 2},
	{"emptytext", 3, 0, 0, false, 3},
	{"exch3x", 3, 0, 2, false, 3},
	{"exchm5", 3, 0, 0, false, 3},
	{"exchp5", 3, 0, 0, false, 3},
	{"exists_more", 3, 0, 0, false, 3},
	{"expunge", 2, 1, 0, false, 2},
	{"fetchno", 2, 1, 0, false, 2},
	{"hdrempty469", 3, 0, 0, false, 3},
	{"hdronly", 2, 1, 0, false, 3}, // mbsync stores the header alone
	{"lf", 3, 0, 0, false, 3},
	{"lfbody", 3, 0, 1, false, 3},
	{"longlit361", 0, 0, 0, true, 1}, // the server never sends the end
	{"nilbody", 2, 1, 0, false, 1},
	{"no_one", 2, 1, 0, false, 0},
	{"nodata62", 2, 1, 0, false, 2},
	{"noliteralplus", 3, 0, 0, false, 3},
	{"nonsynclit", 3, 0, 0, false, 3},
	{"noorigin", 3, 0, 0, false, 3},
	{"nosize", 3, 0, 0, false, 3},
	{"nouidv", 0, 0, 0, true, 3},       // a mailbox and the next one of its name look alike
	{"originwrong", 2, 1, 0, false, 3}, // each range is named as another one, and mbsync asks for none
	{"partial334", 3, 0, 1, false, 3},
	{"partialzero", 3, 0, 0, false, 3},
	{"plain", 3, 0, 0, false, 3},
	{"quoted", 3, 0, 0, false, 3},
	{"searchjunk", 3, 3, 0, false, 3}, // three of them do not exist
	{"short300", 3, 0, 1, false, 3},
	{"shorthead", 2, 1, 0, false, 2},
	{"size0", 3, 0, 0, false, 3},
	{"sizenil", 3, 0, 0, false, 3},
	{"sizesmall", 3, 0, 0, false, 3},
	{"sizewrong", 3, 0, 0, false, 3},
	{"tryagain", 3, 0, 0, false, 3},
	{"uid0", 2, 1, 0, false, 2},
	{"uidv0", 0, 0, 0, true, 3},
	{"unsolicited", 3, 0, 0, false, 3},
	{"xgm", 3, 0, 0, false, 3},
}

// serveModes starts the servers, and returns their addresses by mode.
func serveModes(t *testing.T) map[string]string {
	t.Helper()
	const program = `
import sys, socket, threading
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import imapsrv
def accept(s, mode):
    while True:
        c = s.accept()[0]
        threading.Thread(target=imapsrv.run, args=(c, mode), daemon=True).start()
for mode in imapsrv.names:
    s = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(s, mode), daemon=True).start()
    print(mode, "127.0.0.1:%d" % s.getsockname()[1], flush=True)
print("ready", flush=True)
sys.stdin.read()
`
	cmd := exec.Command("python3", "-c", program, filepath.Join(os.Getenv("EXTBODY_SHARED"), "cases", "imap"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no python3 for the servers: ", err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	servers := make(map[string]string)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		mode, addr, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return servers
		}
		servers[mode] = addr
	}
	t.Fatal("the servers do not start")
	return nil
}

// OP-46: of each message of each server there are its octets or an exception, and never less than the
// server has of it.
func TestIMAPModes(t *testing.T) {
	if os.Getenv("EXTBODY_SHARED") == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the servers")
	}
	servers := serveModes(t)
	if len(servers) != len(imapModes) {
		t.Errorf("got %d servers, want %d", len(servers), len(imapModes))
	}
	for _, c := range imapModes {
		t.Run(c.mode, func(t *testing.T) {
			n := newNight(t)
			n.server = nil
			n.scheme = "imap"
			n.host = servers[c.mode]
			n.path = "INBOX"
			n.forms = "all"
			ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Second, errors.New("the server hangs"))
			defer cancel()
			res, err := n.syncWithin(ctx)
			if err != nil && !c.fails {
				t.Fatal(err)
			}
			if err != nil {
				return // the whole run was ended, and nothing is recorded as seen
			}
			r := res.Sources[0]
			if (r.Error != "") != c.fails || r.Seen != c.seen || r.Excepted != c.excepted || r.Stored != c.seen || res.Refetched != c.refetched {
				t.Errorf("got %+v, %d refetched; want %d seen and stored, %d excepted, %d refetched, an error: %t",
					r, res.Refetched, c.seen, c.excepted, c.refetched, c.fails)
			}
		})
	}
}

// TestIMAPModesMbsync has the answers of mbsync beside the answers to an archive that
// is up to date.
func TestIMAPModesMbsync(t *testing.T) {
	if os.Getenv("EXTBODY_SHARED") == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the servers")
	}
	if _, err := exec.LookPath("mbsync"); err != nil {
		t.Skip("no mbsync: ", err)
	}
	servers := serveModes(t)
	for _, c := range imapModes {
		t.Run(c.mode, func(t *testing.T) {
			dir := t.TempDir()
			host, port, err := net.SplitHostPort(servers[c.mode])
			if err != nil {
				t.Fatal(err)
			}
			config := fmt.Sprintf(`IMAPAccount a
Host %s
Port %s
User u
Pass x
SSLType None
AuthMechs LOGIN
Timeout 3

IMAPStore far
Account a

MaildirStore near
Path %[3]s/
Inbox %[3]s/INBOX

Channel c
Far :far:
Near :near:
Patterns INBOX
Create Near
Sync Pull New
SyncState %[3]s/state-
`, host, port, dir)
			name := filepath.Join(dir, "mbsyncrc")
			if err := os.WriteFile(name, []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			out, _ := exec.CommandContext(t.Context(), "mbsync", "-c", name, "-q", "c").CombinedOutput() // it fails for some
			got := 0
			filepath.WalkDir(filepath.Join(dir, "INBOX"), func(path string, d fs.DirEntry, err error) error {
				folder := filepath.Base(filepath.Dir(path))
				if err == nil && d.Type().IsRegular() && (folder == "new" || folder == "cur") {
					got++
				}
				return nil
			})
			if got != c.mbsync {
				t.Errorf("mbsync stores %d messages, the table has %d: %s", got, c.mbsync, out)
			}
		})
	}
}
