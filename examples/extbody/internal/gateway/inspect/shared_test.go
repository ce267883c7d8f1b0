package inspect

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A countingScanning finds malware in octets that have the word.
type countingScanning struct{ scans int }

func (c *countingScanning) Scan(_ context.Context, r io.Reader) (string, error) {
	c.scans++
	text, err := io.ReadAll(r)
	if strings.Contains(string(text), "evil") {
		return "Evil", err
	}
	return "", err
}

func (c *countingScanning) Version(context.Context) (string, error) { return "1", nil }

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

// What one Scanner found is not scanned by another one with the same signatures. An outcome that
// cannot be one is not believed, and an error changes nothing.
func TestShared(t *testing.T) {
	shared := &sharedMap{outcomes: map[string]string{
		"odd1": `{"scan":"infected"}`, "none1": `{}`, "text1": `x`, "failed1": `{"scan":"failed"}`, "older0": `{"scan":"clean"}`,
	}}
	for i, tt := range []struct {
		sum, text string
		want      Scan
		scans     int
	}{
		{"a", "evil", Infected, 1}, {"a", "evil", Infected, 0}, {"b", "good", ScanClean, 1}, {"b", "good", ScanClean, 0},
		{"odd", "good", ScanClean, 1}, {"none", "good", ScanClean, 1}, {"text", "good", ScanClean, 1}, {"failed", "good", ScanClean, 1},
		{"older", "evil", Infected, 1}, {"", "good", ScanClean, 1},
	} {
		with := new(countingScanning)
		s := NewScanner(with, 0)
		s.Shared = shared
		for range 2 {
			got := s.scan(t.Context(), strings.NewReader(tt.text), tt.sum)
			if got.Scan != tt.want || (got.Signature == "Evil") != (tt.want == Infected) || tt.sum != "" && got.version != "1" {
				t.Errorf("%d, %s: got %+v, want %s", i, tt.sum, got, tt.want)
			}
			if tt.sum == "" {
				break
			}
		}
		if with.scans != tt.scans {
			t.Errorf("%d, %s: got %d scans, want %d", i, tt.sum, with.scans, tt.scans)
		}
	}
	shared.err, shared.calls = errors.New("away"), 0
	with := new(countingScanning)
	s := NewScanner(with, 0)
	s.Shared = shared
	for _, sum := range []string{"c", "d", "e"} {
		if got := s.scan(t.Context(), strings.NewReader("good"), sum); got.Scan != ScanClean {
			t.Errorf("%s: got %+v while the outcomes are away, want %s", sum, got, ScanClean)
		}
	}
	if with.scans != 3 || shared.calls != 1 {
		t.Errorf("got %d scans and %d questions, want 3 and 1", with.scans, shared.calls)
	}
}
