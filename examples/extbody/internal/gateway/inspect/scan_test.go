package inspect

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

type sharedMap struct {
	outcomes map[string]string
	err      error
	calls    int
}

func (m *sharedMap) Outcome(_ context.Context, sha256, version string) ([]byte, error) {
	m.calls++
	if text, ok := m.outcomes[sha256+version]; ok {
		return []byte(text), m.err
	}
	return nil, m.err
}

func (m *sharedMap) SetOutcome(_ context.Context, sha256, version string, outcome []byte) error {
	m.calls++
	m.outcomes[sha256+version] = string(outcome)
	return m.err
}

// A body that one Scanner has judged is not scanned by another one with the same signatures. An
// outcome that cannot be one is not believed, and an error changes nothing.
func TestShared(t *testing.T) {
	shared := &sharedMap{outcomes: map[string]string{
		"oddv0": `{"scan":"infected"}`, "nonev0": `{}`, "textv0": `x`, "failedv0": `{"scan":"failed"}`, "olderv": `{"scan":"clean"}`,
	}}
	for i, tt := range []struct {
		sum, text string
		want      Scan
		scans     int
	}{
		{"a", "EVIL", Infected, 1}, {"a", "EVIL", Infected, 0}, {"b", "good", ScanClean, 1}, {"b", "good", ScanClean, 0},
		{"odd", "good", ScanClean, 1}, {"none", "good", ScanClean, 1}, {"text", "good", ScanClean, 1}, {"failed", "good", ScanClean, 1},
		{"older", "EVIL", Infected, 1}, {"", "good", ScanClean, 1},
	} {
		with := new(scanning)
		s := NewScanner(with, 0)
		s.Shared = shared
		for range 2 {
			got := s.scan(t.Context(), strings.NewReader(tt.text), tt.sum)
			if got.Scan != tt.want || (got.Signature == "Test.Evil") != (tt.want == Infected) || tt.sum != "" && got.version != "v0" {
				t.Errorf("%d, %s: got %+v, want %s", i, tt.sum, got, tt.want)
			}
			if tt.sum == "" {
				break
			}
		}
		if int(with.scans.Load()) != tt.scans {
			t.Errorf("%d, %s: got %d scans, want %d", i, tt.sum, with.scans.Load(), tt.scans)
		}
	}
	shared.err, shared.calls = errors.New("away"), 0
	with := new(scanning)
	s := NewScanner(with, 0)
	s.Shared = shared
	for _, sum := range []string{"c", "d", "e"} {
		if got := s.scan(t.Context(), strings.NewReader("good"), sum); got.Scan != ScanClean {
			t.Errorf("%s: got %+v while the outcomes are away, want %s", sum, got, ScanClean)
		}
	}
	if with.scans.Load() != 3 || shared.calls != 1 {
		t.Errorf("got %d scans and %d questions, want 3 and 1", with.scans.Load(), shared.calls)
	}
}

// A body that the scanner finds too long is fetched and scanned once, as others are, until
// the outcome is forgotten; after that it is fetched, and not scanned again before the
// signatures change.
func TestTooLongForScanner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := new(web), &scanning{err: &fetch.Error{Op: "scan", Kind: fetch.TooLarge}}
		in := newInspector(t, w, s, PoolOptions{})
		check := func(when string, fetches int, scans int64) {
			t.Helper()
			rep := in.Inspect(t.Context(), refers("good.example"))
			if r := rep.Refs[0]; rep.Verdict != Unavailable || !slices.Equal(rep.Symbols, []string{SymbolFail}) || r.Scan != ScanFailed || !r.Oversize {
				t.Errorf("%s: got %s %v, scan %s, oversize %v; want %s [%s], scan %s, oversize true", when, rep.Verdict, rep.Symbols, r.Scan, r.Oversize, Unavailable, SymbolFail, ScanFailed)
			}
			if w.count("good.example") != fetches || s.scans.Load() != scans {
				t.Errorf("%s: got %d fetches and %d scans, want %d and %d", when, w.count("good.example"), s.scans.Load(), fetches, scans)
			}
		}
		for range 20 {
			check("within 2 minutes", 1, 1)
			time.Sleep(6 * time.Second)
		}
		time.Sleep(10 * time.Minute)
		check("after 10 minutes", 2, 1)
		s.version.Add(1)
		for range 2 { // the first one starts to ask for the version
			time.Sleep(versionEvery)
			in.Inspect(t.Context(), refers("good.example"))
			synctest.Wait()
		}
		check("with new signatures", 3, 2)
	})
}

// A body is scanned once for a version of the signatures.
func TestScanVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(scanning)
		in := newInspector(t, new(web), s, PoolOptions{Remember: time.Second})
		for version := range int64(2) {
			s.version.Store(version)
			time.Sleep(2 * versionEvery)
			for range 10 {
				// The outcome for the URL is forgotten, that for the octets is not.
				in.Inspect(t.Context(), refers("good.example"))
				time.Sleep(2 * time.Second)
			}
			if n := s.scans.Load(); n != version+1 {
				t.Errorf("version %d: got %d scans, want %d", version, n, version+1)
			}
		}
	})
}

// A scanner that does not answer clearly makes nothing clean, and reveals nothing about the file
// (OP-40).
func TestScannerFails(t *testing.T) {
	in := newInspector(t, new(web), &scanning{err: errors.New("no answer")}, PoolOptions{})
	rep := in.Inspect(t.Context(), refers("good.example"))
	if rep.Verdict != Pending || !slices.Equal(rep.Symbols, []string{SymbolFail}) {
		t.Errorf("got %s %v, want %s [%s]", rep.Verdict, rep.Symbols, Pending, SymbolFail)
	}
}

// A scanner that hangs holds up a message for a bounded time, however many bodies it
// has in itself.
func TestScannerHangsLocal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInspector(t, new(web), hanging{}, PoolOptions{})
		in.Wait = time.Second
		begun := time.Now()
		rep := in.Inspect(t.Context(), numbered("data:text/plain,%d", 20))
		if took := time.Since(begun); took > localTime || len(rep.Refs) != 20 || rep.Verdict != Pending {
			t.Errorf("got %s for %d references after %v, want %s for 20 within %v", rep.Verdict, len(rep.Refs), took, Pending, localTime)
		}
	})
}

// A hanging scanner never answers.
type hanging struct{}

func (hanging) Scan(ctx context.Context, _ io.Reader) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func readAll(m *Message) string {
	text, _ := io.ReadAll(io.NewSectionReader(m.Text, 0, m.Size))
	return string(text)
}
