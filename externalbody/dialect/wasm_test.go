package dialect_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// The reading half, built for JavaScript, finds the same references under Node, and does not grow
// unnoticed. The sizes are in the log:
//
//	EXTBODY_SLOW=1 go test -v -run TestWasm ./externalbody/dialect
func TestWasm(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("it builds the library for another system: EXTBODY_SLOW is not set")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	program := filepath.Join(t.TempDir(), "extbody.wasm")
	build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", program, "./testdata/wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	octets, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(octets)
	z.Close()
	t.Logf("%.1f MB, %.1f MB compressed", float64(len(octets))/1e6, float64(packed.Len())/1e6)
	const most, mostPacked = 9_500_000, 2_800_000
	if len(octets) > most || packed.Len() > mostPacked {
		t.Errorf("got %d octets, %d compressed, want at most %d and %d", len(octets), packed.Len(), most, mostPacked)
	}

	names, err := filepath.Glob("../testdata/vectors/*.eml")
	if err != nil || len(names) < 50 {
		t.Fatalf("got %d messages, %v, want all of them", len(names), err)
	}
	var messages [][]byte
	var want []string
	count := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := externalbody.Open(bytes.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
		if err != nil {
			t.Fatal(err)
		}
		var refs []*externalbody.Reference
		for ref := range m.References() {
			refs = append(refs, ref)
		}
		line, err := json.Marshal(refs)
		if err != nil {
			t.Fatal(err)
		}
		count += len(refs)
		messages, want = append(messages, text), append(want, string(line))
	}
	input, err := json.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), program)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // which has a bound there
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("got %d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s:\ngot  %s\nwant %s", names[i], got[i], want[i])
		}
	}
	t.Logf("%d references in %d messages", count, len(names))
}
