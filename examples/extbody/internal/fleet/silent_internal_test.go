package fleet

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// silentDatabase is a server that lets clients log in and answers nothing after that. It returns its URL.
func silentDatabase(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	var conns []net.Conn // until serving ends, of its first goroutine
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				break
			}
			conns = append(conns, conn)
			serving.Go(func() {
				b := pgproto3.NewBackend(conn, conn)
				b.ReceiveStartupMessage()
				b.Send(&pgproto3.AuthenticationOk{})
				b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: make([]byte, 4)})
				b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
				b.Flush()
			})
		}
		for _, conn := range conns {
			conn.Close()
		}
	})
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	return "postgres://fleet@" + listener.Addr().String() + "/fleet?sslmode=disable"
}

// TestCloseOfSilent ends a client whose database is silent while the pool looks whether an idle connection is alive
// (OP-40). The pool does that for connections that were idle for a second.
func TestCloseOfSilent(t *testing.T) {
	t.Parallel()
	tier, err := Open(t.Context(), silentDatabase(t), "file://"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := tier.db.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn.Release()
	time.Sleep(time.Second + time.Second/10)
	c := NewClient(tier)
	for tier.db.Stat().AcquiredConns() == 0 {
		time.Sleep(time.Millisecond)
	}
	ends(t, "the client", func() {
		c.Close()
		tier.Close()
	})
}

// TestInitOfSilent has no table made by a server that accepts connections and is silent (OP-40).
func TestInitOfSilent(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ends(t, "Init", func() {
		if err := Init(t.Context(), "postgres://fleet@"+listener.Addr().String()+"/fleet?sslmode=disable"); err == nil {
			t.Error("got tables of a silent server, want an error")
		}
	})
}

// The statements of the tests have a bound that a test can wait for.
func init() { statementTime = 2 * SessionTime }

// TestSilentMidway has the server fall silent after the login, while a person waits for a command (OP-40). Each ends,
// and its error names the way out.
func TestSilentMidway(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]func(database string, tier *Tier) error{
		"init":   func(database string, _ *Tier) error { return Init(t.Context(), database) },
		"status": func(_ string, tier *Tier) error { _, err := tier.Status(t.Context()); return err },
		"who":    func(_ string, tier *Tier) error { _, err := tier.Who(t.Context(), nil); return err },
		"drain":  func(_ string, tier *Tier) error { _, err := tier.Drain(t.Context(), "w", true); return err },
		"forget": func(_ string, tier *Tier) error {
			_, err := tier.Forget(t.Context(), &Selection{Messages: []string{"a@a.example"}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := silentDatabase(t)
			tier, err := Open(t.Context(), database, "file://"+t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			ends(t, name, func() {
				if err := command(database, tier); err == nil || !strings.Contains(err.Error(), "run the command again") {
					t.Errorf("got error %v, want one that names the way out", err)
				}
			})
			tier.Close()
		})
	}
}

// ends wants f to end.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	ended := make(chan bool)
	go func() {
		defer close(ended)
		f()
	}()
	select {
	case <-ended:
	case <-time.After(4 * SessionTime): // by then it hangs
		t.Errorf("%s: got no end, want one", what)
	}
}
