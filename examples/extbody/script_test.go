package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli"
)

// run runs the program within the test.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	return cli.Run(ctx, documents, args, in, out, errw)
}

func TestMain(m *testing.M) {
	// Tests run without the settings of who runs them. The program that they start is this one too,
	// under another name, and needs none of this.
	if strings.HasSuffix(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), ".test") {
		// The program of the scripts is put into a temporary folder, which may be mounted
		// noexec. The folder of this test is not.
		probe := filepath.Join(os.TempDir(), fmt.Sprint("extbody-probe-", os.Getpid()))
		if os.WriteFile(probe, []byte("#!/bin/sh\n"), 0o700) == nil {
			if err := exec.Command(probe).Run(); errors.Is(err, fs.ErrPermission) {
				os.Setenv("TMPDIR", filepath.Dir(os.Args[0]))
			}
			os.Remove(probe)
		}
		os.Setenv("XDG_CONFIG_HOME", os.DevNull)
		// Most of these tests wait for daemons, and not for a processor.
		flag.Set("test.parallel", "8")
	}
	testscript.Main(m, map[string]func(){"extbody": main, "hashfile": hashFile, "getbare": getBare})
}

// TestScripts runs the scripts in testdata, which document the program.
func TestScripts(t *testing.T) { runScripts(t, "testdata", nil) }

// runScripts runs the scripts in a folder, each with an http server of its own and with more
// variables.
func runScripts(t *testing.T, dir string, more map[string]string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			requests := new(atomic.Int64)
			server := newServer(requests)
			e.Defer(server.Close)
			e.Values["requests"] = requests
			e.Setenv("HTTP", server.URL)
			e.Setenv("PORT", portOf(server))
			for name, value := range more {
				e.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"asked":  asked,
			"expand": expand,
			"status": status,
		},
	})
}

// asked compares the requests that the server had since the last asked with a number.
func asked(ts *testscript.TestScript, _ bool, args []string) {
	if got := fmt.Sprint(ts.Value("requests").(*atomic.Int64).Swap(0)); got != args[0] {
		ts.Fatalf("%s requests, want %s", got, args[0])
	}
}

// expand replaces the variables in files.
func expand(ts *testscript.TestScript, _ bool, files []string) {
	for _, f := range files {
		path := ts.MkAbs(f)
		ts.Check(os.WriteFile(path, []byte(os.Expand(ts.ReadFile(f), ts.Getenv)), 0o600))
	}
}

// status runs a command and compares its exit status with the first argument.
func status(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// newServer starts an http server for the scripts, which counts its requests.
func newServer(requests *atomic.Int64) *httptest.Server {
	files := map[string]string{"/hello.txt": "hello\n", "/large": string(make([]byte, 2000)), "/short": "hello\n", "/page": "<!DOCTYPE html><title>Sign in</title>\n"}
	faults := map[string]int{"/busy": http.StatusServiceUnavailable, "/gone": http.StatusGone}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, ok := files[r.URL.Path]
		switch path := r.URL.Path; {
		case path == "/short":
			w.Header().Set("Content-Length", "20")
		case path == "/page":
			w.Header().Set("Content-Type", "text/html")
		case path == "/moved":
			http.Redirect(w, r, "/file/to?token=secret", http.StatusFound)
			return
		case strings.HasPrefix(path, "/file/"):
			w.Header().Set("X-Other", "see http://h.example/?t=secret")
			body, ok = path, true
		case strings.HasPrefix(path, "/picture/"):
			w.Header().Set("Content-Type", "image/png")
			body, ok = "\x89PNG\r\n\x1a\n"+path, true
		}
		if ok {
			text(w, body)
		} else {
			w.WriteHeader(cmp.Or(faults[r.URL.Path], http.StatusNotFound))
		}
	}))
}
