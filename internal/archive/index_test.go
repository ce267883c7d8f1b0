package archive

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/go-extbody/extbody/internal/archive/ledger"
)

// dump returns what is in an index.
func (x *index) dump(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	err := x.db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, bucket *bolt.Bucket) error {
			fmt.Fprintf(&b, "%s\n", name)
			return bucket.ForEach(func(k, v []byte) error {
				fmt.Fprintf(&b, "%x %x\n", k, v)
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRebuild holds: an index that is made anew is the one that was deleted, in memory
// that does not grow with the ledger. EXTBODY_TEST_REFERENCES makes it large.
func TestRebuild(t *testing.T) {
	n := 5000
	if k, err := strconv.Atoi(os.Getenv("EXTBODY_TEST_REFERENCES")); err == nil {
		n = k
	}
	dir := filepath.Join(t.TempDir(), "archive")
	a, err := Open(dir, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.begin("test"); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < n; {
		m := &MessageRecord{SHA256: digest(fmt.Sprint("message", i)), MessageID: fmt.Sprintf("<%d@example.org>", i), References: 100}
		entries := []ledger.Entry{{Kind: kindMessage, Body: m}}
		for range 100 {
			url := fmt.Sprintf("https://files%d.example/d/%d", i%50, i)
			r := &ReferenceRecord{Message: m.SHA256, Ref: fmt.Sprint(i), Key: digest(url + "\n"), URL: url, Host: fmt.Sprintf("files%d.example", i%50), Size: -1}
			e := &Exception{Facts: Facts{Key: r.Key, URL: url, Host: r.Host, Message: m.SHA256, Ref: r.Ref}, Kind: "gone", Reason: ItemDeletedOrOutsideRetention, Attempts: 1, First: time.Unix(1_790_000_000, 0).UTC()}
			entries = append(entries, ledger.Entry{Kind: kindReference, Body: r}, ledger.Entry{Kind: kindException, Body: e})
			i++
		}
		if n > 100_000 { // the index is made below
			if _, err := a.ledger.Append(a.now(), entries...); err != nil {
				t.Fatal(err)
			}
			a.head = a.ledger.Head()
			continue
		}
		if err := a.tell(entries...); err != nil {
			t.Fatal(err)
		}
	}
	if n <= 100_000 {
		if err := a.end("test", nil, ""); err != nil {
			t.Fatal(err)
		}
	} else if _, err := a.ledger.Append(a.now(), ledger.Entry{Kind: kindRun, Body: &Run{Format: Format, Event: "end"}}); err != nil {
		t.Fatal(err)
	}
	before := a.index.dump(t)
	a.Close()
	if err := os.Remove(filepath.Join(dir, "index")); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	a, err = Open(dir, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	info, err := os.Stat(filepath.Join(dir, "index"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d references: %v, %d MiB from the system, an index of %d MiB", n, time.Since(start), mem.Sys>>20, info.Size()>>20)
	if n <= 100_000 && !bytes.Equal(before, a.index.dump(t)) {
		t.Error("the index that was made anew is another one")
	}
	due := 0
	err = a.index.asks(func(_ ask, s askState) error {
		if s.due != 0 || s.outcome != askExcepted {
			due++
		}
		return nil
	})
	if err != nil || due > 0 {
		t.Errorf("got %d due, %v; want none", due, err)
	}
}
