package clamd

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"

	listeners "github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen starts a daemon that answers each connection with f.
func listen(t testing.TB, f func(net.Conn)) *Client {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	var g listeners.Group
	done := make(chan struct{})
	go func() { defer close(done); g.Serve(l, 1, f) }()
	t.Cleanup(func() { g.Drain(context.Background()); <-done })
	c, err := New(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// receive reads the octets to scan.
func receive(conn net.Conn) (string, error) {
	command := make([]byte, len("zINSTREAM\x00"))
	if _, err := io.ReadFull(conn, command); err != nil || string(command) != "zINSTREAM\x00" {
		return "", fmt.Errorf("got %q, %v, want the command zINSTREAM", command, err)
	}
	var text strings.Builder
	for {
		var n uint32
		if err := binary.Read(conn, binary.BigEndian, &n); err != nil {
			return "", err
		}
		if n == 0 {
			return text.String(), nil
		}
		if _, err := io.CopyN(&text, conn, int64(n)); err != nil {
			return "", err
		}
	}
}

// Nothing but a clear answer is one.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		answer, signature string
		ok                bool
	}{
		{"stream: OK\x00", "", true},
		{"stream: Eicar FOUND\x00", "Eicar", true},
		{"stream: Two Words FOUND\x00", "Two Words", true},
		{"stream: OK", "", false},
		{"stream: OK\n", "", false},
		{"stream: OK\x00\x00", "", false},
		{"stream: OK\x00stream: Eicar FOUND\x00", "", false},
		{" stream: OK\x00", "", false},
		{"stream: ok\x00", "", false},
		{"stream: OK FOUND\x00", "OK", true},
		{"stream:  FOUND\x00", "", false},
		{"Eicar FOUND\x00", "", false},
		{"stream: OK ERROR\x00", "", false},
		{"INSTREAM size limit exceeded. ERROR\x00", "", false},
		{"", "", false},
		{strings.Repeat("x", 10_000), "", false},
	} {
		c := listen(t, func(conn net.Conn) {
			receive(conn)
			io.WriteString(conn, test.answer)
		})
		signature, err := c.Scan(t.Context(), strings.NewReader("hello"))
		if signature != test.signature || (err == nil) != test.ok {
			t.Errorf("%.40q: got %q, %v, want %q, ok %v", test.answer, signature, err, test.signature, test.ok)
		}
	}
}

// An answer ends at its NUL, whether or not the daemon ends the connection.
func TestKeptConnection(t *testing.T) {
	release := make(chan struct{})
	c := listen(t, func(conn net.Conn) {
		receive(conn)
		io.WriteString(conn, "stream: OK\x00")
		<-release
	})
	defer close(release)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if signature, err := c.Scan(ctx, strings.NewReader("hello")); signature != "" || err != nil {
		t.Errorf("got %q, %v, want a clear no", signature, err)
	}
}

// All octets arrive, in whatever pieces they come.
func TestScanOctets(t *testing.T) {
	want := strings.Repeat("0123456789abcde\n", 10_000)
	var got string
	c := listen(t, func(conn net.Conn) {
		got, _ = receive(conn)
		io.WriteString(conn, "stream: OK\x00")
	})
	for name, r := range map[string]io.Reader{
		"Whole":   strings.NewReader(want),
		"DataErr": iotest.DataErrReader(strings.NewReader(want)),
		"Half":    iotest.HalfReader(strings.NewReader(want)),
	} {
		if _, err := c.Scan(t.Context(), r); err != nil || got != want {
			t.Errorf("%s: got %d octets, %v, want %d", name, len(got), err, len(want))
		}
	}
	// A body that ends too early is not scanned as a whole one.
	for text, want := range map[string]error{"": io.ErrClosedPipe, "abc": io.ErrUnexpectedEOF} {
		if _, err := c.Scan(t.Context(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(want))); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
}

// A daemon that has had enough is believed when it names a find, and its OK for
// half of the octets does not count.
func TestStopsReading(t *testing.T) {
	for _, answer := range []string{"INSTREAM size limit exceeded. ERROR\x00", "stream: OK\x00"} {
		c := listen(t, func(conn net.Conn) {
			io.WriteString(conn, answer)
			conn.(*net.UnixConn).CloseRead()
		})
		signature, err := c.Scan(t.Context(), strings.NewReader(strings.Repeat("x", 10<<20)))
		if signature != "" || err == nil {
			t.Errorf("%q: got %q, %v, want an error", answer, signature, err)
		}
		if tooLarge := fetch.KindOf(err) == fetch.TooLarge; tooLarge != strings.HasPrefix(answer, "INSTREAM") {
			t.Errorf("%q: got kind %v, want %v for the excess alone", answer, fetch.KindOf(err), fetch.TooLarge)
		}
	}
}

// A daemon that hangs is given up when the context ends.
func TestHangs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	release := make(chan struct{})
	c := listen(t, func(conn net.Conn) {
		receive(conn)
		stop()
		<-release
	})
	_, err := c.Scan(ctx, strings.NewReader("hello"))
	close(release)
	if err == nil {
		t.Error("got no error")
	}
}

func TestDown(t *testing.T) {
	c, err := New(filepath.Join(t.TempDir(), "none"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Scan(t.Context(), strings.NewReader("hello")); err == nil {
		t.Error("got no error")
	}
	if _, err := c.Version(t.Context()); err == nil {
		t.Error("Version: got no error")
	}
	if _, err := New("nonsense"); err == nil {
		t.Error("New: got no error for an address that is none")
	}
}

// The daemon of ClamAV itself, with a database of one signature.
func TestDaemon(t *testing.T) {
	program, err := exec.LookPath("clamd")
	if err != nil {
		t.Skip("clamd is not installed")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "db"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("db/test.ndb", fmt.Sprintf("Extbody.Test.Sig:0:*:%x\n", "EXTBODY-TEST-INFECTED"))
	write("clamd.conf", fmt.Sprintf("Foreground yes\nDatabaseDirectory %[1]s/db\nTemporaryDirectory %[1]s\nLocalSocket %[1]s/sock\nStreamMaxLength 1M\n", dir))
	cmd := exec.Command(program, "-c", filepath.Join(dir, "clamd.conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	c, err := New(filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	for try := 0; ; try++ {
		if v, err := c.Version(t.Context()); err == nil {
			t.Log(v)
			break
		} else if try == 600 {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, test := range []struct {
		name, text, signature string
		ok                    bool
	}{
		{"Clean", strings.Repeat("x", 100_000), "", true},
		{"Empty", "", "", true},
		{"Infected", "a EXTBODY-TEST-INFECTED b", "Extbody.Test.Sig.UNOFFICIAL", true},
		{"TooLong", strings.Repeat("x", 2<<20), "", false},
	} {
		signature, err := c.Scan(t.Context(), strings.NewReader(test.text))
		if signature != test.signature || (err == nil) != test.ok || (fetch.KindOf(err) == fetch.TooLarge) != (test.name == "TooLong") {
			t.Errorf("%s: got %q, %v, want %q, ok %v", test.name, signature, err, test.signature, test.ok)
		}
	}
}

// Whatever is answered, clean is said for one answer alone.
func FuzzJudge(f *testing.F) {
	f.Add("stream: OK")
	f.Add("stream: Eicar FOUND")
	f.Fuzz(func(t *testing.T, answer string) {
		if signature, err := judge(answer); err == nil && signature == "" && answer != "stream: OK" {
			t.Errorf("%q: got clean, want an error", answer)
		}
	})
}
