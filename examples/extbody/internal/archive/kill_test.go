package archive_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestMain is also the program that TestKill kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("EXTBODY_TEST_ARCHIVE"); dir != "" {
		a, err := archive.Open(dir, true, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		o := options(os.Getenv("EXTBODY_TEST_BOX"))
		_, err = a.Sync(context.Background(), o)
		if err := errors.Join(err, a.Close()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestCreateKilled makes an archive where making one was stopped before, and nowhere
// else.
func TestCreateKilled(t *testing.T) {
	for _, tt := range []struct {
		name string
		left []string // a name that ends in a slash is a folder
		want error
	}{
		{"no file yet", []string{"objects/", "exchanges/"}, nil},
		{"a file that has its temporary name", []string{"objects/", "exchanges/", "stamps/", ".extbody-new.README.txt"}, nil},
		{"the same, where each file has one", []string{"objects/", "exchanges/", "stamps/", ".extbody-12345"}, nil},
		{"no ledger yet", []string{"objects/", "exchanges/", "stamps/", "README.txt"}, nil},
		{"a folder of somebody's", []string{"objects/", "letter.txt"}, archive.ErrNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range tt.left {
				path, err := filepath.Join(dir, name), error(nil)
				if strings.HasSuffix(name, "/") {
					err = os.Mkdir(path, 0o700)
				} else {
					err = os.WriteFile(path, []byte("This is an arch"), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			a, err := archive.Open(dir, true, nil)
			if !errors.Is(err, tt.want) {
				t.Fatalf("Open: got %v, want %v", err, tt.want)
			}
			if err == nil {
				a.Close()
			}
		})
	}
}

// TestKill kills a run again and again, while the first reference hangs, and wants
// nothing to be lost, left or asked for twice.
func TestKill(t *testing.T) {
	times := 8
	if n, err := strconv.Atoi(os.Getenv("EXTBODY_TEST_KILLS")); err == nil {
		times = n
	}
	const good = 60
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		plain(w, r)
	})
	hanging := newSite(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "000:2,S", letter("hang", hanging.URL+"/hang"))
	for i := range good {
		deliver(t, box, fmt.Sprintf("%03d:2,S", i+1), letter(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i)))
	}
	for range times {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "EXTBODY_TEST_ARCHIVE="+dir, "EXTBODY_TEST_BOX="+box)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Stat(filepath.Join(dir, "ledger")); err != nil {
			continue
		}
		v, err := archive.Verify(t.Context(), dir, nil)
		if err != nil || len(v.Faults) > 0 {
			t.Fatalf("after a kill: got %v, %v; want no faults", err, v.Faults)
		}
	}
	res := run(t, dir, options(box))
	v, err := archive.Verify(t.Context(), dir, nil)
	if err != nil || len(v.Faults)+len(v.Notes) > 0 {
		t.Errorf("got %v, %v, %v; want an archive without faults", err, v.Faults, v.Notes)
	}
	if v.Captured != good || v.Excepted != 1 {
		t.Errorf("got %d captured, %d excepted (the last run %+v); want %d and 1", v.Captured, v.Excepted, res.Counts, good)
	}
	if n := len(objects(t, dir)); n != 2*good+1 {
		t.Errorf("got %d objects, want %d", n, 2*good+1)
	}
	twice := 0
	for path, n := range s.asks {
		if n > 1 {
			twice++
			t.Logf("%s was asked for %d times", path, n)
		}
	}
	t.Logf("%d kills, %d bodies asked for more than once", times, twice)
}

// syncing returns the command of a program that syncs box into dir.
func syncing(dir, box string, before ...string) *exec.Cmd {
	args := append(before, os.Args[0])
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "EXTBODY_TEST_ARCHIVE="+dir, "EXTBODY_TEST_BOX="+box)
	return cmd
}

// often returns the number that is in the environment, for tests that take long, or n.
func often(name string, n int) int {
	if k, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return k
	}
	return n
}
