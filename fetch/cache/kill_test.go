package cache_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/internal/file/filelock"
)

// victim stores bodies in dir until it is killed, and prints the key of each
// when its Commit has returned.
func victim(dir string) {
	d, err := cache.Dir(dir, 2<<20)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("begin")
	start, _ := strconv.Atoi(os.Getenv("EXTBODY_CACHE_START"))
	for i := start; ; i++ {
		if err := tryPut(d, fmt.Sprint(i), victimBody(i), fmt.Sprint("meta", i)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
}

func victimBody(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "body %d ", i), 500+i%50*400) }

// A process is killed at 20 points while it stores, or at as many as the
// environment variable EXTBODY_CACHE_KILLS names, with another store open in the
// same directory. Each body that it reported as stored is there, octet for octet,
// unless it was evicted; nothing else is given out; and its temporary files are
// cleaned up.
func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "c")
	points := 20
	if n, err := strconv.Atoi(os.Getenv("EXTBODY_CACHE_KILLS")); err == nil {
		points = n
	}
	start, stored := 0, 0
	for range points {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "EXTBODY_CACHE_VICTIM="+path, "EXTBODY_CACHE_START="+strconv.Itoa(start))
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.StdoutPipe()
		noError(t, err)
		noError(t, cmd.Start())
		// It is killed at any point after some bodies.
		lines := bufio.NewScanner(out)
		last := start - 1
		for i, quiet := 0, rand.IntN(4); lines.Scan(); i++ {
			if i > 0 { // after the line about its start
				if last, err = strconv.Atoi(lines.Text()); err != nil {
					t.Fatal(err)
				}
			}
			if i == quiet {
				time.AfterFunc(time.Duration(rand.IntN(8_000))*time.Microsecond, func() { cmd.Process.Kill() })
			}
		}
		cmd.Wait()
		if complaint.Len() > 0 {
			t.Fatalf("got the complaint %s, want none", complaint.String())
		}
		d := openDir(t, path, 2<<20)
		for i := max(start-3, 0); i <= last+1; i++ {
			got, meta, err := read(d, fmt.Sprint(i))
			switch {
			case errors.Is(err, fs.ErrNotExist) && i != last:
			case err != nil && i == last+1 && errors.Is(err, fs.ErrNotExist):
			case err != nil:
				t.Fatalf("body %d: got error %v, want none", i, err)
			case got != string(victimBody(i)) || meta != fmt.Sprint("meta", i):
				t.Fatalf("body %d: got %d octets and %q, want its own", i, len(got), meta)
			default:
				stored++
			}
		}
		if n := du(t, path); n > 2<<20+1000 {
			t.Fatalf("got %d octets, want at most %d", n, 2<<20)
		}
		for _, name := range files(t, filepath.Join(path, "tmp")) {
			if filepath.Base(name) != "lock" {
				t.Fatalf("got %s left, want nothing but locks", name)
			}
		}
		d.Close()
		start = last + 1
	}
	if stored == 0 {
		t.Error("got nothing stored, want some")
	}
	t.Logf("%d bodies were stored before %d kills", start, points)
}

// A process that is stopped while it has the store locked holds up no other.
func TestLockedByAnother(t *testing.T) {
	want := string(body(300_000))
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, want) })
	d, path := newDir(t, 1<<20)
	f, err := os.OpenFile(filepath.Join(path, "usage"), os.O_RDWR, 0)
	noError(t, err)
	defer f.Close()
	if !filelock.Supported {
		t.Skip("this system has no locks")
	}
	noError(t, filelock.Try(f))
	c := cache.New(newWeb(t), d, nil)
	wantBody(t, c, request(t, u), want)
	c.Wait()
	equal(t, "bodies are stored without the lock", len(files(t, filepath.Join(path, "objects"))), 0)
	f.Close()
	wantBody(t, c, request(t, u), want)
	c.Wait()
	equal(t, "bodies are stored with the lock", len(files(t, filepath.Join(path, "objects"))), 1)
}
